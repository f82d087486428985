"""How many frames of a video are rendered at once within a memory budget, estimated before rendering starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gambol.errors import ConfigError

BYTE_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
"""Bytes of each unit prefix."""
DEFAULT_MEMORY_BYTES = 2 * 10**9
"""Default memory budget, bytes."""
BYTES_PER_PIXEL = 80
"""Working memory per pixel of a frame (68 bytes measured): splats, ground and the finished picture."""
BYTES_PER_SPLAT = 60
"""Working memory per splat of a frame (at most 50 bytes measured): projection and its entries in the tiles."""
BYTES_PER_VIEW_DEPENDENT_SPLAT = 400
"""Further working memory per splat whose colour depends on the viewing direction."""


@dataclass(frozen=True)
class MemoryPlan:
    """How the frames of a video are split into chunks that are rendered one after the other."""

    frames: int
    """Frames of the whole video."""
    chunk: int
    """Frames rendered at once."""
    frame_bytes: int
    """Estimated working memory of one frame, bytes."""
    resident_bytes: int
    """Memory that stays in use throughout, bytes."""

    @property
    def peak_bytes(self) -> int:
        """Estimated peak memory, bytes."""
        return self.resident_bytes + self.chunk * self.frame_bytes

    def with_max_chunk(self, frames: int) -> MemoryPlan:
        """The plan with chunks of at most `frames` frames."""
        return replace(self, chunk=min(self.chunk, frames))

    def chunks(self) -> Iterator[slice]:
        """The frames of each chunk, in order."""
        for start in range(0, self.frames, self.chunk):
            yield slice(start, min(start + self.chunk, self.frames))


def plan_frames(
    frames: int, width: int, height: int, splats: int, budget: int, *, degree: int = 0, resident: int = 0
) -> MemoryPlan:
    """Choose the largest chunks that fit into `budget` bytes beside `resident` bytes that stay in use throughout.

    `degree` is the degree of the splats' harmonics.
    """
    splat_bytes = BYTES_PER_SPLAT + (BYTES_PER_VIEW_DEPENDENT_SPLAT if degree > 0 else 0)
    frame = width * height * BYTES_PER_PIXEL + splats * splat_bytes
    if resident + frame > budget:
        raise ConfigError(
            f"One frame of {width} x {height} pixels with {splats} splats needs about {show_bytes(resident + frame)}, "
            f"and the memory budget is {show_bytes(budget)}. Give more (--memory), or make the picture smaller."
        )
    return MemoryPlan(frames, max(1, min(frames, (budget - resident) // frame)), frame, resident)


def parse_bytes(text: str) -> int:
    """Number of bytes in a text such as 2GB, 500 MB or 1.5G; units are powers of 1000."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*", text.upper())
    if found is None or not float(found[1]) > 0:
        raise ConfigError(f"'{text}' is not an amount of memory; write it as 2GB or 500MB.")
    return int(float(found[1]) * BYTE_UNITS[found[2]])


def show_bytes(count: int) -> str:
    """Format a number of bytes for people, as 1.5 GB."""
    for unit in ("GB", "MB"):
        size = BYTE_UNITS[unit[0]]
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count / BYTE_UNITS['K']:.3g} KB"
