"""Looking for what people have to be told, in every process that has a loop."""

from __future__ import annotations

import asyncio
import logging

from ..conf import app_settings
from ..notices import send_due
from .database import DATABASE_ERRORS, close_connections_after

logger = logging.getLogger("agentui")


async def keep_notifying() -> None:
    """Tell what is due, again and again, until cancelled.

    In a thread of its own: a mail server that takes its time holds up no run.
    """
    while True:
        await asyncio.sleep(app_settings.NOTICE_INTERVAL)
        try:
            await asyncio.to_thread(close_connections_after(send_due))
        except DATABASE_ERRORS as error:
            logger.warning("Looking for what is to be told failed: %s", error)
        except Exception:
            logger.exception("Looking for what is to be told failed")
