"""A chunk of simulation substeps as an autograd function whose gradients are clipped (AKD 4.5)."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.physics.simulator import Simulator


class ChunkFunction(torch.autograd.Function):
    """One chunk of substeps (AKD 4.5): recomputed in the backward pass, its gradients clipped."""

    @staticmethod
    def forward(ctx: Any, simulator: Simulator, clip_norm: float | None, q: Tensor, qd: Tensor, targets: Tensor) -> Any:
        """Simulate the chunk; returns the state after it."""
        ctx.simulator, ctx.clip_norm = simulator, clip_norm
        ctx.save_for_backward(q, qd, targets)
        return simulator.forward(q, qd, targets)

    @staticmethod
    def backward(ctx: Any, gq: Tensor, gqd: Tensor) -> Any:  # type: ignore[override]
        """Gradients of the state before the chunk and of the targets, clipped for each copy on its own."""
        a, b, c = ctx.simulator.backward(*ctx.saved_tensors, gq, gqd)
        if ctx.clip_norm is not None:
            a, b, c = clip_chunk(a, b, c, ctx.clip_norm, ctx.simulator.copies)
        return None, None, a, b, c


def clip_chunk(
    gq: Float[Tensor, "bodies 7"],
    gqd: Float[Tensor, "bodies 6"],
    gt: Float[Tensor, "substeps slots"],
    norm: float,
    copies: int,
) -> tuple[Float[Tensor, "bodies 7"], Float[Tensor, "bodies 6"], Float[Tensor, "substeps slots"]]:
    """Clip the state gradient and the target gradient of every copy to `norm`; values that are not finite become 0."""
    gq, gqd, gt = (torch.nan_to_num(x, 0.0, 0.0, 0.0) for x in (gq, gqd, gt))
    q, qd, t = gq.view(copies, -1), gqd.view(copies, -1), gt.view(len(gt), copies, -1)
    state = (norm / torch.sqrt((q * q).sum(1) + (qd * qd).sum(1)).clamp_min(1e-30)).clamp(max=1.0)
    target = (norm / torch.sqrt((t * t).sum((0, 2))).clamp_min(1e-30)).clamp(max=1.0)
    shortened = (q * state[:, None]).view_as(gq), (qd * state[:, None]).view_as(gqd)
    return *shortened, (t * target[:, None]).view_as(gt)
