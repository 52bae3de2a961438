"""A thread's messages in the cloud client's words, and which of them it means when it posts one. Sync."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from ...actions import set_feedback
from ...core.clean import clean
from ...core.statuses import ACTIVE_RUN, Role, RunStatus
from ...exceptions import InvalidInput, NotFound
from ...models import Message, Thread
from ...runtime.feed_reads import rows_of
from .. import aui
from ..identity import message_by_client_id, note_client_id, own_id
from ..items import Row
from ..pacing import server_tools
from ..ui_message_stream.messages import ui_message
from .aui_v0 import encode_message
from .threads import get_thread, page_size

AUI_V0, AI_SDK = "aui/v0", "ai-sdk/v6"
_PAGE = 200


def list_messages(user: Any, agent: str, thread_id: str, query: Mapping[str, str]) -> list[Row]:
    """Every message of the thread, all branches, newest first.

    The client takes the first one for the end of the branch shown, so that is where the head stands;
    a message always comes before the one it answers.
    """
    thread = get_thread(user, agent, thread_id)
    message_format = query.get("format") or AUI_V0
    if message_format not in (AUI_V0, AI_SDK):
        raise InvalidInput(f"format is {AUI_V0} or {AI_SDK}.")
    ordered = _ordered(thread)
    if query.get("after"):
        ids = [str(pk) for pk, _ in ordered]
        if query["after"] not in ids:
            raise NotFound
        ordered = ordered[ids.index(query["after"]) + 1 :]
    page = ordered[: page_size(query, _PAGE)]
    found = Message.objects.in_bulk([pk for pk, _ in page])
    rows = rows_of([found[pk] for pk, _ in page], user)
    heights = {str(pk): height for pk, height in page}
    return _encoded(rows, heights, message_format, agent)


def message_meant(user: Any, agent: str, thread_id: str, body: Mapping[str, Any]) -> Message | None:
    """The row that the client means with a message it posts; None when there is none.

    By the id it gives the message; by what it answers, for an answer; by parent and words, for a
    user's. What it calls the message is kept, so that the next request is sure.
    """
    thread = get_thread(user, agent, thread_id)
    content = body.get("content")
    if not isinstance(content, dict):
        raise InvalidInput("content must be an object.")
    name = body.get("external_id")
    named = message_by_client_id(thread, name)
    if named is not None:
        return named
    meant = _by_place(thread, own_id(body.get("parent_id")), content)
    if meant is not None and isinstance(name, str) and meant.role == Role.USER:
        note_client_id(meant, clean(name)[:200])
    return meant


def give_feedback(
    user: Any, agent: str, thread_id: str, message_id: str, body: Mapping[str, Any]
) -> Row:
    """Keep what the user thinks of an answer, with the message."""
    thread = get_thread(user, agent, thread_id)
    kind, comment = body.get("type"), body.get("comment")
    if kind not in ("positive", "negative"):
        raise InvalidInput("type is positive or negative.")
    message = get_message(thread, message_id)
    words = comment if isinstance(comment, str) else ""
    rated = set_feedback(user, message.pk, kind, words)
    feedback = {"type": kind}
    if rated.feedback_comment:
        feedback["comment"] = rated.feedback_comment
    return {"feedback_id": str(rated.pk), **feedback}


def get_message(thread: Thread, message_id: str) -> Message:
    found = Message.objects.filter(thread=thread, pk__in=own_id(message_id)).first()
    if found is None:
        raise NotFound
    return found


def _ordered(thread: Thread) -> list[tuple[uuid.UUID, int]]:
    """Ids with their depth, newest first, the head before all."""
    rows = (
        thread.messages.exclude(status=RunStatus.QUEUED)
        .order_by("seq")
        .values_list("pk", "parent_id")
    )
    heights: dict[uuid.UUID, int] = {}
    for pk, parent in rows:
        heights[pk] = heights[parent] + 1 if parent in heights else 0
    ordered = [pk for pk in heights if pk != thread.head_id]
    if thread.head_id in heights:
        ordered.append(thread.head_id)
    return [(pk, heights[pk]) for pk in reversed(ordered)]


def _encoded(rows: Row, heights: Mapping[str, int], form: str, agent: str) -> list[Row]:
    calls = {row["id"]: row for row in rows["tool_calls"]}
    approvals = {row["id"]: row for row in rows["approvals"]}
    runs = {row["message"]: row for row in rows["runs"]}
    messages = []
    for row in rows["messages"]:
        run = runs.get(row["id"])
        is_active = run is not None and run["status"] in ACTIVE_RUN
        if form == AI_SDK and is_active:
            continue  # The stream that resumes gives it whole.
        if form == AI_SDK:
            content = ui_message(row, run, calls, approvals, server_tools(agent))
            del content["id"]
        else:
            content = encode_message(row, calls, approvals)
        written = aui.timestamp(row["created_at"])
        message = {
            "id": row["id"],
            "parent_id": row["parent"],
            "height": heights[row["id"]],
            "created_at": written,
            "updated_at": aui.timestamp(run["finished_at"])
            if run and run["finished_at"]
            else written,
            "format": form,
            "content": content,
            "external_id": row["metadata"].get("client_id"),
        }
        if is_active:
            message["run"] = {"status": "running", "last_heartbeat_ms_ago": 0}
        messages.append(message)
    return messages


def _by_place(
    thread: Thread, parent: list[uuid.UUID], content: Mapping[str, Any]
) -> Message | None:
    siblings = thread.messages.filter(parent=parent[0] if parent else None).order_by("-seq")
    match content.get("role"):
        case "assistant":
            return siblings.filter(role=Role.ASSISTANT).first()
        case "user":
            words = clean(_words(content))
            mine = [one for one in siblings.filter(role=Role.USER) if one.text == words]
            return mine[0] if mine else None
        case _:
            return None


def _words(content: Mapping[str, Any]) -> str:
    parts = content.get("parts") or content.get("content")
    if not isinstance(parts, list):
        return ""
    texts = (part for part in parts if isinstance(part, dict) and part.get("type") == "text")
    return "".join(part["text"] for part in texts if isinstance(part.get("text"), str))
