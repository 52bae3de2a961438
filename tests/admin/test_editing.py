"""Arguments changed on the page, and answers given by a form: shown first, then exactly that."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest

from agentui import ApprovalPolicy
from agentui.admin.schema_form import SchemaForm, exact_json, read_exactly
from agentui.agents import PolicyOption
from agentui.core.digest import args_digest
from agentui.models import Approval, Decision, ToolCall
from tests.admin.pages import answer, decide_url, page_of, text_of
from tests.admin.rows import waiting

pytestmark = pytest.mark.django_db

EDITABLE = ApprovalPolicy(permission="testsite.change_effect", editable=("amount", "note"))


def hidden(response: Any, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', response.content.decode())
    assert found, name
    return html.unescape(found[1])


def test_only_what_the_policy_names_can_be_changed(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user, policy=EDITABLE)
    page = signed_in(decider).get(page_of(approval)).content.decode()
    labels = re.findall(r'<label for="id_arg-\d+">([^<]*)', page)
    assert labels == ["amount:", "note:"]
    plain = waiting(user)
    assert "Change the arguments" not in text_of(signed_in(decider).get(page_of(plain)))


def test_changes_are_shown_before_anything_runs_and_what_ran_is_what_was_shown(
    decider: Any, user: Any, signed_in: Any
) -> None:
    text = '{"order_id": 9007199254740993, "amount": "12.50", "note": ""}'
    approval = waiting(user, policy=EDITABLE, args_text=text)
    client = signed_in(decider)
    form = {"arg-0": "7.00", "arg-1": "only half\r\nof it", "edit": "1"}
    shown = client.post(decide_url(approval), {**form, "digest": approval.args_digest})
    page = text_of(shown)
    assert shown.status_code == 200
    assert "Look at the changes before you approve" in page
    changed = [(c.name, c.before, c.after) for c in shown.context["changes"]]
    assert changed == [("amount", "12.50", "7.00"), ("note", "", "only half\nof it")]
    assert "It will run with" in page
    assert not Decision.objects.exists()
    edited = hidden(shown, "args_text")
    assert edited == (
        '{"order_id": 9007199254740993, "amount": "7.00", "note": "only half\\nof it"}'
    )
    answer(client, approval, "approve", args_text=edited)
    call = ToolCall.objects.get()
    assert (call.status, call.args_text, call.edited_args_text) == ("approved", text, edited)
    decision = Decision.objects.get()
    assert decision.edited_args_text == edited
    assert decision.args_digest == args_digest("refund_order", edited)
    done = text_of(client.get(page_of(approval)))
    assert "Exactly as an approver changed them; this is what runs" in done


def test_nothing_changed_is_said(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user, policy=EDITABLE)
    form = {"arg-0": "12.50", "arg-1": "", "edit": "1", "digest": approval.args_digest}
    response = signed_in(decider).post(decide_url(approval), form)
    assert response.status_code == 422
    assert "Nothing was changed" in text_of(response)


def test_what_does_not_fit_the_tool_is_said_at_the_form(
    decider: Any, user: Any, signed_in: Any
) -> None:
    policy = ApprovalPolicy(permission="testsite.change_effect", editable=("order_id",))
    approval = waiting(user, policy=policy)
    client = signed_in(decider)
    for typed, problem in (("seventeen", "Write a number"), ("", "This field is required")):
        form = {"arg-0": typed, "edit": "1", "digest": approval.args_digest}
        response = client.post(decide_url(approval), form)
        assert (response.status_code, problem in text_of(response)) == (422, True)
    assert not Decision.objects.exists()


def test_the_action_refuses_what_the_form_did_not_offer(
    decider: Any, user: Any, signed_in: Any
) -> None:
    approval = waiting(user, policy=EDITABLE)
    forged = json.dumps({"order_id": 1, "amount": "12.50"})
    response = answer(signed_in(decider), approval, "approve", args_text=forged)
    assert response.status_code == 409
    assert "These arguments may not be changed: order_id" in text_of(response)
    assert not Decision.objects.exists()


FIELDS = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "count": {"type": "integer"},
        "price": {"anyOf": [{"type": "number"}, {"type": "string"}]},
        "size": {"$ref": "#/$defs/Size"},
        "gift": {"type": "boolean"},
        "until": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "more": {"type": "object"},
    },
    "required": ["name", "count"],
    "$defs": {"Size": {"enum": ["S", "M"], "type": "string"}},
}


@pytest.mark.parametrize(
    ("typed", "changed"),
    [
        ({}, {}),
        ({"1": "9007199254740993"}, {"count": "9007199254740993"}),
        ({"2": "1.10"}, {"price": "1.10"}),
        ({"3": '"M"'}, {"size": '"M"'}),
        ({"4": "false"}, {"gift": "false"}),
        ({"5": "=SUM(1)"}, {"until": '"=SUM(1)"'}),
        ({"6": '{"a": [1.50]}'}, {"more": '{"a": [1.50]}'}),
        ({"0": "  spaces  "}, {"name": '"  spaces  "'}),
    ],
)
def test_a_form_changes_what_was_changed_digit_by_digit(
    typed: dict[str, str], changed: dict[str, str]
) -> None:
    values = read_exactly('{"name": "a", "count": 1, "price": 1.1, "size": "S", "gift": true}')
    names = list(FIELDS["properties"])  # type: ignore[call-overload]
    start = {"0": "a", "1": "1", "2": "1.1", "3": '"S"', "4": "true", "5": "", "6": ""}
    data = {f"arg-{number}": value for number, value in {**start, **typed}.items()}
    form = SchemaForm(FIELDS, names, values, prefix="arg", data=data)
    assert form.is_valid(), form.errors
    assert {name: exact_json(value) for name, value in form.changed_values.items()} == changed


@pytest.mark.parametrize(
    ("number", "typed"), [("1", "1.5"), ("2", "12,5"), ("6", "{"), ("3", "XL")]
)
def test_a_form_refuses_what_is_none_of_its_kind(number: str, typed: str) -> None:
    values = read_exactly('{"name": "a", "count": 1, "price": 1.1, "size": "S"}')
    data = {"arg-0": "a", "arg-1": "1", "arg-2": "1.1", f"arg-{number}": typed}
    names = list(FIELDS["properties"])  # type: ignore[call-overload]
    assert not SchemaForm(FIELDS, names, values, prefix="arg", data=data).is_valid()


def test_staff_answer_a_human_tool_on_the_page(decider: Any, user: Any, signed_in: Any) -> None:
    approval = waiting(user, tool_name="choose_carrier", args={"order": 7})
    schema = {
        "type": "object",
        "properties": {
            "carrier": {"type": "string", "enum": ["post", "bike"]},
            "note": {"type": "string"},
        },
        "required": ["carrier"],
        "x-order": ["carrier", "note"],
    }
    ToolCall.objects.update(kind="human", answer_schema=schema)
    client = signed_in(decider)
    page = text_of(client.get(page_of(approval)))
    assert "Answer…" in page
    assert "Send this answer" in page
    refused = answer(client, approval, "approve", **{"answer-0": "", "answer-1": ""})
    assert (refused.status_code, Decision.objects.count()) == (422, 0)
    answer(client, approval, "approve", **{"answer-0": '"bike"', "answer-1": "soon"})
    call = ToolCall.objects.get()
    assert (call.status, call.result) == ("complete", {"carrier": "bike", "note": "soon"})


def test_how_far_always_reaches_is_said_in_plain_words(
    decider: Any, user: Any, signed_in: Any
) -> None:
    narrow = PolicyOption(
        "allow_always", "user", arguments=("order_id",), expires_after=timedelta(days=30)
    )
    policy = ApprovalPolicy(
        permission="testsite.change_effect", options=("allow_once", narrow, "deny_once")
    )
    approval = waiting(user, policy=policy)
    page = text_of(signed_in(decider).get(page_of(approval)))
    reach = "in every thread of this person with the same order_id for 30 days"
    assert f"Approve, and always allow {reach}" in page
    assert f"runs without anybody being asked {reach}" in page


def test_earlier_requests_of_the_same_person_are_shown(
    decider: Any, user: Any, other_user: Any, signed_in: Any
) -> None:
    client = signed_in(decider)
    first = waiting(user)
    answer(client, first, "deny", reason="Too late.")
    waiting(other_user)
    second = waiting(user)
    response = client.get(page_of(second))
    assert "Of this person for this tool: 1 denied." in text_of(response)
    assert "Too late." in text_of(response)
    assert page_of(first) in response.content.decode()
    assert Approval.objects.count() == 3
