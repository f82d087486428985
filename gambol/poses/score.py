"""How plausible poses are: by how well the network knows them, and by what the validators find."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.network import gather
from gambol.poses.pose_diffusion import predict
from gambol.poses.pose_parameters import Numbers, numbers_from_angles
from gambol.poses.space import PoseSpace, sample_poses
from gambol.poses.validators import DEEP, TURNED, Faults, capsule_pairs, find_faults

LEVELS = (0.15, 0.3, 0.45)
NOISES = 4
YARDSTICK = 64
"""Own samples that a pose is measured against."""
WORST = 3


@dataclass(frozen=True)
class PoseScore:
    """What is said of one pose."""

    plausibility: float
    """Share of the space's own samples that the network knows less well than this pose, 0 to 1."""
    violations: int
    worst_joints: tuple[str, ...]
    """The joints whose turns are least expected, worst first."""
    faults: tuple[str, ...]
    """What the validators found, in words."""


def surprise(space: PoseSpace, x: Numbers) -> Float[Tensor, "poses bones"]:
    """Mean over levels and noises of |x0 estimate - x|^2 / s^2 per bone: small for poses that the network knows."""
    generator, bodies = torch.Generator().manual_seed(11), gather([space.told])
    total = torch.zeros(len(x), len(space.rig))
    with torch.no_grad():
        for t in LEVELS:
            level = torch.tensor(0.5 * torch.pi * t)
            a, s = float(level.cos()), float(level.sin())
            for _ in range(NOISES):
                e = torch.randn(1, len(space.rig), 3, generator=generator)
                clean, _ = predict(space.network, a * x + s * e, t, bodies)
                total += (clean - x).square().mean(-1) / s**2
    return total / (len(LEVELS) * NOISES)


def score_poses(space: PoseSpace, x: Numbers) -> list[PoseScore]:
    """One score for each pose."""
    own = surprise(space, sample_poses(space, YARDSTICK, torch.Generator().manual_seed(5), validators=False))
    seen = surprise(space, x)
    ranks = (own.mean(1)[None] > seen.mean(1)[:, None]).float().mean(1)
    strange = (seen - own.mean(0)) / own.std(0).clamp_min(1e-3)
    with torch.no_grad():
        faults = find_faults(space.rig, x)
    names, counts = space.rig.skeleton.names, faults.count()
    scores = []
    for i in range(len(x)):
        order = strange[i].argsort(descending=True)[:WORST].tolist()
        worst = tuple(names[k] for k in order if strange[i, k] > 2.0)
        scores.append(PoseScore(float(ranks[i]), int(counts[i]), worst, fault_words(space, faults, i)))
    return scores


def fault_words(space: PoseSpace, faults: Faults, i: int) -> tuple[str, ...]:
    """The violations of one pose, worst first of each kind."""
    names, pairs, words = space.rig.skeleton.names, capsule_pairs(space.rig), []
    for k in faults.joints[i].argsort(descending=True).tolist()[:WORST]:
        if faults.joints[i, k] > TURNED:
            words.append(f"{names[k]} is turned {float(faults.joints[i, k]) * 57.3:.0f} degrees too far")
    for k in faults.overlaps[i].argsort(descending=True).tolist()[:WORST]:
        if faults.overlaps[i, k] > DEEP:
            a, b = pairs[k]
            words.append(f"{names[a]} and {names[b]} are {float(faults.overlaps[i, k]):.1%} of the size in each other")
    if float(faults.volume[i]) > 0:
        words.append("the skin loses or gains too much volume")
    if float(faults.ground[i]) > DEEP:
        words.append(f"it is {float(faults.ground[i]):.1%} of the size below the ground")
    return tuple(words)


def pose_prior(
    space: PoseSpace,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    generator: torch.Generator,
    *,
    level: float = 0.3,
) -> Tensor:
    """How far a motion's frames are from what the network makes of them, and the validators' energy; mean over frames.

    |x - x0|^2 / bones with x0 the clean estimate of a x + s e, held while the gradient is taken (score distillation,
    METHOD 3). Numbers that leave the network's view stay differentiable.
    """
    x = numbers_from_angles(space.rig, root, angles)
    a, s = math.cos(0.5 * math.pi * level), math.sin(0.5 * math.pi * level)
    with torch.no_grad():
        e = torch.randn(x.shape, generator=generator)
        clean, _ = predict(space.network, a * x + s * e, level, gather([space.told]))
    strange = (x - clean).square().sum(-1).mean()
    return strange + find_faults(space.rig, x).energy().mean()
