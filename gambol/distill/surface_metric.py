"""How far the parameters of a pose move the body's surface, which makes them comparable to one another.

A radian of the hip moves the whole leg, a radian of the toe next to nothing, and a hip can undo what a knee does.
With dx the displacement of a splat, G = mean over splats of (dx/dp)^T (dx/dp) measures a change of pose p by how far it
moves what is seen. In coordinates q with p = L^-T q and G = L L^T every direction moves the surface equally far.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.motion_parameters import Coefficients, ParameterScale
from gambol.distill.optimised_body import Body
from gambol.render.raster.rasterise import blend_bone_transforms

METRIC_DAMPING = 0.1
"""Added to G's diagonal, as a share of its mean: parameters that move nothing that is seen keep still."""
DIFFERENCE_STEP = 1e-2
"""Step of the finite differences, in units of each parameter's scale."""


def surface_metric(body: Body, scale: ParameterScale) -> Float[Tensor, "numbers numbers"]:
    """G of root and joints at the start pose, each parameter in units of its scale, displacements in leg lengths."""
    scales = torch.cat([scale.root, scale.angles.flatten()])
    first = torch.cat([torch.zeros(6), body.start_angles.flatten()])
    moved = first + DIFFERENCE_STEP * torch.cat([torch.diag(scales), -torch.diag(scales)])
    splats = body.actor.splats
    T = body.actor.pose(moved[:, :6], moved[:, 6:].unflatten(1, (-1, 3)))
    blended = blend_bone_transforms(splats.bones, splats.weights, T)
    places = torch.einsum("pnij,nj->pni", blended[..., :3], splats.centres) + blended[..., 3]
    ahead, back = places.flatten(1).split(len(scales))
    dx = (ahead - back) / (2.0 * DIFFERENCE_STEP * body.leg)
    return dx @ dx.T / len(splats.centres)


def whitening(G: Float[Tensor, "numbers numbers"]) -> Float[Tensor, "numbers numbers"]:
    """The matrix L^-T of the damped G = L L^T, which maps whitened coordinates q to p = L^-T q."""
    damped = G + METRIC_DAMPING * G.diagonal().mean() * torch.eye(len(G))
    return torch.linalg.inv(torch.linalg.cholesky(damped.double())).T.float()


def to_vector(pair: Coefficients) -> Float[Tensor, "functions numbers"]:
    """Root and joint coefficients side by side in one matrix."""
    return torch.cat([pair[0], pair[1].flatten(1)], 1)


def to_pair(vector: Float[Tensor, "functions numbers"]) -> Coefficients:
    """Root and joint coefficients of a matrix that `to_vector` made."""
    return vector[:, :6], vector[:, 6:].unflatten(1, (-1, 3))
