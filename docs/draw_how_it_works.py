"""Draw docs/images/how-it-works.png: a fox, its parts, what the prior proposes, and the clip fitted to it.

Run: python docs/draw_how_it_works.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import gambol
from gambol.app.new import write_creature
from gambol.app.render import render_file
from gambol.app.sample_prior import write_prior_sample
from gambol.render.captions import caption_font, text_coverage
from gambol.render.video_file import read_film, write_png

TARGET = Path(__file__).parent / "images" / "how-it-works.png"
SENTENCE = "a fox is running"
COLUMNS, WIDTH, HEIGHT, GAP = 5, 224, 168, 6
BIG = 18


def row(film: Path, last: int) -> list[np.ndarray]:
    """Evenly spaced frames of a film, up to frame `last`, cut and enlarged to one size."""
    from PIL import Image

    frames, _ = read_film(film)
    chosen = np.linspace(0, min(last, len(frames) - 1), COLUMNS).round().astype(int)
    return [np.asarray(Image.fromarray(frames[i]).resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)) for i in chosen]


def main() -> None:
    """Draw the rows and put them below each other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asset = gambol.load(write_creature("fox", folder / "fox.glb"))
        clip = gambol.animate(asset, SENTENCE)
        film = folder / "film.mp4"
        small = {"views": "side", "width": WIDTH, "height": HEIGHT, "fps": 16.0}
        rows = []
        for style in ("skeleton", "control"):
            render_file(asset, film, clips=clip, style=style, **small)
            rows.append(row(film, 9))
        write_prior_sample(SENTENCE, folder / "sample.mp4", character=folder / "fox.glb")
        rows.insert(1, row(folder / "sample.mp4", 20))
        render_file(asset, film, clips=clip, **small)
        rows.append(row(film, 9))
    titles = (
        "the motion skeleton, found in the file",
        f"what the prior imagines for “{SENTENCE}”: every part a blob",
        "the fit: the character's own parts follow the blobs",
        "the clip, in the character's own file",
    )
    line = sum(caption_font(BIG).getmetrics()) + 2 * GAP
    picture = np.full((len(rows) * (HEIGHT + line), COLUMNS * (WIDTH + GAP) - GAP, 3), 255, np.uint8)
    for i, (pictures, title) in enumerate(zip(rows, titles, strict=True)):
        top = i * (HEIGHT + line)
        text = text_coverage(f"{i + 1}. {title}", BIG, picture.shape[1])
        shade = (255 - 215 * text).round().astype(np.uint8)[..., None]
        picture[top + GAP : top + GAP + len(text), : text.shape[1]] = shade
        for j, one in enumerate(pictures):
            picture[top + line : top + line + HEIGHT, j * (WIDTH + GAP) : j * (WIDTH + GAP) + WIDTH] = one
    write_png(TARGET, picture)


if __name__ == "__main__":
    main()
