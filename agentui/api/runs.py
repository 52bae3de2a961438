from __future__ import annotations

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.lookups import get_run
from ..runtime.rows import run_row
from .base import AgentView
from .forms import Empty


class OneRun(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(run_row(get_run(request.user, pk)))


class CancelRun(AgentView):
    """Stop a run. Stopping one that is over changes nothing and is no error."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        self.body(Empty)
        return self.act(lambda: run_row(actions.cancel_run(request.user, pk)))
