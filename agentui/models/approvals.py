from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import ApprovalStatus
from .base import ThreadRow, json_field, uuid7


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
        ]

    def __str__(self) -> str:
        return f"{self.tool_name} ({self.status})"

    def close(self, status: ApprovalStatus, **fields: Any) -> bool:
        """End this approval, once. False when it has already ended."""
        closed = (
            Approval.objects.pending()
            .filter(pk=self.pk)
            .update(status=status, decided_at=timezone.now(), **fields)
        )
        return closed == 1


class Decision(models.Model):
    """What one person said about an approval. Rows are only ever added.

    ``args_digest`` is of the arguments the person said it about: after an edit, the edited ones.
    """

    class Verdict(models.TextChoices):
        APPROVE = "approve", _("approve")
        DENY = "deny", _("deny")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    approval = models.ForeignKey("Approval", on_delete=models.CASCADE, related_name="decisions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    username = models.CharField(max_length=150, blank=True, default="")
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    reason = models.TextField(blank=True, default="")
    option = models.CharField(max_length=100, blank=True, default="")
    original_args_text = models.TextField(blank=True, default="")
    edited_args_text = models.TextField(blank=True, default="")
    args_digest = models.CharField(max_length=64)
    door = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ["created_at", "pk"]
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
    calls whose named arguments have these values.
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
    is_allowed = models.BooleanField(default=True)
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    approval = models.ForeignKey(
        "Approval", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = GrantQuerySet.as_manager()

    class Meta:
        verbose_name = _("grant")
        verbose_name_plural = _("grants")
        indexes = [models.Index(fields=["agent", "tool_name"], name="agentui_grant_tool")]

    def __str__(self) -> str:
        return f"{self.agent}: {self.tool_name}"
