"""One colour per body part, side and pair: used by the player, the control render and the embedded prior."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Side
from gambol.character.colour import Colour
from gambol.character.skeleton import Skeleton

TRUNK_COLOURS: dict[BodyPart, Colour] = {
    BodyPart.TORSO: (0.84, 0.82, 0.76),
    BodyPart.NECK: (0.66, 0.74, 0.36),
    BodyPart.HEAD: (0.26, 0.66, 0.20),
    BodyPart.TAIL: (0.55, 0.22, 0.60),
}
"""sRGB colours of the parts without a side, 0 to 1."""
LIMB_COLOURS: dict[BodyPart, tuple[tuple[Colour, Colour], tuple[Colour, Colour]]] = {
    BodyPart.LEG: (((0.98, 0.62, 0.12), (0.08, 0.70, 0.78)), ((0.86, 0.18, 0.16), (0.16, 0.34, 0.88))),
    BodyPart.ARM: (((0.93, 0.38, 0.64), (0.46, 0.28, 0.80)), ((0.97, 0.62, 0.78), (0.66, 0.52, 0.92))),
    BodyPart.WING: (((0.95, 0.84, 0.36), (0.10, 0.52, 0.44)), ((0.98, 0.92, 0.66), (0.36, 0.72, 0.62))),
}
"""sRGB colours (left, right) of a part's hindmost pair and every second one before it, then of the pairs between.

Left is warm, right is cool. Pairs are counted from behind, so that a biped's legs have the
colours of a quadruped's hind legs.
"""


def bone_colours(anatomy: Anatomy, skeleton: Skeleton) -> Float[ndarray, "bones 3"]:
    """The sRGB colour of each bone by part, side and pair; toes and fingers have the colour of their limb."""
    pairs = {bone: limb.pair for limb in anatomy.limbs for bone in limb.bones}
    for bone in range(len(skeleton)):
        parent = int(skeleton.parents[bone])
        if bone not in pairs:
            alike = parent in pairs and anatomy.parts[parent] == anatomy.parts[bone]
            pairs[bone] = pairs[parent] if alike else 0
    last = {part: max((limb.pair for limb in anatomy.of(part)), default=0) for part in LIMB_COLOURS}
    colours = np.empty((len(skeleton), 3))
    for bone, (part, side) in enumerate(zip(anatomy.parts, anatomy.sides, strict=True)):
        if part in TRUNK_COLOURS:
            colours[bone] = TRUNK_COLOURS[part]
        else:
            left, right = np.array(LIMB_COLOURS[part][(last[part] - pairs[bone]) % 2])
            colours[bone] = {Side.LEFT: left, Side.RIGHT: right, Side.MIDDLE: 0.5 * (left + right)}[side]
    return colours
