"""The verb `convert`: a character file in another format, or with a clip of its own written once more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.files.asset import export_asset, export_clip, load
from gambol.motion.node_clip_conversion import clip_from_nodes

if TYPE_CHECKING:
    from gambol.app.convert_travel import ClipTravel


@dataclass(frozen=True)
class ConvertReport:
    """What was written."""

    path: Path
    """The file that was written."""
    warnings: tuple[str, ...]
    """What was noticed while the source was read."""
    moved: tuple[ClipTravel, ...] = ()
    """Clips that were added with their root motion restored or removed."""
    rotation_error: float | None = None
    """Largest joint displacement of a clip that was written as pure joint rotations, as a share of the size."""


def convert_file(
    file: str | Path,
    output: str | Path,
    *,
    clip: str | None = None,
    restore_travel: bool = False,
    in_place: bool = False,
    fps: float = 30.0,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
) -> ConvertReport:
    """Write a character file in the format of `output`'s suffix.

    Args:
        file: A character file.
        output: File to write.
        clip: For .bvh: which clip. For the others: append this clip of the file again, as pure joint rotations.
        restore_travel: Append in-place gaits once more, as NAME_travel: with root travel and locked feet. All of them,
            or the one that is named.
        in_place: Append the clips that travel once more, as NAME_in_place. All of them, or the one that is named.
        fps: Frames per second of a clip that is written.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which of several characters in the file; the largest where not given.
    """
    asset, output = load(file, scale=scale, facing=facing, character=character), Path(output)
    if restore_travel or in_place:
        from gambol.app.convert_travel import change_travel

        moved = change_travel(asset, output, restore_travel=restore_travel, in_place=in_place, clip=clip, fps=fps)
        return ConvertReport(output, asset.warnings, moved)
    if clip is None:
        return ConvertReport(export_asset(asset, output), asset.warnings)
    motion, error = clip_from_nodes(asset.character, asset.clip(clip), fps=fps)
    export_clip(asset, motion, output)
    return ConvertReport(output, asset.warnings, rotation_error=error / asset.character.size)
