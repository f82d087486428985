"""Draw docs/images/gallery.webp: six characters, each with a sentence, as `gambol animate` moves them (seed 0).

Run: python docs/draw_gallery.py [FOLDER_OF_RUNS]

A run that is there already is drawn as it is. About two minutes of CPU time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.render import render_file
from gambol.files.asset import load
from gambol.render.contact_sheet import contact_sheet
from gambol.render.video_file import read_film, write_film

TARGET = Path(__file__).parent / "images" / "gallery.webp"
SHOTS = (
    ("a fox is running", True),
    ("a woman does a cartwheel", False),
    ("a dragon is flying", True),
    ("a spider is walking", True),
    ("a shark is swimming", True),
    ("a dog sits down", False),
)
"""Sentences, and whether the clip is a loop."""
WIDTH, HEIGHT, FPS, SECONDS = 320, 240, 20.0, 3.0


def film_of(sentence: str, loop: bool, runs: Path) -> np.ndarray:
    """Frames of one character, as long as the whole picture."""
    run = runs / sentence.replace(" ", "-")
    asked = AnimateRequest(sentence, loop=loop)
    if not (run / "metrics.json").is_file():
        animate_file(AnimateFileRequest(asked, outputs=AnimateOutputs(film=False)), run)
    (model,) = run.glob("*.glb")
    asset = load(model)
    film = runs / f"{run.name}.mp4"
    clip = asset.clips[-1].name
    render_file(asset, film, clips=clip, views="three-quarter", width=WIDTH, height=HEIGHT, fps=FPS)
    frames, _ = read_film(film)
    frames = frames[:-1] if loop else frames
    wanted = np.arange(round(SECONDS * FPS))
    return frames[wanted % len(frames) if loop else np.minimum(wanted, len(frames) - 1)]


def main(runs: Path) -> None:
    """Make what is missing and write the picture."""
    runs.mkdir(parents=True, exist_ok=True)
    films = [film_of(sentence, loop, runs) for sentence, loop in SHOTS]
    captions = [f"“{sentence}”" for sentence, _ in SHOTS]
    sheets = [contact_sheet(list(pictures), 3, captions) for pictures in zip(*films, strict=True)]
    write_film(TARGET, np.stack(sheets), FPS)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/gallery"))
