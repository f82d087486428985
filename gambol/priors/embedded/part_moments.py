"""Part moments: where each coloured part of the body is in the pictures, how large it looks and which way it lies.

Principal components see patterns of light; a leg that moves by its own width is a new pattern to them. Its place is one
number. For each part colour C_k and each of the two pictures, with s = softmax(-|c - C|^2 / (2 width^2)) over parts,
sky and ground, and w_k = s_k less what sky and ground in the pixel look like of it, so that those count nothing:

    area A = sum w,   mean m = sum w p / (A + e),   spread S = sum w p p^T / (A + e) - m m^T

in pixels from the picture's middle. e lets a part that is hardly seen rest in the middle instead of anywhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gambol.character.colour import linear_to_srgb, srgb_to_linear
from gambol.priors.embedded.stage import SIDE
from gambol.render.looks import CONTROL_GROUND, CONTROL_SKY
from gambol.render.part_palette import LIMB_COLOURS, TRUNK_COLOURS

PARTS = (*TRUNK_COLOURS.values(), *(c for pairs in LIMB_COLOURS.values() for pair in pairs for c in pair))
"""Part colours that are measured."""
MOMENTS_PER_PART = 6
"""Numbers of a part in a picture: area, mean x and y, spread xx, xy and yy."""
MOMENT_NUMBERS = 2 * len(PARTS) * MOMENTS_PER_PART
"""Moments of a frame, which is two pictures side by side."""
COLOUR_WIDTH = 0.1
"""Width of the colour likeness, in sRGB units; narrower ones give rough gradients at the edges of limbs."""
MIN_PART_AREA = 40.0
"""The e of the formula, pixels. Where two parts meet, a few pixels look like a third part that the body may not even
have; their place means nothing, so a part counts by how much of it is seen."""
AREA_SCALE, PLACE_SCALE, SPREAD_SCALE = 0.4, 0.8, 0.1
"""Scales that give the moments as much energy in videos as the principal components have."""
BACKGROUND_DISTANCE = 0.03
"""Pixels nearer than this to sky or ground in all frames, in sRGB units, are left out."""


def part_moments(frames: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
    """(sqrt(A + e), m, S), scaled, for each part in both pictures; differentiable."""
    colours = _colours().to(frames)
    pixels = frames.flatten(2).transpose(1, 2)
    seen = _seen(pixels.detach(), colours[len(PARTS) :])
    alike = _likeness(pixels[:, seen], colours)
    weights = (alike[..., : len(PARTS)] - alike[..., len(PARTS) :] @ _mistaken(colours)).clamp_min(0.0)
    sums = weights.transpose(1, 2) @ _monomials().to(frames)[seen]
    area, *rest = sums.unflatten(2, (2, MOMENTS_PER_PART)).unbind(-1)
    x, y, xx, xy, yy = (value / (area + MIN_PART_AREA) for value in rest)
    spread = (xx - x * x, xy - x * y, yy - y * y)
    numbers = (
        AREA_SCALE * (area + MIN_PART_AREA).sqrt(),
        PLACE_SCALE * x,
        PLACE_SCALE * y,
        *(SPREAD_SCALE * value for value in spread),
    )
    return torch.stack(numbers, -1).flatten(1)


def _likeness(
    pixels: Float[Tensor, "*batch 3"], colours: Float[Tensor, "colours 3"]
) -> Float[Tensor, "*batch colours"]:
    """s = softmax(-|c - C|^2 / (2 width^2))."""
    return torch.softmax((pixels @ (2.0 * colours.T) - colours.square().sum(1)) / (2.0 * COLOUR_WIDTH**2), -1)


def _mistaken(colours: Float[Tensor, "colours 3"]) -> Float[Tensor, "backgrounds parts"]:
    """How much of each part is seen in sky and in ground, per likeness to that background."""
    alike = _likeness(colours[len(PARTS) :], colours)
    return torch.linalg.solve(alike[:, len(PARTS) :], alike[:, : len(PARTS)])


def _seen(pixels: Float[Tensor, "frames pixels 3"], background: Float[Tensor, "colours 3"]) -> Bool[Tensor, "pixels"]:
    distances = (pixels.unsqueeze(2) - background).square().sum(3)
    return (distances > BACKGROUND_DISTANCE**2).all(2).any(0)


@cache
def _colours() -> Float[Tensor, "colours 3"]:
    """The parts', then those of sky and ground."""
    ground = linear_to_srgb(srgb_to_linear(np.array(CONTROL_GROUND)).mean(0))
    return torch.as_tensor(np.array([*PARTS, CONTROL_SKY, ground]), dtype=torch.float32)


@cache
def _monomials() -> Float[Tensor, "pixels moments"]:
    """1, x, y, xx, xy, yy of every pixel from the middle of its own picture; 0 in the columns of the other picture."""
    steps = torch.arange(SIDE) + 0.5 - 0.5 * SIDE
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    own = torch.stack([torch.ones_like(x), x, y, x * x, x * y, y * y], -1)
    none = torch.zeros_like(own)
    left, right = torch.cat([own, none], 2), torch.cat([none, own], 2)
    return torch.cat([left, right], 1).flatten(0, 1)
