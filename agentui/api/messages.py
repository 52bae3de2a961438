from __future__ import annotations

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.lookups import get_message
from ..runtime.feed_reads import rows_of
from ..runtime.rows import Row, load_message_rows
from .base import AgentView
from .forms import EditMessage, Empty, GiveFeedback, MoveMessage, Regenerate
from .sending import run_request, sent_row
from .threads import shown


class OneMessage(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(rows_of([get_message(request.user, pk)], request.user)["messages"][0])


class Edit(AgentView):
    starts_runs = True

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(EditMessage)

        def edit() -> Row:
            return sent_row(
                actions.edit_message(
                    request.user, pk, parts=fields.parts, request=run_request(fields)
                )
            )

        return self.act(edit, status=201)


class RegenerateAnswer(AgentView):
    starts_runs = True

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(Regenerate)

        def regenerate() -> Row:
            return sent_row(actions.regenerate(request.user, pk, request=run_request(fields)))

        return self.act(regenerate, status=201)


class Switch(AgentView):
    """Show the branch that this message is on."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def switch() -> Row:
            return shown(request.user, actions.switch_branch(request.user, pk).pk)

        return self.act(switch)


class CancelQueued(AgentView):
    """Take back a message that has not been sent to the agent yet."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def cancel() -> Row:
            actions.cancel_queued_message(request.user, pk)
            return {"message": str(pk)}

        return self.act(cancel)


class MoveQueued(AgentView):
    """Put a queued message before another one, or last."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(MoveMessage)

        def move() -> Row:
            queue = actions.move_queued_message(request.user, pk, before=fields.before)
            return {"queued": load_message_rows(queue)}

        return self.act(move)


class SteerQueued(AgentView):
    """Send a queued message now: the active run is stopped for it."""

    starts_runs = True

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)

        def steer() -> Row:
            return {"message": str(actions.steer_queued_message(request.user, pk).pk)}

        return self.act(steer)


class Feedback(AgentView):
    """What the reader thinks of an answer."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(GiveFeedback)

        def rate() -> Row:
            message = actions.set_feedback(request.user, pk, fields.rating, comment=fields.comment)
            return {"message": str(message.pk), "rating": message.feedback or None}

        return self.act(rate)
