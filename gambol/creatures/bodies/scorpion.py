"""Body plan of scorpions: eight legs, two pincers, and a raised tail with a sting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.arthropod_parts import jointed_leg, leg_points, out_direction, pincer_arm
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

SCORPION_LEG_DIRECTIONS = (1.0, 1.42, 1.86, 2.34)
"""Direction of each pair of legs, radians from straight ahead."""
SCORPION_LEG_REACHES = (0.8, 0.92, 1.02, 1.2)
"""Reach of each pair of legs as a factor of the shape's `reach`."""
SCORPION_TAIL_BONES = 6
"""Number of tail bones behind the abdomen; the last one is the sting."""


@dataclass(frozen=True)
class ScorpionShape:
    """Proportions of a scorpion; lengths are shares of its body without claws and tail."""

    body: float = ranged(0.02, 0.9, 0.09)
    """Length of the body without claws and tail, metres."""
    width: float = ranged(0.25, 0.62, 0.4)
    """Width of the body."""
    lift: float = ranged(0.06, 0.4, 0.13)
    """Height of the body's underside above the ground."""
    tail: float = ranged(0.6, 2.2, 1.3)
    """Length of the tail."""
    tail_width: float = ranged(0.05, 0.16, 0.085)
    """Radius of the tail."""
    curl: float = ranged(1.4, 4.4, 3.4)
    """Angle by which the tail is curled upwards and ahead, radians."""
    arm: float = ranged(0.4, 1.3, 0.78)
    """Length of the arms without the claws."""
    claw: float = ranged(0.25, 0.9, 0.5)
    """Length of the claws."""
    claw_width: float = ranged(0.18, 0.5, 0.3)
    """Radius of the claws per their length."""
    reach: float = ranged(0.35, 1.3, 0.62)
    """How far the feet stand from the body's side."""
    knee: float = ranged(0.15, 0.8, 0.34)
    """Height of the knees."""
    limb: float = ranged(0.02, 0.07, 0.036)
    """Radius of a leg at its thickest."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_scorpion(name: str, s: ScorpionShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a scorpion: the root is the front body, abdomen and tail are its tail."""
    builder = PlanBuilder()
    B, half = s.body, 0.5 * s.width * s.body
    centre = np.array([0.0, s.lift * B + 0.5 * half, 0.0])
    face = centre + 0.2 * B * Z_FORWARD
    nose = face + 0.12 * B * Z_FORWARD - 0.02 * B * Y_UP
    builder.chain(["Hips"], None, [centre, face], BodyPart.TORSO)
    builder.chain(["Head"], "Hips", [face, nose], BodyPart.HEAD)
    flat: ConeOptions = {"squash": 0.55, "squash_axis": Y_UP, "blend": 0.2 * half}
    builder.cone("Hips", centre - 0.12 * B * Z_FORWARD, centre + 0.06 * B * Z_FORWARD, half, 0.88 * half, **flat)
    builder.cone("Hips", centre + 0.06 * B * Z_FORWARD, face - 0.02 * B * Z_FORWARD, 0.88 * half, 0.5 * half, **flat)
    builder.cone("Head", face - 0.03 * B * Z_FORWARD, face + 0.05 * B * Z_FORWARD, 0.5 * half, 0.36 * half, **flat)
    jaw = face + 0.05 * B * Z_FORWARD + 0.16 * half * X_LEFT
    builder.cone(
        "Head",
        jaw,
        nose + 0.1 * half * X_LEFT,
        0.2 * half,
        0.12 * half,
        both=True,
        group=builder.group("jaw.L", 0.05 * half),
    )
    builder.eye(
        "Head",
        face + 0.3 * half * X_LEFT + 0.3 * half * Y_UP,
        0.11 * half,
        Y_UP + 0.6 * Z_FORWARD + 0.6 * X_LEFT,
        coat.eye,
        coat.eye,
        pupil_angle=0.0,
        iris_angle=4.0,
    )
    _tail(builder, s, coat, centre)
    shoulder = centre + np.array([0.62 * half, 0.0, 0.13 * B])
    elbow = shoulder + s.arm * B * np.array([0.36, 0.1, 0.2])
    wrist = elbow + s.arm * B * np.array([0.1, 0.02, 0.46])
    tip = wrist + s.claw * B * np.array([-0.28, -0.02, 0.96])
    thick = max(0.24 * s.claw_width * s.claw * B, 1.1 * s.limb * B)
    pincer_arm(
        builder, coat, "Hips", [shoulder, elbow, wrist, tip], thick, girth=s.claw_width * s.claw * B, finger=0.55
    )
    for pair, (angle, share) in enumerate(zip(SCORPION_LEG_DIRECTIONS, SCORPION_LEG_REACHES, strict=True)):
        out, place = out_direction(angle), 0.12 * B - 0.09 * B * pair
        root = centre + np.array([0.5 * half, -0.12 * half, place])
        hinge = centre + np.array([0.98 * half, -0.06 * half, place + 0.06 * B * out[2]])
        high = s.knee * B * (0.8 + 0.2 * share)
        points = leg_points(
            root, hinge, out, reach=s.reach * B * share, knee=(0.42, high), ankle=(0.8, 0.24 * s.knee * B)
        )
        names = [f"{bone}{pair + 1}.L" for bone in ("Coxa", "Femur", "Tibia", "Tarsus")]
        jointed_leg(builder, "Hips", names, points, s.limb * B, pair=pair)
        builder.refine(points[-1] + Y_UP * 0.08 * B, 0.22 * B, 0.3)
    return builder.build(name, coat, gap=0.0)


def _tail(builder: PlanBuilder, s: ScorpionShape, coat: Coat, centre: ndarray) -> None:
    B, half = s.body, 0.5 * s.width * s.body
    start = centre - 0.2 * B * Z_FORWARD
    rear = start + 0.5 * B * np.array([0.0, 0.02, -1.0])
    points, step = [start, rear], s.tail * B / SCORPION_TAIL_BONES
    for k in range(SCORPION_TAIL_BONES):
        angle = 0.3 + s.curl * (k + 0.2) / SCORPION_TAIL_BONES
        points.append(points[-1] + step * np.array([0.0, np.sin(angle), -np.cos(angle)]))
    names = ["Abdomen", *(f"Tail{k + 1}" for k in range(SCORPION_TAIL_BONES))]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    builder.limb(BodyPart.TAIL, names)
    flat: ConeOptions = {"squash": 0.6, "squash_axis": Y_UP, "blend": 0.06 * half}
    along, thick = rear - start, s.tail_width * B
    for k in range(4):  # plates
        a, b = start + (0.25 * k - 0.06) * along, start + (0.25 * k + 0.2) * along
        wide = half * (1.05, 1.12, 1.05, 0.82)[k]
        builder.cone("Abdomen", a, b, wide, 0.95 * wide if k < 3 else 0.62 * wide, **flat)
    builder.cone("Abdomen", rear + 0.12 * along, rear, 0.6 * half, 0.9 * thick, blend=0.1 * half)
    for k in range(SCORPION_TAIL_BONES - 1):
        a, b = points[k + 1], points[k + 2]
        size = thick * (1.0 - 0.04 * k)
        builder.cone(names[k + 1], 0.85 * a + 0.15 * b, 0.25 * a + 0.75 * b, 0.82 * size, size, blend=0.12 * thick)
    a, b = points[-2], points[-1]
    builder.cone(names[-1], 0.8 * a + 0.2 * b, 0.55 * a + 0.45 * b, 0.8 * thick, 0.95 * thick, blend=0.12 * thick)
    across = np.cross(X_LEFT, b - a)  # towards the inside of the curl
    bend = 0.25 * a + 0.75 * b + 0.1 * across
    sting: ConeOptions = {"colour": coat.horn, "blend": 0.15 * thick}
    builder.cone(names[-1], 0.55 * a + 0.45 * b, bend, 0.6 * thick, 0.36 * thick, **sting)
    builder.cone(names[-1], bend, b - 0.25 * across, 0.36 * thick, 0.14 * thick, **sting)
    builder.refine(0.5 * (a + b), 0.35 * B, 0.35)
