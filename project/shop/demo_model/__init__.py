"""The demo's offline model: it reacts to what is typed, and says only what the tools answered.

``decide(request)`` is a pure function: what was said and what the tools answered since then go in,
the steps of one roundtrip come out. It keeps nothing between two requests, as no model does.
"""

from __future__ import annotations

from agentui.adapters import ScriptedAdapter, register_scripted

from .beside import beside
from .decide import decide

_SECONDS_A_PIECE = 0.015


def register_demo_model() -> None:
    """Make the models "scripted:shop-demo" and "scripted:shop-beside" known."""
    register_scripted("shop-demo", ScriptedAdapter(respond=decide, delay=_SECONDS_A_PIECE))
    register_scripted("shop-beside", ScriptedAdapter(respond=beside, delay=_SECONDS_A_PIECE))


__all__ = ["decide", "register_demo_model"]
