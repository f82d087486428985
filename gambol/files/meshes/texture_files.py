"""Find and read the textures beside a mesh file; nothing outside its folder is opened."""

from __future__ import annotations

import urllib.parse
from pathlib import Path, PurePosixPath

from gambol.character.scene import Texture
from gambol.errors import AssetError
from gambol.files.gltf.container import read_bytes, resolve_uri
from gambol.files.images import decode_picture


def find_beside(name: str, path: Path, what: str) -> Path:
    """Find the file called `name` in the folder of `path`.

    Exporters write paths of their own machine, so of a path that leads out of the folder the last piece is tried.
    """
    name = name.replace("\\", "/")
    for candidate in (name, PurePosixPath(name).name):
        try:
            return resolve_uri(urllib.parse.quote(candidate), path.parent, what)
        except AssetError:
            continue
    raise AssetError(f"{what} {name[:80]!r} is not in the file's folder, and nothing outside it is read.")


def read_texture(name: str, path: Path, warnings: list[str]) -> Texture | None:
    """Read a picture beside `path`; one that is missing or broken gives None and a warning."""
    what = f"{path.name}: the texture"
    try:
        return Texture(decode_picture(read_bytes(find_beside(name, path, what)), f"{what} {name[:60]!r}"))
    except AssetError as error:
        warnings.append(f"{path.name}: a texture is left out: {error}")
        return None
