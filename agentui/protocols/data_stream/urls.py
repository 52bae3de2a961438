from __future__ import annotations

from django.urls import path

from ..ui_message_stream import views as chats
from . import views

urlpatterns = [
    path("<str:agent>/run", views.run, name="data_stream"),
    path("<str:agent>/<str:chat>/stop", chats.stop, name="data_stream_stop"),
]
