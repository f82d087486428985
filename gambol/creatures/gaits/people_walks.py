"""Manners of walking of people: carrying, like a zombie, old, drunk, proud, heavy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gambol.creatures.gaits.arm_motion import ArmPose
from gambol.creatures.gaits.foot_paths import FootRoll
from gambol.creatures.gaits.gait import Gait
from gambol.creatures.gaits.gait_kinds import walk
from gambol.creatures.gaits.moving_body import MovingBody


def carry(body: MovingBody) -> Gait:
    """Return a walk with both hands in front of the body, as under a load, which the trunk leans back against."""
    base = walk(body)
    waves = replace(base.waves, lean=-0.07, counter=0.3 * base.waves.counter, yaw=0.7 * base.waves.yaw)
    return replace(
        base,
        froude=0.8 * base.froude,
        stride=0.9,
        waves=waves,
        crouch=0.03,
        arms=0.05,
        held_arms=ArmPose(0.35, 0.0, 1.35, -0.3),
        hunch=-0.05,
    )


def zombie_walk(body: MovingBody) -> Gait:
    """Return a slow, stiff, uneven walk that drags a leg, both arms stretched out ahead and the head hanging."""
    base = walk(body)
    waves = replace(base.waves, lean=0.12, counter=0.0, roll=1.8 * base.waves.roll, sway=2.0 * base.waves.sway)
    return replace(
        base,
        froude=0.45 * base.froude,
        stride=0.75,
        tempo=0.85,
        roll=FootRoll(0.05, -0.25, -0.3),
        lift=0.8 * base.lift,
        waves=waves,
        stagger=0.05,
        uneven=0.5,
        hunch=0.18,
        head_tilt=-0.2,
        arms=0.12,
        held_arms=ArmPose(1.75, 0.0, 0.12, 0.0),
    )


def old_walk(body: MovingBody) -> Gait:
    """Return a slow walk with short shuffling steps on bent knees, the back bent and the head held up against it."""
    base = walk(body)
    waves = replace(base.waves, lean=0.2, counter=0.4 * base.waves.counter, bounce=0.5 * base.waves.bounce)
    return replace(
        base,
        froude=0.45 * base.froude,
        stride=0.6,
        tempo=0.85,
        roll=FootRoll(0.08, -0.25, -0.3),
        lift=0.6 * base.lift,
        crouch=0.07,
        max_sinking=0.03,
        waves=waves,
        hunch=0.6,
        head_tilt=-0.1,
        arms=0.15,
        elbow=0.75,
        arms_back=-0.15,
        uneven=0.1,
    )


def drunk_walk(body: MovingBody) -> Gait:
    """Return a walk that weaves and staggers, feet apart, arms and head loose."""
    base = walk(body)
    waves = replace(base.waves, sway=2.5 * base.waves.sway, roll=2.2 * base.waves.roll, yaw=1.6 * base.waves.yaw)
    return replace(
        base,
        froude=0.55 * base.froude,
        stride=0.85,
        lift=1.5 * base.lift,
        narrow=1.25,
        crouch=0.03,
        waves=replace(waves, steady=0.35),
        weave=0.22,
        stagger=0.16,
        uneven=0.2,
        head_tilt=-0.15,
        arms=0.35,
        held_arms=ArmPose(0.15, 0.3, 0.45, 0.3),
    )


def proud_walk(body: MovingBody) -> Gait:
    """Return a walk with the chest out, the head up, long springy steps and arms that swing far."""
    base = walk(body)
    waves = replace(base.waves, lean=-0.05, bounce=1.6 * base.waves.bounce, counter=1.5 * base.waves.counter)
    return replace(
        base,
        stride=1.08,
        tempo=0.92,
        lift=1.6 * base.lift,
        waves=replace(waves, steady=0.95),
        hunch=-0.22,
        head_tilt=0.2,
        arms=0.65,
        elbow=0.3,
    )


def heavy_walk(body: MovingBody) -> Gait:
    """Return a slow walk on wide feet that lifts them high, stamps and sinks into each step, rocking to the sides."""
    base = walk(body)
    waves = replace(
        base.waves, lean=0.08, bounce=0.05, sway=3.2 * base.waves.sway, roll=2.6 * base.waves.roll, nod=0.08
    )
    return replace(
        base,
        froude=0.6 * base.froude,
        stride=0.85,
        tempo=0.82,
        roll=FootRoll(0.1, -0.3, -0.4),
        lift=2.6 * base.lift,
        narrow=1.7,
        crouch=0.09,
        max_sinking=0.06,
        waves=waves,
        hunch=0.12,
        arms=0.45,
        held_arms=ArmPose(0.0, 0.3, 0.55, -0.3),
    )


PEOPLE_WALKS: dict[str, Callable[[MovingBody], Gait]] = {
    "carry": carry,
    "zombie walk": zombie_walk,
    "old walk": old_walk,
    "drunk walk": drunk_walk,
    "proud walk": proud_walk,
    "heavy walk": heavy_walk,
}
"""Gaits of people by their names in the vocabulary."""
