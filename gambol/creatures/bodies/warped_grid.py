"""A regular grid warped towards refined regions, so that faces and feet get finer triangles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.bodies.body_plan import RefinedRegion


def warp_grid(
    refined_regions: tuple[RefinedRegion, ...], points: Float[ndarray, "points 3"]
) -> Float[ndarray, "points 3"]:
    """Warp points: x(u) = u - sum_i s_i e_i (u - c_i) / max(1, sum_i e_i), e_i = exp(-|u - c_i|^2 / R_i^2)."""
    shift, total = np.zeros_like(points), np.zeros(len(points))
    for refine in refined_regions:
        away = points - np.array(refine.centre)
        effect = np.exp(-(away**2).sum(1) / refine.radius**2)
        shift += (refine.strength * effect)[:, None] * away
        total += effect
    return points - shift / np.maximum(total, 1.0)[:, None]


def cell_scale(
    refined_regions: tuple[RefinedRegion, ...], points: Float[ndarray, "points 3"]
) -> Float[ndarray, "points"]:
    """Return the approximate size of the grid's cells at some points, as a share of those far from all regions."""
    shrink, total = np.zeros(len(points)), np.zeros(len(points))
    for refine in refined_regions:
        effect = np.exp(-((points - np.array(refine.centre)) ** 2).sum(1) / refine.radius**2)
        shrink += refine.strength * effect
        total += effect
    return 1.0 - shrink / np.maximum(total, 1.0)
