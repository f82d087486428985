"""Which motion a clip shows: rules on its traits, for any body that has the limbs for it.

Every rule is a product of soft thresholds and gives 0 to 1; the highest one names the motion. The rules see joints and
feet only. Long clips are judged in pieces of two seconds: a gait has to go on, an event (a jump, a kick) has to happen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.evaluate.observation import Observation
from gambol.evaluate.traits import STEPPING, Traits, traits_of, traits_of_pieces
from gambol.motion.motion_names import MOTIONS

EVENTS = ("jump", "kick", "punch", "bite")
"""Motions that happen once in a clip; the others fill it."""
SPRAWLING = 0.5
"""Feet that stand this far beside their hips are a lizard's, leg lengths: dogs have 0 to 0.1, crocodiles 1."""


@dataclass(frozen=True)
class Recognition:
    """The judge's word."""

    motion: str
    """One of `MOTIONS`."""
    confidence: float
    """Best score less the second best, 0 to 1."""
    scores: dict[str, float]


def recognise(seen: Observation) -> Recognition:
    """Score all motions and name the best."""
    whole = traits_of(seen)
    return judge(whole, traits_of_pieces(seen, whole))


def judge(whole: Traits, pieces: list[Traits]) -> Recognition:
    """The same from the traits of the clip and of its pieces."""
    scored = [score(piece) for piece in pieces]
    scores = {m: _over_pieces(m, [s[m] for s in scored]) for m in MOTIONS}
    if len(pieces) > 1:  # a turn adds up over the clip
        turns = _turning(whole)
        left, right = (turns, 0.0) if whole.turn > 0 else (0.0, turns)
        scores |= {"turn left": left, "turn right": right}
        for motion in ("walk", "run", "trot", "idle", "sneak", "march", "limp"):
            scores[motion] *= 1.0 - turns
    ranked = sorted(MOTIONS, key=lambda m: -scores[m])
    return Recognition(ranked[0], float(scores[ranked[0]] - scores[ranked[1]]), scores)


def _over_pieces(motion: str, scores: list[float]) -> float:
    return float(max(scores) if motion in EVENTS else np.mean(scores))


def _above(value: float, threshold: float, width: float) -> float:
    """1 / (1 + exp((threshold - value) / width))."""
    return float(1.0 / (1.0 + np.exp(np.clip((threshold - value) / width, -50.0, 50.0))))


def _below(value: float, threshold: float, width: float) -> float:
    return 1.0 - _above(value, threshold, width)


def running(t: Traits) -> float:
    """How much an alternating gait is a run, as a logit: short stances, quick steps, long strides, a bounce.

    sweep = swing / stride is the share of the cycle in which a foot goes back with the ground.
    Two legs: z = 7.2 - 3.8 duty - 12 sweep + 6.4 ln(stride_hz) + 1.9 vault / 0.03 (`Traits.vault`, up to 0.03).
    Four: z = 0.6 - 2.6 duty - 8 sweep + 2.2 ln(stride_hz) + 6.2 ln(stride), stride up to 2.6 leg lengths.
    Frequencies count up to 1.2 Hz. Fitted by logistic regression to labelled walks and runs of the training split.
    Six and more legs have no room for long strides: their stances tell, z = 40 (0.655 - duty) + 30 (0.59 - sweep).
    """
    stride = max(t.stride, 0.1)
    sweep, hz = t.swing / stride, float(np.log(np.clip(t.stride_hz, 0.3, 1.2)))
    if t.feet > 4:
        return 40.0 * (0.655 - t.duty) + 30.0 * (0.59 - sweep)
    sweep = min(sweep, 1.0)
    if t.feet == 2:
        return 7.2 - 3.8 * t.duty - 12.0 * sweep + 6.4 * hz + 1.9 * float(np.clip(t.vault / 0.03, -1.0, 1.0))
    return 0.6 - 2.6 * t.duty - 8.0 * sweep + 2.2 * hz + 6.2 * float(np.log(min(stride, 2.6)))


def _turning(t: Traits) -> float:
    return _above(abs(t.turn), 0.29, 0.03) * _above(t.turn_per_way, 0.37, 0.03)


def score(t: Traits) -> dict[str, float]:
    """All rules on one piece."""
    rules = _legless(t) if t.feet < 2 else _legged(t)
    turns = _turning(t)
    return {
        **dict.fromkeys(MOTIONS, 0.0),
        **{motion: value * (1.0 - turns) if motion != "jump" else value for motion, value in rules.items()},
        "turn left": turns * (t.turn > 0) * (1.0 - rules.get("jump", 0.0)),
        "turn right": turns * (t.turn < 0) * (1.0 - rules.get("jump", 0.0)),
    }


def _legless(t: Traits) -> dict[str, float]:
    goes = _above(t.speed, 0.12, 0.03)
    return {
        "slither": goes,
        "idle": (1.0 - goes) * _below(t.head_speed, 1.2, 0.15),
        "bite": (1.0 - goes) * _above(t.head_speed, 1.2, 0.15),
    }


def _legged(t: Traits) -> dict[str, float]:
    flaps, steps = _above(t.wing_swing, 0.5, 0.05), _above(min(t.swing, t.step), STEPPING, 0.03)
    alternate, stays = _above(t.alternation, 0.3, 0.1), _below(t.speed, 0.3, 0.04)
    acts = {motion: value * stays for motion, value in _actions(t, alternate).items()}
    jumps = _jump(t) * (1.0 - acts["kick"])
    flies = flaps * (1.0 - steps * alternate) * (1.0 - jumps * _below(t.airborne, 0.6, 0.05))
    grounded = (1.0 - jumps) * (1.0 - flies)
    stays *= grounded
    acts = {motion: value * grounded for motion, value in acts.items()}
    gaits = {motion: value * grounded for motion, value in _gaits(t, steps, alternate).items()}
    still = _below(t.amount * t.leg, 0.1, 0.01) * _below(t.rise * t.leg, 0.11, 0.01) * (1.0 - steps)
    busy = max(acts.values())
    return {
        **{motion: value * (1.0 - busy) for motion, value in gaits.items()},
        **acts,
        "idle": still * stays * (1.0 - busy),
        "dance": 0.7 * (1.0 - still) * stays * (1.0 - busy) * (1.0 - steps * alternate),
        "jump": jumps * (1.0 - flies),
        "fly": flies,
    }


def _gaits(t: Traits, steps: float, alternate: float) -> dict[str, float]:
    """Gaits by which a body goes: walk and its manners, trot, run and gallop. Feet without a rhythm have none.

    A stride and its overtone explain 0.76 and more of the feet's motion in labelled gaits, 0.2 in shuffled frames.
    """
    z, goes = running(t), _above(t.speed, 0.2, 0.03)
    steps *= _above(t.regularity, 0.5, 0.03)
    runs = _above(z, 0.0, 0.5)
    diagonal = _above(t.diagonal, 0.75, 0.05) * _below(t.duty, 0.68, 0.02) * _above(z, -2.8, 0.15)
    pace = _below(t.diagonal, -0.75, 0.05) * _below(t.duty, 0.5, 0.02)
    exact = _above(t.diagonal, 0.988, 0.002) * _below(t.stride, 2.7, 0.05) * (t.sprawl <= SPRAWLING)  # lizards run so
    trots = (t.feet == 4) * max(diagonal, pace) * max(_below(z, 0.0, 0.2), exact)
    walk = steps * alternate * (1.0 - runs) * (1.0 - trots)
    # legs that stand out to the side lift their feet high in any gait, those of spiders highest
    lifted, high = (0.15, 0.34) if t.feet > 4 else (0.34 if t.sprawl > SPRAWLING else 0.15, 0.2)
    manner = {
        "limp": _above(t.uneven, 0.2, 0.01),
        "sneak": _above(t.crouch, 0.15 if t.feet <= 4 else 0.2, 0.01),
        "march": _above(t.clearance, lifted, 0.015) * _above(t.clearance / max(t.stride, 0.1), high, 0.01),
    }
    limp = manner["limp"]
    sneak = (1.0 - limp) * manner["sneak"]
    march = (1.0 - limp - sneak) * manner["march"]
    gallop = steps * (1.0 - alternate) * goes * (t.feet >= 4)
    return {
        "walk": walk * (1.0 - limp - sneak - march),
        "limp": walk * limp,
        "sneak": walk * sneak,
        "march": walk * march,
        "trot": steps * alternate * trots,
        "run": max(steps * alternate * runs * (1.0 - trots), gallop),
    }


def _actions(t: Traits, alternate: float) -> dict[str, float]:
    """What is done on the spot with foot, hand or head."""
    kicks = _above(t.kick, 0.42 + 0.2 * _above(t.flight, 0.1, 0.01), 0.03) * _below(t.flight, 0.4, 0.03)
    lively = _above(t.hand_swing, 0.6, 0.06) * (1.0 - kicks)
    waves = lively * _above(t.hand_high, 0.4, 0.04) * _below(t.swing, 0.07, 0.01)
    punches = lively * _above(t.hand_reach, 0.24, 0.02) * (1.0 - waves) * _above(t.hand_swing, 0.9, 0.06)
    lowered = _above(t.head_drop, 0.74, 0.03) * _above(t.head_dip, 0.12, 0.02) * (1.0 - kicks) * (1.0 - lively)
    snaps = _above(t.head_speed, 2.5, 0.15) * (1.0 - alternate * _above(t.swing, 0.04, 0.01)) * (1.0 - kicks)
    return {
        "kick": kicks,
        "wave": waves,
        "punch": punches,
        "eat": lowered,
        "bite": snaps * (1.0 - lowered) * (1.0 - lively),
    }


def _jump(t: Traits) -> float:
    """Off the ground, with a clear rise, and not by alternating strides; or hopping, both feet of a pair together."""
    together = max(_below(t.alternation, 0.3, 0.1), _below(t.swing, 0.3, 0.04), _above(t.rise, 0.72, 0.04))
    leap = _above(t.flight, 0.05, 0.01) * _above(t.rise, 0.27, 0.03) * together
    gallop = (t.feet >= 4) * _above(t.stride, 2.1, 0.05) * _below(t.rise, 0.6, 0.05) * _above(t.swing, 0.4, 0.05)
    exact = _below(t.alternation, -0.97, 0.01) if t.feet >= 4 else _below(t.alternation, -0.8, 0.04)
    stride = _below(t.stride, 2.4, 0.05) if t.feet >= 4 else 1.0
    off = 1.0 if t.feet >= 4 else _above(t.flight, 0.04, 0.01)
    hop = exact * stride * off * _above(t.swing, 0.2, 0.03) * _above(t.speed, 0.6, 0.05)
    return max(leap * (1.0 - gallop), hop)
