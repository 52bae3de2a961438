"""How drf-spectacular reads our models and our authentication. Imported once, by :func:`.describe`."""

from __future__ import annotations

from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.settings import spectacular_settings
from pydantic import BaseModel

from ..authentication import HookAuthentication

PREFIX = "AgentUI"
"""Before the names of our components: they may stand next to the site's own."""

_NULL = {"type": "null"}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = HookAuthentication
    name = "agentuiToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token that a function of AGENTUI['AUTHENTICATION'] knows.",
        }


class ModelExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Our pydantic models, in the version of OpenAPI that the site has chosen."""

    target_class = BaseModel
    match_subclasses = True
    priority = 1

    @classmethod
    def _matches(cls, target: Any) -> bool:
        """Called to find the extension of a model; the site's models are not ours."""
        module = getattr(target, "__module__", "") if isinstance(target, type) else ""
        return module.startswith("agentui.") and issubclass(target, BaseModel)

    def get_name(self, auto_schema: AutoSchema, direction: Any) -> str:
        set_override(self.target, "suppress_collision_warning", True)
        return f"{PREFIX}{self.target.__name__}"

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        schema = self.target.model_json_schema(
            ref_template=f"#/components/schemas/{PREFIX}{{model}}",
            mode="validation" if direction == "request" else "serialization",
        )
        for name, definition in schema.pop("$defs", {}).items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=f"{PREFIX}{name}",
                    type=ResolvedComponent.SCHEMA,
                    object=name,
                    schema=adapted(definition),
                )
            )
        found: dict[str, Any] = adapted(schema)
        return found


def adapted(schema: Any) -> Any:
    """JSON Schema as OpenAPI 3.1 takes it, or 3.0, which has no null and no const."""
    if isinstance(schema, list):
        return [adapted(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        name: {key: _own_enum(adapted(value)) for key, value in inner.items()}
        if name == "properties"
        else adapted(inner)
        for name, inner in schema.items()
        if name != "title"
    }
    if not spectacular_settings.OAS_VERSION.startswith("3.0"):
        return found
    if "const" in found:
        found["enum"] = [found.pop("const")]
    for side in ("Maximum", "Minimum"):
        if not isinstance(found.get(f"exclusive{side}", True), bool):
            found[side.lower()], found[f"exclusive{side}"] = found[f"exclusive{side}"], True
    if _NULL in found.get("anyOf", ()):
        others = [option for option in found.pop("anyOf") if option != _NULL]
        found |= {"nullable": True}
        # A reference must stand alone in 3.0.
        found |= others[0] if len(others) == 1 and "$ref" not in others[0] else _one_of(others)
    return found


def _own_enum(schema: Any) -> Any:
    """drf-spectacular makes a component of each enum of a property, with a name like ``TypeEnum`` that
    the site's own fields have too. It looks at the property itself only."""
    if isinstance(schema, dict) and "enum" in schema:
        return {"allOf": [schema]}
    return schema


def _one_of(options: list[Any]) -> dict[str, Any]:
    return {"allOf": options} if len(options) == 1 else {"anyOf": options}
