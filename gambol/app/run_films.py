"""Films of runs as data addresses, for pages that hold everything themselves."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from gambol.app.evaluate import last_clip
from gambol.app.find_runs import Run
from gambol.errors import AssetError
from gambol.files.asset import load
from gambol.progress import Progress
from gambol.view.pictures import PictureSettings, render_asset

FILM = PictureSettings(views=("three-quarter",), width=384, height=288)
"""How runs are filmed that bring no film of their own."""
MIME = {".mp4": "video/mp4", ".gif": "image/gif"}


def film_address(run: Run, *, clip: str | None = None, progress: Progress | None = None) -> str:
    """A run's film as a data: address; drawn from its clip (the last one where none is named) if it has none."""
    if run.film is not None and clip is None:
        try:
            data = run.film.read_bytes()
        except OSError as error:
            raise AssetError(f"{run.film} cannot be read: {error.strerror or error}.") from error
        return _address(data, run.film.suffix.lower())
    with tempfile.TemporaryDirectory(prefix="gambol-film-") as folder:
        target = Path(folder) / "film.mp4"
        draw_run(run, target, FILM, clip=clip, progress=progress)
        return _address(target.read_bytes(), ".mp4")


def draw_run(
    run: Run, target: Path, settings: PictureSettings, *, clip: str | None = None, progress: Progress | None = None
) -> None:
    """Draw a film of a run's clip: the one of that name, else the file's last."""
    if run.model is None:
        raise AssetError(f"{run.name} has a film but no character file to draw again.")
    asset = load(run.model)
    render_asset(asset, [last_clip(asset, clip).name], target, settings, progress=progress)


def _address(data: bytes, suffix: str) -> str:
    return f"data:{MIME[suffix]};base64,{base64.b64encode(data).decode('ascii')}"
