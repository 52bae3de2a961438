from __future__ import annotations

from typing import Any

from ..core.clean import clean
from ..core.statuses import Role
from ..exceptions import IllegalState, InvalidInput
from ..models import Message
from ..runtime.store import changing
from .lookups import get_message

MAX_COMMENT = 2000


def set_feedback(user: Any, message_id: Any, rating: str | None, comment: str = "") -> Message:
    """Say of an answer that it was good or bad; ``rating=None`` takes it back."""
    message = get_message(user, message_id)
    if message.role != Role.ASSISTANT:
        raise IllegalState("Only an answer can be rated.")
    if rating not in (None, Message.Feedback.POSITIVE, Message.Feedback.NEGATIVE):
        raise InvalidInput("rating: give positive, negative, or null.")
    comment = clean(comment).strip()
    if len(comment) > MAX_COMMENT:
        raise InvalidInput(f"comment: at most {MAX_COMMENT:,} characters.")
    with changing(message.thread_id) as thread:
        message.feedback = rating or ""
        message.feedback_comment = comment if rating else ""
        message.version = thread.version
        message.save(update_fields=["feedback", "feedback_comment", "version"])
    return message
