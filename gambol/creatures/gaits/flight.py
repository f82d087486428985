"""Wings at work: flapping on the ground and flying."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import WingPose, pose_wings
from gambol.creatures.gaits.foot_paths import FootPath, foot_turn
from gambol.creatures.gaits.gait_motion import Times
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import Posing
from gambol.creatures.gaits.standing import Curve, carriage, keys, settle, still
from gambol.creatures.gaits.trunk_motion import GRAVITY, carry_trunk, lift_low, steady_head, wave_tails

FASTEST_BEAT = 5.0
"""Wing beats per second; small birds beat faster than films can show."""


def wing_span(body: MovingBody) -> float:
    """Twice the length of a stretched wing, metres."""
    lengths = []
    for wing in body.wings:
        joints = [*body.skeleton.heads[list(wing.bones)], body.skeleton.tails[wing.bones[-1]]]
        lengths.append(float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum()))
    return 2.0 * max(lengths, default=body.size)


def beat_frequency(span: float) -> float:
    """f = 1.1 sqrt(g / span): larger wings beat slower; at most `FASTEST_BEAT`."""
    return min(1.1 * float(np.sqrt(GRAVITY / span)), FASTEST_BEAT)


def beating(phase: Curve, size: float) -> WingPose:
    """Down strokes stretched and led by the inner wing, up strokes with the outer wing folded."""
    stroke = np.cos(2 * np.pi * phase)
    lag = np.cos(2 * np.pi * phase - 0.9)
    rising = np.sin(-2 * np.pi * phase)
    return WingPose(
        still(len(phase)),
        size * (0.75 * stroke + 0.08),
        size * (0.55 * lag - 0.3 * np.maximum(rising, 0.0)),
        -0.3 * rising,
    )


def fly(body: MovingBody, style: MotionStyle, times: Times) -> Posing:
    """Off the ground, forwards, legs drawn up behind."""
    span, t = wing_span(body), times.seconds
    frequency = times.whole_cycles(style.tempo * beat_frequency(span))
    phase = style.phase + frequency * t
    speed = 2.0 * float(np.sqrt(GRAVITY * body.leg_length)) * style.stride
    bob = 0.05 * span * style.bounce * np.sin(2 * np.pi * phase + 0.6)
    ground = np.stack([speed * t, still(len(t)), still(len(t))], -1)
    high = 0.55 * span + 0.6 * body.leg_length
    level = 0.0 if body.upright else _nose_up(body)
    tilt = -level - (1.0 if body.upright else 0.0) + 0.05 * style.exaggeration * np.sin(2 * np.pi * phase)
    way = carriage(len(t), ground=ground, height=high + bob, pitch=tilt)
    posing = Posing(body.skeleton, len(t))
    carry_trunk(body, posing, way)
    _, hips = posing.displacements()
    paths = [_trailing(leg, hips[:, leg.bones[0]], len(t)) for leg in body.legs]
    plant_legs(body, posing, paths)
    steady_head(body, posing, way.heading, style.head, still(len(t)), 0.9)
    pose_wings(body, posing, beating(phase, 0.85 + 0.25 * style.exaggeration))
    wave_tails(body, posing, 0.0, 0.1 * style.exaggeration, 0.5 * phase)
    return posing


def flap(body: MovingBody, style: MotionStyle, times: Times) -> Posing:
    """Standing on its feet, wings opened and beaten, then folded again."""
    span, t = wing_span(body), times.seconds
    rounds = times.whole_cycles(style.tempo / (1.4 + 3.0 / beat_frequency(span)))
    s = np.remainder(style.phase + rounds * t, 1.0)
    beats = max(2, round(style.tempo * beat_frequency(span) / rounds * 0.62))
    opened = keys(s, [(0, 0), (0.14, 1), (0.84, 1), (1, 0)])
    phase = beats * np.clip((s - 0.12) / 0.74, 0.0, 1.0)
    pose = beating(phase, (0.75 + 0.25 * style.exaggeration))
    high = 0.03 * body.leg_length * style.bounce * opened * np.sin(2 * np.pi * phase)
    way = carriage(len(t), height=high - 0.05 * body.leg_length, pitch=0.15 * opened)
    posing = Posing(body.skeleton, len(t))
    carry_trunk(body, posing, way)
    settle(body, posing, times)
    steady_head(body, posing, way.heading, style.head, still(len(t)), 0.9)
    lowest = lowest_beat(body, span)
    pose_wings(
        body,
        posing,
        WingPose(1.0 - opened, np.maximum(pose.beat, lowest), np.maximum(pose.bend, 0.5 * lowest), pose.twist),
    )
    lift_low(body, posing, loop=times.loop)
    return posing


def lowest_beat(body: MovingBody, span: float) -> float:
    """How far down wings may beat so that their tips stay above the ground, radians (negative)."""
    shoulder = float(min(body.skeleton.heads[wing.bones[0]][1] for wing in body.wings))
    return -0.55 * float(np.arcsin(np.clip(0.8 * shoulder / (0.5 * span), 0.0, 1.0)))


def _nose_up(body: MovingBody) -> float:
    """How steeply the trunk rises at rest, radians."""
    top = body.skeleton.heads[body.neck[0]] if body.neck else body.skeleton.tails[0]
    along = top - body.skeleton.heads[0]
    return 0.8 * float(np.clip(np.arctan2(along[1], max(along[0], 1e-9)), 0.0, 1.2))


def _trailing(leg: Leg, hip: Float[ndarray, "frames 3"], frames: int) -> FootPath:
    """A foot drawn up behind the body."""
    reach = 0.5 * (leg.chain.rest + 1.1 * leg.chain.shortest)
    away = np.array([-0.75, -0.65, 0.0])
    tilt = np.full(frames, -1.2)
    turned = foot_turn(leg, still(frames), tilt)
    ankle = hip + reach * away
    sole = ankle - turned @ (leg.chain.joints[-1] - leg.sole) if leg.foot is not None else ankle
    return FootPath(sole, turned, still(frames), np.zeros(frames, bool), np.full(frames, leg.length))
