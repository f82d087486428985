"""The JSON schema of constraints, one object for each kind; the texts are those of the classes. Needs no torch."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import Any

CONSTRAINT_FOLDER = Path(__file__).parents[1] / "distill" / "constraints"
"""Where the constraints are defined."""
NUMBER = {"type": "number"}
"""Any number."""
TIME = {"type": "number", "minimum": 0}
"""A time, seconds."""
TEXT = {"type": "string"}
"""Any text."""


def _numbers(count: int | None = None, least: int = 1) -> dict[str, Any]:
    bounds = {"minItems": least} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": NUMBER, **bounds}


def _several(items: dict[str, Any], least: int = 1) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


INTERVAL = {"type": "array", "items": TIME, "minItems": 2, "maxItems": 2}
"""First and last time, seconds."""
CONSTRAINT_SHAPES: dict[str, tuple[str, str, dict[str, dict[str, Any]]]] = {
    "pin": (
        "pin.py",
        "Pin",
        {
            "joint": TEXT,
            "position": _numbers(3),
            "time": TIME,
            "interval": INTERVAL,
            "orientation": _numbers(4),
        },
    ),
    "pose": ("pose_key.py", "PoseKey", {"time": TIME, "pose": TEXT}),
    "path": (
        "path_over_ground.py",
        "GroundPath",
        {"points": _several(_numbers(2), 2), "headings": _numbers(least=2), "times": _several(TIME, 2)},
    ),
    "speed": ("speed.py", "Speed", {"speeds": _several(TIME), "times": _several(TIME)}),
    "look_at": ("look_at.py", "LookAt", {"target": _numbers(3), "interval": INTERVAL}),
    "hold": ("hold.py", "Hold", {"limbs": _several(TEXT), "interval": INTERVAL}),
    "freeze": ("freeze.py", "Freeze", {"clip": TEXT, "limbs": _several(TEXT), "spans": _several(INTERVAL)}),
}
"""Each kind with the file and class that it is defined in, and the shapes of its fields."""
REQUIRED_FIELDS = {
    "pin": ("joint", "position"),
    "pose": ("time", "pose"),
    "path": ("points",),
    "speed": ("speeds", "times"),
    "look_at": ("target",),
    "hold": ("limbs", "interval"),
    "freeze": ("clip",),
}
"""Fields that a constraint of each kind must have."""


def constraint_schema() -> dict[str, Any]:
    """The schema of one constraint; `read_constraint` checks the values and names the field that is wrong."""
    return {"type": "object", "oneOf": [_kind_schema(kind) for kind in CONSTRAINT_SHAPES]}


def _kind_schema(kind: str) -> dict[str, Any]:
    file, name, shapes = CONSTRAINT_SHAPES[kind]
    about, texts = class_texts(CONSTRAINT_FOLDER / file, name)
    weight = {"type": "number", "exclusiveMinimum": 0, "description": texts["weight"]}
    properties = {field: {**shape, "description": texts[field]} for field, shape in shapes.items()}
    return {
        "type": "object",
        "title": kind,
        "description": about,
        "properties": {"kind": {"const": kind}, **properties, "weight": weight},
        "required": ["kind", *REQUIRED_FIELDS[kind]],
        "additionalProperties": False,
    }


def class_texts(path: Path, name: str) -> tuple[str, dict[str, str]]:
    """The docstring of a class and those behind its fields, read from its source without importing it."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return " ".join((ast.get_docstring(node) or "").split()), texts_behind_fields(node)
    raise LookupError(f"{path.name} has no class {name}")


def texts_behind_fields(node: ast.ClassDef) -> dict[str, str]:
    """The docstring behind every field of a dataclass."""
    found = {}
    for field, text in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            value = text.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[field.target.id] = " ".join(value.value.split())
    return found
