from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class PartOfThread:
    """A row that is deleted together with its thread, and not alone: history keeps no holes."""

    opts: Any

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        match = request.resolver_match
        own_page = f"{self.opts.app_label}_{self.opts.model_name}_"
        if match is None or (match.url_name or "").startswith(own_page):
            return False
        return bool(super().has_delete_permission(request, obj))  # type: ignore[misc]
