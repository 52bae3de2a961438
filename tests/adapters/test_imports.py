"""Providers' libraries are loaded when a model is first asked, not before."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import agentui, agentui.adapters
from agentui.adapters import get_adapter
get_adapter("openai:gpt-5.2")
get_adapter("anthropic:claude-x")
heavy = {"pydantic_ai", "openai", "anthropic", "httpx", "httpx2", "django", "channels"}
print(sorted(heavy & set(sys.modules)))
"""


def test_importing_and_naming_a_model_loads_no_provider() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
