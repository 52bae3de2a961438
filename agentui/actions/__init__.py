"""The verbs of every door: one function each, sync, with its permission check inside.

A door translates; an action decides. Each takes the acting ``user`` first, raises the errors of
:mod:`agentui.exceptions` with nothing changed, and returns rows. What it changes is one transaction;
pages are told, runs are launched and signals are sent after the commit.

``door`` is where the call came in: ``chat``, ``api``, ``admin``, or a protocol's name.
"""

from .approvals import decide_approval, expire_approvals
from .attachments import delete_attachment, get_attachment, upload_attachment
from .feedback import set_feedback
from .grants import grants_for, revoke_grant
from .idempotency import once
from .messages import (
    Sent,
    edit_message,
    regenerate,
    send_message,
    switch_branch,
)
from .outcomes import record_outcome
from .queue import (
    cancel_queued_message,
    clear_queue,
    move_queued_message,
    resume_queue,
    steer_queued_message,
)
from .runs import cancel_run
from .threads import (
    create_thread,
    delete_thread,
    rename_thread,
    set_archived,
    set_state,
    set_title_if_unset,
)
from .tool_calls import claim_tool_call, submit_tool_result

__all__ = [
    "Sent",
    "cancel_queued_message",
    "cancel_run",
    "claim_tool_call",
    "clear_queue",
    "create_thread",
    "decide_approval",
    "delete_attachment",
    "delete_thread",
    "edit_message",
    "expire_approvals",
    "get_attachment",
    "grants_for",
    "move_queued_message",
    "once",
    "record_outcome",
    "regenerate",
    "rename_thread",
    "resume_queue",
    "revoke_grant",
    "send_message",
    "set_archived",
    "set_feedback",
    "set_state",
    "set_title_if_unset",
    "steer_queued_message",
    "submit_tool_result",
    "switch_branch",
    "upload_attachment",
]
