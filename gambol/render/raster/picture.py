"""What a rasteriser gives back."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Picture:
    """Pictures of the splats alone; over a background b a picture is rgb + (1 - alpha) b."""

    rgb: Float[Tensor, "frames 3 height width"]
    """Times alpha: sum_i w_i c_i."""
    alpha: Float[Tensor, "frames height width"]
    """sum_i w_i."""
    depth: Float[Tensor, "frames height width"]
    """sum_i w_i z_i, metres; divide by alpha for the mean depth."""
