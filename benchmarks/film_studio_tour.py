"""Film a tour of the studio: open, write, watch it being made, pose, path, variants, export.

Run: python benchmarks/film_studio_tour.py FILE -o studio-tour.mp4 [--pictures docs/images]

The page is driven by a script. While something is shown the time of the clip is set picture by picture, so the film
plays evenly on a machine of any speed; while a motion is made the pictures are taken as they come.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy import ndarray
from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from studio_page import StudioPage, studio_page  # noqa: E402

from gambol.client import Client  # noqa: E402
from gambol.files.images import decode_picture  # noqa: E402
from gambol.render.video_file import write_film  # noqa: E402

SIZE = (1280, 720)
"""Width and height of the window, pixels."""
STILLS = ("welcome", "making", "make", "pose", "path", "variants", "export", "character", "light")
"""Names of the pictures that `--pictures` keeps."""


class Camera:
    """Takes pictures of the page, for the film and for the documentation."""

    def __init__(self, page: StudioPage, fps: float, pictures: Path | None):
        self.page, self.fps, self.pictures = page, fps, pictures
        self.frames: list[ndarray] = []

    def shoot(self) -> None:
        """One picture."""
        self.page.wait("!gambol.studio.viewport.dirty && !gambol.studio.stale")
        self.frames.append(decode_picture(self.page.page.screenshot(), "screenshot")[..., :3])

    def hold(self, seconds: float) -> None:
        """The same picture for a while."""
        self.shoot()
        self.frames += [self.frames[-1]] * round(seconds * self.fps - 1)

    def play(self, seconds: float) -> None:
        """The clip from the playhead on, picture by picture."""
        self.page.pause()
        start = self.page.get("gambol.state.time")
        for k in range(round(seconds * self.fps)):
            length = self.page.get("gambol.state.duration") or 1.0
            self.page.get(f"gambol.studio.playhead.seek({(start + k / self.fps) % length}), null")
            self.shoot()

    def watch(self, until: str, seconds: float) -> None:
        """Pictures as they come, until an expression is true, at most for a while."""
        end = time.monotonic() + 300
        while not self.page.get(until) and time.monotonic() < end:
            if len(self.frames) < 10_000:
                self.shoot()
        self.hold(min(seconds, 1.0))

    def keep(self, name: str) -> None:
        """A picture for the documentation."""
        if self.pictures is not None:
            self.shoot()
            Image.fromarray(self.frames[-1]).save(self.pictures / f"studio-{name}.webp", quality=82, method=6)


def write_slowly(camera: Camera, text: str) -> None:
    """A sentence, letter by letter."""
    for k in range(0, len(text) + 1, 2):
        camera.page.page.fill("#prompt", text[: k + 2])
        camera.shoot()
    camera.page.wait("document.querySelector('#understood .chip.motion')")
    camera.hold(0.8)


def drag(camera: Camera, begin: tuple[float, float], way: Callable[[float], tuple[float, float]], steps: int) -> None:
    """The pointer along a way, with the button held."""
    mouse = camera.page.page.mouse
    mouse.move(*begin)
    mouse.down()
    for k in range(1, steps + 1):
        dx, dy = way(k / steps)
        mouse.move(begin[0] + dx, begin[1] + dy)
        time.sleep(0.15)
        camera.shoot()
    mouse.up()


def tour(page: StudioPage, camera: Camera, file: Path) -> None:
    """The tour."""
    camera.keep("welcome")
    camera.hold(1.0)
    page.page.set_input_files("#file", file)
    page.wait("gambol.state.loaded")
    page.click("#rail-character")
    page.get("gambol.studio.viewport.show('parts', true), gambol.studio.changed(), null")
    camera.keep("character")
    camera.hold(1.2)
    page.get("gambol.studio.viewport.show('parts', false), gambol.studio.changed(), null")

    page.click("#rail-make")
    write_slowly(camera, "walks slowly")
    page.click("#generate")
    page.wait("gambol.studio.jobs.live.get(gambol.studio.take?.id)?.previews > 1")
    camera.keep("making")
    camera.watch("gambol.studio.take.state === 'done'", 0.5)
    page.take()
    page.get("gambol.studio.playhead.seek(0), null")
    camera.play(3.0)
    camera.keep("make")

    page.get("gambol.studio.playhead.seek(1), null")
    page.click("#rail-pose")
    page.wait("gambol.studio.posing.ready && gambol.state.cells[0] === 'pose'")
    limbs = page.get("gambol.studio.character.anatomy.limbs")
    joint = next(limb for part in ("arm", "leg") for limb in limbs if limb["part"] == part)["bones"][-2]
    drag(camera, page.place(joint), lambda s: (70 * s, -60 * math.sin(1.4 * s)), 12)
    page.wait("gambol.studio.scene.pose && gambol.studio.posing.waiting === null")
    page.get("gambol.studio.pinJoint(), null")
    camera.keep("pose")
    camera.hold(1.0)

    page.click("#rail-path")
    picture = "document.getElementById('picture').getBoundingClientRect()"
    left, top, width, height = page.get(f"(({{ x, y, width, height }}) => [x, y, width, height])({picture})")
    begin = (left + 0.5 * width, top + 0.78 * height)
    drag(camera, begin, lambda s: (0.3 * width * s, 0.12 * height * math.sin(5 * s)), 12)
    page.wait("gambol.studio.scene.constraints.some(({ kind }) => kind === 'path')")
    time.sleep(1.5)
    camera.keep("path")
    camera.hold(1.2)
    page.get("gambol.studio.undo(), null")

    page.click("#rail-make")
    page.get("gambol.studio.edit('Variants', (scene) => { scene.variants = 4; }), null")
    page.click("#generate")
    group = "gambol.studio.jobs.group(gambol.studio.view.group)"
    page.wait(f"gambol.studio.view.group && {group}.every(({{ state }}) => state === 'done')")
    page.wait(f"{group}.every(({{ id }}) => gambol.studio.jobs.motions.has(id))")
    page.get("gambol.studio.playhead.seek(0), null")
    camera.play(2.0)
    camera.keep("variants")
    page.click(".cell.variant")
    page.click("#rail-export")
    page.wait("document.querySelector('#export')")
    camera.hold(1.0)
    camera.keep("export")
    page.get("document.getElementById('theme').click()")
    page.click("#rail-make")
    camera.play(1.5)
    camera.keep("light")


def main() -> None:
    """Start a server, drive the page, write the film."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, help="a rigged character")
    parser.add_argument("-o", "--output", type=Path, default=Path("studio-tour.mp4"))
    parser.add_argument("--pictures", type=Path, help="folder for single pictures")
    parser.add_argument("--fps", type=float, default=12.0)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Client.start(Path(folder) / "studio-tour") as client,
        studio_page(client, size=SIZE, options="&quality=full") as page,
    ):
        page.page.emulate_media(color_scheme="dark")
        camera = Camera(page, options.fps, options.pictures)
        tour(page, camera, options.file)
    write_film(options.output, np.stack(camera.frames), options.fps)
    print(f"{options.output}: {len(camera.frames) / options.fps:.1f} s")


if __name__ == "__main__":
    main()
