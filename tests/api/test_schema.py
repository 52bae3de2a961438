"""The OpenAPI description: valid, whole, and true."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.settings import patched_settings
from pydantic import BaseModel

from agentui.agents import Agent
from agentui.api import urls
from agentui.api.schema import rows
from agentui.api.schema.describing import OPERATIONS, Schema, schema_under
from agentui.models import Grant
from agentui.protocols.tokens import make_token
from agentui.testing import Call, Say

from .conftest import ROOT, Api, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema() -> dict[str, Any]:
    """As JSON Schema reads it: version 3.1 is JSON Schema, 3.0 is only like it."""
    with patched_settings({"OAS_VERSION": "3.1.0"}):
        return schema_under("agentui/api/")


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_drf_spectacular_has_nothing_to_say(tmp_path: Path, version: str) -> None:
    with patched_settings({"OAS_VERSION": version}):
        file = tmp_path / "schema.yaml"
        call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    assert f"openapi: {version}" in file.read_text()


def test_every_address_is_described(schema: dict[str, Any]) -> None:
    described = {
        (operation["operationId"], method)
        for methods in schema["paths"].values()
        for method, operation in methods.items()
    }
    assert described == {(f"agentui_{one.name}", one.method) for one in OPERATIONS}
    for pattern in urls.urlpatterns[:-1]:
        view = pattern.callback.view_class
        methods = {m for m in ("get", "post", "put", "patch", "delete") if hasattr(view, m)}
        mine = {one.method for one in OPERATIONS if one.view is view}
        assert view is Schema or methods == mine, pattern


def test_it_is_served_where_the_api_is(api: Api) -> None:
    answer = api.get("schema/")
    assert answer.status_code == 200
    assert "/agentui/api/threads/{id}/messages/" in answer.data["paths"]
    assert answer.data["info"]["title"] == "agentui"
    assert set(answer.data["components"]["securitySchemes"]) == {"agentuiToken", "cookieAuth"}
    assert Client().get(f"{ROOT}schema/").status_code == 401


def test_examples_are_taken(api: Api, shop: Agent, schema: dict[str, Any], thread: Any) -> None:
    for operation in OPERATIONS:
        if operation.example is None or operation.body is None:
            continue
        path = next(
            path
            for path, methods in schema["paths"].items()
            for method, one in methods.items()
            if one["operationId"] == f"agentui_{operation.name}"
        )
        body = schema["paths"][path][operation.method]["requestBody"]["content"]
        check(schema, operation.example, body["application/json"]["schema"])


@pytest.mark.django_db(transaction=True)
def test_real_rows_are_as_described(
    api: Api, staff: Any, play: Any, immediate: None, schema: dict[str, Any]
) -> None:
    play(
        [Say("Let me see."), Call("find", {"order": 7}), Call("refund", {"order": 7})],
        [Say("Refunded.")],
    )
    made = api.post("threads/", {"agent": "shop"})
    path = f"threads/{made.data['id']}/messages/"
    sent = api.post(path, {"parts": text("Refund 7")})
    page = api.get(path)
    approval = page.data["approvals"][0]
    decided = api.post(f"approvals/{approval['id']}/decide/", {"verdict": "approve"})
    Grant.objects.create(agent="shop", tool_name="refund", user=staff, granted_by=staff)
    Grant.objects.create(agent="shop", tool_name="refund", user_id=approval["requester"])
    grants = api.get("grants/")
    answers = {
        "Thread": [made, api.get(f"threads/{made.data['id']}/")],
        "Taken": [sent],
        "Messages": [page, api.get(path)],
        "Approval": [decided, api.get(f"approvals/{approval['id']}/")],
        "Approvals": [api.get("approvals/")],
        "Agents": [api.get("agents/")],
        "Threads": [api.get("threads/")],
        "Grants": [grants],
        "Run": [api.get(f"runs/{approval_run(page)}/")],
        "ToolCall": [api.get(f"tool-calls/{approval['tool_call']}/")],
        "Message": [api.get(f"messages/{page.data['messages'][-1]['id']}/")],
        "Error": [api.get(f"threads/{uuid.uuid4()}/"), api.post("threads/", {"x": 1})],
    }
    for name, some in answers.items():
        for answer in some:
            check(schema, answer.data, {"$ref": f"#/components/schemas/AgentUI{name}"})
    assert grants.data["grants"]
    # And nothing is in a row that the schema does not name.
    last = api.get(path).data
    for model, found in (
        (rows.Thread, [last["thread"]]),
        (rows.Message, last["messages"]),
        (rows.ToolCall, last["tool_calls"]),
        (rows.Approval, last["approvals"]),
        (rows.Run, last["runs"]),
        (rows.Grant, grants.data["grants"]),
    ):
        named: type[BaseModel] = model
        for row in found:
            assert set(row) <= set(named.model_fields), named
            assert {n for n, f in named.model_fields.items() if f.is_required()} <= set(row)


def approval_run(page: Any) -> str:
    run: str = page.data["tool_calls"][0]["run"]
    return run


BODIES: list[Any] = [{}, [], None, 7, "x", {"x": 1}, {"parts": []}, {"verdict": "perhaps"}]


def test_every_answer_has_a_status_that_is_described(
    api: Api, paused: Any, schema: dict[str, Any], settings: Any
) -> None:
    settings.AGENTUI = {"API_RATES": {"read": None, "write": None, "send": None}}
    ids = {
        "threads": paused.thread.pk,
        "messages": paused.asked.pk,
        "runs": paused.run.pk,
        "tool-calls": paused.paint.pk,
        "approvals": paused.approval.pk,
        "grants": uuid.uuid4(),
        "attachments": uuid.uuid4(),
    }
    seen = 0
    for path, methods in sorted(schema["paths"].items()):
        short = path.removeprefix(ROOT)
        for mine in (ids.get(short.split("/")[0]), uuid.uuid4()):
            for method, operation in methods.items():
                if method == "delete" and mine == paused.thread.pk:
                    continue
                for body in BODIES if method in ("post", "patch") else [None]:
                    answer = call(api, method, short.replace("{id}", str(mine)), body)
                    described = operation["responses"]
                    assert str(answer.status_code) in described, (method, path, body)
                    content = described[str(answer.status_code)].get("content")
                    if content and answer.data is not None:
                        check(schema, answer.data, content["application/json"]["schema"])
                    seen += 1
    assert seen > 150


def call(api: Api, method: str, path: str, body: Any) -> Any:
    if method in ("get", "delete"):
        return getattr(api, method)(path)
    return api._send(method, path, body, {})


def check(schema: dict[str, Any], value: Any, part: dict[str, Any]) -> None:
    """Fails unless ``value`` fits this part of the schema."""
    whole = {**part, "components": schema["components"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def test_tokens_and_functions_of_the_site(user: Any, settings: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    token, _ = make_token(user)
    bearer = {"Authorization": f"Bearer {token}"}
    made = client.post(
        f"{ROOT}threads/", {"agent": "shop"}, content_type="application/json", headers=bearer
    )
    assert made.status_code == 201
    assert client.get(f"{ROOT}threads/", headers={"Authorization": "Bearer x"}).status_code == 401
    for path in ("user_by_header", "auser_by_header"):
        settings.AGENTUI = {"AUTHENTICATION": [f"tests.api.test_schema.{path}"]}
        assert client.get(f"{ROOT}threads/", headers={"X-User": user.username}).status_code == 200
        assert client.get(f"{ROOT}threads/", headers=bearer).status_code == 401
    user.is_active = False
    user.save()
    assert client.get(f"{ROOT}threads/", headers={"X-User": user.username}).status_code == 401


def user_by_header(request: Any) -> Any:
    from django.contrib.auth.models import User

    return User.objects.filter(username=request.headers.get("X-User", "")).first()


async def auser_by_header(request: Any) -> Any:
    from asgiref.sync import sync_to_async

    return await sync_to_async(user_by_header)(request)
