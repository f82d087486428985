"""The heading of the first frame: a motion starts straight ahead."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion


@dataclass(frozen=True)
class StartHeading(Loss):
    """Squared change of the first frame's heading against the start; not for loops, which start anywhere."""

    weight: float = 20.0
    """Factor in the objective."""
    name = "start_heading"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Squared change of the first heading against the start motion, rad^2."""
        return (motion.root - motion.start_root)[0, 3].square()
