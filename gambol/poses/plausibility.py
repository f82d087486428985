"""How plausible poses are: by how well the pose network reconstructs them, and by what the validators find."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.network import batch_skeletons
from gambol.poses.pose_diffusion import predict_clean_and_noise
from gambol.poses.pose_parameters import PoseParameters, parameters_from_angles
from gambol.poses.pose_space import PoseSpace, sample_pose_space
from gambol.poses.pose_violations import (
    ANGLE_TOLERANCE,
    DEPTH_TOLERANCE,
    PoseViolations,
    capsule_pairs,
    find_violations,
)

SCORE_LEVELS = (0.15, 0.3, 0.45)
"""Noise levels at which the denoising error of a pose is measured."""
SCORE_NOISES = 4
"""Noises per level that the denoising error is averaged over."""
REFERENCE_SAMPLES = 64
"""Number of the space's own samples that a pose is ranked among."""
MAX_LISTED = 3
"""At most this many joints, and this many violations of each kind, are named in a score."""


@dataclass(frozen=True)
class PoseScore:
    """How plausible one pose is, and why."""

    plausibility: float
    """Share of the space's own samples that have a larger denoising error than this pose, 0 to 1."""
    violations: int
    """Number of violations that the validators count."""
    worst_joints: tuple[str, ...]
    """Names of the joints whose rotation is least expected, worst first."""
    messages: tuple[str, ...]
    """The violations in words, worst first of each kind."""


def denoising_error(space: PoseSpace, x: PoseParameters) -> Float[Tensor, "poses bones"]:
    """Mean over noise levels and noises of |x0 estimate - x|^2 / s^2 per bone; small for poses the network knows."""
    generator, skeletons = torch.Generator().manual_seed(11), batch_skeletons([space.features])
    total = torch.zeros(len(x), len(space.rig))
    with torch.no_grad():
        for t in SCORE_LEVELS:
            level = torch.tensor(0.5 * torch.pi * t)
            a, s = float(level.cos()), float(level.sin())
            for _ in range(SCORE_NOISES):
                e = torch.randn(1, len(space.rig), 3, generator=generator)
                clean, _ = predict_clean_and_noise(space.network, a * x + s * e, t, skeletons)
                total += (clean - x).square().mean(-1) / s**2
    return total / (len(SCORE_LEVELS) * SCORE_NOISES)


def score_parameters(space: PoseSpace, x: PoseParameters) -> list[PoseScore]:
    """Score each pose."""
    samples = sample_pose_space(space, REFERENCE_SAMPLES, torch.Generator().manual_seed(5), validators=False)
    reference, errors = denoising_error(space, samples), denoising_error(space, x)
    ranks = (reference.mean(1)[None] > errors.mean(1)[:, None]).float().mean(1)
    deviations = (errors - reference.mean(0)) / reference.std(0).clamp_min(1e-3)
    with torch.no_grad():
        violations = find_violations(space.rig, x)
    names, counts = space.rig.skeleton.names, violations.count()
    scores = []
    for i in range(len(x)):
        order = deviations[i].argsort(descending=True)[:MAX_LISTED].tolist()
        worst = tuple(names[k] for k in order if deviations[i, k] > 2.0)
        scores.append(PoseScore(float(ranks[i]), int(counts[i]), worst, violation_messages(space, violations, i)))
    return scores


def violation_messages(space: PoseSpace, violations: PoseViolations, i: int) -> tuple[str, ...]:
    """The violations of pose `i` in words, worst first of each kind."""
    names, pairs, words = space.rig.skeleton.names, capsule_pairs(space.rig), []
    excess, overlaps = violations.joints[i], violations.overlaps[i]
    for k in excess.argsort(descending=True).tolist()[:MAX_LISTED]:
        if excess[k] > ANGLE_TOLERANCE:
            words.append(f"{names[k]} is {float(excess[k]) * 57.3:.0f} degrees beyond its range")
    for k in overlaps.argsort(descending=True).tolist()[:MAX_LISTED]:
        if overlaps[k] > DEPTH_TOLERANCE:
            a, b = pairs[k]
            words.append(f"{names[a]} and {names[b]} intersect by {float(overlaps[k]):.1%} of the size")
    if float(violations.volume[i]) > 0:
        words.append("the skin loses or gains too much volume")
    if float(violations.ground[i]) > DEPTH_TOLERANCE:
        words.append(f"the body is {float(violations.ground[i]):.1%} of the size below the ground")
    return tuple(words)


def pose_prior_loss(
    space: PoseSpace,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    generator: torch.Generator,
    *,
    level: float = 0.3,
) -> Tensor:
    """How implausible the frames of a motion are, mean over frames; differentiable in root and angles.

    The mean over bones of |x - x0|^2 plus the violation energy, with x0 the clean estimate of a x + s e at noise level
    `level`, constant in the gradient (score distillation, METHOD 3).
    """
    x = parameters_from_angles(space.rig, root, angles)
    a, s = math.cos(0.5 * math.pi * level), math.sin(0.5 * math.pi * level)
    with torch.no_grad():
        e = torch.randn(x.shape, generator=generator)
        clean, _ = predict_clean_and_noise(space.network, a * x + s * e, level, batch_skeletons([space.features]))
    distance = (x - clean).square().sum(-1).mean()
    return distance + find_violations(space.rig, x).energy().mean()
