from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .base import json_field, uuid7


class ClientCommand(models.Model):
    """The answer a client's command got, so that repeating the command repeats the answer."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.UUIDField()
    digest = models.CharField(max_length=64)
    answer = json_field()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="agentui_command_key"),
        ]
        indexes = [models.Index(fields=["created_at"], name="agentui_command_created")]

    def __str__(self) -> str:
        return str(self.key)
