"""Conditioning of the network on a procedural motion's style."""

from __future__ import annotations

from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.parameter_ranges import ranges_of
from gambol.priors.embedded.conditioning import WAYS, Manner


def manner_of(style: MotionStyle) -> Manner:
    """Return the conditioning for a style, each axis relative to its typical value."""
    allowed = ranges_of(MotionStyle)
    ways = ((getattr(style, n) - allowed[n].typical) / (0.5 * (allowed[n].high - allowed[n].low)) for n in WAYS)
    return Manner(style.phase, style.tempo, style.mirrored, tuple(ways))
