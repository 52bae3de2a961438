"""Functions that policies of these tests name."""

from __future__ import annotations

from typing import Any

from agentui.agents import ApprovalRequest

asked: list[ApprovalRequest] = []


def small_amounts(user: Any, request: ApprovalRequest) -> bool:
    """Everybody may decide about small amounts."""
    asked.append(request)
    return bool(request.args["amount"] < 100)


def breaks(user: Any, request: ApprovalRequest) -> bool:
    raise RuntimeError("the rule is broken")


async def asynchronous(user: Any, request: ApprovalRequest) -> bool:
    return True


class Rules:
    def method(self, user: Any, request: ApprovalRequest) -> bool:
        return True


not_a_function = 7
