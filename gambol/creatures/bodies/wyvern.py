"""Body plan of wyverns: two-legged dinosaurs with wings in place of arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.bodies.theropod import TheropodShape, build_theropod
from gambol.creatures.bodies.wings import WingMeasures, build_spines, build_wing
from gambol.creatures.parameter_ranges import ranged


@dataclass(frozen=True)
class WyvernShape(TheropodShape):
    """Proportions of a wyvern; lengths are shares of the height of the hips. The length of arms has no effect."""

    wing: float = ranged(0.6, 2.8, 1.6)
    """Length of one stretched wing, in hip heights."""
    chord: float = ranged(0.3, 1.2, 0.8)
    """Depth of the membrane, in hip heights."""
    crest: float = ranged(0.0, 1.0, 0.4)
    """Height of the spines along neck, back and tail, 0 to 1."""


def plan_wyvern(name: str, s: WyvernShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a wyvern."""
    builder, shoulder = build_theropod(s, coat, arms=False)
    if s.crest > 0.02:
        bones = [j.name for j in builder.joints if j.name.startswith(("Spine", "Chest", "Neck", "Tail"))]
        build_spines(builder, bones, 0.12 * s.crest * s.hip, coat)
    R = 0.5 * s.depth * s.hip
    joint = shoulder + np.array([0.5 * R * s.width, 0.75 * R, 0.0])
    build_wing(builder, WingMeasures(s.wing * s.hip, s.chord * s.hip, 0.2), joint, "Chest", coat)
    return builder.build(name, coat, gap=0.03 * s.hip)
