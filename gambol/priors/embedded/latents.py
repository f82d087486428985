"""Latents of a video: principal components of its pictures, and the place of each body part in them."""

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
LATENT_NUMBERS = MOTION_NUMBERS + MOMENT_NUMBERS
"""Latent numbers per frame: components, then moments."""
REST_INPUT_NUMBERS = REST_NUMBERS + MOMENT_NUMBERS
"""Numbers that describe the rest frame to the network."""
KINDS = (slice(0, MOTION_NUMBERS), slice(MOTION_NUMBERS, LATENT_NUMBERS))
"""Slices of the latent numbers: principal components, part moments."""
REST_MOMENT_SCALE = 0.3
"""Scale that brings the rest frame's moments to about 1 for the network."""


@dataclass(frozen=True)
class VideoLatents:
    """The encoder: a basis for what differs from the rest frame, and one for rest frames."""

    motion: Basis
    """Basis of the difference from the rest frame."""
    rest: Basis
    """Basis of rest frames."""

    def encode(self, frames: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
        """The latent of each frame, components and moments; differentiable."""
        return torch.cat([self.motion.encode(frames.flatten(1)), part_moments(frames)], 1)

    def encode_rest(self, rest: Float[Tensor, "3 height width"]) -> Float[Tensor, "told_numbers"]:
        """The network's input for a rest frame."""
        return torch.cat([self.rest.encode(rest.flatten()), REST_MOMENT_SCALE * part_moments(rest[None])[0]])

    def decode(self, z: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames pixels"]:
        """The pictures that the principal components show; moments are not drawn."""
        return self.motion.decode(z[:, :MOTION_NUMBERS])


def latent_tensors(latents: VideoLatents) -> dict[str, Tensor]:
    """Both bases as tensors for a weights file."""
    return basis_tensors("motion", latents.motion) | basis_tensors("rest", latents.rest)


def latents_of_tensors(tensors: dict[str, Tensor]) -> VideoLatents:
    """The encoder from tensors that `latent_tensors` made."""
    return VideoLatents(basis_of_tensors("motion", tensors), basis_of_tensors("rest", tensors))
