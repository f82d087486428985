"""The denoiser: a transformer over time, conditioned on text, start pose, phase, style and noise level.

A token is a few frames of the film of parts. Each number at each frequency in time has a known mean m and deviation d
over the training films, so the best linear estimate of the clean one from z_t = a z + s e is known too (Wiener's):
m + a d^2 / (a^2 d^2 + s^2) (z_t - a m). The network adds what is not linear: x0 = that + d s / sqrt(a^2 d^2 + s^2) F,
and it returns v = (a z_t - x0) / s. Every token knows the phase of the motion's cycle in each of its frames.
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
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.style import STYLE_NUMBERS

LEVEL_NUMBERS = 64
"""Features of the noise level."""
START_NUMBERS = len(PART_LABELS) * (PART_NUMBERS + 2)
"""Numbers of the start pose that the network sees: of each label its numbers, its presence and the root of its mass."""
HARMONICS = 8
"""Multiples of the cycle's phase that tokens know; small quick repeated motions need the higher ones."""
CLOCK_NUMBERS = 4 * HARMONICS
"""Features of the phase in a frame: sine and cosine of each harmonic, and both times the leading side."""
RATE_UNIT = 0.07
"""Cycles per frame of a usual gait; the network sees the logarithm of the rate in this unit."""


@dataclass(frozen=True)
class NetworkShape:
    """How large the network is."""

    width: int = 192
    """Numbers of a token."""
    depth: int = 6
    """Transformer blocks."""
    heads: int = 6
    """Attention heads."""
    widening: int = 3
    """Width of the hidden layers between attentions, as a multiple of `width`."""
    patch: int = 4
    """Frames of a token."""
    text: int = 192
    """Numbers of a sentence's vector (`gambol.priors.embedded.text.encoder`)."""


@dataclass(frozen=True)
class Conditioning:
    """What the network is conditioned on, for a batch of films."""

    text: Float[Tensor, "batch text"]
    """Unit vector of the sentence."""
    has_text: Float[Tensor, "batch"]
    """1, or 0 for an empty prompt."""
    start: Float[Tensor, "batch labels 9"]
    """Numbers of the start pose; 0 for parts that the body does not have."""
    mass: Float[Tensor, "batch labels"]
    """Share of the surface of each part; 0 for parts that the body does not have."""
    style: Float[Tensor, "batch style_numbers"]
    """Numbers of the style (`StyleConditioning`)."""

    def row(self, index: slice) -> Conditioning:
        """Some rows of the batch."""
        return Conditioning(*(x[index] for x in (self.text, self.has_text, self.start, self.mass, self.style)))


def start_features(start: Float[Tensor, "batch labels 9"], mass: Float[Tensor, "batch labels"]) -> Tensor:
    """The start pose as the network sees it: places, spreads, presence, root of the mass."""
    scaled = torch.cat([0.1 * start, (mass > 0).to(start)[..., None], 3.0 * mass.sqrt()[..., None]], -1)
    return scaled.flatten(1)


def clock_features(style: Float[Tensor, "batch style_numbers"], frames: int) -> Float[Tensor, "batch frames clock"]:
    """Sine and cosine of the cycle's phase in every frame, and both times the leading side; zeros where not known."""
    known, phase, rate, side = (style[:, k, None, None] for k in range(4))
    angle = 2.0 * math.pi * (phase + rate * torch.arange(frames)[:, None]) * torch.arange(1, HARMONICS + 1)
    waves = torch.cat([torch.sin(angle), torch.cos(angle)], -1)
    return known * torch.cat([waves, side * waves], -1)


def style_features(style: Float[Tensor, "batch style_numbers"]) -> Float[Tensor, "batch features"]:
    """Known, logarithm of the rate, side, clock of the first frame, axes."""
    known, rate, side = (style[:, k : k + 1] for k in (0, 2, 3))
    speed = known * 3.0 * torch.log(rate.clamp_min(1e-3) / RATE_UNIT)
    first = clock_features(style, 1)[:, 0]
    return torch.cat([known, speed, side, first, style[:, 4:]], 1)


STYLE_FEATURES = STYLE_NUMBERS - 1 + CLOCK_NUMBERS
"""Numbers of `style_features`."""


class MotionNetwork(nn.Module):
    """Predicts v from the noisy film, the noise level and the conditioning."""

    dct: Tensor
    """The cosine transform over frames."""
    mean: Tensor
    """Mean of each number at each frequency over the training films."""
    deviation: Tensor
    """Standard deviation of each number at each frequency over the training films."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.tokens = FRAMES // shape.patch
        self.register_buffer("dct", cosine_transform(FRAMES), persistent=False)
        self.register_buffer("mean", torch.zeros(FRAMES, FILM_NUMBERS))
        self.register_buffer("deviation", torch.ones(FRAMES, FILM_NUMBERS))
        self.token = nn.Linear(shape.patch * FILM_NUMBERS, width)
        self.clock = nn.Linear(shape.patch * CLOCK_NUMBERS, 2 * width)
        self.clock_gate, self.clock_out = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.place = nn.Parameter(0.3 * torch.randn(self.tokens + 3, width))
        self.start_token, self.text_token = nn.Linear(START_NUMBERS, width), nn.Linear(shape.text, width)
        self.style_token = nn.Linear(STYLE_FEATURES, width)
        self.level, self.text = _mlp(LEVEL_NUMBERS, width), _mlp(shape.text, width)
        self.start, self.style = _mlp(START_NUMBERS, width), _mlp(STYLE_FEATURES, width)
        self.no_text = nn.Parameter(torch.zeros(width))
        self.blocks = nn.ModuleList(AdaptiveBlock(width, shape.heads, shape.widening) for _ in range(shape.depth))
        self.out = nn.Linear(width, shape.patch * FILM_NUMBERS)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(
        self, noisy: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"], conditioning: Conditioning
    ) -> Float[Tensor, "batch frames numbers"]:
        """v for a batch of noisy films, each with its own level."""
        a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
        present = (conditioning.mass > 0).to(noisy).repeat_interleave(PART_NUMBERS, 1)[:, None]
        spread = (a * a * self.deviation**2 + s * s).sqrt()
        centred = self.dct @ noisy - a * self.mean
        seen = (self.dct.T @ (centred / spread)) * present
        F = self.dct @ self._transform(seen, t, conditioning)
        clean = self.mean + a * self.deviation**2 / spread**2 * centred + self.deviation * s / spread * F
        return (a * noisy - (self.dct.T @ clean) * present) / s

    def _transform(self, seen: Tensor, t: Tensor, conditioning: Conditioning) -> Float[Tensor, "batch frames numbers"]:
        """What the transformer adds, in time."""
        has = conditioning.has_text[:, None]
        text = conditioning.text * self.shape.text**0.5 * has
        start, style = start_features(conditioning.start, conditioning.mass), style_features(conditioning.style)
        c = self.level(noise_level_features(t, LEVEL_NUMBERS)) + self.start(start) + self.style(style)
        c = functional.silu(c + self.text(text) * has + self.no_text * (1 - has))
        clock = self.clock(clock_features(conditioning.style, FRAMES).unflatten(1, (self.tokens, -1)).flatten(2))
        x = self.token(seen.unflatten(1, (self.tokens, -1)).flatten(2))
        x = x + self.clock_out(clock * (1.0 + self.clock_gate(c))[:, None])
        others = (self.start_token(start), self.text_token(text), self.style_token(style))
        x = torch.cat([x, torch.stack(others, 1)], 1) + self.place
        for block in self.blocks:
            x = block(x, c)
        F = self.out(normalise(x[:, : self.tokens]))
        return F.unflatten(2, (self.shape.patch, -1)).flatten(1, 2)


def _mlp(numbers: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(numbers, width), nn.SiLU(), nn.Linear(width, width))
