"""Check plain data against a JSON schema, as far as the schema of a request goes; messages name the field."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from gambol.errors import ConfigError

TYPE_NAMES = {
    "object": "an object {...}",
    "array": "a list [...]",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
"""Names for people of the types of JSON."""


def check_schema(data: Any, schema: Mapping[str, Any], where: str) -> None:
    """Raise `ConfigError` for the first value that the schema does not allow.

    Known are type, enum, minimum, maximum, maxLength, properties, additionalProperties, required, items, minItems,
    maxItems and anyOf.
    """
    if "anyOf" in schema:
        _check_any(data, schema["anyOf"], where)
        return
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds is not None and not any(_is(data, kind) for kind in kinds):
        allowed = " or ".join(TYPE_NAMES[kind] for kind in kinds if kind != "null")
        raise ConfigError(f"{where} is {_said(data)}; it takes {allowed}.")
    if data is None:
        return
    if "enum" in schema and data not in schema["enum"]:
        allowed = ", ".join(str(value) for value in schema["enum"] if value is not None)
        raise ConfigError(f"{where} is {_said(data)}; it takes {allowed}.")
    _check_size(data, schema, where)
    if isinstance(data, Mapping):
        _check_object(data, schema, where)
    if isinstance(data, list) and "items" in schema:
        for i, value in enumerate(data):
            check_schema(value, schema["items"], f"{where}[{i}]")


def _check_any(data: Any, choices: list[Mapping[str, Any]], where: str) -> None:
    """One of the choices must allow the value; where one has the value's type, its message is the one that is told."""
    errors = []
    for choice in choices:
        try:
            check_schema(data, choice, where)
        except ConfigError as error:
            errors.append((error, choice))
        else:
            return
    fitting = [error for error, choice in errors if _is(data, str(choice.get("type")))]
    if fitting:
        raise fitting[0]
    allowed = " or ".join(TYPE_NAMES.get(str(choice.get("type")), "") for choice in choices if "type" in choice)
    raise ConfigError(f"{where} is {_said(data)}; it takes {allowed}.")


def _check_size(data: Any, schema: Mapping[str, Any], where: str) -> None:
    if isinstance(data, str) and len(data) > schema.get("maxLength", len(data)):
        raise ConfigError(f"{where} has {len(data)} letters; at most {schema['maxLength']} are read.")
    if isinstance(data, list):
        for key, wrong in (("minItems", len(data) < schema.get("minItems", 0)), ("maxItems", False)):
            if wrong or (key == "maxItems" and len(data) > schema.get(key, len(data))):
                bound = "at least" if key == "minItems" else "at most"
                raise ConfigError(f"{where} has {len(data)} entries; it takes {bound} {schema[key]}.")
    if isinstance(data, int | float) and not isinstance(data, bool):
        low, high = schema.get("minimum", -float("inf")), schema.get("maximum", float("inf"))
        if not low <= data <= high:
            bound = f"from {low:g} to {high:g}" if high != float("inf") else f"of {low:g} or more"
            raise ConfigError(f"{where} is {data:g}; it takes a number {bound}.")


def _check_object(data: Mapping[str, Any], schema: Mapping[str, Any], where: str) -> None:
    inside = "" if where == "the request" else f"{where}."
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in data:
            raise ConfigError(f"{where} has no {name}, which it needs.")
    for name, value in data.items():
        if name in known:
            check_schema(value, known[name], f"{inside}{name}")
        elif schema.get("additionalProperties") is False:
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            meant = f" Did you mean {near[0]}?" if near else f" It has {', '.join(known)}."
            raise ConfigError(f"{where} has a field {name!r} that there is not.{meant}")
        elif isinstance(schema.get("additionalProperties"), Mapping):
            check_schema(value, schema["additionalProperties"], f"{inside}{name}")


def _is(data: Any, kind: str) -> bool:
    if kind == "null":
        return data is None
    if kind in ("number", "integer"):
        return isinstance(data, int if kind == "integer" else int | float) and not isinstance(data, bool)
    types = {"object": Mapping, "array": list, "string": str, "boolean": bool}
    return kind in types and isinstance(data, types[kind])


def _said(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."
