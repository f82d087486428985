"""Poses out of noise and back: DDIM without chance, its exact inversion, the same with guidance, and with chance.

Cosine schedule a = cos(pi t / 2), s = sin(pi t / 2); x0 = a x_t - s v, e = s x_t + a v; the next lower level takes
x_t' = a' x0 + s' e. The way back solves the same equation for x_t. With chance (DDPM's posterior) a part c of the noise
is new: x_t' = a' x0 + sqrt(s'^2 - c^2) e + c e_new, c = (s' / s) sqrt(1 - (a / a')^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.network import Bodies, PoseNetwork, gather
from gambol.poses.pose_parameters import Numbers
from gambol.poses.skeleton_features import Told

STEPS = 16
HIGHEST = 0.995
LOWEST = 0.02
"""The last call of the network is at this level; what it says is the pose."""
REPEATS = 4
"""Fixed-point iterations of each step back."""

Guide = Callable[[Numbers, float], Numbers]
"""From the clean estimate and the level to a better clean estimate."""
Chance = Callable[[], Numbers]
"""New noise."""


def levels(steps: int = STEPS, top: float = HIGHEST) -> list[float]:
    """Noise levels from high to low, of a way that starts at `top`."""
    return torch.linspace(top, LOWEST, max(round(steps * top / HIGHEST), 2)).tolist()


def predict(
    network: PoseNetwork, x_t: Numbers, t: float, bodies: Bodies
) -> tuple[Float[Tensor, "poses bones 3"], Float[Tensor, "poses bones 3"]]:
    """Clean estimate and noise."""
    v = network(x_t, torch.full((1,), t), bodies)
    a, s = math.cos(0.5 * math.pi * t), math.sin(0.5 * math.pi * t)
    return a * x_t - s * v, s * x_t + a * v


@torch.no_grad()
def denoise(
    network: PoseNetwork,
    told: Told,
    noise: Numbers,
    *,
    steps: int = STEPS,
    top: float = HIGHEST,
    guide: Guide | None = None,
    chance: Chance | None = None,
) -> Numbers:
    """Poses of one body out of noisy ones at level `top`; `guide` may change each clean estimate."""
    x, bodies = noise, gather([told])
    clean = x
    for t, following in pairwise([*levels(steps, top), 0.0]):
        clean, e = predict(network, x, t, bodies)
        clean = clean if guide is None else guide(clean, t)
        a, s = math.cos(0.5 * math.pi * following), math.sin(0.5 * math.pi * following)
        c = 0.0 if chance is None else new_share(t, following)
        x = a * clean + math.sqrt(s * s - c * c) * e
        x = x if chance is None else x + c * chance()
    return clean


def new_share(t: float, following: float) -> float:
    """c = (s' / s) sqrt(1 - (a / a')^2) of a step from level t to `following`."""
    a, s = math.cos(0.5 * math.pi * t), math.sin(0.5 * math.pi * t)
    return math.sin(0.5 * math.pi * following) / s * math.sqrt(1.0 - (a / math.cos(0.5 * math.pi * following)) ** 2)


@torch.no_grad()
def invert(
    network: PoseNetwork,
    told: Told,
    x: Numbers,
    *,
    steps: int = STEPS,
    top: float = HIGHEST,
    repeats: int = REPEATS,
) -> Numbers:
    """The noisy poses at level `top` from which `denoise` makes these.

    A step down is x' = A x + B v(x) with A = a' a + s' s, B = s' a - a' s; so x = (x' - B v(x)) / A, iterated.
    """
    bodies = gather([told])
    schedule = [*levels(steps, top), 0.0]
    for above, below in reversed(list(pairwise(schedule))):
        a, s = math.cos(0.5 * math.pi * above), math.sin(0.5 * math.pi * above)
        a1, s1 = math.cos(0.5 * math.pi * below), math.sin(0.5 * math.pi * below)
        A, B = a1 * a + s1 * s, s1 * a - a1 * s
        y = x
        for _ in range(repeats):
            v = network(y, torch.full((1,), above), bodies)
            y = (x - B * v) / A
        x = y
    return x


def blend_noises(
    first: Float[Tensor, "bones 3"], second: Float[Tensor, "bones 3"], u: Float[Tensor, "steps"]
) -> Float[Tensor, "steps bones 3"]:
    """((1-u) a + u b) / sqrt((1-u)^2 + u^2 + 2 u (1-u) rho), rho the noises' correlation: their variance stays."""
    rho = (first * second).sum() / (first.norm() * second.norm()).clamp_min(1e-9)
    u = u[:, None, None]
    variance = (1 - u) ** 2 + u**2 + 2 * u * (1 - u) * rho
    return ((1 - u) * first + u * second) / variance.clamp_min(1e-6).sqrt()
