"""JSON in and out, strictly: what is read is JSON for every reader, and so is what is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isinf
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

from ..core.clean import TooDeep, clean
from ..exceptions import InvalidInput, TooLarge


class StrictJSONParser(BaseParser):
    """A body of at most ``DATA_UPLOAD_MAX_MEMORY_SIZE`` bytes, in UTF-8, cleaned on the way in.

    DRF's own reads a body of any size, and fails on one that is nested very deeply.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return loads(_read(stream))


class StrictJSONRenderer(JSONRenderer):
    """Refuses NaN whatever the site's ``STRICT_JSON`` says."""

    strict = True


def loads(raw: bytes) -> Any:
    """The JSON value. Raises :class:`InvalidInput` for whatever is none."""
    try:
        value = json.loads(
            raw.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
        return clean(value)
    except UnicodeDecodeError:
        raise InvalidInput("The body is not valid JSON: it is not UTF-8.") from None
    except (RecursionError, TooDeep):
        raise InvalidInput("The body is nested too deeply.") from None
    except ValueError as error:
        raise InvalidInput(f"The body is not valid JSON: {error}") from None


def _read(stream: IO[Any]) -> bytes:
    limit: int | None = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if limit is None:
        return bytes(stream.read())
    raw = bytes(stream.read(limit + 1))
    if len(raw) > limit:
        raise TooLarge(f"A request may have {limit:,} bytes.")
    return raw


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text[:30]} is too large a number")
    return value
