from __future__ import annotations

from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import ANSWERED, ToolCallStatus, ToolKind, sources
from .base import ThreadRow, json_field, uuid7


class ToolCallQuerySet(models.QuerySet["ToolCall"]):
    def open(self) -> Self:
        """Calls that have no answer yet."""
        return self.exclude(status__in=ANSWERED)

    def awaiting_approval(self) -> Self:
        return self.filter(status=ToolCallStatus.AWAITING_APPROVAL)


class ToolCall(ThreadRow):
    """A call the model asked for, its arguments and its answer.

    ``args_text`` is what the model wrote, never changed; ``args`` is what runs, parsed, for queries.
    """

    thread = models.ForeignKey("Thread", on_delete=models.CASCADE, related_name="tool_calls")
    message = models.ForeignKey("Message", on_delete=models.CASCADE, related_name="tool_calls")
    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="tool_calls")
    position = models.PositiveIntegerField()
    tool_call_id = models.TextField()
    tool_name = models.CharField(_("tool"), max_length=200)
    tool_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    kind = models.CharField(
        _("kind"),
        max_length=10,
        choices=[(k.value, k.value) for k in ToolKind],
        default=ToolKind.SERVER,
    )
    args_text = models.TextField(_("arguments"), blank=True, default="")
    args = json_field(null=True, blank=True, default=None)
    args_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    edited_args_text = models.TextField(_("edited arguments"), blank=True, default="")
    status = models.CharField(
        _("status"),
        max_length=20,
        choices=[(s.value, s.value) for s in ToolCallStatus],
        default=ToolCallStatus.PENDING,
    )
    while_waiting = models.CharField(max_length=10, blank=True, default="")
    was_told_waiting = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("The model was told that this call waits; its outcome came as an event."),
    )
    result = json_field(null=True, blank=True, default=None)
    is_error = models.BooleanField(_("error"), default=False)
    artifact = json_field(null=True, blank=True, default=None)
    model_content = json_field(null=True, blank=True, default=None)
    provider_metadata = json_field(null=True, blank=True, default=None)
    progress = json_field(null=True, blank=True, default=None)
    is_automatic = models.BooleanField(default=False, editable=False)
    grant = models.ForeignKey(
        "Grant", null=True, blank=True, on_delete=models.SET_NULL, related_name="uses"
    )
    repeats = models.ForeignKey(
        "ToolCall", null=True, blank=True, on_delete=models.SET_NULL, related_name="repeated_by"
    )
    answer_schema = json_field(null=True, blank=True, default=None)
    is_idempotent = models.BooleanField(default=False, editable=False)
    attempt = models.PositiveIntegerField(default=0, editable=False)
    claimed_by = models.CharField(max_length=100, blank=True, default="", editable=False)
    claim_expires_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)

    objects = ToolCallQuerySet.as_manager()

    class Meta:
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        ordering = ["message", "position"]
        permissions = [
            ("record_outcome", _("Can record what an interrupted call really did")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["message", "position"], name="agentui_tool_call_position"
            ),
        ]
        indexes = [
            models.Index(fields=["thread", "version"], name="agentui_tool_call_version"),
            models.Index(
                fields=["run"],
                condition=Q(status="executing"),
                name="agentui_tool_call_executing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tool_name} {str(self.pk)[-8:]}"

    @property
    def effective_args_text(self) -> str:
        """What runs: the arguments as the model wrote them, or as an approver changed them."""
        return self.edited_args_text or self.args_text

    @property
    def idempotency_key(self) -> str:
        """The same at every attempt to run this call, also when a person let it run once more."""
        return str(self.repeats_id or self.pk)

    def claim(self, attempt: int, **fields: Any) -> bool:
        """Begin to run this server call. False when it is not (or no longer) to be run.

        The caller commits this before it calls the tool, so that a crash afterwards is seen.
        """
        claimed = ToolCall.objects.filter(
            pk=self.pk,
            kind=ToolKind.SERVER,
            status__in=(ToolCallStatus.PENDING, ToolCallStatus.APPROVED),
        ).update(
            **{"started_at": timezone.now(), **fields},
            status=ToolCallStatus.EXECUTING,
            attempt=attempt,
        )
        return claimed == 1

    def claim_for_tab(self, tab: str, lease: timedelta) -> bool:
        """Let one browser tab work on this call. The same tab may claim again after a reload."""
        now = timezone.now()
        claimed = (
            ToolCall.objects.filter(pk=self.pk, status__in=_BROWSER_OPEN)
            .exclude(kind=ToolKind.SERVER)
            .filter(Q(claimed_by="") | Q(claimed_by=tab) | Q(claim_expires_at__lt=now))
            .update(claimed_by=tab, claim_expires_at=now + lease)
        )
        return claimed == 1

    def settle(
        self, status: ToolCallStatus, *, frm: tuple[ToolCallStatus, ...] = (), **fields: Any
    ) -> bool:
        """Give this call its answer, once. False when it already has one; nothing is changed then."""
        allowed = frm or tuple(sources(status))  # type: ignore[arg-type]
        settled = ToolCall.objects.filter(pk=self.pk, status__in=allowed).update(
            status=status, finished_at=timezone.now(), **fields
        )
        return settled == 1


class CallRecord(models.Model):
    """What a person found out about a call that was interrupted. Rows are only ever added."""

    class Finding(models.TextChoices):
        DONE = "done", _("it was done")
        NOT_DONE = "not_done", _("it was not done")
        UNKNOWN = "unknown", _("it cannot be found out")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tool_call = models.ForeignKey("ToolCall", on_delete=models.CASCADE, related_name="records")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    username = models.CharField(max_length=150, blank=True, default="")
    finding = models.CharField(max_length=10, choices=Finding.choices)
    result = json_field(null=True, blank=True, default=None)
    note = models.TextField(blank=True, default="")
    door = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("recorded outcome")
        verbose_name_plural = _("recorded outcomes")
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"{self.username}: {self.finding}"


_BROWSER_OPEN = (ToolCallStatus.PENDING, ToolCallStatus.APPROVED, ToolCallStatus.EXECUTING)
