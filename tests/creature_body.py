"""Bodies of built-in creatures for tests that need a character with a known anatomy."""

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature


def creature_body(*noun_and_seed, **options) -> tuple[Character, Anatomy]:
    """Character and anatomy of `make_creature(...)`."""
    creature = make_creature(*noun_and_seed, **options)
    character = creature.character()
    return character, creature.anatomy(character)
