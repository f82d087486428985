"""Diffusion over poses: DDIM sampling, its exact inversion, guided and ancestral (DDPM) sampling.

Cosine schedule a = cos(pi t / 2), s = sin(pi t / 2); x0 = a x_t - s v, e = s x_t + a v; the next lower level takes
x_t' = a' x0 + s' e. The inversion solves the same equation for x_t. In ancestral sampling (DDPM's posterior) a part c
of the noise is new: x_t' = a' x0 + sqrt(s'^2 - c^2) e + c e_new, c = (s' / s) sqrt(1 - (a / a')^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.network import PoseNetwork, SkeletonBatch, batch_skeletons
from gambol.poses.pose_parameters import PoseParameters
from gambol.poses.skeleton_features import SkeletonFeatures

POSE_SAMPLING_STEPS = 16
"""Calls of the network that sampling from `MAX_POSE_NOISE_LEVEL` takes."""
MAX_POSE_NOISE_LEVEL = 0.995
"""Noise level at which sampling starts."""
MIN_POSE_NOISE_LEVEL = 0.02
"""Noise level of the last call of the network; its clean estimate is the pose."""
INVERSION_ITERATIONS = 4
"""Fixed-point iterations of each step of the inversion."""

PoseGuide = Callable[[PoseParameters, float], PoseParameters]
"""Improves a clean estimate, given the noise level."""
NoiseSource = Callable[[], PoseParameters]
"""Draws new noise of the poses' shape."""


def pose_noise_levels(steps: int = POSE_SAMPLING_STEPS, start_level: float = MAX_POSE_NOISE_LEVEL) -> list[float]:
    """Noise levels from `start_level` down to `MIN_POSE_NOISE_LEVEL`; lower starts take proportionally fewer steps."""
    count = max(round(steps * start_level / MAX_POSE_NOISE_LEVEL), 2)
    return torch.linspace(start_level, MIN_POSE_NOISE_LEVEL, count).tolist()


def predict_clean_and_noise(
    network: PoseNetwork, x_t: PoseParameters, t: float, skeletons: SkeletonBatch
) -> tuple[Float[Tensor, "poses bones 3"], Float[Tensor, "poses bones 3"]]:
    """Clean estimate x0 and noise estimate e of noisy poses at level t."""
    v = network(x_t, torch.full((1,), t), skeletons)
    a, s = math.cos(0.5 * math.pi * t), math.sin(0.5 * math.pi * t)
    return a * x_t - s * v, s * x_t + a * v


@torch.no_grad()
def denoise_poses(
    network: PoseNetwork,
    features: SkeletonFeatures,
    noisy: PoseParameters,
    *,
    steps: int = POSE_SAMPLING_STEPS,
    start_level: float = MAX_POSE_NOISE_LEVEL,
    guide: PoseGuide | None = None,
    fresh_noise: NoiseSource | None = None,
) -> PoseParameters:
    """Clean poses of one rig from noisy ones at `start_level`: DDIM, or DDPM if `fresh_noise` is given.

    `guide` may change each clean estimate before the next step is taken from it.
    """
    x, skeletons = noisy, batch_skeletons([features])
    clean = x
    for t, following in pairwise([*pose_noise_levels(steps, start_level), 0.0]):
        clean, e = predict_clean_and_noise(network, x, t, skeletons)
        clean = clean if guide is None else guide(clean, t)
        a, s = math.cos(0.5 * math.pi * following), math.sin(0.5 * math.pi * following)
        c = 0.0 if fresh_noise is None else fresh_noise_share(t, following)
        x = a * clean + math.sqrt(s * s - c * c) * e
        x = x if fresh_noise is None else x + c * fresh_noise()
    return clean


def fresh_noise_share(t: float, following: float) -> float:
    """c = (s' / s) sqrt(1 - (a / a')^2) of a DDPM step from level t to the level `following`."""
    a, s = math.cos(0.5 * math.pi * t), math.sin(0.5 * math.pi * t)
    return math.sin(0.5 * math.pi * following) / s * math.sqrt(1.0 - (a / math.cos(0.5 * math.pi * following)) ** 2)


@torch.no_grad()
def invert_poses(
    network: PoseNetwork,
    features: SkeletonFeatures,
    x: PoseParameters,
    *,
    steps: int = POSE_SAMPLING_STEPS,
    start_level: float = MAX_POSE_NOISE_LEVEL,
    iterations: int = INVERSION_ITERATIONS,
) -> PoseParameters:
    """The noisy poses at `start_level` from which `denoise_poses` makes these poses.

    A step down is x' = A x + B v(x) with A = a' a + s' s, B = s' a - a' s; so x = (x' - B v(x)) / A, iterated.
    """
    skeletons = batch_skeletons([features])
    schedule = [*pose_noise_levels(steps, start_level), 0.0]
    for above, below in reversed(list(pairwise(schedule))):
        a, s = math.cos(0.5 * math.pi * above), math.sin(0.5 * math.pi * above)
        a1, s1 = math.cos(0.5 * math.pi * below), math.sin(0.5 * math.pi * below)
        A, B = a1 * a + s1 * s, s1 * a - a1 * s
        y = x
        for _ in range(iterations):
            v = network(y, torch.full((1,), above), skeletons)
            y = (x - B * v) / A
        x = y
    return x


def blend_noise(
    first: Float[Tensor, "bones 3"], second: Float[Tensor, "bones 3"], u: Float[Tensor, "steps"]
) -> Float[Tensor, "steps bones 3"]:
    """Blend two noises a, b at constant variance: ((1-u) a + u b) / sqrt((1-u)^2 + u^2 + 2 u (1-u) rho).

    rho is the correlation of the two.
    """
    rho = (first * second).sum() / (first.norm() * second.norm()).clamp_min(1e-9)
    u = u[:, None, None]
    variance = (1 - u) ** 2 + u**2 + 2 * u * (1 - u) * rho
    return ((1 - u) * first + u * second) / variance.clamp_min(1e-6).sqrt()
