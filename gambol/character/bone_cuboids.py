"""Bone cuboids: one box per bone around its share of the skinned surface (AKD 4.4, 4.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.character.transforms import rigid_inverse
from gambol.character.weights import SkinWeights

BOX_TRIM_SHARE = 0.02
"""Share of a bone's weight left outside its box on each side, so that a stray vertex does not inflate it."""
DOMINANT_TRIM_SHARE = 1.0 / 60.0
"""Share of the vertices that a bone dominates left outside its box on each side: at most 10 % over six sides."""
MIN_THICKNESS_RATIO = 0.15
"""Least thickness of a box, as a share of its longest side."""
BOX_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
"""Corners of the cube from -1 to 1."""


@dataclass(frozen=True)
class BoneCuboids:
    """Boxes aligned with the bones' rest frames."""

    centres_bone: Float[ndarray, "bones 3"]
    """Centre of each box in its bone's rest frame, metres."""
    half_sides: Float[ndarray, "bones 3"]
    """Half of each box's side lengths along its bone's axes, metres."""

    def corners_bone(self) -> Float[ndarray, "bones 8 3"]:
        """The eight corners of each box in its bone's frame."""
        return self.centres_bone[:, None] + BOX_CORNERS * self.half_sides[:, None]

    def volumes(self) -> Float[ndarray, "bones"]:
        """Volume of each box, cubic metres."""
        return 8.0 * self.half_sides.prod(1)


def fit_cuboids(skeleton: Skeleton, weights: SkinWeights, vertices: Float[ndarray, "vertices 3"]) -> BoneCuboids:
    """Fit the weighted 2nd to 98th percentile box of each bone's vertices, in the bone's own rest frame.

    Weights enter squared, so that the blend with the neighbours does not stretch a box over them; nine of ten vertices
    that a bone dominates are inside all the same. A bone with no vertices of its own takes a slim box around its
    segment.
    """
    T_rest_world = rigid_inverse(skeleton.T_world_rest)
    centres, halves = np.zeros((len(skeleton), 3)), np.zeros((len(skeleton), 3))
    order = np.argsort(weights.bones.ravel(), kind="stable")
    bounds = np.searchsorted(weights.bones.ravel()[order], np.arange(len(skeleton) + 1))
    rows = np.arange(len(weights)).repeat(weights.bones.shape[1])[order]
    shares = weights.weights.ravel()[order].astype(np.float64) ** 2
    dominant = weights.dominant()
    smallest = 1e-4 * max(float(np.ptp(vertices, axis=0).max()), 1e-9)
    for bone in range(len(skeleton)):
        mine = slice(bounds[bone], bounds[bone + 1])
        share = shares[mine]
        points = (vertices[rows[mine]] @ T_rest_world[bone, :3, :3].T + T_rest_world[bone, :3, 3])[share > 0]
        share = share[share > 0]
        if share.sum() < 0.5:
            points = _segment_points(skeleton, bone, T_rest_world[bone])
            share = np.ones(len(points))
        low, high = weighted_quantiles(points, share, BOX_TRIM_SHARE)
        own = vertices[dominant == bone] @ T_rest_world[bone, :3, :3].T + T_rest_world[bone, :3, 3]
        if len(own):
            own_low, own_high = weighted_quantiles(own, np.ones(len(own)), DOMINANT_TRIM_SHARE)
            low, high = np.minimum(low, own_low), np.maximum(high, own_high)
        half = 0.5 * (high - low)
        centres[bone] = 0.5 * (low + high)
        halves[bone] = np.maximum(half, max(MIN_THICKNESS_RATIO * half.max(), smallest))
    return BoneCuboids(centres, halves)


def weighted_quantiles(
    points: Float[ndarray, "points 3"], shares: Float[ndarray, "points"], trim: float
) -> tuple[Float[ndarray, "3"], Float[ndarray, "3"]]:
    """Return, per axis, the values that leave `trim` of the total share below and above them."""
    low, high = np.zeros(3), np.zeros(3)
    for axis in range(3):
        order = np.argsort(points[:, axis])
        total = np.cumsum(shares[order])
        low[axis] = points[order[np.searchsorted(total, trim * total[-1])], axis]
        high[axis] = points[order[min(np.searchsorted(total, (1 - trim) * total[-1]), len(order) - 1)], axis]
    return low, high


def _segment_points(skeleton: Skeleton, bone: int, T_rest_world: ndarray) -> ndarray:
    ends = np.stack([skeleton.heads[bone], skeleton.tails[bone]])
    return ends @ T_rest_world[:3, :3].T + T_rest_world[:3, 3]
