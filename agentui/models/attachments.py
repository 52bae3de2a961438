from __future__ import annotations

from typing import Any, Self

from django.conf import settings
from django.core.files.storage import InvalidStorageError, Storage, storages
from django.db import models, transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .base import uuid7


def attachment_storage() -> Storage:
    """The site's storage ``agentui`` if there is one, else its default."""
    try:
        return storages["agentui"]
    except InvalidStorageError:
        return storages["default"]


def attachment_name(attachment: Attachment, filename: str) -> str:
    """A name we make, in a folder of the owner's: nothing of the sender's is part of a path."""
    return f"agentui/attachments/{attachment.owner_id}/{attachment.pk.hex}"


class AttachmentQuerySet(models.QuerySet["Attachment"]):
    def of(self, user: Any) -> Self:
        return self.filter(owner_id=user.pk)

    def unsent(self) -> Self:
        """Uploaded, and in no message."""
        return self.filter(thread=None)


class Attachment(models.Model):
    """A file that a person uploaded. A message's part names it; its bytes lie in the storage."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("owner"),
    )
    thread = models.ForeignKey(
        "Thread",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="attachments",
        help_text=_("The thread it was sent in; none before it is sent."),
    )
    mime_type = models.CharField(_("type"), max_length=100)
    filename = models.CharField(_("name"), max_length=200, blank=True, default="")
    size = models.PositiveBigIntegerField(_("size"))
    file = models.FileField(storage=attachment_storage, upload_to=attachment_name, max_length=255)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects = AttachmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=models.Q(thread__isnull=True),
                name="agentui_attachment_unsent",
            )
        ]

    def __str__(self) -> str:
        return self.filename or str(self.pk)

    def read(self) -> bytes | None:
        """The bytes; None when the storage no longer has them."""
        try:
            with self.file.open() as file:
                content: bytes = file.read()
        except OSError:
            return None
        return content


@receiver(post_delete, sender=Attachment)
def _delete_file(instance: Attachment, **kwargs: Any) -> None:
    storage, name = instance.file.storage, instance.file.name
    if name:
        transaction.on_commit(lambda: storage.delete(name), robust=True)
