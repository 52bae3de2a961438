"""Every provider that pydantic-ai knows, as one adapter.

This module imports nothing of pydantic-ai: its import takes a second or more, so it happens in a
thread, when a model is first asked. (Inside this package ``import pydantic_ai`` is the library.)
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from agentui.adapters.base import ChatModelAdapter, ModelRequest
from agentui.core.events import StreamEvent
from agentui.exceptions import ModelError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

logger = logging.getLogger("agentui.adapters")

_LONGEST_PAUSE = 10.0  # seconds


class PydanticAIAdapter(ChatModelAdapter):
    """Asks ``model``: a string ``"provider:model"``, or a pydantic-ai ``Model`` built by the site.

    Keys and addresses come from the environment, as pydantic-ai reads them (``OPENAI_API_KEY``,
    ``OPENAI_BASE_URL``, ``ANTHROPIC_API_KEY``, ...). ``"openai:"`` speaks the Responses API with
    OpenAI itself, and Chat Completions with any other server that ``OPENAI_BASE_URL`` names.

    ``attempts`` is how often a request is made at most, and only while nothing of an answer was seen.
    It is 1, because the provider's SDK repeats what was refused before the stream began, and the run
    asks once more by itself; raise it where the adapter is used alone. ``resend_reasoning`` says
    whether the model gets its unsigned reasoning back; signed reasoning always goes back unchanged.
    An agent's ``settings`` may hold ``resend_reasoning`` and everything of pydantic-ai's
    ``ModelSettings`` (``temperature``, ``max_tokens``, ``timeout``, ...).
    """

    def __init__(
        self,
        model: str | Model[Any],
        *,
        attempts: int = 1,
        resend_reasoning: bool = True,
        pause: float = 0.5,
    ) -> None:
        if importlib.util.find_spec("pydantic_ai") is None:
            raise ModelError(
                f'The model "{model}" needs pydantic-ai: pip install "agentui[models]"',
                code="model_not_installed",
            )
        self.name = model if isinstance(model, str) else model.model_id
        self.attempts = attempts
        self.resend_reasoning = resend_reasoning
        self._pause = pause
        self._given = model
        # A connection belongs to the event loop that opened it.
        self._built: dict[asyncio.AbstractEventLoop, Model[Any]] = {}

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        for attempt in range(1, self.attempts + 1):
            is_seen = False
            try:
                async with aclosing(self._attempt(request)) as events:
                    async for event in events:
                        is_seen = True
                        yield event
                return
            except ModelError as error:
                if is_seen or not error.retryable or attempt == self.attempts:
                    raise
                pause = error.details.get("retry_after") or self._pause * attempt
                if pause > _LONGEST_PAUSE:
                    raise
                logger.info("%s: attempt %s failed (%s)", self.name, attempt, error.code)
            await asyncio.sleep(pause)

    async def aclose(self) -> None:
        """Close the connections that this event loop holds; the next request opens new ones."""
        model = self._built.pop(asyncio.get_running_loop(), None)
        if model is not None:
            async with model:
                pass

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        failure: ModelError | None = None
        model: Model[Any] | None = None
        try:
            model = await self._model()
            from .asking import ask

            resend = request.settings.get("resend_reasoning", self.resend_reasoning)
            async with aclosing(
                ask(model, request, name=self.name, resend_reasoning=resend)
            ) as events:
                async for event in events:
                    yield event
        except ModelError:
            raise
        except Exception as error:
            from .errors import to_model_error

            failure = to_model_error(error, model=model, name=self.name)
        # Raised here and not in the handler: as a cause or context, the provider's own error would
        # bring keys and addresses into every log and report that prints a chain.
        if failure is not None:
            raise failure

    async def _model(self) -> Model[Any]:
        if not isinstance(self._given, str):
            return self._given
        loop = asyncio.get_running_loop()
        if loop not in self._built:
            for other in [other for other in self._built if other.is_closed()]:
                self._built.pop(other, None)
            self._built[loop] = await asyncio.to_thread(_build, self._given)
        return self._built[loop]


def _build(name: str) -> Model[Any]:
    from .building import build_model

    return build_model(name)
