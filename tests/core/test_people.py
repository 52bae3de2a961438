"""Answers to approvals, the tree of messages, and messages that wait their turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentui.core import queue
from agentui.core.approval import Resolution, check_open, kind_of, resolve_response, tally
from agentui.core.parts import ApprovalOption, ApprovalState
from agentui.core.statuses import ApprovalStatus
from agentui.core.tree import MessageTree, TreeError
from agentui.exceptions import (
    AlreadyDecided,
    ApprovalClosed,
    ApprovalExpired,
    Conflict,
    InvalidInput,
)

OFFERED = ApprovalState(
    "a",
    options=(
        ApprovalOption("once", "allow_once"),
        ApprovalOption("always", "allow-always"),
        ApprovalOption("never", "reject_always"),
        ApprovalOption("edit", "_modify-it"),
    ),
)


@pytest.mark.parametrize(
    ("option", "approved"), [("once", True), ("always", True), ("never", False)]
)
def test_an_option_is_a_verdict(option: str, approved: bool) -> None:
    assert resolve_response(OFFERED, option_id=option) == Resolution(approved, option)


def test_a_verdict_given_beside_an_option_counts() -> None:
    assert not resolve_response(OFFERED, option_id="once", verdict="deny").approved
    assert resolve_response(OFFERED, option_id="edit", verdict="approve").approved


def test_no_answer_is_refused() -> None:
    with pytest.raises(InvalidInput, match="Approve or deny"):
        resolve_response(OFFERED)


def test_kinds_are_spelt_our_way_except_the_sites_own() -> None:
    kinds = [kind_of(option) for option in OFFERED.options]
    assert kinds == ["allow_once", "allow_always", "deny_always", "_modify-it"]


@pytest.mark.parametrize(
    ("status", "refusal"),
    [
        (ApprovalStatus.APPROVED, AlreadyDecided),
        (ApprovalStatus.DENIED, AlreadyDecided),
        (ApprovalStatus.EXPIRED, ApprovalExpired),
        (ApprovalStatus.CANCELLED, ApprovalClosed),
        (ApprovalStatus.SUPERSEDED, ApprovalClosed),
    ],
)
def test_an_approval_is_answered_once(status: ApprovalStatus, refusal: type[Conflict]) -> None:
    check_open(ApprovalStatus.PENDING)
    with pytest.raises(refusal):
        check_open(status)


@pytest.mark.parametrize(
    ("required", "verdicts", "status"),
    [
        (1, [], "pending"),
        (1, ["approve"], "approved"),
        (2, ["approve"], "pending"),
        (2, ["approve", "approve"], "approved"),
        (2, ["approve", "deny"], "denied"),
        (3, ["deny"], "denied"),
        (0, [], "pending"),
    ],
)
def test_tally(required: int, verdicts: list[str], status: str) -> None:
    assert tally(required, verdicts) == status


# The tree

NAMES = [f"m{number}" for number in range(8)]
PARENTS = st.tuples(*(st.sampled_from([None, *NAMES[:at]]) for at in range(len(NAMES))))


@given(PARENTS, st.sampled_from(NAMES))
def test_every_branch_can_be_shown(parents: tuple[str | None, ...], wanted: str) -> None:
    tree = MessageTree(zip(NAMES, parents, strict=True))
    tree.switch(wanted)
    path = tree.path()
    assert wanted in path
    assert path[-1] == tree.head
    assert tree.head not in parents
    for above, below in zip([None, *path], path, strict=False):
        assert tree.parent(below) == above
        assert below in tree.siblings(below)


@given(PARENTS, st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_coming_back_to_a_branch_shows_it_as_it_was(
    parents: tuple[str | None, ...], one: str, other: str
) -> None:
    tree = MessageTree(zip(NAMES, parents, strict=True))
    tree.switch(one)
    shown = tree.path()
    if other not in shown and not set(tree.path(other)) & set(shown[shown.index(one) :]):
        tree.switch(other)
        tree.switch(one)
        assert tree.path() == shown


def test_what_cannot_stand_changes_nothing() -> None:
    tree = MessageTree([("a", None)])
    for message, parent in [("a", "a"), ("a", None), ("b", "nobody")]:
        with pytest.raises(TreeError):
            tree.add(message, parent)
    with pytest.raises(TreeError):
        tree.switch("nobody")
    assert (tree.path(), tree.head) == (("a",), "a")
    assert "b" not in tree


def test_a_very_long_thread_is_no_deep_recursion() -> None:
    names = [str(number) for number in range(30_000)]
    tree = MessageTree(zip(names, [None, *names], strict=False))
    assert len(tree.path()) == 30_000
    tree.switch("0")
    assert tree.head == "29999"


def test_a_thread_read_from_rows_shows_the_branch_written_last() -> None:
    tree = MessageTree([("q", None), ("a1", "q"), ("a2", "q")], head="a1")
    assert tree.path() == ("q", "a1")
    tree.switch("q")
    assert tree.path() == ("q", "a2")


# The queue

MOVES = st.lists(st.sampled_from(["enqueue", "steer", "ended", "stopped"]), max_size=20)


@given(MOVES)
def test_every_message_runs_once_or_waits(moves: list[str]) -> None:
    state, sent, ran = queue.Queue(), [], []
    for number, move in enumerate(moves):
        was_busy = state.is_busy
        match move:
            case "enqueue":
                sent.append(f"q{number}")
                change = queue.enqueue(state, sent[-1])
            case "steer":
                # Where nothing runs there is nothing to go ahead of.
                sent.append(f"s{number}" if was_busy else f"q{number}")
                change = queue.steer(state, sent[-1], can_cancel=True)
                assert change.cancel == was_busy
            case "ended":
                change = queue.ended(state)
            case _:
                change = queue.stopped(state)
        state = change.queue
        if change.run is not None:
            assert not was_busy or move == "ended"
            assert state.is_busy
            ran.append(change.run)
    assert sorted([*ran, *state.queued, *state.steered]) == sorted(sent)
    for lane in "qs":
        order = [name for name in ran if name[0] == lane]
        assert order == [name for name in sent if name[0] == lane][: len(order)]


def test_a_message_that_waits_can_be_taken_back() -> None:
    state = queue.Queue(waiting=("a", "b", "c"), ahead=frozenset("c"), is_busy=True)
    assert queue.remove(state, "a").queue.queued == ("b",)
    assert queue.remove(state, "c").queue.steered == ()
    with pytest.raises(KeyError):
        queue.remove(state, "z")
    assert queue.clear(state).queue == queue.Queue(is_busy=True)
