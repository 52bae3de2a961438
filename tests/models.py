"""The site's own tables: what its tools did, for tests that count effects."""

from __future__ import annotations

from django.db import models


class Effect(models.Model):
    """One thing that a tool really did."""

    name = models.CharField(max_length=100)
    key = models.CharField(max_length=100, blank=True)
    value = models.JSONField(null=True)

    def __str__(self) -> str:
        return self.name
