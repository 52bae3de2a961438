"""What a message that is sent, edited or answered again takes with it, and what is answered."""

from __future__ import annotations

from typing import Any

from .. import actions
from ..actions.inputs import checked_request
from ..runtime.rows import Row, load_message_rows, run_row
from .forms import Regenerate


def run_request(fields: Regenerate) -> Any:
    """What the run is given. Raises :class:`InvalidInput`."""
    return checked_request(fields.tools, fields.context, fields.run_config)


def sent_row(sent: actions.Sent) -> Row:
    """The message as it was taken; ``run`` is null while the message is queued."""
    return {
        "message": load_message_rows([sent.message])[0],
        "run": run_row(sent.run) if sent.run else None,
        "queued": sent.run is None,
    }
