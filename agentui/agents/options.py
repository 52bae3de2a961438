"""The answers a person may give to an approval, and how far each reaches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, Self, cast

from agentui.core.parts import ApprovalOption
from agentui.core.values import Json

from .places import ToolDefinitionError

OptionKind = Literal["allow_once", "allow_always", "deny_once", "deny_always"]
Reach = Literal["thread", "user", "agent"]

_KINDS = ("allow_once", "allow_always", "deny_once", "deny_always")
_REACHES = ("thread", "user", "agent")


@dataclass(frozen=True, slots=True)
class PolicyOption:
    """One answer that is offered.

    kind: ``allow_once``, ``deny_once``, or ``allow_always`` and ``deny_always``, which also answer
        later calls of the same tool of the same agent.
    reach: how far "always" goes: ``thread`` (this thread), ``user`` (every thread of this user),
        ``agent`` (everybody who uses this agent).
    arguments: "always" holds only for calls in which these arguments have the same values.
    expires_after: how long "always" holds; ``None`` is until it is revoked.
    label, description: shown in place of the usual words.
    """

    kind: OptionKind
    reach: Reach | None = None
    arguments: tuple[str, ...] = ()
    expires_after: timedelta | None = None
    label: str | None = None
    description: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", tuple(self.arguments))
        if self.kind not in _KINDS:
            raise ToolDefinitionError(
                f"option {self.kind!r} is not known. Give one of {', '.join(_KINDS)}."
            )
        if self.is_always and self.reach not in _REACHES:
            raise ToolDefinitionError(
                f"option {self.kind!r} has to say how far it reaches: "
                + ", ".join(f'"{self.kind}:{reach}"' for reach in _REACHES)
                + "."
            )
        if not self.is_always and (self.reach or self.arguments or self.expires_after):
            raise ToolDefinitionError(
                f"option {self.kind!r} answers one call only, so it has no reach, arguments "
                "or expires_after."
            )
        if self.expires_after is not None and self.expires_after <= timedelta(0):
            raise ToolDefinitionError("an option's expires_after has to be above 0.")

    @classmethod
    def of(cls, value: PolicyOption | str) -> PolicyOption:
        """The option that a short text like ``"allow_always:thread"`` stands for."""
        if isinstance(value, PolicyOption):
            return value
        kind, _, reach = str(value).partition(":")
        return cls(cast("OptionKind", kind), cast("Reach", reach) if reach else None)

    @property
    def id(self) -> str:
        """Unique within a policy, and the same in every process."""
        names = f"({','.join(self.arguments)})" if self.arguments else ""
        return f"{self.kind}:{self.reach}{names}" if self.reach else self.kind

    @property
    def is_always(self) -> bool:
        return self.kind.endswith("_always")

    @property
    def allows(self) -> bool:
        return self.kind.startswith("allow_")

    def to_core(self) -> ApprovalOption:
        """This option as a message carries it; ``grants`` says the reach."""
        return ApprovalOption(
            id=self.id,
            kind=self.kind,
            label=self.label,
            description=self.description,
            grants=(self.reach, *self.arguments) if self.reach else None,
        )

    def to_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "kind": self.kind,
            "reach": self.reach,
            "arguments": list(self.arguments),
            "expires_after": self.expires_after.total_seconds() if self.expires_after else None,
            "label": self.label,
            "description": self.description,
        }

    @classmethod
    def from_json(cls, data: dict[str, Json]) -> Self:
        seconds = data.get("expires_after")
        return cls(
            kind=data["kind"],
            reach=data.get("reach"),
            arguments=tuple(data.get("arguments", ())),
            expires_after=None if seconds is None else timedelta(seconds=seconds),
            label=data.get("label"),
            description=data.get("description"),
        )
