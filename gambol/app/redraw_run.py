"""Draw films of runs, for pages that hold everything themselves and for VideoPhy."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gambol.app.evaluate import last_clip
from gambol.app.find_runs import Run
from gambol.errors import AssetError
from gambol.files.asset import load
from gambol.progress import Progress
from gambol.view.page_parts import data_url
from gambol.view.picture_settings import PictureSettings
from gambol.view.pictures import render_asset

PAGE_FILM = PictureSettings(views=("three-quarter",), width=384, height=288)
"""How runs are drawn that bring no film of their own."""


def run_film_url(run: Run, *, clip: str | None = None, progress: Progress | None = None) -> str:
    """The film of a run as a data URL; drawn from its clip (the last one where none is named) if it has none."""
    if run.film is not None and clip is None:
        try:
            return data_url(run.film.read_bytes(), run.film.suffix)
        except OSError as error:
            raise AssetError(f"{run.film} cannot be read: {error.strerror or error}.") from error
    with tempfile.TemporaryDirectory(prefix="gambol-film-") as folder:
        target = Path(folder) / "film.mp4"
        draw_run(run, target, PAGE_FILM, clip=clip, progress=progress)
        return data_url(target.read_bytes(), ".mp4")


def draw_run(
    run: Run, target: Path, settings: PictureSettings, *, clip: str | None = None, progress: Progress | None = None
) -> None:
    """Draw a film of a run's clip: the one of that name or number, else the file's last."""
    if run.model is None:
        raise AssetError(f"{run.name} has a film but no character file to draw again.")
    asset = load(run.model)
    render_asset(asset, [last_clip(asset, clip).name], target, settings, progress=progress)
