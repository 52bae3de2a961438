"""Runs, tool calls, approvals and standing answers."""

from __future__ import annotations

from .. import approvals, forms, grants, queries, runs, tool_calls
from . import bodies, rows
from .operations import CONFLICT, Operation

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        *(runs.OneRun, "get", "get_run", "One run", "runs"), answer=rows.Run, refusals=(404,)
    ),
    Operation(
        *(runs.CancelRun, "post", "cancel_run", "Stop a run", "runs"),
        answer=rows.Run,
        body=forms.CancelRun,
        refusals=CONFLICT,
    ),
    Operation(
        *(tool_calls.OneToolCall, "get", "get_tool_call", "One tool call", "tool calls"),
        answer=rows.ToolCall,
        refusals=(404,),
    ),
    Operation(
        *(tool_calls.Claim, "post", "claim_tool_call", "Take a page's call", "tool calls"),
        answer=rows.ToolCall,
        body=forms.ClaimToolCall,
        refusals=CONFLICT,
        example={"tab": "script-1"},
    ),
    Operation(
        *(tool_calls.Result, "post", "submit_tool_result", "Answer a call", "tool calls"),
        answer=bodies.Answered,
        body=forms.SubmitToolResult,
        refusals=CONFLICT,
        example={"tab": "script-1", "result": {"city": "Oslo"}},
    ),
    Operation(
        *(tool_calls.Outcome, "post", "record_outcome", "What a call really did", "tool calls"),
        answer=bodies.Recorded,
        body=forms.RecordOutcome,
        refusals=CONFLICT,
        example={"finding": "done", "note": "Seen in the ledger."},
    ),
    Operation(
        *(approvals.Approvals, "get", "list_approvals", "Mine to decide, or mine", "approvals"),
        answer=bodies.Approvals,
        query=queries.ApprovalQuery,
        refusals=(400,),
    ),
    Operation(
        *(approvals.Waiting, "get", "list_waiting", "What waits for my decision", "approvals"),
        answer=bodies.Waiting,
        query=queries.WaitingQuery,
        refusals=(400,),
    ),
    Operation(
        *(approvals.OneApproval, "get", "get_approval", "One approval", "approvals"),
        answer=rows.Approval,
        refusals=(404,),
    ),
    Operation(
        *(approvals.Decide, "post", "decide_approval", "Approve or deny", "approvals"),
        answer=rows.Approval,
        body=forms.DecideApproval,
        refusals=CONFLICT,
        example={"verdict": "approve", "digest": "3f1c…"},
    ),
    Operation(
        *(grants.Grants, "get", "list_grants", "Standing answers", "approvals"),
        answer=bodies.Grants,
        query=queries.GrantQuery,
        refusals=(400,),
    ),
    Operation(
        *(grants.Revoke, "post", "revoke_grant", "End a standing answer", "approvals"),
        answer=rows.Grant,
        body=forms.Empty,
        refusals=CONFLICT,
    ),
)
