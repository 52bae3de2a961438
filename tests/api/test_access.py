"""Who is let in: signed in, with the page's token, to their own rows only."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from agentui.api.urls import urlpatterns
from agentui.models import Approval, Attachment, Grant, Message, Run, Thread, ToolCall
from tests.api.conftest import ROOT, Api, text

ANSWER = {"tab": "t", "result": 1}

#: (name of the endpoint, method, body): every one that is about a row.
ABOUT_A_ROW: list[tuple[str, str, dict[str, Any] | None]] = [
    ("api-thread", "get", None),
    ("api-thread", "patch", {"title": "Mine now"}),
    ("api-thread", "patch", {"status": "archived"}),
    ("api-thread", "delete", None),
    ("api-thread-state", "post", {"operations": [{"type": "set", "path": [], "value": 1}]}),
    ("api-thread-messages", "get", None),
    ("api-thread-messages", "post", {"parts": text("Hello")}),
    ("api-thread-queue-clear", "post", {}),
    ("api-thread-queue-resume", "post", {}),
    ("api-message", "get", None),
    ("api-message-edit", "post", {"parts": text("Hello")}),
    ("api-message-regenerate", "post", {}),
    ("api-message-switch", "post", {}),
    ("api-message-cancel", "post", {}),
    ("api-message-move", "post", {}),
    ("api-message-steer", "post", {}),
    ("api-message-feedback", "post", {"rating": "positive"}),
    ("api-attachment", "get", None),
    ("api-attachment", "delete", None),
    ("api-attachment-content", "get", None),
    ("api-run", "get", None),
    ("api-run-cancel", "post", {}),
    ("api-tool-call", "get", None),
    ("api-tool-call-claim", "post", {"tab": "t"}),
    ("api-tool-call-result", "post", ANSWER),
    ("api-tool-call-outcome", "post", {"finding": "done"}),
    ("api-grant-revoke", "post", {}),
    ("api-approval", "get", None),
    ("api-approval-decide", "post", {"verdict": "approve"}),
]
ABOUT_NO_ROW: list[tuple[str, str, dict[str, Any] | None]] = [
    ("api-agents", "get", None),
    ("api-threads", "get", None),
    ("api-threads", "post", {"agent": "shop"}),
    ("api-attachments", "post", {}),
    ("api-approvals", "get", None),
    ("api-approvals-waiting", "get", None),
    ("api-grants", "get", None),
    ("api-unknown", "get", None),
    ("api-schema", "get", None),
]
READ = {"get"}


def test_no_endpoint_is_missing_from_the_table() -> None:
    table = {(name, method) for name, method, _ in ABOUT_A_ROW + ABOUT_NO_ROW}
    served = {
        (pattern.name, method)
        for pattern in urlpatterns
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(pattern.callback.cls, method)  # type: ignore[union-attr]
    }
    assert table - {("api-unknown", "get")} == served


def address(name: str, paused: Any = None) -> str:
    pattern = next(p for p in urlpatterns if p.name == name)
    path = str(pattern.pattern)
    if "<uuid:pk>" not in path:
        return path
    rows = {
        "threads": "thread",
        "messages": "asked" if name == "api-message-edit" else "answer",
        "runs": "run",
        "tool-calls": "paint",
        "approvals": "approval",
    }
    if path.startswith("grants/"):
        grant, _ = Grant.objects.get_or_create(
            agent="shop", tool_name="refund", user=paused.thread.owner
        )
        return path.replace("<uuid:pk>", str(grant.pk))
    if path.startswith("attachments/"):
        owner = paused.thread.owner
        attachment, _ = Attachment.objects.get_or_create(
            owner=owner, mime_type="text/plain", size=2, file="agentui/attachments/none"
        )
        return path.replace("<uuid:pk>", str(attachment.pk))
    return path.replace("<uuid:pk>", str(getattr(paused, rows[path.split("/")[0]]).pk))


def call(api: Api, name: str, method: str, body: Any, paused: Any) -> Any:
    path = address(name, paused)
    return getattr(api, method)(path) if body is None else getattr(api, method)(path, body)


def everything() -> list[Any]:
    models = (Thread, Message, Run, ToolCall, Approval, Grant, Attachment)
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.parametrize(("name", "method", "body"), ABOUT_A_ROW)
def test_rows_of_others_do_not_exist(
    other_api: Api, paused: Any, name: str, method: str, body: Any
) -> None:
    address(name, paused)
    before = everything()
    theirs = call(other_api, name, method, body, paused)
    assert theirs.status_code == 404
    assert theirs.data["code"] == "not_found"
    assert everything() == before
    # Nothing tells a row of somebody else from one that was never there.
    path = address(name, paused)
    row = next(part for part in path.split("/") if len(part) == 36)
    missing = getattr(other_api, method)(
        path.replace(row, str(uuid.uuid4())), *([] if body is None else [body])
    )
    assert (missing.status_code, missing.content) == (404, theirs.content)


@pytest.mark.parametrize(("name", "method", "body"), ABOUT_A_ROW + ABOUT_NO_ROW)
def test_anonymous(paused: Any, name: str, method: str, body: Any) -> None:
    address(name, paused)
    before = everything()
    answer = call(Api(Client()), name, method, body, paused)
    assert (answer.status_code, answer.data["code"]) == (401, "not_signed_in")
    assert answer["WWW-Authenticate"] == "Session"
    assert everything() == before


def test_a_person_who_was_switched_off(api: Api, user: Any, paused: Any) -> None:
    user.is_active = False
    user.save()
    answer = api.get(f"threads/{paused.thread.pk}/")
    assert (answer.status_code, answer.data["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("name", "method", "body"), [row for row in ABOUT_A_ROW + ABOUT_NO_ROW if row[1] not in READ]
)
def test_without_the_csrf_token(user: Any, paused: Any, name: str, method: str, body: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    address(name, paused)
    before = everything()
    answer = call(Api(client), name, method, body, paused)
    assert (answer.status_code, answer.data["code"]) == (403, "csrf_failed")
    assert everything() == before


def test_with_the_csrf_token(user: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    client.get("/admin/login/")
    token = "a" * 32
    client.cookies["csrftoken"] = token
    answer = Api(client).post("threads/", {"agent": "shop"}, X_CSRFToken=token)
    assert answer.status_code == 201


def test_a_thread_is_created_for_who_asks(other_api: Api, other_user: Any, paused: Any) -> None:
    """And under an id of our own: nobody joins a thread by naming its id."""
    for extra in ({"id": str(paused.thread.pk)}, {"owner": paused.thread.owner_id}):
        answer = other_api.post("threads/", {"agent": "shop", **extra})
        assert (answer.status_code, answer.data["code"]) == (400, "invalid")
    made = other_api.post("threads/", {"agent": "shop"}).data
    assert Thread.objects.get(pk=made["id"]).owner == other_user


class TestAuthenticationOfTheSite:
    """Where the site has set DRF's classes, they decide; our own rules stay."""

    @pytest.fixture(autouse=True)
    def _basic(self, settings: Any) -> None:
        settings.REST_FRAMEWORK = {
            "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.BasicAuthentication"],
            "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
            "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.FormParser"],
            "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.AnonRateThrottle"],
            "EXCEPTION_HANDLER": "tests.nothing",
            "UNAUTHENTICATED_USER": None,
            "STRICT_JSON": False,
        }

    def test_its_own_way_in(self, thread: Thread) -> None:
        good = {"Authorization": "Basic YWRhOnBhc3N3b3Jk"}
        client = Client(enforce_csrf_checks=True)
        answer = client.post(
            ROOT + "threads/",
            json.dumps({"agent": "shop"}),
            content_type="application/json",
            headers=good,
        )
        assert answer.status_code == 201

    def test_a_wrong_password(self, thread: Thread) -> None:
        answer = Api._read(
            Client().get(ROOT + "threads/", headers={"Authorization": "Basic YWRhOm5v"})
        )
        assert (answer.status_code, answer.data["code"]) == (401, "not_signed_in")
        assert answer["WWW-Authenticate"].startswith("Basic")

    def test_nobody(self, api: Api) -> None:
        """The session alone does not let in here, as the site has not listed it."""
        assert api.get("threads/").status_code == 401


class TestThrottles:
    @pytest.fixture(autouse=True)
    def _few(self, settings: Any) -> None:
        settings.AGENTUI = {
            **settings.AGENTUI,
            "API_RATES": {"read": "3/min", "write": "1/min", "send": "2/min"},
        }

    def test_each_scope_has_its_own_rate(self, api: Api, other_api: Api, thread: Thread) -> None:
        assert [api.get("threads/").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert api.post("threads/", {"agent": "shop"}).status_code == 201
        refused = api.post("threads/", {"agent": "shop"})
        assert (refused.status_code, refused.data["code"]) == (429, "throttled")
        assert int(refused["Retry-After"]) > 0
        assert Thread.objects.count() == 2
        path = f"threads/{thread.pk}/messages/"
        sent = [api.post(path, {"parts": text("Hi"), "on_active": "queue"}) for _ in range(3)]
        assert [answer.status_code for answer in sent] == [201, 201, 429]
        assert other_api.get("threads/").status_code == 200

    def test_a_site_may_lift_them(self, api: Api, settings: Any) -> None:
        settings.AGENTUI = {**settings.AGENTUI, "API_RATES": {"read": None}}
        assert {api.get("threads/").status_code for _ in range(10)} == {200}


class TestBrowsableApi:
    def test_not_for_the_public(self, api: Api) -> None:
        answer = api.client.get(ROOT + "threads/", headers={"Accept": "text/html"})
        assert answer.status_code == 406
        assert json.loads(answer.content)["code"] == "not_acceptable"

    def test_while_developing(self, api: Api, thread: Thread, settings: Any) -> None:
        settings.DEBUG = True
        for path in ("threads/", f"threads/{thread.pk}/", f"threads/{thread.pk}/messages/"):
            answer = api.client.get(ROOT + path, headers={"Accept": "text/html"})
            assert answer.status_code == 200
            assert answer["Content-Type"].startswith("text/html")
