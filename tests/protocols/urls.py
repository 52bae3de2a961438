from __future__ import annotations

from django.urls import include, path

urlpatterns = [path("agentui/protocols/", include("agentui.protocols.urls"))]
