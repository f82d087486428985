"""Definitions: gaits in other directions and manners: backwards, sideways, crawling, charging, old, drunk, proud."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.observation import Observation
from gambol.evaluate.posture_of_gaits import GaitPosture, gait_posture
from gambol.evaluate.recognise import running_logit
from gambol.evaluate.recogniser_thresholds import ALTERNATION, RUNNING, SoftThreshold
from gambol.evaluate.traits import Traits, traits_of
from gambol.motion.gravity import EARTH_GRAVITY

STEPPING = SoftThreshold(0.2, 0.03)
"""Span of the feet over the ground from which they step."""
GOING = SoftThreshold(0.06, 0.012)
"""Speed from which a body goes somewhere, square roots of g times the leg length, as all speeds here."""
STRAIGHT = SoftThreshold(0.9, 0.08)
"""Change of heading below which a body goes straight."""
SIDEWAYS = SoftThreshold(1.2, 0.1)
"""Speed to the side over the speed along the heading from which a body goes sideways."""
TURNED_AROUND = SoftThreshold(2.6, 0.1)
"""Change of heading from which a body has turned around."""

CRAWLING_BELLY = SoftThreshold(0.63, 0.02)
"""Height of the belly against that at rest below which a body crawls."""
DEEP_CROUCH = SoftThreshold(0.31, 0.02)
"""Lowering of the pelvis from which a body on two legs crawls."""
BELLY_ROOM = SoftThreshold(0.15, 0.01)
"""Height of the belly at rest from which its lowering can be judged."""
SPRAWLED_HEAD_LOW = SoftThreshold(0.04, 0.008)
"""Lowering of the head from which a slow sprawled body, near the ground anyway, crawls, and a fast one charges."""
HANDS_ON_GROUND = SoftThreshold(0.22, 0.03)
"""Height of a person's hands below which they are on the ground."""

FAST = SoftThreshold(0.62, 0.03)
"""Speed from which a body charges."""
SPRAWLED = 0.4
"""Distance of the feet beside their hips from which a body sprawls, or is as flat as a frog."""
FAST_SPRAWLED = SoftThreshold(0.33, 0.02)
"""Speed from which a sprawled body or one on more than four legs charges."""
HEAD_DOWN = SoftThreshold(-0.28, 0.03)
"""Pitch of the head below which a fast body charges."""
HEAD_NEAR_GROUND = SoftThreshold(0.11, 0.012)
"""Lowering of the head from which a fast body on four legs charges, whose head may have no room to pitch down."""
BELLY_DOWN = SoftThreshold(0.83, 0.01)
"""Height of the belly below which a fast body on more than four legs charges."""

HANDS_IN_FRONT = SoftThreshold(0.38, 0.03)
"""How far both hands are ahead of their shoulders from which they carry something."""
HANDS_BELOW = SoftThreshold(0.14, 0.02)
"""How far the hands are below their shoulders from which they carry; higher ones are stretched out."""
HANDS_STILL = SoftThreshold(0.3, 0.03)
"""Span of the hands along the body below which they hold something."""
HANDS_STRETCHED = SoftThreshold(0.62, 0.04)
"""How far both hands are ahead of their shoulders from which the arms are stretched out."""
BENT_BACK = SoftThreshold(0.3, 0.02)
"""Lean of the chest from which a back is bent."""
SHORT_STEPS = SoftThreshold(0.93, 0.03)
"""Stride below which steps are short."""
LOW_BODY = SoftThreshold(0.17, 0.01)
"""Lowering of the pelvis below which a bent walk is not a sneak."""
WEAVING = SoftThreshold(0.33, 0.03)
"""Span of the head across the way from which a body weaves."""
REELING = SoftThreshold(0.13, 0.015)
"""Span of the chest's roll from which a body reels."""
CHEST_OUT = SoftThreshold(-0.09, 0.012)
"""Lean of the chest below which it is held out."""
HEAD_UP = SoftThreshold(0.09, 0.015)
"""Pitch of the head from which it is held up."""
ARMS_SWING = SoftThreshold(0.35, 0.03)
"""Span of the hands along the body from which the arms swing far."""
WIDE_FEET = SoftThreshold(1.1, 0.05)
"""Distance of the feet across the body, against that at rest, from which they are wide apart."""
STAMPING = SoftThreshold(0.09, 0.008)
"""Height of the feet from which they stamp."""
SINKING = SoftThreshold(0.055, 0.005)
"""Vertical span of the pelvis from which a body sinks at each step."""
HEAVY_SPEED = SoftThreshold(0.42, 0.02)
"""Speed below which a walk is heavy."""


def _speed(seen: Observation, legs_per_second: float) -> float:
    """Speed in square roots of g L, the same for dynamically similar bodies."""
    return legs_per_second * float(np.sqrt(seen.leg / EARTH_GRAVITY))


def _goes_ahead(seen: Observation, posture: GaitPosture) -> float:
    return GOING.above(_speed(seen, posture.ahead)) * STRAIGHT.below(_net_turn(seen))


def _net_turn(seen: Observation) -> float:
    """Change of heading from the first half of a clip to the second one, both ways alike, radians."""
    half = len(seen) // 2
    return abs(float(seen.heading[half:].mean() - seen.heading[:half].mean()))


def _walks(seen: Observation) -> tuple[GaitPosture, Traits, float]:
    """Posture and traits of a clip, and the score of its being a walk on alternating feet."""
    posture, traits = gait_posture(seen), traits_of(seen)
    slow = FAST.below(_speed(seen, posture.ahead))
    return posture, traits, _goes_ahead(seen, posture) * STEPPING.above(traits.step) * slow


def walks_backwards(seen: Observation) -> float:
    """The feet step and the body goes against its heading."""
    posture = gait_posture(seen)
    goes = GOING.above(-_speed(seen, posture.ahead)) * STRAIGHT.below(_net_turn(seen))
    return goes * STEPPING.above(traits_of(seen).step)


def _sidesteps(seen: Observation, direction: float) -> float:
    posture = gait_posture(seen)
    aside = direction * posture.leftwards
    mostly = SIDEWAYS.above(aside / max(abs(posture.ahead), 1e-6))
    goes = GOING.above(_speed(seen, 1.6 * aside)) * STRAIGHT.below(4.0 * _net_turn(seen))
    return goes * mostly * STEPPING.above(traits_of(seen).step)


def turns_around(seen: Observation) -> float:
    """The heading changes by half a turn."""
    return TURNED_AROUND.above(gait_posture(seen).turned)


def crawls(seen: Observation) -> float:
    """The body goes ahead with the trunk close to the ground; people on hands and knees."""
    posture, traits = gait_posture(seen), traits_of(seen)
    slow = FAST_SPRAWLED.below(_speed(seen, posture.ahead))
    flat = (traits.sprawl > SPRAWLED) * SPRAWLED_HEAD_LOW.above(posture.head_low) * slow
    near = CRAWLING_BELLY.below(posture.belly) * BELLY_ROOM.above(posture.rest_belly)
    near = max(near, DEEP_CROUCH.above(traits.crouch)) if traits.feet == 2 else near
    near = near * RUNNING.below(running_logit(traits)) if traits.feet > 4 else near
    low = max(near * FAST.below(_speed(seen, posture.ahead)), flat)
    person = traits.feet == 2 and len(seen.anatomy.of(BodyPart.ARM)) >= 2 and BodyPart.TAIL not in seen.anatomy.parts
    hands = HANDS_ON_GROUND.below(posture.hands_height) if person else 1.0
    return low * hands * _goes_ahead(seen, posture) * STEPPING.above(traits.step)


def charges(seen: Observation) -> float:
    """The body goes ahead fast with its head low and ahead; many legs carry the whole body low."""
    posture, traits = gait_posture(seen), traits_of(seen)
    many, sprawled = traits.feet > 4, traits.sprawl > SPRAWLED
    fast = (FAST_SPRAWLED if many or sprawled else FAST).above(_speed(seen, posture.ahead))
    runs = RUNNING.above(running_logit(traits)) * _goes_ahead(seen, posture)
    fast = max(fast, runs) * ALTERNATION.above(traits.alternation) if many else fast
    low = HEAD_DOWN.below(posture.head_pitch)
    low = max(low, HEAD_NEAR_GROUND.above(posture.head_low)) if traits.feet == 4 else low
    low = max(low, BELLY_DOWN.below(posture.belly)) if many else low
    low = max(low, SPRAWLED_HEAD_LOW.above(posture.head_low)) if sprawled else low
    return fast * low * STRAIGHT.below(_net_turn(seen))


def carries(seen: Observation) -> float:
    """A walk with both hands held in front of the body, below the shoulders."""
    posture, _, walks = _walks(seen)
    held = HANDS_IN_FRONT.above(posture.hands_ahead) * HANDS_STILL.below(posture.hands_apart)
    return walks * held * HANDS_BELOW.above(posture.hands_down)


def walks_like_a_zombie(seen: Observation) -> float:
    """A slow walk with both arms stretched out ahead."""
    posture, _, walks = _walks(seen)
    return walks * HANDS_STRETCHED.above(posture.hands_ahead) * HANDS_BELOW.below(posture.hands_down)


def walks_like_the_old(seen: Observation) -> float:
    """A walk in short steps with a bent back."""
    posture, traits, walks = _walks(seen)
    upright = LOW_BODY.below(traits.crouch) * HANDS_STRETCHED.below(posture.hands_ahead)
    return walks * BENT_BACK.above(posture.lean) * SHORT_STEPS.below(traits.stride) * upright


def walks_like_a_drunk(seen: Observation) -> float:
    """A walk that weaves to the sides and reels."""
    posture, _, walks = _walks(seen)
    return walks * WEAVING.above(posture.weave) * REELING.above(posture.roll)


def walks_proudly(seen: Observation) -> float:
    """A walk with the chest out, the head up and swinging arms."""
    posture, _, walks = _walks(seen)
    held = CHEST_OUT.below(posture.lean) * HEAD_UP.above(posture.head_pitch)
    return walks * held * ARMS_SWING.above(posture.hands_apart)


def walks_heavily(seen: Observation) -> float:
    """A slow walk on wide feet that are lifted and stamped, the body sinking at each step."""
    posture, traits, walks = _walks(seen)
    stamps = STAMPING.above(traits.clearance) * SINKING.above(posture.sink)
    return walks * stamps * WIDE_FEET.above(posture.width) * HEAVY_SPEED.below(_speed(seen, posture.ahead))


GAIT_VARIANT_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "walk backwards": walks_backwards,
    "sidestep left": lambda seen: _sidesteps(seen, 1.0),
    "sidestep right": lambda seen: _sidesteps(seen, -1.0),
    "turn around": turns_around,
    "crawl": crawls,
    "charge": charges,
    "carry": carries,
    "zombie walk": walks_like_a_zombie,
    "old walk": walks_like_the_old,
    "drunk walk": walks_like_a_drunk,
    "proud walk": walks_proudly,
    "heavy walk": walks_heavily,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
