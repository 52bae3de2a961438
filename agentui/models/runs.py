from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import ACTIVE_RUN, Reason, RunStatus
from .base import ThreadRow, json_field


class RunQuerySet(models.QuerySet["Run"]):
    def active(self) -> Self:
        return self.filter(status__in=ACTIVE_RUN)

    def waiting(self) -> Self:
        return self.filter(status=RunStatus.REQUIRES_ACTION)

    def ready(self) -> Self:
        """Waiting runs that have all they waited for, longest first."""
        return self.waiting().filter(ready_at__isnull=False).order_by("ready_at", "pk")

    def lost(self, now: datetime) -> Self:
        """Running runs whose worker has not renewed its lease. Waiting runs have none."""
        return self.filter(status=RunStatus.RUNNING, lease_expires_at__lt=now)

    def unlaunched(self, before: datetime) -> Self:
        """Queued runs that nobody has taken up since ``before``."""
        return self.filter(status=RunStatus.QUEUED, queued_at__lt=before)


class Run(ThreadRow):
    """One reply: a do-while of roundtrips that may pause for a person.

    ``attempt`` is the fencing token: it grows with every claim, and a worker writes only while it
    still holds the attempt it was given.
    """

    thread = models.ForeignKey("Thread", on_delete=models.CASCADE, related_name="runs")
    message = models.OneToOneField("Message", on_delete=models.CASCADE, related_name="run")
    agent = models.CharField(_("agent"), max_length=100)
    status = models.CharField(
        _("status"),
        max_length=20,
        choices=[(s.value, s.value) for s in RunStatus],
        default=RunStatus.QUEUED,
    )
    reason = models.CharField(
        max_length=20, blank=True, default="", choices=[(r.value, r.value) for r in Reason if r]
    )
    attempt = models.PositiveIntegerField(default=0, editable=False)
    lease_owner = models.CharField(max_length=100, blank=True, default="", editable=False)
    lease_expires_at = models.DateTimeField(null=True, blank=True, editable=False)
    cancel_requested_at = models.DateTimeField(null=True, blank=True, editable=False)
    queued_at = models.DateTimeField(default=timezone.now, editable=False)
    ready_at = models.DateTimeField(null=True, blank=True, editable=False)
    losses = models.PositiveSmallIntegerField(
        default=0,
        editable=False,
        help_text=_("Workers lost in a row without any progress of the run."),
    )
    is_detached = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("A newer message was sent while this run waited."),
    )
    last_seq = models.PositiveBigIntegerField(default=0, editable=False)
    roundtrips = models.PositiveIntegerField(_("roundtrips"), default=0)
    tools = json_field(default=list, blank=True)
    context = json_field(default=list, blank=True)
    config = json_field(default=dict, blank=True)
    model = models.CharField(max_length=200, blank=True, default="")
    usage = json_field(default=dict, blank=True)
    error = json_field(null=True, blank=True, default=None)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)

    objects = RunQuerySet.as_manager()

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(
                fields=["thread"],
                condition=Q(status__in=["queued", "running"]),
                name="agentui_one_active_run",
            ),
        ]
        indexes = [
            models.Index(fields=["thread", "version"], name="agentui_run_version"),
            models.Index(
                fields=["status", "lease_expires_at"],
                condition=Q(status__in=["queued", "running", "requires_action"]),
                name="agentui_run_open",
            ),
            models.Index(
                fields=["thread"],
                condition=Q(status="requires_action"),
                name="agentui_run_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent} {str(self.pk)[-8:]}"

    def claim(self, owner: str, lease: timedelta) -> bool:
        """Take up this queued run. False when another worker was faster; then leave it alone."""
        now = timezone.now()
        claimed = Run.objects.filter(pk=self.pk, status=RunStatus.QUEUED).update(
            status=RunStatus.RUNNING,
            reason=Reason.NONE,
            attempt=F("attempt") + 1,
            lease_owner=owner,
            lease_expires_at=now + lease,
            ready_at=None,
            started_at=Coalesce("started_at", now),
        )
        return claimed == 1

    @staticmethod
    def renew(attempts: dict[uuid.UUID, int], lease: timedelta) -> set[uuid.UUID]:
        """Renew the leases of these runs in one UPDATE; returns those still held."""
        held = Q(pk__in=[])
        for pk, attempt in attempts.items():
            held |= Q(pk=pk, attempt=attempt)
        mine = Run.objects.filter(held, status=RunStatus.RUNNING)
        mine.update(lease_expires_at=timezone.now() + lease)
        return set(mine.values_list("pk", flat=True))

    def lease_fields(self) -> dict[str, Any]:
        """What a run that nobody works on looks like."""
        return {"lease_owner": "", "lease_expires_at": None}
