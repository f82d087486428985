"""The colours of a rendered video: the character's own, or the control render with one colour per body part."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.colour import Colour, srgb_to_linear
from gambol.character.skeleton import Skeleton
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.part_palette import bone_colours
from gambol.splats.skinned_splats import SkinnedSplats

CONTROL_CELL = 0.25
"""Side of a checkerboard square in the control render, in character sizes."""
CONTROL_GROUND = ((0.50, 0.53, 0.50), (0.30, 0.33, 0.31))
"""sRGB colours of the control render's light and dark squares, darker than any body part."""
CONTROL_SKY = (0.66, 0.78, 0.90)
"""sRGB colour of the control render's sky."""


@dataclass(frozen=True)
class Look:
    """Colours of a rendered video: ground and sky, splats, background."""

    ground: Checkerboard | None = field(default_factory=Checkerboard)
    """Checkerboard, shadow and sky; None renders the plain background instead."""
    colours: Float[Tensor, "splats 3"] | None = None
    """One sRGB colour per splat, the same from every direction; None uses the splats' own harmonics."""
    background: Colour = (1.0, 1.0, 1.0)
    """sRGB colour behind the splats where there is no ground."""


def control_look(splats: SkinnedSplats, skeleton: Skeleton, anatomy: Anatomy, size: float) -> Look:
    """The control render: one fixed colour per body part, side and pair, mixed by the splats' skin weights.

    c_i = sum_b w_ib C(tag of b). The ground has fixed squares, no haze and no shadow. All characters of one build look
    alike, so a prior need not know their appearance.
    """
    palette = torch.as_tensor(bone_colours(anatomy, skeleton)).to(splats.weights)
    colours = (splats.weights.unsqueeze(-1) * palette[splats.bones]).sum(1)
    return Look(control_ground(size), colours)


def control_ground(size: float) -> Checkerboard:
    """Checkerboard and sky of the control render for a character of this size, metres."""
    light, dark, sky = (_linear(colour) for colour in (*CONTROL_GROUND, CONTROL_SKY))
    return Checkerboard(CONTROL_CELL * size, light, dark, sky, sky, haze=0.0, shadow_strength=0.0)


def _linear(srgb: Colour) -> Colour:
    r, g, b = srgb_to_linear(np.array(srgb))
    return float(r), float(g), float(b)
