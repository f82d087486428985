"""All families, and the door to them: a word or a sentence and a seed make a creature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gambol.creatures.bodies.shape_sliders import pull
from gambol.creatures.creature import VERTICES, Creature, flesh_out
from gambol.creatures.description import Wish, understand
from gambol.creatures.families.birds import BIRDS
from gambol.creatures.families.canines import CANINES
from gambol.creatures.families.cats_and_bears import FELINES
from gambol.creatures.families.dinosaurs import DINOSAURS
from gambol.creatures.families.livestock import CATTLE
from gambol.creatures.families.pachyderms import GIANTS
from gambol.creatures.families.people import PEOPLE
from gambol.creatures.families.rabbits_and_mice import RODENTS
from gambol.creatures.families.reptiles import REPTILES
from gambol.creatures.families.spiders_and_snakes import CRAWLERS
from gambol.creatures.families.ungulates import UNGULATES
from gambol.creatures.family import Family
from gambol.creatures.parameter_ranges import clipped

QUADRUPEDS = (*CANINES, *FELINES, *UNGULATES, *CATTLE, *GIANTS, *RODENTS)
FAMILIES: Mapping[str, Family] = {
    family.name: family for family in (*QUADRUPEDS, *PEOPLE, *BIRDS, *DINOSAURS, *REPTILES, *CRAWLERS)
}
"""Every family by its name; each has ranged parameters, coats and a plan."""


def make_creature(words: str, seed: int | np.random.Generator | None = None, *, vertices: int = VERTICES) -> Creature:
    """A creature by the name of its family, or as a sentence says ('a small long-legged fox').

    The seed draws one member of the family (the same seed gives the same bytes); without a seed it is the typical one.
    `vertices` is about how many the skin gets; its eyes come on top.
    """
    wish = understand(words)
    family = kind(wish)
    shape, coat = (family.shape, family.coats[0]) if seed is None else family.sample(np.random.default_rng(seed))
    plan = family.build(wish.name, wish.reshape(shape), wish.recolour(coat))
    return flesh_out(wish.name, plan, vertices=vertices)


def kind(wish: Wish) -> Family:
    """The family that a wish's noun means, with the noun's own proportions and coats."""
    family = FAMILIES[wish.noun.family]
    shape = clipped(family.shape, wish.noun.shape)
    for lever, factor in wish.noun.levers.items():
        shape = pull(shape, lever, factor)
    return replace(family, shape=shape, coats=wish.noun.coats or family.coats)
