"""Deciding an approval: one rule, whichever door the decision came through."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from ..agents import ApprovalPolicy, PolicyOption, registry
from ..core import texts
from ..core.approval import Resolution, check_open, resolve_response, tally
from ..core.clean import clean
from ..core.digest import args_digest
from ..core.partial_json import ArgumentsError, parse_args
from ..core.parts import ApprovalState
from ..core.statuses import ApprovalStatus, ToolCallStatus
from ..exceptions import (
    AlreadyDecided,
    AlreadyVoted,
    ApprovalExpired,
    DigestMismatch,
    InvalidInput,
    NotFound,
    ReasonRequired,
    TooLarge,
    ToolArgumentsError,
    ToolChanged,
    UnknownAgent,
)
from ..models import Approval, Decision, Grant, Thread, ToolCall
from ..permissions import may_decide, policy_of, threads_for
from ..runtime.store import approve_call, changing, expire_approval, refuse_call
from ..runtime.store.changes import after_commit
from ..signals import approval_decided
from .lookups import get_approval, signed_in

Door = str
_MAX_REASON = 4000


def decide_approval(
    user: Any,
    approval_id: Any,
    *,
    verdict: Any = None,
    option: str | None = None,
    reason: str = "",
    args_text: str | None = None,
    digest: str | None = None,
    door: Door,
) -> Approval:
    """Give one person's decision. The decision and what follows from it are one transaction.

    ``verdict`` is ``approve`` or ``deny``; ``option`` one of the answers the policy offers. ``digest``
    is the digest of the arguments the person was shown. ``args_text`` are the arguments as they
    changed them, where the policy lets them.

    Raises, with nothing changed: :class:`NotFound` (no such approval, or none of yours),
    :class:`NotPermitted`, :class:`RequesterMayNotDecide`, :class:`AlreadyDecided`,
    :class:`AlreadyVoted`, :class:`ApprovalClosed`, :class:`DigestMismatch`,
    :class:`ReasonRequired`, :class:`InvalidInput`. :class:`ApprovalExpired` and
    :class:`ToolChanged` end the approval on the way, as it could not be decided ever after.
    """
    signed_in(user)
    approval = get_approval(approval_id)
    _check_permission(user, approval)
    try:
        with changing(approval.thread_id) as thread:
            return _decide(
                thread, user, approval.pk, verdict, option, reason, args_text, digest, door
            )
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


def _decide(
    thread: Thread,
    user: Any,
    pk: Any,
    verdict: Any,
    option: str | None,
    reason: str,
    args_text: str | None,
    digest: str | None,
    door: Door,
) -> Approval:
    approval = Approval.objects.select_related("tool_call").get(pk=pk)
    _check_permission(user, approval)
    _check_open(approval)
    call = approval.tool_call
    if digest is not None and digest != approval.args_digest:
        raise DigestMismatch
    policy = policy_of(approval)
    if policy is None:
        raise ToolChanged("The rule that says who may decide this no longer exists.")
    resolution = resolve_response(
        ApprovalState(str(approval.pk), options=policy.approval_options()),
        verdict=_checked_verdict(verdict),
        option_id=option,
        reason=_checked_reason(reason),
    )
    chosen = policy.option(option) if option is not None else None
    if chosen is not None and chosen.allows != resolution.approved:
        raise InvalidInput("The verdict and the chosen option contradict each other.")
    words = resolution.reason or ""
    if not resolution.approved and policy.reason_required and not words.strip():
        raise ReasonRequired
    edited: dict[str, Any] = {}
    if resolution.approved:
        _check_tool(approval, call)
        if args_text is not None and args_text != call.effective_args_text:
            edited = _edited(approval, call, policy, args_text)
    if edited:
        ToolCall.objects.filter(pk=call.pk).update(version=thread.version, **edited)
        approval.args_digest = edited["args_digest"]
        Approval.objects.filter(pk=approval.pk).update(args_digest=approval.args_digest)
    decision = _add_decision(
        approval, user, resolution, words, edited.get("edited_args_text", ""), door
    )
    # What was said about other arguments does not count for these.
    about_these = approval.decisions.filter(args_digest=approval.args_digest)
    match tally(approval.required, about_these.values_list("verdict", flat=True)):
        case ApprovalStatus.APPROVED:
            approve_call(thread, approval)
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
        _grant(thread, approval, chosen, user)
    after_commit(approval_decided, Approval, approval=approval, decision=decision)
    return Approval.objects.select_related("tool_call").get(pk=pk)


def _check_permission(user: Any, approval: Approval) -> None:
    refusal = may_decide(user, approval)
    if refusal is None:
        return
    # Whoever is neither staff nor the thread's owner is not told that the approval exists.
    if not user.is_staff and not threads_for(user).filter(pk=approval.thread_id).exists():
        raise NotFound
    raise refusal


def _check_open(approval: Approval) -> None:
    status = ApprovalStatus(approval.status)
    if status is ApprovalStatus.PENDING:
        if approval.expires_at is not None and approval.expires_at <= timezone.now():
            raise ApprovalExpired
        return
    try:
        check_open(status)
    except AlreadyDecided:
        last = approval.decisions.last()
        if last is None:
            raise
        raise AlreadyDecided(
            f"Already decided: {last.username} said {last.verdict} on "
            f"{timezone.localtime(last.created_at):%Y-%m-%d %H:%M}.",
            decided_by=last.username,
            verdict=last.verdict,
            decided_at=last.created_at.isoformat(),
        ) from None


def _check_tool(approval: Approval, call: ToolCall) -> None:
    """A tool or agent that changed or vanished while the call waited fails closed."""
    try:
        tool = registry.get(approval.agent).tool(call.tool_name)
    except UnknownAgent:
        raise ToolChanged(
            "The agent behind this call no longer exists, so it cannot run."
        ) from None
    if call.kind == "server" and (tool is None or tool.digest != call.tool_digest):
        raise ToolChanged


def _invalidate(approval: Approval) -> None:
    with changing(approval.thread_id) as thread:
        refuse_call(
            thread,
            approval,
            ApprovalStatus.CANCELLED,
            ToolCallStatus.CANCELLED,
            texts.tool_changed(approval.tool_name),
        )


def _edited(
    approval: Approval, call: ToolCall, policy: ApprovalPolicy, args_text: str
) -> dict[str, Any]:
    tool = registry.get(approval.agent).tool(call.tool_name)
    try:
        before, after = parse_args(call.effective_args_text), parse_args(args_text)
        if tool is not None:
            tool.validate(args_text)
    except (ArgumentsError, ToolArgumentsError) as error:
        raise InvalidInput(f"The changed arguments do not fit the tool. {error}") from None
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    if forbidden := sorted(changed - set(policy.editable)):
        raise InvalidInput(f"These arguments may not be changed: {', '.join(forbidden)}.")
    return {
        "edited_args_text": clean(args_text) or "{}",
        "args": after,
        "args_digest": args_digest(call.tool_name, clean(args_text)),
    }


def _add_decision(
    approval: Approval,
    user: Any,
    resolution: Resolution,
    reason: str,
    edited_args_text: str,
    door: Door,
) -> Decision:
    try:
        with transaction.atomic():
            return Decision.objects.create(
                approval=approval,
                user=user,
                username=user.get_username(),
                verdict="approve" if resolution.approved else "deny",
                reason=reason,
                option=resolution.option_id or "",
                original_args_text=approval.tool_call.args_text,
                edited_args_text=edited_args_text,
                args_digest=approval.args_digest,
                door=door,
            )
    except IntegrityError:
        raise AlreadyVoted from None


def _grant(thread: Thread, approval: Approval, option: PolicyOption, user: Any) -> None:
    """The standing answer that the person chose."""
    args = approval.tool_call.args or {}
    Grant.objects.create(
        agent=approval.agent,
        tool_name=approval.tool_name,
        thread=thread if option.reach == "thread" else None,
        user_id=approval.requester_id if option.reach in ("thread", "user") else None,
        arguments={name: args.get(name) for name in option.arguments},
        is_allowed=option.allows,
        granted_by=user,
        approval=approval,
        expires_at=timezone.now() + option.expires_after if option.expires_after else None,
    )


def _checked_reason(reason: Any) -> str:
    if reason is not None and not isinstance(reason, str):
        raise InvalidInput("reason must be a text.")
    words = clean(reason or "")
    if len(words) > _MAX_REASON:
        raise TooLarge(
            f"A reason may have {_MAX_REASON:,} characters; this one has {len(words):,}. "
            "The agent is told it word for word, so it is not cut."
        )
    return words


def _checked_verdict(verdict: Any) -> Any:
    if verdict not in (None, "approve", "deny"):
        raise InvalidInput("verdict must be approve or deny.")
    return verdict
