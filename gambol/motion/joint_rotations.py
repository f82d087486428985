"""The compound joint rotation in torch, differentiable: R = R_x(a) R_y(b) R_z(c)."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def matrix_from_angles(angles: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """R_x(a) R_y(b) R_z(c), the compound joint of AKD 4.4.

    [ cb cc              -cb sc               sb   ]
    [ ca sc + sa sb cc    ca cc - sa sb sc   -sa cb ]
    [ sa sc - ca sb cc    sa cc + ca sb sc    ca cb ]
    """
    (sa, sb, sc), (ca, cb, cc) = torch.sin(angles).unbind(-1), torch.cos(angles).unbind(-1)
    rows = [
        torch.stack([cb * cc, -cb * sc, sb], -1),
        torch.stack([ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb], -1),
        torch.stack([sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb], -1),
    ]
    return torch.stack(rows, -2)
