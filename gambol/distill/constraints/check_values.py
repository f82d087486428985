"""Checks of the values of constraints: every message names the field, what was given and what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gambol.errors import ConfigError

LONGEST_TIME = 600.0
"""Latest time that a constraint may name, seconds."""
FARTHEST = 1e4
"""Farthest coordinate that a constraint may name, metres."""
UNIT_TOLERANCE = 0.01
"""By how much the length of an orientation's quaternion may differ from 1; it is normalised then."""


def numbers(value: Any, shape: tuple[int | None, ...], name: str, takes: str) -> np.ndarray:
    """The value as finite numbers of a shape; None in the shape is any length of 1 or more."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.full((), np.nan)
    fits = array.ndim == len(shape) and all(s in (None, n) and n > 0 for s, n in zip(shape, array.shape, strict=True))
    if not fits or not np.isfinite(array).all() or np.abs(array).max() > FARTHEST:
        raise ConfigError(f"{name} is {_said(value)}; it takes {takes}.")
    return array


def checked_point(value: Any, name: str) -> tuple[float, float, float]:
    """Three coordinates in metres."""
    x, y, z = numbers(value, (3,), name, "three numbers x, y, z in metres (x ahead, y up, z to the right)").tolist()
    return x, y, z


def checked_time(value: Any, name: str) -> float:
    """A time of the clip in seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_TIME:
        raise ConfigError(f"{name} is {_said(value)}; it takes a time in seconds from 0 to {LONGEST_TIME:g}.")
    return float(value)


def checked_interval(value: Any, name: str) -> tuple[float, float]:
    """First and last time of an interval in seconds; the last comes after the first."""
    takes = "two times in seconds, the first before the second, such as 1.0 and 2.5"
    first, last = numbers(value, (2,), name, takes).tolist()
    if not 0 <= first < last <= LONGEST_TIME:
        raise ConfigError(f"{name} is {_said(value)}; it takes {takes}.")
    return first, last


def checked_times(value: Any, count: int, name: str) -> tuple[float, ...]:
    """Increasing times in seconds, one for each of `count` points."""
    takes = f"{count} increasing times in seconds, one for each point"
    times = numbers(value, (None,), name, takes)
    if len(times) != count or (np.diff(times) <= 0).any() or times[0] < 0 or times[-1] > LONGEST_TIME:
        raise ConfigError(f"{name} is {_said(value)}; it takes {takes}.")
    return tuple(times.tolist())


def checked_quaternion(value: Any, name: str) -> tuple[float, float, float, float]:
    """A unit quaternion w, x, y, z; one that is off by rounding is normalised."""
    takes = "a unit quaternion w, x, y, z, such as 1, 0, 0, 0"
    wxyz = numbers(value, (4,), name, takes)
    length = float(np.linalg.norm(wxyz))
    if abs(length - 1.0) > UNIT_TOLERANCE:
        raise ConfigError(f"{name} is {_said(value)}, of length {length:.3g}; it takes {takes}.")
    w, x, y, z = (wxyz / length).tolist()
    return w, x, y, z


def checked_text(value: Any, name: str, takes: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{name} is {_said(value)}; it takes {takes}.")
    return value.strip()


def checked_names(value: Any, name: str, takes: str) -> tuple[str, ...]:
    """Several names; one alone may be given as it is."""
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, Sequence) or not value:
        raise ConfigError(f"{name} is {_said(value)}; it takes {takes}.")
    return tuple(checked_text(one, name, takes) for one in value)


def checked_weight(value: Any, name: str) -> float:
    """A factor above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ConfigError(f"{name} is {_said(value)}; it takes a number above 0.")
    return float(value)


def _said(value: Any) -> str:
    return repr(value)[:80]
