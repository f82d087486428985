"""The verb `inspect`: what a character file holds."""

from __future__ import annotations

from pathlib import Path

from gambol.files.asset import load
from gambol.files.describe_file import Description, describe


def inspect_file(
    file: str | Path, *, scale: float | None = None, facing: str | None = None, character: str | None = None
) -> Description:
    """Describe a character file: bones, weights, units, clips, problems.

    Args:
        file: A file of any kind that Gambol reads.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which of several characters in the file; the largest where not given.
    """
    return describe(load(file, scale=scale, facing=facing, character=character))
