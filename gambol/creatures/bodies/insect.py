"""Body plan of ants and beetles: head with feelers, thorax with six legs, abdomen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.arthropod_parts import feeler, jointed_leg, leg_points, out_direction
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

INSECT_LEG_DIRECTIONS = (0.72, 1.55, 2.42)
"""Direction of each pair of legs, radians from straight ahead."""
INSECT_LEG_REACHES = (0.92, 0.95, 1.2)
"""Reach of each pair of legs as a factor of the shape's `reach`."""
INSECT_LEG_PLACES = (0.3, 0.02, -0.28)
"""Where each pair of legs starts, in thorax lengths ahead of its middle."""


@dataclass(frozen=True)
class InsectShape:
    """Proportions of an insect without wings; lengths are shares of the thorax's length."""

    thorax: float = ranged(0.01, 0.6, 0.05)
    """Length of the thorax, metres."""
    thorax_width: float = ranged(0.3, 1.5, 0.46)
    """Width of the thorax."""
    head: float = ranged(0.3, 1.2, 0.72)
    """Length of the head."""
    head_width: float = ranged(0.5, 1.5, 0.92)
    """Width of the head per its length."""
    waist: float = ranged(0.05, 0.8, 0.3)
    """Length of the waist between thorax and abdomen."""
    waist_width: float = ranged(0.12, 1.0, 0.26)
    """Width of the waist per width of the thorax."""
    abdomen: float = ranged(0.6, 2.6, 1.25)
    """Length of the abdomen."""
    abdomen_width: float = ranged(0.4, 1.2, 0.72)
    """Width of the abdomen per its length."""
    shell: float = ranged(0.0, 1.0, 0.0)
    """Height of the wing cases on the abdomen; 0 has none."""
    antenna: float = ranged(0.25, 2.6, 1.25)
    """Length of the feelers."""
    jaw: float = ranged(0.06, 0.9, 0.24)
    """Length of the jaws."""
    horn: float = ranged(0.0, 1.0, 0.0)
    """Length of a horn on the head."""
    lift: float = ranged(0.2, 1.4, 0.58)
    """Height of the body's underside above the ground."""
    reach: float = ranged(0.8, 3.6, 1.55)
    """How far the feet stand from the body's side."""
    knee: float = ranged(0.4, 2.4, 1.15)
    """Height of the knees."""
    limb: float = ranged(0.03, 0.18, 0.07)
    """Radius of a leg at its thickest."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_insect(name: str, s: InsectShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of an insect: the root is the thorax, the abdomen counts as its tail."""
    builder = PlanBuilder()
    T = s.thorax
    half = 0.5 * s.thorax_width * T
    centre = np.array([0.0, s.lift * T + 0.8 * half, 0.0])
    hips, chest = centre - 0.15 * T * Z_FORWARD, centre + 0.15 * T * Z_FORWARD + 0.03 * T * Y_UP
    neck = centre + 0.5 * T * Z_FORWARD + 0.04 * T * Y_UP
    builder.chain(["Hips", "Chest"], None, [hips, chest, neck], BodyPart.TORSO)
    flat: ConeOptions = {"squash": 0.85, "squash_axis": Y_UP, "blend": 0.35 * half}
    builder.cone("Hips", centre - 0.42 * T * Z_FORWARD, centre + 0.05 * T * Z_FORWARD, 0.72 * half, 0.88 * half, **flat)
    builder.cone(
        "Chest", centre + 0.12 * T * Z_FORWARD + 0.03 * T * Y_UP, neck - 0.2 * T * Z_FORWARD, half, half, **flat
    )
    builder.cone("Chest", neck - 0.2 * T * Z_FORWARD, neck, 0.8 * half, min(0.5 * half, 0.2 * T), **flat)
    _abdomen(builder, s, coat, centre)
    _head(builder, s, coat, neck)
    for pair, (angle, share, place) in enumerate(
        zip(INSECT_LEG_DIRECTIONS, INSECT_LEG_REACHES, INSECT_LEG_PLACES, strict=True)
    ):
        out = out_direction(angle)
        root = centre + np.array([0.45 * half, -0.3 * half, place * T])
        hinge = centre + np.array([0.95 * half + 0.05 * T, -0.25 * half, place * T + 0.1 * T * out[2]])
        high = s.knee * T * (0.85 + 0.15 * share)
        points = leg_points(
            root,
            hinge,
            out,
            reach=s.reach * T * share,
            knee=(0.4, high),
            ankle=(0.8, 0.16 * s.knee * T + 0.5 * s.limb * T),
        )
        names = [f"{bone}{pair + 1}.L" for bone in ("Coxa", "Femur", "Tibia", "Tarsus")]
        jointed_leg(builder, "Chest" if pair == 0 else "Hips", names, points, s.limb * T, pair=pair)
        builder.refine(points[-1] + Y_UP * 0.2 * T, 0.5 * T, 0.3)
    return builder.build(name, coat, gap=0.0)


def _abdomen(builder: PlanBuilder, s: InsectShape, coat: Coat, centre: ndarray) -> None:
    T, half = s.thorax, 0.5 * s.thorax_width * s.thorax
    start = centre - 0.46 * T * Z_FORWARD
    end = start + s.waist * T * np.array([0.0, 0.05, -1.0])
    length, wide = s.abdomen * T, 0.5 * s.abdomen_width * s.abdomen * T
    low = max(wide * 0.76 - float(end[1]) + 0.12 * s.lift * T, 0.0)  # a big abdomen is carried higher
    far = end + np.array([0.0, (0.04 - 0.1 * s.shell) * length + low, -length])
    builder.chain(["Tail1", "Tail2"], "Hips", [start, end, far], BodyPart.TAIL)
    builder.limb(BodyPart.TAIL, ["Tail1", "Tail2"])
    thin = s.waist_width * half
    builder.cone("Tail1", start + 0.1 * T * Z_FORWARD, end, 1.1 * thin, thin, blend=0.3 * thin)
    if s.waist_width < 0.5:  # an ant's knot
        builder.ball("Tail1", 0.5 * (start + end) + 0.25 * thin * Y_UP, 1.25 * thin, blend=0.3 * thin)
    along = far - end
    soft: ConeOptions = {"squash": 0.84, "squash_axis": Y_UP, "blend": 0.3 * wide}
    first, last = min(0.85 * wide / length, 0.45), 1.0 - min(0.9 * wide / length, 0.5)
    builder.cone("Tail2", end - 0.04 * along, end + first * along, thin, 0.8 * wide, **soft)
    builder.cone("Tail2", end + first * along, end + last * along, 0.88 * wide, 0.9 * wide, **soft)
    builder.cone("Tail2", end + last * along, far - 0.05 * along, 0.85 * wide, 0.2 * wide, **soft)
    if s.shell > 0.05:
        rise = 0.34 * s.shell * wide * Y_UP
        case: ConeOptions = {
            "both": True,
            "group": builder.group("shell.L", 0.0),
            "colour": coat.hair,
            "hard_edge": True,
            "blend": 0.1 * wide,
        }
        front, top = end + 0.5 * thin * Z_FORWARD, end + 0.48 * along + rise + 0.24 * wide * X_LEFT
        half_way = end + 0.2 * along + 0.85 * rise + 0.24 * wide * X_LEFT
        builder.cone("Tail2", front + 0.4 * rise + 0.26 * wide * X_LEFT, half_way, 0.52 * wide, 0.7 * wide, **case)
        builder.cone("Tail2", half_way, top, 0.7 * wide, 0.76 * wide, **case)
        builder.cone(
            "Tail2", top, end + 0.86 * along + 0.2 * rise + 0.2 * wide * X_LEFT, 0.76 * wide, 0.4 * wide, **case
        )


def _head(builder: PlanBuilder, s: InsectShape, coat: Coat, neck: ndarray) -> None:
    T, length = s.thorax, s.head * s.thorax
    half = 0.5 * s.head_width * length
    nose = neck + length * np.array([0.0, -0.22, 0.975])
    along = nose - neck
    builder.chain(["Head"], "Chest", [neck, nose], BodyPart.HEAD)
    flat: ConeOptions = {"squash": 0.8, "squash_axis": Y_UP, "blend": 0.3 * half}
    builder.cone("Head", neck, neck + 0.4 * along, 0.45 * half, half, **flat)
    builder.cone("Head", neck + 0.4 * along, neck + 0.75 * along, half, 0.62 * half, **flat)
    jaw = neck + 0.85 * along + 0.42 * half * X_LEFT - 0.15 * half * Y_UP
    reach = s.jaw * T
    bow, tip = (
        jaw + reach * np.array([0.35, -0.1, 0.6]),
        jaw + reach * np.array([-0.15, -0.15, 1.1]) - 0.15 * half * X_LEFT,
    )
    thick = 0.16 * half + 0.06 * reach
    teeth: ConeOptions = {
        "both": True,
        "group": builder.group("jaw.L", 0.1 * half),
        "colour": coat.horn,
        "blend": 0.1 * half,
    }
    builder.cone("Head", jaw - 0.1 * along, bow, thick, 0.9 * thick, **teeth)
    builder.cone("Head", bow, tip, 0.9 * thick, 0.5 * thick, **teeth)
    if s.horn > 0.05:
        base, size = neck + 0.62 * along + 0.5 * half * Y_UP, s.horn * T
        horn: ConeOptions = {"colour": coat.horn, "blend": 0.2 * half}
        mid = base + size * np.array([0.0, 0.45, 0.6])
        builder.cone("Head", base - 0.2 * half * Y_UP, mid, 0.34 * half, 0.24 * half, **horn)
        builder.cone("Head", mid, base + size * np.array([0.0, 1.1, 0.6]), 0.24 * half, 0.13 * half, **horn)
    root = neck + 0.72 * along + 0.4 * half * X_LEFT + 0.4 * half * Y_UP
    elbow = root + 0.42 * s.antenna * T * np.array([0.62, 0.6, 0.5])
    end = elbow + 0.58 * s.antenna * T * np.array([0.36, -0.12, 0.92])
    feeler(builder, ["Feeler1.L", "Feeler2.L"], "Head", [root, elbow, end], max(0.45 * s.limb * T, 0.026 * T))
    builder.eye(
        "Head",
        neck + 0.42 * along + 0.85 * half * X_LEFT + 0.3 * half * Y_UP,
        0.26 * half,
        X_LEFT + 0.5 * Z_FORWARD + 0.3 * Y_UP,
        coat.eye,
        coat.eye,
        pupil_angle=0.0,
        iris_angle=4.0,
    )
    builder.refine(neck + 0.7 * along, 1.2 * length, 0.4)
