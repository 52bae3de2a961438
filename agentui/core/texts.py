"""Every sentence that the model is told about a call that did not simply succeed.

Each one is true, and says what the model can do next. Only ``INTERRUPTED`` and ``timed_out`` speak
of possible effects: in every other case the tool did not begin, or it told us itself what happened.
A person's reason is passed on word for word.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from .statuses import Reason, ToolCallStatus
from .values import Json

# The call did not run, and nobody decided that.

_NOT_RUN: Mapping[Reason, str] = {
    Reason.LENGTH: (
        "Not run: the answer reached its length limit while this call was being written, so the "
        "arguments may be cut off. Nothing was done. Call again with shorter arguments if needed."
    ),
    Reason.CONTENT_FILTER: (
        "Not run: the provider's content filter stopped the answer that held this call. "
        "Nothing was done."
    ),
    Reason.CANCELLED: "Not run: the user stopped the answer before this call began. "
    "Nothing was done.",
    Reason.ERROR: "Not run: the answer that held this call broke off with an error. "
    "Nothing was done.",
}
_NOT_RUN_OTHERWISE = "Not run: the answer that held this call did not finish. Nothing was done."

# A person, or the time, decided.

CANCELLED_BY_MESSAGE = (
    "Not run: the user sent a new message instead of answering this call. Nothing was done."
)
SUPERSEDED = "Not run: the message that led to this call was replaced. Nothing was done."
EXPIRED = (
    "Not run: nobody decided in time, so the request for approval has expired. Nothing was done."
)
DENIED_BY_EXPIRY = "Denied: nobody approved this call in time. Nothing was done."

DENIED_BEFORE = (
    "Denied: a person has just denied this very call, so nobody was asked again. Nothing was done. "
    "Do not call it again; say honestly that it was denied."
)
DENIED_TOO_OFTEN = (
    "Denied: calls of this tool were denied again and again, so nobody was asked any more. Nothing "
    "was done. Do not call it again; say honestly that it was denied."
)

# The call began.

INTERRUPTED = (
    "Interrupted: the call had begun when the worker running it stopped. It may have had effects; "
    "whether it did is not known, and it was not run again. Check before you call it again."
)
INTERRUPTED_BY_USER = (
    "Interrupted: the user stopped the answer while this call was running. It may have had effects; "
    "check before you call it again."
)
FOUND_UNKNOWN = (
    "Interrupted: the call had begun when the worker running it stopped. A person has looked into it: "
    "it cannot be found out whether it had effects. Do not call it again unless the user asks for it."
)
FOUND_NOT_DONE = "Interrupted: a person has looked into it. The call had no effects."
EMPTY_OUTPUT = "(no output)"

# The call still waits.

_WAITING: Mapping[ToolCallStatus, str] = {
    ToolCallStatus.AWAITING_APPROVAL: (
        "This call waits for approval. It has not run yet. You will be told the outcome; "
        "do not call it again meanwhile."
    ),
    ToolCallStatus.APPROVED: (
        "This call was approved and is about to run. You will be told the outcome; "
        "do not call it again meanwhile."
    ),
    ToolCallStatus.EXECUTING: (
        "This call is running. You will be told the outcome; do not call it again meanwhile."
    ),
}
_WAITING_OTHERWISE = (
    "This call waits for its answer. You will be told the outcome; do not call it again meanwhile."
)

EMPTY_USER_MESSAGE = "(empty message)"


def lost_file(name: str) -> str:
    """For a file whose bytes are no longer there."""
    return f"(The file {name!r} that was sent here is no longer kept.)"


def not_run(reason: Reason) -> str:
    """For a call whose roundtrip ended with ``reason`` before the call could begin."""
    return _NOT_RUN.get(reason, _NOT_RUN_OTHERWISE)


def denied(reason: str | None) -> str:
    """For a call that a person refused; their reason is passed on unchanged."""
    if reason and reason.strip():
        return f"Denied by a person, who gave this reason: {reason}"
    return "Denied by a person, without a reason. Nothing was done."


def denied_always(reason: str | None) -> str:
    """For a call that a standing answer refused, without anybody being asked."""
    words = f" They gave this reason: {reason}" if reason and reason.strip() else ""
    return f"Denied: a person has said that this is never allowed here.{words} Nothing was done."


def waiting(status: ToolCallStatus) -> str:
    """For a call that is still open when the model is asked again."""
    return _WAITING.get(status, _WAITING_OTHERWISE)


def unknown_tool(name: str, known: Iterable[str]) -> str:
    """For a call to a tool that the agent does not have."""
    names = ", ".join(sorted(known))
    offer = f"The tools are: {names}." if names else "There are no tools."
    return f"Not run: there is no tool named {name!r}. {offer}"


def invalid_arguments(problem: str) -> str:
    """For arguments that do not parse or do not fit the tool's schema."""
    return f"Not run: the arguments are not valid. {problem} Correct them and call again."


def timed_out(seconds: float) -> str:
    """For a call that was given up after ``seconds``."""
    return (
        f"No answer within {seconds:g} seconds, so the call was given up. "
        "It may have had effects; check before you call it again."
    )


def rolled_back(seconds: float) -> str:
    """For a transactional call that was given up after ``seconds``."""
    return (
        f"No answer within {seconds:g} seconds, so the call was given up and everything it had "
        "done was undone. It had no effects."
    )


def raised(problem: str) -> str:
    """For a tool that raised; ``problem`` is what it may tell the model."""
    return f"The tool failed: {problem}"


def tool_changed(name: str) -> str:
    """For a call whose tool changed or vanished between the question and the answer."""
    return (
        f"Not run: the tool {name!r} has changed since this call was made. Nothing was done. "
        "Call again if it is still needed."
    )


def stopped_after(roundtrips: int) -> str:
    """For people: why an answer ends without a last word."""
    return (
        f"The agent was stopped after {roundtrips} steps without coming to an end. What it was doing "
        "may be unfinished."
    )


def event(text: str) -> str:
    """What happened meanwhile, as the model reads it: no person wrote this."""
    return f"[Event, reported by the application, not written by the user] {text}"


def outcome(name: str, args_text: str, status: ToolCallStatus, result: str) -> str:
    """For a call that the model was told is waiting: how it ended. ``result`` is its answer."""
    return f"The call {name}({args_text}) that was waiting is now {status.value}. Result: {result}"


def found_done(result: str) -> str:
    """For an interrupted call of which a person found out that it was done."""
    answer = f" Result: {result}" if result.strip() else ""
    return f"Interrupted, but done: a person has looked into it, and the call took effect.{answer}"


def found(name: str, args_text: str, finding: str) -> str:
    """For a call that the model was told was interrupted: what a person found out since."""
    return f"The call {name}({args_text}) that was interrupted was looked into. {finding}"


RUNS_AGAIN = "It had no effects, so it is run once more now; its result follows."


def edited(args_text: str, result: Json) -> str:
    """For a call whose arguments a person changed before they approved it."""
    answer = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return f"A person changed the arguments before approving. It ran with {args_text}. Result: {answer}"
