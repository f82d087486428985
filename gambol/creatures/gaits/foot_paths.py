"""Paths of feet: a fixed footprint in stance, a lifted arc to the next one in swing, rolling from heel to toe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.gaits.leg_geometry import ROLL_ANGLES, Leg
from gambol.creatures.gaits.pose_builder import UP_AXIS
from gambol.motion.folding_limb_ik import turn


@dataclass(frozen=True)
class FootprintPairs:
    """Per frame, the footprint that a foot stands on (or comes from) and the one that it goes to."""

    before: Float[ndarray, "frames 3"]
    """Position of the sole's middle on the footprint before, metres."""
    after: Float[ndarray, "frames 3"]
    """Position of the sole's middle on the next footprint, metres."""
    heading_before: Float[ndarray, "frames"]
    """Heading of the footprint before, radians."""
    heading_after: Float[ndarray, "frames"]
    """Heading of the next footprint, radians."""


@dataclass(frozen=True)
class FootRoll:
    """Pitch of a foot over its cycle, radians, toes up positive."""

    strike: float = 0.25
    """Pitch at touch-down."""
    push: float = -0.5
    """Pitch at lift-off; negative has the heel up."""
    droop: float = -0.7
    """Pitch early in the swing."""
    rock: float = 0.0
    """How far it pitches with the leg during the whole stance, to either side (a stiff foot, a hoof)."""


@dataclass(frozen=True)
class FootPath:
    """Position and rotation of a foot over time."""

    sole: Float[ndarray, "frames 3"]
    """Position of the sole's middle, metres."""
    rotation: Float[ndarray, "frames 3 3"]
    """Rotation D of the foot from rest, in world axes."""
    toe_angle: Float[ndarray, "frames"]
    """Angle of the toes up against the foot, radians."""
    stance: Bool[ndarray, "frames"]
    """Whether the foot is planned to stand."""
    clearance: Float[ndarray, "frames"]
    """Height of the lowest point of the sole above the ground, metres."""


def swing_progress(share: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """Return the minimum-jerk progress of a swing, 10 s^3 - 15 s^4 + 6 s^5, at rest at both ends."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)


def swing_lift(share: Float[ndarray, "frames"], height: float) -> Float[ndarray, "frames"]:
    """Return the lift of a swing, a bump of height 1 with flat ends: (4 w (1 - w))^p, w = s^0.9.

    p grows from 1.5 to 2.2 with the height of the step in leg lengths: low steps leave the ground at once, high ones
    gather speed.
    """
    w = np.clip(share, 0.0, 1.0) ** 0.9
    return (4.0 * w * (1.0 - w)) ** float(np.clip(1.35 + 3.0 * height, 1.5, 2.2))


def roll_pitch(
    phase: Float[ndarray, "frames"], duty: float, roll: FootRoll, flat: tuple[float, float] = (0.22, 0.55)
) -> Float[ndarray, "frames"]:
    """Return the pitch of a foot over its own cycle: strike at touch-down, flat, push at lift-off, droop, and back.

    A monotone cubic (PCHIP) through these; `flat` is the span of the stance in which the sole lies on the ground.
    """
    from scipy.interpolate import PchipInterpolator

    r = roll.rock
    swing = 1.0 - duty
    knots = [
        (0.0, roll.strike + r),
        (flat[0] * duty, 0.6 * r),
        (flat[1] * duty, -0.2 * r),
        (duty, roll.push - r),
        (duty + 0.25 * swing, roll.droop - r),
        (duty + 0.86 * swing, roll.strike + r),
    ]
    x, y = np.array(knots).T
    x = np.concatenate([x - 1.0, x, x + 1.0])
    return PchipInterpolator(x, np.tile(y, 3))(phase)


def roll_displacement(
    leg: Leg, pitch: Float[ndarray, "frames"], toe_turn: Float[ndarray, "frames"]
) -> tuple[Float[ndarray, "frames"], Float[ndarray, "frames"]]:
    """Return how far the sole's middle shifts ahead and rises as the foot pitches on the ground (see `RollTable`).

    Toes that are bent less than the foot is tilted push it up further: -min_i (R(p) j + R(p + q) t_i)_y.
    """
    shift, rise = (np.interp(pitch, ROLL_ANGLES, table) for table in (leg.roll.shift, leg.roll.rise))
    if len(leg.roll.toes):
        (j, k), (a, b) = leg.roll.toe_joint, leg.roll.toes.T
        low = (np.sin(pitch + toe_turn)[:, None] * a + np.cos(pitch + toe_turn)[:, None] * b).min(1)
        rise = np.maximum(rise, -(j * np.sin(pitch) + k * np.cos(pitch) + low))
    return shift, rise


def toe_bend(
    leg: Leg, pitch: Float[ndarray, "frames"], bump: Float[ndarray, "frames"] | float
) -> Float[ndarray, "frames"]:
    """Return the angle of the toes: flat on the ground while the heel is up, half of that in the air."""
    return -np.minimum(pitch, 0.0) * (1.0 - 0.5 * np.asarray(bump)) if leg.toes is not None else np.zeros(len(pitch))


def foot_path(
    leg: Leg,
    phase: Float[ndarray, "frames"],
    duty: float,
    prints: FootprintPairs,
    pitch: Float[ndarray, "frames"],
    lift: Float[ndarray, "frames"] | float,
    carried: Float[ndarray, "frames"] | float = 0.0,
) -> FootPath:
    """Make the path of a foot: stance for a leg phase below `duty`, swing above it, with a clearance of `lift` metres.

    `carried` raises the foot further where it hangs on a body in flight, metres.
    """
    stance = phase < duty
    share = np.clip((phase - duty) / (1.0 - duty), 0.0, 1.0)
    bump = swing_lift(share, float(np.max(lift)) / max(leg.length, 1e-9))
    going = swing_progress(share)[:, None]
    middle = prints.before + going * (prints.after - prints.before)
    heading = prints.heading_before + going[:, 0] * (prints.heading_after - prints.heading_before)
    toe_turn = toe_bend(leg, pitch, bump)
    shift, rise = roll_displacement(leg, pitch, toe_turn)
    tip = np.hypot(rise, 0.2 * (leg.heel + leg.ball) * bump)  # rounds the corner where the foot tips over
    faced = turn(UP_AXIS, heading)
    up = tip + lift * bump + carried
    middle = middle + shift[:, None] * (faced @ leg.ahead) + up[:, None] * UP_AXIS
    return FootPath(middle, foot_rotation(leg, heading, pitch), toe_turn, stance, up - rise)


def foot_rotation(
    leg: Leg, heading: Float[ndarray, "frames"], pitch: Float[ndarray, "frames"]
) -> Float[ndarray, "frames 3 3"]:
    """Return D of a foot that faces `heading` and pitches by `pitch` about the horizontal axis across it."""
    return turn(UP_AXIS, heading) @ turn(pitch_axis(leg), pitch)


def pitch_axis(leg: Leg) -> Float[ndarray, "3"]:
    """Return the horizontal axis about which a positive rotation lifts the toes."""
    return np.cross(leg.ahead, UP_AXIS)
