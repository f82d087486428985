"""Body plan of centipedes and millipedes: many segments, each with a pair of legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.arthropod_parts import feeler, jointed_leg, leg_points, out_direction
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class CentipedeShape:
    """Proportions of a centipede; lengths are shares of its own length."""

    length: float = ranged(0.05, 9.0, 1.2)
    """Length from head to tail without feelers, metres."""
    pairs: float = ranged(5.0, 15.0, 11.0)
    """Number of pairs of legs, rounded."""
    width: float = ranged(0.04, 0.16, 0.082)
    """Width of the body."""
    depth: float = ranged(0.45, 1.0, 0.62)
    """Height of the body per its width."""
    lift: float = ranged(0.012, 0.09, 0.03)
    """Height of the body's underside above the ground."""
    head: float = ranged(0.04, 0.14, 0.075)
    """Length of the head."""
    antenna: float = ranged(0.05, 0.4, 0.2)
    """Length of the feelers."""
    fan: float = ranged(0.0, 0.9, 0.4)
    """Angle by which the first legs point ahead and the last ones back, radians."""
    reach: float = ranged(0.05, 0.26, 0.115)
    """How far the feet stand from the body's side."""
    knee: float = ranged(0.03, 0.2, 0.07)
    """Height of the knees."""
    limb: float = ranged(0.008, 0.026, 0.0155)
    """Radius of a leg at its thickest."""
    prongs: float = ranged(0.0, 0.3, 0.13)
    """Length of the two prongs at the tail's end."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_centipede(name: str, s: CentipedeShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a centipede: the root is the hindmost segment with legs, the head is in front."""
    builder = PlanBuilder()
    L, count = s.length, round(s.pairs)
    half = 0.5 * s.width * L
    high = s.lift * L + s.depth * half
    tail = 0.05 * L
    step = (1.0 - s.head) * L / (count + 0.5)
    rear = -0.5 * L + tail
    places = [rear + step * k for k in range(count + 1)]
    joints = [np.array([0.0, high, z]) for z in places]
    names = ["Hips", *(f"Spine{k + 1}" for k in range(count - 1))]
    builder.chain(names, None, joints, BodyPart.TORSO)
    squash: ConeOptions = {"squash": s.depth, "squash_axis": Y_UP, "blend": 0.14 * half}
    for k, bone in enumerate(names):  # plates, a little narrower between them and towards both ends
        size = half * (1.0 - 0.22 * (2.0 * k / max(count - 1, 1) - 1.0) ** 2)
        a, b = joints[k], joints[k + 1]
        builder.cone(bone, 0.94 * a + 0.06 * b, 0.4 * a + 0.6 * b, 0.86 * size, size, **squash)
        builder.cone(bone, 0.4 * a + 0.6 * b, 0.1 * a + 0.9 * b, size, 0.8 * size, **squash)
    end = joints[0] - tail * Z_FORWARD - 0.1 * half * Y_UP
    builder.chain(["Tail1"], "Hips", [joints[0], end], BodyPart.TAIL)
    builder.limb(BodyPart.TAIL, ["Tail1"])
    builder.cone("Tail1", joints[0], 0.3 * joints[0] + 0.7 * end, 0.72 * half, 0.4 * half, **squash)
    if s.prongs > 0.02:
        tip = end + s.prongs * L * np.array([0.42, 0.05, -0.9])
        prong: ConeOptions = {"both": True, "group": builder.group("prong.L", 0.1 * half)}
        builder.cone(
            "Tail1", end + 0.25 * half * X_LEFT + 0.3 * tail * Z_FORWARD, tip, 0.24 * half, 0.14 * half, **prong
        )
    _head(builder, s, coat, joints[-1], names[-1], half)
    for pair in range(count):
        k = count - 1 - pair
        out = out_direction(0.5 * np.pi - s.fan * (2.0 * k / max(count - 1, 1) - 1.0))
        middle = 0.5 * (joints[k] + joints[k + 1])
        hinge = middle + np.array([0.62 * half, -0.15 * half, 0.0])
        up = s.knee * L
        points = leg_points(
            hinge, hinge, out, reach=s.reach * L + 0.3 * half, knee=(0.45, up), ankle=(0.78, 0.36 * up)
        )[1:]
        own = [f"{bone}{pair + 1}.L" for bone in ("Femur", "Tibia", "Tarsus")]
        jointed_leg(builder, names[k], own, points, s.limb * L, pair=pair)
    return builder.build(name, coat, gap=0.0)


def _head(builder: PlanBuilder, s: CentipedeShape, coat: Coat, neck: ndarray, parent: str, half: float) -> None:
    L, length = s.length, s.head * s.length
    nose = neck + length * np.array([0.0, -0.1, 0.995])
    along = nose - neck
    builder.chain(["Head"], parent, [neck, nose], BodyPart.HEAD)
    squash: ConeOptions = {
        "squash": min(1.1 * s.depth, 1.0),
        "squash_axis": Y_UP,
        "blend": 0.2 * half,
        "colour": coat.head,
    }
    builder.cone("Head", neck - 0.05 * along, neck + 0.45 * along, 0.7 * half, 0.95 * half, **squash)
    builder.cone("Head", neck + 0.45 * along, neck + 0.8 * along, 0.95 * half, 0.6 * half, **squash)
    fang = neck + 0.4 * along + 0.85 * half * X_LEFT - 0.3 * half * Y_UP
    bow = fang + np.array([0.28 * half, -0.1 * half, 0.5 * length])
    teeth: ConeOptions = {
        "both": True,
        "group": builder.group("fang.L", 0.1 * half),
        "colour": coat.horn,
        "blend": 0.1 * half,
    }
    builder.cone("Head", fang, bow, 0.26 * half, 0.22 * half, **teeth)
    builder.cone(
        "Head", bow, bow + np.array([-0.7 * half, -0.05 * half, 0.4 * length]), 0.22 * half, 0.1 * half, **teeth
    )
    root = neck + 0.8 * along + 0.42 * half * X_LEFT + 0.2 * half * Y_UP
    elbow = root + 0.5 * s.antenna * L * np.array([0.55, 0.32, 0.78])
    tip = elbow + 0.5 * s.antenna * L * np.array([0.75, -0.12, 0.65])
    feeler(builder, ["Feeler1.L", "Feeler2.L"], "Head", [root, elbow, tip], max(0.75 * s.limb * L, 0.15 * half))
    builder.eye(
        "Head",
        neck + 0.68 * along + 0.6 * half * X_LEFT + 0.35 * half * Y_UP,
        0.15 * half,
        X_LEFT + 0.6 * Z_FORWARD + 0.5 * Y_UP,
        coat.eye,
        coat.eye,
        pupil_angle=0.0,
        iris_angle=4.0,
    )
    builder.refine(neck + 0.9 * along, 1.2 * length, 0.3)
