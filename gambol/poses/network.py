"""The denoiser of poses: a transformer with one token per bone, whose attention is biased by the skeleton.

Pose parameters have about unit variance, so the noisy x_t = a x + s e needs no scaling; the network predicts
v = a e - s x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from gambol.diffusion.transformer_block import AdaptiveBlock, noise_level_features
from gambol.poses.skeleton_features import BONE_RELATIONS, MAX_HOPS, SkeletonFeatures

BONE_FEATURES = 71
"""Number of features of one bone (`skeleton_features.bone_features`)."""
POSE_LEVEL_FEATURES = 64
"""Number of sines and cosines of the noise level."""


@dataclass(frozen=True)
class PoseNetworkShape:
    """Size of a pose network."""

    width: int = 96
    """Channels of a token."""
    depth: int = 4
    """Number of transformer blocks."""
    heads: int = 4
    """Attention heads of a block."""
    widening: int = 2
    """Width of a block's hidden layer as a multiple of `width`."""
    conditioned: int = 1
    """1, or 0 for a baseline that knows nothing of the skeleton but the number of its bones."""


@dataclass(frozen=True)
class SkeletonBatch:
    """Features of several skeletons, padded to the same number of bones."""

    bones: Float[Tensor, "batch bones features"]
    """Features of each bone, 0 where padded."""
    hops: Int[Tensor, "batch bones bones"]
    """Tree distances, `MAX_HOPS` where padded."""
    relations: Int[Tensor, "batch bones bones"]
    """Indices into `BONE_RELATIONS`, "other" where padded."""
    present: Bool[Tensor, "batch bones"]
    """False where padded."""


def batch_skeletons(skeletons: Sequence[SkeletonFeatures]) -> SkeletonBatch:
    """Stack the features of skeletons into one padded batch."""
    most = max(len(x.bones) for x in skeletons)
    count = len(skeletons)
    bones = torch.zeros(count, most, BONE_FEATURES)
    hops, relations = (torch.full((count, most, most), last) for last in (MAX_HOPS, len(BONE_RELATIONS) - 1))
    present = torch.zeros(count, most, dtype=torch.bool)
    for i, x in enumerate(skeletons):
        n = len(x.bones)
        bones[i, :n], present[i, :n] = x.bones, True
        hops[i, :n, :n], relations[i, :n, :n] = x.hops, x.relations
    return SkeletonBatch(bones, hops, relations, present)


class SkeletonBlock(AdaptiveBlock):
    """A transformer block whose attention logits are biased by the relations of the bones."""

    bias: Float[Tensor, "batch heads bones bones"]
    """Added to the attention logits; set before each call."""

    def _attend(self, x: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=self.bias)
        return self.mixed(mixed.transpose(1, 2).flatten(2))


class PoseNetwork(nn.Module):
    """Predicts v(x_t, t, skeletons) of noisy poses."""

    def __init__(self, shape: PoseNetworkShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.token, self.body = (
            nn.Linear(3, width),
            nn.Sequential(nn.Linear(BONE_FEATURES, 2 * width), nn.SiLU(), nn.Linear(2 * width, width)),
        )
        self.level = nn.Sequential(nn.Linear(POSE_LEVEL_FEATURES, width), nn.SiLU(), nn.Linear(width, width))
        self.whole = nn.Linear(width, width)
        self.hop = nn.Parameter(torch.zeros(shape.depth, MAX_HOPS + 1, shape.heads))
        self.relation = nn.Parameter(torch.zeros(shape.depth, len(BONE_RELATIONS), shape.heads))
        self.blocks = nn.ModuleList(SkeletonBlock(width, shape.heads, shape.widening) for _ in range(shape.depth))
        self.out = nn.Linear(width, 3)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(
        self,
        noisy: Float[Tensor, "poses bones 3"],
        t: Float[Tensor, "levels"],
        skeletons: SkeletonBatch,
    ) -> Float[Tensor, "poses bones 3"]:
        """v of a batch of noisy poses; a single noise level and a single skeleton are used for all poses."""
        features = self.body(skeletons.bones * self.shape.conditioned)
        present = skeletons.present[..., None].float()
        mean = (features * present).sum(1) / present.sum(1)
        level = self.level(noise_level_features(t, POSE_LEVEL_FEATURES))
        c = functional.silu(level + self.whole(mean)).expand(len(noisy), -1)
        x = self.token(noisy) + features
        for i, block in enumerate(self.blocks):
            block.bias = self._bias(i, skeletons)
            x = block(x, c)
        return self.out(functional.layer_norm(x, x.shape[-1:])) * present

    def _bias(self, layer: int, skeletons: SkeletonBatch) -> Float[Tensor, "batch heads bones bones"]:
        padded = ~skeletons.present[:, None, None]
        if not self.shape.conditioned:
            return torch.zeros(padded.shape[0], 1, 1, padded.shape[-1]).masked_fill(padded, -math.inf)
        bias = self.hop[layer][skeletons.hops] + self.relation[layer][skeletons.relations]
        return bias.permute(0, 3, 1, 2).masked_fill(padded, -math.inf)
