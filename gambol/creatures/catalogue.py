"""All families of creatures, and `make_creature`: a description and a seed make a creature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gambol.creatures.bodies.shape_sliders import move_slider
from gambol.creatures.creature import DEFAULT_VERTICES, Creature, build_creature
from gambol.creatures.description import CreatureDescription, parse_description
from gambol.creatures.families.arthropods import ARTHROPODS
from gambol.creatures.families.birds import BIRDS
from gambol.creatures.families.canines import CANINES
from gambol.creatures.families.cats_and_bears import CATS_AND_BEARS
from gambol.creatures.families.dinosaurs import DINOSAURS
from gambol.creatures.families.hybrids import HYBRID
from gambol.creatures.families.kangaroos_frogs_wasps import HOPPERS_AND_WASPS
from gambol.creatures.families.livestock import LIVESTOCK
from gambol.creatures.families.mythical import MYTHICAL
from gambol.creatures.families.pachyderms import PACHYDERMS
from gambol.creatures.families.people import PEOPLE
from gambol.creatures.families.rabbits_and_mice import RABBITS_AND_MICE
from gambol.creatures.families.reptiles import REPTILES
from gambol.creatures.families.spiders_and_snakes import SPIDERS_AND_SNAKES
from gambol.creatures.families.swimmers import SWIMMERS
from gambol.creatures.families.ungulates import UNGULATES
from gambol.creatures.family import CreatureFamily
from gambol.creatures.parameter_ranges import with_clipped

QUADRUPEDS = (*CANINES, *CATS_AND_BEARS, *UNGULATES, *LIVESTOCK, *PACHYDERMS, *RABBITS_AND_MICE)
"""All families with the quadruped body plan."""
CREATURE_FAMILIES: Mapping[str, CreatureFamily] = {
    family.name: family
    for family in (
        *QUADRUPEDS,
        *PEOPLE,
        *BIRDS,
        *DINOSAURS,
        *REPTILES,
        *SPIDERS_AND_SNAKES,
        *ARTHROPODS,
        *SWIMMERS,
        *HOPPERS_AND_WASPS,
        *MYTHICAL,
        HYBRID,
    )
}
"""Every family by its name."""


def make_creature(
    words: str, seed: int | np.random.Generator | None = None, *, vertices: int = DEFAULT_VERTICES
) -> Creature:
    """Make a creature from the name of its family or from a description ('a small long-legged fox').

    The seed draws one member of the family (the same seed gives the same bytes); without a seed it is the typical one.
    `vertices` is the approximate number of vertices of the skin; the eyes add a few.
    """
    description = parse_description(words)
    family = described_family(description)
    shape, coat = (family.shape, family.coats[0]) if seed is None else family.sample(np.random.default_rng(seed))
    plan = family.build(description.name, description.reshape(shape), description.recolour(coat))
    return build_creature(description.name, plan, vertices=vertices)


def described_family(description: CreatureDescription) -> CreatureFamily:
    """Return the family that a description names, with the noun's own proportions and coats."""
    family = CREATURE_FAMILIES[description.noun.family]
    shape = with_clipped(family.shape, description.noun.shape)
    for slider, factor in description.noun.sliders.items():
        shape = move_slider(shape, slider, factor)
    return replace(family, shape=shape, coats=description.noun.coats or family.coats)
