"""Training of the embedded prior's denoiser on shards of latents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.priors.embedded.latents import KINDS
from gambol.priors.embedded.network import Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.style import STYLE_NUMBERS
from gambol.progress import Progress
from gambol.training.embedded.shards import LatentSamples
from gambol.training.loop import TrainingSchedule, train_network

MIN_TRAINED_LEVEL, MAX_TRAINED_LEVEL = 0.02, 0.997
"""Range of noise levels that are trained."""
DECISIVE_LEVEL, DECISIVE_SHARE = 0.85, 0.65
"""Noise level above which this share of the training takes place. A video has thousands of numbers that tell of one
motion, so which one it is shows through strong noise: it is decided above 0.88; below, pictures get sharper."""


@dataclass(frozen=True)
class DenoiserTraining(TrainingSchedule):
    """Training of the embedded prior's denoiser."""

    steps: int = 8000
    """Number of optimiser steps."""
    learning_rate: float = 1.2e-3
    """Peak learning rate of AdamW."""
    warmup_steps: int = 200
    """Steps of linear warm-up."""
    ema_decay: float = 0.9985
    """Decay of the averaged weights per step."""
    batch: int = 64
    """Clips per step."""
    text_dropout: float = 0.15
    """Probability that a clip is trained without its text."""
    style_dropout: float = 0.2
    """Probability that a clip is trained without its style and phase."""
    max_label_smoothing: float = 0.4
    """Largest probability that is spread over motions that a sentence does not mean."""


def soft_labels(
    motions: Int[Tensor, "batch"], count: int, doubt: float, generator: torch.Generator
) -> Float[Tensor, "batch motions"]:
    """Draw class probabilities like those of a sentence: most for the motion, up to `doubt` spread over others."""
    other = torch.rand(len(motions), count, generator=generator) ** 4
    other = other / other.sum(1, keepdim=True)
    part = doubt * torch.rand(len(motions), 1, generator=generator)
    return (1 - part) * torch.eye(count)[motions] + part * other


def new_network(samples: LatentSamples, shape: NetworkShape, seed: int) -> MotionNetwork:
    """Make a network with random weights and the samples' mean and deviation of every number at every frequency."""
    torch.manual_seed(seed)
    network = MotionNetwork(shape)
    z = network.dct @ samples.z[:12000].float()
    network.mean.copy_(z.mean(0))
    network.deviation.copy_(z.std(0) + 1e-3)
    return network


def add_noise(
    z: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"], generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Add noise: return z_t = a z + s e and the target v = a e - s z."""
    a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
    e = torch.randn(z.shape, generator=generator)
    return a * z + s * e, a * e - s * z


def draw_levels(count: int, generator: torch.Generator) -> Float[Tensor, "count"]:
    """Draw noise levels, a share of `DECISIVE_SHARE` of them above `DECISIVE_LEVEL`."""
    u, decisive = torch.rand(2, count, generator=generator)
    low = torch.where(decisive < DECISIVE_SHARE, DECISIVE_LEVEL, MIN_TRAINED_LEVEL)
    return low + (MAX_TRAINED_LEVEL - low) * u


def motion_batch_loss(
    network: MotionNetwork, samples: LatentSamples, settings: DenoiserTraining, generator: torch.Generator
) -> Tensor:
    """Return the mean squared error of v over a random batch."""
    chosen = torch.randint(len(samples), (settings.batch,), generator=generator)
    z = samples.z[chosen].float()
    t = draw_levels(settings.batch, generator)
    z_t, v = add_noise(z, t, generator)
    text = soft_labels(samples.motion[chosen], network.shape.text, settings.max_label_smoothing, generator)
    has_text = (torch.rand(settings.batch, generator=generator) >= settings.text_dropout).float()
    rest, view = samples.rest[chosen], samples.view[chosen].clone()
    view[torch.rand(settings.batch, generator=generator) < settings.style_dropout, -STYLE_NUMBERS:] = 0.0
    conditioning = Conditioning(text, has_text, rest + 0.05 * torch.randn(rest.shape, generator=generator), view)
    return (network(z_t, t, conditioning) - v).square().mean()


@torch.no_grad()
def held_out_losses(
    network: MotionNetwork, samples: LatentSamples, *, levels: tuple[float, ...] = (0.7, 0.9, 0.96, 0.985)
) -> dict[str, Float[Tensor, "clips"]]:
    """Return the error of the clean estimate per clip, mean over levels: with the right text, a wrong one and none."""
    motions = samples.motion
    count = network.shape.text
    wrong = (motions + 1 + torch.arange(len(motions)) % (count - 1)) % count
    found = {}
    for name, asked, has in (("right", motions, 1.0), ("wrong", wrong, 1.0), ("none", motions, 0.0)):
        generator, total = torch.Generator().manual_seed(5), torch.zeros(len(samples))
        for level in levels:
            for part in torch.arange(len(samples)).split(256):
                z, t = samples.z[part].float(), torch.full((len(part),), level)
                z_t, v = add_noise(z, t, generator)
                conditioning = Conditioning(
                    torch.eye(count)[asked[part]], torch.full((len(part),), has), samples.rest[part], samples.view[part]
                )
                miss = math.sin(0.5 * math.pi * level) * (network(z_t, t, conditioning) - v)
                total[part] += miss.square().mean((1, 2)) / len(levels)
        found[name] = total
    return found


@torch.no_grad()
def explained_shares(
    network: MotionNetwork, samples: LatentSamples, *, level: float = 0.98
) -> Float[Tensor, "frequencies kinds"]:
    """Return R^2 of the clean estimate, of components and of moments, at a level where conditioning decides."""
    t, count = torch.full((len(samples),), level), network.shape.text
    z_t, _ = add_noise(samples.z.float(), t, torch.Generator().manual_seed(1))
    conditioning = Conditioning(torch.eye(count)[samples.motion], torch.ones(len(samples)), samples.rest, samples.view)
    a, s = math.cos(0.5 * math.pi * level), math.sin(0.5 * math.pi * level)
    true, found = network.dct @ samples.z.float(), network.dct @ (a * z_t - s * network(z_t, t, conditioning))
    shares = [1.0 - (true - found)[..., k].square().sum((0, 2)) / true[..., k].square().sum((0, 2)) for k in KINDS]
    return torch.stack(shares, 1)


def train_motion_network(
    network: MotionNetwork,
    samples: LatentSamples,
    held_out: LatentSamples,
    settings: DenoiserTraining,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> MotionNetwork:
    """Train to the last step, resuming from the folder's checkpoint; returns the averaged network."""
    trained = train_network(
        network,
        lambda network, generator: motion_batch_loss(network, samples, settings, generator),
        settings,
        folder,
        measure=lambda average: {k: float(v.mean()) for k, v in held_out_losses(average, held_out).items()},
        progress=progress,
    )
    trained.explained.copy_(explained_shares(trained, held_out))
    return trained
