from __future__ import annotations

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from ..conf import app_settings


class UserThrottle(SimpleRateThrottle):
    """How often one user may ask: ``AGENTUI["API_RATES"]``, a rate for each scope of a view.

    Counted in the default cache, so that processes count together where they share one.
    """

    rate: str | None

    def get_rate(self) -> None:
        """Called when made: the rate is not known before the request is."""
        return

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.scope = view.throttle_scope(request)  # type: ignore[attr-defined]
        self.rate = app_settings.API_RATES.get(self.scope)
        if self.rate is None:
            return True
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"agentui:throttle:{self.scope}:{request.user.pk}"
