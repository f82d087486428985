"""Body plan of crabs and lobsters: eight legs beside a shell, two pincers, eyes on stalks, perhaps a tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.arthropod_parts import jointed_leg, leg_points, out_direction, pincer_arm
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

CRAB_LEG_DIRECTIONS = (0.92, 1.36, 1.82, 2.3)
"""Direction of each pair of legs, radians from straight ahead."""
CRAB_LEG_REACHES = (0.96, 1.06, 1.02, 0.86)
"""Reach of each pair of legs as a factor of the shape's `reach`."""
CRAB_TAIL_BONES = 3
"""Number of tail bones of a body that has a tail."""
SMALLEST_TAIL = 0.1
"""Length of the tail from which a body has tail bones, in shell widths."""


@dataclass(frozen=True)
class CrabShape:
    """Proportions of a crab; lengths are shares of the shell's width."""

    shell: float = ranged(0.02, 0.9, 0.14)
    """Width of the shell, metres."""
    length: float = ranged(0.5, 2.4, 0.74)
    """Length of the shell."""
    depth: float = ranged(0.26, 0.7, 0.4)
    """Height of the shell."""
    lift: float = ranged(0.1, 0.6, 0.24)
    """Height of the shell's underside above the ground."""
    arm: float = ranged(0.35, 1.4, 0.62)
    """Length of the arms without the claws."""
    claw: float = ranged(0.25, 1.1, 0.52)
    """Length of the claws."""
    claw_width: float = ranged(0.2, 0.5, 0.33)
    """Radius of the claws per their length."""
    reach: float = ranged(0.4, 2.6, 0.8)
    """How far the feet stand from the shell's side."""
    knee: float = ranged(0.3, 2.0, 0.62)
    """Height of the knees."""
    limb: float = ranged(0.025, 0.1, 0.055)
    """Radius of a leg at its thickest."""
    stalk: float = ranged(0.04, 0.3, 0.1)
    """Length of the eyes' stalks."""
    tail: float = ranged(0.0, 3.0, 0.0)
    """Length of a lobster's tail; 0 is a crab's, folded under the body."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_crab(name: str, s: CrabShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a crab: the root is the shell; there is no head."""
    builder = PlanBuilder()
    W, half = s.shell, 0.5 * s.shell
    long, high = 0.5 * s.length * W, 0.5 * s.depth * W
    centre = np.array([0.0, s.lift * W + high, 0.0])
    builder.chain(["Hips"], None, [centre, centre + long * Z_FORWARD], BodyPart.TORSO)
    _shell(builder, s, coat, centre)
    if s.tail > SMALLEST_TAIL:
        _tail(builder, s, coat, centre - 0.75 * long * Z_FORWARD)
    for aside, ahead in ((0.3, 0.9),):
        stalk = centre + np.array([aside * half, 0.3 * high, ahead * long])
        tip = stalk + s.stalk * W * np.array([0.25, 0.85, 0.45])
        builder.cone(
            "Hips",
            stalk - 0.1 * W * Z_FORWARD,
            tip,
            0.035 * W,
            0.03 * W,
            both=True,
            group=builder.group("stalk.L", 0.02 * W),
        )
        builder.eye(
            "Hips",
            tip,
            0.045 * W,
            Z_FORWARD + 0.5 * X_LEFT + 0.3 * Y_UP,
            coat.eye,
            coat.eye,
            pupil_angle=0.0,
            iris_angle=4.0,
        )
    shoulder = centre + np.array([0.5 * half, -0.1 * high, 0.6 * long])
    elbow = shoulder + s.arm * W * np.array([0.36, 0.08, 0.28])
    wrist = elbow + s.arm * W * np.array([0.04, 0.06, 0.42])
    tip = wrist + s.claw * W * np.array([-0.42, -0.06, 0.9])
    girth = s.claw_width * s.claw * W
    pincer_arm(
        builder, coat, "Hips", [shoulder, elbow, wrist, tip], max(0.36 * girth, s.limb * W), girth=girth, finger=0.48
    )
    spread = np.linspace(0.45, -0.6, len(CRAB_LEG_DIRECTIONS)) * long
    for pair, (angle, share, place) in enumerate(zip(CRAB_LEG_DIRECTIONS, CRAB_LEG_REACHES, spread, strict=True)):
        out = out_direction(angle)
        edge = half * np.sqrt(max(1.0 - (place / long) ** 2, 0.3)) * (0.86 if s.length < 1.2 else 0.7)
        root = centre + np.array([0.55 * edge, -0.45 * high, place])
        hinge = centre + np.array([edge, -0.4 * high, place + 0.08 * W * out[2]])
        up = s.knee * W * (0.8 + 0.2 * share)
        points = leg_points(
            root, hinge, out, reach=s.reach * W * share, knee=(0.42, up), ankle=(0.82, 0.3 * s.knee * W)
        )
        names = [f"{bone}{pair + 1}.L" for bone in ("Coxa", "Femur", "Tibia", "Tarsus")]
        jointed_leg(builder, "Hips", names, points, s.limb * W, pair=pair)
        builder.refine(points[-1] + Y_UP * 0.12 * W, 0.3 * W, 0.3)
    return builder.build(name, coat, gap=0.0)


def _shell(builder: PlanBuilder, s: CrabShape, coat: Coat, centre: ndarray) -> None:
    """Add the shell: the hull of balls from left to right, or from back to front where it is longer than wide."""
    W, half = s.shell, 0.5 * s.shell
    long, high = 0.5 * s.length * W, 0.5 * s.depth * W
    across = X_LEFT if s.length < 1.0 else Z_FORWARD
    wide, thick = (half, long) if s.length < 1.0 else (long, half)
    squash = float(np.clip(high / thick, 0.3, 1.0))
    away = max(wide - 0.95 * thick, 0.02 * W)
    flat: ConeOptions = {"squash": squash, "squash_axis": Y_UP, "blend": 0.12 * W}
    front = centre + 0.06 * W * Z_FORWARD
    builder.cone("Hips", front - away * across, front + away * across, 0.95 * thick, 0.95 * thick, **flat)
    if s.length < 1.0:  # shoulders of the shell are wider than its rear
        builder.cone(
            "Hips",
            front - 0.97 * (half - 0.3 * thick) * X_LEFT + 0.2 * thick * Z_FORWARD,
            front + 0.97 * (half - 0.3 * thick) * X_LEFT + 0.2 * thick * Z_FORWARD,
            0.5 * thick,
            0.5 * thick,
            **flat,
        )
    builder.cone(
        "Hips",
        centre + 0.3 * high * Y_UP - 0.2 * away * across,
        centre + 0.3 * high * Y_UP + 0.2 * away * across,
        0.66 * thick,
        0.66 * thick,
        **flat,
    )
    builder.refine(centre + long * Z_FORWARD + 0.3 * high * Y_UP, 0.35 * W, 0.4)


def _tail(builder: PlanBuilder, s: CrabShape, coat: Coat, start: ndarray) -> None:
    W = s.shell
    step = s.tail * W / CRAB_TAIL_BONES
    points = [start]
    for slope in (0.02, -0.12, -0.3):
        points.append(points[-1] + step * np.array([0.0, slope, -1.0]))
    lowest = min(0.0, float(min(p[1] for p in points)) - 0.2 * W)
    points = [p - lowest * Y_UP if k > 1 else p for k, p in enumerate(points)]
    names = [f"Tail{k + 1}" for k in range(CRAB_TAIL_BONES)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    builder.limb(BodyPart.TAIL, names)
    for k, name in enumerate(names):
        for part in (0.0, 0.5):
            a = (1.0 - part) * points[k] + part * points[k + 1]
            b = (0.6 - part) * points[k] + (0.4 + part) * points[k + 1]
            size = W * (0.36 - 0.05 * (k + part))
            builder.cone(name, a, b, size, 0.95 * size, squash=0.7, squash_axis=Y_UP, blend=0.02 * W)
    fan: ConeOptions = {"squash": 0.22, "squash_axis": Y_UP, "blend": 0.03 * W, "colour": coat.hair}
    end = points[-1]
    builder.cone(names[-1], end, end - 0.28 * W * Z_FORWARD, 0.14 * W, 0.2 * W, **fan)
    builder.cone(
        names[-1],
        end + 0.1 * W * X_LEFT,
        end + 0.3 * W * X_LEFT - 0.22 * W * Z_FORWARD,
        0.12 * W,
        0.17 * W,
        both=True,
        **fan,
    )
