"""The denoiser: a transformer over frequencies in time, conditioned on text, rest frame, view, style and noise level.

A video's latent z [frames, numbers] becomes its cosine transform in time; one token per frequency. Each number at each
frequency has a known mean m and deviation d over the training videos, so the best linear estimate of the clean one from
z_t = a z + s e is known too (Wiener's): m + a d^2 / (a^2 d^2 + s^2) (z_t - a m). The network adds what is not
linear: x0 = that + d s / sqrt(a^2 d^2 + s^2) F, and it returns v = (a z_t - x0) / s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from gambol.diffusion.dct import cosine_transform
from gambol.diffusion.transformer_block import AdaptiveBlock, noise_level_features, normalise
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.latents import KINDS, LATENT_NUMBERS, REST_INPUT_NUMBERS
from gambol.priors.embedded.stage import FRAMES
from gambol.priors.embedded.style import STYLE_NUMBERS

VIEW_NUMBERS = 5 + STYLE_NUMBERS
"""Numbers of the view (5), then of the style."""
LEVEL_NUMBERS = 64
"""Features of the noise level."""


@dataclass(frozen=True)
class NetworkShape:
    """How large the network is."""

    width: int = 224
    """Numbers of a token."""
    depth: int = 6
    """Transformer blocks."""
    heads: int = 7
    """Attention heads."""
    widening: int = 3
    """Width of the hidden layers between attentions, as a multiple of `width`."""
    frequencies: int = 18
    """Number of frequencies, from the lowest, that are tokens; higher ones get the linear estimate."""
    text: int = len(MOTIONS)
    """Number of motion classes, whose probabilities are an input."""


@dataclass(frozen=True)
class Conditioning:
    """What the network is conditioned on, for a batch of videos."""

    text: Float[Tensor, "batch text"]
    """Probability of each motion class."""
    has_text: Float[Tensor, "batch"]
    """1, or 0 for an empty prompt."""
    rest: Float[Tensor, "batch rest_numbers"]
    """The rest frame (`VideoLatents.encode_rest`)."""
    view: Float[Tensor, "batch view_numbers"]
    """Numbers of the view, then of the style."""


class MotionNetwork(nn.Module):
    """Predicts v from the noisy latent, the noise level and the conditioning."""

    dct: Tensor
    """The cosine transform over frames."""
    mean: Tensor
    """Mean of each number at each frequency over the training videos."""
    deviation: Tensor
    """Standard deviation of each number at each frequency over the training videos."""
    explained: Tensor
    """Share of true videos' energy that the clean estimate explains, by frequency, of components and of moments."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.register_buffer("dct", cosine_transform(FRAMES), persistent=False)
        self.register_buffer("mean", torch.zeros(FRAMES, LATENT_NUMBERS))
        self.register_buffer("deviation", torch.ones(FRAMES, LATENT_NUMBERS))
        self.register_buffer("explained", torch.full((FRAMES, len(KINDS)), 0.5))
        self.token = nn.Linear(LATENT_NUMBERS, width)
        self.place = nn.Parameter(0.3 * torch.randn(shape.frequencies + 3, width))
        self.rest_token, self.text_token = nn.Linear(REST_INPUT_NUMBERS, width), nn.Linear(shape.text, width)
        self.level = nn.Sequential(nn.Linear(LEVEL_NUMBERS, width), nn.SiLU(), nn.Linear(width, width))
        self.text = nn.Sequential(nn.Linear(shape.text, width), nn.SiLU(), nn.Linear(width, width))
        self.rest = nn.Sequential(nn.Linear(REST_INPUT_NUMBERS, width), nn.SiLU(), nn.Linear(width, width))
        self.view, self.manner_token = nn.Linear(VIEW_NUMBERS, width), nn.Linear(STYLE_NUMBERS, width)
        self.manner = nn.Sequential(nn.Linear(STYLE_NUMBERS, width), nn.SiLU(), nn.Linear(width, width))
        self.no_text = nn.Parameter(torch.zeros(width))
        self.blocks = nn.ModuleList(AdaptiveBlock(width, shape.heads, shape.widening) for _ in range(shape.depth))
        self.out = nn.Linear(width, LATENT_NUMBERS)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(
        self, noisy: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"], conditioning: Conditioning
    ) -> Float[Tensor, "batch frames numbers"]:
        """v for a batch of noisy latents, each with its own level."""
        a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
        z = self.dct @ noisy
        spread = (a * a * self.deviation**2 + s * s).sqrt()
        centred = z - a * self.mean
        has = conditioning.has_text[:, None]
        text = (conditioning.text * self.shape.text**0.5) * has
        manner = conditioning.view[:, -STYLE_NUMBERS:]
        level = self.level(noise_level_features(t, LEVEL_NUMBERS))
        c = level + self.rest(conditioning.rest) + self.view(conditioning.view) + self.manner(manner)
        c = functional.silu(c + self.text(text) * has + self.no_text * (1 - has))
        seen = self.token((centred / spread)[:, : self.shape.frequencies])
        others = (self.rest_token(conditioning.rest), self.text_token(text), self.manner_token(manner))
        x = torch.cat([seen, torch.stack(others, 1)], 1) + self.place
        for block in self.blocks:
            x = block(x, c)
        F = self.out(normalise(x[:, : self.shape.frequencies]))
        F = functional.pad(F, (0, 0, 0, FRAMES - self.shape.frequencies))
        clean = self.mean + a * self.deviation**2 / spread**2 * centred + self.deviation * s / spread * F
        return self.dct.T @ ((a * z - clean) / s)
