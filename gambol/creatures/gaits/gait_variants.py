"""Gaits in other directions and manners: backwards, sideways, crawling, charging, old, drunk, proud."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

GAIT_VARIANTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""Makers of these motions by their names in the vocabulary."""
