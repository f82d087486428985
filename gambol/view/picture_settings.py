"""Settings of sheets and films of a character. Imports no heavy library, so that mistakes are reported at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from gambol.errors import ConfigError
from gambol.render.memory_budget import DEFAULT_MEMORY_BYTES

PictureStyle = Literal["mesh", "splats", "control", "skeleton"]
"""What is drawn: the shaded surface, splats in their own colours, splats in one colour per body part, or bones."""
ViewName = Literal["front", "side", "three-quarter", "top"]
"""Names of the views in `render.follow_camera.VIEWS`."""


FILM_SIZE = (1280, 720)
"""Width and height of a film, pixels."""
CHAT_FILM_SIZE = (640, 360)
"""Width and height of an animated .gif or .webp, pixels: these are sent in chats, and are large for what they show."""
SMALLEST_FILM, LARGEST_FILM = (160, 90), (3840, 2160)
"""Sizes between which a film can be asked for."""


def parse_film_size(text: str) -> tuple[int, int]:
    """Width and height of a film from a text such as 1280x720."""
    found = re.fullmatch(r"\s*(\d{1,5})\s*[xX]\s*(\d{1,5})\s*", text)
    if found is None:
        raise ConfigError(f"The size of the film is {text!r}; it takes width x height in pixels, as 1280x720.")
    return check_film_size((int(found[1]), int(found[2])))


def check_film_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a film after checking that such a film can be made."""
    (width, height), (low, high) = size, (SMALLEST_FILM, LARGEST_FILM)
    if not (low[0] <= width <= high[0] and low[1] <= height <= high[1]):
        raise ConfigError(
            f"A film of {width} x {height} pixels cannot be made; allowed is {low[0]}x{low[1]} to {high[0]}x{high[1]}."
        )
    return size


@dataclass(frozen=True)
class PictureSettings:
    """How the pictures of a sheet or film are drawn."""

    views: tuple[ViewName, ...] = ("three-quarter", "side", "front", "top")
    """Views: one row of a sheet, one pane of a film for each."""
    width: int = 480
    """Width of one picture in pixels."""
    height: int = 360
    """Height of one picture in pixels."""
    film_size: tuple[int, int] | None = None
    """Width and height of a whole film, in which the pictures are laid out; None takes pictures of `width` x `height`
    side by side."""
    fps: float = 30.0
    """Frames per second of a film."""
    columns: int = 8
    """Number of moments of a clip on a sheet."""
    ground: bool = True
    """Whether the checkerboard is drawn."""
    skeleton: bool = False
    """Whether the motion skeleton is drawn over the surface (style mesh)."""
    style: PictureStyle = "mesh"
    """How the character is drawn."""
    splats: int = 20_000
    """Number of splats of the styles splats and control."""
    restore_travel: bool = False
    """Whether clips that walk in place get their travel over the ground back, with standing feet locked to it."""
    memory: int = DEFAULT_MEMORY_BYTES
    """Working memory that drawing may use, in bytes."""

    def __post_init__(self) -> None:
        known = get_args(ViewName)
        if not self.views or any(name not in known for name in self.views):
            raise ConfigError(f"The views are {', '.join(self.views) or 'none'}; allowed are {', '.join(known)}.")
        if self.style not in get_args(PictureStyle):
            raise ConfigError(f"The style is {self.style}; allowed are {', '.join(get_args(PictureStyle))}.")
        if not (16 <= self.width <= 4096 and 16 <= self.height <= 4096):
            raise ConfigError(
                f"A picture of {self.width} x {self.height} pixels cannot be drawn; allowed is 16 to 4096."
            )
        if self.film_size is not None:
            check_film_size(self.film_size)
        if not 0 < self.fps <= 240:
            raise ConfigError(f"A film of {self.fps} frames per second cannot be made; allowed is up to 240.")
        if not 1 <= self.columns <= 64:
            raise ConfigError(f"A sheet cannot have {self.columns} columns; allowed is 1 to 64.")


DEFAULT_PICTURES = PictureSettings()
"""The default settings."""
