"""Conditioning of the pose network: features of each bone, and the relation of every bone to every other.

Everything comes from geometry, topology and skin; the names and the order of the bones have no influence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.skeleton import Skeleton
from gambol.poses.pose_rig import BODY_PARTS, BODY_SIDES, PoseRig

POSITION_FREQUENCIES = 4
"""Number of frequencies in the positional encoding of a joint's rest position."""
MAX_HOPS = 6
"""Larger tree distances between two bones count as this many hops."""
BONE_RELATIONS = ("self", "parent", "child", "sibling", "mirror", "other")
"""Classes of what one bone is to another."""


@dataclass(frozen=True)
class SkeletonFeatures:
    """A rig as the pose network sees it."""

    bones: Float[Tensor, "bones features"]
    """Features of each bone (`bone_features`)."""
    hops: Int[Tensor, "bones bones"]
    """Tree distance between every two bones, clipped to `MAX_HOPS`."""
    relations: Int[Tensor, "bones bones"]
    """What the column's bone is to the row's bone, an index into `BONE_RELATIONS`."""


def describe_skeleton(rig: PoseRig) -> SkeletonFeatures:
    """Compute all features of a rig that condition the pose network."""
    hops = tree_distances(rig.skeleton)
    relations = bone_relations(rig.skeleton, hops)
    return SkeletonFeatures(
        torch.as_tensor(bone_features(rig)).float(),
        torch.as_tensor(np.minimum(hops, MAX_HOPS)),
        torch.as_tensor(relations),
    )


def bone_features(rig: PoseRig) -> Float[ndarray, "bones features"]:
    """Position, direction, depth, cuboid and anatomy of each bone, scaled to about unit size and clipped to +-6."""
    skeleton, bones = rig.skeleton, len(rig)
    heads, parents = skeleton.heads, skeleton.parents
    middle = heads * [1.0, 0.0, 1.0]
    position = heads - middle.mean(0) * [1.0, 0.0, 0.0]
    from_parent = np.where((parents >= 0)[:, None], heads - heads[np.maximum(parents, 0)], 0.0)
    depth, leaves, carried = np.zeros(bones), np.zeros(bones), rig.masses.copy()
    for bone in range(1, bones):
        depth[bone] = depth[parents[bone]] + 1
    for bone in range(bones - 1, 0, -1):
        leaves[bone] += not skeleton.children[bone]
        leaves[parents[bone]] += leaves[bone]
        carried[parents[bone]] += carried[bone]
    waves = position[:, :, None] * np.pi * 2.0 ** np.arange(POSITION_FREQUENCIES)
    columns = [
        2.0 * position,
        5.0 * (skeleton.tails - heads),
        5.0 * from_parent,
        np.sin(waves).reshape(bones, -1),
        np.cos(waves).reshape(bones, -1),
        skeleton.T_world_rest[:, :3, 0],
        skeleton.T_world_rest[:, :3, 1],
        np.stack([depth / 6.0, np.log1p(leaves), 0.25 * np.log(carried + 1e-4), 0.25 * np.log(rig.masses + 1e-4)], 1),
        10.0 * np.concatenate([rig.centres, rig.halves, rig.radii[:, None]], 1),
        np.clip(rig.limits.reshape(bones, 6), -3.0, 3.0),
        np.eye(len(BODY_PARTS))[rig.parts],
        np.eye(len(BODY_SIDES))[rig.sides],
        np.stack([rig.orders / 4.0, rig.pairs / 2.0, rig.contacts, np.arange(bones) == 0], 1),
        np.full((bones, 1), np.log(bones) - 3.3),
    ]
    return np.clip(np.concatenate(columns, axis=1), -6.0, 6.0)


def tree_distances(skeleton: Skeleton) -> Int[ndarray, "bones bones"]:
    """Number of joints on the path between every two bones of the tree."""
    count = len(skeleton)
    hops = np.zeros((count, count), np.int64)
    for bone in range(1, count):
        parent = int(skeleton.parents[bone])
        hops[bone, :bone] = hops[parent, :bone] + 1
        hops[:bone, bone] = hops[bone, :bone]
    return hops


def bone_relations(skeleton: Skeleton, hops: Int[ndarray, "bones bones"]) -> Int[ndarray, "bones bones"]:
    """Class of what the column's bone is to the row's bone, an index into `BONE_RELATIONS`."""
    count, parents = len(skeleton), skeleton.parents
    found = np.full((count, count), BONE_RELATIONS.index("other"))
    siblings = (parents[:, None] == parents[None]) & (parents >= 0)[:, None]
    found[siblings] = BONE_RELATIONS.index("sibling")
    partner = mirror_partners(skeleton, hops[0])
    paired = np.flatnonzero(partner >= 0)
    found[paired, partner[paired]] = BONE_RELATIONS.index("mirror")
    child = np.arange(1, count)
    found[child, parents[1:]] = BONE_RELATIONS.index("parent")
    found[parents[1:], child] = BONE_RELATIONS.index("child")
    np.fill_diagonal(found, BONE_RELATIONS.index("self"))
    return found


def mirror_partners(skeleton: Skeleton, depth: Int[ndarray, "bones"]) -> Int[ndarray, "bones"]:
    """Index of each bone's mirror image: equal depth, middles that match to 5 % of the size; -1 if there is none."""
    middles = 0.5 * (skeleton.heads + skeleton.tails)
    aside = middles[:, 2] - middles[0, 2]
    image = middles.copy()
    image[:, 2] = middles[0, 2] - aside
    gaps = np.linalg.norm(image[:, None] - middles[None], axis=-1)
    gaps[depth[:, None] != depth[None]] = np.inf
    nearest = gaps.argmin(1)
    close = (gaps[np.arange(len(nearest)), nearest] < 0.05) & (nearest != np.arange(len(nearest)))
    return np.where(close, nearest, -1)
