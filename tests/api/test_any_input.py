"""Whatever is sent to an address of the API, the answer is one that its description names."""

from __future__ import annotations

import json
import uuid
from typing import Any
from urllib.parse import urlencode

import jsonschema
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from drf_spectacular.settings import patched_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentui.api.schema.describing import OPERATIONS, schema_under
from agentui.models import Attachment, Grant
from tests.api.made import ODD, Maker

from .conftest import Api, make_paused, say

pytestmark = pytest.mark.django_db

_CALM = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
#: Of each address; a hundred times as many found nothing either.
_EXAMPLES = 15


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    with patched_settings({"OAS_VERSION": "3.1.0"}):
        return schema_under("agentui/api/")


@pytest.fixture
def rows(user: Any, staff: Any) -> dict[str, Any]:
    """A row of each kind, by the first step of its address."""
    paused = make_paused(user)
    say(paused.thread, "user", "Later", paused.answer, status="queued")
    file = Attachment.objects.create(
        owner=user,
        filename="a.txt",
        mime_type="text/plain",
        size=1,
        file=SimpleUploadedFile("a", b"a"),
    )
    grant = Grant.objects.create(agent="shop", tool_name="refund", user=user, granted_by=staff)
    return {
        "threads": paused.thread,
        "messages": paused.asked,
        "runs": paused.run,
        "tool-calls": paused.paint,
        "approvals": paused.approval,
        "grants": grant,
        "attachments": file,
    }


@pytest.mark.parametrize("name", [one.name for one in OPERATIONS])
def test_every_input_has_a_described_answer(
    api: Api, rows: dict[str, Any], described: dict[str, Any], settings_: Any, name: str
) -> None:
    (path, method, operation) = next(
        (path, method, one)
        for path, methods in described["paths"].items()
        for method, one in methods.items()
        if one["operationId"] == f"agentui_{name}"
    )
    row = rows.get(path.split("/")[3])
    maker = Maker(described["components"]["schemas"], [str(one.pk) for one in rows.values()])
    ids = st.one_of([st.just(str(one.pk)) for one in (row,) if one] * 4 + [st.uuids().map(str)])
    body = operation.get("requestBody", {}).get("content", {})

    @settings(max_examples=_EXAMPLES, deadline=None, suppress_health_check=_CALM, database=None)
    @given(data=st.data())
    def try_it(data: st.DataObject) -> None:
        address = path.replace("{id}", data.draw(ids, "id"))
        with transaction.atomic():
            answer = _send(data, api.client, method, address, operation, body, maker)
            check(answer, operation, described)
            transaction.set_rollback(True)

    try_it()


@pytest.fixture
def settings_(settings: Any) -> Any:
    settings.AGENTUI = {
        **settings.AGENTUI,
        "API_RATES": {"read": None, "write": None, "send": None},
    }
    return settings


def _send(
    data: st.DataObject,
    client: Client,
    method: str,
    address: str,
    operation: dict[str, Any],
    body: dict[str, Any],
    maker: Maker,
) -> Any:
    query, headers = {}, {}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path" or not data.draw(st.booleans()):
            continue
        value = data.draw(st.one_of(maker.fitting(parameter["schema"]), ODD), parameter["name"])
        sent = value if isinstance(value, str) else json.dumps(value)
        if parameter["in"] == "header":
            headers[parameter["name"]] = sent.encode("ascii", "replace").decode()
        else:
            query[parameter["name"]] = sent.encode("utf-8", "replace").decode()
    url = f"{address}?{urlencode(query)}" if query else address
    if method in ("get", "delete"):
        return client.generic(method.upper(), url, headers=headers)
    if "multipart/form-data" in body:
        file = SimpleUploadedFile(
            data.draw(st.sampled_from(["a.txt", "a.html", "..x", "é" * 200 + ".png", "a\x00.txt"])),
            data.draw(st.binary(max_size=20)),
            data.draw(st.sampled_from(["text/plain", "image/png", "", "x", "text/html; a=b"])),
        )
        field = data.draw(st.sampled_from(["file", "file", "other"]))
        return client.post(url, {field: file}, headers=headers)
    schema = body["application/json"]["schema"]
    value = data.draw(st.one_of(maker.fitting(schema), maker.almost(schema)), "body")
    return client.generic(
        method.upper(), url, json.dumps(value), content_type="application/json", headers=headers
    )


def check(answer: Any, operation: dict[str, Any], described: dict[str, Any]) -> None:
    """The status is named, and what came is as the description says."""
    if answer.streaming:
        assert answer.getvalue() == b"a"  # Reading a file to its end closes it.
    assert answer.status_code < 500
    found = operation["responses"]
    assert str(answer.status_code) in found
    content = found[str(answer.status_code)].get("content", {})
    if "application/json" in content:
        assert answer["Content-Type"] == "application/json"
        whole = {**content["application/json"]["schema"], "components": described["components"]}
        jsonschema.Draft202012Validator(whole).validate(json.loads(answer.content))


def test_the_rows_are_those_of_the_one_who_asks(rows: dict[str, Any], api: Api) -> None:
    """Otherwise every answer above were a 404."""
    for kind, row in rows.items():
        if kind not in ("grants",):
            assert api.get(f"{kind}/{row.pk}/").status_code == 200, kind
    assert api.get(f"threads/{uuid.uuid4()}/").status_code == 404
