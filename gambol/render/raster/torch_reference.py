"""The splat rasteriser in plain torch: any device and precision, differentiated by autograd; the tests' reference.

A splat with centre m and covariance S is seen through a camera x_c = R m + t as a Gaussian in pixels (EWA):

    u = f x_c / z + width / 2,  v = f y_c / z + height / 2
    C = J R S R^T J^T + 0.3 I,  J = [[f/z, 0, -f x'/z^2], [0, f/z, -f y'/z^2]]

where x'/z and y'/z are x_c/z and y_c/z clamped to 1.3 times the picture's half width and height, so that the linear
map J stays sensible outside the picture. A pixel sees alpha_i = min(0.999, o_i exp(-d^T C^-1 d / 2)) at a distance d
from (u, v); alphas below 1/255 count as none. Splats are blended front to back (AKD eq. 1):

    w_i = alpha_i T_i,  T_i = prod over j < i of (1 - alpha_j),  until T would fall to 1e-4

All conventions are gsplat's, so that the backends agree.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.picture import Picture

LOW_PASS_VARIANCE = 0.3
"""Added to the variances in the picture, square pixels, so that no splat is smaller than a pixel."""
SPLAT_NEAR_PLANE = 0.01
"""Depth below which splats are not drawn, metres."""
JACOBIAN_EXTENT = 1.3
"""Distance from the middle, in half pictures, at which the position in J is clamped."""
ALPHA_MAX, ALPHA_MIN, TRANSMITTANCE_MIN = 0.999, 1 / 255, 1e-4
"""Largest alpha of a splat, least alpha that counts, and transmittance at which blending ends."""
REFERENCE_TILE = 8
"""Side of a tile, pixels."""
REFERENCE_CHUNK = 1 << 21
"""Splat-pixel pairs that are evaluated together, which bounds the memory."""


class SplatFootprints(NamedTuple):
    """Splats projected into one camera's picture."""

    centres: Float[Tensor, "splats 2"]
    """Positions, pixels."""
    conics: Float[Tensor, "splats 3"]
    """Entries xx, xy, yy of C^-1, 1 / square pixels."""
    variances: Float[Tensor, "splats 2"]
    """Diagonal of C, square pixels."""
    depths: Float[Tensor, "splats"]
    """Depths z, metres."""


def rasterise_torch(
    centres: Float[Tensor, "frames splats 3"],
    covariances: Float[Tensor, "frames splats 3 3"],
    colours: Float[Tensor, "colour_frames splats 3"],
    opacities: Float[Tensor, "opacity_frames splats"],
    cameras: PinholeCameras,
) -> Picture:
    """Rasterise splats in world coordinates, frame by frame."""
    colours, opacities = colours.expand(len(cameras), -1, -1), opacities.expand(len(cameras), -1)
    frames = []
    for f in range(len(cameras)):
        seen = project_splats(centres[f], covariances[f], cameras.T_camera_world[f], cameras.focal[f], cameras)
        features = torch.cat([colours[f], torch.ones_like(seen.depths)[:, None], seen.depths[:, None]], -1)
        frames.append(_composite(seen, features, opacities[f], cameras.width, cameras.height))
    picture = torch.stack(frames) if frames else centres.new_zeros(0, 5, cameras.height, cameras.width)
    return Picture(picture[:, :3], picture[:, 3], picture[:, 4])


def project_splats(
    centres: Float[Tensor, "splats 3"],
    covariances: Float[Tensor, "splats 3 3"],
    T_camera_world: Float[Tensor, "4 4"],
    focal: Float[Tensor, ""],
    cameras: PinholeCameras,
) -> SplatFootprints:
    """EWA projection; footprints of splats that are not in front of the camera are finite but meaningless."""
    R, t = T_camera_world[:3, :3], T_camera_world[:3, 3]
    x, y, z = (centres @ R.T + t).unbind(-1)
    z = torch.where(z >= SPLAT_NEAR_PLANE, z, torch.ones_like(z))
    half = torch.stack([0.5 * cameras.width / focal, 0.5 * cameras.height / focal])
    slope = torch.stack([x, y], -1) / z[:, None]
    clamped = torch.minimum(torch.maximum(slope, -JACOBIAN_EXTENT * half), JACOBIAN_EXTENT * half)
    scale, none = focal / z, torch.zeros_like(z)
    J = torch.stack([scale, none, -scale * clamped[:, 0], none, scale, -scale * clamped[:, 1]], -1).reshape(-1, 2, 3)
    M = J @ R
    C = M @ (0.5 * (covariances + covariances.mT)) @ M.mT
    xx, xy, yy = C[:, 0, 0] + LOW_PASS_VARIANCE, C[:, 0, 1], C[:, 1, 1] + LOW_PASS_VARIANCE
    determinant = xx * yy - xy * xy
    conics = torch.stack([yy, -xy, xx], -1) / determinant[:, None]
    depths = centres @ R[2] + t[2]
    return SplatFootprints(focal * (slope + half), conics, torch.stack([xx, yy], -1), depths)


def _composite(
    seen: SplatFootprints,
    features: Float[Tensor, "splats 5"],
    opacities: Float[Tensor, "splats"],
    width: int,
    height: int,
) -> Float[Tensor, "5 height width"]:
    """sum_i w_i feature_i for every pixel; tiles with about equally many splats are taken together."""
    columns, rows = -(-width // REFERENCE_TILE), -(-height // REFERENCE_TILE)
    splats, starts, counts = _tile_lists(seen, opacities, columns, rows)
    steps = torch.arange(REFERENCE_TILE, device=starts.device)
    offsets = torch.stack([steps.repeat(REFERENCE_TILE), steps.repeat_interleave(REFERENCE_TILE)], -1) + 0.5
    busy = torch.argsort(counts, descending=True)[: int((counts > 0).sum())]
    tiles = features.new_zeros(columns * rows, REFERENCE_TILE * REFERENCE_TILE, 5)
    done = 0
    while done < len(busy):
        longest = int(counts[busy[done]])
        now = busy[done : done + max(1, REFERENCE_CHUNK // (longest * REFERENCE_TILE * REFERENCE_TILE))]
        place = torch.arange(longest, device=starts.device)
        filled = place < counts[now, None]
        who = splats[torch.where(filled, starts[now, None] + place, 0)]
        corners = torch.stack([now % columns, now // columns], -1) * REFERENCE_TILE
        d = (corners[:, None, None] + offsets[:, None]) - seen.centres[who][:, None]
        xx, xy, yy = seen.conics[who][:, None].unbind(-1)
        power = -0.5 * (xx * d[..., 0] ** 2 + yy * d[..., 1] ** 2) - xy * d[..., 0] * d[..., 1]
        alpha = (opacities[who][:, None] * power.exp()).clamp(max=ALPHA_MAX)
        alpha = torch.where((alpha >= ALPHA_MIN) & filled[:, None], alpha, 0.0)
        after = torch.cumprod(1 - alpha, -1)
        before = torch.cat([torch.ones_like(after[..., :1]), after[..., :-1]], -1)
        weights = torch.where(after > TRANSMITTANCE_MIN, alpha * before, 0.0)
        tiles = tiles.index_copy(0, now, weights @ features[who])
        done += len(now)
    grid = tiles.reshape(rows, columns, REFERENCE_TILE, REFERENCE_TILE, 5).permute(4, 0, 2, 1, 3)
    return grid.reshape(5, rows * REFERENCE_TILE, columns * REFERENCE_TILE)[:, :height, :width]


@torch.no_grad()
def _tile_lists(
    seen: SplatFootprints, opacities: Float[Tensor, "splats"], columns: int, rows: int
) -> tuple[Int[Tensor, "pairs"], Int[Tensor, "tiles"], Int[Tensor, "tiles"]]:
    """Splats that may reach each tile, front to back: their indices, and each tile's first entry and count.

    alpha >= 1/255 needs d^T C^-1 d <= 2 ln(255 o), so |d_x| <= sqrt(2 ln(255 o) C_xx), likewise in y.
    """
    reach = (2 * (opacities / ALPHA_MIN).clamp(min=1.0).log())[:, None].mul(seen.variances).sqrt() + 1e-3
    most = torch.tensor([columns, rows], device=reach.device)
    first = ((seen.centres - reach) / REFERENCE_TILE).floor().clamp(min=0).minimum(most).long()
    last = ((seen.centres + reach) / REFERENCE_TILE).floor().clamp(min=-1).minimum(most - 1).long()
    drawn = (seen.depths >= SPLAT_NEAR_PLANE) & (opacities >= ALPHA_MIN)
    sides = torch.where(drawn[:, None], (last - first + 1).clamp(min=0), 0)
    order = torch.argsort(seen.depths, stable=True)
    numbers = sides.prod(-1)[order]
    splats = order.repeat_interleave(numbers)
    within = torch.arange(len(splats), device=splats.device) - (numbers.cumsum(0) - numbers).repeat_interleave(numbers)
    across = sides[splats, 0].clamp(min=1)
    tile = (first[splats, 1] + within // across) * columns + first[splats, 0] + within % across
    counts = torch.bincount(tile, minlength=columns * rows)
    return splats[torch.argsort(tile, stable=True)], counts.cumsum(0) - counts, counts
