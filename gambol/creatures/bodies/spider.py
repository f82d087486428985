"""Body plan of spiders: eight legs around a small front body, and a large abdomen behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

SPIDER_LEG_DIRECTIONS = (0.62, 1.2, 1.85, 2.5)
"""Direction of each pair of legs, radians from straight ahead."""
SPIDER_LEG_REACHES = (1.0, 0.88, 0.85, 1.05)
"""Reach of each pair of legs as a factor of the shape's `reach`."""


@dataclass(frozen=True)
class SpiderShape:
    """Proportions of a spider; lengths are shares of the front body's length."""

    front: float = ranged(0.01, 0.4, 0.045)
    """Length of the front body, metres."""
    abdomen: float = ranged(0.6, 2.6, 1.35)
    """Length of the abdomen, in front body lengths."""
    abdomen_width: float = ranged(0.5, 1.2, 0.78)
    """Width of the abdomen per its length."""
    lift: float = ranged(0.25, 2.4, 0.62)
    """Height of the body above the ground, in front body lengths."""
    reach: float = ranged(1.0, 7.0, 2.3)
    """How far the feet stand from the body's middle, in front body lengths."""
    knee: float = ranged(0.7, 4.5, 1.45)
    """Height of the knees, in front body lengths."""
    limb: float = ranged(0.03, 0.2, 0.095)
    """Radius of a leg at its thickest, in front body lengths."""
    fangs: float = ranged(0.1, 0.5, 0.28)
    """Length of the fangs' base, in front body lengths."""
    fan: float = ranged(0.45, 1.2, 1.0)
    """How far the first legs point ahead and the last ones back; 1 is a web spider's."""
    knee_out: float = ranged(0.12, 0.6, 0.36)
    """Where the knees are between the legs' hinges (0) and their tips (1)."""
    ankle_out: float = ranged(0.62, 1.05, 0.8)
    """Where the ankles are between the legs' hinges (0) and their tips (1); beyond 1 the tips point inwards."""
    ankle: float = ranged(0.1, 0.7, 0.34)
    """Height of the ankles per height of the knees."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_spider(name: str, s: SpiderShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a spider; the root is the front body, the abdomen counts as its tail."""
    builder = PlanBuilder()
    L = s.front
    centre = np.array([0.0, s.lift * L + 0.2 * L, 0.0])
    waist = centre - 0.46 * L * Z_FORWARD + 0.03 * L * Y_UP
    far = waist + s.abdomen * L * np.array([0.0, 0.22, -0.975])
    builder.chain(["Hips"], None, [centre, centre + 0.5 * L * Z_FORWARD], BodyPart.TORSO)
    builder.chain(["Abdomen"], "Hips", [waist, far], BodyPart.TAIL)
    builder.limb(BodyPart.TAIL, ["Abdomen"])
    builder.cone(
        "Hips",
        centre - 0.16 * L * Z_FORWARD,
        centre + 0.2 * L * Z_FORWARD,
        0.36 * L,
        0.28 * L,
        squash=0.7,
        squash_axis=Y_UP,
        blend=0.1 * L,
    )
    builder.cone(
        "Hips",
        centre + 0.15 * L * Z_FORWARD + 0.1 * L * Y_UP,
        centre + 0.38 * L * Z_FORWARD + 0.04 * L * Y_UP,
        0.22 * L,
        0.16 * L,
        blend=0.1 * L,
    )
    half = 0.5 * s.abdomen_width * s.abdomen * L
    direction = (far - waist) / np.linalg.norm(far - waist)
    builder.cone("Abdomen", waist, waist + 0.25 * L * direction, 0.12 * L, 0.16 * L, blend=0.06 * L)
    builder.cone(
        "Abdomen",
        waist + 0.85 * half * direction,
        far - 0.72 * half * direction,
        0.82 * half,
        0.95 * half,
        squash=0.86,
        squash_axis=Y_UP,
        blend=0.2 * L,
    )
    builder.cone(
        "Abdomen", far - 0.72 * half * direction, far - 0.1 * half * direction, 0.8 * half, 0.16 * half, blend=0.2 * L
    )
    _face(builder, s, coat, centre)
    for pair, (turn, share) in enumerate(zip(SPIDER_LEG_DIRECTIONS, SPIDER_LEG_REACHES, strict=True)):
        _leg(builder, s, centre, pair, 0.5 * np.pi + s.fan * (turn - 0.5 * np.pi), share)
    return builder.build(name, coat, gap=0.0)


def _face(builder: PlanBuilder, s: SpiderShape, coat: Coat, centre: np.ndarray) -> None:
    L = s.front
    brow = centre + 0.42 * L * Z_FORWARD
    fang = brow + 0.08 * L * X_LEFT - 0.1 * L * Y_UP
    tip = fang + s.fangs * L * np.array([0.02, -0.8, 0.55])
    builder.cone(
        "Hips",
        fang - 0.05 * L * Z_FORWARD,
        tip,
        0.105 * L,
        0.075 * L,
        both=True,
        group=builder.group("fang.L", 0.03 * L),
    )
    builder.cone(
        "Hips",
        tip,
        tip + 0.12 * L * np.array([-0.2, -0.9, -0.2]),
        0.06 * L,
        0.025 * L,
        both=True,
        group="fang.L",
        colour=coat.horn,
        hard_edge=True,
    )
    feeler = brow + 0.18 * L * X_LEFT - 0.08 * L * Y_UP
    bend = feeler + 0.36 * L * np.array([0.3, 0.3, 0.85])
    group = builder.group("feeler.L", 0.03 * L)
    builder.cone("Hips", feeler - 0.1 * L * Z_FORWARD, bend, 0.07 * L, 0.06 * L, both=True, group=group)
    builder.cone(
        "Hips",
        bend,
        bend + 0.3 * L * np.array([-0.15, -0.75, 0.55]),
        0.06 * L,
        0.065 * L,
        both=True,
        group=group,
        blend=0.03 * L,
    )
    for aside, high, size in ((0.055, 0.1, 0.05), (0.15, 0.12, 0.035), (0.06, 0.19, 0.032), (0.15, 0.2, 0.028)):
        place = brow + aside * L * X_LEFT + high * L * Y_UP
        builder.eye(
            "Hips",
            place,
            size * L,
            Z_FORWARD + 3.0 * aside * X_LEFT + high * Y_UP,
            coat.eye,
            coat.eye,
            pupil_angle=0.0,
            iris_angle=4.0,
        )
    builder.refine(brow, 0.5 * L, 0.5)


def _leg(builder: PlanBuilder, s: SpiderShape, centre, pair: int, turn: float, share: float) -> None:
    L, r = s.front, s.limb * s.front
    out = np.array([np.sin(turn), 0.0, np.cos(turn)])
    reach = s.reach * L * share
    root = centre + 0.2 * L * out - 0.02 * L * Y_UP + Z_FORWARD * 0.06 * L * (1.5 - pair)
    coxa = 0.42 + 0.08 * max(s.reach - 2.6, 0.0)
    hinge = centre + coxa * L * out + 0.02 * L * Y_UP + Z_FORWARD * 0.09 * L * (1.5 - pair)
    knee = hinge * [1, 0, 1] + s.knee_out * (reach - 0.4 * L) * out + Y_UP * s.knee * L * (0.9 + 0.1 * share)
    ankle = hinge * [1, 0, 1] + s.ankle_out * (reach - 0.4 * L) * out + Y_UP * s.ankle * s.knee * L
    tip = hinge * [1, 0, 1] + (reach - 0.4 * L) * out
    names = [f"{bone}{pair + 1}.L" for bone in ("Coxa", "Femur", "Tibia", "Tarsus")]
    points = [root, hinge, knee, ankle, tip]
    builder.chain(names, "Hips", points, BodyPart.LEG)
    group = builder.group(f"leg{pair + 1}.L", 0.06 * L)
    options: ConeOptions = {"group": group, "blend": 0.4 * r}
    builder.cone(names[0], root, hinge, 0.9 * r, 0.95 * r, **options)
    middle = 0.5 * (hinge + knee)
    builder.cone(names[1], hinge, middle, 0.85 * r, 1.05 * r, **options)
    builder.cone(names[1], middle, knee, 1.05 * r, 0.85 * r, **options)
    builder.cone(names[2], knee, 0.4 * knee + 0.6 * ankle, 0.85 * r, 0.8 * r, **options)
    builder.cone(names[2], 0.4 * knee + 0.6 * ankle, ankle, 0.8 * r, 0.65 * r, **options)
    builder.cone(names[3], ankle, tip + Y_UP * 0.25 * r, 0.65 * r, 0.58 * r, **options)
    builder.refine(tip + Y_UP * 0.3 * L, 0.5 * L, 0.35 * min(1.0, (2.6 / s.reach) ** 2))
    builder.limb(BodyPart.LEG, names, pair=pair, contact=names[3])
