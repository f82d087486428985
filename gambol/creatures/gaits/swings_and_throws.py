"""Fast actions of the arms with the body behind them: throw, swing a sword, swing a golf club, box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.creatures.gaits.arm_motion import WingPose
from gambol.creatures.gaits.claws import bend_claw, lunge_on_feet, open_claw
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.free_limbs import (
    FramePoints,
    arm_length,
    chest_point,
    keyframe_points,
    outward,
    reach_wrist,
)
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_head
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
    relax_limbs,
    standing_foot,
)
from gambol.creatures.gaits.strides import lunge_share
from gambol.creatures.gaits.trunk_motion import pose_trunk

Keys = Sequence[tuple[float, float]]
"""Keyframes (time, value)."""
HANGING = (0.06, -0.97, 0.16)
"""Place of a hanging hand from its shoulder: ahead, up, outwards, arm lengths."""
ELBOWS_DOWN = (-0.3, -1.0, 0.35)
"""Where elbows point in a guard: ahead, up, outwards in the chest's axes."""


def throw(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Draw a hand back behind the head, step, swing it ahead over the shoulder and follow through."""
    if body.has_claws:
        return _claw_swing(body, style, times, 1.3, across=0.0)
    s, _ = action_phase(body, style, times, 2.0)
    mine, other = _own_and_other(body, style)
    wound = keyframe_curve(s, [(0, 0), (0.14, 0.0), (0.4, -1), (0.47, -0.9), (0.62, 1), (0.7, 0.9), (0.92, 0), (1, 0)])
    builder = _swing_body(body, style, times, s, mine, wound, twist=0.75, shift=0.15, lean=(0.14, 0.32))
    path = [
        (0, *HANGING), (0.1, 0.3, -0.7, 0.05), (0.2, 0.3, -0.35, 0.3), (0.32, -0.4, 0.15, 0.75), (0.43, -0.5, 0.5, 0.4),
        (0.5, -0.1, 0.9, 0.3), (0.56, 0.8, 0.5, 0.1), (0.64, 0.75, -0.35, -0.25), (0.72, 0.4, -0.7, -0.3),
        (0.92, *HANGING), (1, *HANGING),
    ]  # fmt: skip
    aim = [
        (0, *HANGING), (0.14, 0.3, -0.7, 0.0), (0.3, 0.75, 0.0, 0.1), (0.44, 0.9, 0.1, 0.05), (0.6, 0.2, -0.5, 0.4),
        (0.72, -0.2, -0.7, 0.3), (0.92, *HANGING), (1, *HANGING),
    ]  # fmt: skip
    _lead_hand(body, builder, mine, keyframe_points(s, path), pole=(-0.4, -0.3, 0.9))
    _lead_hand(body, builder, other, keyframe_points(s, aim))
    lift_low(body, builder, loop=times.loop)
    return builder


def swing_sword(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Raise one hand behind the shoulder, cut down across the body to the other side, and come back to the guard."""
    if body.has_claws:
        return _claw_swing(body, style, times, 1.2, across=1.0)
    s, _ = action_phase(body, style, times, 1.6)
    mine, other = _own_and_other(body, style)
    wound = keyframe_curve(s, [(0, 0), (0.06, 0), (0.34, -1), (0.4, -0.9), (0.56, 1), (0.66, 0.95), (0.94, 0), (1, 0)])
    builder = _swing_body(body, style, times, s, mine, wound, twist=0.7, shift=0.13, lean=(0.08, 0.3))
    guard = (0.55, -0.4, 0.0)
    path = [
        (0, *guard), (0.1, 0.5, -0.1, 0.2), (0.22, 0.05, 0.6, 0.45), (0.36, -0.4, 0.6, 0.45), (0.44, 0.3, 0.75, 0.25),
        (0.5, 0.8, 0.15, -0.15), (0.56, 0.5, -0.5, -0.75), (0.64, 0.2, -0.65, -0.8), (0.78, 0.45, -0.5, -0.4),
        (0.95, *guard), (1, *guard),
    ]  # fmt: skip
    balance = [
        (0, 0.3, -0.75, 0.1), (0.36, 0.5, -0.45, 0.45), (0.56, -0.2, -0.6, 0.65), (0.7, -0.2, -0.65, 0.6),
        (0.96, 0.3, -0.75, 0.1), (1, 0.3, -0.75, 0.1),
    ]  # fmt: skip
    _lead_hand(body, builder, mine, keyframe_points(s, path), pole=(-0.3, -0.5, 0.9))
    _lead_hand(body, builder, other, keyframe_points(s, balance))
    lift_low(body, builder, loop=times.loop)
    return builder


def box(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Punch with both hands in turn from a guard, hips and shoulders behind each, the feet apart and springing."""
    if body.has_claws:
        return _claw_boxing(body, style, times)
    s, _ = action_phase(body, style, times, 1.25)
    frames, L, e = len(s), body.leg_length, style.exaggeration
    jab = keyframe_curve(s, [(0, 0), (0.1, -0.12), (0.24, 1), (0.29, 0.95), (0.46, 0), (1, 0)])
    cross = keyframe_curve(s, [(0, 0), (0.46, 0), (0.56, -0.15), (0.72, 1), (0.77, 0.95), (0.97, 0), (1, 0)])
    mine, other = _own_and_other(body, style)  # the other hand jabs, its foot is ahead
    turned = outward(mine) * (cross - 0.6 * jab)
    spring = np.cos(4 * np.pi * s)
    biped = body.pairs == 1
    shift = 0.07 * L * style.stride * (cross + 0.6 * jab)
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(
        frames,
        ground=np.stack([shift * _share(body, 0.0, 0.1 * L), np.zeros(frames), np.zeros(frames)], -1),
        height=-L * (0.06 + style.crouch + 0.02 * style.bounce * spring),
        yaw=(0.25 * turned * e - 0.25 * outward(mine)) * biped,
        pitch=-(0.06 + 0.1 * np.maximum(jab, cross)) * biped,
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, UP_AXIS, 0.55 * e * turned)
    plant_feet(body, builder, times, _fighting_stance(body, style, mine, frames) if biped else {})
    steady_head(body, builder, trunk.heading, style.head - 0.08, np.zeros(frames), 0.9)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0))
    for arm, hit in ((other, jab), (mine, cross)):
        out = hit[:, None]
        guard, ahead = np.array([0.5, -0.02, -0.12]), np.array([1.0, 0.1, -0.25])
        away = guard + out * (ahead - guard) + np.maximum(0.04 * spring, 0.0)[:, None] * [0.0, 1.0, 0.0]
        _lead_hand(body, builder, arm, away, pole=ELBOWS_DOWN)
    lift_low(body, builder, loop=times.loop)
    return builder


def swing_golf_club(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Hold both hands together low, swing them back over one shoulder, through the ball and over the other one."""
    s, _ = action_phase(body, style, times, 2.7)
    frames, L, e = len(s), body.leg_length, style.exaggeration
    mine, _ = _own_and_other(body, style)
    side = outward(mine)
    turned = keyframe_curve(
        s, [(0, 0), (0.08, 0), (0.36, -1), (0.42, -1), (0.53, 0.05), (0.68, 1), (0.82, 1), (0.97, 0), (1, 0)]
    )
    through = np.clip(turned, 0.0, 1.0)
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(
        frames,
        height=-L * (0.06 + style.crouch - 0.03 * through),
        sway=side * L * 0.09 * style.stride * turned,
        yaw=side * (0.4 * turned + 0.25 * through) * e,
        pitch=-0.36 + 0.3 * through,
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, -0.22 * (1.0 - through))
    builder.bend(body.spine, UP_AXIS, side * 0.7 * turned * (0.5 + 0.5 * e))
    builder.bend(body.spine, ROLL_AXIS, side * 0.14 * through)
    feet = {}
    for place, leg in enumerate(body.legs):
        aside = (-1.0 if leg.left else 1.0) * 0.14 * L * style.width
        zero = np.zeros(frames)
        tilt = -0.75 * through * leg.rolls if leg.left == mine.left else zero
        feet[place] = lifted_foot(leg, zero, zero, tilt, np.ones(frames, bool), zero + aside)
    plant_feet(body, builder, times, feet)
    steady_head(body, builder, trunk.heading, style.head - 0.5 * (1.0 - through), side * 0.8 * through, 0.75)
    path = [
        (0, 0.5, -0.75, 0.0), (0.08, 0.5, -0.75, 0.0), (0.2, 0.5, -0.5, 0.45), (0.36, 0.15, 0.3, 0.62),
        (0.42, 0.12, 0.32, 0.62), (0.49, 0.45, -0.45, 0.4), (0.53, 0.5, -0.75, 0.0), (0.58, 0.55, -0.5, -0.42),
        (0.68, 0.2, 0.28, -0.62), (0.82, 0.18, 0.3, -0.6), (0.93, 0.45, -0.5, -0.2), (1, 0.5, -0.75, 0.0),
    ]  # fmt: skip
    grip = _middle_of_shoulders(body, builder, mine, keyframe_points(s, path))
    for arm in body.arms:
        apart = 0.04 * arm_length(body, arm) * (1.0 if arm is mine else -1.0)
        reach_wrist(body, builder, arm, grip - [0.0, apart, 0.0], pole=(-0.2, -0.8, 0.8))
    return builder


def _middle_of_shoulders(body: MovingBody, builder: PoseBuilder, mine: Arm, away: FramePoints) -> FramePoints:
    """Return world points given from the middle of the shoulders: ahead, up, to the side of `mine`, arm lengths."""
    middle = np.mean(
        [chest_point(body, builder, arm, np.zeros((len(builder), 3))) for arm in (body.arms[0], body.arms[1])], axis=0
    )
    shoulder = chest_point(body, builder, mine, np.zeros((len(builder), 3)))
    return middle + chest_point(body, builder, mine, away) - shoulder


def _own_and_other(body: MovingBody, style: MotionStyle) -> tuple[Arm, Arm]:
    """Return the arm that acts, the right one unless the style is mirrored, and the other one."""
    mine = next(arm for arm in body.arms if arm.left == style.mirrored)
    return mine, next(arm for arm in body.arms if arm.left != style.mirrored)


def _lead_hand(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    away: FramePoints,
    pole: tuple[float, float, float] = (-0.6, -0.6, 0.5),
) -> None:
    """Lead a wrist along a path from its shoulder in the chest's axes, arm lengths."""
    reach_wrist(body, builder, arm, chest_point(body, builder, arm, away), pole=pole)


def _share(body: MovingBody, back: float, ahead: float) -> float:
    return lunge_share(body, back, ahead) if body.pairs > 1 else 1.0


def _swing_body(
    body: MovingBody,
    style: MotionStyle,
    times: FrameTimes,
    s: FrameCurve,
    mine: Arm,
    wound: FrameCurve,
    *,
    twist: float,
    shift: float,
    lean: tuple[float, float],
) -> PoseBuilder:
    """Pose trunk, legs and head behind an arm that is drawn back (`wound` -1) and swings ahead (+1).

    The trunk turns by `twist` to either side, shifts by `shift` leg lengths and leans back and ahead by `lean`.
    """
    L, e, frames = body.leg_length, style.exaggeration, len(s)
    side, biped = outward(mine), body.pairs == 1
    far = shift * L * style.stride
    share = _share(body, 0.8 * far, far)
    ground = np.stack([share * far * np.where(wound < 0, 0.8 * wound, wound), np.zeros(frames), np.zeros(frames)], -1)
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-L * (style.crouch + 0.05 * np.abs(wound)),
        yaw=0.35 * twist * side * wound * e * biped,
        pitch=-np.where(wound < 0, lean[0], lean[1]) * wound * biped,
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, UP_AXIS, twist * side * wound * e)
    if not biped:
        builder.bend(body.spine[-2:], PITCH_AXIS, -np.where(wound < 0, lean[0], lean[1]) * wound)
    plant_feet(body, builder, times, _stepping(body, style, mine, s) if biped else {})
    steady_head(body, builder, trunk.heading, style.head, np.zeros(frames), 0.85)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0))
    return builder


def _stepping(body: MovingBody, style: MotionStyle, mine: Arm, s: FrameCurve) -> dict[int, FootPath]:
    """Return the feet of a swing: the one opposite to the arm steps ahead before it and back after it."""
    L, frames = body.leg_length, len(s)
    feet = {}
    for place, leg in enumerate(body.legs):
        zero = np.zeros(frames)
        if leg.left == mine.left:
            feet[place] = lifted_foot(leg, zero - 0.1 * L, zero, zero, np.ones(frames, bool))
            continue
        ahead = keyframe_curve(s, [(0, 0.05), (0.3, 0.05), (0.48, 0.34), (0.76, 0.34), (0.93, 0.05), (1, 0.05)])
        up = np.zeros(frames)
        for start, end in ((0.3, 0.48), (0.76, 0.93)):
            up = up + np.sin(np.pi * np.clip((s - start) / (end - start), 0.0, 1.0)) ** 2
        ahead = 0.05 + (ahead - 0.05) * style.stride
        feet[place] = lifted_foot(leg, L * ahead, 0.09 * L * style.lift * up, zero, up < 1e-3)
    return feet


def _fighting_stance(body: MovingBody, style: MotionStyle, mine: Arm, frames: int) -> dict[int, FootPath]:
    """Return feet that stand apart, the one on the side of the stronger hand behind."""
    L = body.leg_length
    feet = {}
    for place, leg in enumerate(body.legs):
        ahead = (-0.2 if leg.left == mine.left else 0.2) * L
        aside = (-1.0 if leg.left else 1.0) * 0.08 * L * style.width
        feet[place] = standing_foot(leg, frames, np.array([ahead, 0.0, aside]))
    return feet


def _claw_swing(
    body: MovingBody, style: MotionStyle, times: FrameTimes, duration: float, *, across: float
) -> PoseBuilder:
    """Raise one claw and draw it back, then swing it ahead and down, `across` the front for a cut."""
    s, _ = action_phase(body, style, times, duration)
    hit = keyframe_curve(s, [(0, 0), (0.34, -1.0), (0.4, -1.0), (0.52, 1.0), (0.6, 0.95), (0.9, 0.0), (1, 0.0)])
    rise = keyframe_curve(s, [(0, 0), (0.3, 1.0), (0.42, 1.1), (0.54, 0.0), (1, 0.0)])
    draw, thrust = np.clip(-hit, 0.0, 1.0), np.clip(hit, 0.0, 1.0)
    builder = lunge_on_feet(body, style, times, 0.25 * hit, 0.14 * draw - 0.05 * thrust)
    for arm in body.arms:
        if arm.left == style.mirrored:
            bend_claw(builder, arm, draw, thrust, 1.2 * rise * (0.6 + 0.4 * style.exaggeration))
            builder.turn(
                arm.upper, UP_AXIS, outward(arm) * (0.5 * across * (thrust - draw) - 0.4 * (1.0 - across) * thrust)
            )
            open_claw(builder, arm, 0.5 * draw)
        else:
            bend_claw(builder, arm, 0.3 * draw, np.zeros(len(s)), 0.2 * draw)
    lift_low(body, builder, loop=times.loop)
    return builder


def _claw_boxing(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Strike with both claws in turn."""
    s, _ = action_phase(body, style, times, 1.4)
    knots = [(0, 0), (0.12, -0.8), (0.26, 1.0), (0.32, 0.95), (0.5, 0.0), (1, 0.0)]
    first = keyframe_curve(s, knots)
    second = keyframe_curve(np.remainder(s + 0.5, 1.0), knots)
    builder = lunge_on_feet(body, style, times, 0.14 * (first + second), 0.08 * np.maximum(first, second))
    for arm in body.arms:
        hit = first if arm.left == style.mirrored else second
        draw, thrust = np.clip(-hit, 0.0, 1.0), np.clip(hit, 0.0, 1.0)
        bend_claw(builder, arm, 0.3 + 0.7 * draw - 0.3 * thrust, thrust, 0.3 + 0.2 * draw)
        open_claw(builder, arm, 0.4 * draw)
    lift_low(body, builder, loop=times.loop)
    return builder
