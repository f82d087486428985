"""Actions of the whole body of people: cartwheel, roll, climb, squat, throw, swing, lift."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits import exercises, swings_and_throws
from gambol.creatures.gaits.acrobatics import cartwheel
from gambol.creatures.gaits.forward_roll import roll
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

ATHLETIC_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "cartwheel": cartwheel,
    "roll": roll,
    "climb": exercises.climb,
    "squat": exercises.squat,
    "jumping jacks": exercises.jumping_jacks,
    "pick up": exercises.pick_up,
    "throw": swings_and_throws.throw,
    "swing sword": swings_and_throws.swing_sword,
    "swing golf club": swings_and_throws.swing_golf_club,
    "box": swings_and_throws.box,
}
"""Makers of these motions by their names in the vocabulary."""
