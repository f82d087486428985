"""Motion of the trunk over the feet: height, sway, roll, yaw, pitch and bending of the spine.

Everything follows from the footfall: for a pair of legs with touch-downs a and mid-stances m of its left and right leg,
at phase t, the signals are
  side    1/2 [cos 2pi(t - m_L) - cos 2pi(t - m_R)]   +1 when the left leg carries
  step    1/2 [cos 2pi(t - a_L) - cos 2pi(t - a_R)]   +1 when the left leg is furthest ahead
  carry   1/2 [cos 2pi(t - m_L) + cos 2pi(t - m_R)]   +1 when both carry
  vault   1/2 [cos 4pi(t - m_L) + cos 4pi(t - m_R)]   +1 in the middle of each stance
so that alternating pairs have side and step, pairs in phase have carry, and gallops a little of everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.footfalls import Footfall, flights
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.motion.folding_limb_ik import turn
from gambol.motion.gravity import EARTH_GRAVITY


@dataclass(frozen=True)
class BodyWaves:
    """Amplitudes of the body's movements in a gait; angles in radians."""

    bounce: float = 0.015
    """Rise of the trunk at mid-stance in gaits without flight, leg lengths; negative dips there."""
    sway: float = 0.02
    """Sideways shift of the trunk towards the leg that carries, leg lengths."""
    roll: float = 0.03
    """Roll of the trunk; the side of the free leg drops."""
    yaw: float = 0.06
    """Yaw of the trunk; the side of the leading leg goes ahead."""
    counter: float = 0.0
    """Counter-rotation of the chest against the pelvis (upright bodies)."""
    rock: float = 0.0
    """Pitch of the trunk; nose up while the hind legs carry, down while the forelegs do."""
    flex: float = 0.0
    """Flexion of the spine; it arches when legs gather and hollows when they reach (gallop, bound)."""
    lean: float = 0.0
    """Constant forward tilt of the trunk."""
    nod: float = 0.03
    """Nod of the head, twice a cycle."""
    nod_once: float = 0.0
    """Nod of the head once a cycle, up when the (first) right leg carries."""
    neck_low: float = 0.0
    """Constant lowering of the neck."""
    bob: float = 0.0
    """Reach of a bird's head bob (hold still, then thrust forward), leg lengths."""
    tail_sway: float = 0.12
    """Sideways wave of the tail, growing towards the tip."""
    tail_wag: float = 0.05
    """Up-and-down wave of the tail."""
    tail_raise: float = 0.0
    """Constant raising of the tail."""
    steady: float = 0.75
    """Share of the trunk's rotation that the neck takes away from the head, 0 to 1."""


@dataclass(frozen=True)
class GaitSignals:
    """Periodic signals of a footfall that the body follows, per pair of legs, each in [-1, 1]."""

    side: Float[ndarray, "pairs frames"]
    """+1 when the left leg carries, -1 when the right one does."""
    step: Float[ndarray, "pairs frames"]
    """+1 when the left leg is furthest ahead."""
    carry: Float[ndarray, "pairs frames"]
    """+1 when both legs carry."""
    vault: Float[ndarray, "pairs frames"]
    """+1 in the middle of each stance."""
    gather: Float[ndarray, "frames"]
    """+1 when hind feet come under the body as the forefeet leave, 0 in gaits that do not gather."""
    phase: Float[ndarray, "frames"]
    """Phase of the gait, cycles."""


def gait_signals(footfall: Footfall, phase: Float[ndarray, "frames"]) -> GaitSignals:
    """Compute the signals of the module's docstring for every pair of legs."""
    rows = []
    for pair in range(footfall.pairs):
        starts = [footfall.touchdown(pair, left) for left in (True, False)]
        middles = [a + 0.5 * footfall.duty_of(pair, left) for a, left in zip(starts, (True, False), strict=True)]
        cos_a = [np.cos(2 * np.pi * (phase - a)) for a in starts]
        cos_m = [np.cos(2 * np.pi * (phase - m)) for m in middles]
        twice = [np.cos(4 * np.pi * (phase - m)) for m in middles]
        rows.append(
            [
                0.5 * (cos_m[0] - cos_m[1]),
                0.5 * (cos_a[0] - cos_a[1]),
                0.5 * (cos_m[0] + cos_m[1]),
                0.5 * (twice[0] + twice[1]),
            ]
        )
    side, step, carry, vault = np.moveaxis(np.array(rows), 1, 0)
    return GaitSignals(side, step, carry, vault, _gather(footfall, phase), phase)


def along_course(signals: GaitSignals, course: float) -> GaitSignals:
    """Return the signals of a body that travels in another direction than it faces: what goes ahead follows cos(c)."""
    if not course:
        return signals
    ahead = float(np.cos(course))
    return replace(signals, step=ahead * signals.step, gather=ahead * signals.gather)


def scaled_signals(signals: GaitSignals, share: Float[ndarray, "frames"]) -> GaitSignals:
    """Return the signals with all amplitudes times a share per frame."""
    names = ("side", "step", "carry", "vault", "gather")
    return replace(signals, **{name: share * getattr(signals, name) for name in names})


def _gather(footfall: Footfall, phase: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """cos 2pi(t - g), g midway from the forefeet's lift-off to the hind feet's touch-down, times their coherence."""
    if footfall.pairs < 2:
        return np.zeros_like(phase)
    last = footfall.pairs - 1
    leaving = [footfall.touchdown(0, left) + footfall.duty_of(0, left) for left in (True, False)]
    landing = [footfall.touchdown(last, left) for left in (True, False)]
    turns = [np.mean(np.exp(2j * np.pi * np.array(x))) for x in (leaving, landing)]
    start, end = (np.angle(z) / (2 * np.pi) for z in turns)
    middle = start + 0.5 * np.remainder(end - start, 1.0)
    return float(np.abs(turns[0] * turns[1])) * np.cos(2 * np.pi * (phase - middle))


def ballistic_height(footfall: Footfall, phase: Float[ndarray, "frames"], period: float) -> Float[ndarray, "frames"]:
    """Return the height of a body that falls freely in the flights of a footfall, metres; 0 at take-off and landing.

    In a flight of T seconds y = g t (T - t) / 2; on the ground the cubic that joins the vertical speeds -g T / 2 and
    +g T' / 2 of the flights before and after it.
    """
    spans = flights(footfall)
    height = np.zeros_like(phase)
    for k, (start, length) in enumerate(spans):
        t = np.remainder(phase - start, 1.0)
        flying = t < length
        T = length * period
        height = np.where(flying, 0.5 * EARTH_GRAVITY * t * period * (T - t * period), height)
        after = spans[(k + 1) % len(spans)]
        ground = np.remainder(after[0] - start - length, 1.0)
        s = (t - length) / max(ground, 1e-9)
        standing = ~flying & (s <= 1.0 + 1e-9)
        down, up = -0.5 * EARTH_GRAVITY * T * ground * period, 0.5 * EARTH_GRAVITY * after[1] * period * ground * period
        cubic = (s**3 - 2 * s**2 + s) * down + (s**3 - s**2) * up
        height = np.where(standing, cubic, height)
    return height


@dataclass(frozen=True)
class TrunkMotion:
    """Path and tilt of the trunk over time; lengths in metres, angles in radians."""

    ground: Float[ndarray, "frames 3"]
    """Displacement of the body's centre over the ground."""
    heading: Float[ndarray, "frames"]
    """Direction of travel, left positive."""
    height: Float[ndarray, "frames"]
    """Height of the centre above its rest height."""
    sway: Float[ndarray, "frames"]
    """Shift of the centre to the left."""
    yaw: Float[ndarray, "frames"]
    """Rotation of the trunk against its heading, left positive."""
    roll: Float[ndarray, "frames"]
    """Roll of the trunk, right side down positive."""
    pitch: Float[ndarray, "frames"]
    """Pitch of the trunk, nose up positive."""


def pose_trunk(body: MovingBody, builder: PoseBuilder, trunk: TrunkMotion) -> None:
    """Pose the root for a trunk motion: D = heading and yaw, then roll, then pitch, about the body's centre."""
    facing = turn(UP_AXIS, trunk.heading)
    D = turn(UP_AXIS, trunk.heading + trunk.yaw) @ turn(ROLL_AXIS, trunk.roll) @ turn(PITCH_AXIS, trunk.pitch)
    aside = facing @ -PITCH_AXIS
    centre = body.centre + trunk.ground + trunk.height[:, None] * UP_AXIS + trunk.sway[:, None] * aside
    root = body.skeleton.heads[0]
    builder.rotations[:, 0] = D
    builder.root_shift[:] = centre + D @ (root - body.centre) - root


def gait_trunk_motion(
    body: MovingBody,
    waves: BodyWaves,
    signals: GaitSignals,
    ground: Float[ndarray, "frames 3"],
    heading: Float[ndarray, "frames"],
    height: Float[ndarray, "frames"],
    bounce: float,
) -> TrunkMotion:
    """Return the trunk's motion in a gait: each pair of legs lifts, rolls and yaws its own end of the trunk."""
    L = body.leg_length
    last = len(signals.side) - 1
    lifts = bounce * waves.bounce * L * signals.vault
    pitch = waves.rock * (signals.carry[last] - signals.carry[0]) * 0.5 - waves.lean + waves.flex * signals.gather
    if last:
        places = np.array([np.mean([g.hip[0] for g in body.legs if g.limb.pair == p]) for p in range(last + 1)])
        offsets = places - places.mean()
        pitch = pitch + (offsets @ lifts) / max(float(offsets @ offsets), 1e-9)
    return TrunkMotion(
        ground,
        heading,
        height + lifts.mean(0),
        waves.sway * L * signals.side.mean(0),
        -waves.yaw * signals.step[last],
        waves.roll * signals.side[last],
        pitch,
    )


def staggering(
    body: MovingBody, trunk: TrunkMotion, amount: float, slow_phase: Float[ndarray, "frames"]
) -> TrunkMotion:
    """Return a trunk that also sways slowly and unevenly by `amount` radians, leaning where its path weaves."""
    if not amount:
        return trunk
    lean = np.sin(slow_phase) + 0.4 * np.sin(2.0 * slow_phase + 1.0)
    nod = 0.6 * np.sin(slow_phase + 1.3) + 0.3 * np.sin(2.0 * slow_phase + 0.4)
    return replace(
        trunk,
        sway=trunk.sway - 0.35 * amount * body.leg_length * lean,
        roll=trunk.roll + amount * lean,
        pitch=trunk.pitch + amount * nod,
    )


def move_spine(body: MovingBody, builder: PoseBuilder, waves: BodyWaves, signals: GaitSignals) -> None:
    """Bend the spine between the pairs of legs sideways, twist and arch it; an upright one counter-rotates the hips."""
    last = len(signals.side) - 1
    spine = body.spine
    if not spine:
        return
    if body.long_wave:
        _wave_spine(body, builder, waves, signals)
    elif last:
        builder.bend(spine, UP_AXIS, -waves.yaw * (signals.step[0] - signals.step[last]))
        builder.bend(spine, ROLL_AXIS, waves.roll * (signals.side[0] - signals.side[last]))
    else:
        along = UP_AXIS if not body.upright else _spine_direction(body)
        builder.bend(spine, along, (waves.yaw + waves.counter) * signals.step[0])
        builder.bend(spine, ROLL_AXIS, -1.2 * waves.roll * signals.side[0])
    if waves.flex:
        builder.bend(spine, PITCH_AXIS, -2.0 * waves.flex * signals.gather)


def _wave_spine(body: MovingBody, builder: PoseBuilder, waves: BodyWaves, signals: GaitSignals) -> None:
    """Bend a long trunk so that each segment yaws with its own legs, psi = -yaw step; the hips stay on the path.

    Between the pairs the signal is interpolated along the body. The root is shifted so that the mean of all hips stays
    where it was.
    """
    places = np.array([np.mean([g.hip[0] for g in body.legs if g.limb.pair == p]) for p in range(body.pairs)])
    hips, order = [leg.bones[0] for leg in body.legs], np.argsort(places)
    before = builder.displacements()[1][:, hips].mean(1)
    middles = 0.5 * (body.skeleton.heads + body.skeleton.tails)[list(body.spine), 0]
    signal = np.stack([np.interp(middles, places[order], row) for row in signals.step[order].T], 1)
    above = np.concatenate([signals.step[-1:], signal[:-1]])
    for bone, angle in zip(body.spine, -waves.yaw * (signal - above), strict=True):
        builder.turn(bone, UP_AXIS, angle)
    builder.root_shift += (before - builder.displacements()[1][:, hips].mean(1)) * [1.0, 0.0, 1.0]


def _spine_direction(body: MovingBody) -> Float[ndarray, "3"]:
    along = body.skeleton.tails[body.spine[-1]] - body.skeleton.heads[0]
    return along / max(float(np.linalg.norm(along)), 1e-9)
