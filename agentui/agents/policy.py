"""Who has to say yes before a tool runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, Self

from agentui.core.parts import ApprovalOption
from agentui.core.values import Json

from .context import RunContext
from .options import PolicyOption
from .places import ToolDefinitionError, qualified_name
from .policy_rules import check_policy
from .who import ApprovalRequest, Who, dotted_path, in_group, resolve, satisfies

logger = logging.getLogger("agentui.tools")

OnExpiry = Literal["expire", "deny"]
When = Callable[[dict[str, Any], RunContext], bool]


@dataclass(frozen=True, slots=True)
class ApprovalPolicy:
    """Who decides about a call, and how.

    permission: may decide who has it, for example ``"shop.refund_order"``.
    group: may decide who is in the group of this name.
    who: ``"user"`` (the thread's owner, in the chat), ``"staff"``, or ``function(user, request)``:
        a function of a module, or its dotted path ``"shop.rules:may_refund"``, called with an
        :class:`ApprovalRequest` when somebody wants to decide. At least one of ``permission``,
        ``group`` and ``who`` is given, and a person must satisfy all that are.
    when: ``function(args, ctx)``; the call needs an approval only where it is true. When it raises,
        the call needs one.
    required: how many people have to approve. One denial is enough to deny.
    requester_may_decide: may the thread's owner decide? No, unless ``who`` is ``"user"``.
    expires_after: how long it may be decided; ``None`` is for ever.
    on_expiry: ``"expire"`` tells the model that nobody decided in time, ``"deny"`` that it was denied.
    escalate_to, escalate_after: when nobody has decided after this time, the people of this group
        may decide, too.
    remind_before: how long before the expiry those who may decide are reminded, where the site has
        a notifier; when a quarter of the time is left, if not said.
    options: the answers offered, as :class:`PolicyOption` or in short: ``"allow_once"``,
        ``"allow_always:thread"``, ``"deny_always:user"``.
    editable: the arguments that who decides may change.
    reason_required: a denial needs a reason. The model is told it word for word.
    """

    permission: str | None = None
    group: str | None = None
    who: str | Who | None = None
    when: When | None = None
    required: int = 1
    requester_may_decide: bool | None = None
    expires_after: timedelta | None = None
    on_expiry: OnExpiry = "expire"
    escalate_to: str | None = None
    escalate_after: timedelta | None = None
    remind_before: timedelta | None = None
    options: Sequence[PolicyOption | str] = ("allow_once", "deny_once")
    editable: Sequence[str] = ()
    reason_required: bool = False

    def __post_init__(self) -> None:
        if self.who is not None and not isinstance(self.who, str):
            # Stored by its name, so that a request that waits finds it again.
            object.__setattr__(self, "who", dotted_path(self.who))
        object.__setattr__(self, "options", tuple(PolicyOption.of(o) for o in self.options))
        if isinstance(self.editable, str):
            raise ToolDefinitionError(f"editable= takes a list: [{self.editable!r}].")
        object.__setattr__(self, "editable", tuple(self.editable))
        if self.requester_may_decide is None:
            object.__setattr__(self, "requester_may_decide", self.who == "user")
        check_policy(self)

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
    def is_user(self) -> bool:
        """True when the thread's owner decides, in the chat, and nobody else."""
        return self.who == "user"

    @property
    def policy_options(self) -> tuple[PolicyOption, ...]:
        """The answers offered, in the order they are shown."""
        return tuple(PolicyOption.of(option) for option in self.options)

    def approval_options(self) -> tuple[ApprovalOption, ...]:
        """The answers offered, as a message carries them."""
        return tuple(option.to_core() for option in self.policy_options)

    def option(self, option_id: str) -> PolicyOption | None:
        """The offered answer of this id."""
        return next((o for o in self.policy_options if o.id == option_id), None)

    def is_needed(self, args: dict[str, Any], ctx: RunContext) -> bool:
        """Does this call need an approval? Calls ``when``, which may read the database."""
        if self.when is None:
            return True
        try:
            return bool(self.when(args, ctx))
        except Exception:
            logger.exception("%s failed, so an approval is asked for", qualified_name(self.when))
            return True

    @property
    def missing_rule(self) -> str:
        """The name of the ``who`` function when the site no longer has it; empty otherwise."""
        who = str(self.who or "")
        if ":" not in who:
            return ""
        try:
            resolve(who)
        except LookupError:
            return who
        return ""

    def allows(self, user: Any, approval: Any, *, escalated: bool = False) -> bool:
        """Does ``user`` satisfy all that this policy asks of who decides?

        ``approval`` is the stored approval, from which a ``who`` function is told of the call.
        ``escalated``: the time has come at which the second group may decide, too.
        Reads the database. Whether the requester may decide is a question of its own.
        """
        if escalated and self.escalate_to and in_group(user, self.escalate_to):
            return True
        return satisfies(
            user,
            permission=self.permission,
            group=self.group,
            who=None if self.who is None else str(self.who),
            request=lambda: ApprovalRequest.of(approval),
            requester_id=approval.requester_id,
        )

    def snapshot(self) -> dict[str, Json]:
        """This policy as JSON. ``when`` has done its work by then and is left out."""
        return {
            "permission": self.permission,
            "group": self.group,
            "who": self.who,
            "required": self.required,
            "requester_may_decide": self.requester_may_decide,
            "expires_after": _seconds(self.expires_after),
            "on_expiry": self.on_expiry,
            "escalate_to": self.escalate_to,
            "escalate_after": _seconds(self.escalate_after),
            "remind_before": _seconds(self.remind_before),
            "options": [option.to_json() for option in self.policy_options],
            "editable": list(self.editable),
            "reason_required": self.reason_required,
        }

    @classmethod
    def from_snapshot(cls, data: dict[str, Json]) -> Self:
        """The policy that :meth:`snapshot` stored."""
        known = {name: data[name] for name in _PLAIN if name in data}
        times: dict[str, Any] = {
            name: timedelta(seconds=data[name]) for name in _TIMES if data.get(name)
        }
        return cls(
            **known,
            **times,
            options=tuple(PolicyOption.from_json(option) for option in data.get("options", ())),
        )

    def describe(self) -> str:
        """Who decides, in the reader's language: "staff with the permission “Can refund orders”"."""
        from .policy_text import describe

        return describe(self)


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else time.total_seconds()


_TIMES = ("expires_after", "escalate_after", "remind_before")
_PLAIN = (
    "permission",
    "group",
    "who",
    "required",
    "requester_may_decide",
    "on_expiry",
    "escalate_to",
    "editable",
    "reason_required",
)
