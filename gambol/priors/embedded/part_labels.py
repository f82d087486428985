"""The vocabulary of body parts that the embedded prior sees, one for all bodies, and the label of every bone.

Limbs have three pieces (upper, lower, end), every pair its own; trunk, neck, head and tail have pieces along their
length. Pairs of legs count from the hindmost, so that the legs of a biped are the hind legs of a quadruped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.skeleton import Skeleton
from gambol.splats.skinned_splats import SkinnedSplats

MIDLINE_PIECES = {BodyPart.TORSO: 8, BodyPart.NECK: 3, BodyPart.HEAD: 4, BodyPart.TAIL: 6}
"""Labels along each part of the midline; a body uses as many as it has bones, spread over all of them."""
LEGGED_TORSO_PIECES = 3
"""Pieces of the torso of a body with legs; legless trunks have all of `MIDLINE_PIECES`."""
LIMB_PAIRS = {BodyPart.LEG: 6, BodyPart.ARM: 2, BodyPart.WING: 2}
"""Pairs of each kind of limb that have labels of their own; bodies with more share them between neighbours."""
LIMB_PIECES = 3
"""Pieces of a limb: upper, lower, end."""
UPPER_SHARE = 0.5
"""Share of a leg's length above the foot, or of an arm's above the hand, that counts as its upper piece."""


@dataclass(frozen=True)
class PartLabel:
    """A piece of a body part."""

    part: BodyPart
    """What it is a piece of."""
    side: Side
    """Which half of the body it is on."""
    pair: int
    """Number of the pair: of legs from the hindmost, of arms and wings from the foremost; 0 on the midline."""
    piece: int
    """Place along the part, from the body outwards."""


def _vocabulary() -> tuple[PartLabel, ...]:
    midline = [PartLabel(part, Side.MIDDLE, 0, i) for part, count in MIDLINE_PIECES.items() for i in range(count)]
    limbs = [
        PartLabel(part, side, pair, piece)
        for part, pairs in LIMB_PAIRS.items()
        for pair in range(pairs)
        for side in (Side.LEFT, Side.RIGHT)
        for piece in range(LIMB_PIECES)
    ]
    return (*midline, *limbs)


PART_LABELS: tuple[PartLabel, ...] = _vocabulary()
"""All labels, in the order of the latent's part axis; new ones are appended."""
LABEL_INDEX = {label: i for i, label in enumerate(PART_LABELS)}
"""Place of each label in `PART_LABELS`."""


def _mirror() -> Int[ndarray, "labels"]:
    other = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT, Side.MIDDLE: Side.MIDDLE}
    return np.array([LABEL_INDEX[PartLabel(p.part, other[p.side], p.pair, p.piece)] for p in PART_LABELS])


MIRRORED_LABELS: Int[ndarray, "labels"] = _mirror()
"""The label on the other side of the body, of each label."""


def bone_labels(skeleton: Skeleton, anatomy: Anatomy) -> Int[ndarray, "bones"]:
    """Index in `PART_LABELS` of every bone; bones beside a limb's chain have the label of their parent."""
    labels = np.full(len(skeleton), -1)
    length = np.linalg.norm(skeleton.tails - skeleton.heads, axis=1) + 1e-9
    pairs = {part: 1 + max((limb.pair for limb in anatomy.of(part)), default=0) for part in LIMB_PAIRS}
    legless = sum(limb.contact is not None for limb in anatomy.legs) < 2
    for limb in anatomy.limbs:
        bones = list(limb.bones)
        if limb.part in LIMB_PAIRS:
            side = Side.RIGHT if limb.side == Side.MIDDLE else limb.side
            pair = _pair_label(limb, pairs[limb.part])
            pieces = _limb_pieces(limb, length[bones])
            labels[bones] = [LABEL_INDEX[PartLabel(limb.part, side, pair, int(piece))] for piece in pieces]
        else:
            count = MIDLINE_PIECES[limb.part]
            used = LEGGED_TORSO_PIECES if limb.part == BodyPart.TORSO and not legless else count
            labels[bones] = [
                LABEL_INDEX[PartLabel(limb.part, Side.MIDDLE, 0, piece)]
                for piece in _midline_pieces(length[bones], used, count)
            ]
    for bone in range(len(skeleton)):  # parents come first
        if labels[bone] < 0:
            parent = int(skeleton.parents[bone])
            labels[bone] = labels[parent] if parent >= 0 else LABEL_INDEX[PartLabel(BodyPart.TORSO, Side.MIDDLE, 0, 0)]
    return labels


def splat_labels(splats: SkinnedSplats, labels: Int[ndarray, "bones"]) -> Int[ndarray, "splats"]:
    """The label with the most skin weight, of every splat."""
    weight = np.zeros((len(splats), len(PART_LABELS)))
    for k in range(splats.bones.shape[1]):
        np.add.at(weight, (np.arange(len(splats)), labels[splats.bones[:, k].numpy()]), splats.weights[:, k].numpy())
    return weight.argmax(1)


def _pair_label(limb: Limb, pairs: int) -> int:
    """Legs count from the hindmost pair; more pairs than there are labels share them evenly."""
    labels = LIMB_PAIRS[limb.part]
    number = pairs - 1 - limb.pair if limb.part == BodyPart.LEG else limb.pair
    return number if pairs <= labels else number * labels // pairs


def _limb_pieces(limb: Limb, length: ndarray) -> list[int]:
    """Upper, lower and end piece along the chain; a foot or hand with all beyond it is the end."""
    count = len(limb.bones)
    if limb.contact in limb.bones:
        end = limb.bones.index(limb.contact)
    elif limb.part == BodyPart.ARM and count > 3:  # shoulder, upper arm, forearm, hand, fingers
        end = 3
    else:
        end = count - 1
    if end < 2:
        return [min(i + LIMB_PIECES - count, 2) if count < LIMB_PIECES else min(i, 2) for i in range(count)]
    if limb.part == BodyPart.ARM and count > 3:
        return [0, 0, 1] + [2] * (count - 3)
    middle = (np.cumsum(length[:end]) - 0.5 * length[:end]) / length[:end].sum()
    pieces = (middle >= UPPER_SHARE).astype(int)
    pieces[0], pieces[-1] = 0, 1
    return [*pieces.tolist(), *[2] * (count - end)]


def _midline_pieces(length: ndarray, used: int, count: int) -> list[int]:
    """The piece of each bone by how far along the chain its middle is: `used` pieces spread over `count` labels."""
    used = min(used, len(length))
    middle = (np.cumsum(length) - 0.5 * length) / length.sum()
    pieces = np.minimum((middle * used).astype(int), used - 1)
    return [count // 2 if used == 1 else round(p * (count - 1) / (used - 1)) for p in pieces.tolist()]
