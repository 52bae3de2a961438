from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("<str:agent>/chat", views.chat, name="ui_chat"),
    path("<str:agent>/chat/<str:chat>/stream", views.resume, name="ui_resume"),
    path("<str:agent>/chat/<str:chat>/stop", views.stop, name="ui_stop"),
    path("<str:agent>/chat/<str:chat>/messages", views.messages, name="ui_messages"),
]
