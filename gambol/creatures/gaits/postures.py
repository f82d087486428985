"""Postures and what leads to them: sit, lie, get up, fall, be hit, stretch."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits import lying, recoil_and_stretch, sitting
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

POSTURES: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "sit down": sitting.sit_down,
    "stand up": sitting.stand_up,
    "lie down": lying.lie_down,
    "get up": lying.get_up,
    "stretch": recoil_and_stretch.stretch,
    "get hit": recoil_and_stretch.get_hit,
    "fall down": lying.fall_down,
}
"""Makers of these motions by their names in the vocabulary."""
