"""Rear up: the trunk pitches up on the hind legs while the forelegs are drawn in and paw the air."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose
from gambol.creatures.gaits.drinking import half_cycle
from gambol.creatures.gaits.foot_paths import FootPath, pitch_axis
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import flick_ears, lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    make_trunk_motion,
    plant_feet,
    relax_limbs,
    trunk_tilt,
)
from gambol.creatures.gaits.trunk_motion import TrunkMotion, pose_trunk
from gambol.motion.folding_limb_ik import turn

REARING = 0.85
"""Pitch of the trunk of a body with four legs, radians."""
BIPED_REARING, MANY_LEGGED_REARING = 0.62, 0.6
"""Pitch of the trunk on two legs and on six and more, radians."""
LONG_TRUNK_REARING = 0.9
"""Angle by which the front of a trunk with many pairs of legs bends up, radians."""
RAISED_SHARE = 0.45
"""Share of the pairs of legs that leave the ground at most."""


def rear_up(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Sink on the hind legs, throw the front up, hold it while the forelegs paw, and come down."""
    s, _ = action_phase(body, style, times, 2.8)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    act = keyframe_curve(
        s, [(0, 0), (0.05, 0), (0.17, -0.14), (0.4, 1.04), (0.48, 1), (0.72, 0.97), (0.9, -0.05), (1, 0)]
    )
    up, load = np.clip(act, 0.0, 1.1), keyframe_curve(s, [(0, 0), (0.17, 1), (0.3, 0), (0.86, 0), (0.92, 0.8), (1, 0)])
    size = float(np.clip(style.stride * (0.75 + 0.25 * e), 0.75, 1.3))
    low = min((0.05 + style.crouch) * L, 0.4 * body.clearance)
    builder = PoseBuilder(body.skeleton, frames)
    raised = _raised_pairs(body)
    anticipation = trunk_tilt(body, low, 0.14) / 0.14 if body.pairs > 1 else 1.0
    act = np.where(act < 0.0, anticipation * act, act)
    pitch = rearing_angle(body) * size * act
    trunk = _pitched_trunk(body, raised, pitch, -low * (0.4 + 0.6 * load), L)
    pose_trunk(body, builder, trunk)
    if body.long_wave:
        front = body.spine[-max(2, round(RAISED_SHARE * len(body.spine))) :]
        builder.bend(front, PITCH_AXIS, LONG_TRUNK_REARING * size * act)
    else:
        builder.bend(body.spine, PITCH_AXIS, (0.15 if body.pairs > 1 else 0.25) * e * act)
    paths = _drawn_in(body, builder, style, s, up, raised)
    plant_feet(body, builder, times, paths)
    steady_head(body, builder, trunk.heading, style.head + 0.25 * up - 0.2 * load, np.zeros(frames), 0.7)
    flick_ears(body, builder, -0.35 * up)
    arms = ArmPose(0.9 * up - 0.4 * load, 0.5 * e * up, 0.5 + 0.6 * up, 0.2 * up)
    relax_limbs(body, builder, trunk, times, arms=arms, wings=WingPose(1.0 - 0.8 * up, 0.35 * up))
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.15 * e * up)
    wave_tails(body, builder, 0.3 * e, 0.0, s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def rearing_angle(body: MovingBody) -> float:
    """Return how far the trunk itself pitches up, radians; a long one with many legs bends instead."""
    if body.long_wave:
        return 0.0
    if body.pairs == 1:
        return BIPED_REARING
    return REARING if body.pairs == 2 else MANY_LEGGED_REARING


def _raised_pairs(body: MovingBody) -> int:
    """Return how many pairs of legs leave the ground, from the front."""
    return 0 if body.pairs == 1 else max(1, int(RAISED_SHARE * body.pairs))


def _pitched_trunk(body: MovingBody, raised: int, pitch: FrameCurve, height: FrameCurve, L: float) -> TrunkMotion:
    """Return the trunk's motion for a pitch about the hips that stay, moved back a little over their feet."""
    stay = [leg.hip for leg in body.legs if leg.limb.pair >= raised]
    away = np.mean(stay, axis=0) - body.centre
    x = away[0] * np.cos(pitch) - away[1] * np.sin(pitch)
    y = away[0] * np.sin(pitch) + away[1] * np.cos(pitch)
    ground = np.zeros((len(pitch), 3))
    ground[:, 0] = away[0] - x
    if body.pairs == 1:
        ground[:, 0] += 0.12 * L * pitch
    elif raised:
        ground[:, 0] -= 0.06 * L * pitch
    return make_trunk_motion(len(pitch), ground=ground, height=height + away[1] - y, pitch=pitch)


def _drawn_in(
    body: MovingBody, builder: PoseBuilder, style: MotionStyle, s: FrameCurve, up: FrameCurve, raised: int
) -> dict[int, FootPath]:
    """Return paths of the raised legs: from the ground to below their shoulders, folded, pawing in turn."""
    D, joints = builder.displacements()
    lead = np.clip(1.35 * up, 0.0, 1.0)
    paws = np.clip(up, 0.0, 1.0) * style.exaggeration
    paths = {}
    for place, leg in enumerate(body.legs):
        if leg.limb.pair >= raised:
            continue
        half = 0.0 if leg.left != style.mirrored else 0.5
        paw = paws * np.sin(2 * np.pi * (3.0 * s + half))
        hip = joints[:, leg.bones[0]]
        above = D[:, body.skeleton.parents[leg.bones[0]]]
        paths[place] = _pawing_foot(body, leg, hip, above, lead, paw, style)
    return paths


def _pawing_foot(
    body: MovingBody,
    leg: Leg,
    hip: Float[ndarray, "frames 3"],
    above: Float[ndarray, "frames 3 3"],
    lead: FrameCurve,
    paw: FrameCurve,
    style: MotionStyle,
) -> FootPath:
    rest = leg.sole - leg.hip
    high = min(style.lift, 1.3)
    if body.sprawling:
        drawn = np.array([0.35 * leg.length, 0.15 * leg.length * high, 0.75 * rest[2]]) + rest * [0.6, 0.3, 0.0]
        bent = above @ drawn + paw[:, None] * 0.12 * leg.length * (above @ PITCH_AXIS.take([2, 2, 0]))
    else:
        fold = 0.5 * (leg.chain.rest + 1.1 * leg.chain.shortest)
        angle = 0.55 * high + 0.3 * paw
        flat = np.stack([np.sin(angle) * fold, -np.cos(angle) * fold, np.full(len(paw), 0.8 * rest[2])], -1)
        bent = (turn(PITCH_AXIS, 0.45 * lead) @ flat[..., None])[..., 0]
    going = (lead**2 * (3.0 - 2.0 * lead))[:, None]
    sole = (1.0 - going) * leg.tread + going * (hip + bent)
    tilt = turn(pitch_axis(leg), -0.9 * going[:, 0] * leg.rolls)
    return FootPath(sole, tilt, np.zeros(len(paw)), going[:, 0] < 1e-4, np.maximum(sole[:, 1], 0.0))
