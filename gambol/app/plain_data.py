"""Settings as plain data that JSON can hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any


def plain_data(value: Any) -> Any:
    """Settings as JSON can hold them: dataclasses with their type, tuples as lists, paths as text, no tensors."""
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: getattr(value, f.name) for f in fields(value)}
        return {"type": type(value).__name__, **{k: plain_data(v) for k, v in inside.items() if _is_plain(v)}}
    if isinstance(value, dict):
        return {str(key): plain_data(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(inside) for inside in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    return {"type": type(value).__name__, **{k: plain_data(v) for k, v in vars(value).items() if _is_plain(v)}}


def _is_plain(value: Any) -> bool:
    return type(value).__module__.split(".")[0] not in ("torch", "numpy") and not callable(value)
