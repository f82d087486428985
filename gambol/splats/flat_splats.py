"""Flat Gaussians that lie on a surface like scales: no holes between them, no thicker than paint."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.character.weights import SkinWeights
from gambol.splats.harmonics import harmonics_from_colours
from gambol.splats.skinned_splats import SkinnedSplats
from gambol.splats.surface_points import SurfacePoints, inner_ball_radius, local_spread

WINDOW_SIGMA = 1.3
"""Standard deviation of the window over the points around a splat, in spacings."""
SPLAT_SIGMA = 0.62
"""Standard deviation of a splat in that of the points in its window."""
MIN_SPLAT_SIGMA = 0.2
"""Least standard deviation along the surface, in spacings: that of a point without neighbours."""
SPLAT_THICKNESS = 0.05
"""Standard deviation across the surface, in spacings."""
FLAT_SPLAT_OPACITY = 0.9
"""Of each splat."""
SPLAT_INSET = (0.3, 1.1)
"""How far splats stand below the surface: parts of a spacing and of a pixel, added as squares."""
MAX_INSET_SHARE = 0.8
"""They stand at most at this part of the way to the middle of what is below."""


def flat_splats(
    points: SurfacePoints,
    spacing: Float[ndarray, "points"],
    colours: Float[ndarray, "points 3"],
    weights: SkinWeights,
    *,
    pixel: float,
    even: bool = True,
) -> SkinnedSplats:
    """One splat per point, spread along the surface as the points around it are (`local_spread`), and thin across.

    Points that do not stand evenly, as vertices, get discs of half their spacing instead.
    At the rim of a body many splats are seen edge on, one behind the other, and add up to a border that is fatter than
    the body. So they stand below the surface by about what they reach over it in the picture, as far as there is room.
    `pixel` is the width of a pixel of the pictures to come, metres; `colours` are sRGB, 0 to 1.
    """
    across = points.normals[:, :, None] * points.normals[:, None, :]
    squares = (spacing**2)[:, None, None]
    if even:
        middle, spread = local_spread(points, WINDOW_SIGMA * spacing)
        S = SPLAT_SIGMA**2 * spread + squares * MIN_SPLAT_SIGMA**2 * (np.eye(3) - across)
    else:
        middle, S = np.zeros((len(points), 3)), 0.25 * squares * (np.eye(3) - across)
    S = S + squares * SPLAT_THICKNESS**2 * across
    back = np.hypot(SPLAT_INSET[0] * spacing, SPLAT_INSET[1] * pixel)
    back = np.minimum(back, MAX_INSET_SHARE * inner_ball_radius(points, float(back.max(initial=0.0)) / MAX_INSET_SHARE))
    return SkinnedSplats(
        torch.as_tensor(points.positions + middle - back[:, None] * points.normals, dtype=torch.float32),
        torch.as_tensor(S, dtype=torch.float32),
        torch.full((len(points),), FLAT_SPLAT_OPACITY),
        harmonics_from_colours(torch.as_tensor(colours, dtype=torch.float32)),
        torch.as_tensor(weights.bones, dtype=torch.int64),
        torch.as_tensor(weights.weights, dtype=torch.float32),
        weights.bone_count,
    )
