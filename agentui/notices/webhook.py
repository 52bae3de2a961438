"""By webhook: one signed POST, for a chat channel, a ticket system or a service of the site's own.

The receiver checks the signature over the exact bytes of the body::

    X-AgentUI-Timestamp: 1764500000
    X-AgentUI-Signature: sha256=<hex of HMAC-SHA256(secret, timestamp + "." + body)>
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.core.exceptions import ImproperlyConfigured

from ..permissions import policy_of
from .base import Notice, Notifier

_LOCAL = ("127.0.0.1", "::1", "localhost")


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """The signature is for the address in the settings, and for no other."""
        return


class WebhookNotifier(Notifier):
    """Posts what is due to ``url``, signed with ``secret``. ``timeout`` is in seconds.

    The arguments are not sent; ``arguments=True`` sends them, too.
    """

    name = "webhook"

    def __init__(
        self, url: str, secret: str, timeout: float = 10.0, *, arguments: bool = False
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
            raise ImproperlyConfigured(f"The webhook {url!r} has to be an https address.")
        if len(secret) < 16:
            raise ImproperlyConfigured("The webhook's secret needs 16 characters or more.")
        self.url, self.secret, self.timeout, self.arguments = url, secret, timeout, arguments

    def notify(self, notices: Sequence[Notice]) -> None:
        body = json.dumps({"notices": [self._row(notice) for notice in notices]}).encode()
        timestamp = str(int(time.time()))
        request = Request(  # noqa: S310  the scheme is checked above
            self.url,
            data=body,
            method="POST",
            headers={
                "Content-Type": "application/json",
                "X-AgentUI-Timestamp": timestamp,
                "X-AgentUI-Signature": sign(self.secret, timestamp, body),
            },
        )
        with build_opener(_NoRedirect).open(request, timeout=self.timeout) as response:
            response.read(1024)

    def _row(self, notice: Notice) -> dict[str, Any]:
        approval = notice.approval
        policy = policy_of(approval)
        row = {
            "type": f"approval.{notice.kind}",
            "approval": str(approval.pk),
            "agent": approval.agent,
            "tool_name": approval.tool_name,
            "requester": approval.requester.get_username(),
            "who": policy.describe() if policy else "",
            "requested_at": approval.requested_at.isoformat(),
            "expires_at": approval.expires_at.isoformat() if approval.expires_at else None,
            "args_digest": approval.args_digest,
            "url": notice.url,
        }
        if self.arguments:
            row["args_text"] = approval.tool_call.effective_args_text
        return row


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """The signature of a body sent at ``timestamp``."""
    signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={signed.hexdigest()}"


def verify(
    secret: str, timestamp: str, body: bytes, signature: str, *, tolerance: float = 300
) -> bool:
    """For the receiver: is this from the site, unchanged, and not older than ``tolerance`` seconds?"""
    try:
        age = abs(time.time() - int(timestamp))
    except ValueError:
        return False
    # As bytes: of two texts that are not ASCII, compare_digest raises.
    right, given = sign(secret, timestamp, body).encode(), signature.encode("utf-8", "replace")
    return age <= tolerance and hmac.compare_digest(right, given)
