from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..exceptions import NotFound
from ..models import Message
from ..permissions import threads_for
from ..runtime.feed_reads import rows_of
from ..runtime.rows import Row, load_message_rows, thread_row
from .base import AgentView
from .forms import ChangeState, ChangeThread, CreateThread, Empty, SendMessage
from .queries import MessageQuery, ThreadQuery, after_thread, thread_cursor
from .sending import run_request, sent_row


class Threads(AgentView):
    """My threads, the last used first; and a new one."""

    def get(self, request: Request) -> Response:
        query = self.query(ThreadQuery)
        threads = threads_for(request.user).with_activity().recent_first()
        if query.status:
            threads = threads.filter(status=query.status)
        if query.search.strip():
            threads = threads.filter(title__icontains=query.search.strip())
        if query.cursor:
            threads = threads.filter(after_thread(query.cursor))
        found = list(threads[: query.limit + 1])
        page = found[: query.limit]
        return Response(
            {
                "threads": [thread_row(thread) for thread in page],
                "next": thread_cursor(page[-1]) if len(found) > query.limit else None,
            }
        )

    def post(self, request: Request) -> Response:
        fields = self.body(CreateThread)

        def create() -> Row:
            thread = actions.create_thread(
                request.user, agent=fields.agent, title=fields.title, state=fields.state
            )
            return shown(request.user, thread.pk)

        return self.act(create, status=201)


class OneThread(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(shown(request.user, pk))

    def patch(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(ChangeThread)

        def change() -> Row:
            with transaction.atomic():
                if fields.title is not None:
                    actions.rename_thread(request.user, pk, fields.title)
                if fields.status is not None:
                    archived = fields.status == "archived"
                    actions.set_archived(request.user, pk, archived=archived)
            return shown(request.user, pk)

        return self.act(change)

    def delete(self, request: Request, pk: uuid.UUID) -> Response:
        actions.delete_thread(request.user, pk)
        return Response(status=204)


class ThreadState(AgentView):
    """The state that the agent and the page share."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(ChangeState)

        def change() -> Row:
            thread = actions.set_state(request.user, pk, fields.operations)
            return {"thread": str(thread.pk), "state": thread.state, "version": thread.version}

        return self.act(change)


class ThreadMessages(AgentView):
    """The branch shown, a page of it with all that hangs on its messages; and a new message."""

    starts_runs = True

    def get(self, request: Request, pk: uuid.UUID) -> Response:
        query = self.query(MessageQuery)
        thread = threads_for(request.user).with_activity().filter(pk=pk).first()
        if thread is None:
            raise NotFound
        messages = Message.objects.branch_page(
            thread.head_id,
            limit=query.limit + 1,
            before_seq=query.before_seq,
            after_seq=query.after_seq,
        )
        has_more = len(messages) > query.limit
        if has_more:
            # The one too many is the one farthest from where the page begins.
            del messages[-1 if query.after_seq is not None else 0]
        user: Any = request.user
        prefetch_related_objects([user], "groups")  # asked about each approval that waits
        queued = list(Message.objects.queued().filter(thread=thread))
        return Response(
            {
                "thread": thread_row(thread),
                **rows_of(messages, user),
                "queued": load_message_rows(queued),
                "version": thread.version,
                "has_more": has_more,
            }
        )

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(SendMessage)
        where: dict[str, Any] = {}
        if "parent" in fields.model_fields_set:
            where["parent"] = fields.parent

        def send() -> Row:
            sent = actions.send_message(
                request.user,
                parts=fields.parts,
                thread_id=pk,
                request=run_request(fields),
                on_active=fields.on_active,
                **where,
            )
            return sent_row(sent)

        return self.act(send, status=201)


class ClearQueue(AgentView):
    """Take back every message that has not been sent to the agent yet."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def clear() -> Row:
            return {"thread": str(pk), "removed": actions.clear_queue(request.user, pk)}

        return self.act(clear)


class ResumeQueue(AgentView):
    """Let a queue that rests since its owner stopped a run go on."""

    starts_runs = True

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def resume() -> Row:
            return shown(request.user, actions.resume_queue(request.user, pk).pk)

        return self.act(resume)


def shown(user: Any, pk: uuid.UUID) -> Row:
    """The user's thread as they see it. Raises :class:`NotFound`."""
    thread = threads_for(user).with_activity().filter(pk=pk).first()
    if thread is None:
        raise NotFound
    return thread_row(thread)
