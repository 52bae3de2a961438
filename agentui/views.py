"""The chat as a page of its own."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404
from django.urls import reverse
from django.views.generic import TemplateView

from .agents import NO_AGENT, registry
from .exceptions import UnknownAgent
from .permissions import threads_for

_PLACE = "00000000-0000-0000-0000-000000000000"


class ChatView(LoginRequiredMixin, TemplateView):
    """The whole chat: thread list and thread. ``?agent=`` says whom a new thread is for."""

    template_name = "agentui/chat.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        route = reverse("agentui:thread", kwargs={"thread": _PLACE})
        home = reverse("agentui:chat")
        wanted = self.request.GET.get("agent", "")
        return {
            **super().get_context_data(**kwargs),
            "agent": self._agent(wanted),
            "thread": str(self.kwargs.get("thread", "")),
            # The page's script moves between threads without loading the page again.
            "route": route.replace(_PLACE, "{thread}"),
            "home": f"{home}?agent={quote(wanted)}" if wanted else home,
        }

    def _agent(self, wanted: str) -> str:
        """The agent asked for, else the thread's own, else the site's first."""
        if thread_id := self.kwargs.get("thread"):
            thread = threads_for(self.request.user).filter(pk=thread_id).first()
            if thread is None:
                raise Http404
            wanted = wanted or thread.agent
        try:
            return registry.get(wanted).name if wanted else registry.all()[0].name
        except UnknownAgent as error:
            raise Http404(error.message) from None
        except IndexError:
            raise Http404(NO_AGENT) from None
