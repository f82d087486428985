"""Contact sheets: pictures of one size in rows and columns on white, each with a caption below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.errors import ConfigError
from gambol.render.captions import caption_font, shortened, without_accents

CAPTION_FONT_SIZES = (15, 13, 11)
"""Font sizes of captions, pixels: the largest in which all captions of a sheet fit; longer captions are shortened."""
CAPTION_PADDING = 3
"""White pixels above and below a caption."""
CAPTION_GREY = 40
"""Grey level of caption text, 0 (black) to 255 (white)."""


def contact_sheet(
    frames: UInt8[ndarray, "frames height width 3"] | Sequence[UInt8[ndarray, "height width 3"]],
    columns: int,
    captions: Sequence[str] | None = None,
    *,
    gap: int = 4,
) -> UInt8[ndarray, "sheet_height sheet_width 3"]:
    """Arrange pictures of one size in rows of `columns` on white, `gap` pixels apart, each with its caption below."""
    if not len(frames) or columns < 1:
        raise ConfigError(f"A contact sheet needs pictures and columns; given are {len(frames)} and {columns}.")
    if captions is not None and len(captions) != len(frames):
        raise ConfigError(
            f"A contact sheet has {len(frames)} pictures and {len(captions)} captions; give one for each."
        )
    height, width = frames[0].shape[:2]
    if any(frame.shape != frames[0].shape for frame in frames):
        raise ConfigError("The pictures of a contact sheet must have one size.")
    strips = None if captions is None else caption_strips(tuple(captions), width)
    cell = height + (0 if strips is None else len(strips[0])) + gap
    rows = math.ceil(len(frames) / columns)
    sheet = np.full((rows * cell + gap, columns * (width + gap) + gap, 3), 255, np.uint8)
    for i, frame in enumerate(frames):
        top, left = gap + i // columns * cell, gap + i % columns * (width + gap)
        sheet[top : top + height, left : left + width] = frame
        if strips is not None:
            sheet[top + height : top + cell - gap, left : left + width] = strips[i]
    return sheet


@lru_cache(maxsize=8)
def caption_strips(captions: tuple[str, ...], width: int) -> tuple[UInt8[ndarray, "height width 3"], ...]:
    """Draw each caption, centred, on a white strip of `width` pixels; all strips have one font size and height."""
    from PIL import Image, ImageDraw

    captions = tuple(map(without_accents, captions))
    fonts = [caption_font(size) for size in CAPTION_FONT_SIZES]
    font = next((f for f in fonts if all(f.getlength(text) <= width for text in captions)), fonts[-1])
    height = sum(font.getmetrics()) + 2 * CAPTION_PADDING
    strips = []
    for text in captions:
        image = Image.new("L", (width, height), 255)
        text = shortened(text, font, width)
        left = (width - font.getlength(text)) / 2
        ImageDraw.Draw(image).text((round(left), CAPTION_PADDING), text, fill=CAPTION_GREY, font=font)
        strip = np.repeat(np.asarray(image)[..., None], 3, axis=2)
        strip.flags.writeable = False
        strips.append(strip)
    return tuple(strips)
