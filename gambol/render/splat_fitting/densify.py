"""More splats where the fit pulls hardest, fewer where they are hardly seen (3DGS's adaptive density control)."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.splats.shape import rotation_from_wxyz

PRUNE_OPACITY = 0.02
"""Splats of less opacity than this are taken away."""
MAX_SPLIT_FRACTION = 0.35
"""At each round at most this part of the splats is split."""
SPLIT_SHRINK = 1.6
"""The halves of a split splat are this much narrower than it was (3DGS)."""


def densify(
    free: dict[str, Tensor], optimiser: torch.optim.Optimizer, pulls: Float[Tensor, "splats"], most: int
) -> Int[Tensor, "splats_now"]:
    """Take away faint splats and split those with the largest pulls along their longest axis, up to `most` in all.

    `pulls` is the sum of |dL/dcentre| over the steps since the last round. Changes `free` and the optimiser's state in
    place; the halves start without momentum. Gives the former index of every splat.
    """
    with torch.no_grad():
        kept = torch.nonzero(free["opacity_logits"].sigmoid() >= PRUNE_OPACITY)[:, 0]
        room = min(most - len(kept), int(MAX_SPLIT_FRACTION * len(kept)))
        split = kept[torch.argsort(pulls[kept], descending=True, stable=True)[: max(room, 0)]]
        step = _longest_axis(free, split)
        rows = torch.cat([kept, split])
        grown = {name: tensor[rows].clone() for name, tensor in free.items()}
        halves = torch.cat([torch.isin(kept, split).nonzero()[:, 0], torch.arange(len(kept), len(rows))])
        first = halves[: len(split)]
        # `kept` is sorted and `split` is not: find the step of each first half by its own index
        of_first = torch.argsort(split)[torch.searchsorted(split.sort().values, kept[first])]
        grown["centres"][first] -= step[of_first]
        grown["centres"][len(kept) :] += step
        grown["log_scales"][halves] -= float(torch.log(torch.tensor(SPLIT_SHRINK)))
    fresh = torch.arange(len(rows)) >= len(kept)
    for group, name in zip(optimiser.param_groups, list(free), strict=True):
        state = optimiser.state.pop(free[name], {})
        free[name] = grown[name].requires_grad_()
        for key in ("exp_avg", "exp_avg_sq"):
            if key in state:
                state[key] = state[key][rows].clone()
                state[key][fresh] = 0.0
        group["params"] = [free[name]]
        optimiser.state[free[name]] = state
    return rows


def _longest_axis(free: dict[str, Tensor], chosen: Int[Tensor, "chosen"]) -> Float[Tensor, "chosen 3"]:
    """Half a standard deviation along the longest axis of each splat."""
    scales = free["log_scales"][chosen].exp()
    longest = scales.argmax(1)
    axes = rotation_from_wxyz(free["wxyz"][chosen])[torch.arange(len(chosen)), :, longest]
    return 0.5 * scales[torch.arange(len(chosen)), longest, None] * axes
