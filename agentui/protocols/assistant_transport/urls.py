from __future__ import annotations

from django.urls import path

from ..ui_message_stream import views as chats
from . import views

urlpatterns = [
    path("<str:agent>/run", views.run, name="transport"),
    path("<str:agent>/resume-state", views.resume_state, name="transport_resume_state"),
    path("<str:agent>/resume", views.resume, name="transport_resume"),
    path("<str:agent>/<str:chat>/state", views.state, name="transport_state"),
    path("<str:agent>/<str:chat>/stop", chats.stop, name="transport_stop"),
]
