"""Random threads, streams and values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentui.core import events as ev
from agentui.core.parts import (
    ApprovalState,
    DataPart,
    FilePart,
    Message,
    Metadata,
    Part,
    ReasoningPart,
    SourcePart,
    Step,
    TextPart,
    ToolCallPart,
)
from agentui.core.statuses import (
    ANSWERED,
    COMPLETE,
    REQUIRES_TOOL_CALLS,
    ApprovalStatus,
    Role,
    ToolCallStatus,
    ToolKind,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
"""Also NUL and lone surrogates."""

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip

DIRTY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(ANY_TEXT | st.integers() | st.none() | st.booleans(), inner, max_size=3)
    ),
    max_leaves=10,
)

WORDS = st.sampled_from(["", " ", "\n", "Let me look.", "Done.", "Ελλάδα \U0001f389"])
SETTLED = st.sampled_from(sorted(set(ToolCallStatus) - {ToolCallStatus.STREAMING}))
ARGS = st.sampled_from(
    ["", "  ", "{}", '{"a": 1}', '{"path": "a.txt", "con', "[1]", "null", '{"n": NaN}', '{"s":"\\ud83c"}']
)  # fmt: skip


@st.composite
def tool_calls(draw: st.DrawFn, number: int = 0) -> ToolCallPart:
    """A call with a provider's id that other messages use too."""
    status = draw(SETTLED)
    answered = status in ANSWERED
    approval = draw(st.sampled_from([None, *ApprovalStatus]))
    return ToolCallPart(
        id=f"row-{draw(st.integers(0, 10**12))}",
        tool_call_id=f"call_{number}",
        tool_name=draw(st.sampled_from(["find_order", "refund_order"])),
        args_text=draw(ARGS),
        kind=draw(st.sampled_from(ToolKind)),
        status=status,
        result=draw(st.none() | WORDS | JSON) if answered else None,
        is_error=draw(st.booleans()) if status is ToolCallStatus.COMPLETE else answered,
        model_content=draw(
            st.none() | st.just([{"type": "text", "text": " "}]) | WORDS | st.just({"a": 1})
        ),
        approval=approval and ApprovalState("a", approval, reason=draw(st.none() | WORDS)),
    )


@st.composite
def assistant_messages(draw: st.DrawFn) -> Message:
    """A message of some roundtrips, whose calls have come to any end or none."""
    parts: list[Part] = []
    steps: list[Step] = []
    numbers = iter(range(100))
    for _ in range(draw(st.integers(0, 3))):
        steps.append(Step(start=len(parts), state="finished"))
        for kind in draw(st.lists(st.sampled_from("ttrrcccsfd"), max_size=5)):
            parts.append(draw(_part(kind, numbers)))
    known = draw(st.booleans())
    return Message(
        id=f"m-{draw(st.integers(0, 10**12))}",
        role=Role.ASSISTANT,
        parts=tuple(parts),
        status=draw(st.sampled_from([COMPLETE, REQUIRES_TOOL_CALLS])),
        metadata=Metadata(steps=tuple(steps) if known else ()),
        model=draw(st.sampled_from([None, "one", "two"])),
    )


def _part(kind: str, numbers: Any) -> st.SearchStrategy[Part]:
    match kind:
        case "t":
            return st.builds(TextPart, WORDS)
        case "r":
            signed = st.none() | st.just({"signature": "SIG=="})
            return st.builds(ReasoningPart, WORDS, provider_metadata=signed)
        case "s":
            return st.just(SourcePart("s", url="https://example.com"))
        case "f":
            return st.just(FilePart("aGk=", "image/png"))
        case "d":
            return st.just(DataPart("chart", [1]))
        case _:
            return tool_calls(next(numbers))


@st.composite
def threads(draw: st.DrawFn) -> list[Message]:
    """Messages of a thread that a person began."""
    others = st.one_of(
        assistant_messages(),
        st.builds(lambda text: Message("u", Role.USER, (TextPart(text),), COMPLETE), WORDS),
        st.builds(lambda text: Message("e", Role.EVENT, (TextPart(text),), COMPLETE), WORDS),
    )
    thread = [Message("u", Role.USER, (TextPart("Hello"),), COMPLETE)]
    if draw(st.booleans()):
        thread.insert(0, Message("s", Role.SYSTEM, (TextPart("Be kind."),), COMPLETE))
    thread += draw(st.lists(others, max_size=6))
    return _with_own_rows(thread)


def _with_own_rows(thread: list[Message]) -> list[Message]:
    """Row ids are unique in a site."""
    rows = iter(range(10_000))
    return [
        replace(
            message,
            parts=tuple(
                replace(part, id=f"row-{next(rows)}") if isinstance(part, ToolCallPart) else part
                for part in message.parts
            ),
        )
        for message in thread
    ]


PATHS = st.lists(st.integers(-1, 4), max_size=2).map(tuple)
APPROVALS = st.builds(ApprovalState, st.just("a"), st.sampled_from(ApprovalStatus))
FINISH = st.sampled_from(
    ["stop", "length", "content_filter", "tool_calls", "error", "other", "unknown"]
)
OPENED = st.sampled_from(
    [
        TextPart(""),
        ReasoningPart(""),
        ToolCallPart("row", "call", "find_order"),
        SourcePart("s", url="https://example.com"),
        DataPart("chart", {"x": 1}),
    ]
)
EVENTS: st.SearchStrategy[ev.StreamEvent] = st.one_of(
    st.builds(ev.PartStart, OPENED),
    st.builds(ev.TextDelta, PATHS, st.text(max_size=5)),
    st.builds(ev.ToolCallArgsFinish, PATHS),
    st.builds(
        ev.ToolCallResult,
        PATHS,
        JSON,
        is_error=st.booleans(),
        status=st.none() | st.sampled_from(ToolCallStatus),
    ),
    st.builds(ev.PartFinish, PATHS, provider_metadata=st.none() | st.just({"signature": "S"})),
    st.builds(ev.StepStart),
    st.builds(ev.StepFinish, FINISH),
    st.builds(ev.StepReset, st.integers(0, 4)),
    st.builds(ev.MessageFinish, FINISH),
    st.builds(ev.Annotations, st.tuples(JSON)),
    st.builds(ev.Data, st.tuples(JSON)),
    st.builds(
        ev.UpdateState,
        st.tuples(st.fixed_dictionaries({"type": st.just("set"), "path": st.just(["a"]), "value": JSON})),
    ),
    st.builds(ev.ErrorEvent, st.text(max_size=5)),
    st.builds(ev.ApprovalRequest, PATHS, APPROVALS),
    st.builds(ev.ApprovalDecision, PATHS, APPROVALS),
)  # fmt: skip
STREAMS = st.lists(EVENTS, max_size=25)
