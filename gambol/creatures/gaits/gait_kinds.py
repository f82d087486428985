"""Parameters of every gait (walk, run, trot, sneak, ...) for every kind of body."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.gaits.foot_paths import FootRoll
from gambol.creatures.gaits.footfalls import (
    BOUND,
    TROT,
    alternating,
    in_phase,
    limp_footfall,
    run_footfall,
    walk_footfall,
)
from gambol.creatures.gaits.gait import Gait
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.trunk_motion import BodyWaves

HUMAN_WALK = Gait(
    walk_footfall(1),
    roll=FootRoll(0.32, -0.62, -0.85),
    lift=0.045,
    narrow=0.75,
    waves=BodyWaves(
        bounce=0.016, sway=0.03, roll=0.05, yaw=0.09, counter=0.12, lean=0.03, nod=0.02, tail_sway=0.35, steady=0.85
    ),
    arms=0.5,
)
"""Walk of upright bipeds."""
BIRD_WALK = Gait(
    walk_footfall(1),
    roll=FootRoll(0.12, -0.45, -1.0),
    lift=0.13,
    narrow=0.7,
    waves=BodyWaves(bounce=0.015, sway=0.04, roll=0.05, yaw=0.08, nod=0.0, bob=0.12, tail_sway=0.22, steady=0.9),
    arms=0.15,
)
"""Walk of bipeds with a level trunk."""
FOUR_WALK = Gait(
    walk_footfall(2),
    roll=FootRoll(0.12, -0.4, -0.75),
    lift=0.1,
    waves=BodyWaves(bounce=0.015, sway=0.02, roll=0.035, yaw=0.055, nod=0.05, tail_sway=0.3, tail_wag=0.05, steady=0.6),
)
"""Walk of quadrupeds with upright legs."""
SPRAWLING_WALK = Gait(
    walk_footfall(2, sprawling=True),
    froude=0.16,
    roll=FootRoll(0.0, -0.25, -0.35),
    lift=0.12,
    waves=BodyWaves(bounce=0.01, sway=0.02, roll=0.05, yaw=0.26, nod=0.0, tail_sway=1.3, tail_wag=0.0, steady=0.8),
)
"""Walk of quadrupeds with sprawling legs."""
MANY_WALK = Gait(
    walk_footfall(4),
    froude=0.12,
    stride=0.85,
    roll=FootRoll(0.0, 0.0, -0.2),
    lift=0.13,
    waves=BodyWaves(bounce=0.012, sway=0.015, roll=0.02, yaw=0.03, nod=0.0, tail_sway=0.06, tail_wag=0.05),
)
"""Walk of bodies with more than two pairs of legs."""


def walk(body: MovingBody) -> Gait:
    """Return the normal walk of a body."""
    if body.pairs == 1:
        if body.upright:
            return HUMAN_WALK
        return BIRD_WALK if body.wings else replace(BIRD_WALK, waves=replace(BIRD_WALK.waves, bob=0.03))
    if body.pairs == 2:
        return SPRAWLING_WALK if body.sprawling else FOUR_WALK
    many = replace(MANY_WALK, footfall=walk_footfall(body.pairs))
    if not body.long_wave:
        return many
    waves = replace(many.waves, bounce=0.0, sway=0.0, roll=0.0, yaw=0.13)
    return replace(many, waves=waves, lift=0.1, max_sinking=0.05)


def run(body: MovingBody) -> Gait:
    """Return the fastest gait: bipeds run, quadrupeds gallop, sprawling ones trot, more legs scurry."""
    base = walk(body)
    footfall = run_footfall(body.pairs, sprawling=body.sprawling, rotary=body.size < 1.6)
    if body.pairs == 1:
        if body.upright:
            waves = replace(base.waves, roll=0.06, yaw=0.12, counter=0.2, lean=0.16, sway=0.012, steady=0.9)
            roll = FootRoll(0.08, -0.75, -1.25)
            return replace(
                base,
                footfall=footfall,
                froude=1.1,
                lift=0.2,
                roll=roll,
                waves=waves,
                arms=0.75,
                elbow=1.25,
                crouch=0.02,
                max_sinking=0.08,
                arms_back=0.15,
            )
        waves = replace(base.waves, bob=0.0, lean=0.05, sway=0.015, tail_sway=0.3, neck_low=0.2)
        return replace(
            base,
            footfall=footfall,
            froude=1.0,
            lift=0.22,
            roll=FootRoll(0.1, -0.6, -1.3),
            waves=waves,
            crouch=0.05,
            max_sinking=0.12,
        )
    if body.pairs == 2 and not body.sprawling:
        waves = BodyWaves(
            bounce=0.0,
            sway=0.0,
            roll=0.03,
            yaw=0.04,
            rock=0.11,
            flex=0.2,
            nod=0.0,
            tail_sway=0.1,
            tail_wag=0.4,
            tail_raise=0.25,
            steady=0.65,
            neck_low=0.15,
        )
        return Gait(
            footfall,
            froude=2.6,
            lift=0.24,
            roll=FootRoll(0.1, -0.55, -1.25),
            crouch=0.06,
            max_sinking=0.12,
            waves=waves,
        )
    return replace(base, footfall=footfall, froude=3.0 * base.froude, lift=1.2 * base.lift, max_sinking=0.12)


def trot(body: MovingBody) -> Gait:
    """Return a trot: diagonal pairs of legs together, with a short flight."""
    waves = BodyWaves(
        bounce=0.0, sway=0.0, roll=0.02, yaw=0.05, nod=0.03, tail_sway=0.15, tail_wag=0.15, tail_raise=0.15, steady=0.85
    )
    roll = SPRAWLING_WALK.roll if body.sprawling else FootRoll(0.1, -0.5, -1.1)
    return Gait(TROT, froude=0.8, lift=0.17, roll=roll, crouch=0.03, max_sinking=0.1, waves=waves)


def sneak(body: MovingBody) -> Gait:
    """Return a sneak: low and slow, feet set down carefully, the head looking around."""
    base = walk(body)
    waves = replace(
        base.waves,
        bounce=0.0,
        lean=0.38 if body.upright else 0.0,
        neck_low=0.0 if body.upright else 0.35,
        bob=0.0,
        nod=0.0,
        sway=1.4 * base.waves.sway,
        steady=0.9,
    )
    roll = replace(
        base.roll,
        strike=0.0 if body.upright else base.roll.strike,
        push=min(base.roll.push, -0.5) if base.roll.push else 0.0,
    )
    return replace(
        base,
        footfall=base.footfall.with_duty(0.08),
        froude=0.35 * base.froude,
        stride=1.05,
        tempo=0.6,
        lift=1.9 * base.lift + 0.06,
        roll=roll,
        crouch=0.2 if not body.sprawling else 0.1,
        max_sinking=0.03,
        waves=waves,
        arms=0.2,
        elbow=1.35,
        arms_back=-0.25,
        head_scan=0.35,
    )


def march(body: MovingBody) -> Gait:
    """Return a march: stiff, knees drawn high, arms swung straight."""
    base = walk(body)
    waves = replace(
        base.waves,
        lean=-0.03,
        sway=0.5 * base.waves.sway,
        roll=0.5 * base.waves.roll,
        yaw=0.5 * base.waves.yaw,
        bounce=1.4 * base.waves.bounce,
        neck_low=-0.1,
    )
    high = 0.42 if body.pairs == 1 else 0.32
    return replace(
        base,
        footfall=base.footfall.with_duty(-0.04),
        froude=0.16,
        stride=0.8,
        lift=high,
        roll=base.roll if body.sprawling else FootRoll(0.05, -0.3, -0.75),
        waves=waves,
        arms=0.9,
        elbow=0.1,
    )


def limp(body: MovingBody) -> Gait:
    """Return a limp: one (fore)leg is spared, the body falls onto the other side and the head nods."""
    base = walk(body)
    waves = replace(
        base.waves,
        roll=3.0 * base.waves.roll,
        sway=2.4 * base.waves.sway,
        nod=0.0,
        nod_once=0.34 if body.pairs == 2 else 0.1,
        bob=0.0,
        lean=base.waves.lean + 0.05,
    )
    return replace(
        base,
        footfall=limp_footfall(body.pairs),
        froude=0.5 * base.froude,
        stride=0.8,
        lift=0.8 * base.lift,
        roll=replace(base.roll, push=0.6 * base.roll.push),
        waves=waves,
        arms=0.3,
    )


def turning(body: MovingBody, direction: float) -> Gait:
    """Return a walk on a small circle; direction +1 turns left, -1 right."""
    base = walk(body)
    flat = replace(base.roll, strike=0.3 * base.roll.strike, push=0.3 * base.roll.push)
    angle = {1: 0.75, 2: 0.4}.get(body.pairs, 0.4)
    return replace(base, yaw=direction * angle, travel=0.35, narrow=1.1, roll=flat, waves=replace(base.waves, bob=0.0))


def dance_steps(body: MovingBody) -> Gait:
    """Return dance steps on the spot, with swinging hips and a nodding head."""
    base = walk(body)
    two = body.pairs == 1
    waves = BodyWaves(
        bounce=-0.045 if two else -0.03,
        sway=0.15 if two else 0.1,
        roll=-0.16 if two else -0.12,
        yaw=0.2 if two else 0.28,
        counter=0.25,
        nod=0.16,
        tail_sway=1.3,
        tail_wag=0.2,
        tail_raise=0.3,
        steady=0.3,
    )
    return replace(
        base,
        footfall=alternating(body.pairs, 0.62 if two else 0.56),
        froude=0.2,
        tempo=0.9,
        travel=0.0,
        lift=0.24 if two else 0.3,
        roll=base.roll if body.sprawling else FootRoll(0.0, -0.4, -0.7),
        waves=waves,
        crouch=0.05,
        narrow=1.15,
        arms=0.0,
    )


def hop(body: MovingBody) -> Gait:
    """Return a hop: all legs together, in long leaps on long feet; quadrupeds bound, hind legs before forelegs."""
    base = walk(body)
    if body.pairs == 2 and not body.sprawling:
        gallop = run(body)
        return replace(
            gallop,
            footfall=BOUND,
            froude=1.1,
            stride=0.75,
            lift=0.2,
            waves=replace(gallop.waves, rock=0.16, flex=0.2, roll=0.0, yaw=0.0),
        )
    waves = replace(
        base.waves,
        bounce=0.0,
        sway=0.0,
        roll=0.0,
        yaw=0.0,
        counter=0.0,
        lean=0.1 if body.upright else 0.0,
        bob=0.0,
        tail_sway=0.0,
        tail_wag=0.35,
    )
    if body.long_footed:
        return replace(
            base,
            footfall=in_phase(1, 0.36),
            narrow=1.0,
            froude=1.3,
            stride=0.72,
            lift=0.24,
            roll=FootRoll(0.0, -0.8, -1.2),
            waves=replace(waves, lean=0.22, tail_wag=0.55, tail_raise=0.1, steady=0.9),
            crouch=0.06,
            max_sinking=0.15,
            arms=0.0,
            elbow=0.9,
        )
    if body.sits_folded:
        return replace(
            base,
            footfall=in_phase(2, 0.42),
            narrow=1.0,
            froude=0.9,
            stride=0.8,
            lift=0.25,
            waves=replace(waves, rock=0.1),
            crouch=0.0,
            max_sinking=0.15,
        )
    return replace(
        base,
        footfall=in_phase(body.pairs, 0.56),
        narrow=1.0,
        froude=0.3,
        stride=0.5,
        tempo=1.45,
        lift=0.12,
        roll=base.roll if body.sprawling else FootRoll(0.0, -0.6, -0.7),
        waves=waves,
        crouch=0.08,
        max_sinking=0.15,
        arms=0.0,
        elbow=0.9,
    )
