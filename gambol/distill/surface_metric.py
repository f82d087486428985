"""How far the numbers of a pose move the body's surface: what makes them comparable to one another.

A radian of the hip moves the whole leg, a radian of the toe next to nothing, and a hip can undo what a knee does.
With d x the displacement of a splat, G = mean over splats of (dx/dp)^T (dx/dp) measures a change of pose by how far it
moves what is seen. In coordinates q with p = L^-T q and G = L L^T every direction moves the surface equally far.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.body import Body
from gambol.distill.motion_parameters import Coefficients, Reach
from gambol.render.raster.rasterise import blend_bone_transforms

DAMPING = 0.1
"""What is added to G's diagonal, in its mean: numbers that move nothing that is seen keep still."""
STEP = 1e-2
"""Of the differences, in each number's reach."""


def surface_metric(body: Body, reach: Reach) -> Float[Tensor, "numbers numbers"]:
    """G of root and joints at the first pose, each number in units of its reach, places in leg lengths."""
    scales = torch.cat([reach.root, reach.angles.flatten()])
    first = torch.cat([torch.zeros(6), body.first_angles.flatten()])
    moved = first + STEP * torch.cat([torch.diag(scales), -torch.diag(scales)])
    splats = body.actor.splats
    T = body.actor.pose(moved[:, :6], moved[:, 6:].unflatten(1, (-1, 3)))
    blended = blend_bone_transforms(splats.bones, splats.weights, T)
    places = torch.einsum("pnij,nj->pni", blended[..., :3], splats.centres) + blended[..., 3]
    ahead, back = places.flatten(1).split(len(scales))
    dx = (ahead - back) / (2.0 * STEP * body.leg)
    return dx @ dx.T / len(splats.centres)


def whitening(G: Float[Tensor, "numbers numbers"]) -> Float[Tensor, "numbers numbers"]:
    """L^-T of the damped G: p = L^-T q."""
    damped = G + DAMPING * G.diagonal().mean() * torch.eye(len(G))
    return torch.linalg.inv(torch.linalg.cholesky(damped.double())).T.float()


def to_vector(pair: Coefficients) -> Float[Tensor, "curves numbers"]:
    """Root's and joints' numbers side by side."""
    return torch.cat([pair[0], pair[1].flatten(1)], 1)


def to_pair(vector: Float[Tensor, "curves numbers"]) -> Coefficients:
    """The same apart again."""
    return vector[:, :6], vector[:, 6:].unflatten(1, (-1, 3))
