from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Self

from django.db import connections, models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.statuses import Reason, Role, RunStatus
from .base import ThreadRow, json_field

_PATH = """
WITH RECURSIVE branch(id, parent_id, depth) AS (
    SELECT id, parent_id, 1 FROM agentui_message WHERE id = %s
    UNION ALL
    SELECT m.id, m.parent_id, branch.depth + 1
    FROM agentui_message m JOIN branch ON m.id = branch.parent_id
    WHERE branch.depth < %s
)
SELECT id FROM branch ORDER BY depth
"""

_EARLIER = """
WITH RECURSIVE branch(id, parent_id, seq) AS (
    SELECT id, parent_id, seq FROM agentui_message WHERE id = %s
    UNION ALL
    SELECT m.id, m.parent_id, m.seq
    FROM agentui_message m JOIN branch ON m.id = branch.parent_id
)
SELECT id FROM branch WHERE seq < %s ORDER BY seq DESC LIMIT %s
"""

_LATER = """
WITH RECURSIVE branch(id, parent_id, seq) AS (
    SELECT id, parent_id, seq FROM agentui_message WHERE id = %s
    UNION ALL
    SELECT m.id, m.parent_id, m.seq
    FROM agentui_message m JOIN branch ON m.id = branch.parent_id
    WHERE branch.seq > %s
)
SELECT id FROM branch WHERE seq > %s ORDER BY seq LIMIT %s
"""


class MessageQuerySet(models.QuerySet["Message"]):
    def queued(self) -> Self:
        """User messages that wait until the thread is free, in the order they will be sent."""
        return self.filter(status=RunStatus.QUEUED, role__in=(Role.USER, Role.EVENT)).order_by(
            F("lane").desc(), "seq"
        )

    def branch_ids(self, head: uuid.UUID, limit: int) -> list[uuid.UUID]:
        """Ids from ``head`` towards the root, newest first, at most ``limit``; one query."""
        return self._ids(_PATH, head, limit)

    def branch(self, head: uuid.UUID | None, limit: int) -> list[Message]:
        """The last ``limit`` messages of the branch that ends in ``head``, oldest first."""
        if head is None:
            return []
        ids = self.branch_ids(head, limit)
        found = self.in_bulk(ids)
        return [found[pk] for pk in reversed(ids) if pk in found]

    def branch_page(
        self,
        head: uuid.UUID | None,
        *,
        limit: int,
        before_seq: int | None = None,
        after_seq: int | None = None,
    ) -> list[Message]:
        """Up to ``limit`` messages of that branch, oldest first; two queries.

        The last ones, the last before a number, or the first after one. Numbers grow along a branch.
        """
        if head is None:
            return []
        if after_seq is not None:
            ids = self._ids(_LATER, head, after_seq, after_seq, limit)
        elif before_seq is not None:
            ids = self._ids(_EARLIER, head, before_seq, limit)
        else:
            return self.branch(head, limit)
        found = self.in_bulk(ids)
        return sorted(found.values(), key=lambda message: message.seq)

    def _ids(self, query: str, head: uuid.UUID, *values: int) -> list[uuid.UUID]:
        connection = connections[self.db]
        field = Message._meta.pk
        with connection.cursor() as cursor:
            cursor.execute(query, [field.get_db_prep_value(head, connection), *values])
            rows = cursor.fetchall()
        return [value if isinstance(value, uuid.UUID) else uuid.UUID(value) for (value,) in rows]


class Message(ThreadRow):
    """One message. The assistant's exists, empty, before its first token.

    ``parts`` is the JSON of :mod:`agentui.core.parts`; a tool call in it is a reference
    (``{"type": "tool_call", "id": ...}``) to its row. While a run writes the message, ``parts`` holds
    what is folded up to event ``folded_seq`` of that run; the journal has the rest.
    """

    class Lane(models.IntegerChoices):
        QUEUE = 0, _("queue")
        STEER = 1, _("steer")

    class Feedback(models.TextChoices):
        NONE = "", _("none")
        POSITIVE = "positive", _("good")
        NEGATIVE = "negative", _("bad")

    thread = models.ForeignKey("Thread", on_delete=models.CASCADE, related_name="messages")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )
    seq = models.PositiveBigIntegerField(_("number"))
    role = models.CharField(_("role"), max_length=10, choices=[(r.value, r.value) for r in Role])
    parts = json_field(default=list)
    status = models.CharField(
        _("status"),
        max_length=20,
        choices=[(s.value, s.value) for s in RunStatus],
        default=RunStatus.COMPLETE,
    )
    reason = models.CharField(
        max_length=20,
        blank=True,
        default="",
        choices=[(r.value, r.value) for r in Reason if r],
    )
    error = json_field(null=True, blank=True, default=None)
    metadata = json_field(default=dict, blank=True)
    model = models.CharField(max_length=200, blank=True, default="")
    usage = json_field(null=True, blank=True, default=None)
    folded_seq = models.PositiveBigIntegerField(default=0, editable=False)
    lane = models.SmallIntegerField(choices=Lane.choices, default=Lane.QUEUE, editable=False)
    feedback = models.CharField(
        _("feedback"), max_length=10, blank=True, default="", choices=Feedback.choices
    )
    feedback_comment = models.TextField(_("comment"), blank=True, default="")
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["thread", "seq"], name="agentui_message_seq"),
        ]
        indexes = [
            models.Index(fields=["thread", "version"], name="agentui_message_version"),
            models.Index(fields=["parent"], name="agentui_message_parent"),
            models.Index(
                fields=["thread"],
                condition=Q(status="queued"),
                name="agentui_message_queued",
            ),
            models.Index(
                fields=["thread", "seq"],
                condition=Q(parent__isnull=True),
                name="agentui_message_roots",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} #{self.seq}"

    @property
    def text(self) -> str:
        """The words of the message."""
        return "".join(part["text"] for part in self.parts if part.get("type") == "text")

    @staticmethod
    def siblings_of(messages: Sequence[Message]) -> dict[uuid.UUID, list[uuid.UUID]]:
        """For each message, the ids of the messages that share its parent, in order; one query."""
        if not messages:
            return {}
        parents = {message.parent_id for message in messages}
        among = Q(parent__in=[parent for parent in parents if parent])
        if None in parents:
            among |= Q(thread_id=messages[0].thread_id, parent=None)
        rows = (
            Message.objects.filter(among)
            .exclude(status=RunStatus.QUEUED, role__in=(Role.USER, Role.EVENT))
            .order_by("seq")
            .values_list("parent_id", "pk")
        )
        children: dict[uuid.UUID | None, list[uuid.UUID]] = {}
        for parent, pk in rows:
            children.setdefault(parent, []).append(pk)
        # A queued message has no place in the tree yet, so it is its own and only sibling.
        return {
            message.pk: children.get(message.parent_id, [])
            if message.status != RunStatus.QUEUED
            else [message.pk]
            for message in messages
        }
