"""What an install brings: the built front end in the wheel and the sdist, and nothing by accident."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, Route

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = "agentui/static/agentui/agentui.js"
BUNDLE_FILES = {BUNDLE, f"{BUNDLE}.map", "agentui/static/agentui/agentui.licenses.txt"}


@pytest.fixture(scope="module")
def bundle() -> Path:
    """The front end built from the sources as they are now."""
    subprocess.run([sys.executable, "hatch_build.py"], cwd=ROOT, check=True)
    return ROOT / BUNDLE


CLIENT_PACKAGE = {
    f"agentui/npm/{name}" for name in ("package.json", "agentui-client.js", "types/client.d.ts")
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of this checkout and the wheel made from that sdist.

    No folder with Node is on the path: the build brings its own.
    """
    folder = tmp_path_factory.mktemp("dist")
    path = os.pathsep.join(
        part
        for part in os.environ.get("PATH", "").split(os.pathsep)
        if shutil.which("node", path=part) is None
    )
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel_names(built: Path) -> set[str]:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def sdist_names(built: Path) -> set[str]:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


@pytest.mark.slow
def test_wheel_carries_the_built_front_end(wheel_names: set[str]) -> None:
    assert wheel_names >= BUNDLE_FILES
    assert "agentui/py.typed" in wheel_names
    assert wheel_names >= CLIENT_PACKAGE


@pytest.mark.slow
def test_wheel_carries_the_package_and_nothing_else(wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"agentui"}
    assert not [name for name in wheel_names if "node_modules" in name]
    sources = {name for name in wheel_names if name.endswith(".ts")}
    assert not {name for name in sources if not name.startswith("agentui/npm/types/")}
    assert not [name for name in wheel_names if name.startswith("agentui/frontend/")]


@pytest.mark.slow
def test_wheel_carries_every_file_of_the_package(wheel_names: set[str]) -> None:
    """Templates, migrations and translations are easily forgotten by a build's configuration."""
    listed = subprocess.run(
        ["git", "ls-files", "agentui"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    expected = {name for name in listed if not name.startswith("agentui/frontend/")}
    assert expected <= wheel_names


@pytest.mark.slow
def test_sdist_carries_sources_and_bundle(sdist_names: set[str]) -> None:
    assert sdist_names >= BUNDLE_FILES | CLIENT_PACKAGE
    assert sdist_names >= {"pyproject.toml", "hatch_build.py", "LICENSE", "README.md"}
    assert "agentui/frontend/src/index.ts" in sdist_names
    assert not [name for name in sdist_names if "node_modules" in name]


def test_bundle_names_no_path_of_this_machine(bundle: Path) -> None:
    source_map = json.loads(bundle.with_suffix(".js.map").read_text())
    assert source_map["sources"]
    assert not [source for source in source_map["sources"] if Path(source).is_absolute()]
    assert str(ROOT) not in bundle.read_text()


def test_lock_file_records_no_download_address() -> None:
    lock = json.loads((ROOT / "agentui/frontend/package-lock.json").read_text())
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def test_front_end_versions_are_pinned() -> None:
    package = json.loads((ROOT / "agentui/frontend/package.json").read_text())
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert not [version for version in versions if not re.fullmatch(r"\d+\.\d+\.\d+", version)]


def test_up_to_date_front_end_is_not_built_again(bundle: Path) -> None:
    before = bundle.stat().st_mtime_ns
    subprocess.run([sys.executable, "hatch_build.py"], cwd=ROOT, check=True)
    assert bundle.stat().st_mtime_ns == before


@pytest.mark.slow
def test_unreachable_registry_is_explained(tmp_path: Path) -> None:
    """Somebody who installs a checkout offline reads what to do, not a trace of npm's."""
    checkout = copy_of_the_build(tmp_path)
    done = subprocess.run(
        [sys.executable, "hatch_build.py"],
        cwd=checkout,
        env={
            **os.environ,
            "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/",
            "NPM_CONFIG_CACHE": str(tmp_path / "cache"),
            "NPM_CONFIG_FETCH_RETRIES": "0",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "npm could not reach its package registry" in done.stderr
    assert "install\nagentui from a wheel or an sdist instead" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (checkout / BUNDLE).exists()


def test_sdist_with_a_bundle_needs_no_node(tmp_path: Path) -> None:
    checkout = copy_of_the_build(tmp_path)
    (checkout / "PKG-INFO").touch()
    (checkout / BUNDLE).parent.mkdir(parents=True)
    (checkout / BUNDLE).touch()
    done = subprocess.run(
        [sys.executable, "-S", "-E", "hatch_build.py"],
        cwd=checkout,
        env={"PATH": ""},
        check=False,
    )
    assert done.returncode == 0


def copy_of_the_build(folder: Path) -> Path:
    """The parts of a fresh checkout that the build of the front end reads."""
    checkout = folder / "checkout"
    checkout.mkdir()
    shutil.copy(ROOT / "hatch_build.py", checkout)
    shutil.copytree(
        ROOT / "agentui" / "frontend",
        checkout / "agentui" / "frontend",
        ignore=shutil.ignore_patterns("node_modules"),
    )
    return checkout


def test_no_extra_is_needed_to_import_agentui() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[<>=\[]", line)[0] for line in project["dependencies"]}
    assert names == {"django", "channels", "djangorestframework", "pydantic"}


@pytest.mark.browser
def test_bundle_is_one_module_that_a_strict_policy_lets_run(page: Page, bundle: Path) -> None:
    """Everything is in the one file: no second import, no eval, no inline style element."""
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    requested: list[str] = []
    policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"

    def answer(route: Route, request: Request) -> None:
        requested.append(request.url)
        if request.url.endswith("/agentui.js"):
            route.fulfill(path=bundle, content_type="text/javascript")
        elif request.url == "http://agentui.test/":
            body = (
                '<!doctype html><title>t</title><script type="module" src="/agentui.js"></script>'
            )
            headers = {"Content-Security-Policy": policy}
            route.fulfill(body=body, content_type="text/html", headers=headers)
        else:
            route.fulfill(status=204)

    page.context.route("**/*", answer)
    page.goto("http://agentui.test/", wait_until="load")

    assert problems == []
    assert [url for url in requested if "favicon" not in url] == [
        "http://agentui.test/",
        "http://agentui.test/agentui.js",
    ]
