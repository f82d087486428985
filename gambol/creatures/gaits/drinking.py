"""Actions of a low head: drink and sniff; people lead a hand to the mouth."""

from __future__ import annotations

import itertools

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm
from gambol.creatures.gaits.feeding import amount_to_ground, reach_down
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import flick_ears, lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    make_trunk_motion,
    plant_feet,
    relax_limbs,
)
from gambol.creatures.gaits.trunk_motion import pose_trunk

SIPS = 4
"""Sips while the head is down."""
NODS = 6
"""Nods of the head in a cycle of sniffing."""
SWALLOW_TIPS = 0.5
"""Angle by which a bird lifts its beak above the horizontal to swallow, radians."""
REACH_GRID = (
    np.linspace(0.1, 1.5, 8),
    np.linspace(-0.1, 0.7, 5),
    np.linspace(1.2, 2.7, 9),
    np.linspace(-1.3, 0.2, 7),
)
"""Swing, spread, elbow and outward angles that are tried to lead a hand to the mouth, radians."""


def drink(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Drink: a hand to the mouth, or the head to the water with small sips; birds tip it back to swallow."""
    return _drink_by_hand(body, style, times) if drinks_by_hand(body) else _drink_from_ground(body, style, times)


def drinks_by_hand(body: MovingBody) -> bool:
    """Return whether a body has hands and no head for the ground: people and centaurs."""
    return bool(body.arms) and not body.has_claws and (not body.tails or body.pairs > 1) and body.head is not None


def _drink_from_ground(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    bird = body.pairs == 1 and bool(body.wings)
    s, _ = action_phase(body, style, times, 3.0)
    frames, e = len(times.seconds), style.exaggeration
    low = min(style.crouch * body.leg_length, 0.4 * body.clearance)
    start, end = (0.22, 0.66) if bird else (0.26, 0.83)
    down = keyframe_curve(s, [(0, 0), (0.04, 0), (start, 1), (end, 1), (end + 0.14, 0), (1, 0)])
    sips = np.sin(np.pi * SIPS * np.clip((s - start) / (end - start), 0.0, 1.0)) ** 2
    most = 1.0 if body.long_wave else amount_to_ground(body, low)
    amount = most * down * (1.0 - 0.05 * e * sips)
    builder = PoseBuilder(body.skeleton, frames)
    lower_head(body, builder, amount, low)
    tipped = keyframe_curve(s, [(0, 0), (end + 0.05, 0), (end + 0.16, 1), (0.93, 1), (1, 0)]) if bird else 0.0 * s
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    builder.bend(chain, PITCH_AXIS, SWALLOW_TIPS * (0.6 + 0.4 * e) * tipped + 0.4 * style.head * (1.0 - down))
    builder.bend(
        body.proboscis, PITCH_AXIS, 0.5 * e * keyframe_curve(s, [(0, 0), (0.3, -0.4), (0.6, -0.2), (0.9, 1), (1, 0)])
    )
    plant_feet(body, builder, times)
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.15 * sips * down)
    flick_ears(body, builder, 0.12 * sips * down - 0.2 * down)
    relax_limbs(body, builder, make_trunk_motion(frames), times, arms=ArmPose(), wings=WingPose(1.0))
    wave_tails(body, builder, 0.35 * e, 0.02, s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def sniff(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Sniff: the head stays low and ahead, nods in small quick jerks and searches from side to side."""
    s, _ = action_phase(body, style, times, 2.6)
    frames, e, L = len(times.seconds), style.exaggeration, body.leg_length
    side = -1.0 if style.mirrored else 1.0
    search = side * np.sin(2 * np.pi * s)
    nods = np.sin(2 * np.pi * NODS * s) * (0.75 + 0.25 * np.cos(4 * np.pi * s))
    low = min((0.04 + style.crouch) * L, 0.4 * body.clearance)
    builder = PoseBuilder(body.skeleton, frames)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    if body.upright:
        lean = 0.42 * (0.7 + 0.3 * style.stride)
        trunk = make_trunk_motion(
            frames, height=np.full(frames, -low), yaw=0.12 * e * search, pitch=np.full(frames, -lean)
        )
        pose_trunk(body, builder, trunk)
        builder.bend(body.spine, PITCH_AXIS, np.full(frames, -0.18))
        steady_head(body, builder, trunk.heading, -0.25 + style.head, np.zeros(frames), 0.75)
        builder.bend(chain, PITCH_AXIS, 0.1 * e * nods)
    else:
        most = 1.0 if body.long_wave else amount_to_ground(body, low)
        level = most * (0.86 + 0.1 * min(style.stride - 1.0, 0.2))
        lower_head(body, builder, level * (1.0 + (0.04 if chain else 0.14) * e * nods), low)
        builder.bend(chain, PITCH_AXIS, 0.08 * e * nods + 0.4 * style.head)
    builder.bend(chain or body.spine, UP_AXIS, 0.45 * e * search)
    plant_feet(body, builder, times)
    flick_ears(body, builder, 0.2 * e + 0.1 * nods)
    relaxed = ArmPose(-0.1, 0.1, 0.4)
    relax_limbs(body, builder, make_trunk_motion(frames), times, arms=relaxed, wings=WingPose(1.0))
    wave_tails(body, builder, 0.5 * e, 0.0, 2.0 * s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def _drink_by_hand(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    s, _ = action_phase(body, style, times, 2.8)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = 1.0 if style.mirrored else -1.0
    raised = keyframe_curve(s, [(0, 0), (0.05, 0), (0.3, 1), (0.74, 1), (0.96, 0), (1, 0)])
    tipped = keyframe_curve(s, [(0, 0), (0.24, -0.12), (0.42, 1), (0.68, 1), (0.8, 0), (1, 0)])
    gulps = tipped * np.sin(2 * np.pi * 5.0 * s)
    low = min(style.crouch * L, 0.4 * body.clearance)
    trunk = make_trunk_motion(
        frames,
        height=np.full(frames, -low) - 0.005 * L * style.bounce * gulps,
        sway=-0.02 * side * L * raised,
        pitch=(0.08 * e * tipped) * (1.0 if body.upright else 0.0),
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.08 * e * tipped)
    plant_feet(body, builder, times)
    back = (0.28 + 0.2 * e) * style.stride * tipped
    steady_head(body, builder, trunk.heading, style.head + back + 0.03 * e * gulps, np.zeros(frames), 0.9)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0))
    for arm in body.arms:
        pose = ArmPose(0.0, 0.0, 0.22)
        if arm.left == style.mirrored:
            mouth = hand_at_mouth(body, arm)
            swing, spread, elbow, outward = (float(x) for x in vars(mouth).values())
            pose = ArmPose(
                (swing + 0.12 * tipped) * raised,
                (spread + 0.15 * e * tipped) * raised,
                0.22 + (elbow - 0.22) * raised + 0.1 * np.sin(np.pi * raised),
                -0.15 + (outward + 0.15) * raised,
            )
        pose_arm(body, builder, arm, pose)
    wave_tails(body, builder, 0.3 * e, 0.0, s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def half_cycle(style: MotionStyle) -> float:
    """Return the phase by which a sideways wave is shifted, so that a mirrored style gives the mirror image."""
    return 0.5 if style.mirrored else 0.0


def hand_at_mouth(body: MovingBody, arm: Arm) -> ArmPose:
    """Return the arm pose whose hand comes nearest to the mouth at rest, with little spread."""
    grid = np.array(list(itertools.product(*REACH_GRID)))
    builder = PoseBuilder(body.skeleton, len(grid))
    pose_arm(body, builder, arm, ArmPose(*grid.T))
    last = arm.hand if arm.hand is not None else arm.fore if arm.fore is not None else arm.upper
    tip = builder.point(last, body.skeleton.tails[last])
    missed = np.linalg.norm(tip - mouth_place(body), axis=1) / max(arm.length, 1e-9)
    best = grid[int(np.argmin(missed + 0.05 * np.abs(grid[:, 1]) + 0.03 * np.abs(grid[:, 3])))]
    return ArmPose(*(float(x) for x in best))


def mouth_place(body: MovingBody) -> Float[ndarray, "3"]:
    """Return a place at rest just in front of the lower third of the head's surface."""
    bones = [b for b in bones_under(body.skeleton, body.head or 0) if b in body.head_bones]
    points = body.hull[np.isin(body.hull_bones, bones)]
    if not len(points):
        return body.skeleton.tails[body.head or 0].copy()
    low, high = points[:, 1].min(), points[:, 1].max()
    return np.array([points[:, 0].max() + 0.04 * (high - low), low + 0.3 * (high - low), body.skeleton.heads[0][2]])


def lower_head(body: MovingBody, builder: PoseBuilder, amount: FrameCurve, low: float) -> None:
    """Lower the head by an amount in [0, 1] as `reach_down` does; a long trunk on many legs bends at its front only."""
    if not body.long_wave:
        reach_down(body, builder, amount, low)
        return
    pose_trunk(body, builder, make_trunk_motion(len(builder), height=np.full(len(builder), -low)))
    front = (*body.spine[-2:], *(() if body.head is None else (body.head,)))
    ahead = body.hull[np.isin(body.hull_bones, front)]
    reach = float(np.ptp(ahead[:, 0])) if len(ahead) else body.leg_length
    room = float(ahead[:, 1].min()) - low if len(ahead) else 0.0
    builder.bend(front, PITCH_AXIS, -1.3 * float(np.arcsin(np.clip(room / max(reach, 1e-9), 0.05, 0.5))) * amount)
