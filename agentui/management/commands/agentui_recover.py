from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ...conf import app_settings
from ...runtime.database import DATABASE_ERRORS, drop_broken_connections
from ...runtime.launchers import get_launcher
from ...runtime.recovery import clean_up, recover

_CLEAN_UP_EVERY = 60


class Command(BaseCommand):
    help = (
        "Find runs that nobody moves any more and move them on: lost workers, lost launches, expired "
        "approvals, messages left in a queue. Every web process and worker does the same by itself; "
        "this is for cron, for a site whose processes are all busy, and for looking by hand."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--loop", action="store_true", help="look again and again, until stopped"
        )

    def handle(self, *args: Any, loop: bool = False, **options: Any) -> None:
        if not loop:
            self.stdout.write(f"{self._look()} moved on")
            return
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ended.set())
        looks = 0
        while not ended.is_set():
            try:
                if found := self._look(with_clean_up=looks % _CLEAN_UP_EVERY == 0):
                    self.stdout.write(f"{found} moved on")
            except DATABASE_ERRORS as error:
                self.stderr.write(f"The database is away: {error}")
                drop_broken_connections()
            looks += 1
            ended.wait(app_settings.RECOVERY_INTERVAL)

    def _look(self, *, with_clean_up: bool = True) -> int:
        launcher = get_launcher()
        launch = launcher.launch if launcher.can_launch else None
        found = recover(launch, patience=launcher.patience)
        launcher.recover_jobs()
        if with_clean_up:
            clean_up()
        return found
