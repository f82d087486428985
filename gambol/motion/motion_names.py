"""The names of the motions that the recogniser tells apart and the text encoder classifies into."""

from __future__ import annotations

MOTIONS = (
    "idle",
    "walk",
    "trot",
    "run",
    "jump",
    "turn left",
    "turn right",
    "sneak",
    "march",
    "limp",
    "dance",
    "kick",
    "punch",
    "wave",
    "eat",
    "bite",
    "fly",
    "slither",
    "swim",
)
"""All motion classes, in the order of the weights' class axis; older weights know only the first ones."""
MOTION_ALIASES = {"gallop": "run", "hop": "jump", "peck": "eat", "flap": "fly", "attack": "bite"}
"""Other names of these classes."""


def canonical_motion(name: str) -> str:
    """The class of a motion name: an alias as the class it stands for, any other name as it is."""
    return MOTION_ALIASES.get(name, name)
