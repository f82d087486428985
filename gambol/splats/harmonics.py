"""View-dependent colour: real spherical harmonics of degree 0 to 3, with the signs of 3DGS files."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

SH_DEGREE_0 = 0.28209479177387814
"""The constant harmonic, 1 / (2 sqrt(pi))."""
SH_DEGREE_1 = 0.4886025119029199
"""Factor of the harmonics of degree 1."""
SH_DEGREE_2 = (1.0925484305920792, -1.0925484305920792, 0.31539156525252005, -1.0925484305920792, 0.5462742152960396)
"""Factors of the harmonics of degree 2."""
SH_DEGREE_3 = (
    -0.5900435899266435,
    2.890611442640554,
    -0.4570457994644658,
    0.3731763325901154,
    -0.4570457994644658,
    1.445305721320277,
    -0.5900435899266435,
)
"""Factors of the harmonics of degree 3."""
SH_COLOUR_OFFSET = 0.5
"""Added to the sum of harmonics (3DGS), so that coefficients of 0 are mid-grey."""


def harmonics_basis(directions: Float[Tensor, "*batch 3"], degree: int) -> Float[Tensor, "*batch coefficients"]:
    """Y_lm in unit directions for l = 0 .. degree, m = -l .. l: (degree + 1)^2 values, with 3DGS's signs."""
    x, y, z = directions.unbind(-1)
    basis = [torch.full_like(x, SH_DEGREE_0)]
    if degree > 0:
        basis += [-SH_DEGREE_1 * y, SH_DEGREE_1 * z, -SH_DEGREE_1 * x]
    if degree > 1:
        xx, yy, zz = x * x, y * y, z * z
        basis += [
            SH_DEGREE_2[0] * x * y,
            SH_DEGREE_2[1] * y * z,
            SH_DEGREE_2[2] * (2 * zz - xx - yy),
            SH_DEGREE_2[3] * x * z,
            SH_DEGREE_2[4] * (xx - yy),
        ]
    if degree > 2:
        basis += [
            SH_DEGREE_3[0] * y * (3 * xx - yy),
            SH_DEGREE_3[1] * x * y * z,
            SH_DEGREE_3[2] * y * (4 * zz - xx - yy),
            SH_DEGREE_3[3] * z * (2 * zz - 3 * xx - 3 * yy),
            SH_DEGREE_3[4] * x * (4 * zz - xx - yy),
            SH_DEGREE_3[5] * z * (xx - yy),
            SH_DEGREE_3[6] * x * (xx - 3 * yy),
        ]
    return torch.stack(basis, -1)


def harmonics_degree(coefficients: int) -> int:
    """Degree of harmonics with 1, 4, 9 or 16 coefficients: 0, 1, 2 or 3."""
    return {1: 0, 4: 1, 9: 2, 16: 3}[coefficients]


def colours_from_harmonics(
    harmonics: Float[Tensor, "splats coefficients 3"], directions: Float[Tensor, "*frames splats 3"] | None = None
) -> Float[Tensor, "*frames splats 3"]:
    """Colours max(0, 1/2 + sum_lm Y_lm(d) k_lm) in unit directions d from the eye (not needed at degree 0)."""
    degree = harmonics_degree(harmonics.shape[1])
    if degree == 0 or directions is None:
        return torch.clamp_min(SH_COLOUR_OFFSET + SH_DEGREE_0 * harmonics[:, 0], 0.0)
    seen = torch.einsum("...sk,skc->...sc", harmonics_basis(directions, degree), harmonics)
    return torch.clamp_min(SH_COLOUR_OFFSET + seen, 0.0)


def harmonics_from_colours(
    colours: Float[Tensor, "splats 3"], degree: int = 0
) -> Float[Tensor, "splats coefficients 3"]:
    """Coefficients of colours that do not depend on the view: k_00 = (c - 1/2) / Y_00, the others 0."""
    harmonics = colours.new_zeros(len(colours), (degree + 1) ** 2, 3)
    harmonics[:, 0] = (colours - SH_COLOUR_OFFSET) / SH_DEGREE_0
    return harmonics


def rotate_harmonics(
    harmonics: Float[Tensor, "splats coefficients 3"], R: Float[Tensor, "3 3"]
) -> Float[Tensor, "splats coefficients 3"]:
    """Coefficients k' of splats rotated by R: Y(R d) . k' = Y(d) . k for all d.

    Harmonics of one degree transform among themselves, so k' = (Y(R D))^+ Y(D) k over enough directions D is exact.
    """
    degree = harmonics_degree(harmonics.shape[1])
    if degree == 0:
        return harmonics
    generator = torch.Generator().manual_seed(0)
    D = torch.nn.functional.normalize(torch.randn(64, 3, generator=generator, dtype=torch.float64), dim=-1)
    before, after = harmonics_basis(D, degree), harmonics_basis(D @ R.to(D).T, degree)
    turn = torch.linalg.lstsq(after, before).solution.to(harmonics)
    return torch.einsum("ij,sjc->sic", turn, harmonics)
