"""Fins of fishes and whales: the tail fin, which tells the rear end, and the dorsal fin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.voxel_solid import VoxelSolid

FIN_REGION = 0.2
"""Share of the body's length at an end in which a tail fin has its greatest span."""
PEDUNCLE_REGION = 0.45
"""Share of the body's length from an end within which the narrow place before a tail fin lies."""
FIN_FLARE = 1.9
"""A tail fin spans at least this many times as much as the narrow place before it."""
FIN_FLATNESS = 4.0
"""A tail fin spans at least this many times its thickness."""
DORSAL_OPENING = 3.0
"""Parts of the back thinner than this many voxels on each side of their middle are fins."""
DORSAL_SHARE = 0.002
"""A dorsal fin holds at least this share of the body's voxels."""


@dataclass(frozen=True)
class TailFin:
    """The flat fin at an end of a body, upright (fish) or lying (whale)."""

    peduncle: float
    """x of the narrow place before the fin, where the fin starts."""
    flare: float
    """Span of the fin divided by the span of the narrow place."""
    flatness: float
    """Span of the fin divided by its thickness."""
    upright: bool
    """Whether the fin stands in the middle plane; else it lies flat, as a whale's."""

    @property
    def strength(self) -> float:
        """How clearly this is a fin: the smaller of its flare and flatness in units of what a fin needs."""
        return min(self.flare / FIN_FLARE, self.flatness / FIN_FLATNESS)


def find_tail_fin(solid: VoxelSolid) -> TailFin | None:
    """The tail fin at the rear end (-x) of a solid, or None where the body just ends there."""
    x, heights, widths = _profile(solid)
    count = len(x)
    end = max(int(FIN_REGION * count), 2)
    spans = np.maximum(heights, widths)
    widest = int(spans[:end].argmax())
    before = spans[widest : max(int(PEDUNCLE_REGION * count), widest + 1)]
    narrow = widest + int(before.argmin())
    fin = TailFin(
        peduncle=float(x[narrow]),
        flare=float(spans[widest] / spans[narrow]),
        flatness=float(spans[widest] / min(heights[widest], widths[widest])),
        upright=bool(heights[widest] > widths[widest]),
    )
    return fin if fin.strength >= 1.0 else None


def find_dorsal_fin(
    solid: VoxelSolid, front: float, rear: float
) -> tuple[Float[ndarray, "3"], Float[ndarray, "3"]] | None:
    """Base and tip of the largest thin part on the back between two x, in the middle plane; None where there is none.

    Thin is what a ball of radius `DORSAL_OPENING` voxels does not reach when it rolls inside the body.
    """
    from scipy.ndimage import distance_transform_edt, label

    radius = DORSAL_OPENING * solid.voxel
    outside = solid.voxel * distance_transform_edt(solid.depth < radius)
    thin = solid.filled & (outside > radius)
    x = solid.origin[0] + solid.voxel * np.arange(thin.shape[0])
    thin[(x > front) | (x < rear)] = False
    labels, count = label(thin, np.ones((3, 3, 3)))
    best: ndarray | None = None
    for number in range(1, count + 1):
        points = solid.origin + solid.voxel * np.argwhere(labels == number)
        above = points[:, 1].mean() > solid.trunk_at(float(points[:, 0].mean()))[1]
        in_middle = abs(points[:, 2].mean()) < 2.0 * solid.voxel
        enough = len(points) > DORSAL_SHARE * len(solid.cells)
        if above and in_middle and enough and (best is None or len(points) > len(best)):
            best = points
    if best is None:
        return None
    base = best[best[:, 1] <= best[:, 1].min() + 2.0 * solid.voxel].mean(0) * [1.0, 1.0, 0.0]
    return base, best[int(best[:, 1].argmax())] * [1.0, 1.0, 0.0]


def _profile(solid: VoxelSolid) -> tuple[Float[ndarray, "x"], Float[ndarray, "x"], Float[ndarray, "x"]]:
    """Of every layer of voxels across x, from the rear: its x, and how much of its height and width is filled.

    Heights are counted in the middle plane; widths over the whole layer.
    """
    used = np.flatnonzero(solid.filled.any((1, 2)))
    layers = solid.filled[used[0] : used[-1] + 1]
    x = solid.origin[0] + solid.voxel * np.arange(used[0], used[-1] + 1)
    heights = solid.voxel * np.maximum(layers.any(2).sum(1), 1)
    widths = solid.voxel * np.maximum(layers.any(1).sum(1), 1)
    return x, heights, widths
