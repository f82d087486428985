"""Actions of birds, fish and snakes: glide, take off, land, breach, coil, strike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits import slither, swim
from gambol.creatures.gaits.arm_motion import WingPose, pose_wings
from gambol.creatures.gaits.drinking import half_cycle
from gambol.creatures.gaits.flight import (
    beat_frequency,
    beating,
    drawn_foot,
    flying_height,
    flying_tilt,
    lowest_beat,
    wing_span,
)
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_head, wave_tails
from gambol.creatures.gaits.leg_motion import fit_height, plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, keyframe_curve, make_trunk_motion, once_phase, standing_foot
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.folding_limb_ik import rotation_vector, turn
from gambol.motion.gravity import EARTH_GRAVITY

GLIDE_CYCLES = 0.35
"""Banks to and fro per second of a gliding body with legs of 0.9 m."""
CLIMB = 1.0
"""Height to which a body takes off and from which it lands, in sizes."""
STRIKE_RAISED = 0.3
"""Angle by which a striking snake is raised higher than a biting one, radians."""


def glide(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Glide ahead with spread wings that hardly move, banking slowly from side to side."""
    span, t, e = wing_span(body), times.seconds, style.exaggeration
    frequency = times.whole_cycles(GLIDE_CYCLES * style.tempo * float(np.sqrt(0.9 / body.leg_length)))
    side = -1.0 if style.mirrored else 1.0
    cycle = 2 * np.pi * (style.phase + frequency * t)
    bank = side * np.sin(cycle)
    speed = 2.0 * float(np.sqrt(EARTH_GRAVITY * body.leg_length)) * style.stride
    ground = np.stack([speed * t, np.zeros(len(t)), np.zeros(len(t))], -1)
    trunk = make_trunk_motion(
        len(t),
        ground=ground,
        height=flying_height(body, span) + 0.03 * span * style.bounce * np.sin(2.0 * cycle),
        sway=-0.06 * span * style.stride * side * np.cos(cycle),
        roll=-0.28 * e * bank,
        pitch=flying_tilt(body) + 0.03 * e * np.cos(2.0 * cycle),
    )
    builder = PoseBuilder(body.skeleton, len(t))
    pose_trunk(body, builder, trunk)
    _, hips = builder.displacements()
    plant_legs(body, builder, [drawn_foot(body, leg, hips[:, leg.bones[0]]) for leg in body.legs])
    steady_head(body, builder, trunk.heading, style.head, 0.2 * e * bank, 0.9)
    flex = 0.5 * np.sin(2.0 * cycle)
    pose_wings(body, builder, WingPose(0.0, 0.14 + 0.03 * e * flex, 0.08 + 0.03 * e * flex, 0.05 * e * np.cos(cycle)))
    wave_tails(body, builder, 0.1 * e, 0.04 * e, half_cycle(style) + style.phase + frequency * t)
    return builder


@dataclass(frozen=True)
class Passage:
    """Curves of a body that leaves the ground or comes back to it."""

    up: FrameCurve
    """Height above standing, metres; negative while it crouches."""
    along: FrameCurve
    """Way ahead, in shares of the whole one; 0 while it stands."""
    off: FrameCurve
    """Share of the way of the legs from standing to being drawn up; 0 stands."""
    opened: FrameCurve
    """How far the wings are open, 0 to 1."""
    nose: FrameCurve
    """Pitch of the trunk, nose up, radians."""
    beat: FrameCurve
    """Phase of the wings' beat, cycles."""


def take_off(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Crouch and raise the wings, leap off with a strong stroke, and climb on beating wings."""
    s, span = once_phase(body, style, times, 2.9)
    dip = keyframe_curve(s, [(0, 0), (0.06, 0), (0.22, 1), (0.32, 0), (1, 0)])
    height = keyframe_curve(s, [(0, 0), (0.3, 0), (0.42, 0.1), (0.6, 0.42), (0.8, 0.78), (1, 1)])
    passage = Passage(
        up=climb(body, style) * height - landing_crouch(body, style) * dip,
        along=keyframe_curve(s, [(0, 0), (0.26, 0), (0.45, 0.18), (1, 1)]),
        off=keyframe_curve(s, [(0, 0), (0.3, 0), (0.5, 1), (1, 1)]),
        opened=keyframe_curve(s, [(0, 0), (0.06, 0), (0.2, 1), (1, 1)]),
        nose=0.35 * keyframe_curve(s, [(0, 0), (0.2, -0.25), (0.4, 1), (0.7, 0.8), (1, 0.4)]),
        beat=wing_beats(body, style, 0.8 * span) * np.clip((s - 0.18) / 0.8, 0.0, 1.0),
    )
    return _between_ground_and_air(body, style, times, passage)


def land(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Come down on beating wings, flare with the legs ahead, sink onto them, fold the wings and stand."""
    s, span = once_phase(body, style, times, 2.9)
    dip = keyframe_curve(s, [(0, 0), (0.57, 0), (0.69, 1), (0.88, 0), (1, 0)])
    height = keyframe_curve(s, [(0, 1), (0.2, 0.72), (0.42, 0.26), (0.52, 0.06), (0.58, 0), (1, 0)])
    nose = [(0, 0.2), (0.25, 0.5), (0.52, 1), (0.68, 0.3), (0.78, -0.2), (0.92, 0), (1, 0)]
    passage = Passage(
        up=climb(body, style) * height - landing_crouch(body, style) * dip,
        along=keyframe_curve(s, [(0, 0), (0.5, 0.85), (0.64, 1), (1, 1)]) - 1.0,
        off=keyframe_curve(s, [(0, 1), (0.26, 1), (0.58, 0), (1, 0)]),
        opened=keyframe_curve(s, [(0, 1), (0.74, 1), (0.9, 0), (1, 0)]),
        nose=0.5 * keyframe_curve(s, nose),
        beat=wing_beats(body, style, 0.8 * span) * np.clip(s / 0.8, 0.0, 1.0),
    )
    return _between_ground_and_air(body, style, times, passage)


def climb(body: MovingBody, style: MotionStyle) -> float:
    """Return the height of a take-off or a landing, metres."""
    return CLIMB * body.size * float(np.clip(style.bounce, 0.7, 1.3))


def landing_crouch(body: MovingBody, style: MotionStyle) -> float:
    """Return how deep the legs bend before leaving the ground and after coming back to it, metres."""
    return min((0.16 + style.crouch) * body.leg_length, 0.5 * body.clearance)


def wing_beats(body: MovingBody, style: MotionStyle, seconds: float) -> int:
    """Return how many times the wings beat in a stretch of an action."""
    return max(3, round(style.tempo * beat_frequency(wing_span(body)) * seconds))


def _between_ground_and_air(body: MovingBody, style: MotionStyle, times: FrameTimes, passage: Passage) -> PoseBuilder:
    """Pose a body on its way between standing and flying; feet stand where the body is while it stands."""
    frames, e, span = len(times.seconds), style.exaggeration, wing_span(body)
    off, opened = passage.off, passage.opened
    ground = np.zeros((frames, 3))
    ground[:, 0] = 0.9 * body.size * style.stride * (passage.along - passage.along[0])
    stand = -0.9 * body.size * style.stride * passage.along[0] * np.array([1.0, 0.0, 0.0])
    bob = 0.03 * span * style.bounce * off * np.sin(2 * np.pi * passage.beat + 0.6)
    pitch = off * flying_tilt(body) + passage.nose * (0.7 + 0.3 * e)
    trunk = make_trunk_motion(frames, ground=ground, height=passage.up + bob, pitch=pitch)
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    _, hips = builder.displacements()
    paths = [
        _blend_paths(standing_foot(leg, frames, stand), drawn_foot(body, leg, hips[:, leg.bones[0]]), off)
        for leg in body.legs
    ]
    fit_height(body, builder, paths, width=3, loop=times.loop)
    plant_legs(body, builder, paths)
    steady_head(body, builder, trunk.heading, style.head, np.zeros(frames), 0.9)
    pose = beating(passage.beat, 0.75 + 0.3 * e)
    least = lowest_beat(body, span) - 1.2 * np.clip(passage.up / max(0.5 * span, 1e-9), 0.0, 1.0)
    wings = WingPose(1.0 - opened, np.maximum(pose.beat, least), np.maximum(pose.bend, 0.5 * least), pose.twist)
    pose_wings(body, builder, wings)
    wave_tails(body, builder, 0.0, 0.1 * e, 0.5 * passage.beat)
    lift_low(body, builder, loop=times.loop)
    return builder


def _blend_paths(stays: FootPath, flies: FootPath, share: Float[ndarray, "frames"]) -> FootPath:
    """Return the path that goes from one to another by a share per frame; it stands where the share is 0."""
    w = share[:, None]
    vector = rotation_vector(np.swapaxes(stays.rotation, -1, -2) @ flies.rotation)
    angle = np.linalg.norm(vector, axis=-1)
    rotation = stays.rotation @ turn(vector / np.maximum(angle, 1e-12)[:, None], share * angle)
    sole = (1.0 - w) * stays.sole + w * flies.sole
    return FootPath(sole, rotation, np.zeros(len(share)), share < 1e-4, share * np.maximum(sole[:, 1], 0.0))


def strike(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Strike from a high raised front, as a cobra does."""
    return slither.strike(body, style, times, higher=STRIKE_RAISED)


WING_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "glide": glide,
    "take off": take_off,
    "land": land,
}
"""Makers of these motions by their names in the vocabulary."""
FINNED_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {"breach": swim.breach}
"""The same for bodies with fins and no legs."""
LEGLESS_ACTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "coil": slither.coil,
    "strike": strike,
}
"""The same for bodies with neither legs nor fins."""
