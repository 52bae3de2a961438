"""Agents, threads, messages and files."""

from __future__ import annotations

from typing import Any

from .. import agents, attachments, forms, messages, queries, threads
from . import bodies, rows
from .operations import CONFLICT, Operation

_HELLO: dict[str, Any] = {"parts": [{"type": "text", "text": "Where is my order 1042?"}]}

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        *(agents.Agents, "get", "list_agents", "Whom one can talk to", "agents"),
        answer=bodies.Agents,
        answer_example={
            "agents": [{"name": "support", "title": "Support", "description": "Orders, refunds."}]
        },
    ),
    Operation(
        *(threads.Threads, "get", "list_threads", "My threads, the last used first", "threads"),
        answer=bodies.Threads,
        query=queries.ThreadQuery,
        refusals=(400,),
    ),
    Operation(
        *(threads.Threads, "post", "create_thread", "A new, empty thread", "threads"),
        answer=rows.Thread,
        body=forms.CreateThread,
        status=201,
        refusals=CONFLICT,
        example={"agent": "support"},
    ),
    Operation(
        *(threads.OneThread, "get", "get_thread", "One of my threads", "threads"),
        answer=rows.Thread,
        refusals=(404,),
    ),
    Operation(
        *(threads.OneThread, "patch", "change_thread", "Rename, archive, bring back", "threads"),
        answer=rows.Thread,
        body=forms.ChangeThread,
        refusals=CONFLICT,
        example={"title": "My late order"},
    ),
    Operation(
        *(threads.OneThread, "delete", "delete_thread", "Delete with all it holds", "threads"),
        refusals=(404,),
    ),
    Operation(
        *(threads.ThreadState, "post", "set_state", "Change the shared state", "threads"),
        answer=bodies.ThreadState,
        body=forms.ChangeState,
        refusals=CONFLICT,
        example={"operations": [{"type": "set", "path": ["step"], "value": 2}]},
    ),
    Operation(
        *(threads.ThreadMessages, "get", "list_messages", "The branch shown", "messages"),
        answer=bodies.Messages,
        query=queries.MessageQuery,
        refusals=(400, 404),
    ),
    Operation(
        *(threads.ThreadMessages, "post", "send_message", "Send a message", "messages"),
        answer=bodies.Taken,
        body=bodies.SentMessage,
        status=201,
        refusals=CONFLICT,
        example=_HELLO,
    ),
    Operation(
        *(threads.ClearQueue, "post", "clear_queue", "Take back all that is queued", "messages"),
        answer=bodies.Cleared,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
    Operation(
        *(threads.ResumeQueue, "post", "resume_queue", "Let a paused queue go on", "messages"),
        answer=rows.Thread,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
    Operation(
        *(messages.OneMessage, "get", "get_message", "One message", "messages"),
        answer=rows.Message,
        refusals=(404,),
    ),
    Operation(
        *(messages.Edit, "post", "edit_message", "Rewrite my message", "messages"),
        answer=bodies.Taken,
        body=bodies.SentEdit,
        status=201,
        refusals=CONFLICT,
        example=_HELLO,
    ),
    Operation(
        *(messages.RegenerateAnswer, "post", "regenerate", "Answer again", "messages"),
        answer=bodies.Taken,
        body=bodies.SentRegenerate,
        status=201,
        refusals=CONFLICT,
        example={},
    ),
    Operation(
        *(messages.Switch, "post", "switch_branch", "Show this message's branch", "messages"),
        answer=rows.Thread,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
    Operation(
        *(messages.CancelQueued, "post", "cancel_queued", "Take back a queued message", "messages"),
        answer=bodies.OneMessage,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
    Operation(
        *(messages.MoveQueued, "post", "move_queued", "Order the queued messages", "messages"),
        answer=bodies.Queue,
        body=forms.MoveMessage,
        refusals=CONFLICT,
        example={"before": "0190a6c2-5f5e-7cc3-98c4-dc0c0c07398f"},
    ),
    Operation(
        *(messages.SteerQueued, "post", "steer_queued", "Send a queued message now", "messages"),
        answer=bodies.OneMessage,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
    Operation(
        *(messages.Feedback, "post", "give_feedback", "Say how an answer was", "messages"),
        answer=bodies.Rated,
        body=forms.GiveFeedback,
        refusals=CONFLICT,
        example={"rating": "positive"},
    ),
    Operation(
        *(attachments.Attachments, "post", "upload_attachment", "Upload a file", "attachments"),
        answer=rows.Attachment,
        body=bodies.UPLOAD,
        status=201,
    ),
    Operation(
        *(attachments.OneAttachment, "get", "get_attachment", "One of my files", "attachments"),
        answer=rows.Attachment,
        refusals=(404,),
    ),
    Operation(
        *(attachments.OneAttachment, "delete", "delete_attachment", "Delete it", "attachments"),
        refusals=CONFLICT,
    ),
    Operation(
        *(attachments.Content, "get", "download_attachment", "Its bytes", "attachments"),
        answer=bytes,
        refusals=(404,),
    ),
)
