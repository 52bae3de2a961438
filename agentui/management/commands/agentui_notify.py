from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ...notices import send_due


class Command(BaseCommand):
    help = (
        "Tell people what waits for their decision: new requests, reminders, escalations. Every web "
        "process and worker does the same by itself; this is for cron and for looking by hand."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{send_due()} told")
