"""Actions of arms and hands in place: point, clap, raise hands, bow, nod, catch, push, pull, talk."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

HAND_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {}
"""Makers of these motions by their names in the vocabulary."""
