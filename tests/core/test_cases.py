"""The conformance cases that were recorded from assistant-ui, run against the pure core.

A case says what the other system gives (``expected``). Where agentui differs on purpose the case also
says what agentui gives (``agentui``) and ``why``. A case about a thing that agentui does not have says
so (``not_ours``) and is not run. ``match`` is "exact", or "subset": every key that is expected must
match, lists have equal length, and "$absent" means that the key is not there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentui.core import queue
from agentui.core.accumulator import Accumulator
from agentui.core.approval import resolve_response
from agentui.core.errors import to_assistant_error
from agentui.core.events import ErrorEvent
from agentui.core.history import RequestMessage, RequestToolCall, RequestToolResult, build_history
from agentui.core.partial_json import load_args, parse_partial
from agentui.core.parts import FilePart, Metadata, TextPart
from agentui.core.should_continue import should_continue
from agentui.core.state_ops import apply_operations
from agentui.core.tree import MessageTree

from .driver import Site
from .translate import (
    ASSISTANT,
    approval_state_of,
    aui_message,
    event_of,
    message_of,
)

FILE = Path(__file__).parent.parent / "cases" / "assistant-ui.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())
OURS = [case for case in CASES if "not_ours" not in case]
Given = dict[str, Any]


def run_should_continue(given: Given) -> bool:
    names = given["humanToolNames"]
    return should_continue(
        message_of(given["message"]), None if names is None else frozenset(names)
    )


def run_approval_resolution(given: Given) -> Given:
    approval = approval_state_of(given["approval"])
    response = given["response"]
    verdict = {True: "approve", False: "deny", None: None}[response.get("approved")]
    resolution = resolve_response(
        approval,
        verdict=verdict,
        option_id=response.get("optionId"),
        reason=response.get("reason"),
    )
    found = {
        "optionId": resolution.option_id,
        "reason": resolution.reason,
    }
    given_only = {key: value for key, value in found.items() if value is not None}
    return {"approvalId": approval.id, "approved": resolution.approved, **given_only}


def run_accumulator(given: Given) -> Given:
    start = Metadata(state=given.get("initialState"))
    accumulator = Accumulator(
        ASSISTANT.from_json({"id": "m", "role": ASSISTANT.role, "metadata": start})
    )
    for chunk in given["chunks"]:
        accumulator.apply(event_of(chunk))
    accumulator.finish()
    return aui_message(accumulator.message)


def run_partial_json(given: Given) -> Given:
    found = parse_partial(given["text"])
    if found is None:
        return {"value": None, "state": None, "fields": {}}
    return {
        "value": found.value,
        "state": found.state,
        "partialPath": list(found.open_path),
        "fields": {
            ".".join(map(str, path)): found.field_state(path) for path in given.get("paths", ())
        },
    }


def run_state_ops(given: Given) -> Given:
    before = json.dumps(given["state"])
    state = apply_operations(given["state"], given["operations"], strict=given.get("strict", True))
    assert json.dumps(given["state"]) == before
    return {"state": state}


def run_model_messages(given: Given) -> list[Given]:
    messages = [message_of(message) for message in given["messages"]]
    return [_generic(message) for message in build_history(messages, model=None)]


def _generic(message: RequestMessage) -> Given:
    return {"role": message.role, "content": [_generic_part(part) for part in message.parts]}


def _generic_part(part: Any) -> Given:
    match part:
        case TextPart(text=text):
            return {"type": "text", "text": text}
        case FilePart(data=data, mime_type=mime_type, filename=filename):
            named = {"filename": filename} if filename else {}
            return {"type": "file", "data": data, "mediaType": mime_type, **named}
        case RequestToolCall(id=call, name=name, args_text=text):
            return {
                "type": "tool-call",
                "toolCallId": call,
                "toolName": name,
                "input": load_args(text),
            }
        case RequestToolResult(id=call, name=name, content=content, is_error=is_error):
            kind = "error-json" if is_error else "json"
            output = {"type": kind, "value": _read(content)}
            return {"type": "tool-result", "toolCallId": call, "toolName": name, "output": output}
    raise AssertionError(part)


def _read(content: Any) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content


def run_error_normalize(given: Given) -> Any:
    if given["kind"] == "Error":
        return to_assistant_error(RuntimeError(given["message"]))
    said = given["value"]
    accumulator = Accumulator(ASSISTANT)
    accumulator.apply(ErrorEvent(said["message"], said["code"], said["severity"]))
    return accumulator.message.error


def run_run_loop(given: Given) -> Given:
    site = Site(given)
    for action in given["actions"]:
        site.act(action)
    return site.report()


def run_message_repository(given: Given) -> list[Any]:
    tree, log = MessageTree(), []
    for name, *args in given["ops"]:
        if name == "import":
            rows = ((id, parent) for parent, id in args[0]["messages"])
            tree = MessageTree(rows, args[0].get("headId"))
            continue
        try:
            answer = _in_tree(tree, name, *args)
        except ValueError as error:
            answer = {"throws": str(error)}
        if answer is not None:
            log.append(answer)
    return log


def _in_tree(tree: MessageTree, name: str, *args: Any) -> Any:
    match name, args:
        case "add", (parent, message):
            return tree.add(message, parent)
        case "switch", (message,):
            return tree.switch(message)
        case "reset_head", (message,):
            return tree.set_head(message)
        case "head", ():
            return tree.head
        case "messages", ():
            return list(tree.path())
        case "branches", (message,):
            return list(tree.siblings(message))
        case "parent", (message,):
            return tree.parent(message)
        case "exists", (message,):
            return message in tree
    raise AssertionError(name)


def run_message_queue(given: Given) -> Given:
    state, runs, cancels = queue.Queue(), [], 0
    moves: dict[str, Callable[..., queue.Change]] = {
        "enqueue": queue.enqueue,
        "steer": lambda at, text: queue.steer(at, text, can_cancel=given["canCancel"]),
        "busy": queue.started,
        "idle": queue.ended,
        "cancelled": queue.stopped,
        "clear": queue.clear,
        "remove": queue.remove,
    }
    for name, *args in given["ops"]:
        change = moves[name](state, *args)
        state, cancels = change.queue, cancels + change.cancel
        if change.run is not None:
            runs.append([change.run, change.cancel])
    return {
        "runs": runs,
        "cancels": cancels,
        "queue": list(state.queued),
        "steer": list(state.steered),
    }


RUN: dict[str, Callable[[Given], Any]] = {
    name.removeprefix("run_"): run for name, run in globals().items() if name.startswith("run_")
}


@pytest.mark.parametrize("case", OURS, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    expected = case.get("agentui", case["expected"])
    assert compare(expected, outcome(case), exact=case["match"] == "exact") == []


def outcome(case: dict[str, Any]) -> Any:
    """What agentui gives for the case; a refusal as ``{"throws": its message}``."""
    try:
        return RUN[case["area"]](case["input"])
    except Exception as error:
        return {"throws": str(error)}


def compare(expected: Any, found: Any, *, exact: bool, at: str = "$") -> list[str]:
    """Where ``found`` is not as expected."""
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = expected.keys() | found.keys() if exact else expected.keys()
        lines = []
        for key in sorted(keys):
            if key not in expected or (expected[key] == "$absent") != (key not in found):
                lines.append(f"{at}.{key}: {found.get(key, 'absent')!r}")
            elif key in found:
                lines += compare(expected[key], found[key], exact=exact, at=f"{at}.{key}")
        return lines
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for index, (one, other) in enumerate(zip(expected, found, strict=True))
            for line in compare(one, other, exact=exact, at=f"{at}[{index}]")
        ]
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
    return [] if same else [f"{at}: expected {expected!r}, found {found!r}"]


def test_every_difference_has_a_reason() -> None:
    for case in CASES:
        assert ("agentui" in case) == ("why" in case), case["id"]
        if "agentui" in case:
            assert case["agentui"] != case["expected"], case["id"]


def test_a_case_that_agrees_is_not_marked_as_a_difference() -> None:
    for case in OURS:
        if "agentui" in case:
            exact = case["match"] == "exact"
            assert compare(case["expected"], outcome(case), exact=exact) != [], case["id"]


def test_what_is_not_run() -> None:
    assert {case["id"]: case["not_ours"] for case in CASES if "not_ours" in case} == NOT_OURS


NOT_OURS = {
    "mr-09-delete-middle-relinks-children": (
        "No message is taken out of a thread: what was said stays."
    ),
    "mr-14-evict-offbranch-optimistic": (
        "A message shown before the server has it lives in the browser's code only."
    ),
    "tj-01-filter-and-sort": (
        "assistant-ui's page picks the tools it sends; which of those are taken is another rule "
        "(actions.page_tools)."
    ),
    **dict.fromkeys(
        (
            "st-01-tool-no-result-inherits",
            "st-04-text-not-last-complete",
            "st-05-text-under-requires-action-complete",
        ),
        "A page of assistant-ui derives it from the message that it is given; no stream or row of "
        "agentui has it.",
    ),
    **dict.fromkeys(
        (
            "tm-02-assistant-defaults",
            "tm-03-drops-blank-text-reasoning",
            "tm-04-tool-call-args",
            "tm-06-unknown-part-throws",
            "tm-07-status-on-user-throws",
            "tm-08-system-single-text",
        ),
        "Loosely written messages are read by assistant-ui's page only; agentui writes its rows whole, "
        "and each protocol decodes what its clients send.",
    ),
}


def test_every_area_is_run() -> None:
    assert {case["area"] for case in OURS} == RUN.keys()
