"""Actions of bodies on many legs with their claws, jaws and sting: strike, wave, attack."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import lift_low
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    make_trunk_motion,
    plant_feet,
)
from gambol.creatures.gaits.strides import lunge_share
from gambol.creatures.gaits.trunk_motion import pose_trunk


def bend_claw(builder: PoseBuilder, arm: Arm, draw: FrameCurve, thrust: FrameCurve, rise: FrameCurve) -> None:
    """Draw a claw back, thrust it ahead or raise it, each by an amount in [0, 1], from its rest pose."""
    side = -1.0 if arm.left else 1.0
    builder.turn(arm.upper, PITCH_AXIS, 0.7 * rise + 0.1 * draw)
    builder.turn(arm.upper, UP_AXIS, side * (0.75 * thrust - 0.5 * draw))
    if arm.fore is not None:
        builder.turn(arm.fore, UP_AXIS, side * (1.15 * draw - 0.4 * thrust))
        builder.turn(arm.fore, PITCH_AXIS, 0.25 * rise)
    if arm.hand is not None:
        builder.turn(arm.hand, UP_AXIS, side * (0.5 * draw - 0.55 * thrust))


def open_claw(builder: PoseBuilder, arm: Arm, angle: FrameCurve) -> None:
    """Open the pincer of a claw by an angle, radians: fingers are the bones below the hand."""
    side = -1.0 if arm.left else 1.0
    for finger in builder.skeleton.children[arm.hand] if arm.hand is not None else ():
        builder.turn(finger, UP_AXIS, side * angle)


def strike(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Strike ahead with one claw, the body behind it, while the other one is held open."""
    s, _ = action_phase(body, style, times, 1.1)
    hit = keyframe_curve(s, [(0, 0), (0.28, -1.0), (0.46, 1.0), (0.56, 0.95), (0.88, 0.0), (1, 0.0)])
    draw, thrust = np.clip(-hit, 0.0, 1.0), np.clip(hit, 0.0, 1.0)
    builder = lunge_on_feet(body, style, times, 0.2 * hit, 0.1 * thrust)
    gape = keyframe_curve(s, [(0, 0), (0.3, 0.6), (0.46, 0.5), (0.52, 0.0), (1, 0.0)])
    for arm in body.arms:
        mine = arm.left == style.mirrored
        zero = np.zeros(len(s))
        bend_claw(builder, arm, draw if mine else 0.3 * draw, thrust if mine else zero, 0.4 * draw if mine else zero)
        open_claw(builder, arm, gape if mine else 0.4 * gape)
    lift_low(body, builder, loop=times.loop)
    return builder


def wave_claw(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Raise one claw and swing it from side to side, as fiddler crabs do."""
    s, span = action_phase(body, style, times, 2.2)
    up = keyframe_curve(s, [(0, 0), (0.2, 1), (0.82, 1), (1, 0)])
    beats = max(2, round(1.7 * span * 0.62))
    swing = up * np.sin(2 * np.pi * beats * np.clip((s - 0.2) / 0.62, 0.0, 1.0))
    builder = lunge_on_feet(body, style, times, np.zeros(len(s)), 0.05 * up)
    for arm in body.arms:
        if arm.left == style.mirrored:
            side = -1.0 if arm.left else 1.0
            builder.turn(arm.upper, PITCH_AXIS, 0.9 * up)
            for bone in (arm.upper, arm.fore):
                if bone is not None:
                    builder.turn(bone, UP_AXIS, -side * 0.4 * style.exaggeration * swing)
            open_claw(builder, arm, 0.3 * up)
    lift_low(body, builder, loop=times.loop)
    return builder


def attack(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Attack with both claws: spread and open them, lunge, close them; a raised tail strikes ahead over the body."""
    s, _ = action_phase(body, style, times, 1.2)
    lunge = keyframe_curve(s, [(0, 0), (0.3, -0.6), (0.46, 1.0), (0.56, 0.9), (0.85, 0.0), (1, 0.0)])
    draw, thrust = np.clip(-lunge / 0.6, 0.0, 1.0), np.clip(lunge, 0.0, 1.0)
    builder = lunge_on_feet(body, style, times, 0.3 * lunge, 0.12 * draw)
    gape = keyframe_curve(s, [(0, 0), (0.3, 0.6), (0.46, 0.5), (0.52, 0.0), (1, 0.0)])
    for arm in body.arms:
        bend_claw(builder, arm, 0.6 * draw, thrust, 0.5 * draw)
        open_claw(builder, arm, gape)
    for tail in body.tails:
        rest = body.skeleton.tails[tail[-1]] - body.skeleton.heads[tail[0]]
        if rest[1] > 0.5 * abs(float(rest[0])) and len(tail) > 2:  # curled up over the body
            builder.bend(tail[1:], PITCH_AXIS, style.exaggeration * (0.5 * draw - 0.9 * thrust))
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.6 * gape)
    lift_low(body, builder, loop=times.loop)
    return builder


def lunge_on_feet(
    body: MovingBody, style: MotionStyle, times: FrameTimes, ahead: FrameCurve, pitch: FrameCurve
) -> PoseBuilder:
    """Move the trunk over planted feet: `ahead` in leg lengths, `pitch` in radians, nose up."""
    L, frames = body.leg_length, len(times.seconds)
    far = L * style.stride * ahead
    share = lunge_share(body, float(max(-far.min(), 0.0)), float(max(far.max(), 0.0)))
    low = min((0.04 + style.crouch) * L, 0.4 * body.clearance)
    ground = np.stack([share * far, np.zeros(frames), np.zeros(frames)], -1)
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, make_trunk_motion(frames, ground=ground, height=np.full(frames, -low), pitch=pitch))
    plant_feet(body, builder, times)
    return builder
