from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [path("<str:agent>/chat", views.chat, name="plain_text")]
