"""Characters that are posed many times, from a file; and poses written as files that pose keys name."""

from __future__ import annotations

from pathlib import Path

from gambol.app.pose import Poser, make_poser
from gambol.errors import ConfigError
from gambol.files.asset import export_clip, load
from gambol.motion.clip import Clip


def open_poser(
    file: Path, *, scale: float | None = None, facing: str | None = None, character: str | None = None
) -> Poser:
    """A character file with its pose space."""
    return make_poser(load(file, scale=scale, facing=facing, character=character))


def write_pose_file(poser: Poser, clip: Clip, target: Path) -> Path:
    """Write the pose as a .glb that `PoseKey(time, "TARGET.glb")` reads."""
    if poser.asset is None:
        raise ConfigError("The character is from no file, so its poses cannot be written.")
    return export_clip(poser.asset, clip, target)
