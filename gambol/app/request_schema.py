"""The JSON schema of requests, made from the dataclasses and their docstrings."""

from __future__ import annotations

import ast
import inspect
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, get_args

from gambol.app.animate_request import CHOICES, EXPORTS, NUMBER_RANGES, AnimateOutputs, AnimateRequest
from gambol.app.check_fields import MAX_PROMPT_LENGTH
from gambol.app.constraint_schema import constraint_schema, texts_behind_fields
from gambol.app.plain_data import plain_data
from gambol.app.segment import MAX_SECONDS, MAX_SEGMENTS, SHORTEST_SECONDS, Segment
from gambol.motion.root_bone import RootBone
from gambol.view.picture_settings import ViewName

REQUEST_SCHEMA = 1
"""Version of the form of a request."""
PYTHON_ONLY = ("losses",)
"""Fields that only Python has."""
METHOD_NAMES = ("fit", "sds", "annealed")
"""Methods that a request names."""


@cache
def request_schema() -> dict[str, Any]:
    """The schema of a request file (JSON Schema, draft 2020-12)."""
    properties: dict[str, Any] = {
        "schema": {"type": "integer", "enum": [REQUEST_SCHEMA], "description": "Version of the form of a request."},
        "$schema": {"type": "string", "description": "Address of this schema, for editors."},
    }
    texts = field_texts(AnimateRequest)
    for field in fields(AnimateRequest):
        if field.name not in PYTHON_ONLY:
            shape = _field_schema(field.name)
            if field.default is not MISSING and isinstance(field.default, bool | int | float | str):
                shape["default"] = field.default
            properties[field.name] = {**shape, "description": texts[field.name]}
    properties["outputs"] = _outputs_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A request of gambol animate",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _field_schema(name: str) -> dict[str, Any]:
    """The schema of one field of a request."""
    numbers = {"type": "object", "additionalProperties": {"type": "number"}}
    points = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    special: dict[str, dict[str, Any]] = {
        "segments": {"type": "array", "items": _segment_schema(), "maxItems": MAX_SEGMENTS},
        "style": numbers,
        "method": {"type": ["string", "null"], "enum": [*METHOD_NAMES, None]},
        "exports": {"type": "array", "items": {"type": "string", "enum": list(EXPORTS)}},
        "lock": {"type": "array", "items": {"type": "string"}},
        "constraints": {"type": "array", "items": constraint_schema()},
        "travel": {
            "anyOf": [
                {"type": "number"},
                {"type": "string"},
                {"type": "array", "items": points, "minItems": 2},
                {"type": "null"},
            ]
        },
    }
    if name in special:
        return special[name]
    if name in NUMBER_RANGES:
        return _number_schema(*NUMBER_RANGES[name], optional=_default(name) is None)
    if name in CHOICES:
        return {"type": ["string", "null"], "enum": [*CHOICES[name], None]}
    if isinstance(_default(name), bool):
        return {"type": "boolean"}
    return {"type": "string" if _default(name) == "" else ["string", "null"], "maxLength": MAX_PROMPT_LENGTH}


def _outputs_schema() -> dict[str, Any]:
    """The files of a run; they do not change the motion."""
    texts = field_texts(AnimateOutputs)
    shapes: dict[str, dict[str, Any]] = {
        "root_bone": {"type": "string", "enum": list(get_args(RootBone))},
        "view": {"type": "string", "enum": list(get_args(ViewName))},
        "film_size": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    }
    properties = {
        f.name: {
            **shapes.get(f.name, {"type": "boolean"}),
            "default": plain_data(f.default),
            "description": texts[f.name],
        }
        for f in fields(AnimateOutputs)
    }
    about = "Files of a run, and how they are written; they do not change the motion."
    return {"type": "object", "description": about, "properties": properties, "additionalProperties": False}


def _segment_schema() -> dict[str, Any]:
    texts = field_texts(Segment)
    shapes = {
        "prompt": {"type": "string", "maxLength": MAX_PROMPT_LENGTH},
        "seconds": _number_schema(float, SHORTEST_SECONDS, MAX_SECONDS, optional=True),
        "style": {"type": "object", "additionalProperties": {"type": "number"}},
        "seed": _number_schema(*NUMBER_RANGES["seed"], optional=True),
    }
    properties = {f.name: {**shapes[f.name], "description": texts[f.name]} for f in fields(Segment)}
    return {"type": "object", "properties": properties, "required": ["prompt"], "additionalProperties": False}


def _number_schema(kind: type, least: float, most: float, *, optional: bool) -> dict[str, Any]:
    name = "integer" if kind is int else "number"
    bounds = {"minimum": least} | ({"maximum": most} if most != float("inf") else {})
    return {"type": [name, "null"] if optional else name, **bounds}


def _default(name: str) -> Any:
    return AnimateRequest.__dataclass_fields__[name].default


def field_texts(kind: type) -> dict[str, str]:
    """The docstring behind every field of a dataclass."""
    (node,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(node, ast.ClassDef)
    return texts_behind_fields(node)
