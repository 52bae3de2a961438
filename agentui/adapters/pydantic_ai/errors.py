"""What went wrong at a provider, in words that may be shown.

Nothing that the provider wrote is shown or logged as it came: error texts echo keys, addresses with
passwords, and prompts. The person gets a fixed sentence and an id; the log gets the kind, the HTTP
status and the same id; at DEBUG level it gets the provider's text, redacted.
"""

from __future__ import annotations

import logging
import re
import uuid
from typing import Any

from pydantic_ai import exceptions as pa
from pydantic_ai.models import Model

from agentui.exceptions import ModelError

logger = logging.getLogger("agentui.adapters")

#: The first that fits, from the most to the least special.
_KINDS: tuple[tuple[type[Exception], str, str, bool], ...] = (
    (pa.ModelQuotaExceededError, "model_quota_exceeded",
     "The site's account with the model provider is used up.", False),
    (pa.ModelRateLimitError, "model_rate_limited",
     "The model provider takes no more requests at the moment. Please try again shortly.", True),
    (pa.ModelOverloadedError, "model_overloaded",
     "The model is overloaded. Please try again shortly.", True),
    (pa.ModelUnavailableError, "model_unavailable",
     "The model is not available for the moment. Please try again shortly.", True),
    (pa.ModelServerError, "model_server_error",
     "The model provider reported an error of its own. Please try again.", True),
    (pa.ModelTimeoutError, "model_timeout",
     "The model did not answer in time. Please try again.", True),
    (pa.ModelRequestTimeout, "model_timeout",
     "The model did not answer in time. Please try again.", True),
    (pa.ModelConnectionError, "model_connection",
     "The connection to the model was lost. Please try again.", True),
    (pa.ModelContextWindowExceededError, "model_context_exceeded",
     "This thread has become too long for the model. Start a new one.", False),
    (pa.ModelAuthenticationError, "model_not_configured",
     "The model provider did not accept this site's credentials.", False),
    (pa.ModelNotFoundError, "model_not_found",
     "The model provider does not know this site's model.", False),
    (pa.ModelRequestRejectedError, "model_rejected",
     "The model provider refused this request.", False),
    (pa.ContentFilterError, "content_filter",
     "The model provider's content filter stopped the answer.", False),
    (pa.UnexpectedModelBehavior, "model_bad_answer",
     "The model's answer could not be understood. Please try again.", True),
    (pa.UserError, "model_not_configured", "The model is not set up on this site.", False),
    (ImportError, "model_not_installed",
     'A library for this model is missing: pip install "agentui[models]"', False),
)  # fmt: skip

_TRANSPORT = re.compile(r"^httpx2?\b|^httpcore2?\b|^anyio\b")
_SECRET = re.compile(
    r"""(?ix)
    \b[a-z][a-z0-9+.-]*://\S+                                # addresses, with all they carry
    | \b(?:bearer|basic)\s+\S+
    | \b(?:api[-_ ]?key|token|secret|password|authorization)\b["']?\s*[:=]\s*\S+
    | \b(?:sk|pk|rk|xai|gsk|key|AIza)[-_][\w*.-]{6,}
    | [\w+/=-]{24,}
    """
)


def to_model_error(error: Exception, *, model: Model[Any] | None, name: str) -> ModelError:
    """The error to raise in place of ``error``, which has been logged."""
    code, message, retryable = _kind(error)
    details: dict[str, Any] = {"error_id": uuid.uuid4().hex[:12]}
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        details["status"] = status
    retry_after = getattr(error, "retry_after", None)
    if isinstance(retry_after, int | float):
        details["retry_after"] = float(retry_after)
    logger.warning(
        "%s: %s (%s, HTTP status %s, error id %s)",
        name, code, type(error).__name__, status, details["error_id"],
    )  # fmt: skip
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("error id %s: %s", details["error_id"], redact(str(error), model=model))
    return ModelError(message, code=code, retryable=retryable, **details)


def redact(text: str, *, model: Model[Any] | None = None) -> str:
    """The text without addresses, without the model's own key and without anything like a key."""
    key = getattr(getattr(getattr(model, "provider", None), "client", None), "api_key", None)
    if isinstance(key, str) and key:
        text = text.replace(key, "[redacted]")
    return _SECRET.sub("[redacted]", text)


def _kind(error: Exception) -> tuple[str, str, bool]:
    for kind, code, message, retryable in _KINDS:
        if isinstance(error, kind):
            return code, message, retryable
    if isinstance(error, OSError) or _TRANSPORT.match(type(error).__module__):
        return "model_connection", "The connection to the model was lost. Please try again.", True
    return "model_error", "The model could not answer.", False
