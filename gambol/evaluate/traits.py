"""Scale-free traits of a motion that the recogniser's rules look at: leg lengths, seconds, shares, angles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Limb
from gambol.evaluate import recogniser_thresholds as th
from gambol.evaluate.curves import span
from gambol.evaluate.gait_cycle import GaitCycle, gait_cycle
from gambol.evaluate.observation import Observation
from gambol.evaluate.swim_wave import swim_wave
from gambol.motion.root_trajectory import smooth_path


@dataclass(frozen=True)
class Traits:
    """Traits of a clip. Lengths are leg lengths (half the size of a body without legs), angles radians."""

    feet: int
    """Number of feet."""
    leg: float
    """Length of a leg, in sizes."""
    amount: float
    """Mean speed of the joints relative to the body's centre, per second."""
    speed: float
    """Speed of the body along its path, per second."""
    stride_hz: float
    """Strides per second; 0 where the feet have no rhythm."""
    stride: float
    """Distance that the body goes in one stride; 0 where the feet have no rhythm."""
    regularity: float
    """Share of the feet's motion that one stride frequency explains, 0 to 1."""
    swing: float
    """Span of the feet forwards and backwards relative to their hips, mean over the feet."""
    step: float
    """Span of the feet over the ground, mean over the feet: 0 where a body sways over standing feet."""
    clearance: float
    """Vertical span of the feet's lowest points, mean over the feet."""
    sprawl: float
    """Sideways distance of the feet from their hips at rest, mean over the feet."""
    uneven: float
    """Difference of left and right: relative difference of swing and lift, plus deviation from half a cycle."""
    vault: float
    """Amplitude of the body's height at twice the stride frequency, in phase with the distance between the feet.

    Positive: the body is highest while the feet are apart (it bounces, as in a run); negative: it is highest while they
    pass each other (it vaults over the standing leg, as in a walk)."""
    alternation: float
    """1: left and right feet alternate; -1: they move together."""
    diagonal: float
    """1: hind and fore feet of opposite sides move together (trot); -1: those of one side do (pace)."""
    duty: float
    """Mean share of time that a foot is on the ground."""
    airborne: float
    """Share of the frames in which no foot is on the ground."""
    flight: float
    """Largest height of the lowest foot above ground level."""
    rise: float
    """Highest minus lowest height of the root."""
    crouch: float
    """Distance of the root below its rest height, median."""
    turn: float
    """Change of heading to the left, radians."""
    turn_tightness: float
    """Change of heading per length of path, radians per leg length."""
    wing_swing: float
    """Vertical span of the wing tips relative to the body, mean over the wings."""
    hand_high: float
    """Share of the frames in which the higher hand is above its shoulder."""
    hand_swing: float
    """Mean speed of the faster hand relative to its shoulder, per second."""
    hand_reach: float
    """Span of a hand's distance from its shoulder, arm lengths; that of the hand with the larger one."""
    kick: float
    """Span of the foot that moves most relative to its hip, minus the mean of the others."""
    head_drop: float
    """Distance of the head below its rest height, at its lowest."""
    head_speed: float
    """Largest speed of the head relative to the body, per second."""
    head_dip: float
    """Vertical span of the head."""
    fins: int
    """Number of fins and wings."""
    net_speed: float
    """Distance between the first place and the last one over the time, per second."""
    wave_span: float
    """Span of the wave of a finned body without feet where it is widest, as a share of its size."""
    wave_lag: float
    """How far the wave's phase falls behind from the front of the body to the end of its tail, radians."""
    wave_rhythm: float
    """Share of that body's motion across its length that one frequency explains, 0 to 1."""


def traits_of(seen: Observation) -> Traits:
    """Measure the traits of an observed clip."""
    leg, cycle = seen.leg, gait_cycle(seen)
    root = seen.joints[:, 0]
    path = smooth_path(seen.centre[:, [0, 2]], th.PATH_SWAY_SECONDS * seen.fps)
    path_length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()) / leg
    speed = path_length / seen.seconds
    turn = float(seen.heading[-1] - seen.heading[0])
    body = np.concatenate([seen.joints, seen.tips], axis=1) - seen.centre[:, None]
    lows = np.stack([foot.low for foot in seen.feet]) if seen.feet else np.zeros((1, len(seen)))
    lowest = lows.min(0)
    fore_hind = 0.0 if cycle.fore_hind is None else -float(np.cos(2 * np.pi * cycle.fore_hind))
    rest_hip = float(seen.rest_joints[0, 1])
    hands, head, swimming = _hands(seen), _head(seen), swim_wave(seen)
    return Traits(
        feet=len(seen.feet),
        leg=leg / seen.size,
        amount=float(np.linalg.norm(np.diff(body, axis=0), axis=-1).mean()) * seen.fps / leg,
        speed=speed,
        stride_hz=cycle.stride_hz,
        stride=speed / cycle.stride_hz if cycle.stride_hz > 0 else 0.0,
        regularity=cycle.regularity,
        swing=float(cycle.swing.mean()) if seen.feet else 0.0,
        step=_step(seen),
        clearance=float(np.mean([span(low) for low in lows])) / leg,
        sprawl=_sprawl(seen),
        uneven=_uneven(cycle),
        vault=_vault(seen, cycle),
        alternation=cycle.alternation,
        diagonal=fore_hind,
        duty=cycle.duty,
        airborne=cycle.airborne,
        flight=float(lowest.max() - np.quantile(lowest, th.GROUND_LEVEL_QUANTILE)) / leg,
        rise=float(np.ptp(root[:, 1])) / leg,
        crouch=(
            rest_hip - float(np.median(root[:, 1] - max(float(np.quantile(lowest, th.GROUND_LEVEL_QUANTILE)), 0.0)))
        )
        / leg,
        turn=turn,
        turn_tightness=abs(turn) / max(path_length, th.SHORTEST_TURN_PATH),
        wing_swing=_wing_swing(seen),
        hand_high=hands[0],
        hand_swing=hands[1],
        hand_reach=hands[2],
        kick=_kick(seen),
        head_drop=head[0],
        head_speed=head[1],
        head_dip=head[2],
        fins=len(seen.anatomy.of(BodyPart.WING)),
        net_speed=float(np.linalg.norm((seen.centre[-1] - seen.centre[0])[[0, 2]])) / leg / seen.seconds,
        wave_span=swimming.span,
        wave_lag=swimming.lag,
        wave_rhythm=swimming.rhythm,
    )


def traits_of_pieces(seen: Observation, whole: Traits) -> list[Traits]:
    """Traits of each piece of a clip; pieces of slow gaits are longer, so that each holds at least a stride."""
    seconds = th.PIECE_SECONDS
    if min(whole.swing, whole.step) > th.STEP_LENGTH.at and whole.stride_hz > 0.0:
        seconds = max(seconds, th.PIECE_STRIDES / whole.stride_hz)
    pieces = split_clip(seen, seconds)
    return [whole] if len(pieces) == 1 else [traits_of(piece) for piece in pieces]


def split_clip(seen: Observation, seconds: float) -> list[Observation]:
    """Split a long clip into pieces of `seconds` that overlap by half or more; a short clip is one piece."""
    width = round(seconds * seen.fps)
    if len(seen) <= th.PIECE_OVERHANG * width:
        return [seen]
    starts = np.linspace(0, len(seen) - width, int(np.ceil(2 * (len(seen) - width) / width)) + 1).round().astype(int)
    return [_piece(seen, int(start), int(start) + width) for start in starts]


def _piece(seen: Observation, start: int, stop: int) -> Observation:
    part = slice(start, stop)
    return replace(
        seen,
        joints=seen.joints[part],
        tips=seen.tips[part],
        heading=seen.heading[part],
        feet=tuple(replace(foot, points=foot.points[part]) for foot in seen.feet),
        surface=seen.surface[part],
        displaced=seen.displaced[part],
        angles=seen.angles[part],
        loop=False,
    )


def _in_body(seen: Observation, points: Float[ndarray, "frames 3"], base: Float[ndarray, "frames 3"]) -> ndarray:
    """Position relative to `base`: ahead, up, to the right, leg lengths."""
    away = points - base
    ahead, aside = (away * seen.ahead).sum(1), (away * seen.aside).sum(1)
    return np.stack([ahead, away[:, 1], aside], axis=1) / seen.leg


def _step(seen: Observation) -> float:
    """Mean over the feet of the longer side of the box around each foot's path over the ground, leg lengths."""
    paths = [foot.points.mean(1) for foot in seen.feet]
    return float(np.mean([max(span(p[:, 0]), span(p[:, 2])) for p in paths])) / seen.leg if paths else 0.0


def _sprawl(seen: Observation) -> float:
    """Mean over the feet of |z_foot - z_hip| at rest, where the body looks along x, leg lengths."""
    limbs = [foot.limb.bones for foot in seen.feet]
    apart = [abs(seen.rest_tips[bones[-1], 2] - seen.rest_joints[bones[0], 2]) for bones in limbs]
    return float(np.mean(apart)) / seen.leg if apart else 0.0


def _uneven(cycle: GaitCycle) -> float:
    """max over pairs of |a - b| / (a + b) + |phase - 1/2|, with a and b the reach of the left and right foot."""
    reach = np.hypot(cycle.swing, cycle.lift)
    pairs = zip(cycle.pairs, cycle.left_right, strict=True)
    return max(
        (
            abs(reach[a] - reach[b]) / max(reach[a] + reach[b], th.SMALLEST_REACH) + abs(phase - 0.5)
            for (a, b), phase in pairs
        ),
        default=0.0,
    )


def _vault(seen: Observation, cycle: GaitCycle) -> float:
    """Re(H conj(S)) / |S|: H and S the body's height and the feet's distance at twice the stride frequency.

    A walking leg is a stiff stick that the body vaults over, highest where the feet pass; a running leg is a spring,
    and the body is lowest there (Cavagna, Heglund and Taylor 1977).
    """
    if not cycle.pairs or cycle.stride_hz <= 0.0:
        return 0.0
    a, b = cycle.pairs[-1]
    apart = np.abs(((seen.feet[a].points.mean(1) - seen.feet[b].points.mean(1)) * seen.ahead).sum(1)) / seen.leg
    t = np.arange(len(seen)) / seen.fps
    window = np.ones(len(seen)) if seen.loop else np.hanning(len(seen))
    wave = 2.0 * window * np.exp(-4j * np.pi * cycle.stride_hz * t) / max(float(window.sum()), 1e-9)
    height = seen.joints[:, 0, 1] / seen.leg
    H, S = (complex((wave * (x - np.average(x, weights=window))).sum()) for x in (height, apart))
    return float((H * S.conjugate()).real) / max(abs(S), 1e-9)


def _wing_swing(seen: Observation) -> float:
    wings = seen.anatomy.of(BodyPart.WING)
    spans = [span(_in_body(seen, seen.tips[:, w.bones[-1]], seen.joints[:, w.bones[0]])[:, 1]) for w in wings]
    return float(np.mean(spans)) if spans else 0.0


def _hands(seen: Observation) -> tuple[float, float, float]:
    """`hand_high`, `hand_swing` and `hand_reach` of the traits."""
    high, fast, reach = 0.0, 0.0, 0.0
    for arm in seen.anatomy.of(BodyPart.ARM):
        place = _in_body(seen, seen.tips[:, arm.bones[-1]], seen.joints[:, arm.bones[0]])
        length = _limb_length(seen, arm)
        high = max(high, float((place[:, 1] > th.HAND_ABOVE_SHOULDER * length).mean()))
        fast = max(fast, float(np.linalg.norm(np.diff(place, axis=0), axis=1).mean()) * seen.fps)
        reach = max(reach, span(np.linalg.norm(place, axis=1)) / max(length, 1e-6))
    return high, fast, reach


def _limb_length(seen: Observation, limb: Limb) -> float:
    bones = list(limb.bones)
    return float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum()) / seen.leg


def _kick(seen: Observation) -> float:
    """Span of the foot that moves most relative to its hip, less the mean of the others."""
    spans = []
    for foot in seen.feet:
        place = _in_body(seen, foot.points.mean(1), seen.joints[:, foot.limb.bones[0]])
        spans.append(float(np.hypot(span(place[:, 0]), span(place[:, 1]))))
    if len(spans) < 2:
        return 0.0
    spans.sort()
    return spans[-1] - float(np.mean(spans[:-1]))


def _head(seen: Observation) -> tuple[float, float, float]:
    """`head_drop`, `head_speed` and `head_dip` of the traits."""
    heads = seen.anatomy.of(BodyPart.HEAD)
    if not heads:
        return 0.0, 0.0, 0.0
    bone = heads[0].bones[-1]
    drop = (seen.rest_tips[bone, 1] - float(np.quantile(seen.tips[:, bone, 1], th.HEAD_LOW_QUANTILE))) / seen.leg
    place = _in_body(seen, seen.tips[:, bone], seen.joints[:, 0])
    speed = np.linalg.norm(np.diff(place, axis=0), axis=1) * seen.fps
    return float(drop), float(np.quantile(speed, th.HEAD_FAST_QUANTILE)), span(seen.tips[:, bone, 1]) / seen.leg
