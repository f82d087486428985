"""Conditioning of the network on a procedural motion's style."""

from __future__ import annotations

from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.parameter_ranges import ranges_of
from gambol.priors.embedded.style import STYLE_AXES, StyleConditioning


def style_conditioning(style: MotionStyle) -> StyleConditioning:
    """Return the conditioning for a style, each axis relative to its typical value."""
    allowed = ranges_of(MotionStyle)
    axes = ((getattr(style, n) - allowed[n].typical) / (0.5 * (allowed[n].high - allowed[n].low)) for n in STYLE_AXES)
    return StyleConditioning(style.phase, style.tempo, style.mirrored, tuple(axes))
