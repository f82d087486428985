"""Give a clip a speed or a path over the ground that the user chose (`animate --travel`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.polyline import arc_lengths, points_along
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.feet.travel import Travel, add_travel, remove_travel
from gambol.motion.root_trajectory import ground_path, smooth_path

MIN_TRAVEL_SPEED = 0.02
"""A clip slower than this, in sizes per second, stays in place: it has no speed that could be scaled."""
CORNER_SIGMA = 0.8
"""Standard deviation of the Gaussian that rounds a path's corners, in sizes of the body."""
MAX_SPEED = 100.0
"""Highest speed that may be asked for, metres per second."""

TravelPath = tuple[tuple[float, float], ...]
"""Points (x, z) of a path in metres: x ahead, z to the right."""


def parse_travel(travel: Any) -> float | TravelPath:
    """Read a speed in m/s or a path: 1.2, '1.2', [(0, 0), (2, 0), (3, 1)] or '0,0 2,0 3,1'. Raises `ConfigError`."""
    try:
        if isinstance(travel, str):
            paths = "," in travel
            value = [[float(x) for x in point.split(",")] for point in travel.split()] if paths else float(travel)
        else:
            value = travel
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.full(1, np.nan)
    if numbers.ndim == 0 and 0 < numbers <= MAX_SPEED and not isinstance(travel, bool):
        return float(numbers)
    if numbers.ndim == 2 and numbers.shape[1] == 2 and len(numbers) > 1 and np.isfinite(numbers).all():
        if not np.linalg.norm(np.diff(numbers, axis=0), axis=1).all():
            raise ConfigError(f"travel is {travel!r}; each point of a path must differ from the one before it.")
        return tuple((float(x), float(z)) for x, z in numbers)
    raise ConfigError(
        f"travel is {travel!r}; it takes a speed in m/s such as 1.2 (above 0, at most {MAX_SPEED:g}), or a path such as"
        " '0,0 2,0 3,1' (from Python also a list of points)."
    )


def set_speed(clip: Clip, speed: float, size: float) -> Clip:
    """Play a clip faster or slower, so that it covers the ground at `speed` m/s; a clip in place is returned as it is.

    `size` is the character's, metres.
    """
    own = path_length(clip) / clip.duration
    return clip if own < MIN_TRAVEL_SPEED * size else replace(clip, fps=clip.fps * speed / own)


def follow_path(clip: Clip, points: TravelPath | Float[ndarray, "points 2"], size: float) -> Clip:
    """Lay a clip along a path with rounded corners, at the clip's own speed; past the path's end it goes straight on.

    The body faces along the path from its first frame on. `size` is the character's, metres.
    """
    points = np.asarray(points, dtype=np.float64)
    travelled = arc_lengths(ground_path(clip))
    path, headings = round_corners(points, CORNER_SIGMA * size)
    along = arc_lengths(path)
    beyond = np.maximum(travelled - along[-1], 0.0)[:, None]
    last = np.array([np.cos(headings[-1]), -np.sin(headings[-1])])
    places = points_along(path, travelled) - points[0] + beyond * last
    return add_travel(remove_travel(clip), Travel(places, np.interp(travelled, along, headings)))


def round_corners(
    points: Float[ndarray, "points 2"], sigma: float
) -> tuple[Float[ndarray, "samples 2"], Float[ndarray, "samples"]]:
    """A dense path near the given points, smoothed by a Gaussian of `sigma` metres, and its headings in radians."""
    knots = arc_lengths(points)
    samples = np.linspace(0.0, knots[-1], max(int(np.ceil(knots[-1] / sigma * 8)), 2 * len(points)) + 1)
    dense = points_along(points, samples)
    path = smooth_path(dense, sigma / (samples[1] - samples[0]))
    ahead = np.gradient(path, axis=0)
    return path, np.unwrap(np.arctan2(-ahead[:, 1], ahead[:, 0]))


def path_length(clip: Clip) -> float:
    """Length of a clip's smoothed root path over the ground, metres."""
    return float(np.linalg.norm(np.diff(ground_path(clip), axis=0), axis=1).sum())


def travel_note(clip: Clip, travel: Any, size: float) -> str | None:
    """A sentence for the user where a clip could not travel as asked; None where it does."""
    if travel is None:
        return None
    asked, travelled = parse_travel(travel), path_length(clip)
    if travelled / clip.duration < MIN_TRAVEL_SPEED * size:
        return "The motion stays where it is, so --travel changes nothing."
    whole = 0.0 if isinstance(asked, float) else float(arc_lengths(np.array(asked))[-1])
    if travelled > 0.95 * whole:
        return None
    return f"The clip covers {travelled:.2f} of the path's {whole:.2f} m; --seconds makes it longer."
