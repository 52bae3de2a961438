"""The forms on the page of one approval: changed arguments, and the answer for a human tool."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ..actions.decision_checks import changed_arguments
from ..agents import ApprovalPolicy, Tool
from ..core.statuses import ToolKind
from ..exceptions import AgentUIError
from ..models import Approval
from .schema_form import SchemaForm, exact_json, read_exactly
from .shown import literal, visible


@dataclass(frozen=True, slots=True)
class Change:
    """One argument before and after."""

    name: SafeString
    before: SafeString
    after: SafeString


def edit_form(
    approval: Approval, policy: ApprovalPolicy | None, tool: Tool | None, data: Any = None
) -> SchemaForm | None:
    """For the arguments that who decides may change; None where there are none."""
    if policy is None or tool is None or not policy.editable:
        return None
    try:
        values = read_exactly(approval.tool_call.effective_args_text)
    except (ValueError, RecursionError):
        return None
    names = [name for name in policy.editable if name in tool.parameters.get("properties", {})]
    if not isinstance(values, dict) or not names:
        return None
    return SchemaForm(tool.parameters, names, values, prefix="arg", data=data)


def edited_text(approval: Approval, form: SchemaForm) -> str:
    """The arguments as text, with what was changed in the form; the rest digit by digit as it was."""
    values = read_exactly(approval.tool_call.effective_args_text)
    return exact_json({**values, **form.changed_values})


def changes(approval: Approval, args_text: str) -> list[Change]:
    """What differs between the arguments and these, for the page to show before anything is done."""
    before, after = read_exactly(approval.tool_call.effective_args_text), read_exactly(args_text)
    return [
        Change(
            visible(name),
            visible(literal(before[name])) if name in before else visible("–"),
            visible(literal(after[name])) if name in after else visible("–"),
        )
        for name in [*before, *(n for n in after if n not in before)]
        if exact_json(before.get(name)) != exact_json(after.get(name))
        or (name in before) != (name in after)
    ]


def check_edit(
    approval: Approval, policy: ApprovalPolicy, tool: Tool | None, form: SchemaForm
) -> str | None:
    """The changed arguments, once they fit the tool; otherwise the form has the errors."""
    if not form.is_valid():
        return None
    text = edited_text(approval, form)
    if not form.changed_values:
        form.add_error(None, _("Nothing was changed."))
        return None
    try:
        changed_arguments(approval, policy, tool, text)
    except AgentUIError as error:
        form.add_error(None, error.message)
        return None
    return text


def answer_form(approval: Approval, data: Any = None) -> SchemaForm | None:
    """For a human tool that staff answer; None for every other call."""
    schema = approval.tool_call.answer_schema
    if schema is None or approval.tool_call.kind != ToolKind.HUMAN:
        return None
    if schema.get("type") == "object" and schema.get("properties"):
        written = [name for name in schema.get("x-order", ()) if name in schema["properties"]]
        names = written + [name for name in schema["properties"] if name not in written]
        return SchemaForm(schema, names, {}, prefix="answer", data=data)
    whole = {
        "properties": {"answer": {"title": str(_("Answer")), **schema}},
        "required": ["answer"],
    }
    whole |= {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    return SchemaForm(whole, ["answer"], {}, prefix="answer", data=data)


def read_answer(approval: Approval, form: SchemaForm) -> Any:
    """What was filled in, as JSON; for a form that is valid."""
    values = form.all_values
    schema = approval.tool_call.answer_schema or {}
    if schema.get("type") == "object" and schema.get("properties"):
        return json.loads(exact_json(values))
    return json.loads(exact_json(values.get("answer")) or "null")


def posted(request: HttpRequest, prefix: str) -> Any:
    """The request's fields, when it has any of this form's."""
    return request.POST if any(name.startswith(f"{prefix}-") for name in request.POST) else None
