"""Deciding an approval: one rule, whichever door the decision came through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils import timezone

from ..agents import PolicyOption
from ..core import texts
from ..core.approval import Resolution, resolve_response, tally
from ..core.parts import ApprovalState
from ..core.statuses import ApprovalStatus, ToolCallStatus, ToolKind
from ..exceptions import (
    AlreadyVoted,
    ApprovalExpired,
    DigestMismatch,
    InvalidInput,
    PolicyGone,
    ReasonRequired,
    ToolChanged,
)
from ..models import Approval, Decision, Grant, Thread, ToolCall
from ..permissions import policy_of
from ..runtime.store import approve_call, changing, expire_approval, refuse_call
from ..runtime.store.changes import after_commit
from ..signals import approval_decided
from .decision_checks import (
    changed_arguments,
    check_permission,
    check_tool,
    check_undecided,
    checked_answer,
    checked_reason,
    checked_verdict,
)
from .lookups import get_approval, signed_in

Door = str


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the person said, as it came in."""

    verdict: Any
    option: str | None
    reason: Any
    args_text: str | None
    answer: Any
    digest: str | None
    door: Door


def decide_approval(
    user: Any,
    approval_id: Any,
    *,
    verdict: Any = None,
    option: str | None = None,
    reason: Any = "",
    args_text: str | None = None,
    answer: Any = None,
    digest: str | None = None,
    door: Door,
) -> Approval:
    """Give one person's decision. The decision and what follows from it are one transaction.

    ``verdict`` is ``approve`` or ``deny``; ``option`` one of the answers the policy offers. ``digest``
    is the digest of the arguments the person was shown. ``args_text`` are the arguments as they
    changed them, where the policy lets them. ``answer`` is what they filled in, where a human tool
    asks staff by a form.

    Raises, with nothing changed: :class:`NotFound` (no such approval, or none of yours),
    :class:`NotPermitted`, :class:`PolicyGone`, :class:`RequesterMayNotDecide`,
    :class:`AlreadyDecided`, :class:`AlreadyVoted`, :class:`ApprovalClosed`,
    :class:`DigestMismatch`, :class:`ReasonRequired`, :class:`InvalidInput`.
    :class:`ApprovalExpired` and :class:`ToolChanged` also end the approval, since nobody could
    decide it any more.
    """
    signed_in(user)
    approval = get_approval(approval_id)
    check_permission(user, approval)
    if approval.status != ApprovalStatus.PENDING:
        # Whoever comes late is told so without waiting for the thread.
        check_undecided(approval, list(approval.decisions.all()))
    said = _Answer(verdict, option, reason, args_text, answer, digest, door)
    try:
        with changing(approval.thread_id) as thread:
            return _decide(thread, user, approval.pk, said)
    except ApprovalExpired as error:
        error.afterwards = partial(expire_approval, approval.pk)
        error.afterwards()
        raise
    except ToolChanged as error:
        error.afterwards = partial(_invalidate, approval)
        error.afterwards()
        raise


def expire_approvals() -> int:
    """End every approval whose time is over; returns how many."""
    overdue = Approval.objects.overdue(timezone.now()).values_list("pk", flat=True)
    return sum(expire_approval(pk) for pk in list(overdue))


def _decide(thread: Thread, user: Any, pk: Any, said: _Answer) -> Approval:
    # Read again with the thread locked: whoever else decides waits, and finds this decision made.
    approval = Approval.objects.select_related("tool_call__run", "requester").get(pk=pk)
    given = list(approval.decisions.all())
    check_permission(user, approval)
    check_undecided(approval, given)
    call = approval.tool_call
    if said.digest is not None and said.digest != approval.args_digest:
        raise DigestMismatch
    policy = policy_of(approval)
    if policy is None:
        raise PolicyGone
    resolution = resolve_response(
        ApprovalState(str(approval.pk), options=policy.approval_options()),
        verdict=checked_verdict(said.verdict),
        option_id=said.option,
        reason=checked_reason(said.reason),
    )
    chosen = policy.option(said.option) if said.option is not None else None
    if chosen is not None and chosen.allows != resolution.approved:
        raise InvalidInput("The verdict and the chosen option contradict each other.")
    words = resolution.reason or ""
    if not resolution.approved and policy.reason_required and not words.strip():
        raise ReasonRequired
    edited: dict[str, Any] = {}
    answer = None
    if resolution.approved:
        tool = check_tool(approval, call)
        edited = changed_arguments(approval, policy, tool, said.args_text)
        if call.kind == ToolKind.HUMAN and call.answer_schema is not None:
            answer = checked_answer(call.answer_schema, said.answer)
    if edited:
        _change(thread, approval, edited)
    # What was said about other arguments does not count for these.
    about_these = [d for d in given if d.args_digest == approval.args_digest]
    if any(decision.user_id == user.pk for decision in about_these):
        raise AlreadyVoted
    decision = _add_decision(approval, user, resolution, words, edited, answer, said.door)
    match tally(approval.required, [d.verdict for d in (*about_these, decision)]):
        case ApprovalStatus.APPROVED:
            approve_call(thread, approval, answer=answer)
        case ApprovalStatus.DENIED:
            refuse_call(
                thread,
                approval,
                ApprovalStatus.DENIED,
                ToolCallStatus.DENIED,
                texts.denied(words),
            )
        case _:
            Approval.objects.filter(pk=approval.pk).update(version=thread.version)
    if chosen is not None and chosen.is_always:
        _grant(thread, approval, chosen, user, words)
    approval.version = thread.version
    after_commit(approval_decided, Approval, approval=approval, decision=decision)
    return approval


def _change(thread: Thread, approval: Approval, edited: dict[str, Any]) -> None:
    call = approval.tool_call
    ToolCall.objects.filter(pk=call.pk).update(version=thread.version, **edited)
    for name, value in edited.items():
        setattr(call, name, value)
    approval.args_digest = edited["args_digest"]
    Approval.objects.filter(pk=approval.pk).update(args_digest=approval.args_digest)


def _invalidate(approval: Approval) -> None:
    with changing(approval.thread_id) as thread:
        refuse_call(
            thread,
            approval,
            ApprovalStatus.CANCELLED,
            ToolCallStatus.CANCELLED,
            texts.tool_changed(approval.tool_name),
        )


def _add_decision(
    approval: Approval,
    user: Any,
    resolution: Resolution,
    reason: str,
    edited: dict[str, Any],
    answer: Any,
    door: Door,
) -> Decision:
    """The row of the record. The thread is locked, so nobody else adds one meanwhile; the
    database's constraint says the same."""
    return Decision.objects.create(
        approval=approval,
        approval_ref=approval.pk,
        thread_ref=approval.thread_id,
        agent=approval.agent,
        tool_name=approval.tool_name,
        requester_name=approval.requester.get_username()[:150],
        requested_at=approval.requested_at,
        user=user,
        username=user.get_username()[:150],
        verdict="approve" if resolution.approved else "deny",
        reason=reason,
        option=resolution.option_id or "",
        answer=answer,
        original_args_text=approval.tool_call.args_text,
        edited_args_text=edited.get("edited_args_text", ""),
        args_digest=approval.args_digest,
        door=door,
    )


def _grant(
    thread: Thread, approval: Approval, option: PolicyOption, user: Any, reason: str
) -> None:
    """The standing answer that the person chose."""
    args = approval.tool_call.args or {}
    if missing := [name for name in option.arguments if name not in args]:
        raise InvalidInput(
            f"This answer holds where {', '.join(missing)} is the same, and this call has none."
        )
    Grant.objects.create(
        agent=approval.agent,
        tool_name=approval.tool_name,
        tool_digest=approval.tool_call.tool_digest,
        thread=thread if option.reach == "thread" else None,
        user_id=approval.requester_id if option.reach in ("thread", "user") else None,
        arguments={name: args[name] for name in option.arguments},
        is_allowed=option.allows,
        reason=reason,
        granted_by=user,
        approval=approval,
        expires_at=timezone.now() + option.expires_after if option.expires_after else None,
    )
