"""How often one user may ask, whichever door they come through.

The same key and the same form as :mod:`agentui.api.throttling`, which stands on the REST framework: a
list of times in the default cache, the newest first. A user who sends thirty messages through one
door and thirty through the other has sent sixty.
"""

from __future__ import annotations

import math
import time
from typing import Any

from django.core.cache import cache

from ..conf import app_settings
from ..exceptions import Throttled

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def count_request(user: Any, scope: str) -> None:
    """Count one request of this user's; raises :class:`Throttled` when it is one too many. Sync.

    ``scope`` is ``read``, ``write``, or ``send`` for what makes a model work.
    """
    rate = app_settings.API_RATES.get(scope)
    if rate is None:
        return
    number, _, period = rate.partition("/")
    seconds = _SECONDS[period[0]]
    key = f"agentui:throttle:{scope}:{user.pk}"
    now = time.time()
    times = [at for at in cache.get(key, ()) if at > now - seconds]
    if len(times) >= int(number):
        oldest = times[int(number) - 1] if int(number) else now
        raise Throttled(retry_after=max(1, math.ceil(oldest + seconds - now)))
    cache.set(key, [now, *times], seconds)
