"""Linear bases: pictures as a few numbers each, differentiable.

A picture x becomes z = S^-1/2 V^T x: principal components, each divided by the square root of its standard deviation,
so that small ones count too.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int8
from torch import Tensor


@dataclass(frozen=True)
class Basis:
    """Orthonormal directions with a scale each: z = V^T (x - mean) / scale."""

    V: Float[Tensor, "pixels numbers"]
    """Orthonormal directions."""
    scale: Float[Tensor, "numbers"]
    """Scale of each direction."""
    mean: Float[Tensor, "pixels"]
    """Mean picture."""

    def encode(self, x: Float[Tensor, "*frames pixels"]) -> Float[Tensor, "*frames numbers"]:
        """V^T (x - mean) / scale."""
        return (x - self.mean) @ self.V / self.scale

    def decode(self, z: Float[Tensor, "*frames numbers"]) -> Float[Tensor, "*frames pixels"]:
        """V (scale z) + mean."""
        return (z * self.scale) @ self.V.T + self.mean


def fit_basis(rows: Float[Tensor, "rows pixels"], numbers: int, *, centred: bool, seed: int = 0) -> Basis:
    """Principal components by randomised subspace iteration."""
    mean = rows.mean(0) if centred else torch.zeros(rows.shape[1])
    torch.manual_seed(seed)
    _, sigma, V = torch.svd_lowrank(rows - mean if centred else rows, q=numbers + 16, niter=3)
    deviations = sigma[:numbers] / len(rows) ** 0.5
    return Basis(V[:, :numbers].contiguous(), deviations.sqrt(), mean)


def explained(rows: Float[Tensor, "rows pixels"], basis: Basis) -> float:
    """The share of the rows' variance that the basis keeps."""
    left = rows - basis.decode(basis.encode(rows))
    return 1.0 - float(left.square().sum() / (rows - basis.mean).square().sum())


def quantise(V: Float[Tensor, "pixels numbers"]) -> tuple[Int8[Tensor, "pixels numbers"], Float[Tensor, "numbers"]]:
    """Eight bits a number, with one step width per direction."""
    step = V.abs().amax(0) / 127.0
    return (V / step).round().to(torch.int8).contiguous(), step


def basis_tensors(name: str, basis: Basis) -> dict[str, Tensor]:
    """A basis as tensors for a weights file, the directions in eight bits."""
    steps, width = quantise(basis.V)
    return {f"{name}.V": steps, f"{name}.step": width, f"{name}.scale": basis.scale, f"{name}.mean": basis.mean.half()}


def basis_of_tensors(name: str, tensors: dict[str, Tensor]) -> Basis:
    """The basis from tensors that `basis_tensors` made."""
    V = tensors[f"{name}.V"].float() * tensors[f"{name}.step"]
    return Basis(V, tensors[f"{name}.scale"], tensors[f"{name}.mean"].float())
