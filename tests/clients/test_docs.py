"""The lines that connect a front end work as they are written in docs/frontends."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hatch_build import node_command

from . import HERE, install

pytestmark = [pytest.mark.flow, pytest.mark.slow]

DOCS = Path(__file__).parents[2] / "docs" / "frontends"

#: What a browser has: cookies, and addresses that begin at the site.
BROWSER = """
globalThis.window ??= globalThis;
globalThis.document ??= { cookie: HEADERS.cookie };
const reach = globalThis.fetch;
globalThis.fetch = (address, options = {}) => {
  const headers = { ...Object.fromEntries(new Headers(options.headers)), cookie: HEADERS.cookie };
  return reach(new URL(address, SITE), { ...options, headers });
};
"""


def code_of(page: str) -> tuple[str, str]:
    """The JavaScript of a page as one module: its imports, and the rest."""
    text = (DOCS / page).read_text()
    blocks = re.findall(r"^```js\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    code = "\n".join(blocks).replace("/support", "/helper")
    imports = re.findall(r"^import .*?;\n", code, re.MULTILINE)
    rest = re.sub(r"^import .*?;\n", "", code, flags=re.MULTILINE)
    return "".join(imports), rest.replace("export ", "")


def run(site: dict[str, Any], page: str, then: str) -> Any:
    """What ``then`` prints, after the code of the page has run."""
    install()
    imports, code = code_of(page)
    given = {"HEADERS": site["people"]["ada"]["headers"], "SITE": site["url"]}
    known = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    script = "\n".join([imports, known, BROWSER, code, then, "process.exit(0)"])
    done = subprocess.run(
        [*node_command("node"), "--input-type=module", "--eval", script],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_ag_ui(site):
    said = run(
        site,
        "ag-ui.md",
        """
        await ask(agent, "page");
        agent.addMessage({ id: randomUUID(), role: "user", content: "deploy x" });
        await agent.runAgent();
        await decide(agent, false, "not today");
        console.log(JSON.stringify(agent.messages.map((message) => message.content ?? "")));
        """,
    )
    assert "You said: Where is my order 1042?" in said
    assert any("Oslo" in text for text in said)
    assert any("not today" in text for text in said)


def test_copilotkit(site):
    said = run(
        site,
        "copilotkit.md",
        """
        for (let tries = 0; tries < 100 && !core.getAgent("helper"); tries++)
          await new Promise((resolve) => setTimeout(resolve, 50));
        const agent = core.getAgent("helper");
        agent.addMessage({ id: crypto.randomUUID(), role: "user", content: "hello" });
        await core.runAgent({ agent });
        console.log(JSON.stringify(agent.messages.map((message) => message.content)));
        """,
    )
    assert said == ["hello", "You said: hello"]
