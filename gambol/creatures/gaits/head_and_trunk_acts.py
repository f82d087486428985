"""Actions of head and trunk: look around, shake, rear up, roar, sniff, drink, stomp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose
from gambol.creatures.gaits.drinking import drink, half_cycle, sniff
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import flick_ears, lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.rearing import rear_up
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
from gambol.creatures.gaits.strides import folding_room
from gambol.creatures.gaits.trunk_motion import pose_trunk

SHAKES_PER_SECOND = 2.3
"""Cycles per second in which a body with legs of 0.9 m shakes itself."""
ROAR_TREMBLES = 9
"""Trembles of a roar in the whole action."""


def look_around(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Turn the head far to one side, dwell, then to the other, and back; the trunk helps where there is no neck."""
    s, _ = action_phase(body, style, times, 2.8)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = -1.0 if style.mirrored else 1.0
    keys = [(0, 0), (0.06, -0.06), (0.24, 1), (0.4, 0.96), (0.47, 1), (0.68, -1), (0.84, -0.96), (0.9, -1), (1, 0)]
    gaze = side * style.stride * keyframe_curve(s, keys)
    passing = keyframe_curve(s, [(0, 0), (0.14, 1), (0.26, 0), (0.46, 0), (0.57, 1), (0.7, 0), (0.9, 0), (1, 0)])
    low = min(style.crouch * L, 0.4 * body.clearance)
    helped = 0.12 if body.neck else 0.3 if body.head is not None else 0.42
    helped = 0.0 if body.long_wave else helped
    trunk = make_trunk_motion(
        frames,
        height=-low - 0.01 * L * passing,
        sway=0.02 * L * gaze,
        yaw=np.clip(helped * (0.5 + 0.5 * e), 0.0, 0.5) * gaze,
        pitch=np.full(frames, 0.5 * style.head if body.head is None else 0.0),
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    if body.long_wave:
        builder.bend(body.spine[-2:], UP_AXIS, 0.35 * e * gaze)
    else:
        builder.bend(body.spine, UP_AXIS, (0.22 if body.upright else 0.12) * e * gaze)
    plant_feet(body, builder, times)
    far = (1.15 if body.neck else 0.9) * (0.7 + 0.3 * e)
    up = 0.06 * e * np.abs(gaze) - 0.14 * e * passing
    steady_head(body, builder, trunk.heading, style.head + up, far * gaze, 0.95)
    flick_ears(body, builder, 0.25 * e * np.abs(gaze))
    relax_limbs(body, builder, trunk, times, arms=ArmPose(0.0, 0.02 + 0.03 * np.abs(gaze), 0.22), wings=WingPose(1.0))
    wave_tails(body, builder, 0.3 * e, 0.03 * e, s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def shake(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Shake the body about its length: the head leads, shoulders, hips and tail follow ever later."""
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    rate = SHAKES_PER_SECOND * style.tempo * float(np.sqrt(0.9 / L))
    cycle = 2 * np.pi * (style.phase + half_cycle(style) + times.whole_cycles(rate) * times.seconds)
    head, chest, hips = (np.sin(cycle - lag) for lag in (0.0, 0.8, 1.8))
    size = (0.5 + 0.5 * e) * style.stride
    low = min((0.05 + style.crouch) * L, 0.4 * body.clearance)
    spread = max((abs(float(leg.hip[2])) for leg in body.legs), default=0.0) + body.torso_half_width
    most = float(np.arctan2(0.6 * max(body.clearance - low, 0.0) + 0.03 * L, spread))
    rolled = min(0.26 * size, most) * hips
    bounce = -low + 0.012 * L * style.bounce * np.cos(2.0 * cycle)
    builder = PoseBuilder(body.skeleton, frames)
    about = UP_AXIS if body.upright else ROLL_AXIS
    turned = {"yaw": 0.2 * size * hips} if body.upright else {"roll": rolled}
    if body.head is None:
        turned["yaw"] = 0.22 * size * chest
    trunk = make_trunk_motion(
        frames, height=bounce, sway=0.02 * L * chest, pitch=np.full(frames, -tilt_room(body, low, 0.06)), **turned
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, about, (0.5 if body.upright else 0.35) * size * (chest - 0.4 * hips))
    plant_feet(body, builder, times)
    lowered = style.head - (0.05 if body.sprawling else 0.2)
    steady_head(body, builder, trunk.heading, lowered, np.zeros(frames), 0.9)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    builder.bend(chain, about, (0.5 if body.upright else 0.75 if body.neck else 0.4) * size * head)
    builder.bend(chain, UP_AXIS, 0.12 * size * chest)
    both = np.cos(2.0 * cycle - 1.2)
    flick_ears(body, builder, 0.5 * e * both)
    swing = ArmPose(0.06 * size * both, 0.3 + 0.15 * size * np.abs(chest), 0.5 + 0.15 * both)
    relax_limbs(body, builder, trunk, times, arms=swing, wings=WingPose(0.85 + 0.1 * both, 0.15 * both))
    for tail in body.tails:
        builder.bend(tail, UP_AXIS, 0.6 * size * np.sin(cycle - 2.8))
        builder.bend(tail, ROLL_AXIS, 0.4 * size * np.sin(cycle - 2.4))
    lift_low(body, builder, loop=times.loop)
    return builder


def roar(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Draw the head in, throw it up and ahead with an open jaw, hold it trembling, and let it sink again."""
    s, _ = action_phase(body, style, times, 2.7)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    side = -1.0 if style.mirrored else 1.0
    act = keyframe_curve(
        s, [(0, 0), (0.06, 0), (0.22, -0.7), (0.36, 1.06), (0.42, 1.0), (0.78, 0.96), (0.96, 0), (1, 0)]
    )
    draw, out = np.clip(-act, 0.0, 1.0), np.clip(act, 0.0, 1.1)
    tremble = keyframe_curve(s, [(0, 0), (0.36, 0), (0.42, 1), (0.74, 1), (0.84, 0), (1, 0)])
    tremble = tremble * np.sin(2 * np.pi * ROAR_TREMBLES * s)
    low = min((0.05 + style.crouch) * L, 0.4 * body.clearance)
    tilt = 0.1 if body.upright else tilt_room(body, low, 0.16 if body.neck else 0.4)
    tilt = (tilt if body.head is not None else max(tilt, 0.26)) * (0.5 + 0.5 * e)
    ground = np.zeros((frames, 3))
    ground[:, 0] = 0.06 * L * style.stride * (out - draw) * (0.0 if body.upright else 1.0)
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-low * (0.4 + 1.2 * draw + 0.3 * out) + 0.004 * L * style.bounce * tremble,
        pitch=tilt * (out - 0.6 * draw) + (0.03 * e * tremble if body.head is None else 0.0),
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(
        body.spine, PITCH_AXIS, (0.16 if body.upright else 0.1) * e * (out - (0.1 if body.sprawling else 1.0) * draw)
    )
    plant_feet(body, builder, times)
    steady_head(body, builder, trunk.heading, style.head, np.zeros(frames), 0.8)
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    raised = (0.3 + 0.3 * e) * style.stride * (0.7 if body.sprawling else 1.0)
    builder.bend(body.neck, PITCH_AXIS, (neck_room(body) * out - 0.35 * draw) * e)
    builder.bend(
        chain[-1:], PITCH_AXIS, raised * out - (0.1 if body.sprawling else 0.4) * e * draw + 0.05 * e * tremble
    )
    builder.bend(chain, UP_AXIS, side * e * (0.05 * tremble + 0.12 * out))
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.55 * np.clip(out, 0.0, 1.0) - 0.05 * tremble)
    flick_ears(body, builder, -0.4 * out)
    arms = ArmPose(-0.35 * out + 0.3 * draw, 0.45 * out * e, 0.3 + 0.7 * np.abs(act) + 0.06 * tremble, 0.2 * out)
    relax_limbs(body, builder, trunk, times, arms=arms, wings=WingPose(1.0 - 0.5 * out, 0.5 * out))
    wave_tails(body, builder, 0.25 * e, 0.0, 2.0 * s + half_cycle(style))
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.3 * e * out)
    lift_low(body, builder, loop=times.loop)
    return builder


def tilt_room(body: MovingBody, low: float, wanted: float) -> float:
    """Return how far a trunk that is lowered by `low` metres tilts; a long one on many legs stays level, radians."""
    return 0.0 if body.long_wave else trunk_tilt(body, low, wanted)


def neck_room(body: MovingBody) -> float:
    """Return how far a neck rises in a roar: up to 70 degrees from the horizontal, radians; a steep one goes ahead."""
    if not body.neck or body.head is None:
        return 0.0
    along = body.skeleton.heads[body.head] - body.skeleton.heads[body.neck[0]]
    steep = float(np.arctan2(along[1], max(float(along[0]), 1e-9)))
    return float(np.clip(1.2 - steep, -0.15, 0.4))


def stomp(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lift one forefoot (or a foot on two legs) high, hang, and drive it to the ground; the body drops with it."""
    s, _ = action_phase(body, style, times, 1.5)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    place, leg = _stomping_leg(body, style)
    other = 1.0 if leg.left else -1.0
    weight = keyframe_curve(s, [(0, 0), (0.16, 1), (0.5, 1), (0.62, 0.2), (1, 0)])
    up = keyframe_curve(s, [(0, 0), (0.08, 0), (0.34, 1), (0.43, 1), (0.53, 0.14), (0.6, 0), (1, 0)])
    hit = keyframe_curve(s, [(0, 0), (0.5, 0), (0.58, 1), (0.7, 0.5), (0.9, 0), (1, 0)])
    low = min((0.05 * (0.5 + 0.5 * style.bounce) + style.crouch) * L, 0.35 * body.clearance)
    aside = 0.8 if body.pairs == 1 else 0.25
    trunk = make_trunk_motion(
        frames,
        height=-low * (0.5 + 0.9 * hit),
        sway=-other * aside * weight * min(abs(float(leg.sole[2])), 0.3 * L),
        roll=0.05 * other * e * up,
        pitch=tilt_room(body, low, 0.09) * e * (up - 1.2 * hit),
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, (0.08 * up - (0.02 if body.sprawling else 0.14) * hit) * e)
    plant_feet(body, builder, times, {place: _stomping_foot(body, leg, style, s, up)})
    nod = 0.05 if body.sprawling else 0.2
    steady_head(body, builder, trunk.heading, style.head - nod * e * hit + 0.08 * up, np.zeros(frames), 0.8)
    flick_ears(body, builder, -0.35 * up)
    arms = ArmPose(0.15 * up - 0.2 * hit, 0.25 * e * up, 0.5 + 0.5 * up + 0.2 * hit)
    relax_limbs(body, builder, trunk, times, arms=arms, wings=WingPose(1.0 - 0.3 * up, 0.2 * up))
    wave_tails(body, builder, 0.2 * e, 0.0, s + half_cycle(style))
    lift_low(body, builder, loop=times.loop)
    return builder


def _stomping_leg(body: MovingBody, style: MotionStyle) -> tuple[int, Leg]:
    """Return the first leg of the leading side and its place in the body's legs."""
    return next((k, leg) for k, leg in enumerate(body.legs) if leg.left == style.mirrored)


def _stomping_foot(body: MovingBody, leg: Leg, style: MotionStyle, s: FrameCurve, up: FrameCurve) -> FootPath:
    """Return the path of the foot that stomps: up under the hip, toes raised, and straight down."""
    L = body.leg_length
    room = 0.5 * L if body.sprawling else 0.8 * folding_room(body, leg, style.crouch + 0.05)
    high = min(0.4 * L * style.lift * style.stride, room)
    ahead = 0.16 * L * style.stride
    if body.pairs == 2 and not body.sprawling:  # a stiff foreleg swings ahead to come up
        angle = 0.62 * float(np.sqrt(style.lift * style.stride))
        ahead = (leg.length - high) * float(np.sin(angle))
        high = leg.length - (leg.length - high) * float(np.cos(angle))
    keys = [(0, 0), (0.1, 0), (0.24, -0.35), (0.4, 0.15), (0.5, 0.3), (0.58, 0.0), (1, 0)]
    tilt = keyframe_curve(s, keys) * leg.rolls
    return lifted_foot(leg, ahead * up, high * up, tilt, up <= 1e-4)


HEAD_AND_TRUNK_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "look around": look_around,
    "shake": shake,
    "rear up": rear_up,
    "roar": roar,
    "sniff": sniff,
    "drink": drink,
    "stomp": stomp,
}
"""Makers of these motions by their names in the vocabulary."""
