"""A form made from a JSON Schema: to change arguments, and to answer for a human tool.

Values travel as JSON literals and keep the digits they were written with. The schema says which field
a value gets; whether the whole fits is asked of the tool, by the action, as for every door.
"""

from __future__ import annotations

import json
import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .shown import Number, plain

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_INTEGER = re.compile(r"-?(0|[1-9]\d*)")
_LONG = 60
_ABSENT = object()


class SchemaForm(forms.Form):
    """One field a property. ``values`` are what stands there now, as :func:`read_exactly` reads it.

    Names of fields are ``<prefix>-<number>``: a property may be named in any way.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        names: list[str],
        values: dict[str, Any],
        *,
        prefix: str,
        data: Any = None,
    ) -> None:
        super().__init__(data, prefix=prefix)
        self.names = {str(number): name for number, name in enumerate(names)}
        self.values = values
        required = schema.get("required") or []
        for number, name in self.names.items():
            inner = _resolved(schema, (schema.get("properties") or {}).get(name))
            value = values.get(name, _ABSENT)
            field = _field(schema, inner, value, is_required=name in required)
            field.label = plain(inner.get("title") or name)
            field.help_text = plain(inner.get("description") or "")
            field.initial = _initial(value)
            self.fields[number] = field

    @property
    def changed_values(self) -> dict[str, Any]:
        """The values that differ from what stood there, by name; for a form that is valid."""
        return {
            name: value
            for name, value in self.all_values.items()
            if exact_json(value) != exact_json(self.values.get(name, _ABSENT))
        }

    @property
    def all_values(self) -> dict[str, Any]:
        """Every value that was given, by name; what was left empty is left out."""
        return {
            name: self.cleaned_data[number]
            for number, name in self.names.items()
            if self.cleaned_data[number] is not _ABSENT
        }


def read_exactly(text: str) -> Any:
    """JSON with its numbers as they were written. Raises ``ValueError``."""
    return json.loads(text or "{}", parse_int=Number, parse_float=Number, parse_constant=Number)


def exact_json(value: Any) -> str:
    """JSON of a value that :func:`read_exactly` read; empty for one that is not there."""
    match value:
        case Number():
            return str(value)
        case dict():
            inside = (
                f"{json.dumps(k, ensure_ascii=False)}: {exact_json(v)}" for k, v in value.items()
            )
            return "{" + ", ".join(inside) + "}"
        case list():
            return "[" + ", ".join(map(exact_json, value)) + "]"
        case str() | bool() | None | int() | float():
            return json.dumps(value, ensure_ascii=False)
    return ""


# --- fields: each gives back a value as read_exactly reads it, or _ABSENT -------------------------


class _Text(forms.CharField):
    def __init__(self, *, is_long: bool, may_be_absent: bool, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 4}) if is_long else forms.TextInput()
        self.may_be_absent = may_be_absent
        super().__init__(strip=False, widget=widget, **options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        # A browser sends line ends of its own; the model wrote plain ones.
        text = text.replace("\r\n", "\n")
        return _ABSENT if not text and self.may_be_absent else text


class _Number(forms.CharField):
    def __init__(self, *, is_integer: bool, **options: Any) -> None:
        self.pattern = _INTEGER if is_integer else _NUMBER
        mode = "numeric" if is_integer else "decimal"
        widget = forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})
        super().__init__(widget=widget, **options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return _ABSENT
        if not self.pattern.fullmatch(text):
            raise forms.ValidationError(_("Write a number, with a point for decimals."))
        return Number(text)


class _Choice(forms.ChoiceField):
    """One of a few values, each written as JSON."""

    def __init__(self, choices: list[Any], *, is_required: bool, **options: Any) -> None:
        shown = [(exact_json(value), plain(_bare(value))) for value in choices]
        if not is_required:
            shown.insert(0, ("", "–"))
        super().__init__(choices=shown, required=is_required, **options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return read_exactly(text) if text else _ABSENT


class _Json(forms.CharField):
    def __init__(self, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "agentui-json"})
        super().__init__(widget=widget, **options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text.strip():
            return _ABSENT
        try:
            return read_exactly(text)
        except (ValueError, RecursionError):
            raise forms.ValidationError(_("This is not JSON.")) from None


def _field(
    root: dict[str, Any], schema: dict[str, Any], value: Any, *, is_required: bool
) -> forms.Field:
    schema, may_be_null = _without_null(root, schema, value)
    needed = is_required and not may_be_null
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list) and choices:
        return _Choice([_exactly(c) for c in choices], is_required=needed)
    match schema.get("type"):
        case "boolean":
            return _Choice([True, False], is_required=needed)
        case "integer" | "number" as kind:
            return _Number(is_integer=kind == "integer", required=needed)
        case "string":
            # An empty text is a text; only where none stood before does it stand for "not given".
            return _Text(
                is_long=_is_long(schema, value),
                may_be_absent=value is _ABSENT and not is_required,
                required=False,
            )
    return _Json(required=needed)


def _without_null(
    root: dict[str, Any], schema: dict[str, Any], value: Any
) -> tuple[dict[str, Any], bool]:
    """Of several types the one that stands there now, and whether the field may be left empty."""
    kinds = schema.get("type")
    choices: list[dict[str, Any]] = [
        _resolved(root, choice) for choice in schema.get("anyOf") or schema.get("oneOf") or []
    ]
    if isinstance(kinds, list):
        choices = [{**schema, "type": kind} for kind in kinds]
    if not choices:
        return schema, False
    others = [choice for choice in choices if choice.get("type") != "null"]
    may_be_null = len(others) < len(choices)
    fitting = [choice for choice in others if _looks_like(value, choice.get("type"))]
    return ((fitting or others or [schema])[0], may_be_null)


def _looks_like(value: Any, kind: Any) -> bool:
    match value:
        case Number():
            return kind == "number" or (kind == "integer" and _INTEGER.fullmatch(value) is not None)
        case str():
            return bool(kind == "string")
        case bool():
            return bool(kind == "boolean")
    return False


def _resolved(root: dict[str, Any], schema: Any) -> dict[str, Any]:
    """The schema behind a reference into the root's definitions; {} for what is no schema."""
    seen = 0
    while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and seen < 20:
        seen += 1
        where, _slash, name = schema["$ref"].removeprefix("#/").partition("/")
        found = root.get(where)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        target = found.get(name) if isinstance(found, dict) else None
        schema = {**target, **rest} if isinstance(target, dict) else rest
    return schema if isinstance(schema, dict) else {}


def _is_long(schema: dict[str, Any], value: Any) -> bool:
    text = value if isinstance(value, str) else ""
    return len(text) > _LONG or "\n" in text or schema.get("format") == "textarea"


def _initial(value: Any) -> str:
    return "" if value is _ABSENT or value is None else _bare(value)


def _bare(value: Any) -> str:
    return value if type(value) is str else exact_json(value)


def _exactly(value: Any) -> Any:
    return read_exactly(json.dumps(value))
