"""Exercises and lifts of people: squat, jumping jacks, climb, pick up."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, hang_spread, pose_arm
from gambol.creatures.gaits.foot_paths import FootPath, swing_progress
from gambol.creatures.gaits.free_limbs import (
    FULL_REACH,
    FramePoints,
    arm_length,
    chest_point,
    free_foot,
    keyframe_points,
    outward,
    raise_above_ground,
    reach_wrist,
    shoulder_frame,
)
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import steady_head
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import place_leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    lifted_foot,
    make_trunk_motion,
    plant_feet,
    standing_foot,
)
from gambol.creatures.gaits.strides import folding_room, heel_limit
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.gravity import EARTH_GRAVITY

CLIMB_STRIDE = 0.68
"""Rise of a climbing body in a cycle of both hands, leg lengths."""
CLIMB_DUTY = 0.64
"""Share of a climb's cycle in which a hand or foot holds."""
PICK_DEPTHS = np.linspace(0.6, 1.6, 41)
"""Depths of the bend to the ground that are tried in turn, relative to the natural one."""


def squat(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Bend the knees deep and stretch them, hips back, the trunk nearly upright, the arms ahead for balance."""
    s, _ = action_phase(body, style, times, 2.0)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    deep = keyframe_curve(s, [(0, 0), (0.06, 0), (0.44, 1), (0.54, 1), (0.9, 0.0), (1, 0)])
    room = min(folding_room(body, leg, style.crouch) for leg in body.legs)
    low = min(0.55 * L * style.stride, 0.92 * room)
    ground = np.stack([-0.16 * L * deep, np.zeros(frames), np.zeros(frames)], -1)
    lean = 0.34 + 0.08 * e
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(frames, ground=ground, height=-low * deep - L * style.crouch, pitch=-lean * deep)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.12 * deep)
    feet = {}
    for place, leg in enumerate(body.legs):
        aside = (-1.0 if leg.left else 1.0) * 0.12 * L * style.width
        feet[place] = standing_foot(leg, frames, np.array([0.0, 0.0, aside]))
    plant_feet(body, builder, times, feet)
    steady_head(body, builder, trunk.heading, style.head + 0.05 * deep, np.zeros(frames), 0.8)
    for arm in body.arms:
        pose_arm(body, builder, arm, ArmPose((1.25 + 0.2 * e) * deep, 0.08, 0.2 + 0.15 * deep, -0.2))
    return builder


def jumping_jacks(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Hop the feet apart while the arms go up over the sides, and together while they come down."""
    s, span = action_phase(body, style, times, 1.15)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    away = (0.1, 0.4)
    back = (0.6, 0.9)
    opened = keyframe_curve(s, [(0, 0), (away[0], 0), (away[1], 1), (back[0], 1), (back[1], 0), (1, 0)])
    flight = 0.3 * span
    high = min(EARTH_GRAVITY * flight**2 / 8.0 * style.bounce, 0.14 * L * style.bounce)
    rise = np.zeros(frames)
    for start, end in (away, back):
        share = np.clip((s - start) / (end - start), 0.0, 1.0)
        rise = rise + 4.0 * high * share * (1.0 - share)
    dip = keyframe_curve(s, [(0, 1), (0.1, 0), (0.4, 0), (0.5, 1), (0.6, 0), (0.9, 0), (1, 1)])
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(frames, height=rise - L * (0.05 * dip * style.bounce + style.crouch), pitch=-0.04 * dip)
    pose_trunk(body, builder, trunk)
    wide = 0.32 * L * style.stride * style.width
    feet = {}
    for place, leg in enumerate(body.legs):
        aside = (-1.0 if leg.left else 1.0) * wide * opened
        tilt = heel_limit(leg, -0.6 * leg.rolls, 0.4 * folding_room(body, leg, style.crouch)) * np.clip(
            rise / max(high, 1e-9), 0.0, 1.0
        )
        feet[place] = lifted_foot(leg, np.zeros(frames), 0.85 * rise, tilt, rise <= 1e-3 * L, aside)
    plant_feet(body, builder, times, feet, stretch=0.95)
    steady_head(body, builder, trunk.heading, style.head, np.zeros(frames), 0.8)
    up = keyframe_curve(s, [(0, 0), (0.05, 0), (0.45, 1), (0.55, 1), (0.95, 0), (1, 0)])
    for arm in body.arms:
        hang = hang_spread(body, arm)
        angle = hang + (min(2.5 + 0.35 * e, 2.95) - hang) * up
        path = np.stack([0.08 * np.ones(frames), -np.cos(angle), np.sin(angle)], -1)
        wrist = chest_point(body, builder, arm, 0.97 * path)
        reach_wrist(body, builder, arm, wrist, pole=(-1.0, -0.2, 0.2))
    return builder


def climb(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Climb a wall ahead: each hand with the opposite foot reaches up in turn, and the body rises between them."""
    s, span = action_phase(body, style, times, 1.9)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    cycles = times.seconds / span + style.phase
    stride = CLIMB_STRIDE * L * style.stride
    pull = 0.06 * np.sin(4 * np.pi * s) / (2 * np.pi) * style.bounce
    height = stride * (cycles - cycles[0] + pull - pull[0])
    lead = 1.0 if style.mirrored else -1.0
    side = lead * np.sin(2 * np.pi * (s - 0.5 * CLIMB_DUTY))
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(
        frames, height=height - 0.06 * L, sway=0.05 * L * side * e, roll=0.07 * side * e, pitch=np.full(frames, -0.06)
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, ROLL_AXIS, -0.16 * side * e)
    builder.bend(body.spine, UP_AXIS, 0.12 * side * e)
    arm = max(arm_length(body, arm) for arm in body.arms)
    wall = float(body.skeleton.heads[body.arms[0].upper][0]) + 0.7 * arm
    D, p = builder.displacements()
    paths = []
    for leg in body.legs:
        phase = np.remainder(s + (0.5 if leg.left == style.mirrored else 0.0), 1.0)
        mine = p[:, leg.bones[0]]
        paths.append(_climbing_foot(leg=leg, hip=mine, phase=phase, stride=stride, wall=wall, lift=style.lift))
    builder.standing = np.stack([path.stance for path in paths], axis=1)
    for leg, path in zip(body.legs, paths, strict=True):
        place_leg(builder, leg, path, D[:, body.skeleton.parents[leg.bones[0]]], p[:, leg.bones[0]])
    steady_head(body, builder, trunk.heading, style.head + 0.35, -0.25 * side * e, 0.8)
    middle = body.centre + (height - 0.06 * L)[:, None] * UP_AXIS
    for arm_of_side in body.arms:
        phase = np.remainder(s + (0.0 if arm_of_side.left == style.mirrored else 0.5), 1.0)
        shoulder = body.skeleton.heads[arm_of_side.upper]
        level, away = _hold_and_reach(phase, stride)
        wrist = middle + shoulder - body.centre
        wrist[:, 0] = wall - 0.12 * arm - 0.22 * arm * away * style.lift
        wrist[:, 1] += 0.58 * arm + level
        wrist[:, 2] *= 1.15
        fingers = np.tile([0.35, 1.0, 0.0], (frames, 1))
        reach_wrist(body, builder, arm_of_side, wrist, pole=(-0.6, -0.8, 0.6), hand=(fingers, 0.8 * np.ones(frames)))
    return builder


def _hold_and_reach(phase: FrameCurve, stride: float) -> tuple[FrameCurve, FrameCurve]:
    """Return the height of a climbing hand or foot about its middle, and how far it is off the wall, 0 to 1.

    It holds for the duty d while the body rises: (d / 2 - phase) stride, and comes back up in the rest of the cycle.
    """
    share = np.clip((phase - CLIMB_DUTY) / (1.0 - CLIMB_DUTY), 0.0, 1.0)
    held = (0.5 * CLIMB_DUTY - np.minimum(phase, CLIMB_DUTY)) * stride
    return held + swing_progress(share) * CLIMB_DUTY * stride, np.sin(np.pi * share) ** 2


def _climbing_foot(
    *, leg: Leg, hip: FramePoints, phase: FrameCurve, stride: float, wall: float, lift: float
) -> FootPath:
    """Return the path of a foot that steps on holds of the wall, toes to it."""
    frames = len(phase)
    level, away = _hold_and_reach(phase, stride)
    sole = np.tile(leg.sole, (frames, 1))
    sole[:, 0] = wall - 1.1 * leg.ball - 0.1 * leg.length * away * lift
    sole[:, 1] = hip[:, 1] - 0.68 * leg.height + level
    sole[:, 2] *= 1.35
    flat = np.tile(np.eye(3), (frames, 1, 1))
    return free_foot(leg, flat, sole, leg.chain.joints[-1] - leg.sole + np.zeros((frames, 3)), 0.25 * away, 0.0)


def pick_up(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Bend down on bent knees, reach a thing on the ground with one hand, bring it up to the chest, lower the arm."""
    s, _ = action_phase(body, style, times, 2.8)
    deep = keyframe_curve(s, [(0, 0), (0.05, 0.0), (0.36, 1), (0.46, 1), (0.74, 0.0), (1, 0)])
    arm = next(arm for arm in body.arms if arm.left == style.mirrored)
    depth = _depth_to_ground(body, style, arm)
    builder = PoseBuilder(body.skeleton, len(s))
    trunk_heading = _stoop(body, builder, style, depth * deep, arm)
    plant_feet(body, builder, times, _staggered(body, style, len(s)))
    steady_head(body, builder, trunk_heading, style.head - 0.75 * deep, np.zeros(len(s)), 0.7)
    held = keyframe_curve(s, [(0, 0), (0.12, 0.0), (0.34, 1), (0.46, 1), (0.56, 0.0), (1, 0)])
    free = keyframe_points(
        s,
        [(0, 0.05, -0.97, 0.15), (0.2, 0.4, -0.85, 0.15), (0.48, 0.5, -0.8, 0.0), (0.7, 0.5, -0.3, -0.15),
         (0.84, 0.5, -0.28, -0.15), (0.97, 0.05, -0.97, 0.15), (1, 0.05, -0.97, 0.15)],
    )  # fmt: skip
    for other in body.arms:
        if other is arm:
            loose = chest_point(body, builder, arm, free)
            thing = np.tile(_thing(body, arm), (len(s), 1))
            fingers = np.tile([0.35, -1.0, 0.0], (len(s), 1))
            reach_wrist(body, builder, arm, loose + held[:, None] * (thing - loose), hand=(fingers, 0.7 * held))
        else:
            pose_arm(body, builder, other, ArmPose(0.5 * deep, 0.12 * deep, 0.2 + 0.75 * deep, -0.3))
    raise_above_ground(body, builder, width=max(3, len(s) // 10), loop=times.loop)
    return builder


def _thing(body: MovingBody, arm: Arm) -> np.ndarray:
    """Return where the wrist is when the hand is at a thing on the ground, ahead of the feet."""
    foot = max(float(leg.sole[0] + leg.ball) for leg in body.legs)
    hand = 0.0 if arm.hand is None else float(np.linalg.norm(np.subtract(*_hand_ends(body, arm.hand))))
    side = float(np.mean([abs(leg.sole[2]) for leg in body.legs])) * outward(arm)
    return np.array([foot + 0.12 * body.leg_length, 0.85 * hand + 0.02 * body.size, 0.8 * side])


def _hand_ends(body: MovingBody, hand: int) -> tuple[np.ndarray, np.ndarray]:
    return body.skeleton.tails[hand], body.skeleton.heads[hand]


def _staggered(body: MovingBody, style: MotionStyle, frames: int) -> dict[int, FootPath]:
    """Return the standing feet of a person who bends down: one a little ahead, both a little apart."""
    L = body.leg_length
    feet = {}
    for place, leg in enumerate(body.legs):
        ahead = (-0.12 if leg.left == style.mirrored else 0.12) * L
        aside = (-1.0 if leg.left else 1.0) * 0.06 * L * style.width
        feet[place] = standing_foot(leg, frames, np.array([ahead, 0.0, aside]))
    return feet


def _stoop(body: MovingBody, builder: PoseBuilder, style: MotionStyle, amount: FrameCurve, arm: Arm) -> FrameCurve:
    """Pose the trunk bent down by an amount, 1 the natural one, the arm's shoulder lower; returns the heading."""
    L, frames = body.leg_length, len(amount)
    room = min(folding_room(body, leg, style.crouch) for leg in body.legs)
    low = np.minimum(0.42 * L * style.stride * amount, 0.85 * room)
    ground = np.stack([-0.12 * L * np.minimum(amount, 1.0), np.zeros(frames), np.zeros(frames)], -1)
    trunk = make_trunk_motion(
        frames, ground=ground, height=-low - L * style.crouch, pitch=-0.62 * amount, yaw=0.12 * outward(arm) * amount
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, -0.5 * amount)
    builder.bend(body.spine, ROLL_AXIS, 0.15 * outward(arm) * np.minimum(amount, 1.0))
    return trunk.heading


def _depth_to_ground(body: MovingBody, style: MotionStyle, arm: Arm) -> float:
    """Return the least depth of the bend at which the wrist reaches the thing on the ground."""
    builder = PoseBuilder(body.skeleton, len(PICK_DEPTHS))
    _stoop(body, builder, style, PICK_DEPTHS, arm)
    _, shoulder = shoulder_frame(body, builder, arm)
    reached = np.linalg.norm(_thing(body, arm) - shoulder, axis=-1) < FULL_REACH * arm_length(body, arm)
    return float(PICK_DEPTHS[int(np.argmax(reached))] if reached.any() else PICK_DEPTHS[-1])
