"""``path("protocols/", include("agentui.protocols.urls"))``: one address for each protocol."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("ag-ui/", include("agentui.protocols.ag_ui.urls")),
    # Without a slash: clients add "/info" and the rest to the address they are given.
    path("copilotkit", include("agentui.protocols.copilot_runtime.urls")),
    path("openai/", include("agentui.protocols.openai_chat.urls")),
    path("mcp/", include("agentui.protocols.mcp.urls")),
]
