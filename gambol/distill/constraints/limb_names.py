"""Which joints a word such as "left arm" or "upper body" means, for any anatomy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Side
from gambol.character.skeleton import Skeleton, find_joint
from gambol.errors import ConfigError
from gambol.motion.feet.soles import bones_below

LIMB_NAMES = "words such as arms, left leg, front legs, head, tail, wings, upper body, lower body, or names of joints"
"""What limbs can be called, for messages."""
LIMB_PART_WORDS = {word: part for part in BodyPart for word in (part.value, f"{part.value}s")}
"""Body parts by the words for them."""


def chosen_joints(skeleton: Skeleton, anatomy: Anatomy, words: Sequence[str]) -> Bool[ndarray, "bones"]:
    """The joints that words for limbs mean; a joint's own name means it and everything below it. Never the root.

    The upper body is everything but root, legs and tail, for two legs and for more; the lower body is the rest.
    """
    chosen = np.zeros(len(skeleton), bool)
    for word in words:
        chosen |= _joints_of(skeleton, anatomy, word)
    chosen[0] = False
    return chosen


def _joints_of(skeleton: Skeleton, anatomy: Anatomy, word: str) -> Bool[ndarray, "bones"]:
    parts = np.array([part.value for part in anatomy.parts])
    lower = np.isin(parts, [BodyPart.LEG.value, BodyPart.TAIL.value])
    plain = " ".join(word.lower().replace("_", " ").split())
    if plain in ("upper body", "lower body"):
        return ~lower if plain == "upper body" else lower
    *marks, noun = plain.split()
    if noun not in LIMB_PART_WORDS or not set(marks) <= {"left", "right", "front", "hind"}:
        found = np.zeros(len(skeleton), bool)
        try:
            found[bones_below(skeleton, find_joint(skeleton, word))] = True
        except ConfigError as error:
            raise ConfigError(f"{error} Limbs take {LIMB_NAMES}.") from None
        return found
    found = parts == LIMB_PART_WORDS[noun].value
    for side in Side:
        if side.value in marks:
            found &= np.array([s is side for s in anatomy.sides])
    if "front" in marks or "hind" in marks:
        limbs = anatomy.of(LIMB_PART_WORDS[noun])
        last = max((limb.pair for limb in limbs), default=0)
        tops = [limb.bones[0] for limb in limbs if limb.pair == (0 if "front" in marks else last)]
        below = np.zeros(len(skeleton), bool)
        below[[bone for top in tops for bone in bones_below(skeleton, top)]] = True
        found &= below
    if not found[1:].any():
        known = sorted({str(part) for part in parts[1:]})
        raise ConfigError(f"'{word}': this body has no such limb. Its parts are: {', '.join(known)}; or name joints.")
    return found


def head_chain(skeleton: Skeleton, anatomy: Anatomy) -> tuple[int, ...]:
    """The bones that turn the face, from the neck's first to the skull; raises for a body without a head."""
    heads = [limb for limb in anatomy.of(BodyPart.HEAD) if limb.bones[0] != 0]
    if not heads:
        raise ConfigError("look_at: this body has no head that could turn. Pin a joint instead.")
    chain = [heads[0].bones[0]]
    while anatomy.parts[parent := int(skeleton.parents[chain[0]])] is BodyPart.NECK:
        chain.insert(0, parent)
    return tuple(chain)
