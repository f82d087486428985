"""Actions of arms and hands in place, by name."""

from __future__ import annotations

from collections.abc import Callable

from gambol.creatures.gaits import hand_gestures, pushes_and_catches
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder

HAND_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "point": hand_gestures.point,
    "clap": hand_gestures.clap,
    "raise hands": hand_gestures.raise_hands,
    "bow": hand_gestures.bow,
    "nod": hand_gestures.nod,
    "catch": pushes_and_catches.catch,
    "push": pushes_and_catches.push,
    "pull": pushes_and_catches.pull,
    "talk": hand_gestures.talk,
    "laugh": hand_gestures.laugh,
    "salute": hand_gestures.salute,
    "dribble": pushes_and_catches.dribble,
}
"""Makers of these motions by their names in the vocabulary."""
