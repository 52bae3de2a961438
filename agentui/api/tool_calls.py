from __future__ import annotations

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from .. import actions
from ..actions.lookups import get_tool_call
from ..models import ToolCall
from ..runtime.rows import Row, load_tool_call_rows
from .base import AgentView
from .forms import ClaimToolCall, RecordOutcome, SubmitToolResult


class OneToolCall(AgentView):
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        return Response(_row(get_tool_call(request.user, pk)))


class Claim(AgentView):
    """Take the call for one tab, or one client of any kind: ``tab`` is a name of its own choice."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        tab = self.body(ClaimToolCall).tab
        return self.act(lambda: _row(actions.claim_tool_call(request.user, pk, tab=tab)))


class Result(AgentView):
    """Answer an open call of the browser or of the person. The first answer stands."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(SubmitToolResult)

        def submit() -> Row:
            call, accepted = actions.submit_tool_result(
                request.user, pk, tab=fields.tab, result=fields.result, error=fields.error
            )
            return {"accepted": accepted, "tool_call": _row(call)}

        return self.act(submit)


class Outcome(AgentView):
    """For staff: record what an interrupted call really did."""

    def post(self, request: Request, pk: uuid.UUID) -> Response:
        fields = self.body(RecordOutcome)

        def record() -> Row:
            made = actions.record_outcome(
                request.user,
                pk,
                finding=fields.finding,
                result=fields.result,
                note=fields.note,
                door="api",
            )
            return {
                "finding": made.finding,
                "note": made.note,
                "tool_call": _row(ToolCall.objects.get(pk=pk)),
            }

        return self.act(record)


def _row(call: ToolCall) -> Row:
    return load_tool_call_rows([call])[0]
