"""What the network is told of a body: numbers for each bone, and how each bone stands to each other one.

Everything comes from geometry, topology and the skin; names and the order of the bones do not enter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.skeleton import Skeleton
from gambol.poses.pose_rig import PARTS, SIDES, Rig

WAVES = 4
"""Frequencies of the positional encoding of a joint's place at rest."""
FARTHEST = 6
"""Hops between two bones that are told apart; more count as this many."""
RELATIONS = ("self", "parent", "child", "sibling", "mirror", "other")


@dataclass(frozen=True)
class Told:
    """A body as the network sees it."""

    bones: Float[Tensor, "bones features"]
    hops: Int[Tensor, "bones bones"]
    """Joints between two bones along the tree, clipped at `FARTHEST`."""
    relations: Int[Tensor, "bones bones"]
    """Numbers of `RELATIONS`: what the column's bone is to the row's."""


def tell(rig: Rig) -> Told:
    """All features of a body."""
    hops = tree_distances(rig.skeleton)
    relations = relation_classes(rig.skeleton, hops)
    return Told(
        torch.as_tensor(bone_features(rig)).float(),
        torch.as_tensor(np.minimum(hops, FARTHEST)),
        torch.as_tensor(relations),
    )


def bone_features(rig: Rig) -> Float[ndarray, "bones features"]:
    """Place, direction, depth, flesh and anatomy of each bone, about 1 large; sizes and radians."""
    skeleton, bones = rig.skeleton, len(rig)
    heads, parents = skeleton.heads, skeleton.parents
    middle = heads * [1.0, 0.0, 1.0]
    place = heads - middle.mean(0) * [1.0, 0.0, 0.0]
    from_parent = np.where((parents >= 0)[:, None], heads - heads[np.maximum(parents, 0)], 0.0)
    depth, leaves, carried = np.zeros(bones), np.zeros(bones), rig.masses.copy()
    for bone in range(1, bones):
        depth[bone] = depth[parents[bone]] + 1
    for bone in range(bones - 1, 0, -1):
        leaves[bone] += not skeleton.children[bone]
        leaves[parents[bone]] += leaves[bone]
        carried[parents[bone]] += carried[bone]
    waves = place[:, :, None] * np.pi * 2.0 ** np.arange(WAVES)
    columns = [
        2.0 * place,
        5.0 * (skeleton.tails - heads),
        5.0 * from_parent,
        np.sin(waves).reshape(bones, -1),
        np.cos(waves).reshape(bones, -1),
        skeleton.T_world_rest[:, :3, 0],
        skeleton.T_world_rest[:, :3, 1],
        np.stack([depth / 6.0, np.log1p(leaves), 0.25 * np.log(carried + 1e-4), 0.25 * np.log(rig.masses + 1e-4)], 1),
        10.0 * np.concatenate([rig.centres, rig.halves, rig.radii[:, None]], 1),
        np.clip(rig.limits.reshape(bones, 6), -3.0, 3.0),
        np.eye(len(PARTS))[rig.parts],
        np.eye(len(SIDES))[rig.sides],
        np.stack([rig.orders / 4.0, rig.pairs / 2.0, rig.contacts, np.arange(bones) == 0], 1),
        np.full((bones, 1), np.log(bones) - 3.3),
    ]
    return np.clip(np.concatenate(columns, axis=1), -6.0, 6.0)


def tree_distances(skeleton: Skeleton) -> Int[ndarray, "bones bones"]:
    """Joints on the way between each two bones."""
    count = len(skeleton)
    hops = np.zeros((count, count), np.int64)
    for bone in range(1, count):
        parent = int(skeleton.parents[bone])
        hops[bone, :bone] = hops[parent, :bone] + 1
        hops[:bone, bone] = hops[bone, :bone]
    return hops


def relation_classes(skeleton: Skeleton, hops: Int[ndarray, "bones bones"]) -> Int[ndarray, "bones bones"]:
    """Self, parent, child, sibling, mirror partner or other."""
    count, parents = len(skeleton), skeleton.parents
    found = np.full((count, count), RELATIONS.index("other"))
    siblings = (parents[:, None] == parents[None]) & (parents >= 0)[:, None]
    found[siblings] = RELATIONS.index("sibling")
    partner = mirror_partners(skeleton, hops[0])
    paired = np.flatnonzero(partner >= 0)
    found[paired, partner[paired]] = RELATIONS.index("mirror")
    child = np.arange(1, count)
    found[child, parents[1:]] = RELATIONS.index("parent")
    found[parents[1:], child] = RELATIONS.index("child")
    np.fill_diagonal(found, RELATIONS.index("self"))
    return found


def mirror_partners(skeleton: Skeleton, depth: Int[ndarray, "bones"]) -> Int[ndarray, "bones"]:
    """The bone of the same depth whose middle is this one's in the mirror, to 5 % of the size; else -1."""
    middles = 0.5 * (skeleton.heads + skeleton.tails)
    aside = middles[:, 2] - middles[0, 2]
    image = middles.copy()
    image[:, 2] = middles[0, 2] - aside
    gaps = np.linalg.norm(image[:, None] - middles[None], axis=-1)
    gaps[depth[:, None] != depth[None]] = np.inf
    nearest = gaps.argmin(1)
    close = (gaps[np.arange(len(nearest)), nearest] < 0.05) & (nearest != np.arange(len(nearest)))
    return np.where(close, nearest, -1)
