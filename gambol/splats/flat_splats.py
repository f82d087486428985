"""Flat Gaussians that cover a surface evenly, without holes."""

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
"""Standard deviation of the window over the points around a splat, in point spacings."""
SPLAT_SIGMA = 0.62
"""Standard deviation of a splat along the surface, relative to that of the points in its window."""
MIN_SPLAT_SIGMA = 0.2
"""Least standard deviation along the surface, in point spacings: that of a point without neighbours."""
SPLAT_THICKNESS = 0.05
"""Standard deviation along the normal, in point spacings."""
FLAT_SPLAT_OPACITY = 0.9
"""Opacity of every splat."""
SPLAT_INSET = (0.3, 1.1)
"""Depth of the centres below the surface, in point spacings and in pixels; the two are added as squares."""
MAX_INSET_SHARE = 0.8
"""Largest depth below the surface, relative to the radius of the empty ball inside (`inner_ball_radius`)."""


def flat_splats(
    points: SurfacePoints,
    spacing: Float[ndarray, "points"],
    colours: Float[ndarray, "points 3"],
    weights: SkinWeights,
    *,
    pixel: float,
    even: bool = True,
) -> SkinnedSplats:
    """Make one splat per point, spread along the surface as the points around it are (`local_spread`), and thin across.

    Points that are not evenly spaced (`even=False`), such as vertices, get discs of half their spacing instead.
    At the silhouette of a body many splats are seen edge on, one behind the other, and add up to a border that is wider
    than the body. So centres lie below the surface by about what splats extend beyond it in the picture, where there is
    room. `pixel` is the width of a pixel of the pictures to be rendered, metres; `colours` are sRGB, 0 to 1.
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
