"""What a person's answer to an approval means.

- An answer is a verdict, or one of the options offered, or both. The option's kind gives the verdict
  (``allow_once`` and ``allow_always`` approve, ``deny_once`` and ``deny_always`` deny); a
  verdict given as well takes precedence. An option of the site's own kind (``_...``) needs one.
- An approval is answered once. A second answer, or one that comes too late, is refused and changes
  nothing.
- One denial denies. ``required`` approvals approve. Until then it is pending.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentui.exceptions import AlreadyDecided, ApprovalClosed, ApprovalExpired, InvalidInput

from .parts import ApprovalOption, ApprovalState
from .statuses import ApprovalStatus

Verdict = Literal["approve", "deny"]

_VERDICTS: dict[str, bool] = {
    "allow_once": True,
    "allow_always": True,
    "deny_once": False,
    "deny_always": False,
}


@dataclass(frozen=True, slots=True)
class Resolution:
    """What was decided, by which option, and the reason in the person's own words."""

    approved: bool
    option_id: str | None = None
    reason: str | None = None


def resolve_response(
    approval: ApprovalState,
    *,
    verdict: Verdict | None = None,
    option_id: str | None = None,
    reason: str | None = None,
) -> Resolution:
    """The decision that the answer stands for. Raises ``InvalidInput`` when it stands for none."""
    if option_id is None:
        if verdict is None:
            raise InvalidInput("Approve or deny, or choose one of the options.")
        return Resolution(verdict == "approve", reason=reason)
    option = _option(approval, option_id)
    approved = _VERDICTS.get(kind_of(option)) if verdict is None else verdict == "approve"
    if approved is None:
        raise InvalidInput(
            f'Tool approval option "{option.id}" has a custom kind "{option.kind}"; '
            "respond with an explicit approved value instead"
        )
    return Resolution(approved, option_id, reason)


def kind_of(option: ApprovalOption) -> str:
    """The option's kind in our words; assistant-ui writes ``reject-once`` for ``deny_once``."""
    if option.kind.startswith("_"):
        return option.kind
    return option.kind.replace("-", "_").replace("reject_", "deny_")


def _option(approval: ApprovalState, option_id: str) -> ApprovalOption:
    for option in approval.options:
        if option.id == option_id:
            return option
    raise InvalidInput(f'Tool approval has no option with id "{option_id}"')


def check_open(status: ApprovalStatus) -> None:
    """Raise the refusal that fits unless an approval of this status still takes an answer."""
    match status:
        case ApprovalStatus.PENDING:
            return
        case ApprovalStatus.APPROVED | ApprovalStatus.DENIED:
            raise AlreadyDecided
        case ApprovalStatus.EXPIRED:
            raise ApprovalExpired
        case _:
            raise ApprovalClosed


def tally(required: int, decisions: Iterable[str]) -> ApprovalStatus:
    """Where the verdicts given so far leave an approval that needs ``required`` people."""
    verdicts = list(decisions)
    if "deny" in verdicts:
        return ApprovalStatus.DENIED
    if verdicts.count("approve") >= max(required, 1):
        return ApprovalStatus.APPROVED
    return ApprovalStatus.PENDING
