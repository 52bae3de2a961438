from __future__ import annotations

from django.db import models
from django.utils import timezone

from .base import json_field, uuid7


class RunEvent(models.Model):
    """A batch of a run's events, numbered ``first`` to ``last``. The journal; the message rules."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="journal")
    first = models.PositiveBigIntegerField()
    last = models.PositiveBigIntegerField()
    events = json_field()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "first"], name="agentui_run_event_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"
