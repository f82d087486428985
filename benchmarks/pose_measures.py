"""Measures of made poses against real ones, and the baselines that a pose space is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from gambol.poses.pose_parameters import pose_bones
from gambol.poses.pose_rig import PoseRig
from gambol.training.poses.shards import PoseShard


def joint_positions(rig: PoseRig, x: Tensor) -> Tensor:
    """Positions of joints and bone ends above the ground, relative to the root, sizes: [poses, points * 3]."""
    with torch.no_grad():
        posed = pose_bones(rig, x)
    joints_and_ends = [rig.skeleton.heads, rig.skeleton.tails]
    moved = torch.cat([posed.carry(torch.as_tensor(points).float()) for points in joints_and_ends], 1)
    return (moved - moved[:, :1] * torch.tensor([1.0, 0.0, 1.0])).flatten(1)


def distances(a: Tensor, b: Tensor) -> Tensor:
    """Mean distance of corresponding points of every two poses, sizes: [a, b]."""
    a, b = a.unflatten(1, (-1, 3)), b.unflatten(1, (-1, 3))
    return torch.stack([(x - b).norm(dim=-1).mean(-1) for x in a])


def coverage(made: Tensor, real: Tensor) -> float:
    """Share of the real poses that are the nearest real pose of at least one made pose."""
    return len(distances(made, real).argmin(1).unique()) / len(real)


def nearest_neighbour(made: Tensor, real: Tensor) -> float:
    """1-NN accuracy: how often the nearest other pose is of the same set; 0.5 if the sets are indistinguishable."""
    count = min(len(made), len(real))
    both = torch.cat([made[:count], real[:count]])
    gaps = distances(both, both)
    gaps.fill_diagonal_(float("inf"))
    labels = torch.arange(2 * count) < count
    return float((labels[gaps.argmin(1)] == labels).float().mean())


def minimum_matching(made: Tensor, real: Tensor) -> float:
    """MMD: mean over the real poses of the distance to the nearest made pose, sizes."""
    return float(distances(real, made).amin(1).mean())


def diversity(x: Tensor) -> float:
    """Mean distance between two poses of a set, sizes."""
    gaps = distances(x, x)
    return float(gaps.sum() / (len(x) * (len(x) - 1)))


def uniform_poses(rig: PoseRig, count: int, generator: torch.Generator) -> Tensor:
    """Poses with every angle uniform from -180 to 180 degrees."""
    x = (2.0 * torch.rand(count, len(rig), 3, generator=generator) - 1.0) * np.pi / rig.parameter_scale
    x[:, 0] = 0.0
    return x


def box_poses(rig: PoseRig, count: int, generator: torch.Generator) -> Tensor:
    """Poses with every angle uniform within its limits."""
    low, high = (torch.as_tensor(rig.limits[..., k]).float() for k in (0, 1))
    x = (low + (high - low) * torch.rand(count, len(rig), 3, generator=generator)) / rig.parameter_scale
    x[:, 0] = 0.0
    return x


class Gaussians:
    """Gaussians of pose parameters by family and role of a bone (part, pair and order)."""

    def __init__(self, shards: Sequence[PoseShard]) -> None:
        self.families: dict[str, dict[tuple[int, ...], list[Tensor]]] = {}
        for shard in shards:
            known = self.families.setdefault(shard.kind, {})
            for bone, role in enumerate(self._roles(shard.rig)):
                known.setdefault(role, []).append(shard.x[:, bone])

    @staticmethod
    def _roles(rig: PoseRig) -> list[tuple[int, ...]]:
        return list(zip(rig.parts.tolist(), rig.pairs.tolist(), np.minimum(rig.orders, 4).tolist(), strict=True))

    def sample(self, rig: PoseRig, count: int, generator: torch.Generator) -> Tensor:
        """Poses drawn from the family that knows most of the rig's bone roles."""
        wanted = self._roles(rig)
        family = max(self.families, key=lambda name: sum(role in self.families[name] for role in wanted))
        x = torch.zeros(count, len(rig), 3)
        for bone, role in enumerate(wanted):
            if role in self.families[family]:
                seen = torch.cat(self.families[family][role])
                x[:, bone] = seen.mean(0) + seen.std(0) * torch.randn(count, 3, generator=generator)
        return x
