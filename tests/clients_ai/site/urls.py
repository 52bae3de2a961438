from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("agentui/", include("agentui.urls")),
    path("ai-sdk/", include("agentui.protocols.ui_message_stream.urls")),
    path("data-stream/", include("agentui.protocols.data_stream.urls")),
    path("transport/", include("agentui.protocols.assistant_transport.urls")),
    path("plain-text/", include("agentui.protocols.plain_text.urls")),
    path("cloud/", include("agentui.protocols.assistant_cloud.urls")),
]
