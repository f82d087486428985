"""Latents of a film: principal components of its pictures, and where each part of the body is in them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.priors.embedded.part_moments import MOMENT_NUMBERS, part_moments
from gambol.priors.embedded.picture_basis import Basis, basis_of_tensors, basis_tensors

MOTION_NUMBERS = 320
"""Principal components of what differs from the rest frame."""
REST_NUMBERS = 96
"""Principal components of the rest frame."""
FILM_NUMBERS = MOTION_NUMBERS + MOMENT_NUMBERS
"""Of a frame."""
TOLD_NUMBERS = REST_NUMBERS + MOMENT_NUMBERS
"""That a network is told of the rest frame."""
KINDS = (slice(0, MOTION_NUMBERS), slice(MOTION_NUMBERS, FILM_NUMBERS))
"""Components and moments, among a frame's numbers."""
MOMENTS_TOLD = 0.3
"""Scale of the rest frame's moments for the network, which likes numbers of about 1."""


@dataclass(frozen=True)
class FilmLatents:
    """The two bases: of what moves, and of rest frames."""

    motion: Basis
    rest: Basis

    def encode(self, frames: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
        """The film's numbers; differentiable. What differs from the rest frame is the difference of both's numbers."""
        return torch.cat([self.motion.encode(frames.flatten(1)), part_moments(frames)], 1)

    def encode_rest(self, rest: Float[Tensor, "3 height width"]) -> Float[Tensor, "told_numbers"]:
        """What a network is told of the rest frame."""
        return torch.cat([self.rest.encode(rest.flatten()), MOMENTS_TOLD * part_moments(rest[None])[0]])

    def decode(self, z: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames pixels"]:
        """The pictures that the principal components show; moments are not drawn."""
        return self.motion.decode(z[:, :MOTION_NUMBERS])


def latent_tensors(latents: FilmLatents) -> dict[str, Tensor]:
    """Both bases as they are stored."""
    return basis_tensors("motion", latents.motion) | basis_tensors("rest", latents.rest)


def latents_of_tensors(tensors: dict[str, Tensor]) -> FilmLatents:
    """The same read back."""
    return FilmLatents(basis_of_tensors("motion", tensors), basis_of_tensors("rest", tensors))
