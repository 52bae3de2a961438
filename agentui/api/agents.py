from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ..agents import registry
from .base import AgentView


class Agents(AgentView):
    """Whom one can talk to. What an agent is told and which tools it has is not a page's business."""

    def get(self, request: Request) -> Response:
        agents = [
            {"name": agent.name, "title": str(agent.title), "description": str(agent.description)}
            for agent in registry.all()
        ]
        return Response({"agents": agents})
