"""Actions of head and trunk: look around, shake, rear up, roar, sniff, drink, stomp."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

HEAD_AND_TRUNK_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""Makers of these motions by their names in the vocabulary."""
