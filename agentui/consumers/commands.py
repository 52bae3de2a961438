"""The socket's commands: each checks its fields and calls one action. Sync."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import ValidationError

from .. import actions
from ..actions.inputs import checked_request
from ..actions.page_tools import checked_tools
from ..actions.rates import count_request
from ..actions.validation import first_problem
from ..exceptions import InvalidInput
from ..runtime.rows import Row, approval_row, tool_call_row
from .access import Connection, current_user
from .forms import (
    CancelRun,
    ClaimToolCall,
    Command,
    DecideApproval,
    EditMessage,
    MoveMessage,
    OfMessage,
    OfThread,
    RegisterTools,
    SendMessage,
    SetFeedback,
    SetState,
    SubmitToolResult,
    WithPage,
)

C = TypeVar("C", bound=Command)
Carry = Callable[[Connection, dict[str, Any]], Row]

COMMANDS: dict[str, Carry] = {}


def command(
    name: str, form: type[C], *, changes_rows: bool = True, rate: str | None = None
) -> Callable[[Callable[[Any, Connection, C], Row]], Any]:
    """Register what carries out a command.

    The id of a command that changes rows is its idempotency key and must be a UUID. ``rate`` is the
    one of ``API_RATES`` that it counts against, once however often the command comes.
    """

    def register(carry_out: Callable[[Any, Connection, C], Row]) -> Any:
        def checked(connection: Connection, frame: dict[str, Any]) -> Row:
            try:
                fields = form.model_validate(frame)
            except ValidationError as error:
                raise InvalidInput(first_problem(error)) from None
            user = current_user(connection)
            if not changes_rows:
                return carry_out(user, connection, fields)

            def carry_out_once() -> Row:
                if rate is not None:
                    count_request(user, rate)
                return carry_out(user, connection, fields)

            answer: Row = actions.once(user, _key(fields.id), frame, carry_out_once)
            return answer

        COMMANDS[name] = checked
        return carry_out

    return register


def _key(command_id: str) -> uuid.UUID:
    try:
        return uuid.UUID(command_id)
    except ValueError:
        raise InvalidInput("id: make a new UUID for each command that changes something.") from None


def _request(connection: Connection, fields: WithPage) -> Any:
    tools = connection.tools if fields.tools is None else fields.tools
    return checked_request(tools, fields.context, fields.run_config)


def _sent(sent: actions.Sent) -> Row:
    return {
        "thread": str(sent.thread.pk),
        "message": str(sent.message.pk),
        "run": str(sent.run.pk) if sent.run else None,
        "queued": sent.run is None,
    }


@command("send_message", SendMessage, rate="send")
def _send_message(user: Any, connection: Connection, fields: SendMessage) -> Row:
    where = {"parent": fields.parent} if "parent" in fields.model_fields_set else {}
    return _sent(
        actions.send_message(
            user,
            parts=fields.parts,
            thread_id=fields.thread,
            agent=fields.agent,
            request=_request(connection, fields),
            on_active=fields.on_active,
            command=fields.id,
            state=fields.state,
            **where,
        )
    )


@command("edit_message", EditMessage, rate="send")
def _edit_message(user: Any, connection: Connection, fields: EditMessage) -> Row:
    request = _request(connection, fields)
    return _sent(actions.edit_message(user, fields.message, parts=fields.parts, request=request))


@command("regenerate", OfMessage, rate="send")
def _regenerate(user: Any, connection: Connection, fields: OfMessage) -> Row:
    return _sent(actions.regenerate(user, fields.message, request=_request(connection, fields)))


@command("cancel_message", OfMessage)
def _cancel_message(user: Any, connection: Connection, fields: OfMessage) -> Row:
    actions.cancel_queued_message(user, fields.message)
    return {"message": fields.message}


@command("move_message", MoveMessage)
def _move_message(user: Any, connection: Connection, fields: MoveMessage) -> Row:
    queue = actions.move_queued_message(user, fields.message, before=fields.before)
    return {"queued": [str(message.pk) for message in queue]}


@command("steer_message", OfMessage)
def _steer_message(user: Any, connection: Connection, fields: OfMessage) -> Row:
    return {"message": str(actions.steer_queued_message(user, fields.message).pk)}


@command("set_feedback", SetFeedback)
def _set_feedback(user: Any, connection: Connection, fields: SetFeedback) -> Row:
    message = actions.set_feedback(user, fields.message, fields.rating, comment=fields.comment)
    return {"message": str(message.pk), "rating": message.feedback or None}


@command("clear_queue", OfThread)
def _clear_queue(user: Any, connection: Connection, fields: OfThread) -> Row:
    return {"thread": fields.thread, "removed": actions.clear_queue(user, fields.thread)}


@command("resume_queue", OfThread)
def _resume_queue(user: Any, connection: Connection, fields: OfThread) -> Row:
    thread = actions.resume_queue(user, fields.thread)
    return {"thread": str(thread.pk)}


@command("switch_branch", OfMessage)
def _switch_branch(user: Any, connection: Connection, fields: OfMessage) -> Row:
    thread = actions.switch_branch(user, fields.message)
    return {"thread": str(thread.pk), "head": str(thread.head_id)}


@command("cancel_run", CancelRun)
def _cancel_run(user: Any, connection: Connection, fields: CancelRun) -> Row:
    run = actions.cancel_run(user, fields.run, clear=fields.clear_queue)
    return {"run": str(run.pk), "status": run.status}


@command("decide_approval", DecideApproval)
def _decide_approval(user: Any, connection: Connection, fields: DecideApproval) -> Row:
    approval = actions.decide_approval(
        user,
        fields.approval,
        verdict=fields.verdict,
        option=fields.option,
        reason=fields.reason or "",
        args_text=fields.args_text,
        answer=fields.answer,
        digest=fields.digest,
        door="chat",
    )
    return {"approval": approval_row(approval, user)}


@command("register_tools", RegisterTools, changes_rows=False)
def _register_tools(user: Any, connection: Connection, fields: RegisterTools) -> Row:
    connection.tools, refused = checked_tools(fields.tools)
    return {"tools": [tool["name"] for tool in connection.tools], "refused": refused}


@command("claim_tool_call", ClaimToolCall)
def _claim_tool_call(user: Any, connection: Connection, fields: ClaimToolCall) -> Row:
    call = actions.claim_tool_call(user, fields.tool_call, tab=fields.tab)
    return {"claimed": True, "tool_call": tool_call_row(call), "args_text": call.args_text}


@command("submit_tool_result", SubmitToolResult)
def _submit_tool_result(user: Any, connection: Connection, fields: SubmitToolResult) -> Row:
    call, accepted = actions.submit_tool_result(
        user, fields.tool_call, tab=fields.tab, result=fields.result, error=fields.error
    )
    return {"accepted": accepted, "tool_call": str(call.pk), "status": call.status}


@command("set_state", SetState)
def _set_state(user: Any, connection: Connection, fields: SetState) -> Row:
    thread = actions.set_state(user, fields.thread, fields.operations)
    return {"thread": str(thread.pk), "state": thread.state, "version": thread.version}
