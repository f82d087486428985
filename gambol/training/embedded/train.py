"""Training of the denoiser: reproducible steps over shards of latents, with checkpoints from which it goes on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.priors.embedded.conditioning import NUMBERS
from gambol.priors.embedded.latents import KINDS
from gambol.priors.embedded.network import MotionNetwork, NetworkShape, Told
from gambol.progress import Progress
from gambol.training.embedded.shards import Samples
from gambol.training.loop import Pace, train_network

LOWEST, HIGHEST = 0.02, 0.997
"""Noise levels that are trained."""
DECISIVE, DECISIVE_SHARE = 0.85, 0.65
"""So much of the training is at levels above this one. A film has thousands of numbers that tell of one motion, so
which one it is shows through strong noise: what decides it lies above 0.88; below that pictures get sharper."""


@dataclass(frozen=True)
class TrainingSettings(Pace):
    """How the network is trained."""

    steps: int = 8000
    rate: float = 1.2e-3
    warm_up: int = 200
    averaging: float = 0.9985
    batch: int = 64
    text_dropout: float = 0.15
    manner_dropout: float = 0.2
    """How often the network is not told when in its cycle a motion starts."""
    doubt: float = 0.4
    """Up to so much of a sentence's probability goes to motions that it does not mean."""


def soft_labels(
    motions: Int[Tensor, "batch"], count: int, doubt: float, generator: torch.Generator
) -> Float[Tensor, "batch motions"]:
    """Probabilities as a sentence is understood: mostly the motion's own, up to `doubt` spread over others."""
    other = torch.rand(len(motions), count, generator=generator) ** 4
    other = other / other.sum(1, keepdim=True)
    part = doubt * torch.rand(len(motions), 1, generator=generator)
    return (1 - part) * torch.eye(count)[motions] + part * other


def new_network(samples: Samples, shape: NetworkShape, seed: int) -> MotionNetwork:
    """Random weights, and the known mean and deviation of every number at every frequency."""
    torch.manual_seed(seed)
    network = MotionNetwork(shape)
    z = network.dct @ samples.z[:12000].float()
    network.mean.copy_(z.mean(0))
    network.deviation.copy_(z.std(0) + 1e-3)
    return network


def noisy(
    z: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"], generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """z_t and v = a e - s z."""
    a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
    e = torch.randn(z.shape, generator=generator)
    return a * z + s * e, a * e - s * z


def draw_levels(count: int, generator: torch.Generator) -> Float[Tensor, "count"]:
    """Levels of a batch, most of them decisive."""
    u, decisive = torch.rand(2, count, generator=generator)
    low = torch.where(decisive < DECISIVE_SHARE, DECISIVE, LOWEST)
    return low + (HIGHEST - low) * u


def batch_loss(
    network: MotionNetwork, samples: Samples, settings: TrainingSettings, generator: torch.Generator
) -> Tensor:
    """Mean squared error of v over a random batch."""
    chosen = torch.randint(len(samples), (settings.batch,), generator=generator)
    z = samples.z[chosen].float()
    t = draw_levels(settings.batch, generator)
    z_t, v = noisy(z, t, generator)
    text = soft_labels(samples.motion[chosen], network.shape.text, settings.doubt, generator)
    has_text = (torch.rand(settings.batch, generator=generator) >= settings.text_dropout).float()
    rest, view = samples.rest[chosen], samples.view[chosen].clone()
    view[torch.rand(settings.batch, generator=generator) < settings.manner_dropout, -NUMBERS:] = 0.0
    told = Told(text, has_text, rest + 0.05 * torch.randn(rest.shape, generator=generator), view)
    return (network(z_t, t, told) - v).square().mean()


@torch.no_grad()
def held_out_losses(
    network: MotionNetwork, samples: Samples, *, levels: tuple[float, ...] = (0.7, 0.9, 0.96, 0.985)
) -> dict[str, Float[Tensor, "clips"]]:
    """Error of the clean estimate per clip, mean over levels: with the right text, a wrong one and none."""
    motions = samples.motion
    count = network.shape.text
    wrong = (motions + 1 + torch.arange(len(motions)) % (count - 1)) % count
    found = {}
    for name, asked, has in (("right", motions, 1.0), ("wrong", wrong, 1.0), ("none", motions, 0.0)):
        generator, total = torch.Generator().manual_seed(5), torch.zeros(len(samples))
        for level in levels:
            for part in torch.arange(len(samples)).split(256):
                z, t = samples.z[part].float(), torch.full((len(part),), level)
                z_t, v = noisy(z, t, generator)
                told = Told(
                    torch.eye(count)[asked[part]], torch.full((len(part),), has), samples.rest[part], samples.view[part]
                )
                miss = math.sin(0.5 * math.pi * level) * (network(z_t, t, told) - v)
                total[part] += miss.square().mean((1, 2)) / len(levels)
        found[name] = total
    return found


@torch.no_grad()
def explained_shares(
    network: MotionNetwork, samples: Samples, *, level: float = 0.98
) -> Float[Tensor, "frequencies kinds"]:
    """R^2 of the clean estimate at a level where little but what is told decides, of components and of moments."""
    t, count = torch.full((len(samples),), level), network.shape.text
    z_t, _ = noisy(samples.z.float(), t, torch.Generator().manual_seed(1))
    told = Told(torch.eye(count)[samples.motion], torch.ones(len(samples)), samples.rest, samples.view)
    a, s = math.cos(0.5 * math.pi * level), math.sin(0.5 * math.pi * level)
    true, found = network.dct @ samples.z.float(), network.dct @ (a * z_t - s * network(z_t, t, told))
    shares = [1.0 - (true - found)[..., k].square().sum((0, 2)) / true[..., k].square().sum((0, 2)) for k in KINDS]
    return torch.stack(shares, 1)


def train(
    network: MotionNetwork,
    samples: Samples,
    held_out: Samples,
    settings: TrainingSettings,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> MotionNetwork:
    """Train to the last step, or go on from the folder's checkpoint; returns the averaged network."""
    trained = train_network(
        network,
        lambda network, generator: batch_loss(network, samples, settings, generator),
        settings,
        folder,
        measure=lambda average: {k: float(v.mean()) for k, v in held_out_losses(average, held_out).items()},
        progress=progress,
    )
    trained.explained.copy_(explained_shares(trained, held_out))
    return trained
