"""What a new call is, by the agent's tools: run at once, wait for a person, or be refused.

Called in a database thread: predicates and grants may read rows.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from ..agents import Agent, ApprovalPolicy, RunContext, Tool
from ..agents.json_schema import with_order
from ..conf import app_settings
from ..core import texts
from ..core.digest import args_digest
from ..core.parts import ToolCallPart
from ..core.statuses import ToolCallStatus, ToolKind
from ..core.values import same_json
from ..exceptions import ToolArgumentsError
from ..models import Grant, ToolCall
from .store import Claim, PreparedCall
from .store.roundtrips import PreparedApproval

MAX_DENIALS = 3
"""How often people are asked about one tool in one run, when they say no."""


def prepare_call(
    agent: Agent, claim: Claim, part: ToolCallPart, context: RunContext
) -> PreparedCall:
    """The call with the status it starts with. Arguments are validated before anybody approves."""
    if part.has_result:
        return PreparedCall(part, args_digest=args_digest(part.tool_name, part.args_text))
    tool = find_tool(agent, claim, part.tool_name)
    if tool is None:
        known = [*(tool.name for tool in agent.usable_tools), *(t["name"] for t in claim.tools)]
        return _refused(part, texts.unknown_tool(part.tool_name, known))
    if len(part.args_text) > app_settings.MAX_TOOL_ARGS_CHARS:
        return _refused(
            part,
            texts.invalid_arguments(
                f"They have {len(part.args_text)} characters; at most "
                f"{app_settings.MAX_TOOL_ARGS_CHARS} are accepted."
            ),
        )
    try:
        args = tool.validate(part.args_text)
    except ToolArgumentsError as error:
        return _refused(part, texts.invalid_arguments(error.message))
    prepared = PreparedCall(
        part=replace(part, kind=tool.kind, status=ToolCallStatus.PENDING),
        args=tool.plain_args(part.args_text),
        args_digest=args_digest(part.tool_name, part.args_text),
        tool_digest=tool.digest,
        while_waiting=tool.while_waiting,
        is_idempotent=tool.idempotent,
        answer_schema=with_order(tool.answer),
    )
    if tool.approval is None:
        return prepared
    context.args = args
    return _with_approval(prepared, tool.approval, claim, args, context)


def find_tool(agent: Agent, claim: Claim, name: str) -> Tool | None:
    """The agent's own tool, or else the page's. A page can never shadow a server tool."""
    own = agent.tool(name)
    if own is not None or not agent.accepts_frontend_tools:
        return own
    for definition in claim.tools:
        if definition["name"] == name:
            return Tool.frontend(definition)
    return None


def _with_approval(
    prepared: PreparedCall,
    policy: ApprovalPolicy,
    claim: Claim,
    args: dict[str, Any],
    context: RunContext,
) -> PreparedCall:
    if not policy.is_needed(args, context):
        return prepared
    grant = find_grant(claim, prepared)
    if grant is not None and not grant.is_allowed:
        return replace(_denied(prepared, texts.denied_always(grant.reason)), grant_id=grant.pk)
    if grant is not None:
        return replace(prepared, is_automatic=True, grant_id=grant.pk)
    if (text := denied_before(claim, prepared)) is not None:
        return _denied(prepared, text)
    expires = policy.expires_after
    return replace(
        prepared,
        part=replace(prepared.part, status=ToolCallStatus.AWAITING_APPROVAL),
        approval=PreparedApproval(
            policy=policy.snapshot(),
            required=policy.required,
            expires_at=timezone.now() + expires if isinstance(expires, timedelta) else None,
        ),
    )


def find_grant(claim: Claim, prepared: PreparedCall) -> Grant | None:
    """The standing answer that covers this call, if there is one. Deny beats allow."""
    now = timezone.now()
    grants = (
        Grant.objects.valid(now)
        .filter(agent=claim.agent, tool_name=prepared.part.tool_name)
        .select_related("granted_by")
    )
    covering = [
        grant
        for grant in grants
        if grant.thread_id in (None, claim.thread_id)
        and grant.user_id in (None, claim.owner_id)
        and all(_has(prepared.args, name, value) for name, value in grant.arguments.items())
        and grant.holds(now)
        # What was allowed is the tool as it was; another one of its name asks again.
        and (not grant.is_allowed or grant.tool_digest in ("", prepared.tool_digest))
    ]
    return next((grant for grant in covering if not grant.is_allowed), None) or next(
        iter(covering), None
    )


def denied_before(claim: Claim, prepared: PreparedCall) -> str | None:
    """What the model is told instead of asking once more, when this run has its answer already.

    The very same call is not asked about twice, and one tool not more than :data:`MAX_DENIALS`
    times: a model that insists wastes nobody's time. The person's next message starts afresh.
    """
    denials = ToolCall.objects.filter(
        run=claim.run_id,
        tool_name=prepared.part.tool_name,
        status=ToolCallStatus.DENIED,
        is_automatic=False,
    )
    digests = list(denials.values_list("args_digest", flat=True))
    if prepared.args_digest in digests:
        return texts.DENIED_BEFORE
    return texts.DENIED_TOO_OFTEN if len(digests) >= MAX_DENIALS else None


def _denied(prepared: PreparedCall, text: str) -> PreparedCall:
    part = replace(prepared.part, status=ToolCallStatus.DENIED, result=text, is_error=True)
    return replace(prepared, part=part, is_automatic=True)


def _has(args: dict[str, Any] | None, name: str, value: Any) -> bool:
    # A missing argument is none of these values.
    given = args or {}
    return name in given and same_json(given[name], value)


def _refused(part: ToolCallPart, text: str) -> PreparedCall:
    return PreparedCall(
        part=replace(
            part,
            kind=ToolKind.SERVER,
            status=ToolCallStatus.FAILED,
            result=text,
            is_error=True,
        ),
        args_digest=args_digest(part.tool_name, part.args_text),
    )
