"""Rows to core values and back: the one place.

Every function is one short transaction, sync, called through ``database.in_database``. A worker's
write is guarded by the attempt it holds; a worker that was thought dead gets :class:`Fenced` and has
changed nothing. What a page must know is published on commit.
"""

from .approvals import approve_call, expire_approval, refuse_call
from .calls import claim_call, note_progress, run_transactional, settle_call, tell_outcome
from .changes import changing
from .claim import Claim
from .claims import claim_run, release_run, release_taken, requeue_lost
from .dispatch import dispatch_next
from .ending import end_run
from .finish import finish_run
from .history import load_earlier
from .overtaking import overtake
from .replies import RunRequest, add_message, begin_reply
from .roundtrips import PreparedCall, store_roundtrip
from .shared_state import change_state, change_state_in_call, read_state
from .state import core_message, held_state, load_state
from .waiting import pause_run, wake_run

__all__ = [
    "Claim",
    "PreparedCall",
    "RunRequest",
    "add_message",
    "approve_call",
    "begin_reply",
    "change_state",
    "change_state_in_call",
    "changing",
    "claim_call",
    "claim_run",
    "core_message",
    "dispatch_next",
    "end_run",
    "expire_approval",
    "finish_run",
    "held_state",
    "load_earlier",
    "load_state",
    "note_progress",
    "overtake",
    "pause_run",
    "read_state",
    "refuse_call",
    "release_run",
    "release_taken",
    "requeue_lost",
    "run_transactional",
    "settle_call",
    "store_roundtrip",
    "tell_outcome",
    "wake_run",
]
