"""``path("protocols/", include("agentui.protocols.urls"))``: one address for each protocol."""

from __future__ import annotations

from django.urls import include, path, re_path

urlpatterns = [
    path("ag-ui/", include("agentui.protocols.ag_ui.urls")),
    path("ai-sdk/", include("agentui.protocols.ui_message_stream.urls")),
    path("data-stream/", include("agentui.protocols.data_stream.urls")),
    path("assistant-transport/", include("agentui.protocols.assistant_transport.urls")),
    path("assistant-cloud/", include("agentui.protocols.assistant_cloud.urls")),
    path("plain-text/", include("agentui.protocols.plain_text.urls")),
    # With or without a slash: clients add "/info" and the rest to the address they are given.
    re_path(r"^copilotkit(?:/|$)", include("agentui.protocols.copilot_runtime.urls")),
    path("openai/", include("agentui.protocols.openai_chat.urls")),
    path("mcp/", include("agentui.protocols.mcp.urls")),
]
