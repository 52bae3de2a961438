from __future__ import annotations

from django.urls import path

from . import files, views

_THREAD = "<str:agent>/v1/threads/<str:thread>"
_FILES = "<str:agent>/v1/files/attachments"

urlpatterns = [
    path("<str:agent>/v1/auth/tokens", views.tokens, name="cloud_tokens"),
    path("<str:agent>/v1/threads", views.thread_list, name="cloud_threads"),
    path(_THREAD, views.thread, name="cloud_thread"),
    path(f"{_THREAD}/messages", views.message_list, name="cloud_messages"),
    path(f"{_THREAD}/messages/<str:message>", views.message, name="cloud_message"),
    path(f"{_THREAD}/messages/<str:message>/feedback", views.feedback, name="cloud_feedback"),
    path("<str:agent>/v1/runs/stream", views.stream, name="cloud_stream"),
    path("<str:agent>/v1/runs", views.report, name="cloud_report"),
    path("<str:agent>/v1/events", views.events, name="cloud_events"),
    path(f"{_FILES}/generate-presigned-upload-url", files.presigned_upload, name="cloud_presigned"),
    path(f"{_FILES}/generate-presigned-download-url", files.presigned_download),
    path(f"{_FILES}/upload/<str:token>", files.upload, name="cloud_upload"),
    path(f"{_FILES}/<str:key>", files.file, name="cloud_file"),
]
