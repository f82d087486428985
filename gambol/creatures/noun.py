"""What a noun of a sentence means: a family, and how this animal differs from the family's typical member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.skin_colours import srgb


@dataclass(frozen=True)
class Noun:
    """Words for one animal."""

    words: tuple[str, ...]
    """The first one is its proper name; words of two parts have a space."""
    family: str
    levers: Mapping[str, float] = field(default_factory=dict)
    """Levers to pull (`gambol.creatures.bodies.shape_sliders`)."""
    shape: Mapping[str, float] = field(default_factory=dict)
    """Parameters to set before the seed varies them."""
    coats: tuple[Coat, ...] = ()
    """Coats instead of the family's."""


YOUNG = {"size": 0.45, "head": 1.35, "eye": 1.3, "girth": 1.06, "muzzle": 0.75}


def plain(code: str, belly: str | None = None, hair: str | None = None, **more: object) -> Coat:
    """A coat of one colour, perhaps with another belly."""
    back = srgb(code)
    return Coat(back, srgb(belly) if belly else back, back, srgb(hair) if hair else back, **more)  # type: ignore[arg-type]


def noun(words: str, family: str, levers: Mapping[str, float] | None = None, *coats: Coat, **shape: float) -> Noun:
    """A noun from its words (with commas between them), its family, levers, coats and parameters."""
    return Noun(tuple(words.split(", ")), family, levers or {}, shape, coats)


DARK_EYE = srgb("1a1008")
