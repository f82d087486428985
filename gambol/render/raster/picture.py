"""The result of a splat rasteriser."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Picture:
    """Rendered splats, without a background unless it was added: over a background b, rgb + (1 - alpha) b."""

    rgb: Float[Tensor, "frames 3 height width"]
    """Colours times alpha: sum_i w_i c_i."""
    alpha: Float[Tensor, "frames height width"]
    """Coverage: sum_i w_i."""
    depth: Float[Tensor, "frames height width"]
    """Depth times alpha: sum_i w_i z_i, metres; divide by alpha for the mean depth."""
