"""Body plan of four-legged animals with wings: dragons with a membrane, a pegasus or griffin with feathers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import PlanBuilder
from gambol.creatures.bodies.quadruped import build_legs_and_tail, build_neck_and_head, build_trunk, leg_gap
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.bodies.wings import WingMeasures, build_spines, build_wing
from gambol.creatures.parameter_ranges import ranged


@dataclass(frozen=True)
class WingedQuadrupedShape(QuadrupedShape):
    """Proportions of a four-legged animal with wings; lengths are shares of the shoulder height."""

    wing: float = ranged(0.4, 3.0, 1.5)
    """Length of one stretched wing, in shoulder heights."""
    chord: float = ranged(0.2, 1.4, 0.7)
    """Depth of the membrane or length of the flight feathers, in shoulder heights."""
    wing_rise: float = ranged(-0.2, 0.5, 0.25)
    """Slope of the spread wings above the horizon, radians."""
    feathers: float = ranged(0.0, 1.0, 0.0)
    """Kind of wing: 0 has a membrane, 1 feathers."""
    crest: float = ranged(0.0, 1.0, 0.0)
    """Height of the spines along neck, back and tail, 0 to 1."""


def plan_winged_quadruped(name: str, shape: WingedQuadrupedShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a four-legged animal with a pair of wings above its shoulders."""
    builder = PlanBuilder()
    f = build_trunk(builder, shape)
    build_neck_and_head(builder, shape, f, coat)
    build_legs_and_tail(builder, shape, f, coat)
    if shape.crest > 0.02:
        middle = ("Spine", "Chest", "Neck", "Tail")
        bones = [j.name for j in builder.joints if j.name.startswith(middle) or j.name == "Hips"]
        build_spines(
            builder, bones[: -1 if bones[-1].startswith("Tail") else None], 0.12 * shape.crest * f.height, coat
        )
    joint = np.array([0.5 * f.half_width, f.height - 0.14 * f.depth, f.shoulder_z - 0.3 * f.depth])
    measures = WingMeasures(
        shape.wing * f.height, shape.chord * f.height, shape.wing_rise, feathered=shape.feathers > 0.5
    )
    build_wing(builder, measures, joint, "Chest", coat)
    return builder.build(name, coat, gap=leg_gap(f))
