"""Gaits in other directions and manners: backwards, sideways, turning around, charging, crawling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gambol.creatures.gaits import gait_kinds
from gambol.creatures.gaits.arm_motion import is_short
from gambol.creatures.gaits.foot_paths import FootRoll
from gambol.creatures.gaits.gait import PIVOT_RAMP, Gait, Pivot
from gambol.creatures.gaits.gait_motion import FrameTimes, pose_gait
from gambol.creatures.gaits.hands_and_knees import crawl_on_hands_and_knees
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.people_walks import PEOPLE_WALKS
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.standing import once_phase
from gambol.creatures.gaits.strides import gait_treads, natural_speed, natural_stride, turning_share

TURN_AROUND_SECONDS = 2.6
"""How long a person takes to turn around and stand again."""
WAITING_CYCLES = 0.7
"""Cycles of the steps before and after the turn, so that all feet stand at the start and at the end."""
LONGEST_WAIT = 0.25
"""Largest share of the time that is spent so at either end."""
MOST_TURN_PER_CYCLE = 1.5
"""Largest turn of a body on two legs in one cycle of its steps, radians; others turn by `MANY_LEGS_TURN_PER_CYCLE`."""
LEAST_TURN_PER_CYCLE = 0.05
"""Turn in one cycle of steps that a body without room for its legs is given, radians."""
MANY_LEGS_TURN_PER_CYCLE = 1.0
"""Largest turn of a body on more legs in one cycle of its steps, radians."""
QUICKEST_TURN_STEPS = 2.4
"""Largest frequency of the steps of a turn, in frequencies of the walk."""
CREEP_SPLAY = 0.36
"""How far aside the feet of a creeping body are put, leg lengths: stiff forelegs lower it no further by folding."""


def walk_backwards(body: MovingBody) -> Gait:
    """Return a walk backwards: slower and shorter, toes first, the head turning to look where it goes."""
    base = gait_kinds.walk(body)
    roll = FootRoll(0.0, 0.0, -0.1) if body.sprawling else FootRoll(-0.22, 0.0, -0.2)
    waves = replace(base.waves, lean=0.0, bob=0.0, bounce=0.7 * base.waves.bounce)
    return replace(
        base,
        froude=0.55 * base.froude,
        stride=0.85,
        course=np.pi,
        lift=1.2 * base.lift + 0.02,
        roll=roll,
        waves=waves,
        narrow=max(base.narrow, 0.95),
        crouch=0.03,
        arms=0.6 * base.arms,
        head_scan=0.4,
    )


def sidestep(body: MovingBody, direction: float) -> Gait:
    """Return steps to a side, the leading foot out and the other one after it; direction +1 goes left, -1 right."""
    base = gait_kinds.walk(body)
    two = body.pairs == 1
    waves = replace(base.waves, lean=0.0, bob=0.0, counter=0.0, roll=0.4 * base.waves.roll, bounce=-base.waves.bounce)
    return replace(
        base,
        footfall=base.footfall.with_duty(-0.03),
        froude=0.6 * base.froude,
        stride=0.85 if two else 0.6,
        course=direction * 0.5 * np.pi,
        lift=1.3 * base.lift + 0.03,
        roll=FootRoll(0.0, -0.12, -0.2),
        waves=waves,
        narrow=1.1 if two else 1.0,
        crouch=0.06 if two else 0.04,
        max_sinking=0.12,
        arms=0.0,
        elbow=0.5,
    )


def charge(body: MovingBody) -> Gait:
    """Return a charge: the run at full stretch, neck and head low and ahead, the trunk leaning into it."""
    base = gait_kinds.run(body)
    upright = body.upright and body.pairs == 1
    waves = replace(
        base.waves,
        lean=base.waves.lean + (0.35 if upright else 0.05 if body.pairs == 1 else 0.0),
        neck_low=base.waves.neck_low + 0.7,
        nod=0.0,
        bob=0.0,
        steady=0.95,
        tail_raise=base.waves.tail_raise + 0.15,
    )
    return replace(
        base,
        froude=1.25 * base.froude,
        crouch=base.crouch + 0.06,
        waves=waves,
        head_tilt=-0.45 if upright else -0.5,
        hunch=0.2 if upright else 0.0,
        arms=1.15 * base.arms,
    )


def creep(body: MovingBody) -> Gait:
    """Return a crawl on folded legs: the belly near the ground, head low, short slow steps."""
    base = gait_kinds.walk(body)
    aside = float(np.mean([abs(leg.sole[2]) for leg in body.legs]))
    waves = replace(
        base.waves,
        bounce=0.0,
        bob=0.0,
        nod=0.0,
        lean=0.25 if body.upright else 0.0,
        neck_low=0.0 if body.upright else 0.75,
        sway=1.3 * base.waves.sway,
        yaw=1.3 * base.waves.yaw,
        steady=0.9,
    )
    return replace(
        base,
        footfall=base.footfall.with_duty(0.06),
        froude=0.5 * base.froude,
        stride=0.8,
        tempo=0.85,
        lift=0.07,
        narrow=1.0 + CREEP_SPLAY * body.leg_length / max(aside, 1e-9),
        roll=FootRoll(0.0, -0.1, -0.1),
        crouch=0.34 if body.long_footed else 0.5,
        belly_room=0.78,
        max_sinking=0.02,
        waves=waves,
        head_tilt=-0.15,
        arms=0.1,
        elbow=1.9,
        arms_back=-0.3,
    )


def crawl(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Crawl: people on hands and knees, all other bodies on folded legs."""
    person = body.upright and body.pairs == 1 and any(not is_short(body, arm) for arm in body.arms)
    if person and len(body.arms) == 2 and not body.tails:
        return crawl_on_hands_and_knees(body, style, times)
    return pose_gait(body, creep(body), style, times)


def turn_around(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Turn by half a turn in quick small steps on the spot, to the left (mirrored: to the right), and stand.

    The steps are so quick that no cycle of them has to turn the body further than its legs have room for.
    """
    _, seconds = once_phase(body, style, times, TURN_AROUND_SECONDS)
    base = gait_kinds.walk(body)
    walking = natural_speed(base.froude, body.leg_length) / natural_stride(base.froude, body.leg_length)
    largest = MOST_TURN_PER_CYCLE if body.pairs == 1 else MANY_LEGS_TURN_PER_CYCLE
    gait = replace(base, yaw=largest, travel=0.0, narrow=1.1)
    largest = max(largest * turning_share(body, gait, gait_treads(body, gait, style, 0.0)), LEAST_TURN_PER_CYCLE)
    cycles = np.pi / (1.0 - PIVOT_RAMP) / largest  # the turning rate is highest between the ramps
    frequency = float(np.clip((cycles + 2.0 * WAITING_CYCLES) / seconds, walking, QUICKEST_TURN_STEPS * walking))
    frequency = times.whole_cycles(frequency)
    waits = min(WAITING_CYCLES / frequency, LONGEST_WAIT * seconds)
    angle = np.pi * (-1.0 if style.mirrored else 1.0)
    waves = replace(base.waves, bob=0.0, lean=0.5 * base.waves.lean, counter=0.0)
    gait = replace(
        gait,
        yaw=0.0,
        tempo=frequency / walking / style.tempo,
        lift=base.lift + 0.04,
        roll=FootRoll(0.0, -0.15, -0.25),
        waves=waves,
        arms=0.25 * base.arms,
        pivot=Pivot(angle, waits - style.phase * seconds, seconds - 2.0 * waits),
    )
    steps = replace(style, phase=float(np.remainder(frequency * seconds * style.phase, 1.0)))
    return pose_gait(body, gait, steps, times)


def _gait(make: Callable[[MovingBody], Gait]) -> Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]:
    """Return the maker of a gait's motion."""
    return lambda body, style, times: pose_gait(body, make(body), style, times)


GAIT_VARIANTS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "walk backwards": _gait(walk_backwards),
    "sidestep left": _gait(lambda body: sidestep(body, 1.0)),
    "sidestep right": _gait(lambda body: sidestep(body, -1.0)),
    "turn around": turn_around,
    "crawl": crawl,
    "charge": _gait(charge),
    **{name: _gait(make) for name, make in PEOPLE_WALKS.items()},
}
"""Makers of these motions by their names in the vocabulary."""
