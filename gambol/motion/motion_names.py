"""The names of the motions that the rule-based recogniser tells apart."""

from __future__ import annotations

from gambol.motion.vocabulary import VOCABULARY

MOTIONS = tuple(entry.name for entry in VOCABULARY[:19])
"""All classes of the recogniser: the first motions of the vocabulary."""
MOTION_ALIASES = {
    "gallop": "run",
    "attack": "bite",
    **{entry.name: entry.recognised_as for entry in VOCABULARY if entry.recognised_as},
}
"""Other names of these classes."""


def canonical_motion(name: str) -> str:
    """The recogniser's class of a motion name: an alias as the class it stands for, any other name as it is."""
    return MOTION_ALIASES.get(name, name)
