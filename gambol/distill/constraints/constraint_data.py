"""Constraints as plain data, as JSON holds them, and back; messages name the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.hold import Hold
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.path_over_ground import GroundPath
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.pose_key import PoseKey
from gambol.distill.constraints.speed import Speed
from gambol.errors import ConfigError

KINDS: dict[str, tuple[Callable[..., MotionConstraint], tuple[str, ...], tuple[str, ...]]] = {
    "pin": (Pin, ("joint", "position"), ("time", "interval", "orientation", "weight")),
    "pose": (PoseKey, ("time", "pose"), ("weight",)),
    "path": (GroundPath, ("points",), ("headings", "times", "weight")),
    "speed": (Speed, ("speeds", "times"), ("weight",)),
    "look_at": (LookAt, ("target",), ("interval", "weight")),
    "hold": (Hold, ("limbs", "interval"), ("weight",)),
    "freeze": (Freeze, ("clip",), ("limbs", "spans", "weight")),
}
"""Each kind with its class, the fields that it must have, and those that it may have."""


def read_constraint(data: Mapping[str, Any], where: str) -> MotionConstraint:
    """The constraint that plain data stands for; `where` is what messages call it, such as constraints[2]."""
    kinds = ", ".join(KINDS)
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where} is {data!r}; it takes an object with a kind, one of {kinds}.")
    kind = data.get("kind")
    if kind not in KINDS:
        raise ConfigError(f"{where}.kind is {kind!r}; it takes one of {kinds}.")
    make, needed, allowed = KINDS[kind]
    known = (*needed, *allowed)
    unknown = [name for name in data if name not in ("kind", *known)]
    if unknown:
        raise ConfigError(f"{where}.{unknown[0]} is no field of a {kind}; its fields are {', '.join(known)}.")
    missing = [name for name in needed if data.get(name) is None]
    if missing:
        raise ConfigError(f"{where}.{missing[0]} is missing; a {kind} needs {', '.join(needed)}.")
    given = {name: value for name, value in data.items() if name != "kind" and value is not None}
    try:
        return make(**given)
    except ConfigError as error:
        raise ConfigError(f"{where}.{error}") from None


def constraint_data(constraint: MotionConstraint) -> dict[str, Any]:
    """A constraint as plain data, without what is at its default; `read_constraint` makes the same one of it."""
    for kind, (made, needed, allowed) in KINDS.items():
        if type(constraint) is made:
            defaults = {field.name: field.default for field in fields(constraint)}  # type: ignore[arg-type]
            values = {name: getattr(constraint, name) for name in (*needed, *allowed)}
            return {"kind": kind, **{name: _plain(v) for name, v in values.items() if v != defaults[name]}}
    raise ConfigError(f"{constraint!r} is no constraint that can be written as data; those are {', '.join(KINDS)}.")


def _plain(value: Any) -> Any:
    return [_plain(inside) for inside in value] if isinstance(value, tuple) else value
