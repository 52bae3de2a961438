from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from tests.protocols.live.gates import open_gate

urlpatterns = [
    path("gates/<str:name>", open_gate),
    path("admin/", admin.site.urls),
    path("agentui/protocols/", include("agentui.protocols.urls")),
    path("agentui/", include("agentui.urls")),
]
