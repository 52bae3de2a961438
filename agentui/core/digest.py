"""The fingerprint that ties a decision to exactly what was shown."""

from __future__ import annotations

import json
from hashlib import sha256


def args_digest(tool_name: str, args_text: str) -> str:
    """The SHA-256, in hex, of the tool's name and the exact text of its arguments.

    The two are framed as a JSON list, so no other name and text can give the same bytes.
    """
    return sha256(json.dumps([tool_name, args_text]).encode()).hexdigest()
