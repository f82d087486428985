"""Rule-based recogniser: which motion a clip shows, for any body that has the limbs for it.

Every rule is a product of soft thresholds (`recogniser_thresholds.py`) and scores 0 to 1; the highest one names the
motion. The rules see joints and feet only. Long clips are judged in pieces of two seconds: a gait must last, an event
(a jump, a kick) must happen once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gambol.evaluate import recogniser_thresholds as th
from gambol.evaluate.observation import Observation
from gambol.evaluate.traits import Traits, traits_of, traits_of_pieces
from gambol.motion.motion_names import MOTIONS

EVENTS = ("jump", "kick", "punch", "bite")
"""Motions that happen once in a clip; all others fill it."""


@dataclass(frozen=True)
class Recognition:
    """Result of the recogniser."""

    motion: str
    """The motion with the highest score, one of `MOTIONS`."""
    confidence: float
    """Best score minus the second best, 0 to 1."""
    scores: dict[str, float]
    """Score of every motion, 0 to 1."""


def recognise(seen: Observation) -> Recognition:
    """Recognise the motion of an observed clip."""
    whole = traits_of(seen)
    return recognise_traits(whole, traits_of_pieces(seen, whole))


def recognise_traits(whole: Traits, pieces: list[Traits]) -> Recognition:
    """Recognise a motion from the traits of the clip and of its pieces."""
    scored = [score_traits(piece) for piece in pieces]
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
    """Score of a motion over all pieces: the best piece of an event, the mean of a motion that fills the clip."""
    return float(max(scores) if motion in EVENTS else np.mean(scores))


def running_logit(t: Traits) -> float:
    """Logit of an alternating gait being a run and not a walk: short stances, quick steps, long strides, a bounce.

    sweep = swing / stride is the share of the cycle in which a foot goes back with the ground.
    Two legs: z = bias - duty d - sweep s + frequency ln(stride_hz) + bounce b, b the clipped `Traits.vault`.
    Four: z = bias - duty d - sweep s + frequency ln(stride_hz) + stride ln(stride).
    Six and more legs have no room for long strides: only duty and sweep count.
    """
    stride = max(t.stride, th.SMALLEST_STRIDE)
    sweep, hz = t.swing / stride, float(np.log(np.clip(t.stride_hz, *th.STRIDE_HZ_RANGE)))
    if t.feet > 4:
        duty_term = th.MANY_LEGS_DUTY_WEIGHT * (th.MANY_LEGS_DUTY - t.duty)
        return duty_term + th.MANY_LEGS_SWEEP_WEIGHT * (th.MANY_LEGS_SWEEP - sweep)
    sweep = min(sweep, th.LARGEST_SWEEP)
    if t.feet == 2:
        k, bounce = th.BIPED_RUNNING, float(np.clip(t.vault / th.LARGEST_BOUNCE, -1.0, 1.0))
        return k.bias - k.duty * t.duty - k.sweep * sweep + k.frequency * hz + k.bounce * bounce
    k, length = th.QUADRUPED_RUNNING, float(np.log(min(stride, th.LONGEST_RUNNING_STRIDE)))
    return k.bias - k.duty * t.duty - k.sweep * sweep + k.frequency * hz + k.stride * length


def _turning(t: Traits) -> float:
    return th.TURN_ANGLE.above(abs(t.turn)) * th.TURN_TIGHTNESS.above(t.turn_tightness)


def score_traits(t: Traits) -> dict[str, float]:
    """Apply all rules to the traits of one piece; returns the score of every motion, 0 to 1."""
    rules = _legged(t) if t.feet >= 2 else _finned(t) if t.fins >= 2 else _legless(t)
    turns = _turning(t)
    return {
        **dict.fromkeys(MOTIONS, 0.0),
        **{motion: value * (1.0 - turns) if motion != "jump" else value for motion, value in rules.items()},
        "turn left": turns * (t.turn > 0) * (1.0 - rules.get("jump", 0.0)),
        "turn right": turns * (t.turn < 0) * (1.0 - rules.get("jump", 0.0)),
    }


def _legless(t: Traits) -> dict[str, float]:
    goes = th.LEGLESS_SPEED.above(t.speed)
    return {
        "slither": goes,
        "idle": (1.0 - goes) * th.LEGLESS_BITE_SPEED.below(t.head_speed),
        "bite": (1.0 - goes) * th.LEGLESS_BITE_SPEED.above(t.head_speed),
    }


def _finned(t: Traits) -> dict[str, float]:
    """Scores of bodies with fins and without legs: they swim where a wave travels down the trunk."""
    leaps = th.BREACH_RISE.above(t.rise)
    travels = th.SWIM_LAG.above(t.wave_lag) * th.SWIM_RHYTHM.above(t.wave_rhythm)
    goes = th.LEGLESS_SPEED.above(t.net_speed)
    swims = travels * max(goes * th.SWIM_WAVE.above(t.wave_span), th.SWIM_WAVE_IN_PLACE.above(t.wave_span))
    snaps = th.FIN_BITE_SPEED.above(t.head_speed) * (1.0 - travels * goes)
    bites = max(snaps, th.FIN_DART_SPEED.above(t.speed) * (1.0 - goes)) * (1.0 - swims)
    return {
        "jump": leaps,
        "swim": swims * (1.0 - leaps),
        "bite": bites * (1.0 - leaps),
        "idle": (1.0 - goes) * (1.0 - swims) * (1.0 - bites) * (1.0 - leaps),
    }


def _legged(t: Traits) -> dict[str, float]:
    flaps, steps = th.WING_SWING.above(t.wing_swing), th.STEP_LENGTH.above(min(t.swing, t.step))
    alternate, stays = th.ALTERNATION.above(t.alternation), th.STAYING_SPEED.below(t.speed)
    acts = {motion: value * stays for motion, value in _actions(t, alternate).items()}
    jumps = _jump(t) * (1.0 - acts["kick"])
    flies = flaps * (1.0 - steps * alternate) * (1.0 - jumps * th.FLYING_AIRBORNE.below(t.airborne))
    grounded = (1.0 - jumps) * (1.0 - flies)
    stays *= grounded
    acts = {motion: value * grounded for motion, value in acts.items()}
    gaits = {motion: value * grounded for motion, value in _gaits(t, steps, alternate).items()}
    still = th.STILL_AMOUNT.below(t.amount * t.leg) * th.STILL_RISE.below(t.rise * t.leg) * (1.0 - steps)
    busy = max(acts.values())
    return {
        **{motion: value * (1.0 - busy) for motion, value in gaits.items()},
        **acts,
        "idle": still * stays * (1.0 - busy),
        "dance": th.DANCE_SCORE * (1.0 - still) * stays * (1.0 - busy) * (1.0 - steps * alternate),
        "jump": jumps * (1.0 - flies),
        "fly": flies,
    }


def _gaits(t: Traits, steps: float, alternate: float) -> dict[str, float]:
    """Scores of the gaits: walk and its styles, trot, run and gallop. Feet without a rhythm have none."""
    z, goes = running_logit(t), th.GOING_SPEED.above(t.speed)
    steps *= th.RHYTHM.above(t.regularity)
    runs, sprawled, many = th.RUNNING.above(z), t.sprawl > th.SPRAWLED_FEET, t.feet > 4
    diagonal = th.TROT_DIAGONAL.above(t.diagonal) * th.TROT_DUTY.below(t.duty) * th.TROT_LEAST_LOGIT.above(z)
    pace = th.PACE_DIAGONAL.below(t.diagonal) * th.PACE_DUTY.below(t.duty)
    exact = th.EXACT_TROT_DIAGONAL.above(t.diagonal) * th.EXACT_TROT_STRIDE.below(t.stride) * (not sprawled)
    trots = (t.feet == 4) * max(diagonal, pace) * max(th.TROT_LARGEST_LOGIT.below(z), exact)
    walk = steps * alternate * (1.0 - runs) * (1.0 - trots)
    # legs that stand out to the side lift their feet high in any gait, those of spiders highest
    lifted = th.MARCH_CLEARANCE_SPRAWLED if sprawled and not many else th.MARCH_CLEARANCE
    steep = th.MARCH_STEEPNESS_MANY_LEGS if many else th.MARCH_STEEPNESS
    crouched = th.SNEAK_CROUCH_MANY_LEGS if many else th.SNEAK_CROUCH
    limp = th.LIMP_UNEVENNESS.above(t.uneven)
    sneak = (1.0 - limp) * crouched.above(t.crouch)
    steepness = t.clearance / max(t.stride, th.SMALLEST_STRIDE)
    march = (1.0 - limp - sneak) * (lifted.above(t.clearance) * steep.above(steepness))
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
    """Scores of what is done in place with foot, hand or head."""
    reach = th.KICK_REACH.at + th.KICK_FLIGHT_REACH * th.KICK_LEAVES_GROUND.above(t.flight)
    kicks = replace(th.KICK_REACH, at=reach).above(t.kick) * th.KICK_LARGEST_FLIGHT.below(t.flight)
    lively = th.LIVELY_HAND_SPEED.above(t.hand_swing) * (1.0 - kicks)
    waves = lively * th.WAVE_HAND_HIGH.above(t.hand_high) * th.WAVE_FOOT_SWING.below(t.swing)
    punches = lively * th.PUNCH_REACH.above(t.hand_reach) * (1.0 - waves) * th.PUNCH_HAND_SPEED.above(t.hand_swing)
    lowered = th.EAT_HEAD_DROP.above(t.head_drop) * th.EAT_HEAD_DIP.above(t.head_dip) * (1.0 - kicks) * (1.0 - lively)
    in_gait = alternate * th.BITE_FOOT_SWING.above(t.swing)
    snaps = th.BITE_HEAD_SPEED.above(t.head_speed) * (1.0 - in_gait) * (1.0 - kicks)
    return {
        "kick": kicks,
        "wave": waves,
        "punch": punches,
        "eat": lowered,
        "bite": snaps * (1.0 - lowered) * (1.0 - lively),
    }


def _jump(t: Traits) -> float:
    """Score of a jump: off the ground with a clear rise and not by alternating strides, or hopping on pairs of feet."""
    together = max(
        th.ALTERNATION.below(t.alternation), th.LEAP_FOOT_SWING.below(t.swing), th.LEAP_HIGH_RISE.above(t.rise)
    )
    leap = th.LEAP_FLIGHT.above(t.flight) * th.LEAP_RISE.above(t.rise) * together
    four = t.feet >= 4
    gallop = four * th.GALLOP_STRIDE.above(t.stride) * th.GALLOP_LARGEST_RISE.below(t.rise)
    gallop *= th.GALLOP_FOOT_SWING.above(t.swing)
    exact = (th.HOP_ALTERNATION_FOUR_LEGS if four else th.HOP_ALTERNATION).below(t.alternation)
    stride = th.HOP_STRIDE.below(t.stride) if four else 1.0
    off = 1.0 if four else th.HOP_FLIGHT.above(t.flight)
    hop = exact * stride * off * th.HOP_FOOT_SWING.above(t.swing) * th.HOP_SPEED.above(t.speed)
    return max(leap * (1.0 - gallop), hop)
