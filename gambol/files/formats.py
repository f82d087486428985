"""Which files Gambol reads and writes, by suffix: checks that need no heavy library, so that mistakes show at once."""

from __future__ import annotations

from pathlib import Path

from gambol.errors import AssetError, ConfigError

GLTF_SUFFIXES = (".glb", ".gltf", ".vrm")
"""Suffixes of glTF files."""
MESH_SUFFIXES = (".obj", ".ply", ".stl", ".off")
"""Suffixes of files that hold a bare mesh."""
BLENDER_SUFFIXES = (".fbx", ".blend")
"""Suffixes of files that are read through Blender; .fbx is written without it."""
USD_SUFFIXES = (".usda", ".usdc", ".usdz")
"""Suffixes of USD files, which are written and not read."""
READABLE = (*GLTF_SUFFIXES, ".bvh", *MESH_SUFFIXES, *BLENDER_SUFFIXES)
"""Suffixes of all character files that Gambol reads."""
WRITABLE = (*GLTF_SUFFIXES, ".bvh", *BLENDER_SUFFIXES, *USD_SUFFIXES)
"""Suffixes of all character files that Gambol writes."""
MAX_CLIP_SECONDS = 1e6
"""Longest clip and latest key that are read, seconds; more is taken for a broken file."""
FILM_SUFFIXES = (".mp4", ".gif", ".webp")
"""Suffixes of films, the preferred one first."""


def require_path(given: object) -> Path:
    """Return a path that was given as text or Path; raise for anything else."""
    if not isinstance(given, str | Path):
        raise ConfigError(f"{str(given)[:60]!r} ({type(given).__name__}) is no path; give one, such as 'fox.glb'.")
    return Path(given)


def check_source(path: str | Path) -> Path:
    """Return the path of a character file after checking that it exists and has a suffix that Gambol reads."""
    path = require_path(path)
    try:
        found = path.exists()
    except OSError as error:
        raise AssetError(f"{str(path)[:200]} is no name of a file: {error.strerror}.") from error
    if not found:
        raise AssetError(f"There is no file {path}.")
    suffix = path.suffix.lower()
    if suffix not in READABLE:
        raise AssetError(f"{path.name} has the suffix {suffix or '(none)'!r}; Gambol reads {', '.join(READABLE)}.")
    return path


def refuse_input(target: Path, *read: Path | None) -> Path:
    """Return the target, unless it is one of the files that were read: those are never changed in place."""
    for path in read:
        if path is not None and target.exists() and path.exists() and target.samefile(path):
            raise AssetError(
                f"{target} is the file that was read, which is never changed in place. Give another output file."
            )
    return target


def check_target(target: str | Path) -> Path:
    """Return the path of a file to write after checking that Gambol writes its suffix."""
    target = require_path(target)
    if target.suffix.lower() not in WRITABLE:
        raise AssetError(
            f"{target.name} has the suffix {target.suffix or '(none)'!r}; Gambol writes {', '.join(WRITABLE)}."
        )
    return target
