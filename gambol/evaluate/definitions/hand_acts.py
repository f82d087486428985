"""Definitions: actions of arms and hands in place: point, clap, raise hands, bow, nod, catch, push, pull, talk."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import uniform_filter1d

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.curves import likeness, span
from gambol.evaluate.definitions.body_measures import own_rate
from gambol.evaluate.definitions.hand_measures import (
    Hand,
    chest_turn,
    find_hands,
    forward_pitch,
    going_ahead,
    hand_gap,
    head_against_chest,
    longest_held,
    rhythm,
    side_pitch,
)
from gambol.evaluate.definitions.standing_feet import all_feet_stay
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold

HELD_SECONDS = SoftThreshold(0.4, 0.04)
"""Time for which a pose of the arm is held in a gesture, own seconds."""
HELD_SPEED = 1.0
"""Speed of a hand below which it is held, arm lengths per own second."""
POINT_REACH, POINT_AHEAD = 0.86, 0.78
"""Distance of a pointing hand from its shoulder, and how far it is ahead of it."""
POINT_HEIGHT = 0.5
"""Height above or below the shoulder up to which a hand points ahead."""
OTHER_HAND_AHEAD = SoftThreshold(0.7, 0.03)
"""How far the other hand may be ahead in the meantime; claws rest at 0.78 and more."""
OTHER_HAND_SPEED = SoftThreshold(0.35, 0.04)
"""Mean speed of the other hand in the meantime below which one hand points, arm lengths per own second."""
HANDS_MEET = SoftThreshold(0.36, 0.03)
"""Distance between the hands' ends below which they meet."""
CLAP_OPENING = SoftThreshold(0.12, 0.01)
"""Span of that distance from which hands clap."""
REPEATED = SoftThreshold(0.55, 0.04)
"""Share of a motion that one frequency explains from which it repeats."""
CLAP_RATE = SoftThreshold(0.9, 0.06)
"""Frequency from which hands clap."""
CLAP_STROKE = SoftThreshold(0.3, 0.03)
"""Span of each hand's path ahead below which hands clap, and do not punch."""
RAISED = 0.55
"""Height above the shoulder at which a hand counts as raised above the head."""
RAISED_SECONDS = SoftThreshold(0.5, 0.04)
"""Time for which both hands are raised up to the end of the clip, own seconds."""
BOW_PITCH = SoftThreshold(0.45, 0.03)
"""Forward pitch of the chest from which a body bows, radians."""
BOW_HIPS = SoftThreshold(0.25, 0.02)
"""Lowering of the hips below which that is a bow, leg lengths."""
BOW_HANDS = SoftThreshold(0.55, 0.04)
"""Span of the hands' paths below which that is a bow, arm lengths, beside what hangs down."""
NOD_PITCH = SoftThreshold(0.17, 0.015)
"""Span of the head's pitch against the chest from which it nods, radians."""
NOD_CHEST = SoftThreshold(0.12, 0.01)
"""Span of the chest's pitch below which a head nods, radians."""
NOD_RATE = SoftThreshold(0.65, 0.04)
"""Frequency from which a head nods."""
HANDS_TOGETHER = SoftThreshold(0.75, 0.05)
"""Correlation of both hands' distances ahead from which they go together."""
STROKE = SoftThreshold(0.25, 0.02)
"""Span of both hands ahead from which they catch, push or pull."""
WEIGHT_SHIFT = SoftThreshold(0.07, 0.008)
"""Span of the weight's shift from which the body is behind a push or a pull, leg lengths."""
WEIGHT_LIKENESS = SoftThreshold(0.6, 0.05)
"""Correlation of that shift with the hands' distance ahead."""
ASYMMETRY = SoftThreshold(0.1, 0.02)
"""Logarithm of the fastest way of the hands over the slow, forceful one."""
ONE_WAY = SoftThreshold(0.7, 0.05)
"""Share of the hands' way that is left at the end of a clip from which it shows only one way."""
MEAN_LEAN = SoftThreshold(0.08, 0.01)
"""Mean forward pitch of the chest from which one way of the hands is that of a push, radians."""
CATCH_SPEED = SoftThreshold(0.9, 0.06)
"""Fastest way of both hands in to the chest in a catch, arm lengths per own second."""
CATCH_RISE = SoftThreshold(0.3, 0.02)
"""Rise of the hands from where they wait to where they catch."""
CATCH_RISE_OF_CLAWS = SoftThreshold(0.21, 0.015)
"""The same for claws, which wait at the height of their shoulders."""
MOST_FEET_WITHOUT_CLAWS = 4
"""Bodies with more feet have claws for arms."""
PULL_SPEED = SoftThreshold(2.6, 0.2)
"""Fastest way of the hands below which a body pulls, and does not snap, arm lengths per own second."""
LEAST_SPEED = 1e-6
"""Speed that hands which rest, or are not there, are given, so that ratios of speeds exist."""
TALK_SPEED = SoftThreshold(0.3, 0.03)
"""Mean speed of both hands from which they gesture, arm lengths per own second."""
TALK_REPEATED = SoftThreshold(0.85, 0.03)
"""Share of the hands' strokes that one frequency explains below which they change."""
LAUGH_SHAKE = SoftThreshold(0.02, 0.0015)
"""Quick part of the chest's pitch from which a body laughs, radians, root mean square."""
LAUGH_RATE = SoftThreshold(1.9, 0.1)
"""Frequency of that part from which it is a laugh."""
LAUGH_SWAY = SoftThreshold(0.06, 0.008)
"""Span of the hips from side to side below which a body laughs, and does not dance, leg lengths."""
SLOW_SECONDS = 0.4
"""Window whose mean is taken off to see the quick part of a motion, own seconds."""
DRIBBLE_STROKE = SoftThreshold(0.12, 0.01)
"""Vertical span of the hand from which it dribbles."""
DRIBBLE_RATE = SoftThreshold(0.9, 0.05)
"""Frequency from which a hand dribbles."""


def _point(seen: Observation) -> float:
    hands = find_hands(seen)
    scores = [0.0]
    for hand, other in _each_hand(hands):
        level = (hand.place[:, 0] > POINT_AHEAD) & (np.abs(hand.place[:, 1]) < POINT_HEIGHT)
        held = (hand.reach > POINT_REACH) & level & (hand.speed < HELD_SPEED)
        quiet = OTHER_HAND_AHEAD.below(float(other.place[held, 0].mean()) if held.any() else 1.0)
        still = OTHER_HAND_SPEED.below(float(other.speed[held].mean()) if held.any() else 1.0)
        scores.append(min(HELD_SECONDS.above(longest_held(held, own_rate(seen))), quiet, still))
    return min(max(scores), all_feet_stay(seen))


def _clap(seen: Observation) -> float:
    hands = find_hands(seen)
    if not hands:
        return 0.0
    gap = hand_gap(hands)
    frequency, share = rhythm(gap, own_rate(seen))
    ahead = min(float(np.median(hand.place[:, 0])) for hand in hands)
    high = [float(np.median(hand.place[:, 1])) for hand in hands]
    return min(
        HANDS_MEET.below(float(np.quantile(gap, 0.1))),
        CLAP_OPENING.above(span(gap)),
        REPEATED.above(share),
        CLAP_RATE.above(frequency),
        CLAP_STROKE.below(max(span(hand.place[:, 0]) for hand in hands)),
        SoftThreshold(0.15, 0.02).above(ahead),
        SoftThreshold(0.5, 0.03).below(max(abs(h) for h in high)),
        all_feet_stay(seen),
    )


def _raise_hands(seen: Observation) -> float:
    hands = find_hands(seen)
    if not hands:
        return 0.0
    high = np.min([hand.place[:, 1] for hand in hands], axis=0) > RAISED
    last = len(high) - int(np.argmin(np.append(high[::-1], False)))
    return min(RAISED_SECONDS.above((len(high) - last) / own_rate(seen)), all_feet_stay(seen))


def _bow(seen: Observation) -> float:
    pitch = forward_pitch(seen, chest_turn(seen))
    hips = float(seen.rest_joints[0, 1] - np.quantile(seen.joints[:, 0, 1], 0.05)) / seen.leg
    hands = find_hands(seen)
    aside = max((span(hand.place[:, 2]) for hand in hands), default=0.0)
    high = max((float(np.quantile(hand.place[:, 1], 0.95)) for hand in hands), default=-1.0)
    return min(
        BOW_PITCH.above(float(np.quantile(pitch, 0.95))),
        SoftThreshold(0.3, 0.02).above(span(pitch)),
        BOW_HIPS.below(hips),
        BOW_HANDS.below(aside),
        SoftThreshold(-0.3, 0.03).below(high),
        all_feet_stay(seen),
    )


def _nod(seen: Observation) -> float:
    pitch, yaw = head_against_chest(seen)
    frequency, share = rhythm(pitch, own_rate(seen))
    lively = max((float(hand.speed.mean()) for hand in find_hands(seen)), default=0.0)
    return min(
        NOD_PITCH.above(span(pitch)),
        REPEATED.above(share),
        NOD_RATE.above(frequency),
        NOD_CHEST.below(span(forward_pitch(seen, chest_turn(seen)))),
        SoftThreshold(0.35, 0.03).below(span(yaw)),
        SoftThreshold(0.3, 0.03).below(lively),
        all_feet_stay(seen),
    )


def _stroke(seen: Observation) -> tuple[float, np.ndarray, float, float]:
    """Return the score of both hands going together, their distance ahead, and its largest speeds out and in."""
    hands = find_hands(seen)
    if not hands:
        return 0.0, np.zeros(len(seen)), LEAST_SPEED, LEAST_SPEED
    ahead = 0.5 * (hands[0].place[:, 0] + hands[1].place[:, 0])
    together = HANDS_TOGETHER.above(likeness(hands[0].place[:, 0], hands[1].place[:, 0]))
    spans = sorted(span(hand.place[:, 0]) for hand in hands)
    together = min(together, SoftThreshold(0.6, 0.04).above(spans[0] / max(spans[1], 1e-9)))
    speed = np.gradient(ahead) * own_rate(seen)
    out, back = float(np.quantile(speed, 0.97)), float(-np.quantile(speed, 0.03))
    level = SoftThreshold(0.55, 0.03).below(max(float(np.quantile(hand.place[:, 1], 0.95)) for hand in hands))
    score = min(together, STROKE.above(span(ahead)), level, all_feet_stay(seen))
    return score, ahead, max(out, LEAST_SPEED), max(back, LEAST_SPEED)


def _weight(seen: Observation, ahead: np.ndarray) -> float:
    """Return the score of a body that leans and goes along with its hands."""
    shift = going_ahead(seen) + 0.3 * forward_pitch(seen, chest_turn(seen))
    return min(WEIGHT_SHIFT.above(span(shift)), WEIGHT_LIKENESS.above(likeness(shift, ahead)))


def _rise(seen: Observation) -> float:
    """Return the score of both hands going up as they go out."""
    least = CATCH_RISE_OF_CLAWS if len(seen.feet) > MOST_FEET_WITHOUT_CLAWS else CATCH_RISE
    return least.above(min((span(hand.place[:, 1]) for hand in find_hands(seen)), default=0.0))


def _catch(seen: Observation) -> float:
    together, _, _, back = _stroke(seen)
    return min(together, CATCH_SPEED.above(back), _rise(seen), 1.0 - _laugh(seen))


def _push(seen: Observation) -> float:
    together, ahead, out, back = _stroke(seen)
    slow = max(ASYMMETRY.above(float(np.log(back / out))), min(_goes_over(ahead), MEAN_LEAN.above(_lean(seen))))
    return min(together, _weight(seen, ahead), slow, 1.0 - _rise(seen))


def _pull(seen: Observation) -> float:
    together, ahead, out, back = _stroke(seen)
    slow = max(ASYMMETRY.above(float(np.log(out / back))), min(_goes_over(-ahead), MEAN_LEAN.below(_lean(seen))))
    level = 1.0 - _rise(seen) if len(seen.feet) > MOST_FEET_WITHOUT_CLAWS else 1.0
    return min(together, PULL_SPEED.below(max(out, back)), _weight(seen, ahead), slow, level)


def _lean(seen: Observation) -> float:
    return float(forward_pitch(seen, chest_turn(seen)).mean())


def _goes_over(curve: np.ndarray) -> float:
    """Return the score of a curve that ends higher than it starts, as where a clip ends before the hands come back."""
    return ONE_WAY.above(float(curve[-1] - curve[0]) / max(span(curve), 1e-9))


def _talk(seen: Observation) -> float:
    hands = find_hands(seen)
    if not hands:
        return 0.0
    scores = []
    for hand in hands:
        middle, reach = np.median(hand.place, axis=0), float(np.quantile(hand.reach, 0.95))
        _, share = rhythm(hand.place[:, 1], own_rate(seen))
        scores += [
            TALK_SPEED.above(float(hand.speed.mean())),
            SoftThreshold(1.6, 0.1).below(float(hand.speed.mean())),
            SoftThreshold(0.25, 0.03).above(float(middle[0])),
            SoftThreshold(-0.75, 0.03).above(float(middle[1])),
            SoftThreshold(0.0, 0.03).below(float(middle[1])),
            SoftThreshold(0.97, 0.01).below(reach),
            TALK_REPEATED.below(share),
        ]
    return min(
        *scores,
        SoftThreshold(0.15, 0.02).above(float(np.quantile(hand_gap(hands), 0.1))),
        SoftThreshold(0.85, 0.03).below(likeness(hands[0].place[:, 1], hands[1].place[:, 1])),
        SoftThreshold(0.25, 0.02).below(span(forward_pitch(seen, chest_turn(seen)))),
        1.0 - _laugh(seen),
        all_feet_stay(seen),
    )


def _laugh(seen: Observation) -> float:
    rate = own_rate(seen)
    turns = chest_turn(seen)
    window = max(3, round(SLOW_SECONDS * rate))
    quick, aside = (x - uniform_filter1d(x, window) for x in (forward_pitch(seen, turns), side_pitch(seen, turns)))
    frequency, share = rhythm(quick, rate)
    size = float(np.sqrt((quick**2).mean()))
    sway = span((seen.joints[:, 0] * seen.aside[0]).sum(1)) / seen.leg
    return min(
        LAUGH_SHAKE.above(size),
        LAUGH_SWAY.below(sway),
        LAUGH_RATE.above(frequency),
        SoftThreshold(0.4, 0.04).above(share),
        SoftThreshold(0.8, 0.08).below(float(np.sqrt((aside**2).mean())) / max(size, 1e-9)),
        all_feet_stay(seen),
    )


def _salute(seen: Observation) -> float:
    heads, hands = seen.anatomy.of(BodyPart.HEAD), find_hands(seen)
    if not heads or not hands:
        return 0.0
    bone = heads[0].bones[-1]
    base, top = seen.joints[:, heads[0].bones[0]], seen.tips[:, bone]
    tall = float(np.linalg.norm(seen.rest_tips[bone] - seen.rest_joints[heads[0].bones[0]]))
    scores = [0.0]
    for hand, other in _each_hand(hands):
        near = np.linalg.norm(hand.end - 0.5 * (base + top), axis=1) < 0.3 * hand.length + 0.6 * tall
        high = (hand.end[:, 1] > base[:, 1] + 0.35 * (top - base)[:, 1]) & (hand.elbow[:, 2] > 0.15)
        held = near & high & (hand.speed < HELD_SPEED)
        quiet = SoftThreshold(-0.4, 0.04).below(float(np.median(other.place[:, 1])))
        scores.append(min(HELD_SECONDS.above(longest_held(held, own_rate(seen))), quiet))
    return min(max(scores), all_feet_stay(seen))


def _dribble(seen: Observation) -> float:
    scores = [0.0]
    for hand, other in _each_hand(find_hands(seen)):
        frequency, share = rhythm(hand.place[:, 1], own_rate(seen))
        up, stroke = float(np.median(hand.place[:, 1])), span(hand.place[:, 1])
        scores.append(
            min(
                DRIBBLE_STROKE.above(stroke),
                DRIBBLE_RATE.above(frequency),
                REPEATED.above(share),
                SoftThreshold(0.6, 0.04).below(span(other.place[:, 1]) / max(stroke, 1e-9)),
                SoftThreshold(-0.35, 0.03).below(up),
                SoftThreshold(0.15, 0.02).above(float(np.median(hand.place[:, 0]))),
            )
        )
    return min(max(scores), all_feet_stay(seen))


def _each_hand(hands: tuple[Hand, ...]) -> tuple[tuple[Hand, Hand], ...]:
    """Return each hand with the other one."""
    return ((hands[0], hands[1]), (hands[1], hands[0])) if hands else ()


HAND_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "point": _point,
    "clap": _clap,
    "raise hands": _raise_hands,
    "bow": _bow,
    "nod": _nod,
    "catch": _catch,
    "push": _push,
    "pull": _pull,
    "talk": _talk,
    "laugh": _laugh,
    "salute": _salute,
    "dribble": _dribble,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
