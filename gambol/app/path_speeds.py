"""Speed and heading along a path that was drawn on the ground, on the curve that the constraint `path` is met with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.app.segment import MAX_SECONDS
from gambol.character.polyline import arc_lengths
from gambol.distill.constraints.path_over_ground import GroundPath, curve_through
from gambol.errors import ConfigError

PATH_FPS = 30.0
"""Samples of a path per second."""
MOST_PATH_POINTS = 2000
"""Most points of a path that are measured."""
FAST_SIZES = 5.0
"""Speed from which a path is called fast, body sizes per second: about that of a galloping horse."""
SLOW_SIZES = 0.05
"""Speed below which a path is called slow, body sizes per second."""


@dataclass(frozen=True)
class MeasuredPath:
    """A path over the ground in time."""

    length: float
    """Length of the curve, metres."""
    mean_speed: float
    """Length over time, metres per second."""
    speed_sizes: float | None
    """The same in body sizes per second; None where the size is not known."""
    samples: list[list[float]]
    """Time, x, z, heading (radians to the left of ahead), speed (metres per second): 30 rows per second."""
    notes: tuple[str, ...]
    """Sentences for people."""


def measure_path(
    points: Sequence[Sequence[float]],
    *,
    seconds: float,
    times: Sequence[float] | None = None,
    headings: Sequence[float] | None = None,
    size: float | None = None,
) -> MeasuredPath:
    """Measure a path that is gone in `seconds`, evenly or with arrival times; `size` is the body's, metres."""
    if not isinstance(seconds, int | float) or not 0.0 < seconds <= MAX_SECONDS:
        raise ConfigError(f"seconds is {seconds!r}; it takes a number above 0 and at most {MAX_SECONDS:g}.")
    if len(points) > MOST_PATH_POINTS:
        raise ConfigError(f"points has {len(points)} entries; at most {MOST_PATH_POINTS} are measured.")
    given: Any = tuple(tuple(point) for point in points)
    path = GroundPath(given, times=None if times is None else tuple(times), headings=_tuple(headings))
    line, marks = curve_through(np.array(path.points), size or _extent(path.points))
    along = arc_lengths(line)
    at = np.arange(round(seconds * PATH_FPS) + 1) / PATH_FPS
    arrivals = np.linspace(0.0, seconds, 2) if path.times is None else np.array(path.times)
    places = np.interp(at, arrivals, along[[0, -1]] if path.times is None else marks)
    x, z = (np.interp(places, along, line[:, k]) for k in (0, 1))
    speeds = np.gradient(places, at) if len(at) > 1 else np.zeros(len(at))
    if path.headings is not None:
        turned = np.interp(places, marks, np.unwrap(path.headings))
    else:
        directions = np.gradient(line, axis=0)
        turned = np.interp(places, along, np.unwrap(np.arctan2(-directions[:, 1], directions[:, 0])))
    length = float(along[-1])
    mean = length / seconds
    rows = np.round(np.stack([at, x, z, turned, speeds], 1), 5).tolist()
    return MeasuredPath(length, mean, None if size is None else mean / size, rows, _notes(mean, size))


def _tuple(values: Sequence[float] | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(values)


def _extent(points: tuple[tuple[float, float], ...]) -> float:
    return max(float(np.ptp(np.array(points), axis=0).max()), 1e-3)


def _notes(speed: float, size: float | None) -> tuple[str, ...]:
    if size is None:
        return ()
    sizes = speed / size
    if sizes > FAST_SIZES:
        return (f"This is {sizes:.1f} body sizes a second, faster than a galloping horse; give it more seconds.",)
    if sizes < SLOW_SIZES:
        return (f"This is {sizes:.2f} body sizes a second, hardly a motion; give it fewer seconds.",)
    return ()
