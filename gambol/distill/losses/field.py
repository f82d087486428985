"""Losses of a deformation field: smooth in time, nearly rigid from splat to splat, above the ground.

They take the place of losses on joint angles, which a field does not have. All are sums over the splats' centres
y_n(f) = T_n(f) x_n.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.losses.smoothness import second_difference
from gambol.distill.optimised_body import Body

NEIGHBOURS = 6
"""Neighbours of each splat, whose distances are to be kept."""


@dataclass(frozen=True)
class FieldSmoothness(Loss):
    """Squared second differences of the splats' centres; the counterpart of `Smoothness`."""

    weight: float = 200.0
    """Factor in the objective."""
    name = "field_smoothness"
    representations = ("field",)

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over splats and frames of |y(f + 1) - 2 y(f) + y(f - 1)|^2, leg lengths."""
        return second_difference(moved_centres(motion) / motion.body.leg).square().sum(-1).mean()


@dataclass(frozen=True)
class AKDFieldSmoothness(Loss):
    """AKD eq. 9 with the splats' places as the parameters: mean absolute second difference."""

    weight: float = 2e5
    """Factor in the objective; the paper's goes with a score that is summed over the latent."""
    name = "akd_field_smoothness"
    representations = ("field",)

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean |y(f + 1) - 2 y(f) + y(f - 1)| over splats, axes and frames, metres."""
        return second_difference(moved_centres(motion)).abs().mean()


@dataclass(frozen=True)
class AKDFieldGround(Loss):
    """AKD eq. 10 with the splats' centres as the vertices: their mean depth below the ground."""

    weight: float = 1e7
    """Factor in the objective; the paper's goes with a score that is summed over the latent."""
    name = "akd_field_ground"
    representations = ("field",)

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean of max(-y, 0) over splats and frames, metres."""
        return (-moved_centres(motion)[..., 1]).clamp_min(0.0).mean()


@dataclass(frozen=True)
class FieldRigidity(Loss):
    """Distances between neighbouring splats stay as they are: what the skeleton gives to joints for nothing."""

    weight: float = 2.0
    """Factor in the objective."""
    pairs: Int[Tensor, "2 pairs"] | None = None
    """Pairs of neighbouring splats; computed by `bind`."""
    distances: Float[Tensor, "pairs"] | None = None
    """Their distances in the start pose, metres; computed by `bind`."""
    name = "field_rigidity"
    representations = ("field",)

    def bind(self, body: Body) -> FieldRigidity:
        """The loss with the neighbours of the body's splats."""
        pairs, distances = neighbour_pairs(body.actor.splats.centres)
        return replace(self, pairs=pairs, distances=distances)

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over pairs and frames of (|y_i - y_j| / |x_i - x_j| - 1)^2."""
        assert self.pairs is not None, "bind_losses comes first"
        assert self.distances is not None
        y = moved_centres(motion)
        apart = ((y[:, self.pairs[0]] - y[:, self.pairs[1]]).square().sum(-1) + 1e-12).sqrt()
        return (apart / self.distances - 1.0).square().mean()


def moved_centres(motion: Motion) -> Float[Tensor, "frames splats 3"]:
    """Centres of all splats in every frame, metres; differentiable."""
    T, x = motion.T_world_rest, motion.body.actor.splats.centres
    return (T[..., :3, :3] @ x[:, :, None])[..., 0] + T[..., :3, 3]


def neighbour_pairs(
    centres: Float[Tensor, "splats 3"], count: int = NEIGHBOURS
) -> tuple[Int[Tensor, "2 pairs"], Float[Tensor, "pairs"]]:
    """Each splat with its nearest neighbours, every pair once, and their distances; pairs at one place are left out."""
    from scipy.spatial import cKDTree

    points = centres.double().numpy()
    _, nearest = cKDTree(points).query(points, min(count + 1, len(points)))
    first = torch.arange(len(points)).repeat_interleave(nearest.shape[1])
    both = torch.stack([first, torch.as_tensor(nearest).flatten()]).sort(0).values.unique(dim=1)
    distances = (centres[both[0]] - centres[both[1]]).norm(dim=-1)
    apart = distances > 1e-6 * float(distances.max())
    return both[:, apart], distances[apart]
