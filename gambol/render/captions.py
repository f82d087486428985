"""Text on pictures, in the font that comes with Pillow (Aileron)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


@lru_cache
def caption_font(size: int) -> FreeTypeFont:
    """The font that comes with Pillow at a size in pixels."""
    from PIL import ImageFont

    return ImageFont.load_default(size)  # type: ignore[return-value]


def without_accents(text: str) -> str:
    """The text with plain letters in place of accented ones, which the font lacks; it shows a box for other scripts."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def shortened(text: str, font: FreeTypeFont, width: float) -> str:
    """The text, cut and ended by an ellipsis where it is wider than `width` pixels."""
    if font.getlength(text) <= width:
        return text
    fitting = [end for end in range(len(text)) if font.getlength(f"{text[:end]}…") <= width]
    return f"{text[: fitting[-1]]}…" if fitting else ""


@lru_cache(maxsize=256)
def text_coverage(text: str, size: int, width: int) -> Float[ndarray, "height width"]:
    """How much of each pixel a line of text covers, 0 to 1: as wide as the text, at most `width` pixels."""
    from PIL import Image, ImageDraw

    font = caption_font(size)
    line = shortened(without_accents(text), font, width)
    image = Image.new("L", (max(int(np.ceil(font.getlength(line))), 1), sum(font.getmetrics())), 0)
    ImageDraw.Draw(image).text((0, 0), line, fill=255, font=font)
    coverage = np.asarray(image, np.float32) / np.float32(255.0)
    coverage.flags.writeable = False
    return coverage


def draw_text(
    picture: UInt8[ndarray, "... height width 3"],
    text: str,
    *,
    left: int,
    top: int,
    size: int,
    colour: tuple[int, int, int],
    width: int,
    right: bool = False,
) -> None:
    """Draw a line of text into pictures, in place; `right` sets it against the end of its `width` pixels."""
    coverage = text_coverage(text, size, width)
    left += width - coverage.shape[1] if right else 0
    high = min(coverage.shape[0], picture.shape[-3] - top)
    wide = min(coverage.shape[1], picture.shape[-2] - left)
    part = picture[..., top : top + high, left : left + wide, :]
    alpha = coverage[:high, :wide, None]
    part[:] = np.round(part * (1.0 - alpha) + np.array(colour, np.float32) * alpha)
