"""Dataclasses of ranged parameters: check, clip, vary and interpolate their values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gambol.errors import ConfigError

Ranged = TypeVar("Ranged")


@dataclass(frozen=True)
class ParameterRange:
    """Allowed values of a parameter."""

    low: float
    """Smallest allowed value."""
    high: float
    """Largest allowed value."""
    typical: float
    """Default value."""

    def __post_init__(self) -> None:
        if not self.low <= self.typical <= self.high:
            raise ConfigError(f"A range from {self.low} to {self.high} cannot be typical at {self.typical}.")


def ranged(low: float, high: float, typical: float) -> Any:
    """Declare a dataclass field with a range; its default is the typical value."""
    return dataclasses.field(default=typical, metadata={"range": ParameterRange(low, high, typical)})


def ranges_of(shape: object) -> dict[str, ParameterRange]:
    """Return the range of every parameter of a dataclass or an instance of one."""
    return {f.name: f.metadata["range"] for f in dataclasses.fields(shape) if "range" in f.metadata}  # type: ignore[arg-type]


def check_ranges(shape: object) -> None:
    """Raise `ConfigError` if a parameter is out of its range."""
    for name, allowed in ranges_of(shape).items():
        value = getattr(shape, name)
        if not allowed.low - 1e-9 <= value <= allowed.high + 1e-9:
            kind = type(shape).__name__
            raise ConfigError(f"{kind}: {name} is {value:g}; allowed is {allowed.low:g} to {allowed.high:g}.")


def with_clipped(shape: Ranged, values: Mapping[str, float]) -> Ranged:
    """Replace some values, each clipped to its range."""
    ranges = ranges_of(shape)
    inside = {k: float(np.clip(v, ranges[k].low, ranges[k].high)) for k, v in values.items()}
    return dataclasses.replace(shape, **inside)  # type: ignore[type-var]


def vary_parameters(
    shape: Ranged, variation: float, generator: np.random.Generator, *, variations: Mapping[str, float] | None = None
) -> Ranged:
    """Draw a variation: every parameter is multiplied by 1 + variation u, with u triangular in [-1, 1].

    `variations` holds the variation of single parameters. Parameters whose range includes negative numbers (angles)
    move by variation u / 2 of their range instead.
    """
    values = {}
    for name, allowed in ranges_of(shape).items():
        u = float(generator.triangular(-1.0, 0.0, 1.0))
        value = getattr(shape, name)
        step = (variations or {}).get(name, variation) * u
        angle = allowed.low < 0
        values[name] = value + 0.5 * step * (allowed.high - allowed.low) if angle else value * (1.0 + step)
    return with_clipped(shape, values)


def interpolate_parameters(a: Ranged, b: Ranged, share: float) -> Ranged:
    """Interpolate two shapes: a^(1 - share) b^share where the range is positive, the weighted mean elsewhere."""
    values = {}
    for name, allowed in ranges_of(a).items():
        x, y = getattr(a, name), getattr(b, name)
        geometric = allowed.low > 0
        values[name] = x ** (1 - share) * y**share if geometric else x + share * (y - x)
    return with_clipped(a, values)
