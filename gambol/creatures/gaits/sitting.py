"""Sit down and stand up: people as on a chair, quadrupeds on their haunches, birds and dinosaurs on folded legs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm, pose_wings
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.foothold_search import Foothold, find_footholds
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.ground_contact import (
    CONTACT_GAP,
    carried_bones,
    carry_joints,
    deep_body,
    keep_above_ground,
    keep_head_up,
    lay_free_parts,
    moving_foot,
    pose_feet,
    settle,
    surface_heights,
    trunk_bones,
)
from gambol.creatures.gaits.head_tail_motion import steady_head, steady_tails, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import MAX_STANCE_STRETCH
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    keyframe_curve,
    make_trunk_motion,
    once_phase,
    plant_feet,
    relax_limbs,
)
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.folding_limb_ik import turn

SIT_SECONDS = 2.7
"""Duration of sitting down or standing up with legs of 0.9 m, including the time it is held."""
STEEPEST_SEAT = 0.95
"""Largest pitch of a quadruped's trunk that sits, radians."""
SEAT_STRETCH = 0.99 * MAX_STANCE_STRETCH
"""Stretch of the forelegs of a quadruped that sits, as a share of their full length."""
SEAT_PITCHES = np.linspace(0.0, STEEPEST_SEAT, 39)
"""Pitches that are tried."""


@dataclass(frozen=True)
class PostureCourse:
    """How a body changes between standing (0) and a posture (1) over time."""

    trunk: FrameCurve
    """Share of the trunk's way."""
    feet: FrameCurve
    """Share of the way of the feet that step, the first of a pair."""
    feet_after: FrameCurve
    """The same for the second foot of a pair."""
    lean: FrameCurve
    """Lean into the movement, 0 to 1 and back."""
    breath: FrameCurve
    """Small breathing, -1 to 1, while the posture is held."""


def posture_course(
    body: MovingBody, style: MotionStyle, times: FrameTimes, *, rising: bool, seconds: float, end: float = 0.72
) -> PostureCourse:
    """Return the course down into a posture, or up from it; both start with an anticipation and end in a hold.

    `end` is the phase at which the posture is reached.
    """
    s, _ = once_phase(body, style, times, seconds)
    over = 0.03 * style.exaggeration
    if rising:
        trunk = [(0, 1), (0.1, 1), (0.2, 1 + 0.7 * over), (end - 0.05, -0.6 * over), (end + 0.07, 0), (1, 0)]
        feet, after = [(0, 1), (0.34, 1), (0.52, 0), (1, 0)], [(0, 1), (0.46, 1), (0.64, 0), (1, 0)]
        lean = [(0, 0), (0.08, 0), (0.3, 1), (0.62, 0.2), (0.75, 0), (1, 0)]
    else:
        trunk = [(0, 0), (0.08, -over), (0.18, 0), (end - 0.1, 1 + over), (end, 1), (1, 1)]
        feet, after = [(0, 0), (0.14, 0), (0.36, 1), (1, 1)], [(0, 0), (0.28, 0), (0.5, 1), (1, 1)]
        lean = [(0, 0), (0.08, 0), (0.36, 1), (0.68, 0.15), (0.76, 0), (1, 0)]
    held = keyframe_curve(s, [(0, 1 if rising else 0), (0.7, 0 if rising else 1), (1, 0 if rising else 1)])
    return PostureCourse(
        trunk=keyframe_curve(s, trunk),
        feet=keyframe_curve(s, feet),
        feet_after=keyframe_curve(s, after),
        lean=keyframe_curve(s, lean),
        breath=held * np.sin(2 * np.pi * (1.1 * style.tempo * s + 0.25)),
    )


def sit_down(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Sit down and stay."""
    return _sit(body, style, times, rising=False)


def stand_up(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Stand up from a seat."""
    return _sit(body, style, times, rising=True)


def _sit(body: MovingBody, style: MotionStyle, times: FrameTimes, *, rising: bool) -> PoseBuilder:
    course = posture_course(body, style, times, rising=rising, seconds=SIT_SECONDS)
    once = replace(times, loop=False)
    if body.pairs == 2:
        return _sit_on_haunches(deep_body(body), style, once, course)
    if body.upright and not body.tails and not body.wings:
        return _sit_on_chair(body, style, once, course)
    return _squat(deep_body(body), style, once, course)


def _sit_on_chair(body: MovingBody, style: MotionStyle, times: FrameTimes, course: PostureCourse) -> PoseBuilder:
    """Hips go back and down to knee height over flat feet; the trunk leans ahead on the way and ends upright."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    thigh = min(float(np.linalg.norm(np.diff(leg.chain.joints, axis=0)[0])) for leg in body.legs)
    drop = min((0.92 + 0.08 * style.stride) * thigh + 0.5 * style.crouch * L, 0.85 * body.clearance)
    back = float(np.sqrt(max(thigh**2 - max(thigh - drop, 0.0) ** 2, 0.0)))
    ground = np.zeros((frames, 3))
    ground[:, 0] = -0.92 * back * course.trunk
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-drop * np.maximum(course.trunk, -0.5) - 0.02 * L,
        pitch=-0.62 * e * course.lean + 0.06 * course.trunk,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, -0.22 * e * course.lean + 0.015 * course.breath)
    plant_feet(body, builder, times)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod - 0.25 * e * course.lean, aside, 0.85)
    arms = ArmPose(0.52 * course.trunk + 0.5 * e * course.lean, 0.03, 0.25 + 0.75 * np.clip(course.trunk, 0, 1), -0.25)
    relax_limbs(body, builder, trunk, times, arms=arms)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def haunch_seat(body: MovingBody, style: MotionStyle, back: float) -> tuple[float, float]:
    """Return pitch and rise of the front hips (metres) with which the rear of the trunk comes to rest on the ground.

    The front hips shift by `back` metres ahead.

    The forelegs are stretched; where the trunk is too short to slope down from there, they give way.
    """
    fore = [leg for leg in body.legs if leg.limb.pair == 0]
    straight = min(_stretched_rise(leg, back) for leg in fore)
    rise = min(straight, 0.12 * body.leg_length - 0.3 * style.crouch * body.leg_length)
    builder = _pitched(body, SEAT_PITCHES, rise)
    low = surface_heights(body, builder, _rear(body)).min(1)
    touches = low <= CONTACT_GAP * body.size
    if touches.any():
        return float(SEAT_PITCHES[int(np.argmax(touches))]), rise
    deepest = min(leg.chain.rest - 1.08 * leg.chain.shortest for leg in fore)
    return STEEPEST_SEAT, rise - float(np.clip(low[-1], 0.0, max(deepest, 0.0)))


def _stretched_rise(leg: Leg, ahead: float) -> float:
    """Return how far a hip that goes `ahead` metres can rise until its leg is stretched, metres; or has to sink."""
    away = leg.chain.joints[-1] - leg.hip - np.array([ahead, 0.0, 0.0])
    room = (SEAT_STRETCH * leg.chain.longest) ** 2 - away[0] ** 2 - away[2] ** 2
    return float(np.sqrt(max(room, 0.0)) + away[1])


def _rear(body: MovingBody) -> tuple[int, ...]:
    """Return the bones that a body sits on."""
    return trunk_bones(body)


def _front_joints(body: MovingBody) -> list[int]:
    return [leg.bones[0] for leg in body.legs if leg.limb.pair == 0]


def _pitched(
    body: MovingBody, pitch: FrameCurve, rise: FrameCurve | float, ahead: FrameCurve | float = 0.0
) -> PoseBuilder:
    """Return a body whose trunk pitches about its front hips, which rise and go ahead by some metres."""
    builder = PoseBuilder(body.skeleton, len(pitch))
    builder.rotations[:, 0] = turn(PITCH_AXIS, pitch)
    joints = _front_joints(body)
    target = np.tile(body.skeleton.heads[joints].mean(0), (len(pitch), 1))
    target[:, 1] += rise
    target[:, 0] += ahead
    carry_joints(builder, joints, target)
    return builder


def _sit_on_haunches(body: MovingBody, style: MotionStyle, times: FrameTimes, course: PostureCourse) -> PoseBuilder:
    """Fold the hind legs until the rear rests on the ground between the hocks; forelegs stay, straight."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    back = -0.1 * L * style.stride
    pitch, rise = haunch_seat(body, style, back)
    seat = _pitched(body, np.array([pitch]), rise, back)
    hind = [place for place, leg in enumerate(body.legs) if leg.limb.pair > 0]
    places = find_footholds(body, seat, hind, (0.0, 0.75), aside=0.06)
    builder = _pitched(
        body,
        pitch * course.trunk - 0.06 * e * course.lean,
        rise * np.clip(course.trunk, 0, 1) - 0.03 * L * course.lean,
        back * course.trunk,
    )
    settle(body, builder, trunk_bones(body), 0.0)
    pose_feet(body, builder, stepping_feet(body, style, course, places))
    trunk = make_trunk_motion(frames)
    aside, nod = head_wander(style, times)
    builder.bend(body.spine, PITCH_AXIS, 0.012 * course.breath)
    if body.arms:  # a centaur's upper body stays upright
        builder.orient_chain(upper_spine(body), np.tile(np.eye(3), (frames, 1, 1)), 0.9)
    steady_head(body, builder, trunk.heading, style.head + nod - 0.2 * e * course.lean, aside, 0.9)
    _relax(body, builder, ArmPose(0.15 * course.trunk, 0.05, 0.4))
    wave_tails(body, builder, 0.5 * e, 0.0, 1.3 * np.arange(frames) / max(frames - 1, 1))
    rest_tails(body, builder)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def upper_spine(body: MovingBody) -> tuple[int, ...]:
    """Return the spine's bones beyond the front hips."""
    parents = {int(body.skeleton.parents[joint]) for joint in _front_joints(body)}
    below = [place for place, bone in enumerate(body.spine) if bone in parents]
    return body.spine[max(below, default=-1) + 1 :]


def stepping_feet(
    body: MovingBody, style: MotionStyle, course: PostureCourse, places: dict[int, Foothold]
) -> list[FootPath]:
    """Return the paths of all feet: those with a new foothold step there one after the other, the others stay."""
    paths = []
    for place, leg in enumerate(body.legs):
        hold = places.get(place, Foothold(np.zeros(3), 0.0))
        first = leg.left == style.mirrored
        share = course.feet if first else course.feet_after
        paths.append(moving_foot(leg, share, hold.place, hold.pitch, 0.08 * style.lift))
    return paths


def _relax(body: MovingBody, builder: PoseBuilder, arms: ArmPose) -> None:
    for arm in body.arms:
        pose_arm(body, builder, arm, arms)
    if body.wings:
        pose_wings(body, builder, WingPose(1.0))


def rest_tails(body: MovingBody, builder: PoseBuilder) -> None:
    """Point tails back along the ground and keep head and wings above it."""
    steady_tails(body, builder, np.zeros(len(builder)), 0.8)
    lay_free_parts(body, builder)
    keep_head_up(body, builder)


def _squat(body: MovingBody, style: MotionStyle, times: FrameTimes, course: PostureCourse) -> PoseBuilder:
    """Sink between folded legs until the belly nearly rests on the ground."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    drop = body.clearance - CONTACT_GAP * body.size
    slope = 0.0 if body.upright else 0.1
    if body.pairs > 1:
        slope = min(0.2, (0.1 if body.long_wave else 0.3) * L / max(body.trunk_length, 1e-9))
    seat = PoseBuilder(body.skeleton, 1)
    pose_trunk(body, seat, make_trunk_motion(1, height=np.array([-drop]), pitch=np.array([slope])))
    settle(body, seat, trunk_bones(body), 1.0)
    reach = (0.0, 0.6) if body.upright else (-0.3, 0.9)
    places = find_footholds(body, seat, () if body.pairs > 1 else range(len(body.legs)), reach)
    low = float(seat.root_shift[0, 1])
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(frames, pitch=slope * course.trunk - 0.15 * e * course.lean)
    pose_trunk(body, builder, trunk)
    builder.root_shift[:, 1] += low * np.clip(course.trunk, -0.2, 1.05) - 0.02 * L * course.lean
    settle(body, builder, trunk_bones(body), 0.0)
    pose_feet(body, builder, stepping_feet(body, style, course, places))
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod - 0.15 * e * course.lean, aside, 0.9)
    _relax(body, builder, ArmPose(0.3 * course.trunk, 0.0, 0.5))
    rest_tails(body, builder)
    keep_above_ground(body, builder, carried_bones(body))
    return builder
