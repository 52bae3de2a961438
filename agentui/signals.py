"""What a site can listen to. Every signal is sent after the change is committed, and an error of a
receiver is logged and changes nothing.

All are sent with ``sender`` = the row's model class and keyword arguments as commented.
"""

from __future__ import annotations

from django.dispatch import Signal

run_started = Signal()  # run: a worker has taken it up, for the first time
run_waiting = Signal()  # run: it waits for a person or a page, and may do so more than once
run_finished = Signal()  # run
message_sent = Signal()  # message, user
tool_call_finished = Signal()  # tool_call
outcome_recorded = Signal()  # tool_call, record: what an interrupted call really did
approval_expires_soon = Signal()  # approval: it is time to remind those who may decide
approval_escalated = Signal()  # approval: from now on the second group may decide, too
approval_requested = Signal()  # approval
approval_decided = Signal()  # approval, decision (None when nobody decided)
