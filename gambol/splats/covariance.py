"""Covariances of Gaussians from scales and rotations, and back."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.transforms import quaternion_from_matrix

MIN_VARIANCE = 1e-20
"""Least variance of a Gaussian along an axis, square metres; files store the logarithm of its root."""


def rotation_from_wxyz(wxyz: Float[Tensor, "splats 4"]) -> Float[Tensor, "splats 3 3"]:
    """Rotation matrices of quaternions (w, x, y, z), which are normalised first; differentiable."""
    w, x, y, z = torch.nn.functional.normalize(wxyz, dim=-1).unbind(-1)
    rows = [
        torch.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        torch.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        torch.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
    ]
    return torch.stack(rows, -2)


def covariance_from_axes(
    R: Float[Tensor, "splats 3 3"], scales: Float[Tensor, "splats 3"]
) -> Float[Tensor, "splats 3 3"]:
    """Covariances S = (R diag s) (R diag s)^T with standard deviations s along the columns of R."""
    half = R * scales[:, None, :]
    return torch.einsum("sik,sjk->sij", half, half)


def axes_from_covariance(
    covariances: Float[Tensor, "splats 3 3"],
) -> tuple[Float[Tensor, "splats 4"], Float[Tensor, "splats 3"]]:
    """Rotations (wxyz) and scales, smallest first, of covariances: eigenvectors and roots of the eigenvalues."""
    S = covariances.detach().cpu().numpy().astype(np.float64)
    values, vectors = np.linalg.eigh(0.5 * (S + S.transpose(0, 2, 1)))
    vectors[:, :, 0] *= np.sign(np.linalg.det(vectors))[:, None]
    wxyz = torch.from_numpy(quaternion_from_matrix(vectors)).to(covariances)
    return wxyz, torch.from_numpy(np.sqrt(np.maximum(values, MIN_VARIANCE))).to(covariances)
