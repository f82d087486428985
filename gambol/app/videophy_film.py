"""Films for VideoPhy: a run filmed without a ground, as AKD did, and scored."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gambol.app.find_runs import find_run
from gambol.app.run_films import draw_run
from gambol.evaluate.videophy import VideoPhy, VideoPhyScores, score_film
from gambol.render.video_file import read_film
from gambol.view.pictures import PictureSettings

NO_GROUND = PictureSettings(views=("three-quarter",), width=448, height=448, ground=False)
"""AKD 6.1.1: the ground is left out, since it biases the score of physics."""


def score_run(
    path: str | Path, videophy: VideoPhy, *, prompt: str | None = None, clip: str | None = None
) -> VideoPhyScores:
    """Film the clip of a run or file (the last where none is named) and score it; a bare film is scored as it is."""
    run = find_run(path)
    asked = run.settings.prompt if prompt is None else prompt
    if run.model is None and run.film is not None:
        return score_film(videophy, read_film(run.film)[0], asked)
    with tempfile.TemporaryDirectory(prefix="gambol-videophy-") as folder:
        film = Path(folder) / "film.mp4"
        draw_run(run, film, NO_GROUND, clip=clip)
        return score_film(videophy, read_film(film)[0], asked)
