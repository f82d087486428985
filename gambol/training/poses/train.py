"""Training of the pose network on shards of poses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.network import PoseNetwork, SkeletonBatch, batch_skeletons
from gambol.poses.pose_diffusion import MAX_POSE_NOISE_LEVEL, MIN_POSE_NOISE_LEVEL
from gambol.poses.pose_violations import find_violations
from gambol.poses.skeleton_features import SkeletonFeatures, describe_skeleton
from gambol.progress import Progress
from gambol.training.loop import TrainingSchedule, train_network
from gambol.training.poses.shards import PoseShard

BATCH_NEIGHBOURS = 24
"""Bodies of a batch are drawn from this many neighbours in the order of bone counts, so that padding is small."""
MAX_VALIDATED_LEVEL = 0.5
"""Highest noise level at which clean estimates are sharp enough for the validators."""
FEATURE_NOISE = 0.02
"""Standard deviation of the noise on the body's features."""


@dataclass(frozen=True)
class PoseTraining(TrainingSchedule):
    """Training of the pose network."""

    steps: int = 3000
    """Number of optimiser steps."""
    learning_rate: float = 1.5e-3
    """Peak learning rate of AdamW."""
    warmup_steps: int = 100
    """Steps of linear warm-up."""
    ema_decay: float = 0.998
    """Decay of the averaged weights per step."""
    checkpoint_every: int = 100
    """Steps between checkpoints, and between lines of the log."""
    bodies_per_batch: int = 6
    """Bodies in each step."""
    poses_per_body: int = 8
    """Poses of each body in a step."""
    validator_weight: float = 0.01
    """Weight of the validators' energy of one body's clean estimates; 0 leaves it out."""


@dataclass(frozen=True)
class ShardPool:
    """Shards in the order of their bone counts, with the features of each skeleton and of its mirror image."""

    shards: tuple[PoseShard, ...]
    """Shards in any order."""

    @cached_property
    def bodies(self) -> tuple[tuple[PoseShard, SkeletonFeatures, SkeletonFeatures], ...]:
        """Shards by bone count, each with the features of its skeleton and of its mirror image."""
        ordered = sorted(self.shards, key=lambda shard: len(shard.rig))
        return tuple((shard, describe_skeleton(shard.rig), describe_skeleton(shard.mirror.rig)) for shard in ordered)


@dataclass(frozen=True)
class Batch:
    """Poses of several bodies, padded to the most bones."""

    x: Float[Tensor, "batch bones 3"]
    """Pose parameters, zero where a body has no bone."""
    bodies: SkeletonBatch
    """Features of the skeleton of each pose."""
    first: PoseShard
    """The shard of the first body."""


def draw_batch(pool: ShardPool, settings: PoseTraining, generator: torch.Generator) -> Batch:
    """Draw poses of some bodies of similar bone counts, each body as it is or mirrored."""
    known, count = pool.bodies, settings.poses_per_body
    start = int(torch.randint(max(len(known) - BATCH_NEIGHBOURS, 0) + 1, (), generator=generator))
    chosen = start + torch.randint(min(BATCH_NEIGHBOURS, len(known)), (settings.bodies_per_batch,), generator=generator)
    flips = torch.rand(settings.bodies_per_batch, generator=generator) < 0.5
    sides = zip(chosen.tolist(), flips.tolist(), strict=True)
    picked = [(known[i][0].mirror, known[i][2]) if flip else known[i][:2] for i, flip in sides]
    most = max(len(shard.rig) for shard, _ in picked)
    x = torch.zeros(settings.bodies_per_batch, count, most, 3)
    for i, (shard, _) in enumerate(picked):
        x[i, :, : len(shard.rig)] = shard.x[torch.randint(len(shard), (count,), generator=generator)]
    features = batch_skeletons([features for _, features in picked])
    noisy = features.bones + FEATURE_NOISE * torch.randn(features.bones.shape, generator=generator)
    bodies = SkeletonBatch(
        *(y.repeat_interleave(count, 0) for y in (noisy, features.hops, features.relations, features.present))
    )
    return Batch(x.flatten(0, 1), bodies, picked[0][0])


def pose_batch_loss(
    network: PoseNetwork, pool: ShardPool, settings: PoseTraining, generator: torch.Generator
) -> Tensor:
    """Return the mean squared error of v over bones, plus the validators' energy of one body's clean estimates."""
    batch = draw_batch(pool, settings, generator)
    lowest, highest = MIN_POSE_NOISE_LEVEL, MAX_POSE_NOISE_LEVEL
    t = lowest + (highest - lowest) * torch.rand(len(batch.x), generator=generator)
    a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
    here = batch.bodies.present[..., None].float()
    e = torch.randn(batch.x.shape, generator=generator) * here
    x_t = a * batch.x + s * e
    v = network(x_t, t, batch.bodies)
    loss = ((v - (a * e - s * batch.x)) * here).square().sum() / (3.0 * here.sum())
    if settings.validator_weight:
        low = torch.nonzero(t[: settings.poses_per_body] < MAX_VALIDATED_LEVEL).flatten()
        if len(low):
            clean = (a * x_t - s * v)[low, : len(batch.first.rig)]
            energy = find_violations(batch.first.rig, clean).energy()
            loss = loss + settings.validator_weight * energy.clamp_max(20.0).mean()
    return loss


@torch.no_grad()
def held_out_loss(network: PoseNetwork, shards: tuple[PoseShard, ...], *, most: int = 8) -> float:
    """Return the mean squared error of v on at most `most` poses of each held-out body."""
    total, bones = 0.0, 0
    generator = torch.Generator().manual_seed(3)
    for shard in shards:
        x = shard.x[torch.linspace(0, len(shard) - 1, min(most, len(shard))).long()]
        t = torch.linspace(0.1, 0.9, len(x))
        a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
        e = torch.randn(x.shape, generator=generator)
        bodies = batch_skeletons([describe_skeleton(shard.rig)] * len(x))
        miss = network(a * x + s * e, t, bodies) - (a * e - s * x)
        total, bones = total + float(miss.square().sum()), bones + miss.numel()
    return total / max(bones, 1)


def train_poses(
    network: PoseNetwork,
    pool: ShardPool,
    held_out: tuple[PoseShard, ...],
    settings: PoseTraining,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> PoseNetwork:
    """Train to the last step, resuming from the folder's checkpoint; returns the averaged network."""
    return train_network(
        network,
        lambda network, generator: pose_batch_loss(network, pool, settings, generator),
        settings,
        folder,
        measure=lambda average: {"held_out": held_out_loss(average, held_out)},
        progress=progress,
    )
