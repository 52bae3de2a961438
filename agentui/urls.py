"""``path("agentui/", include("agentui.urls"))`` in a site's urls."""

from __future__ import annotations

from django.urls import include, path

from .views import ChatView

app_name = "agentui"

urlpatterns = [
    path("", ChatView.as_view(), name="chat"),
    path("t/<uuid:thread>/", ChatView.as_view(), name="thread"),
    path("api/", include("agentui.api.urls")),
    path("protocols/", include("agentui.protocols.urls")),
]
