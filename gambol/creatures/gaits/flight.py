"""Actions of wings: fly, and flap on the ground."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import WingPose, pose_wings
from gambol.creatures.gaits.foot_paths import FootPath, foot_rotation
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, keyframe_curve, make_trunk_motion, plant_feet
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.gravity import EARTH_GRAVITY

MAX_WING_BEATS = 5.0
"""Most wing beats per second; small birds beat faster than a film can show."""


def wing_span(body: MovingBody) -> float:
    """Return twice the length of a stretched wing, metres."""
    lengths = []
    for wing in body.wings:
        joints = [*body.skeleton.heads[list(wing.bones)], body.skeleton.tails[wing.bones[-1]]]
        lengths.append(float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum()))
    return 2.0 * max(lengths, default=body.size)


def beat_frequency(span: float) -> float:
    """Return beats per second, f = 1.1 sqrt(g / span): larger wings beat slower; at most `MAX_WING_BEATS`."""
    return min(1.1 * float(np.sqrt(EARTH_GRAVITY / span)), MAX_WING_BEATS)


def beating(phase: FrameCurve, size: float) -> WingPose:
    """Return the wing pose over a beat: stretched down strokes, up strokes with a folded outer wing."""
    stroke = np.cos(2 * np.pi * phase)
    lag = np.cos(2 * np.pi * phase - 0.9)
    rising = np.sin(-2 * np.pi * phase)
    return WingPose(
        np.zeros(len(phase)),
        size * (0.75 * stroke + 0.08),
        size * (0.55 * lag - 0.3 * np.maximum(rising, 0.0)),
        -0.3 * rising,
    )


def fly(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Fly forwards above the ground, legs drawn up behind."""
    span, t = wing_span(body), times.seconds
    frequency = times.whole_cycles(style.tempo * beat_frequency(span))
    phase = style.phase + frequency * t
    speed = 2.0 * float(np.sqrt(EARTH_GRAVITY * body.leg_length)) * style.stride
    bob = 0.05 * span * style.bounce * np.sin(2 * np.pi * phase + 0.6)
    ground = np.stack([speed * t, np.zeros(len(t)), np.zeros(len(t))], -1)
    tilt = flying_tilt(body) + 0.05 * style.exaggeration * np.sin(2 * np.pi * phase)
    trunk = make_trunk_motion(len(t), ground=ground, height=flying_height(body, span) + bob, pitch=tilt)
    builder = PoseBuilder(body.skeleton, len(t))
    pose_trunk(body, builder, trunk)
    _, hips = builder.displacements()
    plant_legs(body, builder, [drawn_foot(body, leg, hips[:, leg.bones[0]]) for leg in body.legs])
    steady_head(body, builder, trunk.heading, style.head, np.zeros(len(t)), 0.9)
    pose_wings(body, builder, beating(phase, 0.85 + 0.25 * style.exaggeration))
    wave_tails(body, builder, 0.0, 0.1 * style.exaggeration, 0.5 * phase)
    return builder


def flap(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Stand, open the wings, beat them and fold them again."""
    span, t = wing_span(body), times.seconds
    rounds = times.whole_cycles(style.tempo / (1.4 + 3.0 / beat_frequency(span)))
    s = np.remainder(style.phase + rounds * t, 1.0)
    beats = max(2, round(style.tempo * beat_frequency(span) / rounds * 0.62))
    opened = keyframe_curve(s, [(0, 0), (0.14, 1), (0.84, 1), (1, 0)])
    phase = beats * np.clip((s - 0.12) / 0.74, 0.0, 1.0)
    pose = beating(phase, (0.75 + 0.25 * style.exaggeration))
    high = 0.03 * body.leg_length * style.bounce * opened * np.sin(2 * np.pi * phase)
    trunk = make_trunk_motion(len(t), height=high - 0.05 * body.leg_length, pitch=0.15 * opened)
    builder = PoseBuilder(body.skeleton, len(t))
    pose_trunk(body, builder, trunk)
    plant_feet(body, builder, times)
    steady_head(body, builder, trunk.heading, style.head, np.zeros(len(t)), 0.9)
    lowest = lowest_beat(body, span)
    pose_wings(
        body,
        builder,
        WingPose(1.0 - opened, np.maximum(pose.beat, lowest), np.maximum(pose.bend, 0.5 * lowest), pose.twist),
    )
    lift_low(body, builder, loop=times.loop)
    return builder


def lowest_beat(body: MovingBody, span: float) -> float:
    """Return the lowest beat angle that keeps the wing tips above the ground, radians (negative)."""
    shoulder = float(min(body.skeleton.heads[wing.bones[0]][1] for wing in body.wings))
    return -0.55 * float(np.arcsin(np.clip(0.8 * shoulder / (0.5 * span), 0.0, 1.0)))


def flying_height(body: MovingBody, span: float) -> float:
    """Return how high above standing a body flies, so that its wings clear the ground, metres."""
    return 0.55 * span + 0.6 * body.leg_length


def flying_tilt(body: MovingBody) -> float:
    """Return the pitch that levels the trunk in flight, radians."""
    return -1.0 if body.upright else -_nose_up(body)


def drawn_foot(body: MovingBody, leg: Leg, hip: Float[ndarray, "frames 3"]) -> FootPath:
    """Return the path of a foot in flight: drawn up behind the body, or hanging below an insect's."""
    return (_hanging if body.pairs > 2 else _trailing)(leg, hip, len(hip))


def _nose_up(body: MovingBody) -> float:
    """Return how steeply the trunk rises at rest, radians."""
    first = body.neck[0] if body.neck else body.head
    top = body.skeleton.heads[first] if first is not None else body.skeleton.tails[0]
    along = top - body.skeleton.heads[0]
    return 0.8 * float(np.clip(np.arctan2(along[1], max(along[0], 1e-9)), 0.0, 1.2))


def _trailing(leg: Leg, hip: Float[ndarray, "frames 3"], frames: int) -> FootPath:
    """Return the path of a foot that is drawn up behind the body."""
    reach = 0.5 * (leg.chain.rest + 1.1 * leg.chain.shortest)
    away = np.array([-0.75, -0.65, 0.0])
    tilt = np.full(frames, -1.2)
    turned = foot_rotation(leg, np.zeros(frames), tilt)
    ankle = hip + reach * away
    sole = ankle - turned @ (leg.chain.joints[-1] - leg.sole) if leg.foot is not None else ankle
    return FootPath(sole, turned, np.zeros(frames), np.zeros(frames, bool), np.full(frames, leg.length))


def _hanging(leg: Leg, hip: Float[ndarray, "frames 3"], frames: int) -> FootPath:
    """Return the path of a foot that hangs below the body, drawn together and back (an insect's)."""
    rest = leg.sole - leg.hip
    away = np.array([0.75 * rest[0] - 0.35 * leg.length, -0.6 * leg.length, 0.55 * rest[2]])
    turned = foot_rotation(leg, np.zeros(frames), np.full(frames, -0.4))
    return FootPath(hip + away, turned, np.zeros(frames), np.zeros(frames, bool), np.full(frames, leg.length))
