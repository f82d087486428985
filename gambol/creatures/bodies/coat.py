"""The coat of a creature: colours of back, belly and legs, and the pattern of markings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gambol.character.colour import Colour
from gambol.creatures.bodies.colours import hex_colour


@dataclass(frozen=True)
class Coat:
    """Colours and pattern of a creature's skin; all colours are linear light."""

    back: Colour
    """Colour of the back and of everything without a colour of its own (a person's shirt)."""
    belly: Colour
    """Colour of the underside (a person's skin)."""
    legs: Colour
    """Colour of socks and lower legs (a person's trousers)."""
    hair: Colour
    """Colour of mane, tail tuft, hair and flight feathers."""
    horn: Colour = (0.02, 0.018, 0.016)
    """Colour of hooves, nose, beak and claws (a person's shoes)."""
    eye: Colour = (0.12, 0.05, 0.01)
    """Colour of the iris."""
    tail_tip: Colour | None = None
    """Colour of the last tail bone; None has the colour of the tail."""
    head: Colour | None = None
    """Colour of a bird's head; None has the colour of the back."""
    muzzle: Colour | None = None
    """Colour of the muzzle; None mixes back and belly."""
    markings: Colour = (0.02, 0.015, 0.01)
    """Colour of stripes, spots and patches, and of a bird's crest."""
    stripes: float = 0.0
    """Strength of stripes, 0 to 1."""
    spots: float = 0.0
    """Strength of round spots (a fawn, a leopard), 0 to 1."""
    patches: float = 0.0
    """Share of the skin that large patches cover (a cow), 0 to 1."""
    net: float = 0.0
    """Strength of large cells that leave a net of the coat's colour between them (a giraffe), 0 to 1."""
    pattern_scale: float = 0.12
    """Wavelength of the pattern as a share of the creature's size."""
    pattern_shift: float = 0.0
    """Offset into the infinite pattern, in sizes of the creature; another offset gives another individual."""
    socks: float = 0.0
    """Height of the socks as a share of the creature's height."""
    countershade: float = 0.7
    """How far the underside takes the belly's colour, 0 to 1."""


def hex_coat(back: str, belly: str, legs: str, hair: str, **options: Any) -> Coat:
    """Make a coat from sRGB hex codes; options are other fields of `Coat`, colours among them as hex codes too."""
    fields: dict[str, Any] = {"back": back, "belly": belly, "legs": legs, "hair": hair, **options}
    fields |= {name: hex_colour(code) for name, code in fields.items() if isinstance(code, str)}
    return Coat(**fields)


def plain_coat(colour: str, belly: str | None = None, hair: str | None = None, **options: Any) -> Coat:
    """Make a coat of one colour from hex codes, optionally with another belly and other hair."""
    return hex_coat(colour, belly or colour, colour, hair or colour, **options)
