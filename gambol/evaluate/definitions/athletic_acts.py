"""Definitions: actions of the whole body of people: cartwheel, roll, climb, squat, throw, swing, lift."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.evaluate.curves import likeness, span
from gambol.evaluate.definitions.body_measures import trunk_bones
from gambol.evaluate.definitions.hand_measures import all_hands
from gambol.evaluate.definitions.standing_feet import ACT_FEET_STAY, longest_foot_path
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold
from gambol.motion.folding_limb_ik import rotation_vector
from gambol.motion.gravity import EARTH_GRAVITY

FULL_TURN = SoftThreshold(4.0, 0.25)
"""Rotation about one of the body's axes from which it turns over, radians."""
OTHER_TURN_SHARE = SoftThreshold(0.5, 0.05)
"""Rotation about the other axis, as a share, below which it is a turn about one axis."""
UPSIDE_DOWN = -0.3
"""Vertical part of the trunk's up axis below which the body is upside down."""
HAND_ON_GROUND = SoftThreshold(0.35, 0.04)
"""Height of the lower hand of a body upside down below which the hands carry it, leg lengths."""
LEGS_APART = SoftThreshold(0.45, 0.05)
"""Angle between the legs upside down from which they pass apart, radians."""
ROUNDED_LOW = SoftThreshold(1.2, 0.06)
"""Height of the hips upside down below which a body rolls over its back, leg lengths."""
SQUAT_DEPTH = SoftThreshold(0.27, 0.025)
"""Sinking of the root from which it is a squat, leg lengths."""
SQUAT_TILT = SoftThreshold(0.85, 0.06)
"""Tilt of the chest below which a squat is upright, radians."""
THERE_AND_BACK = SoftThreshold(1.4, 0.05)
"""Way up and down, as a share of its span, from which something goes there and comes back."""
ACT_FEET_DOWN = SoftThreshold(0.1, 0.012)
"""Vertical span of the feet below which they stay on the ground, leg lengths."""
JACKS_FEET = SoftThreshold(0.28, 0.03)
"""Span of the distance between left and right feet from which they open and close, leg lengths."""
JACKS_HANDS = SoftThreshold(1.2, 0.06)
"""Vertical span of both hands from which the arms open and close, arm lengths."""
TOGETHER = SoftThreshold(0.5, 0.06)
"""Correlation from which two things go together."""
IN_TURN = SoftThreshold(-0.05, 0.06)
"""Correlation below which two hands act in turn."""
CLIMB_RISE = SoftThreshold(0.28, 0.03)
"""Rise of the root from the first frames to the last from which a body climbs, leg lengths."""
CLIMB_REACH = SoftThreshold(0.2, 0.02)
"""Vertical span of each hand about its shoulder from which it reaches up, arm lengths."""
PICK_HAND_LOW = SoftThreshold(0.22, 0.025)
"""Height of the lower hand from which it reaches the ground, leg lengths."""
PICK_HAND_SPAN = SoftThreshold(0.55, 0.04)
"""Vertical span of that hand from which it comes up again, leg lengths."""
PICK_HIPS_HIGH = SoftThreshold(0.3, 0.03)
"""Least height of the hips from which a body bends down and does not lie, leg lengths."""
SWING_BACK = SoftThreshold(0.12, 0.03)
"""How far behind its shoulder a hand goes before a swing, arm lengths."""
SWING_AHEAD = SoftThreshold(0.5, 0.03)
"""How far ahead of its shoulder it goes in the swing, arm lengths."""
SWING_HIGH = SoftThreshold(0.3, 0.04)
"""Height above its shoulder that it has between, arm lengths."""
SWING_TIME = 2.0
"""Longest time of a swing from behind to ahead, in sqrt(leg / g): 0.6 s for a person."""
CUT_ACROSS = SoftThreshold(0.55, 0.03)
"""How far beyond its shoulder, to the other side, a hand goes at the end of a cut; a throw stays within."""
HANDS_JOINED = SoftThreshold(0.6, 0.03)
"""Distance of the hands, arm lengths, below which they hold one thing (its 0.95 quantile over the frames)."""
CLUB_ASIDE = SoftThreshold(0.3, 0.03)
"""How far to either side of the chest's middle joined hands go, high up, in a swing of a club, arm lengths."""
CLUB_LOW = SoftThreshold(0.5, 0.04)
"""How far below the shoulders they go between, arm lengths."""
PUNCH_SPAN = SoftThreshold(0.28, 0.025)
"""Span of each hand ahead from which it punches, arm lengths."""
PUNCH_FAR = SoftThreshold(0.72, 0.03)
"""How far ahead of its shoulder it comes, arm lengths."""
GUARD_HIGH = SoftThreshold(-0.35, 0.04)
"""Mean height of the hands about the shoulders from which they are in a guard, arm lengths."""
CLAW_PUNCH_SPAN = SoftThreshold(0.18, 0.02)
"""Span of each claw ahead from which both strike, arm lengths."""
CLAWS_IN_TURN = SoftThreshold(0.35, 0.06)
"""Correlation below which two claws, which draw back together, strike in turn."""
CLAW_RAISED = SoftThreshold(0.38, 0.02)
"""Vertical span of a claw from which it is raised to strike, arm lengths."""
CLAW_DOWN = SoftThreshold(0.5, 0.05)
"""Height of a claw at the end of a cut, as a share of how far it was raised."""
CLAW_ACROSS = SoftThreshold(0.52, 0.03)
"""Sideways span of a claw from which it cuts across, arm lengths."""


def turned_over(seen: Observation) -> Float[ndarray, "3"]:
    """Return the span of the trunk's rotation about its own forward, up and right axes, summed over the frames."""
    D = seen.displaced[:, 0, :3, :3]
    steps = rotation_vector(np.swapaxes(D[:-1], -1, -2) @ D[1:])
    return np.ptp(np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)]), axis=0)


def _way(values: Float[ndarray, "frames"]) -> float:
    """Return the way up and down as a share of the span."""
    return float(np.abs(np.diff(values)).sum() / max(float(np.ptp(values)), 1e-9))


def _upside_down(seen: Observation) -> ndarray:
    return seen.displaced[:, 0, 1, 1] < UPSIDE_DOWN


def _feet_rise(seen: Observation) -> float:
    """Return the largest vertical span of a foot's lowest point, leg lengths."""
    return max((span(foot.low) for foot in seen.feet), default=0.0) / seen.leg


def cartwheel(seen: Observation) -> float:
    """Score of a full turn about the forward axis with the hands on the ground and the legs apart upside down."""
    turned, over, hands = turned_over(seen), _upside_down(seen), all_hands(seen)
    if not over.any() or len(hands) < 2:
        return 0.0
    low = np.minimum.reduce([hand.end[over, 1] for hand in hands]) / seen.leg
    score = FULL_TURN.above(turned[0]) * OTHER_TURN_SHARE.below(turned[2] / max(turned[0], 1e-9))
    return score * HAND_ON_GROUND.below(float(np.median(low))) * LEGS_APART.above(_legs_apart(seen, over))


def _legs_apart(seen: Observation, frames: ndarray) -> float:
    """Return the largest angle between the lines from hip to foot of two legs, radians."""
    if len(seen.feet) < 2:
        return 0.0
    lines = [foot.points.mean(1)[frames] - seen.joints[frames][:, foot.limb.bones[0]] for foot in seen.feet[:2]]
    a, b = (line / np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-9) for line in lines)
    return float(np.arccos(np.clip((a * b).sum(1), -1.0, 1.0)).max())


def roll(seen: Observation) -> float:
    """Score of a full turn ahead about the axis across the body, low over the ground."""
    turned, over = turned_over(seen), _upside_down(seen)
    if not over.any():
        return 0.0
    hips = float(np.median(seen.joints[over, 0, 1])) / seen.leg
    score = FULL_TURN.above(turned[2]) * OTHER_TURN_SHARE.below(turned[0] / max(turned[2], 1e-9))
    return score * ROUNDED_LOW.below(hips)


def squat(seen: Observation) -> float:
    """Score of sinking deep and rising again over standing feet with an upright trunk."""
    height = seen.joints[:, 0, 1]
    hands = all_hands(seen)
    tilt = np.arccos(np.clip(seen.displaced[:, trunk_bones(seen)[-1], 1, 1], -1.0, 1.0))
    lowest = min((float(hand.end[:, 1].min()) for hand in hands), default=np.inf) / seen.leg
    score = SQUAT_DEPTH.above(span(height) / seen.leg) * SQUAT_TILT.below(float(np.quantile(tilt, 0.97)))
    score *= THERE_AND_BACK.above(_way(height)) * PICK_HAND_LOW.above(lowest)
    return score * ACT_FEET_STAY.below(longest_foot_path(seen)) * ACT_FEET_DOWN.below(_feet_rise(seen))


def jumping_jacks(seen: Observation) -> float:
    """Score of arms and feet that open and close together."""
    hands, feet = all_hands(seen), seen.feet
    if len(hands) < 2 or len(feet) != 2:
        return 0.0
    apart = np.linalg.norm((feet[0].points.mean(1) - feet[1].points.mean(1))[:, [0, 2]], axis=1) / seen.leg
    heights = [hand.in_chest[:, 1] for hand in hands[:2]]
    score = JACKS_FEET.above(span(apart)) * JACKS_HANDS.above(min(span(h) for h in heights))
    return score * TOGETHER.above(likeness(*heights)) * TOGETHER.above(likeness(heights[0], apart))


def climb(seen: Observation) -> float:
    """Score of hands that reach up in turn while the body rises, feet included."""
    hands = all_hands(seen)
    if len(hands) < 2 or len(seen.feet) < 2:
        return 0.0
    ends = max(1, len(seen) // 12)
    feet = np.mean([foot.low for foot in seen.feet], axis=0)
    rise, feet_rise = (float(h[-ends:].mean() - h[:ends].mean()) / seen.leg for h in (seen.joints[:, 0, 1], feet))
    heights = [hand.end[:, 1] - seen.joints[:, 0, 1] for hand in hands[:2]]
    reach = min(span(h) / hand.length for h, hand in zip(heights, hands, strict=False))
    score = CLIMB_RISE.above(min(rise, feet_rise)) * CLIMB_REACH.above(reach)
    return score * IN_TURN.below(likeness(*heights))


def pick_up(seen: Observation) -> float:
    """Score of a hand that goes to the ground and comes up over standing feet, the hips staying up."""
    hands = all_hands(seen)
    if not hands or _upside_down(seen).any():
        return 0.0
    hand = min(hands, key=lambda h: float(h.end[:, 1].min()))
    height = hand.end[:, 1] / seen.leg
    score = PICK_HAND_LOW.below(float(height.min())) * PICK_HAND_SPAN.above(span(height))
    score *= THERE_AND_BACK.above(_way(height)) * PICK_HIPS_HIGH.above(float(seen.joints[:, 0, 1].min()) / seen.leg)
    return score * ACT_FEET_STAY.below(longest_foot_path(seen)) * ACT_FEET_DOWN.below(_feet_rise(seen))


def _swings(seen: Observation) -> list[tuple[float, float]]:
    """Return for every hand how clearly it swings over the shoulder, 0 to 1, and how far it goes across after it."""
    window = max(2, round(SWING_TIME * float(np.sqrt(seen.leg / EARTH_GRAVITY)) * seen.fps))
    found = []
    for hand in all_hands(seen):
        best = (0.0, 0.0)
        ahead, up, out = hand.in_chest.T
        for start in range(len(seen) - 2):
            part = slice(start, start + window + 1)
            front = start + int(ahead[part].argmax())
            score = SWING_BACK.above(-float(ahead[start])) * SWING_AHEAD.above(float(ahead[front]))
            score *= SWING_HIGH.above(float(up[start : front + 1].max()))
            if score > best[0]:
                best = (score, -float(out[front : front + window // 2 + 1].min()))
        found.append(best)
    return found


def throw(seen: Observation) -> float:
    """Score of a hand that swings ahead over its shoulder from behind and stays on its side."""
    if len(seen.feet) > 4:
        return _claw_strike(seen, 0.0)
    stays = ACT_FEET_STAY.below(0.35 * longest_foot_path(seen))
    joined = _joined(seen)
    return max((s * CUT_ACROSS.below(across) for s, across in _swings(seen)), default=0.0) * stays * (1.0 - joined)


def swing_sword(seen: Observation) -> float:
    """Score of a hand that swings from behind its shoulder down across the body."""
    if len(seen.feet) > 4:
        return _claw_strike(seen, 1.0)
    stays = ACT_FEET_STAY.below(0.35 * longest_foot_path(seen))
    joined = _joined(seen)
    return max((s * CUT_ACROSS.above(across) for s, across in _swings(seen)), default=0.0) * stays * (1.0 - joined)


def _claw_strike(seen: Observation, across: float) -> float:
    """Score of a claw that is raised and strikes, across the front or not."""
    best = 0.0
    for hand in all_hands(seen):
        up, out = hand.in_chest[:, 1], hand.in_chest[:, 2]
        raised, high = span(up), float(up[int(out.argmin())] - up.min())
        aside = CLAW_ACROSS.above(span(out))
        cuts = aside * CLAW_DOWN.below(high / max(raised, 1e-9))  # a claw that waves is high at both ends
        best = max(best, CLAW_RAISED.above(raised) * (cuts if across else 1.0 - aside))
    return best


def _joined(seen: Observation) -> float:
    """Score of both hands holding one thing."""
    hands = all_hands(seen)
    if len(hands) < 2:
        return 0.0
    apart = np.linalg.norm(hands[0].end - hands[1].end, axis=1) / hands[0].length
    return HANDS_JOINED.below(float(np.quantile(apart, 0.95)))


def swing_golf_club(seen: Observation) -> float:
    """Score of joined hands that swing from high on one side, low through the middle, to high on the other."""
    hands = all_hands(seen)
    if len(hands) < 2:
        return 0.0
    side = [-1.0 if hand.left else 1.0 for hand in hands[:2]]
    up = 0.5 * (hands[0].in_chest[:, 1] + hands[1].in_chest[:, 1])
    aside = 0.5 * (side[0] * hands[0].in_chest[:, 2] + side[1] * hands[1].in_chest[:, 2])
    high = up > 0.0
    if not high.any():
        return 0.0
    far = min(float(aside[high].max()), -float(aside[high].min()))
    return _joined(seen) * CLUB_ASIDE.above(far) * CLUB_LOW.above(-float(up.min()))


def box(seen: Observation) -> float:
    """Score of two hands that go straight ahead in turn from a guard while the body stays."""
    hands = all_hands(seen)
    if len(hands) < 2:
        return 0.0
    ahead = [hand.in_chest[:, 0] for hand in hands[:2]]
    way, together, stays = min(span(a) for a in ahead), likeness(*ahead), ACT_FEET_STAY.below(longest_foot_path(seen))
    if len(seen.feet) > 4:
        return stays * CLAW_PUNCH_SPAN.above(way) * CLAWS_IN_TURN.below(together)
    score = stays * PUNCH_SPAN.above(way) * IN_TURN.below(together)
    high = min(float(hand.in_chest[:, 1].mean()) for hand in hands[:2])
    return score * PUNCH_FAR.above(min(float(a.max()) for a in ahead)) * GUARD_HIGH.above(high)


ATHLETIC_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "cartwheel": cartwheel,
    "roll": roll,
    "climb": climb,
    "squat": squat,
    "jumping jacks": jumping_jacks,
    "pick up": pick_up,
    "throw": throw,
    "swing sword": swing_sword,
    "swing golf club": swing_golf_club,
    "box": box,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
