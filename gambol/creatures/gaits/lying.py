"""Lie down, get up and fall down: people on their backs, animals on their bellies; what falls ends on its side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm, pose_wings
from gambol.creatures.gaits.foothold_search import Foothold, find_footholds
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.ground_contact import (
    carried_bones,
    deep_body,
    keep_above_ground,
    lay_chain,
    lay_free_parts,
    limp_legs,
    moving_foot,
    pose_feet,
    settle,
    surface_heights,
    trunk_bones,
)
from gambol.creatures.gaits.head_tail_motion import steady_head
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.sitting import PostureCourse, posture_course, rest_tails, stepping_feet, upper_spine
from gambol.creatures.gaits.standing import FrameCurve, keyframe_curve, make_trunk_motion, once_phase
from gambol.creatures.gaits.trunk_motion import pose_trunk

LIE_SECONDS = 2.8
"""Duration of lying down or getting up with legs of 0.9 m, including the time it is held."""
NECK_BENDS = np.linspace(0.0, 2.2, 45)
"""Angles of the neck that are tried until the head rests on the ground, radians."""
HEAD_REST_HEIGHT = 0.01
"""Height of the lowest point of a head that is laid down, sizes of the character."""


def lie_down(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lie down and stay."""
    return _lie(body, style, times, rising=False)


def get_up(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Get up from lying."""
    return _lie(body, style, times, rising=True)


def _lie(body: MovingBody, style: MotionStyle, times: FrameTimes, *, rising: bool) -> PoseBuilder:
    course = posture_course(body, style, times, rising=rising, seconds=LIE_SECONDS, end=0.78)
    once = replace(times, loop=False)
    if body.upright and not body.tails and not body.wings:
        return _lie_on_back(deep_body(body), style, once, course)
    return _lie_on_belly(deep_body(body), style, once, course)


def _lie_on_back(body: MovingBody, style: MotionStyle, times: FrameTimes, course: PostureCourse) -> PoseBuilder:
    """Squat, sit on the ground, lean back and stretch the legs."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    down = np.clip(course.trunk, 0.0, 1.0)
    low = keyframe_curve(down, [(0, 0), (0.25, 0.6), (0.42, 0.93), (0.5, 1), (1, 1)])
    lean = keyframe_curve(down, [(0, 0), (0.22, -0.6), (0.34, -0.4), (0.5, 0.25), (0.75, 0.95), (1, 1.5)])
    back = keyframe_curve(down, [(0, 0), (0.3, 0.25), (0.55, 0.5), (1, 0.55)])
    stretched = keyframe_curve(down, [(0, 0), (0.62, 0), (0.95, 1), (1, 1)])
    ground = np.zeros((frames, 3))
    ground[:, 0] = -back * L
    trunk = make_trunk_motion(
        frames, ground=ground, height=-low * body.clearance, pitch=np.where(lean < 0, e * lean, lean)
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, -0.35 * np.sin(np.pi * np.clip(low, 0, 1)) * e - 0.25 * low * (1 - stretched))
    settle(body, builder, trunk_bones(body), keyframe_curve(down, [(0, 0), (0.42, 0), (0.52, 1), (1, 1)]))
    bent = 0.22 * L * (1.25 - style.stride)
    ahead = np.array([(0.98 - 0.55) * L - bent, 0.0, 0.0])
    pose_feet(body, builder, [moving_foot(leg, stretched, ahead, 0.9, 0.0) for leg in body.legs])
    aside, nod = head_wander(style, times)
    steady_head(body, builder, np.zeros(frames), style.head + nod + 1.45 * stretched, aside * (1 - stretched), 0.9)
    support = np.sin(np.pi * np.clip((down - 0.25) / 0.7, 0.0, 1.0))
    arms = ArmPose(-0.75 * support + 0.4 * course.lean * (1 - down), 0.1 + 0.15 * stretched, 0.15, -0.2)
    for arm in body.arms:
        pose_arm(body, builder, arm, arms)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def _lie_on_belly(body: MovingBody, style: MotionStyle, times: FrameTimes, course: PostureCourse) -> PoseBuilder:
    """Let the front down, then the rear, until the belly is on the ground, forelegs ahead, hind legs folded."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    slope = -_prone_angle(body)
    bed = PoseBuilder(body.skeleton, 1)
    pose_trunk(body, bed, make_trunk_motion(1, height=np.array([-body.clearance]), pitch=np.array([slope])))
    settle(body, bed, trunk_bones(body), 1.0)
    flat = _centre_height(body, bed)
    down = np.clip(course.trunk, -0.1, 1.0)
    early = keyframe_curve(down, [(-0.1, -0.1), (0, 0), (0.5, 0.72), (1, 1)])
    late = keyframe_curve(down, [(-0.1, -0.1), (0, 0), (0.5, 0.35), (1, 1)])
    ahead_of_rear = float(flat[0]) * (early - late)
    tip = np.arctan2(ahead_of_rear, max(body.trunk_length, 1.2 * L)) * e if body.pairs > 1 else -0.12 * e * course.lean
    trunk = make_trunk_motion(frames, height=float(flat[0]) * 0.5 * (early + late), pitch=slope * down + tip)
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    settle(body, builder, trunk_bones(body), keyframe_curve(down, [(-0.1, 0), (0, 0), (0.8, 0), (1, 1)]))
    pose_feet(body, builder, stepping_feet(body, style, course, _lying_footholds(body, bed, style)))
    if slope < -1.0:
        limp_legs(body, builder, np.clip(2.0 * down - 1.0, 0.0, 1.0), 0.2)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, np.zeros(frames), (style.head + nod) * (1.0 - 0.7 * down), aside, 0.9)
    if body.arms and body.pairs > 1:  # a centaur's upper body leans ahead
        builder.bend(upper_spine(body), PITCH_AXIS, -0.8 * down * e)
    _lay_head(body, builder, down, style)
    for arm in body.arms:
        pose_arm(body, builder, arm, ArmPose(0.5 * down, 0.1, 0.5 + 0.6 * down))
    if body.wings:
        pose_wings(body, builder, WingPose(1.0))
    rest_tails(body, builder)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def _prone_angle(body: MovingBody) -> float:
    """Return how far an upright trunk on two legs has to tip ahead to lie on its belly, radians; 0 for others."""
    if not body.upright or body.pairs > 1:
        return 0.0
    along = body.skeleton.heads[(*body.spine, 0)[len(body.spine) - 1]] - body.skeleton.heads[0]
    return float(np.clip(np.arctan2(along[1], along[0]) - 0.1, 0.0, 1.45))


def _centre_height(body: MovingBody, builder: PoseBuilder) -> FrameCurve:
    """Return how far the body's centre is above its rest height, metres, negative below."""
    return builder.point(0, body.centre)[:, 1] - body.centre[1]


def _lying_footholds(body: MovingBody, bed: PoseBuilder, style: MotionStyle) -> dict[int, Foothold]:
    """Return where feet go when the belly is on the ground: forefeet ahead, hind feet beside the belly.

    Legs that stand out to the side only spread a little further.
    """
    if (body.sprawling and not body.sits_folded) or body.pairs > 2:
        outwards = [np.sign(leg.sole[2]) * 0.12 * leg.length * style.stride for leg in body.legs]
        return {place: Foothold(np.array([0.0, 0.0, aside]), 0.0) for place, aside in enumerate(outwards)}
    fore = [place for place, leg in enumerate(body.legs) if leg.limb.pair == 0 and body.pairs > 1]
    hind = [place for place in range(len(body.legs)) if place not in fore]
    return find_footholds(body, bed, fore, (0.25, 1.1)) | find_footholds(body, bed, hind, (-0.2, 0.7), aside=0.1)


def _lay_head(body: MovingBody, builder: PoseBuilder, share: FrameCurve, style: MotionStyle) -> None:
    """Bend the neck down until the head rests on the ground at the end of the way."""
    head = () if body.head is None else (body.head,)
    chain = (*body.neck, *head)
    if not chain:
        return
    last = int(np.argmax(share))
    trial = PoseBuilder(body.skeleton, len(NECK_BENDS))
    trial.rotations[:], trial.root_shift[:] = builder.rotations[last], builder.root_shift[last]
    _bend_down(body, trial, chain, NECK_BENDS)
    heights = surface_heights(body, trial, body.head_bones)
    if not heights.size:
        return
    sunk = heights.min(1) <= HEAD_REST_HEIGHT * body.size
    first = int(np.argmax(sunk)) if sunk.any() else len(NECK_BENDS)
    most = float(NECK_BENDS[max(first - 1, 0)])
    depth = float(np.clip(0.9 + 0.1 * style.exaggeration, 0.0, 1.0))
    _bend_down(body, builder, chain, depth * most * keyframe_curve(share, [(0, 0), (0.4, 0.1), (1, 1)]))


def _bend_down(body: MovingBody, builder: PoseBuilder, chain: tuple[int, ...], angle: FrameCurve) -> None:
    """Bend a neck down by an angle in all while the head keeps most of its own direction."""
    if len(chain) > 1:
        builder.bend(chain[:-1], PITCH_AXIS, -angle)
        builder.turn(chain[-1], PITCH_AXIS, 0.85 * angle)
    else:
        builder.turn(chain[0], PITCH_AXIS, -0.4 * angle)


def fall_down(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Buckle, tip over, hit the ground, bounce a little and lie still.

    People fall on their faces, low and many-legged bodies on their backs, all others on one side.
    """
    s, _ = once_phase(body, style, times, 2.6)
    body = deep_body(body)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = -1.0 if style.mirrored else 1.0
    prone = body.pairs == 1 and body.upright and not body.tails and not body.wings
    over = 0.3 if prone else 2.9 if body.pairs > 2 or body.sprawling else 1.5
    tip = keyframe_curve(
        s, [(0, 0), (0.1, -0.04 * e), (0.24, 0.1), (0.36, 0.45), (0.47, 1), (0.52, 0.95), (0.58, 1), (1, 1)]
    )
    limp = keyframe_curve(s, [(0, 0), (0.2, 0), (0.34 if body.pairs > 2 else 0.44, 1), (1, 1)])
    buckle = keyframe_curve(s, [(0, 0), (0.08, -0.05), (0.3, 1), (1, 1)])
    flail = keyframe_curve(s, [(0, 0), (0.1, 0.1), (0.32, 1), (0.5, 0.2), (0.6, 0), (1, 0)])
    low = min(0.22 * L * style.stride, 0.5 * body.clearance) * buckle + min(style.crouch * L, 0.2 * body.clearance)
    ground = np.zeros((frames, 3))
    ground[:, 0 if prone else 2] = (
        (1.0 if prone else side) * 0.75 * (L if body.pairs < 3 else 0.5 * L) * np.clip(tip, 0, 1)
    )
    pitch = -1.45 * tip if prone else (-0.2 if body.pairs < 2 else 0.06) * flail * e
    roll = side * over * (flail if prone else tip)
    trunk = make_trunk_motion(
        frames, ground=ground, height=-low, roll=roll, yaw=side * 0.2 * e * np.clip(tip, 0, 1), pitch=pitch
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, ROLL_AXIS, -0.25 * side * flail * e)
    builder.bend(body.spine, PITCH_AXIS, -0.2 * limp * e)
    pose_feet(body, builder, [moving_foot(leg, np.zeros(frames), np.zeros(3), 0.0) for leg in body.legs])
    many = body.pairs > 2
    limp_legs(body, builder, limp, 1.0 if many else 0.35, 1.1 if many else 0.4 if body.sprawling else 0.0)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    builder.bend(chain, ROLL_AXIS, side * (0.3 * limp - 0.4 * flail) * e)
    builder.bend(chain, PITCH_AXIS, 0.25 * flail * e - 0.1 * limp + style.head * (1 - limp))
    for arm in body.arms:
        lower = arm.left == (side < 0)
        ahead = (2.5 if lower else 2.1) if prone else (1.3 if lower else 0.9)
        pose = ArmPose(
            0.5 * flail * e + ahead * limp,
            0.5 * flail * e + (0.25 if prone else -0.1) * limp,
            0.2 + 0.6 * limp,
            0.4 * limp,
        )
        pose_arm(body, builder, arm, pose)
    if body.wings:
        pose_wings(body, builder, WingPose(1.0 - 0.5 * flail))
    for tail in body.tails:
        builder.bend(tail, UP_AXIS, -0.4 * side * flail * e)
    arms = {b for arm in body.arms for b in bones_under(body.skeleton, arm.upper)}
    settle(body, builder, tuple(bone for bone in carried_bones(body) if bone not in arms), limp)
    for arm in body.arms:
        lay_chain(body, builder, [b for b in (arm.upper, arm.fore, arm.hand) if b is not None])
    lay_free_parts(body, builder)
    keep_above_ground(body, builder, tuple(range(len(body.skeleton))))
    return builder
