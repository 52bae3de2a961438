"""The README's five steps, carried out as they stand there, in a project made by startproject."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener, urlopen

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.flow


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def readme_blocks() -> dict[str, str]:
    """The Python blocks of the five steps, by the path in their first line."""
    text = (ROOT / "README.md").read_text()
    steps = text[text.index("## Put it into your site") : text.index("## Follow one message")]
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", steps, re.DOTALL)
    assert [path for path, _ in blocks] == [
        "mysite/settings.py",
        "mysite/asgi.py",
        "mysite/urls.py",
        "mysite/agents.py",
    ]
    return dict(blocks)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a user gets it, built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", folder, ROOT, cwd=folder)
    (found,) = folder.glob("agentui-*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new project with agentui installed by the five steps, in a clean environment."""
    folder = tmp_path_factory.mktemp("site")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "-q", f"agentui[daphne] @ {wheel.as_uri()}", cwd=folder)
    run(python, "-m", "django", "startproject", "mysite", ".", cwd=folder)
    for path, code in readme_blocks().items():
        target = folder / path
        if path.endswith("settings.py"):
            code = f'{target.read_text()}\n{code}\nINSTALLED_APPS += ["mysite"]\n'
        target.write_text(code)
    env = {**os.environ, "DJANGO_SUPERUSER_PASSWORD": "install-me"}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    run(python, "manage.py", "migrate", "-v", "0", cwd=folder, env=env)
    run(
        python,
        *("manage.py", "createsuperuser", "--noinput", "--username", "root"),
        *("--email", "root@example.com"),
        cwd=folder,
        env=env,
    )
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """``runserver``, as the last step says."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    with (site / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [
                str(site / "venv/bin/python"),
                "manage.py",
                "runserver",
                "--noreload",
                f"127.0.0.1:{port}",
            ],
            cwd=site,
            env=env,
            stdout=log,
            stderr=log,
        )
    try:
        for _ in range(300):
            assert server.poll() is None, (site / "server.log").read_text()
            try:
                with urlopen(f"http://127.0.0.1:{port}/admin/login/", timeout=5):
                    break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(15)


def signed_in(address: str) -> OpenerDirector:
    jar = CookieJar()
    browser = build_opener(HTTPCookieProcessor(jar))
    browser.open(f"{address}/admin/login/")
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {
        "username": "root",
        "password": "install-me",
        "csrfmiddlewaretoken": token or "",
        "next": "/agentui/",
    }
    browser.open(f"{address}/admin/login/", urlencode(form).encode())
    return browser


def test_the_chat_page_answers_and_brings_its_bundle(address: str) -> None:
    browser = signed_in(address)
    page = browser.open(f"{address}/agentui/").read().decode()
    assert "<agentui-chat" in page
    assert 'agent="helper"' in page
    (script,) = re.findall(r'src="(\S+agentui\.js)"', page)
    bundle = browser.open(f"{address}{script}").read()
    assert b"agentui-chat" in bundle


def test_a_person_who_is_not_signed_in_is_sent_to_the_login(address: str) -> None:
    with urlopen(f"{address}/agentui/") as answer:
        assert "/admin/login/" in answer.url


def test_the_system_checks_find_nothing(site: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    output = run(site / "venv/bin/python", "manage.py", "check", cwd=site, env=env)
    assert "no issues" in output


@pytest.mark.browser
def test_the_agent_answers_in_a_real_browser(address: str, page: Page) -> None:
    page.goto(f"{address}/admin/login/?next=/agentui/")
    page.get_by_label("Username").fill("root")
    page.get_by_label("Password").fill("install-me")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("textbox", name="Message").fill("When are you open on Monday?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("On Monday we are open from 9 to 18.")).to_be_visible()
