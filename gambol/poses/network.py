"""The denoiser of poses: a transformer with one token per bone, whose attention follows the skeleton.

A pose x has known size about 1, so the noisy x_t = a x + s e needs no scaling; the network says v = a e - s x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from gambol.diffusion.transformer import AdaptiveBlock, noise_level_features
from gambol.poses.skeleton_features import FARTHEST, RELATIONS, Told

FEATURES = 71
LEVEL_NUMBERS = 64


@dataclass(frozen=True)
class PoseNetworkShape:
    """How large the network is."""

    width: int = 96
    depth: int = 4
    heads: int = 4
    widening: int = 2
    told: int = 1
    """0: the network is told nothing of the body but how many bones it has (a baseline)."""


@dataclass(frozen=True)
class Bodies:
    """Bodies of a batch, padded to the same number of bones."""

    bones: Float[Tensor, "batch bones features"]
    hops: Int[Tensor, "batch bones bones"]
    relations: Int[Tensor, "batch bones bones"]
    present: Bool[Tensor, "batch bones"]


def gather(told: Sequence[Told]) -> Bodies:
    """Bodies side by side."""
    most = max(len(x.bones) for x in told)
    count = len(told)
    bones = torch.zeros(count, most, FEATURES)
    hops, relations = (torch.full((count, most, most), last) for last in (FARTHEST, len(RELATIONS) - 1))
    present = torch.zeros(count, most, dtype=torch.bool)
    for i, x in enumerate(told):
        n = len(x.bones)
        bones[i, :n], present[i, :n] = x.bones, True
        hops[i, :n, :n], relations[i, :n, :n] = x.hops, x.relations
    return Bodies(bones, hops, relations, present)


class SkeletonBlock(AdaptiveBlock):
    """A block whose attention is biased by how the bones stand to each other."""

    bias: Float[Tensor, "batch heads bones bones"]

    def _attend(self, x: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=self.bias)
        return self.mixed(mixed.transpose(1, 2).flatten(2))


class PoseNetwork(nn.Module):
    """v(x_t, t, bodies)."""

    def __init__(self, shape: PoseNetworkShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.token, self.body = (
            nn.Linear(3, width),
            nn.Sequential(nn.Linear(FEATURES, 2 * width), nn.SiLU(), nn.Linear(2 * width, width)),
        )
        self.level = nn.Sequential(nn.Linear(LEVEL_NUMBERS, width), nn.SiLU(), nn.Linear(width, width))
        self.whole = nn.Linear(width, width)
        self.hop = nn.Parameter(torch.zeros(shape.depth, FARTHEST + 1, shape.heads))
        self.relation = nn.Parameter(torch.zeros(shape.depth, len(RELATIONS), shape.heads))
        self.blocks = nn.ModuleList(SkeletonBlock(width, shape.heads, shape.widening) for _ in range(shape.depth))
        self.out = nn.Linear(width, 3)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(
        self,
        noisy: Float[Tensor, "poses bones 3"],
        t: Float[Tensor, "levels"],
        bodies: Bodies,
    ) -> Float[Tensor, "poses bones 3"]:
        """v for a batch; one level and one body serve all poses where only one is given."""
        seen = self.body(bodies.bones * self.shape.told)
        here = bodies.present[..., None].float()
        mean = (seen * here).sum(1) / here.sum(1)
        level = self.level(noise_level_features(t, LEVEL_NUMBERS))
        c = functional.silu(level + self.whole(mean)).expand(len(noisy), -1)
        x = self.token(noisy) + seen
        for i, block in enumerate(self.blocks):
            block.bias = self._bias(i, bodies)
            x = block(x, c)
        return self.out(functional.layer_norm(x, x.shape[-1:])) * here

    def _bias(self, layer: int, bodies: Bodies) -> Float[Tensor, "batch heads bones bones"]:
        away = ~bodies.present[:, None, None]
        if not self.shape.told:
            return torch.zeros(away.shape[0], 1, 1, away.shape[-1]).masked_fill(away, -math.inf)
        bias = self.hop[layer][bodies.hops] + self.relation[layer][bodies.relations]
        return bias.permute(0, 3, 1, 2).masked_fill(away, -math.inf)
