from __future__ import annotations

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.lookups import get_run
from ..runtime.rows import run_row
from . import forms
from .base import AgentView


class OneRun(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(run_row(get_run(request.user, pk)))


class CancelRun(AgentView):
    """Stop a run. Stopping one that is over changes nothing and is no error.

    What is queued behind it rests, or is taken back with ``clear_queue``.
    """

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(forms.CancelRun)
        return self.act(
            lambda: run_row(actions.cancel_run(request.user, pk, clear=fields.clear_queue))
        )
