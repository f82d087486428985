"""Actions on the spot: idle, jump, kick, punch, wave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm
from gambol.creatures.gaits.arm_reach import chest_depth, guide_hand, hanging_hand, reach_length
from gambol.creatures.gaits.foot_paths import FootprintPairs, foot_path
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.hand_stance import GestureStance, pose_stance
from gambol.creatures.gaits.head_tail_motion import flick_ears, lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import MAX_LANDING_STRETCH
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
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
from gambol.creatures.gaits.strides import folding_room, heel_limit
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.gravity import EARTH_GRAVITY

IDLE_CYCLES = 0.36
"""Breaths per second of a standing body with legs of 0.9 m."""
MIN_JUMP_CROUCH = 0.03
"""Depth of a jump's crouch where belly or legs leave no room for more, in leg lengths."""


def idle(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Stand and breathe, shift weight, look around, move tail and ears a little; all of it repeats with each breath."""
    L, t, e = body.leg_length, times.seconds, style.exaggeration
    frequency = times.whole_cycles(IDLE_CYCLES * style.tempo * float(np.clip((0.9 / L) ** 0.25, 0.7, 2.0)))
    cycle = frequency * t + style.phase
    breath = np.sin(2 * np.pi * cycle)
    side = -1.0 if style.mirrored else 1.0
    shift = side * np.sin(2 * np.pi * (cycle + 0.15))
    aside, nod = head_wander(replace(style, wander=0.5 + 0.5 * style.wander), times, cycle=cycle)
    low = min(style.crouch * L, 0.4 * body.clearance)
    upright = 1.0 if body.upright else 0.5
    builder = PoseBuilder(body.skeleton, len(t))
    trunk = make_trunk_motion(
        len(t),
        height=L * (0.006 * e * breath - 0.006) - low,
        sway=0.03 * L * e * shift * upright,
        roll=0.02 * e * shift * upright,
        pitch=0.008 * e * breath,
    )
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, PITCH_AXIS, 0.02 * e * breath)
    plant_feet(body, builder, times)
    steady_head(body, builder, trunk.heading, style.head - 0.02 * breath + nod, 1.6 * e * side * aside, 0.9)
    flick = np.maximum(np.sin(2 * np.pi * cycle + 1.0), 0.0) ** 24
    flick_ears(body, builder, -0.5 * e * flick)
    relax_limbs(body, builder, trunk, times, arms=ArmPose(0.03 * breath, 0.02 * e * breath, 0.22), wings=WingPose(1.0))
    wave_tails(body, builder, 0.35 * e * side, 0.04 * e, cycle)
    lift_low(body, builder, loop=times.loop)
    return builder


def jump(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Jump a little forwards: crouch, push off, fall freely, land softly, stand up."""
    L = body.leg_length
    crouch = min(0.26 * L, 0.55 * body.clearance, 0.75 * min(folding_room(body, leg, 0.0) for leg in body.legs))
    crouch = max(crouch, MIN_JUMP_CROUCH * L)
    high = min(0.42 * L * style.bounce, 2.8 * crouch)
    spring = body.spring if body.sits_folded else 0.0  # folded legs leap higher and further, and stretch out in the air
    high += 0.45 * spring * style.bounce
    speed = float(np.sqrt(2.0 * EARTH_GRAVITY * high))
    flight, push = 2.0 * speed / EARTH_GRAVITY, 2.4 * crouch / speed
    slow = float(np.sqrt(L / 0.9)) / style.tempo
    spans = np.array([0.1 * slow, 0.4 * slow, push, flight, push, 0.45 * slow])
    frequency = times.whole_cycles(1.0 / spans.sum())
    spans[[0, 1, 5]] *= max((1.0 / frequency - flight - 2 * push) / spans[[0, 1, 5]].sum(), 0.25)
    a, b, off, on, c, end = np.cumsum(spans)
    t = np.remainder(frequency * times.seconds + style.phase, 1.0) * end
    trips = np.floor(frequency * times.seconds + style.phase)
    share = np.clip((t - off) / flight, 0.0, 1.0)
    flying = (t > off) & (t < on)
    height = hermite(
        t, [(0, 0, 0), (a, 0, 0), (b, -crouch, 0), (off, 0, speed), (on, 0, -speed), (c, -crouch, 0), (end, 0, 0)]
    )
    rise = np.where(flying, 0.5 * EARTH_GRAVITY * (t - off) * (on - t), 0.0)
    height = np.where(flying, rise, height)
    distance = (0.45 * L + 0.8 * spring) * style.stride * float(np.clip(high / (0.2 * L), 0.3, 1.0))
    along = distance * (
        trips - trips[0] + keyframe_curve(t, [(0, 0), (b, 0.0), (off, 0.1), (on, 0.9), (c, 1.0), (end, 1.0)])
    )
    start = along[0]
    rise_share = rise / max(high, 1e-9)
    lean = 0.4 if body.upright else trunk_tilt(body, crouch, 0.12)
    pitch = -lean * keyframe_curve(t, [(0, 0), (a, 0), (b, 1.0), (off, 0.1), (on, 0.25), (c, 0.9), (end, 0.0)])
    reared = min(0.3 * style.exaggeration, 1.2 * high / body.trunk_length) if body.pairs > 1 else 0.0
    rear = reared * np.sin(2 * np.pi * share) * flying * rise_share
    ground = np.zeros((len(t), 3))
    ground[:, 0] = along - start
    trunk = make_trunk_motion(
        len(t), ground=ground, height=height - min(style.crouch * L, 0.15 * body.clearance), pitch=pitch + rear
    )
    builder = PoseBuilder(body.skeleton, len(t))
    pose_trunk(body, builder, trunk)
    feet = {}
    for place, leg in enumerate(body.legs):
        room = folding_room(body, leg, style.crouch)
        toe_off, droop = heel_limit(leg, -0.35 * leg.rolls, 0.5 * room), heel_limit(leg, -0.9 * leg.rolls, 0.3 * room)
        tilt = keyframe_curve(
            t, [(0, 0), (b, 0), (off, toe_off), (off + 0.3 * flight, droop), (on - 0.15 * flight, 0.0), (end, 0.0)]
        )
        before = _at(leg, distance * (trips - trips[0]) - start)
        landed = t >= on
        ahead = np.array([distance, 0.0, 0.0])
        before = np.where(landed[:, None], before + ahead, before)
        prints = FootprintPairs(before, before + ahead, np.zeros(len(t)), np.zeros(len(t)))
        phase = np.where(flying, 0.5 + 0.5 * share, 0.0)
        tuck, slider = min(0.3 * L * style.lift, 0.5 * room), float(leg.hip[0] - body.centre[0])
        carried = np.maximum(0.97 * rise + slider * np.sin(rear), 0.3 * rise)
        if spring and leg.limb.pair == body.pairs - 1:
            stretched = keyframe_curve(share, [(0, 0), (0.25, 1), (0.55, 0.7), (1, 0)])
            carried = np.maximum(carried - 0.6 * spring * stretched, 0.3 * rise)
        feet[place] = foot_path(leg, phase, 0.5, prints, tilt, tuck, carried)
    plant_feet(body, builder, times, feet, stretch=MAX_LANDING_STRETCH - 0.03)
    steady_head(body, builder, trunk.heading, style.head, np.zeros(len(t)), 0.8)
    swing = keyframe_curve(
        t, [(0, 0), (a, 0), (b, -0.9), (off, 1.6), (off + 0.5 * flight, 1.9), (on, 0.9), (c, -0.3), (end, 0.0)]
    )
    bend = ArmPose(style.exaggeration * swing, 0.1, 0.3 + 0.3 * np.abs(swing), -0.2)
    spread = keyframe_curve(t, [(0, 1.0), (b, 1.0), (off, 0.2), (on, 0.2), (c, 1.0), (end, 1.0)])
    relax_limbs(body, builder, trunk, times, arms=bend, wings=WingPose(spread, 0.5 * np.sin(2 * np.pi * 2.0 * share)))
    wave_tails(body, builder, 0.0, 0.0, np.zeros(len(t)), 0.0)
    for tail in body.tails:
        builder.bend(
            tail,
            PITCH_AXIS,
            0.5
            * style.exaggeration
            * keyframe_curve(t, [(0, 0), (b, -0.3), (off, 0.8), (on, -0.8), (c, 0.2), (end, 0.0)]),
        )
    lift_low(body, builder, loop=times.loop)
    return builder


def _at(leg: Leg, along: FrameCurve) -> np.ndarray:
    return leg.tread + along[:, None] * np.array([1.0, 0.0, 0.0])


def hermite(t: FrameCurve, knots: list[tuple[float, float, float]]) -> FrameCurve:
    """Evaluate the cubic Hermite spline through (time, value, slope) knots at times t."""
    from scipy.interpolate import CubicHermiteSpline

    x, y, slope = np.array(knots, float).T
    return CubicHermiteSpline(x, y, slope)(np.clip(t, x[0], x[-1]))


def kick(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Kick: bipeds swing one foot back and then high ahead; other bodies kick back with both hind legs."""
    return _kick_back(body, style, times) if body.pairs > 1 else _kick_ahead(body, style, times)


def _kick_ahead(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    s, _ = action_phase(body, style, times, 1.5)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    place = next(k for k, leg in enumerate(body.legs) if leg.left == style.mirrored)
    leg = body.legs[place]
    other = 1.0 if leg.left else -1.0
    weight = keyframe_curve(s, [(0, 0), (0.22, 1), (0.75, 1), (1, 0)])
    strike = keyframe_curve(s, [(0, 0), (0.3, -0.5), (0.48, 1.0), (0.58, 0.9), (0.85, 0.0), (1, 0.0)])
    trunk = make_trunk_motion(
        frames,
        height=-L * (style.crouch + 0.03 * weight),
        sway=-other * weight * 0.9 * abs(float(leg.sole[2])),
        roll=0.05 * other * weight * e,
        yaw=0.25 * other * strike * e,
        pitch=(0.22 if body.upright else 0.1) * strike * e,
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    builder.bend(body.spine, UP_AXIS, -0.4 * other * strike * e)
    ahead = (
        keyframe_curve(
            s,
            [
                (0, 0),
                (0.18, -0.1),
                (0.3, -0.42),
                (0.4, 0.25),
                (0.48, 0.84),
                (0.58, 0.7),
                (0.72, 0.2),
                (0.85, 0.0),
                (1, 0.0),
            ],
        )
        * style.stride
    )
    up = keyframe_curve(
        s,
        [
            (0, 0),
            (0.12, 0.05),
            (0.3, 0.36),
            (0.4, 0.34),
            (0.48, 0.8),
            (0.58, 0.68),
            (0.72, 0.22),
            (0.85, 0.0),
            (1, 0.0),
        ],
    ) * min(style.stride, 1.0)
    tilt = keyframe_curve(
        s,
        [(0, 0), (0.12, -0.4), (0.3, -1.1), (0.4, -0.5), (0.48, 0.7), (0.58, 0.5), (0.72, 0.1), (0.84, 0.0), (1, 0.0)],
    )
    room = folding_room(body, leg, style.crouch + 0.03)
    drawn = np.where(s < 0.36, np.minimum(up * L, 0.6 * room), up * L)
    tilt = np.maximum(tilt, heel_limit(leg, -1.1, 0.4 * room))
    clear = np.sign(float(leg.sole[2])) * 0.06 * L * np.clip(4.0 * up, 0.0, 1.0)
    kicking = lifted_foot(leg, ahead * L, drawn, tilt, up <= 1e-4, clear)
    plant_feet(body, builder, times, {place: kicking})
    steady_head(body, builder, trunk.heading, style.head, np.zeros(frames), 0.85)
    relax_limbs(body, builder, trunk, times, wings=WingPose(1.0 - 0.5 * weight, 0.3 * strike))
    for arm in body.arms:
        own = -1.0 if arm.left == leg.left else 1.0
        pose_arm(body, builder, arm, ArmPose(0.25 + own * 0.8 * strike * e, 0.35 * weight, 0.5 + 0.3 * weight, -0.2))
    lift_low(body, builder, loop=times.loop)
    return builder


def _kick_back(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    s, _ = action_phase(body, style, times, 1.3)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    last = body.pairs - 1
    tuck = keyframe_curve(s, [(0, 0), (0.12, 0), (0.3, 1), (0.44, 0.15), (0.56, 0.6), (0.72, 0), (1, 0)])
    out = keyframe_curve(s, [(0, 0), (0.3, 0), (0.44, 1.0), (0.52, 0.8), (0.68, 0.0), (1, 0)])
    load = keyframe_curve(s, [(0, 0), (0.14, 0.6), (0.3, 0.0), (0.44, 0.0), (0.72, 0.5), (1, 0)])
    up = np.clip(np.maximum(tuck, out), 0.0, 1.0)
    dip = trunk_tilt(body, style.crouch * L, 0.3 * e)
    slant = dip * up
    arm = 0.5 * body.trunk_length
    builder = PoseBuilder(body.skeleton, frames)
    trunk = make_trunk_motion(
        frames,
        height=arm * np.sin(slant) - L * (0.06 * load + style.crouch),
        pitch=-slant + 0.06 * load,
    )
    pose_trunk(body, builder, trunk)
    feet = {}
    for place, leg in enumerate(body.legs):
        if leg.limb.pair != last:
            continue
        room = folding_room(body, leg, style.crouch)
        rise = min(0.32 * L, 0.6 * room) * tuck + 0.42 * L * out + arm * np.sin(slant)
        tilt = -1.25 * out + heel_limit(leg, -0.7, 0.4 * room) * tuck * (1 - out)
        feet[place] = lifted_foot(leg, -0.55 * L * style.stride * out + 0.1 * L * tuck, rise, tilt, up <= 1e-3)
    plant_feet(body, builder, times, feet)
    steady_head(body, builder, trunk.heading, style.head - 0.25 * up, np.zeros(frames), 0.7)
    relax_limbs(body, builder, trunk, times)
    for tail in body.tails:
        builder.bend(tail, PITCH_AXIS, -0.5 * up * e)
    lift_low(body, builder, loop=times.loop)
    return builder


def punch(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Punch straight ahead at shoulder height from a guard, the trunk behind it, while the other fist stays up."""
    s, _ = action_phase(body, style, times, 1.1)
    e, lead = style.exaggeration, style.mirrored
    hand = 1.0 if lead else -1.0
    power = 0.5 + 0.5 * e
    hit = keyframe_curve(s, [(0, 0), (0.26, -0.3), (0.44, 1.0), (0.56, 1.0), (0.86, 0.0), (1, 0.0)])
    out = np.clip(hit, 0.0, 1.0)
    stance = GestureStance(
        ahead=(0.1 if body.pairs == 1 else 0.2) * hit * style.stride,
        low=0.07 + 0.03 * out,
        yaw=-0.08 * hand * hit * power,
        twist=-0.28 * hand * hit * power,
        pitch=-0.06 - 0.08 * out * e,
        bend=0.04 * out * e,
        stagger=0.16,
        steady=0.92,
    )
    builder = pose_stance(body, style, times, stance, leading_left=not lead)
    turned = -0.36 * hand * hit * power
    for arm in body.arms:
        guard = max(0.36, chest_depth(body, arm) / reach_length(body, arm) + 0.14)
        fist = np.tile([guard, 0.04, -0.14], (len(s), 1))
        if arm.left == lead:
            far = 1.02 + 0.12 * (min(style.stride, 1.0) - 1.0)
            fist[:, 0] += (far * np.cos(turned) - guard) * out - 0.14 * np.maximum(-hit, 0.0)
            fist[:, 1] += 0.02 * out
            fist[:, 2] += (0.06 + far * np.abs(np.sin(turned))) * out
        else:
            fist[:, 0] -= 0.06 * out
        guide_hand(body, builder, arm, fist, (-0.3, -1.0, 0.35), pronation=0.3 + 1.1 * out * (arm.left == lead))
    return builder


def wave(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Raise one hand beside the head and swing its forearm from side to side."""
    s, span = action_phase(body, style, times, 2.4)
    e, side = style.exaggeration, 1.0 if style.mirrored else -1.0
    up = keyframe_curve(s, [(0, 0), (0.2, 1), (0.82, 1), (1, 0)])
    beats = max(2, round(1.7 * span * 0.62))
    swing = up * np.sin(2 * np.pi * beats * np.clip((s - 0.2) / 0.62, 0.0, 1.0))
    stance = GestureStance(
        sway=-0.025 * side * up,
        roll=-0.03 * side * up * e,
        side_bend=0.06 * side * up * e + 0.02 * side * swing * e,
        head_yaw=0.1 * side * up,
        head_pitch=0.04 * swing,
    )
    builder = pose_stance(body, style, times, stance)
    angle = 0.1 + 0.5 * e * swing * (0.6 + 0.4 * style.stride)
    for arm in body.arms:
        if arm.left != style.mirrored:
            pose_arm(body, builder, arm, ArmPose(0.0, 0.0, 0.2))
            continue
        hang = hanging_hand(body, arm)
        held = np.stack([np.full(len(s), 0.14), 0.12 + 0.52 * np.cos(angle), 0.4 + 0.52 * np.sin(angle)], -1)
        way = hang + up[:, None] * (held - hang) + (4.0 * up * (1.0 - up))[:, None] * np.array([0.3, 0.0, 0.15])
        share = np.sqrt(up)[:, None]
        elbow = (1.0 - share) * np.array([-1.0, -0.3, 0.45]) + share * np.array([0.1, -1.0, 0.55])
        guide_hand(body, builder, arm, way, elbow, pronation=1.1 * up)
    return builder
