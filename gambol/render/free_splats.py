"""Splats that are bound to no skeleton: each has a bone of its own, so that one transform per splat moves them."""

from __future__ import annotations

from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.render.actor import Actor
from gambol.splats.skinned_splats import SkinnedSplats, deform


def free_splats(splats: SkinnedSplats, T_world_rest: Float[Tensor, "1 bones 4 4"]) -> SkinnedSplats:
    """The splats in a pose (AKD eq. 2), each bound to a bone of its own: splat n is moved by transform n."""
    centres, covariances = deform(splats, T_world_rest)
    count = len(splats)
    return replace(
        splats,
        centres=centres[0],
        covariances=0.5 * (covariances[0] + covariances[0].transpose(-1, -2)),
        bones=torch.arange(count)[:, None],
        weights=torch.ones(count, 1),
        bone_count=count,
    )


def free_actor(actor: Actor, T_world_rest: Float[Tensor, "1 bones 4 4"]) -> Actor:
    """An actor's splats in a pose, each free; cameras frame the same outermost splats of each former bone."""
    return Actor(free_splats(actor.splats, T_world_rest), None, actor.size, actor.splats.skin.dominant())


def still_transforms(actor: Actor) -> Float[Tensor, "1 splats 4 4"]:
    """The transforms of free splats that stay where they are."""
    return torch.eye(4).expand(1, len(actor.splats), 4, 4)
