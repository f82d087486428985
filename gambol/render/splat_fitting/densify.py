"""Adaptive density control (3DGS): splits splats with large gradients and removes nearly transparent ones."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.splats.covariance import rotation_from_wxyz

PRUNE_OPACITY = 0.02
"""Splats with a lower opacity than this are removed."""
MAX_SPLIT_FRACTION = 0.35
"""Largest share of the splats that is split in one round."""
SPLIT_SHRINK = 1.6
"""Factor by which the halves of a split splat are narrower than it was (3DGS)."""


def densify(
    parameters: dict[str, Tensor], optimiser: torch.optim.Optimizer, gradients: Float[Tensor, "splats"], most: int
) -> Int[Tensor, "splats_now"]:
    """Remove faint splats and split those with the largest gradients along their longest axis, up to `most` in all.

    `gradients` is the sum of |dL/dcentre| over the steps since the last round. Changes `parameters` and the optimiser's
    state in place; new halves start without momentum. Returns the former index of every splat.
    """
    with torch.no_grad():
        kept = torch.nonzero(parameters["opacity_logits"].sigmoid() >= PRUNE_OPACITY)[:, 0]
        room = min(most - len(kept), int(MAX_SPLIT_FRACTION * len(kept)))
        split = kept[torch.argsort(gradients[kept], descending=True, stable=True)[: max(room, 0)]]
        step = _longest_axis(parameters, split)
        rows = torch.cat([kept, split])
        grown = {name: tensor[rows].clone() for name, tensor in parameters.items()}
        halves = torch.cat([torch.isin(kept, split).nonzero()[:, 0], torch.arange(len(kept), len(rows))])
        first = halves[: len(split)]
        # `kept` is sorted and `split` is not: find the step of each first half by its own index
        of_first = torch.argsort(split)[torch.searchsorted(split.sort().values, kept[first])]
        grown["centres"][first] -= step[of_first]
        grown["centres"][len(kept) :] += step
        grown["log_scales"][halves] -= float(torch.log(torch.tensor(SPLIT_SHRINK)))
    fresh = torch.arange(len(rows)) >= len(kept)
    for group, name in zip(optimiser.param_groups, list(parameters), strict=True):
        state = optimiser.state.pop(parameters[name], {})
        parameters[name] = grown[name].requires_grad_()
        for key in ("exp_avg", "exp_avg_sq"):
            if key in state:
                state[key] = state[key][rows].clone()
                state[key][fresh] = 0.0
        group["params"] = [parameters[name]]
        optimiser.state[parameters[name]] = state
    return rows


def _longest_axis(parameters: dict[str, Tensor], chosen: Int[Tensor, "chosen"]) -> Float[Tensor, "chosen 3"]:
    """Half a standard deviation along the longest axis of each splat."""
    scales = parameters["log_scales"][chosen].exp()
    longest = scales.argmax(1)
    axes = rotation_from_wxyz(parameters["wxyz"][chosen])[torch.arange(len(chosen)), :, longest]
    return 0.5 * scales[torch.arange(len(chosen)), longest, None] * axes
