"""The lines that connect a front end work as they are written in docs/frontends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients_ai import HERE, run_script

pytestmark = pytest.mark.flow

DOCS = Path(__file__).parents[3] / "docs" / "frontends"
NAMES = {
    "ai-sdk.md": ["use_chat", "plain_text"],
    "assistant-ui.md": ["chat_runtime", "cloud", "data_stream", "ag_ui", "transport"],
}


@pytest.fixture
def blocks() -> Iterator[dict[str, str]]:
    """Each block of code in a file of its own, where its imports are found."""
    files = {}
    for page, names in NAMES.items():
        found = re.findall(r"```js\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
        for name, code in zip(names, found, strict=True):
            files[name] = HERE / f".docs-{name}.mjs"
            # The test site's agent has another name.
            files[name].write_text(code.replace("/support", "/helper"))
    yield {name: str(file) for name, file in files.items()}
    for file in files.values():
        file.unlink()


def test_every_front_end_is_connected_by_its_lines(
    site: dict[str, Any], blocks: dict[str, str]
) -> None:
    said = run_script("docs", {**site, "blocks": blocks}, timeout=120)
    assert said.pop("cloud") == ["You said: hello", 2]
    assert said == dict.fromkeys(sorted(said), "You said: hello")
    assert len(said) == 6
