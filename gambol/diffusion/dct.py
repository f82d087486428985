"""The discrete cosine transform over frames."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor


def cosine_transform(n: int) -> Float[Tensor, "n n"]:
    """The orthonormal DCT-II matrix: row k is cos(pi (i + 1/2) k / n), scaled to length 1."""
    k, i = torch.arange(n)[:, None], torch.arange(n)[None]
    M = torch.cos(math.pi * (i + 0.5) * k / n) * math.sqrt(2.0 / n)
    M[0] /= math.sqrt(2.0)
    return M


def precision_weight(
    error: Float[Tensor, "frames numbers"], precision: Float[Tensor, "frames numbers"]
) -> Float[Tensor, "frames numbers"]:
    """C^T (w * (C error)): an error weighted by a precision w for each frequency and number, C the DCT over frames."""
    C = cosine_transform(len(error))
    return C.T @ (precision * (C @ error))
