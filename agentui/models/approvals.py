from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import ApprovalStatus
from .base import ThreadRow, json_field, uuid7


def audience_key(
    permission: str | None = None, group: str | None = None, who: str | None = None
) -> str:
    """Whom a policy asks, as one text: what an inbox looks for in an indexed column."""
    return json.dumps([permission, group, who], ensure_ascii=False)


class ApprovalQuerySet(models.QuerySet["Approval"]):
    def pending(self) -> Self:
        return self.filter(status=ApprovalStatus.PENDING)

    def decidable(self, now: datetime) -> Self:
        """Pending and not past its time: the guard of a decision."""
        return self.pending().filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now))

    def overdue(self, now: datetime) -> Self:
        return self.pending().filter(expires_at__lte=now)


class Approval(ThreadRow):
    """A tool call that waits for a person. One to one with its call.

    ``policy`` is the policy as it was when the call was made; a later change does not touch it.
    """

    thread = models.ForeignKey("Thread", on_delete=models.CASCADE, related_name="approvals")
    tool_call = models.OneToOneField("ToolCall", on_delete=models.CASCADE, related_name="approval")
    agent = models.CharField(_("agent"), max_length=100)
    tool_name = models.CharField(_("tool"), max_length=200)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("asked for by"),
    )
    policy = json_field(default=dict)
    args_digest = models.CharField(max_length=64)
    status = models.CharField(
        _("status"),
        max_length=12,
        choices=[(s.value, s.value) for s in ApprovalStatus],
        default=ApprovalStatus.PENDING,
    )
    required = models.PositiveSmallIntegerField(_("approvals needed"), default=1)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    requested_at = models.DateTimeField(_("asked"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    # What lists and sweeps ask of the policy, in columns: :meth:`read_policy` fills them.
    audience = models.CharField(max_length=600, blank=True, default="", editable=False)
    second_audience = models.CharField(max_length=600, blank=True, default="", editable=False)
    escalates_at = models.DateTimeField(null=True, blank=True, editable=False)
    remind_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ApprovalQuerySet.as_manager()

    class Meta:
        verbose_name = _("approval")
        verbose_name_plural = _("approvals")
        permissions = [
            ("decide_approval", _("Can decide approvals that any staff member may decide"))
        ]
        indexes = [
            models.Index(fields=["thread", "version"], name="agentui_approval_version"),
            models.Index(
                fields=["expires_at", "requested_at"],
                condition=Q(status="pending"),
                name="agentui_approval_pending",
            ),
            models.Index(
                fields=["audience"],
                condition=Q(status="pending"),
                name="agentui_approval_audience",
            ),
            models.Index(
                fields=["requester", "agent", "tool_name"], name="agentui_approval_requester"
            ),
            models.Index(fields=["decided_at"], name="agentui_approval_decided"),
        ]

    def __str__(self) -> str:
        return f"{self.tool_name} ({self.status})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            self.read_policy()
        super().save(*args, **kwargs)

    def read_policy(self) -> Self:
        """Fill the columns that stand for parts of ``policy``; for rows that are made in bulk."""
        policy: Mapping[str, Any] = self.policy
        self.audience = audience_key(
            policy.get("permission"), policy.get("group"), policy.get("who")
        )
        if policy.get("escalate_to") and policy.get("escalate_after"):
            self.second_audience = audience_key(group=policy["escalate_to"])
            self.escalates_at = self.requested_at + timedelta(seconds=policy["escalate_after"])
        if self.expires_at is not None:
            whole = (self.expires_at - self.requested_at).total_seconds()
            before = policy.get("remind_before") or whole / 4
            self.remind_at = self.expires_at - timedelta(seconds=before)
        return self

    def is_escalated(self, now: datetime) -> bool:
        """May the second group decide by now?"""
        return self.escalates_at is not None and self.escalates_at <= now

    def close(self, status: ApprovalStatus, **fields: Any) -> bool:
        """End this approval, once. False when it has already ended."""
        closed = (
            Approval.objects.pending()
            .filter(pk=self.pk)
            .update(status=status, decided_at=(now := timezone.now()), **fields)
        )
        if closed:
            self.status, self.decided_at = status.value, now
        return closed == 1


class SentNotice(models.Model):
    """A notifier has been told of a request, or is being told now. The row is the claim: of many
    processes that look, one tells it, once."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    approval = models.ForeignKey("Approval", on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10)
    notifier = models.CharField(max_length=200)
    token = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["approval", "kind", "notifier"], name="agentui_one_notice"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.notifier}"


class Decision(models.Model):
    """What one person said about an approval. Rows are only ever added.

    ``args_digest`` is of the arguments the person said it about: after an edit, the edited ones.
    A row says by itself what it was about, so the record outlives the thread and its people.
    """

    class Verdict(models.TextChoices):
        APPROVE = "approve", _("approve")
        DENY = "deny", _("deny")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    approval = models.ForeignKey(
        "Approval", null=True, on_delete=models.SET_NULL, related_name="decisions"
    )
    approval_ref = models.UUIDField(_("request"), null=True, editable=False)
    thread_ref = models.UUIDField(_("thread"), null=True, editable=False)
    agent = models.CharField(_("agent"), max_length=100, blank=True, default="")
    tool_name = models.CharField(_("tool"), max_length=200, blank=True, default="")
    requester_name = models.CharField(_("asked for by"), max_length=150, blank=True, default="")
    requested_at = models.DateTimeField(_("asked"), null=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    username = models.CharField(_("decided by"), max_length=150, blank=True, default="")
    verdict = models.CharField(_("verdict"), max_length=10, choices=Verdict.choices)
    reason = models.TextField(_("reason"), blank=True, default="")
    option = models.CharField(_("option"), max_length=100, blank=True, default="")
    answer = json_field(null=True, blank=True, default=None)
    original_args_text = models.TextField(_("arguments"), blank=True, default="")
    edited_args_text = models.TextField(_("edited arguments"), blank=True, default="")
    args_digest = models.CharField(max_length=64)
    door = models.CharField(_("door"), max_length=20)
    created_at = models.DateTimeField(_("decided"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["created_at", "pk"]
        permissions = [("export_decision", _("Can export the record of decisions"))]
        indexes = [models.Index(fields=["created_at"], name="agentui_decision_created")]
        constraints = [
            # Whoever approved arguments that somebody changed afterwards may look again.
            models.UniqueConstraint(
                fields=["approval", "user", "args_digest"], name="agentui_one_vote"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.username}: {self.verdict}"


class GrantQuerySet(models.QuerySet["Grant"]):
    def valid(self, now: datetime) -> Self:
        return self.filter(revoked_at__isnull=True).filter(
            Q(expires_at__isnull=True) | Q(expires_at__gt=now)
        )


class Grant(models.Model):
    """A standing answer ("allow always") for calls of one tool, with the reach it was given.

    An empty ``thread`` means any thread, an empty ``user`` any user. ``arguments`` limits it to
    calls whose named arguments have these values. What it allows is the tool as it was then
    (``tool_digest``), for as long as whoever gave it is an active user; what it denies stays denied.
    The calls it answered are its ``uses``.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    agent = models.CharField(_("agent"), max_length=100)
    tool_name = models.CharField(_("tool"), max_length=200)
    thread = models.ForeignKey(
        "Thread", null=True, blank=True, on_delete=models.CASCADE, related_name="grants"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    arguments = json_field(default=dict, blank=True)
    tool_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    is_allowed = models.BooleanField(_("allows"), default=True)
    reason = models.TextField(_("reason"), blank=True, default="")
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("given by"),
    )
    approval = models.ForeignKey(
        "Approval", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(_("given"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = GrantQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing answer")
        verbose_name_plural = _("standing answers")
        indexes = [models.Index(fields=["agent", "tool_name"], name="agentui_grant_tool")]

    def __str__(self) -> str:
        return f"{self.agent}: {self.tool_name}"

    @property
    def has_active_giver(self) -> bool:
        """Does anybody answer for it? Reads who gave it."""
        return self.granted_by is not None and self.granted_by.is_active

    def holds(self, now: datetime) -> bool:
        """Does it answer calls? An allowing one whose tool has changed does not, which is not asked."""
        over = self.expires_at is not None and self.expires_at <= now
        is_answered_for = not self.is_allowed or self.has_active_giver
        return self.revoked_at is None and not over and is_answered_for
