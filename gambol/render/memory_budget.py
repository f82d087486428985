"""How many frames of a film are made at once: a memory budget is an input, and the estimate comes before the start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gambol.errors import AssetError

BYTE_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
DEFAULT_MEMORY_BYTES = 2 * 10**9
"""Bytes, where nothing else is said."""
BYTES_PER_PIXEL = 80
"""Working memory per pixel of a frame (68 measured): splats, ground, what is behind, the finished picture."""
BYTES_PER_SPLAT = 60
"""Working memory per splat of a frame (at most 50 measured): projection and its entries in the tiles."""
BYTES_PER_VIEW_DEPENDENT_SPLAT = 400
"""More per splat whose colour depends on where it is seen from."""


@dataclass(frozen=True)
class MemoryPlan:
    """How a film is cut."""

    frames: int
    chunk: int
    """Frames made at once."""
    each: int
    """Estimate of the working memory of one frame, bytes."""
    kept: int
    """What stays all the time, bytes."""

    @property
    def needed(self) -> int:
        """Estimate of the memory in use at the worst moment, bytes."""
        return self.kept + self.chunk * self.each

    def at_most(self, chunk: int) -> MemoryPlan:
        """The same with no larger pieces than this."""
        return replace(self, chunk=min(self.chunk, chunk))

    def parts(self) -> Iterator[slice]:
        """The pieces, in order."""
        for start in range(0, self.frames, self.chunk):
            yield slice(start, min(start + self.chunk, self.frames))


def plan_frames(
    frames: int, width: int, height: int, splats: int, budget: int, *, degree: int = 0, kept: int = 0
) -> MemoryPlan:
    """The largest pieces that fit into the budget (bytes) beside the `kept` bytes that stay all the time.

    `degree` is that of the splats' harmonics.
    """
    each = width * height * BYTES_PER_PIXEL + splats * (
        BYTES_PER_SPLAT + (BYTES_PER_VIEW_DEPENDENT_SPLAT if degree > 0 else 0)
    )
    if kept + each > budget:
        raise AssetError(
            f"One frame of {width} x {height} pixels with {splats} splats needs about {show_bytes(kept + each)}, and "
            f"the memory budget is {show_bytes(budget)}. Give more (--memory), or make the picture smaller."
        )
    chunk = max(1, min(frames, (budget - kept) // each))
    return MemoryPlan(frames, chunk, each, kept)


def parse_bytes(text: str) -> int:
    """Bytes from a text such as 2GB, 500 MB or 1.5G; units count in thousands."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*", text.upper())
    if found is None or not float(found[1]) > 0:
        raise AssetError(f"'{text}' is no amount of memory; write it as 2GB or 500MB.")
    return int(float(found[1]) * BYTE_UNITS[found[2]])


def show_bytes(count: int) -> str:
    """A count of bytes for people."""
    for unit in ("GB", "MB"):
        size = BYTE_UNITS[unit[0]]
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count / BYTE_UNITS['K']:.3g} KB"
