"""Typed look-ups in parsed JSON: a field of the wrong type or range raises an `AssetError` that names it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.errors import AssetError

MAX_ELEMENTS = 1_000_000
"""Longest list that is read."""


def field_object(parent: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return an object; empty where it is absent."""
    value = parent.get(key, {})
    if not isinstance(value, dict):
        raise AssetError(f"{where}.{key} must be an object, not {_kind(value)}.")
    return value


def field_list(parent: dict[str, Any], key: str, where: str) -> list[Any]:
    """Return a list; empty where it is absent."""
    value = parent.get(key, [])
    if not isinstance(value, list):
        raise AssetError(f"{where}.{key} must be a list, not {_kind(value)}.")
    if len(value) > MAX_ELEMENTS:
        raise AssetError(f"{where}.{key} has {len(value)} elements; at most {MAX_ELEMENTS} are read.")
    return value


def field_objects(parent: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    """Return a list of objects; empty where it is absent."""
    values = field_list(parent, key, where)
    for i, value in enumerate(values):
        if not isinstance(value, dict):
            raise AssetError(f"{where}.{key}[{i}] must be an object, not {_kind(value)}.")
    return values


def field_text(parent: dict[str, Any], key: str, where: str, *, default: str | None = None) -> str:
    """Return a string."""
    value = parent.get(key, default)
    if not isinstance(value, str):
        raise AssetError(f"{where}.{key} must be a text, not {_kind(value)}.")
    return value


def field_integer(
    parent: dict[str, Any], key: str, where: str, *, low: int = 0, high: int = 2**53, default: int | None = None
) -> int:
    """Return a whole number in [low, high]."""
    value = parent.get(key, default)
    return check_integer(value, f"{where}.{key}", low=low, high=high)


def check_integer(value: Any, what: str, *, low: int = 0, high: int = 2**53) -> int:
    """Return `value` as an int in [low, high]; 2.0 counts as 2, as some exporters write."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise AssetError(f"{what} must be a whole number, not {_kind(value)}.")
    if not low <= value <= high:
        raise AssetError(f"{what} is {str(value)[:40]}; allowed is {low} to {high}.")
    return value


def check_index(value: Any, count: int, what: str) -> int:
    """Return `value` as an index into a list of `count` elements."""
    if count == 0:
        raise AssetError(f"{what} points at {_kind(value)}, but the file has no such element.")
    return check_integer(value, what, low=0, high=count - 1)


def field_index(parent: dict[str, Any], key: str, count: int, where: str) -> int | None:
    """Return an index into a list of `count` elements; None where it is absent."""
    return check_index(parent[key], count, f"{where}.{key}") if key in parent else None


def field_indices(parent: dict[str, Any], key: str, count: int, where: str) -> list[int]:
    """Return a list of indices into a list of `count` elements; empty where it is absent."""
    return [check_index(v, count, f"{where}.{key}[{i}]") for i, v in enumerate(field_list(parent, key, where))]


def field_number(parent: dict[str, Any], key: str, where: str, *, default: float) -> float:
    """Return a finite number."""
    value = parent.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
        raise AssetError(f"{where}.{key} must be a finite number, not {_kind(value)}.")
    return float(value)


def field_numbers(
    parent: dict[str, Any], key: str, length: int, where: str, *, default: list[float] | None = None
) -> np.ndarray:
    """Return a list of `length` finite numbers as an array."""
    value = parent.get(key, default)
    if not isinstance(value, list) or len(value) != length:
        raise AssetError(f"{where}.{key} must be a list of {length} numbers.")
    for number in value:
        if isinstance(number, bool) or not isinstance(number, (int, float)) or not _is_finite(number):
            raise AssetError(f"{where}.{key} must hold finite numbers, not {_kind(number)}.")
    return np.array(value, dtype=np.float64)


def field_name(entry: dict[str, Any], default: str) -> str:
    """Return an element's name; half a surrogate pair, which cannot be encoded, becomes a question mark."""
    name = entry.get("name", default)
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) else default


def _is_finite(number: int | float) -> bool:
    return abs(number) < 1e30


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):  # never spelled out: a deeply nested one would end in a RecursionError
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return f"{type(value).__name__} {str(value)[:40]!r}"
