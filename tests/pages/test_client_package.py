"""The npm package of the client: a small TypeScript project compiles against it, and Node runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import agentui
from hatch_build import node_command

ROOT = Path(agentui.__file__).parent
PACKAGE = ROOT / "npm"
COMPILER = ROOT / "frontend" / "node_modules" / "typescript" / "bin" / "tsc"

PROGRAM = """
import { Client, SharedState, ToolRegistry, accumulate, useFrontendTool, type ThreadStore } from "agentui-client";

const registry = new ToolRegistry();
useFrontendTool(
  {
    name: "set_theme",
    parameters: [{ name: "theme", enum: ["light", "dark"] }, { name: "soft", type: "boolean", required: false }],
    handler({ theme, soft }) {
      const exact: "light" | "dark" = theme;
      const maybe: boolean | undefined = soft;
      return { exact, maybe: maybe ?? null };
    },
  },
  { registry },
);

export async function talk(): Promise<string[]> {
  const client = new Client({ ws: "/ws/agentui/", api: "/agentui/api/", registry });
  client.connect();
  const store: ThreadStore = client.openThread(null, "support");
  const state = new SharedState<{ basket?: string[] }>(store);
  state.subscribe(({ basket }) => console.log(basket?.length));
  client.runner.watch(store);
  await store.sendText("Hello");
  return store.messages.map((message) => message.role);
}

const message = accumulate({ id: "a", role: "assistant" }, [{ type: "part_start", part: { type: "text", text: "Hi" } }]);
console.log(JSON.stringify({ parts: message.parts, outcome: await registry.runTool("set_theme", { theme: "dark" }) }));
"""
WRONG = """
import { ToolRegistry } from "agentui-client";
new ToolRegistry().registerTool({ name: "x", parameters: [{ name: "n", type: "number" }], handler: ({ n }) => n.toUpperCase() });
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "node_modules" / "agentui-client")
    options = {
        "target": "ES2022",
        "module": "NodeNext",
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "lib": ["ES2023", "DOM", "DOM.Iterable"],
        "types": [],
        "outDir": "out",
    }
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": options, "files": ["program.ts"]})
    )
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def compiled(project: Path, program: str) -> str:
    (project / "program.ts").write_text(program)
    done = subprocess.run(
        [*node_command("node"), str(COMPILER)], cwd=project, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def test_a_project_compiles_against_the_types_and_runs(project: Path) -> None:
    assert compiled(project, PROGRAM) == ""
    done = subprocess.run(
        [*node_command("node"), "out/program.js"], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "parts": [{"type": "text", "text": "Hi"}],
        "outcome": {"result": {"exact": "dark", "maybe": None}},
    }


def test_arguments_are_typed(project: Path) -> None:
    assert "toUpperCase" in compiled(project, WRONG)


def test_the_package_has_the_version_of_the_python_package() -> None:
    manifest = json.loads((PACKAGE / "package.json").read_text())
    assert manifest["version"] == agentui.__version__
    assert (PACKAGE / manifest["exports"]["."]["default"]).is_file()
    assert (PACKAGE / manifest["types"]).is_file()
