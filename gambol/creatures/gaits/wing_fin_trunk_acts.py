"""Actions of birds, fish and snakes: glide, take off, land, breach, coil."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

WING_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""Makers of these motions by their names in the vocabulary."""
FINNED_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""The same for bodies with fins and no legs."""
LEGLESS_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""The same for bodies with neither legs nor fins."""
