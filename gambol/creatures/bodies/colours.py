"""Colour values of coats: linear-light RGB from hex codes, and mixtures."""

from __future__ import annotations

import numpy as np

from gambol.character.colour import Colour, srgb_to_linear


def hex_colour(code: str) -> Colour:
    """Convert an sRGB hex code as on web pages, 'rrggbb', to linear light."""
    r, g, b = srgb_to_linear(np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)]) / 255.0)
    return (float(r), float(g), float(b))


def mix_colours(a: Colour, b: Colour, share: float) -> Colour:
    """Interpolate between two colours: a + share (b - a)."""
    x, y, z = (float(p + share * (q - p)) for p, q in zip(a, b, strict=True))
    return (x, y, z)
