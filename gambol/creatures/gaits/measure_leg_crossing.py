"""Measure of legs that pass through each other: distance of their bones against the thickness of their flesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.character.segment_distances import segment_distance
from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip


@dataclass(frozen=True)
class LegPairs:
    """Pairs of bones of different legs that could meet."""

    first: Int[ndarray, "pairs"]
    """Index of the one bone."""
    second: Int[ndarray, "pairs"]
    """Index of the other bone."""
    thickness: Float[ndarray, "pairs"]
    """Sum of the two radii, metres."""
    at_rest: Float[ndarray, "pairs"]
    """Distance of the two bones in the rest pose, in thicknesses, at most 1 (1 where the flesh does not touch)."""


def leg_pairs(character: Character, anatomy: Anatomy) -> LegPairs:
    """Return all pairs of bones of two legs, except those of which both are first bones or inside the trunk."""
    skeleton = character.require_skeleton()
    radii, inside = flesh_radii(character), _inside_trunk(character, anatomy)
    legs = [limb.bones[: limb.bones.index(limb.contact) + 1] for limb in anatomy.legs if limb.contact is not None]
    for leg in legs:
        inside[leg[0]] = True
    pairs = [
        (a, b)
        for k, one in enumerate(legs)
        for other in legs[k + 1 :]
        for a in one
        for b in other
        if not (inside[a] and inside[b])
    ]
    first, second = np.array(pairs, int).reshape(-1, 2).T
    thickness = np.maximum(radii[first] + radii[second], 1e-9)
    places = skeleton.heads, skeleton.tails
    apart = segment_distance(*(end[k] for k in (first, second) for end in places))
    return LegPairs(first, second, thickness, np.minimum(apart / thickness, 1.0))


def _inside_trunk(character: Character, anatomy: Anatomy) -> Bool[ndarray, "bones"]:
    """Return which bones have their middle inside the trunk's outline (a horse's upper arms)."""
    mesh, skeleton, weights = character.require_skin()
    torso = [bone for bone, part in enumerate(anatomy.parts) if part == BodyPart.TORSO]
    trunk = mesh.vertices[np.isin(weights.dominant(), torso)]
    if not len(trunk):
        return np.zeros(len(skeleton), bool)
    middle = 0.5 * (skeleton.heads + skeleton.tails)
    return (middle[:, 1] > trunk[:, 1].min()) & (np.abs(middle[:, 2]) < np.abs(trunk[:, 2]).max())


def flesh_radii(character: Character) -> Float[ndarray, "bones"]:
    """Return the median distance of each bone's vertices from its axis, metres; 0 for a bone without vertices."""
    mesh, skeleton, weights = character.require_skin()
    owners, radii = weights.dominant(), np.zeros(len(skeleton))
    for bone in range(len(skeleton)):
        mine = mesh.vertices[owners == bone]
        if len(mine):
            a, along = skeleton.heads[bone], skeleton.tails[bone] - skeleton.heads[bone]
            share = np.clip((mine - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
            radii[bone] = np.median(np.linalg.norm(mine - a - share[:, None] * along, axis=1))
    return radii


def worst_crossing(skeleton: Skeleton, pairs: LegPairs, clip: Clip) -> float:
    """Return how deep two legs sink into each other: max over frames and pairs of min(1, d_rest) - d.

    The distance d of two bones is in thicknesses; 0 is no contact beyond the rest pose, 1 one bone through the other.
    """
    if not len(pairs.first):
        return 0.0
    T = pose_clip(skeleton, clip)
    along = np.linalg.norm(skeleton.tails - skeleton.heads, axis=1)
    heads = T[..., :3, 3]
    tails = heads + T[..., :3, 1] * along[:, None]
    ends = [end[:, k] for k in (pairs.first, pairs.second) for end in (heads, tails)]
    apart = segment_distance(*ends).min(0) / pairs.thickness
    return max(float((pairs.at_rest - apart).max()), 0.0)
