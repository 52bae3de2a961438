"""The pages about OpenAI's clients, MCP and tokens do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import AsyncClient

from agentui.exceptions import NotSignedIn
from agentui.protocols.tokens import make_token, user_of_token
from agentui.runtime.database import in_database
from tests.protocols.live import ROOT, live_site

DOCS = ROOT / "docs"
MODELS = "/agentui/protocols/openai/v1/models"


def code_of(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.M | re.S)


@pytest.fixture(scope="module")
def site() -> Iterator[dict[str, Any]]:
    with live_site() as site:
        yield site


def run(code: str, site: dict[str, Any]) -> str:
    code = code.replace("https://example.com", site["url"]).replace("support", "helper")
    code = code.replace("a token of manage.py agentui_token", site["people"]["ada"]["token"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_openai(site: dict[str, Any]) -> None:
    code = "\n".join(code_of("frontends/openai.md"))
    printed = run(code + "\nprint(answer.choices[0].message.content)", site).splitlines()
    assert printed == ["You said: Where is my order 1042?", "Result: Oslo"]


def test_mcp(site: dict[str, Any]) -> None:
    setting, client = code_of("frontends/mcp.md")
    assert "MCP_AGENTS" in setting
    assert run(client, site).strip() == '{"number": 7, "items": ["shoes"]}'


@pytest.mark.django_db
def test_a_token_from_the_command_line(user: Any, rf: Any) -> None:
    out, notes = StringIO(), StringIO()
    call_command("agentui_token", "ada", "--days", "2", stdout=out, stderr=notes)
    assert "Valid until" in notes.getvalue()
    request = rf.get("/", headers={"Authorization": f"Bearer {out.getvalue().strip()}"})
    assert user_of_token(request) == user
    user.set_password("another")
    user.save()
    with pytest.raises(NotSignedIn):
        user_of_token(request)
    for wrong in (["nobody"], ["ada", "--days", "0"]):
        with pytest.raises(CommandError):
            call_command("agentui_token", *wrong)


@pytest.mark.django_db
def test_tokens_that_are_none(user: Any, rf: Any) -> None:
    token, _ = make_token(user, seconds=-1)
    good, _ = make_token(user)
    head, body, signature = good.split(".")
    over = rf.get("/", headers={"Authorization": f"Bearer {token}"})
    with pytest.raises(NotSignedIn):
        user_of_token(over)
    for forged in (
        f"{head}.{body}.", f"{head}.{body}.{signature[::-1]}", f"{head}..{signature}",
        f"{head}.e30.{signature}", f"{head}.{body}", "x", "", "é",
    ):  # fmt: skip
        request = rf.get("/", headers={"Authorization": f"Bearer {forged}"})
        assert user_of_token(request) is None


@pytest.mark.django_db(transaction=True)
async def test_functions_of_the_site(user: Any, settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.protocols.urls"
    client = AsyncClient()
    for name in ("by_header", "aby_header"):
        settings.AGENTUI = {"AUTHENTICATION": [f"tests.protocols.test_frontend_docs.{name}"]}
        known = await client.get(MODELS, headers={"X-User": "ada"})
        assert (known.status_code, (await client.get(MODELS)).status_code) == (200, 401)
        token, _ = await in_database(make_token, user)
        others = await client.get(MODELS, headers={"Authorization": f"Bearer {token}"})
        assert others.status_code == 401
    user.is_active = False
    await in_database(user.save)
    assert (await client.get(MODELS, headers={"X-User": "ada"})).status_code == 401


def by_header(request: Any) -> Any:
    return User.objects.filter(username=request.headers.get("X-User", "")).first()


async def aby_header(request: Any) -> Any:
    return await in_database(by_header, request)


def test_pages_name_every_setting() -> None:
    text = "".join(Path(page).read_text() for page in DOCS.rglob("*.md"))
    for name in ("AUTHENTICATION", "MCP_AGENTS", "MCP_WAIT_SECONDS", "API_RATES"):
        assert name in text
