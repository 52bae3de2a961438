"""Answers that wait in the middle until a client says that it has seen their beginning."""

from __future__ import annotations

from collections import defaultdict

from django.http import HttpRequest, HttpResponse

from agentui.testing import Gate

#: By the name that the message gives: "hold x" waits for gate x.
gates: defaultdict[str, Gate] = defaultdict(Gate)


def open_gate(request: HttpRequest, name: str) -> HttpResponse:
    gates[name].open()
    return HttpResponse("open")
