"""A regular grid that is drawn together in a plan's lenses, so that faces and feet get finer triangles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.bodies.body_plan import Lens


def bend_grid(lenses: tuple[Lens, ...], points: Float[ndarray, "points 3"]) -> Float[ndarray, "points 3"]:
    """x(u) = u - sum_i s_i e_i (u - c_i) / max(1, sum_i e_i), e_i = exp(-|u - c_i|^2 / R_i^2): finer around c_i."""
    shift, total = np.zeros_like(points), np.zeros(len(points))
    for lens in lenses:
        away = points - np.array(lens.centre)
        effect = np.exp(-(away**2).sum(1) / lens.radius**2)
        shift += (lens.strength * effect)[:, None] * away
        total += effect
    return points - shift / np.maximum(total, 1.0)[:, None]


def fineness(lenses: tuple[Lens, ...], points: Float[ndarray, "points 3"]) -> Float[ndarray, "points"]:
    """About how large the grid's cells are at some points, as a share of those far from all lenses."""
    shrink, total = np.zeros(len(points)), np.zeros(len(points))
    for lens in lenses:
        effect = np.exp(-((points - np.array(lens.centre)) ** 2).sum(1) / lens.radius**2)
        shrink += lens.strength * effect
        total += effect
    return 1.0 - shrink / np.maximum(total, 1.0)
