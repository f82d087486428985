"""Body plan of centaurs: a four-legged animal with a person's trunk, arms and head in place of its neck."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.bodies.human import HumanShape, build_person
from gambol.creatures.bodies.plan_builder import PlanBuilder
from gambol.creatures.bodies.quadruped import build_legs_and_tail, build_trunk, leg_gap
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.parameter_ranges import ranged

PERSON_HEIGHT = 1.75
"""Height of the person before it is scaled, metres."""
GRAFTED_BONES = {
    "Spine1": "Waist",
    "Spine2": "Ribs",
    "Chest": "Breast",
    "Neck1": "Neck1",
    "Head": "Head",
    "Clavicle.L": "Clavicle.L",
    "UpperArm.L": "ArmUpper.L",
    "Forearm.L": "ArmFore.L",
    "Hand.L": "Hand.L",
}
"""Bones of the person that the centaur has, and their names."""


@dataclass(frozen=True)
class CentaurShape(QuadrupedShape):
    """Proportions of a centaur; its four-legged half ignores neck and head.

    In a centaur's `Coat`, `head` is the skin of the person and `muzzle` the shirt.
    """

    person: float = ranged(0.6, 1.8, 1.15)
    """Height that the person would have on legs of his own, in shoulder heights of the animal."""
    person_head: float = ranged(0.1, 0.25, 0.14)
    """Height of the person's head, in heights of the person, as are the other lengths."""
    shoulder: float = ranged(0.07, 0.15, 0.112)
    """Distance from the middle plane to the shoulder joint."""
    waist: float = ranged(0.05, 0.13, 0.078)
    """Radius of the waist."""
    bust: float = ranged(0.0, 1.0, 0.15)
    """Size of the breast, 0 to 1."""
    arm: float = ranged(0.26, 0.42, 0.335)
    """Distance from the shoulder joint to the wrist."""
    arm_angle: float = ranged(0.2, 1.5, 0.6)
    """How far the arms stand off from hanging down, radians."""
    hair: float = ranged(0.0, 1.0, 0.5)
    """Length of the hair; 0 is bald, 1 reaches the shoulder blades."""


def plan_centaur(name: str, shape: CentaurShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a centaur."""
    builder = PlanBuilder()
    f = build_trunk(builder, shape)
    person = HumanShape(
        height=PERSON_HEIGHT,
        head=shape.person_head,
        shoulder=shape.shoulder,
        waist=shape.waist,
        bust=shape.bust,
        arm=shape.arm,
        arm_angle=shape.arm_angle,
        hair=shape.hair,
    )
    skin = coat.head or coat.belly
    donor = build_person(person, replace(coat, back=coat.muzzle or skin, belly=skin), legs=False)
    waist = next(np.array(j.position) for j in donor.joints if j.name == "Spine1")
    scale = shape.person * shape.height / PERSON_HEIGHT
    seat = np.array([0.0, f.height - 0.12 * f.depth, f.shoulder_z + 0.12 * f.depth])
    builder.graft(donor, GRAFTED_BONES, "Chest", scale=scale, shift=seat - scale * waist, prefix="person ")
    loin = 0.9 * shape.waist * scale * PERSON_HEIGHT
    low = np.array([0.0, f.height - 0.45 * f.depth, f.shoulder_z + 0.05 * f.depth])
    builder.cone("Waist", low, seat, 0.3 * f.depth * shape.chest_width, loin, blend=0.2 * f.depth)
    build_legs_and_tail(builder, shape, f, coat)
    return builder.build(name, coat, gap=leg_gap(f))
