"""Which thread a client talks about, when all it has is what was said. Sync.

The client's turns are compared with the turns of this user's threads that were begun here, word by
word without the spaces. A thread is only found by its own words, so a client can name what is there
and cannot add to it. An answer may have more to it than the client has seen: it goes on behind a
call that waited.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.statuses import Role
from ...models import Message, Thread
from ...permissions import threads_for
from .decoder import Spoken, file_digest

KEY = "openai_chat"
_RECENT = 200
_TRIED = 20
_LONGEST_BRANCH = 1000

#: What the encoder adds to an answer about calls that wait; it is no part of the message.
NOTICE = re.compile(r"\[Waiting for [^\[\]]*\]")


@dataclass(slots=True)
class _Exchange:
    """What the user said and what was answered, without spaces."""

    asked: str
    answer: str = ""
    has_notice: bool = False
    last: Any = None  # id of the last message of it, in a thread's own turns


@dataclass(frozen=True, slots=True)
class Match:
    """The thread, and the message to go on from; None when that is its head."""

    thread: Thread
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The client's turns, ready to be compared."""

    turns: list[_Exchange] = field(default_factory=list)
    starts_with_user: bool = True

    @property
    def first(self) -> str:
        return _digest([self.turns[0].asked])

    def prefix(self, count: int) -> str:
        """What stands for the first turns, where they are known only as a quotation."""
        return _digest([text for turn in self.turns[:count] for text in (turn.asked, turn.answer)])


def said(earlier: Iterable[Spoken]) -> Said:
    """The turns of what was said, as the client has it."""
    turns: list[_Exchange] = []
    starts = True
    is_asking = False
    for spoken in earlier:
        if spoken.role == "user":
            words = _squashed(spoken.text, spoken.files)
            if is_asking:
                turns[-1].asked += words
            else:
                turns.append(_Exchange(words))
        elif turns:
            text = NOTICE.sub("", spoken.text)
            turns[-1].answer += _squashed(text)
            turns[-1].has_notice |= text != spoken.text
        else:
            starts = False
        is_asking = spoken.role == "user"
    return Said(turns, starts)


def find_thread(user: Any, agent: str, history: Said) -> Match | None:
    """The newest thread that says the same; None when there is none, or nothing was said."""
    if not history.turns or not history.starts_with_user:
        return None
    mine = threads_for(user).filter(agent=agent).regular().recent_first()
    # Each request may begin a thread, so a user may have many: only the recent ones are looked at.
    recent = mine.values_list("pk", "metadata")[:_RECENT]
    same = [pk for pk, metadata in recent if metadata.get(KEY) == history.first][:_TRIED]
    for thread in mine.filter(pk__in=same):
        if (match := _compared(thread, history)) is not None:
            return match
    return None


def _compared(thread: Thread, history: Said) -> Match | None:
    branch = Message.objects.branch(thread.head_id, _LONGEST_BRANCH)
    theirs = list(history.turns)
    quoted = branch[0].metadata.get(KEY) if branch else None
    if quoted:
        if history.prefix(quoted["turns"]) != quoted["digest"]:
            return None
        theirs = theirs[quoted["turns"] :]
    ours = _turns(branch, bool(quoted))
    if not theirs or len(theirs) > len(ours):
        return None
    for mine, other in zip(ours, theirs, strict=False):
        is_same = mine.asked == other.asked and mine.answer.startswith(other.answer)
        if not is_same or not (other.answer or other.has_notice or not mine.answer):
            return None
    last = ours[len(theirs) - 1].last
    if last == thread.head_id:
        return Match(thread)
    # The client goes back: a branch of its own, unless something is still going on in this one.
    if thread.active_run() is not None or thread.runs.waiting().exists():
        return None
    return Match(thread, str(last))


def _turns(branch: Sequence[Message], is_quoting: bool) -> list[_Exchange]:
    turns: list[_Exchange] = []
    for message in branch:
        if message.role == Role.USER:
            parts = message.parts[1:] if is_quoting and not turns else message.parts
            text = "".join(part["text"] for part in parts if part["type"] == "text")
            files = [file_digest(part) for part in parts if part["type"] == "file"]
            turns.append(_Exchange(_squashed(text, files)))
        elif message.role == Role.ASSISTANT and turns:
            turns[-1].answer += _squashed(message.text)
        if turns:
            turns[-1].last = message.pk
    return turns


def _squashed(text: str, files: Iterable[str] = ()) -> str:
    return "".join(text.split()) + "".join(f"\n{digest}" for digest in files)


def _digest(texts: list[str]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()
