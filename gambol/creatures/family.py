"""A family of creatures: its typical shape, its coats, and how a shape becomes a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import BodyPlan, Coat
from gambol.creatures.parameter_ranges import interpolate_parameters, vary_parameters
from gambol.errors import ConfigError


@dataclass(frozen=True)
class CreatureFamily:
    """One kind of animal; any number of different ones can be drawn from a seed."""

    name: str
    shape: Any
    """The typical member: a frozen dataclass of ranged numbers."""
    coats: tuple[Coat, ...]
    """Colourings that occur; the first is the typical one."""
    build: Callable[[str, Any, Coat], BodyPlan]
    spread: float = 0.14
    """How far members differ from the typical one (see `shape.vary_parameters`)."""
    spreads: Mapping[str, float] = field(default_factory=dict)
    """The same for single parameters that differ more, or less."""

    def sample(self, generator: np.random.Generator) -> tuple[Any, Coat]:
        """The shape and the coat of one random member."""
        shape = vary_parameters(self.shape, self.spread, generator, spreads=self.spreads)
        coat = self.coats[int(generator.integers(len(self.coats)))]
        return shape, vary_coat(coat, generator)

    def plan(self, shape: Any, coat: Coat) -> BodyPlan:
        """Joints and flesh of one member."""
        return self.build(self.name, shape, coat)


def cross_families(a: CreatureFamily, b: CreatureFamily, share: float) -> CreatureFamily:
    """A family between two that have the same kind of shape: half a horse and half a giraffe, where share is 1/2."""
    if type(a.shape) is not type(b.shape):
        raise ConfigError(f"A {a.name} and a {b.name} have nothing in common; cross families of one kind of shape.")
    return replace(
        a, name=f"{a.name}-{b.name}", shape=interpolate_parameters(a.shape, b.shape, share), coats=a.coats + b.coats
    )


def vary_coat(coat: Coat, generator: np.random.Generator) -> Coat:
    """The same colouring, a little lighter or darker, warmer or cooler."""
    light, warm = np.exp(generator.normal(0.0, 0.16)), np.exp(generator.normal(0.0, 0.05))
    scale = coat.pattern_scale * float(np.exp(generator.normal(0.0, 0.12)))

    def shift(colour: Colour) -> Colour:
        r, g, b = (
            float(np.clip(c * f, 0.0, 0.95)) for c, f in zip(colour, (light * warm, light, light / warm), strict=True)
        )
        return (r, g, b)

    changed: dict[str, Any] = {name: shift(getattr(coat, name)) for name in ("back", "belly", "legs", "hair")}
    return replace(coat, pattern_scale=scale, pattern_shift=float(generator.uniform(0.0, 10.0)), **changed)
