"""All numbers of the rule-based recogniser and of the traits it looks at.

They were tuned on the labelled clips of the training split (character files and motion capture) and on creatures made
by code, so that each rule accepts its own label and few others (`benchmarks/judge.py`). Lengths are leg lengths (half
the size of a body without legs) and speeds leg lengths per second unless a sentence says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SoftThreshold:
    """A threshold that scores 0 to 1 with a logistic transition."""

    at: float
    """Value that scores one half."""
    width: float
    """Distance from `at` over which the score changes from 0.5 to 0.73."""

    def above(self, value: float) -> float:
        """Score of being above: 1 / (1 + exp((at - value) / width))."""
        return float(1.0 / (1.0 + np.exp(np.clip((self.at - value) / self.width, -50.0, 50.0))))

    def below(self, value: float) -> float:
        """Score of being below: 1 - above(value)."""
        return 1.0 - self.above(value)


@dataclass(frozen=True)
class RunningLogit:
    """Coefficients of the logit that tells a run from a walk; see `recognise.running_logit`."""

    bias: float
    """Constant term."""
    duty: float
    """Weight of the share of time that a foot is on the ground; it counts against a run."""
    sweep: float
    """Weight of the share of the cycle in which a foot goes back with the ground; it counts against a run."""
    frequency: float
    """Weight of the logarithm of the stride frequency in hertz."""
    stride: float = 0.0
    """Weight of the logarithm of the stride length."""
    bounce: float = 0.0
    """Weight of the bounce, -1 (vaults over the standing leg) to 1 (bounces)."""


# Pieces of a clip and smoothing

PIECE_SECONDS = 2.0
"""Length of the pieces that long clips are judged in, seconds."""
PIECE_STRIDES = 1.5
"""Least length of those pieces in strides, where the feet step."""
PIECE_OVERHANG = 1.5
"""A clip no longer than this many pieces is judged as a whole."""
PATH_SWAY_SECONDS = 0.25
"""Standard deviation of the smoothing that takes the sway out of the body's path, seconds."""
SPAN_QUANTILES = (0.97, 0.03)
"""Upper and lower quantile over the frames between which a span is measured."""
GROUND_LEVEL_QUANTILE = 0.1
"""Quantile over the frames of the lowest foot's height that is taken as ground level."""
HEAD_LOW_QUANTILE = 0.05
"""Quantile over the frames of the head's height that is taken as its lowest place."""
HEAD_FAST_QUANTILE = 0.97
"""Quantile over the frames of the head's speed that is taken as its fastest."""
HAND_ABOVE_SHOULDER = 0.05
"""Height above its shoulder from which a hand counts as raised, arm lengths."""
SHORTEST_TURN_PATH = 0.6
"""Least path that a turn is divided by."""
SMALLEST_REACH = 0.1
"""Least sum of left and right reach that their difference is divided by."""
SMALLEST_STRIDE = 0.1
"""Least stride that other numbers are divided by."""

# Bodies

SPRAWLED_FEET = 0.5
"""Distance of the feet beside their hips from which a body sprawls as lizards do: dogs have 0 to 0.1, crocodiles 1."""

# Turns

TURN_ANGLE = SoftThreshold(0.29, 0.03)
"""Angle from which a change of heading is a turn, radians."""
TURN_TIGHTNESS = SoftThreshold(0.37, 0.03)
"""Turn per length of path from which it is a turn and not a curve, radians per leg length."""

# Bodies without legs

LEGLESS_SPEED = SoftThreshold(0.12, 0.03)
"""Speed from which a body without legs slithers."""
LEGLESS_BITE_SPEED = SoftThreshold(1.2, 0.15)
"""Speed of the head from which a resting body without legs bites."""

# Bodies without legs that have fins

SWIM_LAG = SoftThreshold(0.35, 0.05)
"""Lag of the body's wave from front to tail from which it travels backwards, radians: 0 is a standing wave.

Made swims have 0.58 and more; a body that is bent to and fro as a whole has 0."""
SWIM_WAVE = SoftThreshold(0.035, 0.006)
"""Span of the wave at its widest from which a body that goes swims, sizes."""
SWIM_WAVE_IN_PLACE = SoftThreshold(0.09, 0.01)
"""Span of the wave at its widest from which a body swims without going anywhere, as clips in place do, sizes."""
SWIM_RHYTHM = SoftThreshold(0.75, 0.04)
"""Share of the body's motion that one frequency explains from which it is a wave."""
BREACH_RISE = SoftThreshold(0.45, 0.04)
"""Rise of the root from which a finned body leaps; swims stay within 0.2."""
FIN_BITE_SPEED = SoftThreshold(0.9, 0.08)
"""Speed of the head relative to the root from which a finned body bites."""
FIN_DART_SPEED = SoftThreshold(0.2, 0.03)
"""Speed along its path from which a finned body that comes back to its place bites; hovering has 0.03."""

# What all rules for bodies with legs share

WING_SWING = SoftThreshold(0.5, 0.05)
"""Up and down of the wing tips from which the wings flap."""
STEP_LENGTH = SoftThreshold(0.25, 0.03)
"""Distance that feet go under their hips and over the ground from which they step."""
ALTERNATION = SoftThreshold(0.3, 0.1)
"""Alternation (-1 together to 1 in turns) from which left and right feet alternate."""
STAYING_SPEED = SoftThreshold(0.3, 0.04)
"""Speed below which a body stays where it is."""
GOING_SPEED = SoftThreshold(0.2, 0.03)
"""Speed from which a body with a galloping rhythm goes."""
RHYTHM = SoftThreshold(0.5, 0.03)
"""Share of the feet's motion that one stride frequency explains from which they have a rhythm.

Labelled gaits have 0.76 and more, shuffled frames 0.2."""
FLYING_AIRBORNE = SoftThreshold(0.6, 0.05)
"""Share of the frames in the air below which flapping and a jump are a jump, and above which they are flight."""
STILL_AMOUNT = SoftThreshold(0.1, 0.01)
"""Motion amount below which a body is still, sizes per second."""
STILL_RISE = SoftThreshold(0.11, 0.01)
"""Rise of the body below which it is still, sizes."""
DANCE_SCORE = 0.7
"""Score of a dance: of anything lively in place that no other rule names."""

# Walk or run

STRIDE_HZ_RANGE = (0.3, 1.2)
"""Stride frequencies below and above count as these, hertz."""
LARGEST_SWEEP = 1.0
"""Larger shares of the cycle in which a foot goes back with the ground count as this."""
LONGEST_RUNNING_STRIDE = 2.6
"""Longer strides of bodies with four legs count as this."""
LARGEST_BOUNCE = 0.03
"""Amplitude of the vault (`Traits.vault`) that counts as a bounce of 1."""
BIPED_RUNNING = RunningLogit(bias=7.2, duty=3.8, sweep=12.0, frequency=6.4, bounce=1.9)
"""Logit of two legs, by logistic regression on labelled walks and runs of the training split."""
QUADRUPED_RUNNING = RunningLogit(bias=0.6, duty=2.6, sweep=8.0, frequency=2.2, stride=6.2)
"""Logit of three and four legs, by logistic regression on labelled walks and runs of the training split."""
MANY_LEGS_DUTY, MANY_LEGS_DUTY_WEIGHT = 0.655, 40.0
"""Share of time on the ground below which five and more legs run, and the weight of the difference in the logit."""
MANY_LEGS_SWEEP, MANY_LEGS_SWEEP_WEIGHT = 0.59, 30.0
"""Share of the cycle that feet go back below which five and more legs run, and its weight in the logit."""
RUNNING = SoftThreshold(0.0, 0.5)
"""Logit from which an alternating gait is a run."""

# Trot and pace (four legs)

TROT_DIAGONAL = SoftThreshold(0.75, 0.05)
"""Diagonality (-1 pace to 1 trot) from which diagonal pairs of feet go together."""
TROT_DUTY = SoftThreshold(0.68, 0.02)
"""Share of time on the ground below which that is a trot."""
TROT_LEAST_LOGIT = SoftThreshold(-2.8, 0.15)
"""Running logit above which that is a trot, and not a walk."""
TROT_LARGEST_LOGIT = SoftThreshold(0.0, 0.2)
"""Running logit below which that is a trot, and not a run."""
PACE_DIAGONAL = SoftThreshold(-0.75, 0.05)
"""Diagonality below which the feet of one side go together."""
PACE_DUTY = SoftThreshold(0.5, 0.02)
"""Share of time on the ground below which that is a pace, which counts as a trot."""
EXACT_TROT_DIAGONAL = SoftThreshold(0.988, 0.002)
"""Diagonality from which a fast gait is a trot as well; sprawled bodies run so."""
EXACT_TROT_STRIDE = SoftThreshold(2.7, 0.05)
"""Stride below which such a fast gait is a trot."""

# Styles of walking

LIMP_UNEVENNESS = SoftThreshold(0.2, 0.01)
"""Difference of left and right (`Traits.uneven`) from which a walk is a limp."""
SNEAK_CROUCH = SoftThreshold(0.15, 0.01)
"""Lowering of the body from which a walk is a sneak, for up to four legs."""
SNEAK_CROUCH_MANY_LEGS = SoftThreshold(0.2, 0.01)
"""Lowering of the body from which a walk is a sneak, for five and more legs."""
MARCH_CLEARANCE = SoftThreshold(0.15, 0.015)
"""Height of the feet from which a walk is a march."""
MARCH_CLEARANCE_SPRAWLED = SoftThreshold(0.34, 0.015)
"""Height of the feet from which a walk of a sprawled body on up to four legs is a march: its feet lift high anyway."""
MARCH_STEEPNESS = SoftThreshold(0.2, 0.01)
"""Height of the feet as a share of the stride from which a walk is a march, for up to four legs."""
MARCH_STEEPNESS_MANY_LEGS = SoftThreshold(0.34, 0.01)
"""Height of the feet as a share of the stride from which a walk is a march, for five and more legs."""

# Actions in place

KICK_REACH = SoftThreshold(0.42, 0.03)
"""Distance by which one foot goes farther than the others from which it kicks."""
KICK_FLIGHT_REACH = 0.2
"""Addition to `KICK_REACH` where the body leaves the ground."""
KICK_LEAVES_GROUND = SoftThreshold(0.1, 0.01)
"""Height of the lowest foot from which the body leaves the ground while it kicks."""
KICK_LARGEST_FLIGHT = SoftThreshold(0.4, 0.03)
"""Height of the lowest foot below which that is a kick, and not a jump."""
LIVELY_HAND_SPEED = SoftThreshold(0.6, 0.06)
"""Speed of the faster hand from which it does something."""
WAVE_HAND_HIGH = SoftThreshold(0.4, 0.04)
"""Share of the frames with a raised hand from which a lively hand waves."""
WAVE_FOOT_SWING = SoftThreshold(0.07, 0.01)
"""Swing of the feet below which a lively hand waves."""
PUNCH_REACH = SoftThreshold(0.24, 0.02)
"""Distance that the hand goes away from its shoulder and back from which it punches, arm lengths."""
PUNCH_HAND_SPEED = SoftThreshold(0.9, 0.06)
"""Speed of the faster hand from which it punches."""
EAT_HEAD_DROP = SoftThreshold(0.74, 0.03)
"""Distance of the head below its rest height from which it eats."""
EAT_HEAD_DIP = SoftThreshold(0.12, 0.02)
"""Up and down of the head from which it eats."""
BITE_HEAD_SPEED = SoftThreshold(2.5, 0.15)
"""Speed of the head from which it bites."""
BITE_FOOT_SWING = SoftThreshold(0.04, 0.01)
"""Swing of alternating feet above which a fast head is part of a gait, and not a bite."""

# Jumps

LEAP_FLIGHT = SoftThreshold(0.05, 0.01)
"""Height of the lowest foot from which a leap leaves the ground."""
LEAP_RISE = SoftThreshold(0.27, 0.03)
"""Rise of the body from which it leaps."""
LEAP_FOOT_SWING = SoftThreshold(0.3, 0.04)
"""Swing of the feet below which a rise is a leap even where the feet alternate."""
LEAP_HIGH_RISE = SoftThreshold(0.72, 0.04)
"""Rise of the body from which it leaps even where the feet alternate and swing."""
GALLOP_STRIDE = SoftThreshold(2.1, 0.05)
"""Stride of four and more legs from which a leap is a gallop."""
GALLOP_LARGEST_RISE = SoftThreshold(0.6, 0.05)
"""Rise of the body below which that is a gallop."""
GALLOP_FOOT_SWING = SoftThreshold(0.4, 0.05)
"""Swing of the feet from which that is a gallop."""
HOP_ALTERNATION = SoftThreshold(-0.8, 0.04)
"""Alternation below which two or three feet hop together."""
HOP_ALTERNATION_FOUR_LEGS = SoftThreshold(-0.97, 0.01)
"""Alternation below which the pairs of four and more legs hop together."""
HOP_STRIDE = SoftThreshold(2.4, 0.05)
"""Stride of four and more legs below which they hop."""
HOP_FLIGHT = SoftThreshold(0.04, 0.01)
"""Height of the lowest foot from which two or three feet hop."""
HOP_FOOT_SWING = SoftThreshold(0.2, 0.03)
"""Swing of the feet from which a body hops."""
HOP_SPEED = SoftThreshold(0.6, 0.05)
"""Speed from which a body hops along."""
