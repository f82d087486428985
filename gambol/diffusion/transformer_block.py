"""The transformer block that the project's own denoisers share: attention and a hidden layer with adaptive scales."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional


class AdaptiveBlock(nn.Module):
    """Attention and a hidden layer, each shifted, scaled and gated by a conditioning vector (adaLN-zero)."""

    def __init__(self, width: int, heads: int, widening: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.mixed = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, widening * width), nn.Linear(widening * width, width)
        self.told = nn.Linear(width, 6 * width)
        nn.init.zeros_(self.told.weight)
        nn.init.zeros_(self.told.bias)

    def forward(self, x: Float[Tensor, "batch tokens width"], c: Float[Tensor, "batch width"]) -> Tensor:
        """x + gate attention(scaled x), then x + gate hidden(scaled x); c is the conditioning vector."""
        b1, s1, g1, b2, s2, g2 = self.told(c)[:, None].chunk(6, -1)
        x = x + g1 * self._attend(normalise(x) * (1 + s1) + b1)
        return x + g2 * self.narrow(functional.gelu(self.wide(normalise(x) * (1 + s2) + b2), approximate="tanh"))

    def _attend(self, x: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        return self.mixed(functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


def normalise(x: Tensor) -> Tensor:
    """Layer normalisation without learned scales."""
    return functional.layer_norm(x, x.shape[-1:])


def noise_level_features(t: Float[Tensor, "batch"], count: int) -> Float[Tensor, "batch count"]:
    """Sines and cosines of the noise level at `count` / 2 rates from 1 to 200."""
    rates = torch.exp(torch.linspace(0.0, math.log(200.0), count // 2))
    return torch.cat([torch.sin(t[:, None] * rates), torch.cos(t[:, None] * rates)], 1)
