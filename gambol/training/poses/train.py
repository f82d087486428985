"""Training of the pose network: reproducible steps over shards of poses, with checkpoints from which it goes on."""

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
from gambol.poses.skeleton_features import SkeletonFeatures, describe_skeleton
from gambol.poses.validators import find_violations
from gambol.progress import Progress
from gambol.training.loop import Pace, train_network
from gambol.training.poses.shards import PoseShard

NEIGHBOURS = 24
"""Bodies of a batch have about as many bones as each other: they are drawn from so many in a row."""
VALIDATED = 0.5
"""Clean estimates below this level are sharp enough to be looked at by the validators."""
SHAKEN = 0.02
"""Noise on what the network is told of a body."""


@dataclass(frozen=True)
class PoseTraining(Pace):
    """How the network is trained."""

    steps: int = 3000
    rate: float = 1.5e-3
    warm_up: int = 100
    averaging: float = 0.998
    every: int = 100
    bodies: int = 6
    """In each step,"""
    poses: int = 8
    """each in so many poses."""
    validators: float = 0.01
    """Weight of the validators' energy of one body's clean estimates; 0 leaves them out."""


@dataclass(frozen=True)
class Pool:
    """Shards in the order of their bone counts, with what the network is told of each, mirrored ones too."""

    shards: tuple[PoseShard, ...]

    @cached_property
    def bodies(self) -> tuple[tuple[PoseShard, SkeletonFeatures, SkeletonFeatures], ...]:
        """Shard, what is told of its body, and of its mirror image."""
        ordered = sorted(self.shards, key=lambda shard: len(shard.rig))
        return tuple((shard, describe_skeleton(shard.rig), describe_skeleton(shard.mirror.rig)) for shard in ordered)

    @property
    def poses(self) -> int:
        """In all."""
        return sum(len(shard) for shard in self.shards)


@dataclass(frozen=True)
class Batch:
    """Poses of several bodies, padded."""

    x: Float[Tensor, "batch bones 3"]
    bodies: SkeletonBatch
    first: PoseShard
    """The body of the first poses."""


def draw_batch(pool: Pool, settings: PoseTraining, generator: torch.Generator) -> Batch:
    """Some poses of some bodies of like bone counts, each body as it is or in the mirror."""
    known, count = pool.bodies, settings.poses
    start = int(torch.randint(max(len(known) - NEIGHBOURS, 0) + 1, (), generator=generator))
    chosen = start + torch.randint(min(NEIGHBOURS, len(known)), (settings.bodies,), generator=generator)
    flips = torch.rand(settings.bodies, generator=generator) < 0.5
    sides = zip(chosen.tolist(), flips.tolist(), strict=True)
    picked = [(known[i][0].mirror, known[i][2]) if flip else known[i][:2] for i, flip in sides]
    most = max(len(shard.rig) for shard, _ in picked)
    x = torch.zeros(settings.bodies, count, most, 3)
    for i, (shard, _) in enumerate(picked):
        x[i, :, : len(shard.rig)] = shard.x[torch.randint(len(shard), (count,), generator=generator)]
    told = batch_skeletons([told for _, told in picked])
    shaken = told.bones + SHAKEN * torch.randn(told.bones.shape, generator=generator)
    bodies = SkeletonBatch(*(y.repeat_interleave(count, 0) for y in (shaken, told.hops, told.relations, told.present)))
    return Batch(x.flatten(0, 1), bodies, picked[0][0])


def batch_loss(network: PoseNetwork, pool: Pool, settings: PoseTraining, generator: torch.Generator) -> Tensor:
    """Mean squared error of v over bones, plus the validators' energy of one body's clean estimates."""
    batch = draw_batch(pool, settings, generator)
    lowest, highest = MIN_POSE_NOISE_LEVEL, MAX_POSE_NOISE_LEVEL
    t = lowest + (highest - lowest) * torch.rand(len(batch.x), generator=generator)
    a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
    here = batch.bodies.present[..., None].float()
    e = torch.randn(batch.x.shape, generator=generator) * here
    x_t = a * batch.x + s * e
    v = network(x_t, t, batch.bodies)
    loss = ((v - (a * e - s * batch.x)) * here).square().sum() / (3.0 * here.sum())
    if settings.validators:
        low = torch.nonzero(t[: settings.poses] < VALIDATED).flatten()
        if len(low):
            clean = (a * x_t - s * v)[low, : len(batch.first.rig)]
            energy = find_violations(batch.first.rig, clean).energy()
            loss = loss + settings.validators * energy.clamp_max(20.0).mean()
    return loss


@torch.no_grad()
def held_out_loss(network: PoseNetwork, shards: tuple[PoseShard, ...], *, most: int = 8) -> float:
    """Mean squared error of v on poses of bodies that are not trained on."""
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
    pool: Pool,
    held_out: tuple[PoseShard, ...],
    settings: PoseTraining,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> PoseNetwork:
    """Train to the last step, or go on from the folder's checkpoint; returns the averaged network."""
    return train_network(
        network,
        lambda network, generator: batch_loss(network, pool, settings, generator),
        settings,
        folder,
        measure=lambda average: {"held_out": held_out_loss(average, held_out)},
        progress=progress,
    )
