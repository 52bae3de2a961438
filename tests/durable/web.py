"""A browser's requests to a web process, without a browser."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from django.conf import settings

_TOKEN = "a" * 32


class Web:
    """Requests of a user whose session has this ``key``."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.key = ""

    @property
    def cookies(self) -> str:
        names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
        return f"{names[0]}={self.key}; {names[1]}={_TOKEN}"

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._request(path, body)

    def get(self, path: str) -> Any:
        return self._request(path, None)

    def wait(self, note: Callable[[], str], seconds: float = 30) -> None:
        """Until the process answers."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.get("agents/")
                return
            except (OSError, ConnectionError):
                assert time.monotonic() < deadline, note()
                time.sleep(0.1)

    def _request(self, path: str, body: dict[str, Any] | None) -> Any:
        request = Request(
            f"http://127.0.0.1:{self.port}/agentui/api/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Cookie": self.cookies,
                "X-CSRFToken": _TOKEN,
                "Content-Type": "application/json",
            },
        )
        try:
            with urlopen(request, timeout=10) as answer:
                return json.loads(answer.read())
        except HTTPError as error:
            raise AssertionError(f"{error.code} {error.read().decode()}") from None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
