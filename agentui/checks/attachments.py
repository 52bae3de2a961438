from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register
from django.core.files.storage import FileSystemStorage

from ..conf import app_settings
from ..models.attachments import attachment_storage


@register("agentui")
def check_attachments(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Do files that people upload have a place of their own?"""
    storage = attachment_storage()
    has_place = not isinstance(storage, FileSystemStorage) or storage.base_location
    if (
        has_place
        or str(settings.MEDIA_ROOT) not in ("", ".")
        or not app_settings.ALLOWED_ATTACHMENT_TYPES
    ):
        return []
    return [
        Warning(
            "Uploads would be written to the folder the server was started in: the site has no "
            "MEDIA_ROOT and no storage of its own for them.",
            hint='Add a storage "agentui" to STORAGES, in a folder that no web server serves; or set '
            'AGENTUI["ALLOWED_ATTACHMENT_TYPES"] to () where nobody is to send files.',
            id="agentui.W021",
        )
    ]
