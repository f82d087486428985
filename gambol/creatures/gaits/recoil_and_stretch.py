"""Get hit and stretch: a jerk back that wears off, and limbs that extend slowly to their limits."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.ground_contact import carried_bones, keep_above_ground
from gambol.creatures.gaits.head_tail_motion import flick_ears, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    lifted_foot,
    make_trunk_motion,
    plant_feet,
    relax_limbs,
    trunk_tilt,
)
from gambol.creatures.gaits.strides import heel_limit, lunge_share
from gambol.creatures.gaits.trunk_motion import pose_trunk

HIT_SECONDS = 1.9
"""Duration of being hit and recovering with legs of 0.9 m."""
STRETCH_SECONDS = 2.9
"""Duration of a stretch with legs of 0.9 m."""


def get_hit(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Be hit from ahead: the trunk jerks back and twists at once, the head follows, everything recovers slowly."""
    s, _ = action_phase(body, style, times, HIT_SECONDS)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = -1.0 if style.mirrored else 1.0
    jerk = keyframe_curve(s, [(0, 0), (0.08, 0), (0.15, 1), (0.24, 0.85), (0.5, 0.3), (0.8, 0), (1, 0)])
    whip = keyframe_curve(
        s, [(0, 0), (0.08, 0), (0.12, -0.6), (0.2, 1), (0.32, 0.3), (0.42, -0.35), (0.6, -0.1), (0.8, 0), (1, 0)]
    )
    give = keyframe_curve(s, [(0, 0), (0.1, 0), (0.26, 1), (0.5, 0.7), (0.85, 0), (1, 0)])
    far = 0.28 * L * style.stride
    ground = np.zeros((frames, 3))
    ground[:, 0] = -far * lunge_share(body, far, 0.05 * L) * jerk
    low = min(style.crouch * L, 0.2 * body.clearance) + min(0.1 * L, 0.3 * body.clearance) * give
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-low,
        pitch=trunk_tilt(body, float(low.max()), (0.2 if body.upright else 0.3) * e) * jerk,
        yaw=-0.22 * side * e * jerk,
        roll=0.07 * side * e * jerk,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    if body.upright:
        builder.bend(body.spine, PITCH_AXIS, (0.35 * jerk - 0.35 * (give - jerk)) * e)
    feet = {}
    if body.pairs == 1:
        place = next(k for k, leg in enumerate(body.legs) if leg.left == style.mirrored)
        step = keyframe_curve(s, [(0, 0), (0.1, 0), (0.24, 1), (0.55, 1), (0.75, 0), (1, 0)])
        feet[place] = _stepped(body.legs[place], -1.1 * far * step, step, style)
    plant_feet(body, builder, times, feet)
    aside, nod = head_wander(style, times)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    steady_head(body, builder, trunk.heading, style.head + nod, aside, 0.6)
    builder.bend(chain, PITCH_AXIS, 0.55 * whip * e)
    builder.bend(chain, UP_AXIS, -0.35 * side * whip * e)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0 - 0.6 * jerk, 0.4 * jerk))
    for arm in body.arms:
        pose = ArmPose(0.5 * jerk * e - 0.15 * whip, 0.4 * jerk * e, 0.3 + 0.5 * jerk, 0.1)
        pose_arm(body, builder, arm, pose)
    flick_ears(body, builder, -0.5 * jerk * e)
    wave_tails(body, builder, 0.3 * e, 0.0, s)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def _stepped(leg: Leg, ahead: FrameCurve, share: FrameCurve, style: MotionStyle):
    up = 0.3 * leg.length * style.lift * share * (1.0 - share)
    return lifted_foot(leg, ahead, up, np.zeros(len(up)), up < 1e-3 * leg.length)


def stretch(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Stretch slowly and come back: people reach up, quadrupeds bow, others rise on straight legs."""
    s, _ = action_phase(body, style, times, STRETCH_SECONDS)
    out = keyframe_curve(
        s, [(0, 0), (0.06, -0.04), (0.12, 0), (0.45, 0.97), (0.58, 1), (0.68, 0.97), (0.93, 0), (1, 0)]
    )
    tremble = 0.012 * np.sin(2 * np.pi * 9.0 * s) * np.clip(3.0 * out - 2.0, 0.0, 1.0)
    if body.pairs == 2 and not body.sprawling and not body.arms:
        return _stretch_bow(body, style, times, out, tremble)
    if body.sits_folded:
        return _stretch_leg(body, style, times, out, tremble)
    if body.pairs > 1:
        return _stretch_high(body, style, times, out, tremble)
    if body.upright and not body.wings:
        return _stretch_arms(body, style, times, out, tremble)
    return _stretch_leg(body, style, times, out, tremble)


def _stretch_arms(
    body: MovingBody, style: MotionStyle, times: FrameTimes, out: FrameCurve, tremble: FrameCurve
) -> PoseBuilder:
    """Reach up with both arms, rise onto the toes and arch back."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = -1.0 if style.mirrored else 1.0
    size = float(np.clip(style.stride, 0.0, 1.1))
    lean = np.maximum(out, 0.0) ** 2
    tilts = [heel_limit(leg, -0.5 * size, 0.2 * L) * np.clip(out, 0.0, 1.0) for leg in body.legs]
    rises = [np.interp(-tilt, [0.0, 1.0], [0.0, 2.0 * leg.heel]) for tilt, leg in zip(tilts, body.legs, strict=True)]
    trunk = make_trunk_motion(
        frames,
        height=np.min(rises, axis=0) * 0.9 - style.crouch * L * (1 - np.clip(out, 0, 1)) - 0.05 * L * (out < 0) * -out,
        pitch=0.06 * e * lean,
        roll=0.05 * side * e * lean,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.3 * e * lean + tremble)
    builder.bend(body.spine, ROLL_AXIS, 0.12 * side * e * lean)
    zero = np.zeros(frames)
    feet = {
        k: lifted_foot(leg, zero, zero, tilt, np.ones(frames, bool))
        for k, (leg, tilt) in enumerate(zip(body.legs, tilts, strict=True))
    }
    plant_feet(body, builder, times, feet)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod + 0.3 * e * lean, aside * (1 - lean), 0.7)
    bent = np.sin(np.pi * np.clip(out, 0, 1))
    arms = ArmPose(2.95 * size * out, 0.35 * bent + 0.05, 0.25 + 0.9 * bent - 0.15 * np.clip(out, 0, 1), -0.2)
    relax_limbs(body, builder, trunk, times, arms=arms)
    return builder


def _stretch_bow(
    body: MovingBody, style: MotionStyle, times: FrameTimes, out: FrameCurve, tremble: FrameCurve
) -> PoseBuilder:
    """Bow the front low over forelegs that reach far ahead, the rear high, the head up, and come back."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    size = min(style.stride, 1.1)
    bow = min(0.5, 0.7 * body.clearance / max(body.trunk_length, 1e-9)) * size
    arm = 0.5 * body.trunk_length
    ground = np.zeros((frames, 3))
    ground[:, 0] = -0.22 * L * size * out
    trunk = make_trunk_motion(
        frames, ground=ground, height=-arm * np.sin(bow) * out - style.crouch * L, pitch=-bow * out
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.22 * e * np.maximum(out, 0.0) + tremble)
    feet = {}
    for place, leg in enumerate(body.legs):
        if leg.limb.pair == 0:
            lag = 0.04 if leg.left == style.mirrored else 0.0
            step = np.clip((np.maximum(out, 0.0) - lag) / (0.7 - lag), 0.0, 1.0)
            step = step**2 * (3 - 2 * step)
            feet[place] = _stepped(leg, 0.38 * L * size * step, step, style)
    plant_feet(body, builder, times, feet)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod + 0.25 * e * out, aside, 0.8)
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.35 * np.maximum(out, 0.0) ** 3)
    flick_ears(body, builder, -0.3 * e * out)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0 - 0.7 * np.clip(out, 0, 1)))
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.4 * e * out)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def _stretch_high(
    body: MovingBody, style: MotionStyle, times: FrameTimes, out: FrameCurve, tremble: FrameCurve
) -> PoseBuilder:
    """Rise on straight legs, the front higher than the rear, arms up, and come back."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    room = min(_straight_rise(leg) for leg in body.legs)
    tilt = min(0.12 * e, 0.2 * room / max(body.trunk_length, 1e-9))
    trunk = make_trunk_motion(
        frames, height=0.9 * room * style.stride * out - min(style.crouch * L, 0.3 * body.clearance), pitch=tilt * out
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, min(0.2 * e, 2.0 * tilt) * np.maximum(out, 0.0) + tremble)
    plant_feet(body, builder, times)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod + 0.35 * e * out, aside, 0.7)
    bent = np.sin(np.pi * np.clip(out, 0, 1))
    arms = ArmPose(2.7 * style.stride * out, 0.3 * bent, 0.25 + 0.9 * bent, -0.2)
    relax_limbs(body, builder, trunk, times, arms=arms, wings=WingPose(1.0 - np.clip(out, 0, 1), 0.3 * out))
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.3 * e * out)
    keep_above_ground(body, builder, carried_bones(body))
    return builder


def _straight_rise(leg: Leg) -> float:
    """Return how far a hip can rise until its leg is nearly straight over its foot, metres."""
    away = leg.chain.joints[-1] - leg.hip
    flat = float(np.hypot(away[0], away[2]))
    return max(float(np.sqrt(max((0.95 * leg.chain.longest) ** 2 - flat**2, 0.0))) + float(away[1]), 0.0)


def _stretch_leg(
    body: MovingBody, style: MotionStyle, times: FrameTimes, out: FrameCurve, tremble: FrameCurve
) -> PoseBuilder:
    """Stretch one leg back and the neck ahead, wings open, over the other leg (birds, dinosaurs, frogs)."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    hind = body.pairs - 1
    place = next(k for k, leg in enumerate(body.legs) if leg.left == style.mirrored and leg.limb.pair == hind)
    other = 1.0 if body.legs[place].left else -1.0
    go, drags = np.clip(out, 0.0, 1.0), body.sits_folded
    trunk = make_trunk_motion(
        frames,
        height=-L * (style.crouch + 0.04 * go),
        sway=-other * np.clip(3.0 * go, 0.0, 1.0) * (0.0 if drags else 0.8 * abs(float(body.legs[place].sole[2]))),
        pitch=(0.0 if drags else -0.28 * e) * go,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.12 * e * go + tremble)
    tilt = np.full(frames, 0.0 if drags else heel_limit(body.legs[place], -0.9, 0.4 * L)) * go
    up = (0.16 * go + 0.3 * go * (1 - go)) * L * (0.0 if drags else style.lift)
    feet = {place: lifted_foot(body.legs[place], -0.8 * L * style.stride * go, up, tilt, go < 1e-3)}
    plant_feet(body, builder, times, feet)
    aside, nod = head_wander(style, times)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    steady_head(body, builder, trunk.heading, style.head + nod + 0.2 * e * go, aside, 0.8)
    builder.bend(chain[:-1], PITCH_AXIS, -0.3 * e * go)
    spread = 1.0 - keyframe_curve(go, [(0, 0), (0.2, 0), (0.9, 1), (1, 1)])
    relax_limbs(body, builder, trunk, times, arms=ArmPose(0.8 * go, 0.2, 0.3), wings=WingPose(spread, 0.25 * go))
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.2 * e * go)
    keep_above_ground(body, builder, carried_bones(body))
    return builder
