"""A family of creatures: its typical shape, its coats, and how a shape becomes a body plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.parameter_ranges import interpolate_parameters, vary_parameters
from gambol.errors import ConfigError


@dataclass(frozen=True)
class CreatureFamily:
    """One kind of animal, of which individuals can be drawn."""

    name: str
    """Name of the family, the noun that means its typical member."""
    shape: Any
    """Shape of the typical member: a frozen dataclass of ranged parameters (`QuadrupedShape`, `BirdShape`, ...)."""
    coats: tuple[Coat, ...]
    """Coats that occur; the first is the typical one."""
    build: Callable[[str, Any, Coat], CreatureBodyPlan]
    """Makes the body plan of a name, a shape and a coat."""
    variation: float = 0.14
    """How far members differ from the typical one (see `vary_parameters`)."""
    variations: Mapping[str, float] = field(default_factory=dict)
    """Variation of single parameters that differ more, or less."""

    def sample(self, generator: np.random.Generator) -> tuple[Any, Coat]:
        """Draw shape and coat of a random member."""
        shape = vary_parameters(self.shape, self.variation, generator, variations=self.variations)
        coat = self.coats[int(generator.integers(len(self.coats)))]
        return shape, vary_coat(coat, generator)

    def plan(self, shape: Any, coat: Coat) -> CreatureBodyPlan:
        """Make the body plan of one member."""
        return self.build(self.name, shape, coat)


def cross_families(a: CreatureFamily, b: CreatureFamily, share: float) -> CreatureFamily:
    """Interpolate between two families of one kind of shape; share 0.5 of horse and giraffe is half of each."""
    if type(a.shape) is not type(b.shape):
        raise ConfigError(f"A {a.name} and a {b.name} have no common body plan; cross families of one kind of shape.")
    return replace(
        a, name=f"{a.name}-{b.name}", shape=interpolate_parameters(a.shape, b.shape, share), coats=a.coats + b.coats
    )


def vary_coat(coat: Coat, generator: np.random.Generator) -> Coat:
    """Draw a coat that is a little lighter or darker, warmer or cooler, with its pattern moved and scaled."""
    light, warm = np.exp(generator.normal(0.0, 0.16)), np.exp(generator.normal(0.0, 0.05))
    scale = coat.pattern_scale * float(np.exp(generator.normal(0.0, 0.12)))

    def shift(colour: Colour) -> Colour:
        r, g, b = (
            float(np.clip(c * f, 0.0, 0.95)) for c, f in zip(colour, (light * warm, light, light / warm), strict=True)
        )
        return (r, g, b)

    changed: dict[str, Any] = {name: shift(getattr(coat, name)) for name in ("back", "belly", "legs", "hair")}
    return replace(coat, pattern_scale=scale, pattern_shift=float(generator.uniform(0.0, 10.0)), **changed)
