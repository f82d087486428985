"""Hybrids: random crosses of families of one body plan, with parts far outside the usual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.creatures.bodies.biped import BipedShape, plan_biped
from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.bodies.lizard import LizardShape, plan_lizard
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.bodies.theropod import TheropodShape, plan_theropod
from gambol.creatures.bodies.winged_quadruped import WingedQuadrupedShape, plan_winged_quadruped
from gambol.creatures.bodies.wyvern import WyvernShape, plan_wyvern
from gambol.creatures.families.canines import CANINES
from gambol.creatures.families.cats_and_bears import CATS_AND_BEARS
from gambol.creatures.families.dinosaurs import RAPTOR, SAUROPOD, TREX
from gambol.creatures.families.kangaroos_frogs_wasps import KANGAROO
from gambol.creatures.families.livestock import LIVESTOCK
from gambol.creatures.families.mythical import MONSTER, quadruped_values
from gambol.creatures.families.pachyderms import PACHYDERMS
from gambol.creatures.families.rabbits_and_mice import RABBITS_AND_MICE
from gambol.creatures.families.reptiles import REPTILES
from gambol.creatures.families.ungulates import UNGULATES
from gambol.creatures.family import CreatureFamily, cross_families, vary_coat
from gambol.creatures.parameter_ranges import vary_parameters, with_clipped

Oddity = Mapping[str, tuple[float, float]]
"""Parameters that make a body unusual, each with the range that its value is drawn from."""
PLANS: Mapping[type, Callable[[str, Any, Coat], CreatureBodyPlan]] = {
    QuadrupedShape: plan_quadruped,
    WingedQuadrupedShape: plan_winged_quadruped,
    TheropodShape: plan_theropod,
    WyvernShape: plan_wyvern,
    LizardShape: plan_lizard,
    BipedShape: plan_biped,
}
"""What makes the body plan of each kind of shape."""
PARENTS: Mapping[type, tuple[CreatureFamily, ...]] = {
    QuadrupedShape: (
        *CANINES,
        *CATS_AND_BEARS,
        *UNGULATES,
        *LIVESTOCK,
        *PACHYDERMS,
        *RABBITS_AND_MICE,
        SAUROPOD,
    ),
    TheropodShape: (TREX, RAPTOR),
    LizardShape: REPTILES,
    BipedShape: (KANGAROO, MONSTER),
}
"""Families that are crossed, by kind of body."""
PARENT_SHARES: Mapping[type, float] = {QuadrupedShape: 0.55, TheropodShape: 0.15, LizardShape: 0.15, BipedShape: 0.15}
"""Share of each kind of body among the hybrids."""
BODY_ODDITIES: Mapping[type, tuple[tuple[Oddity, ...], ...]] = {
    QuadrupedShape: (
        (
            {"head": (0.7, 1.15), "head_width": (0.6, 0.95), "neck": (0.0, 0.0), "head_pitch": (-0.1, 0.25)},
            {"neck": (1.1, 2.4), "neck_width": (0.06, 0.1), "head": (0.25, 0.45)},
            {"head": (0.15, 0.25)},
        ),
        (
            {"body": (1.9, 3.2), "leg": (0.2, 0.34)},
            {"leg": (0.72, 0.82), "body": (0.5, 0.9), "limb": (0.018, 0.03)},
            {"body": (0.42, 0.6), "fat": (1.2, 1.5)},
        ),
        (
            {"tail": (0.0, 0.0)},
            {"tail": (1.8, 3.2), "tail_width": (0.08, 0.18), "tail_bush": (0.4, 0.9), "tail_angle": (-0.4, 0.3)},
        ),
        ({"foot": (0.28, 0.42), "limb": (0.05, 0.09)}, {"limb": (0.016, 0.022)}),
        ({"horn": (0.5, 1.3)}, {"ear": (1.0, 1.5)}, {"ear": (0.0, 0.0)}),
    ),
    TheropodShape: (
        (
            {"head": (0.8, 1.0), "neck": (0.1, 0.2)},
            {"neck": (1.0, 1.5), "neck_width": (0.07, 0.1), "head": (0.25, 0.4)},
        ),
        ({"tail": (0.35, 0.6)}, {"tail": (2.1, 2.5)}),
        ({"arm": (0.6, 0.9)}, {"toe": (0.45, 0.58)}),
        ({"depth": (0.65, 0.75), "width": (0.9, 1.0)}, {"depth": (0.3, 0.36)}),
    ),
    LizardShape: (
        (
            {"head": (0.75, 0.9), "head_width": (0.7, 0.9), "neck": (0.08, 0.1)},
            {"neck": (0.5, 0.6), "head": (0.25, 0.32)},
        ),
        (
            {"leg": (0.75, 0.9), "lift": (0.35, 0.45)},
            {"width": (0.12, 0.14), "leg": (0.25, 0.32)},
            {"width": (0.5, 0.7)},
        ),
        ({"tail": (0.15, 0.25)}, {"tail": (2.4, 3.0)}),
        ({"foot": (0.38, 0.5)}, {"crest": (0.6, 1.0)}),
    ),
    BipedShape: (
        ({"head": (1.0, 1.5), "neck": (0.0, 0.0)}, {"neck": (0.7, 1.0), "neck_width": (0.06, 0.1)}),
        ({"tail": (0.0, 0.0)}, {"tail": (1.8, 2.4)}),
        ({"arm": (0.0, 0.0)}, {"arm": (1.1, 1.4)}),
        ({"foot": (0.7, 0.9)}, {"limb": (0.03, 0.045), "thigh": (0.06, 0.1)}),
        ({"horn": (0.4, 1.0)}, {"ear": (1.0, 1.5)}),
    ),
}
"""Groups of oddities by kind of body; at most one of each group is drawn."""
ODDITY_PROBABILITY = 0.45
"""Probability that a hybrid has an oddity of one group."""
WING_PROBABILITY = 0.15
"""Probability that a quadruped or theropod hybrid has wings."""
SIZE_SPREAD = 0.5
"""Standard deviation of the logarithm of a hybrid's size against its parents'."""
SIZE_PARAMETERS = {QuadrupedShape: "height", TheropodShape: "hip", LizardShape: "trunk", BipedShape: "hip"}
"""Parameter that a body's other lengths are measured in."""


@dataclass(frozen=True)
class HybridFamily(CreatureFamily):
    """A family whose members are crosses of random families of one body plan, with random oddities."""

    def sample(self, generator: np.random.Generator) -> tuple[Any, Coat]:
        """Draw the shape and coat of a hybrid; the family's own shape only stands for its typical member."""
        kinds = list(PARENT_SHARES)
        kind = kinds[int(generator.choice(len(kinds), p=list(PARENT_SHARES.values())))]
        a, b = (PARENTS[kind][int(k)] for k in generator.integers(len(PARENTS[kind]), size=2))
        cross = cross_families(a, b, float(generator.uniform()))
        shape = vary_parameters(cross.shape, 0.2, generator)
        size = SIZE_PARAMETERS[kind]
        grown = getattr(shape, size) * float(np.exp(generator.normal(0.0, SIZE_SPREAD)))
        shape = draw_oddities(with_clipped(shape, {size: grown}), generator)
        if generator.random() < WING_PROBABILITY:
            shape = _winged(shape, generator)
        return shape, vary_coat(cross.coats[int(generator.integers(len(cross.coats)))], generator)


def draw_oddities(shape: Any, generator: np.random.Generator) -> Any:
    """Draw values of unusual parameters: at least one group of `BODY_ODDITIES`, each with `ODDITY_PROBABILITY`."""
    groups = BODY_ODDITIES[type(shape)]
    chosen = generator.random(len(groups)) < ODDITY_PROBABILITY
    chosen[int(generator.integers(len(groups)))] = True
    for group in (g for g, wanted in zip(groups, chosen, strict=True) if wanted):
        oddity = group[int(generator.integers(len(group)))]
        shape = with_clipped(shape, {name: float(generator.uniform(*span)) for name, span in oddity.items()})
    return shape


def _winged(shape: Any, generator: np.random.Generator) -> Any:
    """Give a quadruped or a theropod wings; other bodies stay as they are."""
    wing, chord = float(generator.uniform(1.1, 2.2)), float(generator.uniform(0.5, 0.9))
    if type(shape) is QuadrupedShape:
        feathers = float(generator.random() < 0.5)
        return WingedQuadrupedShape(**quadruped_values(shape), wing=wing, chord=chord, feathers=feathers)
    if type(shape) is TheropodShape:
        return WyvernShape(**vars(shape), wing=wing, chord=chord)
    return shape


def plan_hybrid(name: str, shape: Any, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a hybrid from whichever shape it has."""
    return PLANS[type(shape)](name, shape, coat)


HYBRID = HybridFamily(
    "hybrid",
    WingedQuadrupedShape(
        **quadruped_values(
            replace(CANINES[0].shape, body=1.9, leg=0.34, neck=0.0, head=0.8, ear=1.2, foot=0.25, limb=0.06)
        ),
        wing=1.1,
        chord=0.6,
    ),
    CANINES[0].coats,
    plan_hybrid,
)
"""The family of hybrids."""
