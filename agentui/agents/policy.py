"""Who has to say yes before a tool runs."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any, Literal, Self

from agentui.core.parts import ApprovalOption
from agentui.core.values import Json

from .context import RunContext
from .options import PolicyOption
from .places import ToolDefinitionError, qualified_name

logger = logging.getLogger("agentui.tools")

OnExpiry = Literal["expire", "deny"]
When = Callable[[dict[str, Any], RunContext], bool]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What a ``who`` callable is told about the call it decides on."""

    agent: str
    tool_name: str
    args: Any
    thread_id: str
    requester_id: Any


Who = Callable[[Any, ApprovalRequest], bool]


@dataclass(frozen=True, slots=True)
class ApprovalPolicy:
    """Who decides about a call, and how.

    permission: may decide who has it, for example ``"shop.refund_order"``.
    group: may decide who is in the group of this name.
    who: ``"user"`` (the thread's owner, in the chat), ``"staff"``, or ``function(user, request)``,
        a function of a module, called when somebody wants to decide. Of ``permission``, ``group``
        and ``who`` at least one is given, and a person must satisfy all that are.
    when: ``function(args, ctx)``; the call needs an approval only where it is true. When it raises,
        the call needs one.
    required: how many people have to approve. One denial is enough to deny.
    requester_may_decide: may the thread's owner decide? No, unless ``who`` is ``"user"``.
    expires_after: how long it may be decided; ``None`` is for ever.
    on_expiry: ``"expire"`` tells the model that nobody decided in time, ``"deny"`` that it was denied.
    options: the answers offered, as :class:`PolicyOption` or in short: ``"allow_once"``,
        ``"allow_always:thread"``, ``"deny_always:user"``.
    editable: the arguments that who decides may change.
    reason_required: a denial needs a reason. The model is told it word for word.
    """

    permission: str | None = None
    group: str | None = None
    who: Literal["user", "staff"] | Who | None = None
    when: When | None = None
    required: int = 1
    requester_may_decide: bool | None = None
    expires_after: timedelta | None = None
    on_expiry: OnExpiry = "expire"
    options: Sequence[PolicyOption | str] = ("allow_once", "deny_once")
    editable: Sequence[str] = ()
    reason_required: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(PolicyOption.of(o) for o in self.options))
        object.__setattr__(self, "editable", tuple(self.editable))
        if self.requester_may_decide is None:
            object.__setattr__(self, "requester_may_decide", self.who == "user")
        self._check_who()
        self._check_rest()

    @classmethod
    def user(cls, **rest: Any) -> Self:
        """The thread's owner decides, in the chat."""
        return cls(who="user", **rest)

    @classmethod
    def staff(cls, **rest: Any) -> Self:
        """Any staff member with the permission ``agentui.decide_approval`` decides."""
        return cls(who="staff", **rest)

    @classmethod
    def of(cls, value: ApprovalPolicy | str | None) -> ApprovalPolicy | None:
        """The policy that ``approval=`` of a tool stands for."""
        match value:
            case None | ApprovalPolicy():
                return value
            case "user":
                return cls.user()
            case "staff":
                return cls.staff()
        raise ToolDefinitionError(
            f'approval={value!r} is not known. Give "user", "staff" or an ApprovalPolicy(...).'
        )

    @property
    def audience(self) -> Literal["user", "staff"]:
        """``"user"`` when only the thread's owner decides, else ``"staff"``."""
        return "user" if self.who == "user" else "staff"

    def applies(self, args: dict[str, Any], ctx: RunContext) -> bool:
        """Does this call need an approval? Calls ``when``, which may read the database."""
        if self.when is None:
            return True
        try:
            return bool(self.when(args, ctx))
        except Exception:
            logger.exception("%s failed, so an approval is asked for", qualified_name(self.when))
            return True

    def approval_options(self) -> tuple[ApprovalOption, ...]:
        """The answers offered, as the chat and the inbox show them."""
        return tuple(option.to_core() for option in self.policy_options)

    def option(self, option_id: str) -> PolicyOption | None:
        """The offered answer of this id."""
        return next((o for o in self.policy_options if o.id == option_id), None)

    @property
    def policy_options(self) -> tuple[PolicyOption, ...]:
        return tuple(PolicyOption.of(option) for option in self.options)

    def snapshot(self) -> dict[str, Json]:
        """This policy as JSON. ``when`` has done its work by then and is left out."""
        who = self.who
        return {
            "permission": self.permission,
            "group": self.group,
            "who": who if who is None or isinstance(who, str) else dotted_path(who),
            "required": self.required,
            "requester_may_decide": self.requester_may_decide,
            "expires_after": self.expires_after.total_seconds() if self.expires_after else None,
            "on_expiry": self.on_expiry,
            "options": [option.to_json() for option in self.policy_options],
            "editable": list(self.editable),
            "reason_required": self.reason_required,
        }

    @classmethod
    def from_snapshot(cls, data: dict[str, Json]) -> Self:
        """The policy of a stored request.

        Raises ``LookupError`` when its ``who`` function is gone; nobody may decide it then.
        """
        seconds = data.get("expires_after")
        known = {name: data[name] for name in _STORED if name in data}
        who = data.get("who")
        return cls(
            **known,
            who=resolve(who) if who not in (None, "user", "staff") else who,
            expires_after=None if seconds is None else timedelta(seconds=seconds),
            options=tuple(PolicyOption.from_json(option) for option in data.get("options", ())),
        )

    def describe(self) -> str:
        """Who decides, in the reader's language: "staff with the permission shop.refund_order"."""
        from .policy_text import describe

        return describe(self.snapshot())

    def _check_who(self) -> None:
        if self.permission is None and self.group is None and self.who is None:
            raise ToolDefinitionError(
                "ApprovalPolicy() does not say who decides. Give permission=, group= or who=."
            )
        if self.permission is not None:
            app, _, codename = str(self.permission).partition(".")
            if not (app and codename) or " " in self.permission:
                raise ToolDefinitionError(
                    f"permission={self.permission!r} is not a permission's name. "
                    'Write "app_label.codename", for example "shop.refund_order".'
                )
        if self.group is not None and not str(self.group).strip():
            raise ToolDefinitionError("group='' names no group. Give the group's name.")
        if isinstance(self.who, str):
            if self.who not in ("user", "staff"):
                raise ToolDefinitionError(
                    f'who={self.who!r} is not known. Give "user", "staff" or a function.'
                )
        elif self.who is not None:
            dotted_path(self.who)
        if self.who == "user":
            self._check_user()

    def _check_user(self) -> None:
        if self.required != 1 or self.requester_may_decide is False:
            raise ToolDefinitionError(
                'who="user" means that the thread\'s owner alone decides, so required must be 1 '
                'and requester_may_decide not False. For more people use who="staff".'
            )

    def _check_rest(self) -> None:
        if isinstance(self.required, bool) or self.required < 1:
            raise ToolDefinitionError(f"required={self.required!r}: at least one has to approve.")
        if self.expires_after is not None and not (
            isinstance(self.expires_after, timedelta) and self.expires_after > timedelta(0)
        ):
            raise ToolDefinitionError(
                f"expires_after={self.expires_after!r} is not a time to wait. "
                "Give a timedelta above 0, or None for no end."
            )
        if self.on_expiry not in ("expire", "deny"):
            raise ToolDefinitionError(
                f'on_expiry={self.on_expiry!r} is not known. Give "expire" or "deny".'
            )
        if self.when is not None and (
            not callable(self.when) or inspect.iscoroutinefunction(self.when)
        ):
            raise ToolDefinitionError("when= takes a plain function (args, ctx) -> bool.")
        kinds = [option.kind for option in self.policy_options]
        if not any(kind.startswith("allow") for kind in kinds):
            raise ToolDefinitionError("options= offers no way to allow the call.")
        if not any(kind.startswith("deny") for kind in kinds):
            raise ToolDefinitionError("options= offers no way to deny the call.")
        if len({option.id for option in self.policy_options}) != len(kinds):
            raise ToolDefinitionError("options= offers the same answer twice.")


_STORED = (
    "permission",
    "group",
    "required",
    "requester_may_decide",
    "on_expiry",
    "editable",
    "reason_required",
)


def dotted_path(function: Any) -> str:
    """``"shop.rules:may_refund"``. Raises when ``function`` cannot be found again by it."""
    name = getattr(function, "__qualname__", "")
    module = getattr(function, "__module__", None)
    if not callable(function) or not module or not name or "<" in name:
        raise ToolDefinitionError(
            f"who={function!r} has to be a function at the top of a module: a request waits in the "
            "database and finds it again by its name."
        )
    if inspect.iscoroutinefunction(function):
        raise ToolDefinitionError(f"who={module}.{name} has to be a plain function, not async.")
    return f"{module}:{name}"


def resolve(path: str) -> Who:
    """The function that :func:`dotted_path` named. Raises ``LookupError`` when it is gone."""
    module, _, name = path.partition(":")
    try:
        found: Any = import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError, ValueError) as error:
        raise LookupError(f"{path} does not exist any more") from error
    if not callable(found):
        raise LookupError(f"{path} is not a function any more")
    who: Who = found
    return who
