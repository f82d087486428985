"""Random proportions as data augmentation: parts of a character longer, thicker or tiny, joints and skin alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton

MAX_LOG_SCALE = 0.35
"""Largest natural logarithm of a part's moderate random scale."""
MODERATE_PROBABILITY = 0.4
"""Probability that all parts keep to the moderate range."""
GROUND_SLACK = 0.01
"""How far below the soles anything else may reach, in sizes of the character."""
MODERATING_ROUNDS = 6
"""How often proportions that put the belly on the ground are halved before they are given up."""
STEEP_FOOT = 0.8
"""Feet whose bones rise by more than this share of their length are parts of the leg."""
LEG_FIT_RANGE = (0.6, 1.6)
"""Range of the factor by which a leg's length is fitted to the common ground."""


@dataclass(frozen=True)
class Proportions:
    """Factors of the parts of a body; parts that are not named stay as they are."""

    lengths: Mapping[BodyPart, float] = field(default_factory=dict)
    """Factor of each part along its bones."""
    girths: Mapping[BodyPart, float] = field(default_factory=dict)
    """Factor of each part across its bones; by default that of its length."""
    foot: float = 1.0
    """Further factor of feet that lie flat, in all directions; a spider's last bones are no feet."""

    def moderated(self, share: float) -> Proportions:
        """Return proportions between these (share 1) and none (share 0): every factor to the power of `share`."""
        girths = {part: self.girths.get(part, f) ** share for part, f in self.lengths.items()}
        girths |= {part: f**share for part, f in self.girths.items()}
        return Proportions({p: f**share for p, f in self.lengths.items()}, girths, self.foot**share)


PROPORTION_ODDITIES: tuple[Mapping[str, tuple[float, float]], ...] = (
    {"torso length": (1.3, 2.0), "torso girth": (0.75, 1.1), "leg length": (0.45, 0.7)},
    {"head length": (1.7, 2.8), "head girth": (1.7, 2.8), "neck length": (0.3, 0.7)},
    {"neck length": (0.1, 0.3), "neck girth": (0.9, 1.3)},
    {"neck length": (1.6, 3.0), "neck girth": (0.6, 1.0), "head length": (0.55, 0.9)},
    {"leg length": (1.4, 2.1), "leg girth": (0.45, 0.7)},
    {"leg length": (0.45, 0.65), "leg girth": (0.8, 1.2)},
    {"foot": (1.4, 2.3)},
    {"torso length": (0.6, 0.8), "torso girth": (1.2, 1.6)},
    {"arm length": (1.3, 1.8), "wing length": (1.2, 1.5)},
    {"arm length": (0.4, 0.65), "wing length": (0.5, 0.75)},
    {"tail length": (0.15, 0.4)},
    {"tail length": (1.5, 2.2)},
)
"""What makes a body unusual: factors of parts ('<part> length', '<part> girth', 'foot') and their ranges."""


def draw_proportions(generator: np.random.Generator) -> Proportions:
    """Draw random proportions: moderate ones, or one to three oddities far outside the usual on top of them."""
    lengths = {part: float(np.exp(generator.uniform(-MAX_LOG_SCALE, MAX_LOG_SCALE))) for part in BodyPart}
    girths: dict[BodyPart, float] = {}
    foot = 1.0
    if generator.random() < MODERATE_PROBABILITY:
        return Proportions(lengths)
    for k in generator.choice(len(PROPORTION_ODDITIES), int(generator.integers(1, 4)), replace=False):
        for name, span in PROPORTION_ODDITIES[int(k)].items():
            value = float(generator.uniform(*span))
            part, _, kind = name.partition(" ")
            if part == "foot":
                foot = value
            elif kind == "length":
                lengths[BodyPart(part)] = value
            else:
                girths[BodyPart(part)] = value
    return Proportions(lengths, girths, foot)


def with_proportions(character: Character, anatomy: Anatomy, proportions: Proportions) -> Character:
    """Scale every bone along and across about its own joint, and put the character's feet on the ground.

    M_b = l a a^T + g (I - a a^T), a the bone's direction at rest, l and g its part's length and girth; h'_b = h'_p +
    M_p (h_b - h_p) from the root outwards; v' = sum_b w_b (h'_b + M_b (v - h_b)). The lengths of legs are fitted so
    that all soles come to one level. Where anything else would be below the soles (a long body on short legs), the
    proportions are moderated until it is not.
    """
    chosen = proportions
    for round_ in range(MODERATING_ROUNDS):
        changed, depth = _scaled(character, anatomy, chosen)
        if depth <= GROUND_SLACK * changed.size:
            return changed
        chosen = proportions.moderated(0.6 ** (round_ + 1))
    return changed


def _scaled(character: Character, anatomy: Anatomy, proportions: Proportions) -> tuple[Character, float]:
    """Return the scaled character on its soles, and how far anything else reaches below them, metres."""
    mesh, skeleton, weights = character.require_skin()
    owners = weights.dominant()
    soles = _sole_heights(mesh.vertices, owners, skeleton, anatomy)
    M = _bone_scales(skeleton, anatomy, proportions)
    heads = _scaled_heads(skeleton, M)
    if soles:
        _fit_legs(skeleton, soles, M, heads)
        heads = _scaled_heads(skeleton, M)
    old, bones = skeleton.heads, weights.bones
    moved = heads[bones] + (M[bones] @ (mesh.vertices[:, None] - old[bones])[..., None])[..., 0]
    vertices = (weights.weights[..., None] * moved).sum(1)
    tails = heads + (M @ (skeleton.tails - old)[..., None])[..., 0]
    lowest = float(vertices[:, 1].min())
    feet = np.isin(owners, [b for limb, _ in soles for b in _bones_from(skeleton, int(limb.contact or 0))])
    ground = (
        float(np.median([vertices[_foot(owners, skeleton, limb), 1].min() for limb, _ in soles])) if soles else lowest
    )
    depth = ground - float(vertices[~feet, 1].min()) if soles and not feet.all() else 0.0
    down = np.array([0.0, ground, 0.0])
    T = skeleton.T_world_rest.copy()
    T[:, :3, 3] = heads - down
    changed = replace(
        character,
        mesh=replace(mesh, vertices=vertices - down),
        skeleton=replace(skeleton, T_world_rest=T, tails=tails - down),
    )
    return changed, depth


def _bone_scales(skeleton: Skeleton, anatomy: Anatomy, proportions: Proportions) -> Float[ndarray, "bones 3 3"]:
    """Return M of every bone; feet are scaled alike in all directions."""
    along = skeleton.tails - skeleton.heads
    along[[side == Side.MIDDLE for side in anatomy.sides], 2] = 0.0  # both sides alike, wherever a middle bone points
    axes = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    length = np.array([proportions.lengths.get(part, 1.0) for part in anatomy.parts])
    girth = np.array([proportions.girths.get(p, proportions.lengths.get(p, 1.0)) for p in anatomy.parts])
    for limb in anatomy.legs:
        if limb.contact is not None:
            foot = _bones_from(skeleton, limb.contact)
            larger = proportions.foot if abs(axes[limb.contact, 1]) < STEEP_FOOT else 1.0
            length[foot] = girth[foot] = larger * np.sqrt(length[foot] * girth[foot])
    outer = axes[:, :, None] * axes[:, None]
    return length[:, None, None] * outer + girth[:, None, None] * (np.eye(3) - outer)


def _scaled_heads(skeleton: Skeleton, M: Float[ndarray, "bones 3 3"]) -> Float[ndarray, "bones 3"]:
    old, heads = skeleton.heads, skeleton.heads.copy()
    for bone in range(1, len(skeleton)):
        parent = int(skeleton.parents[bone])
        heads[bone] = heads[parent] + M[parent] @ (old[bone] - old[parent])
    return heads


def _fit_legs(
    skeleton: Skeleton,
    soles: list[tuple[Limb, float]],
    M: Float[ndarray, "bones 3 3"],
    heads: Float[ndarray, "bones 3"],
) -> None:
    """Scale the legs in M so that all soles come to the mean level of the soles as they are.

    A leg of hip height H over its ankle and ankle height f over its sole needs the factor (y_hip - f - ground) / H.
    """
    reach = []
    for limb, sole in soles:
        ankle = int(limb.contact or 0)
        foot = float(M[ankle, 1, 1]) * float(skeleton.heads[ankle, 1] - sole)
        reach.append((float(heads[limb.bones[0], 1]), float(heads[ankle, 1]), foot))
    hips, ankles, feet = np.array(reach).T
    ground = float(np.mean(ankles - feet))
    fits = np.clip((hips - feet - ground) / np.maximum(hips - ankles, 1e-9), *LEG_FIT_RANGE)
    pairs = np.array([limb.pair for limb, _ in soles])
    for (limb, _), pair in zip(soles, pairs, strict=True):
        upper = [b for b in limb.bones if b not in _bones_from(skeleton, int(limb.contact or 0))]
        M[upper] *= float(np.mean(fits[pairs == pair]))


def _sole_heights(
    vertices: Float[ndarray, "vertices 3"], owners: Int[ndarray, "vertices"], skeleton: Skeleton, anatomy: Anatomy
) -> list[tuple[Limb, float]]:
    """Return every leg whose foot has a surface, with the height of its lowest point."""
    found = []
    for limb in anatomy.legs:
        if limb.contact is not None and limb.contact != limb.bones[0]:
            mine = _foot(owners, skeleton, limb)
            if mine.any():
                found.append((limb, float(vertices[mine, 1].min())))
    return found


def _foot(owners: Int[ndarray, "vertices"], skeleton: Skeleton, limb: Limb) -> ndarray:
    return np.isin(owners, _bones_from(skeleton, int(limb.contact or 0)))


def _bones_from(skeleton: Skeleton, top: int) -> list[int]:
    """Return a bone with all its descendants."""
    found = [top]
    for bone in found:
        found.extend(skeleton.children[bone])
    return found
