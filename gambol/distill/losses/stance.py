"""Standing feet: a foot near the ground stands on it.

Films say where the mean of a foot is; how far its tip is above the ground they hardly say, and a foot that wavers by a
twentieth of a leg is not seen to stand. Where a prior measures in a unit that is larger than short or spread legs, the
feet of lizards and centipedes waver most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.optimised_body import Body
from gambol.errors import MissingPart
from gambol.motion.feet.soles import Sole, find_soles

STANCE_REACH = 0.2
"""Height at which a foot's `ground_attraction` is half of the most that it can be, leg lengths."""


@dataclass(frozen=True)
class Stance(Loss):
    """The lowest points of feet that are near the ground, above or below it; feet that swing high hardly count."""

    weight: float = 100.0
    """Factor in the objective."""
    soles: tuple[Float[Tensor, "_points columns"], ...] = ()
    """The `sole_matrix` of every foot; computed by `bind`, none for a body without feet."""
    name = "stance"
    needs_ground = True

    def bind(self, body: Body) -> Stance:
        """The loss with the soles of the body's feet."""
        try:
            soles = find_soles(body.character, body.anatomy)
        except MissingPart:
            return replace(self, soles=())
        bones = len(body.character.require_skeleton())
        return replace(self, soles=tuple(sole_matrix(sole, bones) for sole in soles))

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`ground_attraction` of all feet, sum over the feet and mean over the frames; a refined clip keeps its own."""
        if motion.refines or not self.soles:
            return torch.zeros(())
        lowest = [sole_heights(sole, motion.T_world_rest).amin(1) for sole in self.soles]
        return ground_attraction(torch.stack(lowest) / motion.body.leg).sum(0).mean()


def sole_matrix(sole: Sole, bones: int) -> Float[Tensor, "points columns"]:
    """Rows w_b (x, 1), four columns for each bone b: skinning (AKD eq. 5) is linear, so heights are one product."""
    weights = np.zeros((len(sole.points), bones))
    np.add.at(weights, (np.arange(len(weights))[:, None], sole.bones), sole.weights)
    places = np.concatenate([sole.points, np.ones((len(weights), 1))], axis=1)
    return torch.as_tensor((weights[:, :, None] * places[:, None]).reshape(len(weights), -1)).float()


def sole_heights(
    sole: Float[Tensor, "points columns"], T_world_rest: Float[Tensor, "frames bones 4 4"]
) -> Float[Tensor, "frames points"]:
    """Height of every point of a sole above y = 0 in every frame, metres; differentiable."""
    return T_world_rest[:, :, 1].flatten(1) @ sole.T


def ground_attraction(heights: Float[Tensor, "*feet"]) -> Float[Tensor, "*feet"]:
    """h^2 below the ground, and h^2 / (1 + (h / r)^2) above it, r = STANCE_REACH; heights in leg lengths.

    Geman and McClure's function: quadratic near the ground, and never more than r^2, so that a swinging foot is free.
    """
    return heights.square() / (1.0 + (heights.clamp_min(0.0) / STANCE_REACH).square())
