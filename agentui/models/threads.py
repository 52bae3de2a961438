from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import RunStatus
from .base import ThreadRow, json_field

if TYPE_CHECKING:
    from .runs import Run


class ThreadQuerySet(models.QuerySet["Thread"]):
    def regular(self) -> Self:
        return self.filter(status=Thread.Status.REGULAR)

    def archived(self) -> Self:
        return self.filter(status=Thread.Status.ARCHIVED)

    def recent_first(self) -> Self:
        return self.order_by("-last_activity_at", "-id")

    def lock_for_change(self, pk: uuid.UUID) -> Thread:
        """The thread, at its next version; rows that change in this transaction carry that version.

        The UPDATE holds the thread's row until the transaction ends, so the changes of one thread
        are committed in the order of their versions. Raises ``Thread.DoesNotExist``.
        """
        self.filter(pk=pk).update(version=F("version") + 1, updated_at=timezone.now())
        return self.get(pk=pk)

    def with_activity(self) -> Self:
        """Adds ``active_run_id`` and ``is_waiting``, in the same query."""
        from .runs import Run

        runs = Run.objects.filter(thread=models.OuterRef("pk"))
        return self.annotate(
            active_run_id=models.Subquery(runs.active().values("pk")[:1]),
            is_waiting=models.Exists(runs.filter(status=RunStatus.REQUIRES_ACTION)),
        )


class Thread(ThreadRow):
    """One conversation of one person with one agent."""

    class Status(models.TextChoices):
        REGULAR = "regular", _("regular")
        ARCHIVED = "archived", _("archived")

    class TitleSource(models.TextChoices):
        UNSET = "", _("not set")
        USER = "user", _("the owner")
        MODEL = "model", _("the model")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="agent_threads",
        verbose_name=_("owner"),
    )
    agent = models.CharField(_("agent"), max_length=100)
    title = models.CharField(_("title"), max_length=200, blank=True, default="")
    title_source = models.CharField(
        max_length=10, choices=TitleSource.choices, blank=True, default=TitleSource.UNSET
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.REGULAR
    )
    head = models.ForeignKey(
        "Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    last_seq = models.PositiveBigIntegerField(default=0, editable=False)
    is_queue_paused = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("The owner stopped a run: their queued messages rest until they go on."),
    )
    state = json_field(default=None, null=True, blank=True)
    metadata = json_field(default=dict, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("updated"), default=timezone.now, editable=False)
    last_activity_at = models.DateTimeField(_("last activity"), default=timezone.now)

    objects = ThreadQuerySet.as_manager()

    class Meta:
        verbose_name = _("thread")
        verbose_name_plural = _("threads")
        indexes = [
            models.Index(fields=["owner", "-last_activity_at", "-id"], name="agentui_thread_owner")
        ]

    def __str__(self) -> str:
        return self.title or str(_("Untitled thread"))

    def take_seq(self, count: int = 1) -> int:
        """Reserve ``count`` sequence numbers; returns the first. For a thread that is locked."""
        first = self.last_seq + 1
        self.last_seq += count
        Thread.objects.filter(pk=self.pk).update(last_seq=self.last_seq)
        return first

    def move_head(self, message_id: object) -> None:
        """Show the branch that ends in this message; counts as activity."""
        self.head_id = message_id  # type: ignore[assignment]
        self.last_activity_at = timezone.now()
        self.save(update_fields=["head", "last_activity_at"])

    def active_run(self) -> Run | None:
        """The one queued or running run, if there is one."""
        from .runs import Run

        return Run.objects.active().filter(thread=self).first()
