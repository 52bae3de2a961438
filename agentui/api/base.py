"""What all views share: who may ask, what is read, how an action is carried out once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import transaction
from pydantic import BaseModel, ValidationError
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from .. import actions
from ..actions.lookups import signed_in
from ..core.clean import clean_text
from ..exceptions import InvalidInput, NotFound
from ..runtime.database import retrying
from .authentication import HookAuthentication
from .errors import exception_handler
from .json_format import StrictJSONParser, StrictJSONRenderer
from .throttling import UserThrottle

B = TypeVar("B", bound=BaseModel)

_READING = ("GET", "HEAD", "OPTIONS")


class SignedIn(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        signed_in(request.user)
        return True


class AgentView(APIView):
    """A view whose rules are agentui's, whatever the site has set for its own API.

    Only authentication is the site's: the functions of ``AGENTUI["AUTHENTICATION"]``, then
    ``DEFAULT_AUTHENTICATION_CLASSES`` where it has set them, otherwise the session with CSRF.
    """

    permission_classes = [SignedIn]
    parser_classes = [StrictJSONParser]
    throttle_classes = [UserThrottle]
    content_negotiation_class = DefaultContentNegotiation
    versioning_class = None
    metadata_class = None

    #: A POST here makes a model work, and is counted on its own.
    starts_runs = False

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        # An action is its own transaction: also under ATOMIC_REQUESTS a refusal must be able to
        # leave a row behind (an approval that turned out to be expired), and a run starts at once.
        return transaction.non_atomic_requests(super().as_view(**initkwargs))

    def get_authenticators(self) -> list[BaseAuthentication]:
        if "DEFAULT_AUTHENTICATION_CLASSES" in getattr(settings, "REST_FRAMEWORK", {}):
            classes: Sequence[Any] = self.settings.DEFAULT_AUTHENTICATION_CLASSES
            return [HookAuthentication(), *(authentication() for authentication in classes)]
        return [HookAuthentication(), SessionAuthentication()]

    def get_authenticate_header(self, request: Request) -> str:
        """How to sign in, for a 401: as the site's own classes say, otherwise with a token."""
        ours, *others = [one.authenticate_header(request) for one in self.get_authenticators()]
        return next((header for header in others if header), ours) or ""

    def get_renderers(self) -> list[BaseRenderer]:
        renderers: list[BaseRenderer] = [StrictJSONRenderer()]
        if settings.DEBUG and apps.is_installed("rest_framework"):
            renderers.append(BrowsableAPIRenderer())
        return renderers

    def get_exception_handler(self) -> Callable[..., Response | None]:
        return exception_handler

    def throttle_scope(self, request: Request) -> str:
        """Called before each request: which of ``API_RATES`` counts."""
        if request.method in _READING:
            return "read"
        return "send" if self.starts_runs else "write"

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "private, no-store"
        return response

    def body(self, form: type[B]) -> B:
        """The body of the request, checked. Raises :class:`InvalidInput`."""
        data = self.request.data
        if not isinstance(data, dict):
            raise InvalidInput("The body must be one JSON object.")
        return _checked(form, data)

    def query(self, form: type[B]) -> B:
        """What the address asks for, checked. Raises :class:`InvalidInput`."""
        given = self.request.query_params
        return _checked(form, {name: clean_text(given[name]) for name in given})

    def act(self, carry_out: Callable[[], Any], *, status: int = 200) -> Response:
        """Carry out an action; with an ``Idempotency-Key`` once, however often it is asked for.

        ``carry_out`` returns JSON. Where the database rolled it back for another's sake it is begun
        again, which is safe with a key: a commit whose message was lost is found by it.
        """
        request = self.request
        key = _idempotency_key(request)
        if key is None:
            return Response(carry_out(), status=status)
        command = {"method": request.method, "path": request.path, "body": request.data}
        answer = retrying(lambda: actions.once(request.user, key, command, carry_out))
        return Response(answer, status=status)


class UnknownEndpoint(AgentView):
    """Everything under ``api/`` that is no endpoint: an error in our form, not a page."""

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotFound("There is no such endpoint. Addresses end with a slash; ids are UUIDs.")


def _checked(form: type[B], given: dict[str, Any]) -> B:
    try:
        return form.model_validate(given)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        fields = {
            ".".join(str(step) for step in problem["loc"]): problem["msg"].removeprefix(
                "Value error, "
            )
            for problem in problems[:10]
        }
        where, what = next(iter(fields.items()))
        raise InvalidInput(f"{where}: {what}" if where else what, fields=fields) from None


def _idempotency_key(request: Request) -> uuid.UUID | None:
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    try:
        return uuid.UUID(given)
    except ValueError:
        raise InvalidInput("Idempotency-Key: make a new UUID for each command.") from None
