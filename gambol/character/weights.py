"""Skin weights: at most k bones per vertex, every row non-negative and summing to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.errors import AssetError

WEIGHT_SUM_TOLERANCE = 1e-3
"""A row whose weights sum to 1 within this (quantised weights do) counts as sound; others are repaired."""


@dataclass(frozen=True)
class SkinWeights:
    """Which bones move a vertex: `bones[v, k]` with `weights[v, k]`; unused slots have weight 0 and bone 0."""

    bones: Int[ndarray, "vertices influences"]
    """Bone of each influence."""
    weights: Float[ndarray, "vertices influences"]
    """Weight of each influence, 0 to 1."""
    bone_count: int
    """Number of bones of the skeleton."""

    def __post_init__(self) -> None:
        if self.bones.shape != self.weights.shape or self.bones.ndim != 2:
            raise AssetError(f"Skin weights need equal shapes; got {self.bones.shape} and {self.weights.shape}.")
        if self.bones.size and not (int(self.bones.min()) >= 0 and int(self.bones.max()) < self.bone_count):
            raise AssetError(f"Skin weights name bone {int(self.bones.max())} of {self.bone_count}.")
        if not np.isfinite(self.weights).all() or (self.weights < 0).any():
            raise AssetError("Skin weights must be finite and not negative.")
        if len(self.weights) and np.abs(self.weights.sum(1) - 1.0).max() > 1e-4:
            raise AssetError("Skin weights must sum to 1 in every row.")

    def __len__(self) -> int:
        return len(self.bones)

    def dense(self) -> Float[ndarray, "vertices bones"]:
        """Weights as a full matrix."""
        full = np.zeros((len(self), self.bone_count))
        np.add.at(full, (np.arange(len(self))[:, None], self.bones), self.weights)
        return full

    def mass(self) -> Float[ndarray, "bones"]:
        """Sum of the weights of each bone over all vertices."""
        return np.bincount(self.bones.ravel(), self.weights.ravel().astype(np.float64), self.bone_count)

    def dominant(self) -> Int[ndarray, "vertices"]:
        """Bone with the largest weight at each vertex."""
        return self.bones[np.arange(len(self)), self.weights.argmax(1)]


def weights_from_dense(dense: Float[ndarray, "vertices bones"], influences: int = 4) -> SkinWeights:
    """Keep the largest `influences` weights of each row and renormalise them."""
    k = min(influences, dense.shape[1])
    bones = np.argsort(-dense, axis=1, kind="stable")[:, :k]
    kept = np.take_along_axis(dense, bones, axis=1)
    kept = kept / kept.sum(1, keepdims=True)
    return SkinWeights(np.where(kept > 0, bones, 0), kept.astype(np.float32), dense.shape[1])


def repair_weight_rows(
    joints: Int[ndarray, "vertices influences"],
    weights: Float[ndarray, "vertices influences"],
    positions: Float[ndarray, "vertices 3"],
) -> tuple[Int[ndarray, "vertices influences"], Float[ndarray, "vertices influences"], ndarray, int]:
    """Repair weights: joints, weights, indices of rows without a usable weight, number of rows that were rescaled.

    NaN, infinite and negative entries count as 0; a row that is left with nothing takes the weights of the nearest
    vertex that has some (the first joint if no vertex has any).
    """
    clean = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0).astype(np.float64)
    clean = np.minimum(clean, 1e6)
    total = clean.sum(1)
    usable = total > 1e-6
    broken = np.flatnonzero(~usable)
    sound = (np.isfinite(weights) & (weights >= 0)).all(1)
    bad_sum = int((usable & ((np.abs(total - 1.0) > WEIGHT_SUM_TOLERANCE) | ~sound)).sum())
    joints = np.where(clean > 0, joints, 0)
    clean[usable] /= total[usable, None]
    if len(broken) and usable.any():
        from scipy.spatial import cKDTree

        source = np.flatnonzero(usable)[cKDTree(positions[usable]).query(positions[broken])[1]]
        joints[broken], clean[broken] = joints[source], clean[source]
    elif len(broken):
        joints[broken], clean[broken] = 0, np.eye(1, clean.shape[1])
    return joints, clean.astype(np.float32), broken, bad_sum
