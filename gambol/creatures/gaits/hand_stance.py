"""Stances of the body under gestures of the hands: lean, weight, bend and twist of the back, gaze."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import Angle
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_head, wave_tails
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody, path_from_root
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    keyframe_curve,
    make_trunk_motion,
    plant_feet,
    relax_limbs,
    standing_foot,
    trunk_tilt,
)
from gambol.creatures.gaits.strides import lunge_share
from gambol.creatures.gaits.trunk_motion import pose_trunk


@dataclass(frozen=True)
class GestureStance:
    """How a body stands over planted feet; lengths in leg lengths, angles in radians, each one value or a curve."""

    ahead: Angle = 0.0
    """Shift of the hips ahead."""
    low: Angle = 0.0
    """Lowering of the hips, beyond the style's crouch."""
    sway: Angle = 0.0
    """Shift of the hips to the left."""
    yaw: Angle = 0.0
    """Turn of the hips to the left."""
    roll: Angle = 0.0
    """Roll of the hips to the right."""
    pitch: Angle = 0.0
    """Tilt of the trunk about the hips, nose up positive; bodies that cannot tilt so far bend their back instead."""
    bend: Angle = 0.0
    """Bend of the back, nose up positive."""
    twist: Angle = 0.0
    """Twist of the back to the left."""
    side_bend: Angle = 0.0
    """Bend of the back to the right."""
    stagger: float = 0.0
    """Distance by which the leading foot of a biped stands ahead of the middle, and the other one behind it."""
    head_pitch: Angle = 0.0
    """Pitch of head and neck against the horizon, nose up positive."""
    head_yaw: Angle = 0.0
    """Gaze to the left, against straight ahead."""
    steady: float = 0.85
    """Share of the trunk's rotation that the neck takes away from the head, 0 to 1."""


def upper_spine(body: MovingBody) -> tuple[int, ...]:
    """Return the bones of the spine that carry no legs: a centaur's upper body, a person's whole spine."""
    under_legs = {b for leg in body.legs for b in path_from_root(body.skeleton, leg.bones[0])}
    return tuple(bone for bone in body.spine if bone not in under_legs)


def pose_stance(
    body: MovingBody, style: MotionStyle, times: FrameTimes, stance: GestureStance, *, leading_left: bool = False
) -> PoseBuilder:
    """Pose trunk, head, tails and planted legs; arms are left to be posed by the caller."""
    L, frames = body.leg_length, len(times.seconds)
    curve = {name: np.broadcast_to(np.asarray(value, float), frames) for name, value in vars(stance).items()}
    low = L * (curve["low"] + style.crouch)
    pitch, bend, far = curve["pitch"], curve["bend"], L * curve["ahead"]
    if body.pairs > 1:
        low = np.minimum(low, 0.4 * body.clearance)
        most = max(float(np.abs(pitch).max()), 1e-9)
        tilt = trunk_tilt(body, float(low.max()), most) / most if body.has_claws else 0.0
        pitch, bend = tilt * np.maximum(pitch, -0.3 * most), bend + (1.0 - tilt) * pitch
        far = far * lunge_share(body, float(max(-far.min(), 0.0)), float(max(far.max(), 0.0)))
    ground = np.stack([far, np.zeros(frames), np.zeros(frames)], -1)
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-low,
        sway=L * curve["sway"],
        yaw=curve["yaw"] if body.pairs == 1 else np.zeros(frames),
        roll=curve["roll"],
        pitch=pitch,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    back = upper_spine(body)
    builder.bend(back, UP_AXIS, curve["twist"] + (0.0 if body.pairs == 1 else curve["yaw"]))
    builder.bend(back, ROLL_AXIS, curve["side_bend"])
    builder.bend(back, PITCH_AXIS, bend)
    apart = L * stance.stagger if body.pairs == 1 else 0.0
    feet = {
        place: standing_foot(leg, frames, np.array([apart if leg.left == leading_left else -apart, 0.0, 0.0]))
        for place, leg in enumerate(body.legs)
        if apart
    }
    plant_feet(body, builder, times, feet)
    aside, nod = head_wander(style, times)
    gaze = curve["head_yaw"] + 0.6 * aside * style.exaggeration
    steady_head(body, builder, trunk.heading, style.head + curve["head_pitch"] + 0.6 * nod, gaze, stance.steady)
    relax_limbs(body, builder, trunk, times)
    wave_tails(body, builder, 0.3 * style.exaggeration, 0.0, times.whole_cycles(0.5) * times.seconds)
    lift_low(body, builder, loop=times.loop)
    return builder


def hand_curve(
    share: FrameCurve, keys: list[tuple[float, Float[ndarray, "3"] | tuple[float, float, float]]]
) -> Float[ndarray, "frames 3"]:
    """Evaluate a smooth path through (time, place) keyframes, each of its three numbers by `keyframe_curve`."""
    return np.stack([keyframe_curve(share, [(t, float(place[k])) for t, place in keys]) for k in range(3)], -1)
