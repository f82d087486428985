"""Nouns that name an animal: its family, and how it differs from the family's typical member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.creatures.bodies.coat import Coat


@dataclass(frozen=True)
class Noun:
    """An animal that a description can name."""

    words: tuple[str, ...]
    """Its names, the proper one first; a name may consist of two words."""
    family: str
    """Name of its family (`gambol.creatures.catalogue.CREATURE_FAMILIES`)."""
    sliders: Mapping[str, float] = field(default_factory=dict)
    """Sliders to move and by which factor (`gambol.creatures.bodies.shape_sliders`)."""
    shape: Mapping[str, float] = field(default_factory=dict)
    """Parameters of the family's shape to set, before the seed varies them."""
    coats: tuple[Coat, ...] = ()
    """Coats that replace the family's; none keeps them."""


YOUNG_SLIDERS = {"size": 0.45, "head": 1.35, "eye": 1.3, "girth": 1.06, "muzzle": 0.75}
"""Sliders that make a young animal of a grown one."""
DARK_EYE = "1a1008"
"""Hex code of a dark brown iris."""


def noun(words: str, family: str, sliders: Mapping[str, float] | None = None, *coats: Coat, **shape: float) -> Noun:
    """Make a noun from its names (separated by commas), its family, sliders, coats and parameters of its shape."""
    return Noun(tuple(words.split(", ")), family, sliders or {}, shape, coats)
