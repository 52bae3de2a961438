"""What a decision has to be before it counts. Each check raises the refusal that fits."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from ..agents import ApprovalPolicy, Tool, ToolResultError, encode_result, registry
from ..agents.json_schema import problems_with
from ..conf import app_settings
from ..core.approval import check_open
from ..core.clean import clean
from ..core.digest import args_digest
from ..core.partial_json import ArgumentsError, parse_args
from ..core.statuses import ApprovalStatus, ToolKind
from ..core.values import same_json
from ..exceptions import (
    AlreadyDecided,
    ApprovalClosed,
    ApprovalExpired,
    InvalidInput,
    NotFound,
    TooLarge,
    ToolArgumentsError,
    ToolChanged,
    UnknownAgent,
)
from ..models import Approval, Decision, ToolCall
from ..permissions import may_decide, threads_for

MAX_REASON = 4000


def check_permission(user: Any, approval: Approval) -> None:
    """May this user decide this? Strangers are not told that there is anything to decide."""
    refusal = may_decide(user, approval)
    if refusal is None:
        return
    # Whoever is neither staff nor the thread's owner is not told that the approval exists.
    if not user.is_staff and not threads_for(user).filter(pk=approval.thread_id).exists():
        raise NotFound
    raise refusal


def check_undecided(approval: Approval, decisions: list[Decision]) -> None:
    """Does the request still take a decision? The refusal says who was faster, or what closed it."""
    status = ApprovalStatus(approval.status)
    if status is ApprovalStatus.PENDING:
        if approval.expires_at is not None and approval.expires_at <= timezone.now():
            raise ApprovalExpired
        return
    if status in (ApprovalStatus.APPROVED, ApprovalStatus.DENIED) and decisions:
        raise _already_decided(approval, decisions[-1])
    if status is ApprovalStatus.SUPERSEDED:
        raise ApprovalClosed(
            "The person has edited the message behind this request, so it was replaced. "
            "It was not run.",
            status=status.value,
        )
    if status is ApprovalStatus.CANCELLED:
        raise ApprovalClosed(
            "This request was withdrawn: the person or the site stopped what it belonged to. "
            "It was not run.",
            status=status.value,
        )
    check_open(status)


def _already_decided(approval: Approval, last: Decision) -> AlreadyDecided:
    when = f"{timezone.localtime(last.created_at):%Y-%m-%d %H:%M}"
    if approval.status == ApprovalStatus.APPROVED and approval.required > 1:
        text = (
            f"Already decided: the {approval.required} approvals it needed had been given, "
            f"the last by {last.username} on {when}."
        )
    else:
        text = f"Already decided: {last.username} said {last.verdict} on {when}."
    return AlreadyDecided(
        text,
        decided_by=last.username,
        verdict=last.verdict,
        decided_at=last.created_at.isoformat(),
        required=approval.required,
    )


def check_tool(approval: Approval, call: ToolCall) -> Tool | None:
    """A tool or agent that changed or vanished while the call waited fails closed."""
    try:
        tool = registry.get(approval.agent).tool(call.tool_name)
    except UnknownAgent:
        raise ToolChanged(
            "The agent behind this call no longer exists, so it cannot run."
        ) from None
    if call.kind == ToolKind.SERVER:
        if tool is None:
            raise ToolChanged("The tool behind this call no longer exists, so it cannot run.")
        if tool.digest != call.tool_digest:
            raise ToolChanged
    return tool


def changed_arguments(
    approval: Approval, policy: ApprovalPolicy, tool: Tool | None, args_text: str | None
) -> dict[str, Any]:
    """The call's columns for arguments as somebody changed them; empty when nothing is changed."""
    call = approval.tool_call
    if args_text is None or args_text == call.effective_args_text:
        return {}
    if not isinstance(args_text, str):
        raise InvalidInput("args_text must be a string.")
    if len(args_text) > app_settings.MAX_TOOL_ARGS_CHARS:
        raise TooLarge
    text = clean(args_text) or "{}"
    try:
        before, after = parse_args(call.effective_args_text), parse_args(text)
        if tool is not None:
            tool.validate(text)
    except (ArgumentsError, ToolArgumentsError) as error:
        raise InvalidInput(f"The changed arguments do not fit the tool. {error}") from None
    # One that is left out is not one that is null: the tool's default may be anything.
    kept = {name for name in {*before} & {*after} if same_json(before[name], after[name])}
    changed = {*before, *after} - kept
    if forbidden := sorted(changed - set(policy.editable)):
        raise InvalidInput(f"These arguments may not be changed: {', '.join(forbidden)}.")
    return {
        "edited_args_text": text,
        "args": after,
        "args_digest": args_digest(call.tool_name, text),
    }


def checked_answer(schema: dict[str, Any] | None, answer: Any) -> Any:
    """The answer to a human tool, as it is stored. Refused with all that does not fit its form."""
    try:
        value = encode_result(answer, max_bytes=app_settings.MAX_TOOL_RESULT_BYTES)
    except ToolResultError as problem:
        raise InvalidInput(problem.message) from None
    if schema is not None and (problems := problems_with(schema, value)):
        raise InvalidInput(
            f"The answer does not fit the form. {'; '.join(problems)}.", problems=problems
        )
    return value


def checked_reason(reason: Any) -> str:
    """The reason as it is stored and told: whole, or refused."""
    if reason is not None and not isinstance(reason, str):
        raise InvalidInput("reason must be a string.")
    words: str = clean(reason or "")
    if len(words) > MAX_REASON:
        raise TooLarge(
            f"A reason may have {MAX_REASON:,} characters; this one has {len(words):,}. "
            "The agent is told it word for word, so it is not cut."
        )
    return words


def checked_verdict(verdict: Any) -> Any:
    if verdict not in (None, "approve", "deny"):
        raise InvalidInput("verdict must be approve or deny.")
    return verdict
