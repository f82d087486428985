"""Forward roll of people: squat, hands to the ground, over the rounded back, onto the feet and up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.acrobatics import FREE_CLEARANCE, carrying_wrist, trips
from gambol.creatures.gaits.foot_paths import FootPath, foot_rotation
from gambol.creatures.gaits.free_limbs import (
    chest_point,
    free_foot,
    keyframe_points,
    lowest_point,
    mix_foot_paths,
    outward,
    raise_above_ground,
    reach_wrist,
)
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.leg_geometry import Leg, bones_under
from gambol.creatures.gaits.leg_motion import place_leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, action_phase, keyframe_curve, make_trunk_motion
from gambol.creatures.gaits.trunk_motion import pose_trunk

ROLL_SECONDS = 2.6
"""Natural length of a forward roll of legs of 0.9 m, seconds."""
ROLL_GRID = 241
"""Phases at which a roll is worked out before it is sampled at the frames."""


@dataclass(frozen=True)
class RollPath:
    """Way of the hips in a roll that does not slide, at evenly spaced phases from 0 to 1."""

    ahead: Float[ndarray, "phases"]
    """Displacement of the hips ahead, metres."""
    height: Float[ndarray, "phases"]
    """Height of the hips above their rest height, metres."""
    hands: float
    """Place of the hands on the ground ahead of the first stance, metres."""


def roll(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Squat, lean over the hands, tuck the head, roll over the back by a full turn, come onto the feet and stand up."""
    s, _ = action_phase(body, style, times, ROLL_SECONDS)
    path = roll_path(body, style)
    phases = np.linspace(0.0, 1.0, ROLL_GRID)
    start = path.ahead[-1] * trips(s)
    ahead, height = np.interp(s, phases, path.ahead) + start, np.interp(s, phases, path.height)
    builder = _tucked(body, style, s, ahead, height)
    carry = keyframe_curve(s, [(0, 0), (0.17, 0), (0.24, 1), (0.4, 1), (0.48, 0), (1, 0)])
    flat = keyframe_curve(s, [(0, 0), (0.18, 0), (0.25, 1), (0.33, 1), (0.4, 0), (1, 0)])
    hold = keyframe_curve(s, [(0, 0), (0.44, 0), (0.54, 1), (0.62, 1), (0.74, 0), (1, 0)])
    loose = [
        (0, 0.06, -0.98, 0.18), (0.08, -0.3, -0.9, 0.25), (0.17, 0.8, -0.3, 0.2), (0.5, 0.85, 0.0, 0.2),
        (0.62, 0.8, -0.2, 0.1), (0.76, 0.85, -0.2, 0.15), (0.88, 0.4, -0.8, 0.2), (1, 0.06, -0.98, 0.18),
    ]  # fmt: skip
    for arm in body.arms:
        free = chest_point(body, builder, arm, keyframe_points(s, loose))
        knees = chest_point(body, builder, arm, np.tile([0.75, -0.55, 0.05], (len(s), 1)))
        free = free + hold[:, None] * (knees - free)
        aside = np.full(len(s), 1.1 * float(body.skeleton.heads[arm.upper][2]))
        planted = np.stack([path.hands + start, np.full(len(s), carrying_wrist(body, arm)), aside], -1)
        fingers = np.tile([1.0, 0.02, -0.3 * outward(arm)], (len(s), 1))
        wrist = free + carry[:, None] * (planted - free)
        reach_wrist(body, builder, arm, wrist, pole=(-0.5, -0.3, 0.9), hand=(fingers, flat))
    raise_above_ground(body, builder, width=max(3, len(s) // 12), loop=times.loop)
    return builder


def roll_path(body: MovingBody, style: MotionStyle) -> RollPath:
    """Roll a body over the ground: its lowest point is on it, and does not move from one phase to the next."""
    phases = np.linspace(0.0, 1.0, ROLL_GRID)
    zero = np.zeros(ROLL_GRID)
    builder = _tucked(body, style, phases, zero, zero)
    arms = [bone for arm in body.arms for bone in bones_under(body.skeleton, arm.upper)]
    skip = np.isin(body.hull_bones, arms)
    low, places = lowest_point(body, builder, skip)
    touching = places[..., 1].argmin(1)
    k = np.arange(1, ROLL_GRID)
    steps = places[k - 1, touching[k], 0] - places[k, touching[k], 0]
    ahead = np.concatenate([[0.0], np.cumsum(steps)])
    _, p = builder.displacements()
    bent = int(0.27 * ROLL_GRID)
    shoulders = float(np.mean([p[bent, arm.upper, 0] for arm in body.arms]))
    return RollPath(ahead, low[0] - low, shoulders + float(ahead[bent]) + 0.05 * body.leg_length)


def _tucked(body: MovingBody, style: MotionStyle, s: FrameCurve, ahead: FrameCurve, height: FrameCurve) -> PoseBuilder:
    """Pose trunk and legs of a roll with the hips at a place; arms are left at rest."""
    frames = len(s)
    builder = PoseBuilder(body.skeleton, frames)
    over = keyframe_curve(
        s, [(0, 0), (0.06, 0.02), (0.16, 0.45), (0.24, 1.05), (0.34, 1.95), (0.44, 3.0), (0.54, 4.1), (0.64, 5.15),
            (0.73, 5.6), (0.85, 5.95), (0.97, 2 * np.pi), (1, 2 * np.pi)]
    )  # fmt: skip
    ground = np.stack([ahead, np.zeros(frames), np.zeros(frames)], -1)
    pose_trunk(body, builder, make_trunk_motion(frames, ground=ground, height=height, pitch=-over))
    curl = keyframe_curve(s, [(0, 0), (0.06, 0.0), (0.2, 0.6), (0.34, 1), (0.62, 1), (0.78, 0.35), (0.95, 0), (1, 0)])
    round_back = 0.9 + 0.25 * style.exaggeration
    builder.bend(body.spine, PITCH_AXIS, -round_back * curl)
    tuck = keyframe_curve(s, [(0, 0), (0.14, -0.15), (0.24, 0.3), (0.33, 1), (0.58, 1), (0.72, 0), (1, 0)])
    head = (*body.neck, *(() if body.head is None else (body.head,)))
    builder.bend(head, PITCH_AXIS, -1.3 * tuck + style.head * (1.0 - curl))
    D, p = builder.displacements()
    feet = [_roll_foot(body, style, leg, s, D[:, 0], p[:, leg.bones[0]]) for leg in body.legs]
    builder.standing = np.stack([path.stance for path in feet], axis=1)
    for leg, path in zip(body.legs, feet, strict=True):
        place_leg(builder, leg, path, D[:, body.skeleton.parents[leg.bones[0]]], p[:, leg.bones[0]])
    return builder


def _roll_foot(
    body: MovingBody,
    style: MotionStyle,
    leg: Leg,
    s: FrameCurve,
    D: Float[ndarray, "frames 3 3"],
    hip: Float[ndarray, "frames 3"],
) -> FootPath:
    """Return the path of a foot: given from the hip, flat while it stands and drawn to the trunk while it rolls."""
    L, frames = leg.length, len(s)
    ahead = keyframe_curve(
        s, [(0, 0), (0.06, 0), (0.16, -0.12), (0.24, -0.5), (0.32, -0.72), (0.4, -0.75), (0.6, 0.5), (0.67, 0.42),
            (0.76, 0.22), (0.88, 0.04), (1, 0)]
    )  # fmt: skip
    ahead = np.where(ahead < 0.0, (0.5 + 0.5 * style.stride) * ahead, ahead)
    down = keyframe_curve(
        s, [(0, 1), (0.06, 0.97), (0.16, 0.55), (0.24, 0.6), (0.32, 0.66), (0.4, 0.6), (0.6, 0.2), (0.67, 0.28),
            (0.76, 0.5), (0.88, 0.9), (1, 1)]
    )  # fmt: skip
    down = down - style.crouch * keyframe_curve(s, [(0, 1), (0.16, 0), (0.85, 0), (1, 1)])
    sole = hip + np.stack([L * ahead + leg.sole[0] - leg.hip[0], leg.height * -down, np.zeros(frames)], -1)
    sole[:, 2] = leg.sole[2] * style.width
    heel = keyframe_curve(s, [(0, 0), (0.1, 0), (0.2, -0.4), (0.32, -0.9), (0.42, -0.9), (0.58, 0.1), (0.7, 0), (1, 0)])
    zero = np.zeros(frames)
    flat = FootPath(sole, foot_rotation(leg, zero, heel), zero, np.ones(frames, bool), zero)
    folded = np.tile([0.34 * L, -0.2 * L, 0.0], (frames, 1))
    tucked = free_foot(leg, D, hip, folded, np.full(frames, 0.3 * leg.rolls), FREE_CLEARANCE * L)
    share = keyframe_curve(s, [(0, 0), (0.3, 0), (0.44, 1), (0.54, 1), (0.66, 0), (1, 0)])
    return mix_foot_paths(flat, tucked, share)
