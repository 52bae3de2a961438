"""Tells drf-spectacular what the table of operations says, and serves the schema."""

from __future__ import annotations

import threading
from typing import Any

from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework.request import Request
from rest_framework.response import Response

from ... import __version__
from ..base import AgentView, UnknownEndpoint
from . import deciding, extensions, talking
from .bodies import Error
from .operations import Model, Operation

OPERATIONS = (*talking.OPERATIONS, *deciding.OPERATIONS)

_ALWAYS = {
    401: "Not signed in.",
    403: "Not permitted, or no CSRF token.",
    429: "Too many requests.",
}
_REFUSALS = {
    400: "The request is not of this form.",
    404: "There is no such thing, or it is not yours.",
    409: "Not possible as it stands now.",
    413: "Too large.",
    415: "Not JSON.",
}
_KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    type={"type": "string", "format": "uuid"},
    description="The same key again is the same command: it is carried out once.",
)


class Schema(AgentView):
    """The OpenAPI description of this API, with the addresses it has on this site."""

    _made: dict[str, dict[str, Any]] = {}
    _lock = threading.Lock()

    def get(self, request: Request) -> Response:
        prefix = request.path.removesuffix("schema/").lstrip("/")
        with self._lock:
            if prefix not in self._made:
                self._made[prefix] = schema_under(prefix)
        return Response(self._made[prefix])


def schema_under(prefix: str) -> dict[str, Any]:
    """The schema of the API where its addresses begin with ``prefix``."""
    patterns = [path(prefix, include("agentui.api.urls"))]
    schema: dict[str, Any] = SchemaGenerator(patterns=patterns).get_schema(public=True)  # type: ignore[no-untyped-call]
    schema["info"] = {
        "title": "agentui",
        "version": __version__,
        "description": "Threads, messages, runs, tool calls and approvals. Rows of others are 404.",
    }
    return schema


def describe() -> None:
    """Called when the addresses are made, once: every view knows its place in the schema."""
    AgentView.schema = AutoSchema()
    for operation in OPERATIONS:
        _describe(operation)
    extend_schema(exclude=True)(UnknownEndpoint)
    extend_schema(exclude=True)(Schema)


def _describe(operation: Operation) -> None:
    view = operation.view
    parameters = _query(operation.query) if operation.query else []
    takes_key = operation.method in ("post", "patch") and not isinstance(operation.body, dict)
    method = getattr(view, operation.method)
    # Otherwise the site's DEFAULT_SCHEMA_CLASS would be extended, which may be another library's.
    method.kwargs = {"schema": AutoSchema}
    described = extend_schema(
        operation_id=f"agentui_{operation.name}",
        summary=operation.summary,
        description=method.__doc__ or view.__doc__ or operation.summary,
        tags=[operation.tag],
        request=operation.body,
        parameters=[*parameters, *([_KEY] if takes_key else [])],
        responses=_responses(operation),
        examples=_examples(operation),
    )(method)
    setattr(view, operation.method, described)


def _responses(operation: Operation) -> dict[Any, Any]:
    refused = set(operation.refusals)
    if operation.body is not None:
        refused |= {400, 413, 415}
    texts = {**_ALWAYS, **{status: _REFUSALS[status] for status in sorted(refused)}}
    if operation.answer is None:
        answers: dict[Any, Any] = {204: OpenApiResponse(description="Done.")}
    elif operation.answer is bytes:
        answers = {(200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, operation.summary)}
    else:
        answers = {operation.status: OpenApiResponse(operation.answer, operation.summary)}
    return answers | {status: OpenApiResponse(Error, text) for status, text in texts.items()}


def _examples(operation: Operation) -> list[OpenApiExample]:
    found = []
    if operation.example is not None:
        found.append(OpenApiExample(operation.name, operation.example, request_only=True))
    if operation.answer_example is not None:
        found.append(OpenApiExample(operation.name, operation.answer_example, response_only=True))
    return found


def _query(form: Model) -> list[OpenApiParameter]:
    schema = form.model_json_schema()
    definitions = schema.get("$defs", {})
    return [
        OpenApiParameter(
            name=name,
            location=OpenApiParameter.QUERY,
            type=extensions.adapted(_without_null(field, definitions)),
        )
        for name, field in schema["properties"].items()
    ]


def _without_null(field: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """An address has no null: what may be null may be left out."""
    options = [option for option in field.get("anyOf", [field]) if option.get("type") != "null"]
    found = dict(options[0])
    if "$ref" in found:
        found = dict(definitions[found["$ref"].rpartition("/")[2]])
    for name in ("default", "title", "description"):
        found.pop(name, None)
    return found
