"""`gambol evaluate --videophy`: draw a run without a ground, as AKD did, and score it with VideoPhy."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gambol.app.find_runs import find_run
from gambol.app.redraw_run import draw_run
from gambol.evaluate.videophy import VideoPhy, VideoPhyScores, load_videophy, score_film
from gambol.render.video_file import read_film
from gambol.view.picture_settings import PictureSettings

VIDEOPHY_FILM = PictureSettings(views=("three-quarter",), width=448, height=448, ground=False)
"""How runs are drawn for VideoPhy: without a ground, which biases the score of physics (AKD 6.1.1)."""


def score_run(
    path: str | Path, videophy: VideoPhy | str | Path, *, prompt: str | None = None, clip: str | None = None
) -> VideoPhyScores:
    """Draw the clip of a run or character file and score it; a film is scored as it is.

    Args:
        path: A run folder, a character file or a film.
        videophy: The model, or the folder to load it from.
        prompt: The text that the film should show; None: the run's own.
        clip: Name or number of the clip; None: the last one.
    """
    model = videophy if isinstance(videophy, VideoPhy) else load_videophy(videophy)
    run = find_run(path)
    prompt = run.settings.prompt if prompt is None else prompt
    if run.model is None and run.film is not None:
        return score_film(model, read_film(run.film)[0], prompt)
    with tempfile.TemporaryDirectory(prefix="gambol-videophy-") as folder:
        film = Path(folder) / "film.mp4"
        draw_run(run, film, VIDEOPHY_FILM, clip=clip)
        return score_film(model, read_film(film)[0], prompt)
