"""The verbs are those of the actions and of the socket."""

from __future__ import annotations

from django.apps import apps
from django.urls import path, re_path

from . import agents, approvals, attachments, grants, messages, runs, threads, tool_calls
from .base import UnknownEndpoint

urlpatterns = [
    path("agents/", agents.Agents.as_view(), name="api-agents"),
    path("threads/", threads.Threads.as_view(), name="api-threads"),
    path("threads/<uuid:pk>/", threads.OneThread.as_view(), name="api-thread"),
    path("threads/<uuid:pk>/state/", threads.ThreadState.as_view(), name="api-thread-state"),
    path(
        "threads/<uuid:pk>/messages/", threads.ThreadMessages.as_view(), name="api-thread-messages"
    ),
    path(
        "threads/<uuid:pk>/queue/clear/",
        threads.ClearQueue.as_view(),
        name="api-thread-queue-clear",
    ),
    path(
        "threads/<uuid:pk>/queue/resume/",
        threads.ResumeQueue.as_view(),
        name="api-thread-queue-resume",
    ),
    path("messages/<uuid:pk>/", messages.OneMessage.as_view(), name="api-message"),
    path("messages/<uuid:pk>/edit/", messages.Edit.as_view(), name="api-message-edit"),
    path(
        "messages/<uuid:pk>/regenerate/",
        messages.RegenerateAnswer.as_view(),
        name="api-message-regenerate",
    ),
    path("messages/<uuid:pk>/switch/", messages.Switch.as_view(), name="api-message-switch"),
    path("messages/<uuid:pk>/cancel/", messages.CancelQueued.as_view(), name="api-message-cancel"),
    path("messages/<uuid:pk>/move/", messages.MoveQueued.as_view(), name="api-message-move"),
    path("messages/<uuid:pk>/steer/", messages.SteerQueued.as_view(), name="api-message-steer"),
    path("messages/<uuid:pk>/feedback/", messages.Feedback.as_view(), name="api-message-feedback"),
    path("attachments/", attachments.Attachments.as_view(), name="api-attachments"),
    path("attachments/<uuid:pk>/", attachments.OneAttachment.as_view(), name="api-attachment"),
    path(
        "attachments/<uuid:pk>/content/",
        attachments.Content.as_view(),
        name="api-attachment-content",
    ),
    path("runs/<uuid:pk>/", runs.OneRun.as_view(), name="api-run"),
    path("runs/<uuid:pk>/cancel/", runs.CancelRun.as_view(), name="api-run-cancel"),
    path("tool-calls/<uuid:pk>/", tool_calls.OneToolCall.as_view(), name="api-tool-call"),
    path("tool-calls/<uuid:pk>/claim/", tool_calls.Claim.as_view(), name="api-tool-call-claim"),
    path("tool-calls/<uuid:pk>/result/", tool_calls.Result.as_view(), name="api-tool-call-result"),
    path(
        "tool-calls/<uuid:pk>/outcome/",
        tool_calls.Outcome.as_view(),
        name="api-tool-call-outcome",
    ),
    path("grants/", grants.Grants.as_view(), name="api-grants"),
    path("grants/<uuid:pk>/revoke/", grants.Revoke.as_view(), name="api-grant-revoke"),
    path("approvals/", approvals.Approvals.as_view(), name="api-approvals"),
    path("approvals/waiting/", approvals.Waiting.as_view(), name="api-approvals-waiting"),
    path("approvals/<uuid:pk>/", approvals.OneApproval.as_view(), name="api-approval"),
    path("approvals/<uuid:pk>/decide/", approvals.Decide.as_view(), name="api-approval-decide"),
    re_path("", UnknownEndpoint.as_view(), name="api-unknown"),
]

if apps.is_installed("drf_spectacular"):
    from .schema.describing import Schema, describe

    describe()
    # Before the last one, which takes every address.
    urlpatterns.insert(-1, path("schema/", Schema.as_view(), name="api-schema"))
