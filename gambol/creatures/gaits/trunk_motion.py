"""How the trunk answers the feet: height, sway, roll, yaw and pitch, spine, neck and head, tail and ears.

Everything is driven by the footfall: for a pair of legs with touch-downs a and mid-stances m of its left and right leg,
at phase t, the signals are
  side    1/2 [cos 2pi(t - m_L) - cos 2pi(t - m_R)]   +1 when the left leg carries
  step    1/2 [cos 2pi(t - a_L) - cos 2pi(t - a_R)]   +1 when the left leg is furthest ahead
  carry   1/2 [cos 2pi(t - m_L) + cos 2pi(t - m_R)]   +1 when both carry
  vault   1/2 [cos 4pi(t - m_L) + cos 4pi(t - m_R)]   +1 in the middle of each stance
so that alternating pairs have side and step, pairs in phase have carry, and gallops a little of everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.creatures.gaits.footfalls import Footfall, flights
from gambol.creatures.gaits.leg_motion import envelope
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import FORE_AXIS, SIDE_AXIS, UP_AXIS, Posing
from gambol.motion.limb_ik import turn

GRAVITY = 9.81


@dataclass(frozen=True)
class BodyWaves:
    """Sizes of the trunk's movements: lengths in leg lengths, angles in radians."""

    bounce: float = 0.015
    """Rise at mid-stance in gaits without flight; negative dips there."""
    sway: float = 0.02
    """Towards the leg that carries."""
    roll: float = 0.03
    """The free side drops."""
    yaw: float = 0.06
    """The side of the leading leg goes ahead."""
    counter: float = 0.0
    """The chest turns back against the pelvis (upright bodies)."""
    rock: float = 0.0
    """Nose up while the hind legs carry, down while the forelegs do."""
    flex: float = 0.0
    """The spine arches when legs gather and hollows when they reach (gallop, bound)."""
    lean: float = 0.0
    """Constant tilt forwards."""
    nod: float = 0.03
    """The head's nod, twice a cycle."""
    nod_once: float = 0.0
    """The head's nod, once a cycle, up when the (first) right leg carries."""
    neck_low: float = 0.0
    """Constant lowering of the neck."""
    bob: float = 0.0
    """A bird's head holds still and then thrusts forward, in leg lengths."""
    tail_sway: float = 0.12
    """Sideways wave of the tail, each bone's share growing to the tip."""
    tail_wag: float = 0.05
    """Up and down wave of the tail."""
    tail_raise: float = 0.0
    """Constant raising of the tail."""
    steady: float = 0.75
    """How much of the trunk's turning the neck takes away from the head."""


@dataclass(frozen=True)
class Signals:
    """What the trunk follows, by pair of legs."""

    side: Float[ndarray, "pairs frames"]
    step: Float[ndarray, "pairs frames"]
    carry: Float[ndarray, "pairs frames"]
    vault: Float[ndarray, "pairs frames"]
    gather: Float[ndarray, "frames"]
    """+1 when hind feet come under the body as the forefeet leave, 0 in gaits that do not gather."""
    phase: Float[ndarray, "frames"]


def gait_signals(footfall: Footfall, phase: Float[ndarray, "frames"]) -> Signals:
    """The signals of the module's docstring for every pair."""
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
    return Signals(side, step, carry, vault, _gather(footfall, phase), phase)


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
    """Height of a body that falls freely in the flights of a footfall, metres; 0 at take-off and landing.

    In a flight of T seconds y = g t (T - t) / 2; on the ground the cubic that joins the vertical speeds -g T / 2 and
    +g T' / 2 of the flights before and after it.
    """
    spans = flights(footfall)
    height = np.zeros_like(phase)
    for k, (start, length) in enumerate(spans):
        t = np.remainder(phase - start, 1.0)
        flying = t < length
        T = length * period
        height = np.where(flying, 0.5 * GRAVITY * t * period * (T - t * period), height)
        after = spans[(k + 1) % len(spans)]
        ground = np.remainder(after[0] - start - length, 1.0)
        s = (t - length) / max(ground, 1e-9)
        standing = ~flying & (s <= 1.0 + 1e-9)
        down, up = -0.5 * GRAVITY * T * ground * period, 0.5 * GRAVITY * after[1] * period * ground * period
        cubic = (s**3 - 2 * s**2 + s) * down + (s**3 - s**2) * up
        height = np.where(standing, cubic, height)
    return height


@dataclass(frozen=True)
class Carriage:
    """Where the trunk's centre goes and how the trunk is tilted."""

    ground: Float[ndarray, "frames 3"]
    """Displacement of the centre over the ground."""
    heading: Float[ndarray, "frames"]
    height: Float[ndarray, "frames"]
    """Of the centre above its rest height, metres."""
    sway: Float[ndarray, "frames"]
    """Of the centre to the left, metres."""
    yaw: Float[ndarray, "frames"]
    roll: Float[ndarray, "frames"]
    pitch: Float[ndarray, "frames"]
    """Nose up positive."""


def carry_trunk(body: MovingBody, posing: Posing, way: Carriage) -> None:
    """Put the root where the carriage has it: D = heading, yaw, roll, pitch; it turns about the centre."""
    facing = turn(UP_AXIS, way.heading)
    D = turn(UP_AXIS, way.heading + way.yaw) @ turn(FORE_AXIS, way.roll) @ turn(SIDE_AXIS, way.pitch)
    aside = facing @ -SIDE_AXIS
    centre = body.centre + way.ground + way.height[:, None] * UP_AXIS + way.sway[:, None] * aside
    root = body.skeleton.heads[0]
    posing.turns[:, 0] = D
    posing.shift[:] = centre + D @ (root - body.centre) - root


def gait_carriage(
    body: MovingBody,
    waves: BodyWaves,
    signals: Signals,
    ground: Float[ndarray, "frames 3"],
    heading: Float[ndarray, "frames"],
    height: Float[ndarray, "frames"],
    bounce: float,
) -> Carriage:
    """The trunk's tilt in a gait: each pair of legs lifts, rolls and yaws its own end of the trunk."""
    L = body.leg_length
    last = len(signals.side) - 1
    lifts = bounce * waves.bounce * L * signals.vault
    pitch = waves.rock * (signals.carry[last] - signals.carry[0]) * 0.5 - waves.lean + waves.flex * signals.gather
    if last:
        places = np.array([np.mean([g.hip[0] for g in body.legs if g.limb.pair == p]) for p in range(last + 1)])
        offsets = places - places.mean()
        pitch = pitch + (offsets @ lifts) / max(float(offsets @ offsets), 1e-9)
    return Carriage(
        ground,
        heading,
        height + lifts.mean(0),
        waves.sway * L * signals.side.mean(0),
        -waves.yaw * signals.step[last],
        waves.roll * signals.side[last],
        pitch,
    )


def move_spine(body: MovingBody, posing: Posing, waves: BodyWaves, signals: Signals) -> None:
    """The trunk between the pairs of legs: it bends sideways, twists, arches; an upright one turns against the hips."""
    last = len(signals.side) - 1
    spine = body.spine
    if not spine:
        return
    if last:
        posing.bend(spine, UP_AXIS, -waves.yaw * (signals.step[0] - signals.step[last]))
        posing.bend(spine, FORE_AXIS, waves.roll * (signals.side[0] - signals.side[last]))
    else:
        along = UP_AXIS if not body.upright else _spine_direction(body)
        posing.bend(spine, along, (waves.yaw + waves.counter) * signals.step[0])
        posing.bend(spine, FORE_AXIS, -1.2 * waves.roll * signals.side[0])
    if waves.flex:
        posing.bend(spine, SIDE_AXIS, -2.0 * waves.flex * signals.gather)


def _spine_direction(body: MovingBody) -> Float[ndarray, "3"]:
    along = body.skeleton.tails[body.spine[-1]] - body.skeleton.heads[0]
    return along / max(float(np.linalg.norm(along)), 1e-9)


def steady_head(
    body: MovingBody,
    posing: Posing,
    heading: Float[ndarray, "frames"],
    pitch: Float[ndarray, "frames"] | float,
    yaw: Float[ndarray, "frames"] | float,
    share: float,
) -> None:
    """Neck and head take a share of the trunk's turning away, so that the head looks ahead (plus `yaw` and `pitch`)."""
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    if chain:
        level = turn(UP_AXIS, heading + yaw) @ turn(SIDE_AXIS, np.broadcast_to(np.asarray(pitch, float), len(posing)))
        posing.hold(chain, level, share)


def lower_neck(body: MovingBody, posing: Posing, angle: Float[ndarray, "frames"] | float) -> None:
    """Bend the neck down while the head stays level: the base by -angle, the head back."""
    if body.neck:
        posing.bend(body.neck, SIDE_AXIS, -np.asarray(angle))
        if body.head is not None:
            posing.turn(body.head, SIDE_AXIS, np.asarray(angle))


def bob_head(body: MovingBody, posing: Posing, reach: Float[ndarray, "frames"]) -> None:
    """Move the head forward by `reach` metres without tilting it: the lower neck bends forward, the upper one back."""
    if not body.neck or body.head is None:
        return
    heads = body.skeleton.heads
    rise = max(float((heads[body.head] - heads[body.neck[0]])[1]), 0.3 * _neck_length(body))
    angle = np.clip(reach / rise, -0.8, 0.8)
    posing.turn(body.neck[0], SIDE_AXIS, -angle)
    posing.turn(body.head, SIDE_AXIS, angle)


def _neck_length(body: MovingBody) -> float:
    bones = [*body.neck] + ([] if body.head is None else [body.head])
    points = body.skeleton.heads[bones]
    return max(float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()), 1e-6)


def hold_and_thrust(phase: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """A saw that falls while the head is held in space and rises in a quick thrust, twice a cycle; from -1 to 1."""
    t = np.remainder(2.0 * phase, 1.0)
    hold = 0.68
    s = np.clip((t - hold) / (1.0 - hold), 0.0, 1.0)
    return np.where(t < hold, 1.0 - 2.0 * t / hold, -1.0 + 2.0 * s * s * (3.0 - 2.0 * s))


def steady_tails(body: MovingBody, posing: Posing, heading: Float[ndarray, "frames"], share: float) -> None:
    """Tails take a share of the trunk's roll and pitch away, so that they point steadily back."""
    for tail in body.tails:
        posing.hold(tail[:1], turn(UP_AXIS, heading), share)


def wave_tails(
    body: MovingBody,
    posing: Posing,
    sideways: float,
    upwards: float,
    phase: Float[ndarray, "frames"],
    raised: float = 0.0,
) -> None:
    """A wave that runs down the tail: bone k of n turns by A / n (1/2 + k / n) sin(2pi t - 0.9 k / n pi)."""
    for tail in body.tails:
        n = len(tail)
        for k, bone in enumerate(tail):
            size = (0.5 + k / max(n - 1, 1)) / n
            lag = 0.9 * np.pi * k / n
            posing.turn(bone, UP_AXIS, sideways * size * np.sin(2 * np.pi * phase - lag))
            lift = upwards * size * np.sin(4 * np.pi * phase - lag)
            posing.turn(bone, SIDE_AXIS, lift - raised / n)


def flick_ears(body: MovingBody, posing: Posing, angle: Float[ndarray, "frames"]) -> None:
    """Ears lie back and come up."""
    for ear in body.ears:
        posing.turn(ear, SIDE_AXIS, angle)


def keep_above_ground(
    body: MovingBody,
    posing: Posing,
    bones: tuple[int, ...],
    *,
    surface: tuple[int, ...],
    axis: Float[ndarray, "3"],
    clearance: float,
    width: int,
    loop: bool,
) -> None:
    """Turn a chain up at its first bones, about `axis`, until the surface of some bones is above the ground."""
    chosen = np.flatnonzero(np.isin(body.hull_bones, surface))
    if not len(chosen):
        return
    owners, points = body.hull_bones[chosen], body.hull[chosen] - body.skeleton.heads[body.hull_bones[chosen]]
    for _ in range(4):
        D, p = posing.displacements()
        places = (D[:, owners] @ points[:, :, None])[..., 0] + p[:, owners]
        depth = clearance - places[..., 1]
        if depth.max() <= 0.0:
            return
        away = np.linalg.norm((places - p[:, None, bones[0]])[..., [0, 2]], axis=-1)
        angle = np.where(depth > 0, depth / np.maximum(away, 0.3 * away.max()), 0.0).max(1)
        posing.bend(bones[: min(3, len(bones))], axis, envelope(angle, width, loop=loop))


def lift_low(body: MovingBody, posing: Posing, *, loop: bool) -> None:
    """Tails, trunks, heads and wings that would be below the ground are raised."""
    width = max(3, round(0.15 * len(posing)))
    clearance = 0.004 * body.size
    head = (*body.neck, *(() if body.head is None else (body.head,)))
    chains = [(tail, tail, -SIDE_AXIS) for tail in body.tails]
    chains += [(head, (*body.neck, *body.head_bones), SIDE_AXIS), (body.trunk_nose, body.trunk_nose, SIDE_AXIS)]
    for wing in body.wings:
        chains.append((wing.bones, wing.bones, FORE_AXIS if wing.side == Side.LEFT else -FORE_AXIS))
    for bones, surface, axis in chains:
        if bones:
            keep_above_ground(
                body, posing, bones, surface=surface, axis=axis, clearance=clearance, width=width, loop=loop
            )
