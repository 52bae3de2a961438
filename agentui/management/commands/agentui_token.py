"""``manage.py agentui_token ada --days 30``: a token for a script, or for another server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agentui.protocols.tokens import make_token


class Command(BaseCommand):
    help = (
        "Print a token with which a client is this user, without a session. It expires after this many "
        "days, when the user's password changes, or when the user is deactivated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--days", type=float, default=30.0)

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model()
        if not 0 < options["days"] <= 3660:
            raise CommandError("--days: give a number above 0, and at most 3660.")
        try:
            user = users._default_manager.get_by_natural_key(options["username"])
        except users.DoesNotExist:
            raise CommandError(f"There is no user {options['username']!r}.") from None
        token, expires = make_token(user, seconds=int(options["days"] * 86400))
        until = datetime.fromtimestamp(expires, UTC).isoformat(timespec="minutes")
        self.stderr.write(f"Valid until {until}. Whoever has it is {user}; keep it as a password.")
        self.stdout.write(token)
