"""Typed access to the one setting, ``AGENTUI``.

One property a setting, read through at every access, so ``override_settings`` works::

    from agentui.conf import app_settings
    app_settings.MAX_FRAME_BYTES
"""

from __future__ import annotations

from typing import Any

from django.conf import settings


class AppSettings:
    """``settings.AGENTUI`` with its defaults. Times are in seconds, sizes in bytes."""

    def _get(self, name: str, default: Any) -> Any:
        return getattr(settings, "AGENTUI", {}).get(name, default)

    def _texts(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        texts = self._get(name, default)
        if isinstance(
            texts, str
        ):  # ("one") with its comma forgotten would be taken letter by letter.
            raise TypeError("it must be a list of texts")
        return tuple(texts)

    @property
    def LAUNCHER(self) -> str:
        """Where runs are carried out: ``in_process``, ``procrastinate``, ``celery``,
        ``django_tasks``, ``immediate`` (tests), or the dotted path of a Launcher."""
        return str(self._get("LAUNCHER", "in_process"))

    @property
    def MAX_CONCURRENT_RUNS(self) -> int:
        """Runs one process carries out at once; further ones wait for their turn."""
        return int(self._get("MAX_CONCURRENT_RUNS", 100))

    @property
    def DATABASE_THREADS(self) -> int:
        """Threads, hence database connections, that all runs and sockets of a process share."""
        return int(self._get("DATABASE_THREADS", 4))

    @property
    def TOOL_THREADS(self) -> int:
        """Threads in which sync tools run."""
        return int(self._get("TOOL_THREADS", 8))

    @property
    def LEASE_SECONDS(self) -> float:
        """How long a run stays its worker's without a renewal; renewed every third of it."""
        return float(self._get("LEASE_SECONDS", 30.0))

    @property
    def RECOVERY_INTERVAL(self) -> float:
        """How often a process looks for runs that lost their worker or their launch."""
        return float(self._get("RECOVERY_INTERVAL", 5.0))

    @property
    def MAX_WORKERS_LOST(self) -> int:
        """A run that loses this many workers in a row, without any progress in between, is given up."""
        return int(self._get("MAX_WORKERS_LOST", 5))

    @property
    def JOB_PATIENCE(self) -> float:
        """How long a run may wait in a task engine's queue before its job counts as lost."""
        return float(self._get("JOB_PATIENCE", 60.0))

    @property
    def SHUTDOWN_GRACE(self) -> float:
        """How long a process that is asked to end lets its runs come to their next step."""
        return float(self._get("SHUTDOWN_GRACE", 8.0))

    @property
    def SOCKET_WINDOW_BYTES(self) -> int:
        """How much a socket is sent before its page must give a sign of life: any frame, for
        example a ``ping``. A page that reads too slowly is caught up from the journal."""
        return int(self._get("SOCKET_WINDOW_BYTES", 1024 * 1024))

    @property
    def SOCKET_SILENCE_SECONDS(self) -> float:
        """How long a socket whose window is used up may stay silent before it is closed."""
        return float(self._get("SOCKET_SILENCE_SECONDS", 60.0))

    @property
    def JOURNAL_INTERVAL(self) -> float:
        """The journal's group commit: events of all runs are committed together this often."""
        return float(self._get("JOURNAL_INTERVAL", 0.075))

    @property
    def COALESCE_INTERVAL(self) -> float:
        """Text deltas that follow one another within this time travel as one event."""
        return float(self._get("COALESCE_INTERVAL", 0.03))

    @property
    def FEED_POLL_INTERVAL(self) -> float:
        """How often an open feed looks at the database, in case a live message was lost."""
        return float(self._get("FEED_POLL_INTERVAL", 2.0))

    @property
    def JOURNAL_RETENTION(self) -> float:
        """How long the events of a finished run are kept; the message holds the result."""
        return float(self._get("JOURNAL_RETENTION", 3600.0))

    @property
    def MAX_FRAME_BYTES(self) -> int:
        """The largest frame a socket takes."""
        return int(self._get("MAX_FRAME_BYTES", 256 * 1024))

    @property
    def MAX_MESSAGE_CHARS(self) -> int:
        """The longest text of one user message."""
        return int(self._get("MAX_MESSAGE_CHARS", 100_000))

    @property
    def MAX_STATE_BYTES(self) -> int:
        """The largest state of a thread, as JSON. It travels with every row of the thread."""
        return int(self._get("MAX_STATE_BYTES", 64 * 1024))

    @property
    def MAX_TOOL_RESULT_BYTES(self) -> int:
        """The largest result of a browser tool, and of a server tool, as JSON."""
        return int(self._get("MAX_TOOL_RESULT_BYTES", 200_000))

    @property
    def MAX_TOOL_ARGS_CHARS(self) -> int:
        """The longest arguments a model may give to one call."""
        return int(self._get("MAX_TOOL_ARGS_CHARS", 200_000))

    @property
    def MAX_FRONTEND_TOOLS(self) -> int:
        """How many tools one page may register."""
        return int(self._get("MAX_FRONTEND_TOOLS", 64))

    @property
    def COMMANDS_PER_MINUTE(self) -> int:
        """Commands one socket may send in a minute."""
        return int(self._get("COMMANDS_PER_MINUTE", 600))

    @property
    def API_RATES(self) -> dict[str, str | None]:
        """How often one user may use the REST API and the protocols, together: ``read``, ``write``,
        and ``send``, which is what makes a model work, and counts the chat's messages too.
        ``"600/min"``; None is no limit. What is left out keeps its default."""
        default = {"read": "1200/min", "write": "300/min", "send": "60/min"}
        return {**default, **self._get("API_RATES", {})}

    @property
    def MAX_PROTOCOL_BODY_BYTES(self) -> int:
        """The largest request of a protocol's client. They send their whole history every time."""
        return int(self._get("MAX_PROTOCOL_BODY_BYTES", 10 * 1024 * 1024))

    @property
    def HEARTBEAT_SECONDS(self) -> float:
        """After this much silence an event stream gets a sign of life, so that no proxy closes it."""
        return float(self._get("HEARTBEAT_SECONDS", 15.0))

    @property
    def AUTHENTICATION(self) -> tuple[str, ...]:
        """Dotted paths of functions ``(request) -> user | None``, sync or async, that know the user of
        a request to the REST API or to a protocol by something other than the session cookie, for
        example a token; asked in order, before the session."""
        default = ("agentui.protocols.tokens.user_of_token",)
        return self._texts("AUTHENTICATION", default)

    @property
    def SITE_URL(self) -> str:
        """The address of the site, ``https://shop.example``, for links in notices."""
        return str(self._get("SITE_URL", ""))

    @property
    def NOTIFIERS(self) -> list[Any]:
        """Who is told that something waits for a decision: dotted paths of notifiers, or
        ``{"BACKEND": "agentui.notices.EmailNotifier", "OPTIONS": {...}}``."""
        return list(self._get("NOTIFIERS", []))

    @property
    def NOTICE_INTERVAL(self) -> float:
        """How often a process looks for what people have to be told."""
        return float(self._get("NOTICE_INTERVAL", 10.0))

    @property
    def MCP_AGENTS(self) -> tuple[str, ...]:
        """The agents whose server tools any signed-in user may call by MCP; none by default."""
        return self._texts("MCP_AGENTS")

    @property
    def MCP_WAIT_SECONDS(self) -> float:
        """How long an MCP client waits for a call to end before it is told to ask again."""
        return float(self._get("MCP_WAIT_SECONDS", 25.0))

    @property
    def FRONTEND_CLAIM_SECONDS(self) -> float:
        """How long a browser tab may work on a call before another tab may claim it."""
        return float(self._get("FRONTEND_CLAIM_SECONDS", 60.0))

    @property
    def ALLOWED_ATTACHMENT_TYPES(self) -> tuple[str, ...]:
        """MIME types a user message may carry as a file part."""
        default = ("image/png", "image/jpeg", "image/gif", "image/webp", "text/plain")
        return self._texts("ALLOWED_ATTACHMENT_TYPES", default)

    @property
    def MAX_ATTACHMENT_BYTES(self) -> int:
        """The largest file a user may upload."""
        return int(self._get("MAX_ATTACHMENT_BYTES", 5 * 1024 * 1024))

    @property
    def UNSENT_ATTACHMENT_SECONDS(self) -> float:
        """How long a file is kept that was uploaded and not sent."""
        return float(self._get("UNSENT_ATTACHMENT_SECONDS", 86400.0))

    @property
    def UPLOAD_SECONDS(self) -> float:
        """How long an address for an upload may be used."""
        return float(self._get("UPLOAD_SECONDS", 900.0))

    @property
    def CLOUD_TOKEN_SECONDS(self) -> int:
        """How long a token of assistant-ui's cloud client is valid; it asks for the next by itself."""
        return int(self._get("CLOUD_TOKEN_SECONDS", 600))


app_settings = AppSettings()
