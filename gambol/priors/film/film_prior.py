"""A film of the character as a target: its observer renders what the film's camera would see, pixel for pixel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate

from gambol.diffusion.parametrisation import Signal, signal_cosine
from gambol.diffusion.video_prior import Reference, VideoFormat, VideoPrior
from gambol.errors import AssetError, ConfigError, PriorError
from gambol.priors.film.background import estimate_background, read_background
from gambol.priors.film.film_camera import SMALL_HEIGHT, FilmCamera, FirstFrame, find_camera, render_over
from gambol.render.actor import Actor, make_actor, outline_points
from gambol.render.camera_batch import PinholeCameras, pinhole_cameras
from gambol.render.follow_camera import View
from gambol.render.observer import DEFAULT_SPLATS, Observer, ObserverConfig, Poses, Subject, start_transforms
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.render.video_file import read_film

FILM_PIXELS = 20_000
"""Most pixels of a frame that is fitted to; larger films are made smaller."""
MOST_FILM_FRAMES = 300
"""Most frames of a film that is fitted to."""
FEWEST_FILM_FRAMES = 5
"""Least number of frames of a film that is fitted to."""
LEAST_BASIS, BASIS_SHARE = 12, 0.35
"""Basis functions in time of a fit: at least so many, and so many for each frame."""
LEVELS = (1, 2, 4, 8)
"""Sides of the squares of pixels that are averaged: blurred pictures draw limbs from farther away."""


@dataclass(frozen=True)
class GivenFilm:
    """A film as it is fitted to."""

    video: Float[Tensor, "frames 3 height width"]
    """Its pictures, small, sRGB in [0, 1]."""
    fps: float
    """Frames per second."""

    @property
    def format(self) -> VideoFormat:
        """Frames, size and rate."""
        frames, _, height, width = self.video.shape
        return VideoFormat(frames, height, width, self.fps)


def read_given_film(path: Path) -> GivenFilm:
    """Read a film and make it small enough to be fitted to; sides become multiples of the coarsest square."""
    frames, fps = read_film(path)
    if not FEWEST_FILM_FRAMES <= len(frames) <= MOST_FILM_FRAMES:
        raise AssetError(
            f"{path.name} has {len(frames)} frames; a film that is fitted to has {FEWEST_FILM_FRAMES} to"
            f" {MOST_FILM_FRAMES}. Cut it."
        )
    height, width = frames.shape[1:3]
    scale = min(1.0, np.sqrt(FILM_PIXELS / (height * width)))
    coarse = LEVELS[-1]
    size = tuple(max(round(side * scale / coarse), 2) * coarse for side in (height, width))
    pixels = torch.from_numpy(np.ascontiguousarray(frames)).permute(0, 3, 1, 2).float() / 255.0
    return GivenFilm(interpolate(pixels, size, mode="bilinear", antialias=True), fps)


class FilmObserver(Observer):
    """The character before the film's background, from a camera that stands still."""

    travels = True
    views = 1
    style = "splats"

    def __init__(
        self,
        subject: Subject,
        actor: Actor,
        camera: FilmCamera,
        background: Float[Tensor, "3 height width"],
        fps: float,
    ) -> None:
        self.actor, self.camera, self.background, self.fps = actor, camera, background, fps
        self.start_pose = start_transforms(actor, subject)
        self.first_view = View("the film's camera", camera.azimuth, camera.elevation)
        height, width = background.shape[1:]
        self._middle = start_middle(actor, self.start_pose)
        self._camera = camera.at(self._middle, width, height)

    def cameras(self, frames: int) -> PinholeCameras:
        """The one camera, for every frame."""
        one = pinhole_cameras([self._camera])
        return one.subset(torch.zeros(frames, dtype=torch.int64))

    def render(self, T_world_rest: Poses, view: int) -> Float[Tensor, "frames 3 height width"]:
        """sRGB colours in [0, 1]."""
        return render_over(self.actor, T_world_rest, self.cameras(len(T_world_rest)), self.background)[0]

    def start_frame(self, view: int) -> Float[Tensor, "3 height width"]:
        """The start pose."""
        with torch.no_grad():
            return self.render(self.start_pose, 0)[0]


class FilmPrior(VideoPrior[None]):
    """A given film in place of a model. It has no score: motions are fitted to the film by `VideoFit`.

    The latent is the video, 2 c - 1, averaged over squares of `LEVELS` pixels, each level weighted so that all count
    alike.
    """

    preset = "draft"
    tracks_frames = True
    format = VideoFormat(2, 16, 16, 24.0)

    def __init__(
        self, film: GivenFilm | None = None, *, camera: str | None = None, background: str | None = None
    ) -> None:
        if film is not None:
            self.film, self.format = film, film.format
            self.camera, self.background = camera, background
            self.found: FilmCamera | None = None
            self.basis_functions = min(film.format.frames, max(LEAST_BASIS, round(BASIS_SHARE * film.format.frames)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user is told of a camera that was estimated."""
        if self.found is None or self.camera is not None:
            return ()
        azimuth, elevation = (np.degrees(x) for x in (self.found.azimuth, self.found.elevation))
        return (
            f"The film's camera is taken to stand at azimuth {azimuth % 360:.0f}, elevation {elevation:.0f} degrees; if"
            " that is wrong, give --video-camera.",
        )

    @property
    def identity(self) -> str:
        """The film is among the run's settings already."""
        return "film"

    def observer(self, subject: Subject, config: ObserverConfig) -> FilmObserver:
        """The character as the film's camera sees it; camera and background are estimated where they are not given."""
        if config.views not in (None, 1):
            raise ConfigError(f"views is {config.views}; a film is one view.")
        video, shape = self.film.video, self.format
        if self.background is not None:
            behind = read_background(self.background, shape.height, shape.width)
        else:
            behind = estimate_background(video.permute(0, 2, 3, 1).double().numpy())
        background = torch.as_tensor(behind).permute(2, 0, 1).float()
        splats = splats_from_mesh(
            subject.character, config.splats or DEFAULT_SPLATS, picture=min(shape.height, shape.width)
        )
        actor = make_actor(subject.character, splats)
        pose = start_transforms(actor, subject)
        factor = max(shape.height // SMALL_HEIGHT, 1)
        small = [avg_pool2d(x, factor) for x in (video[:1], background[None])]
        first = FirstFrame(actor, pose, small[0][0], small[1][0])
        if self.found is None:
            self.found = find_camera(first, start_middle(actor, pose), self.camera)
        return FilmObserver(subject, actor, self.found, background, config.fps or self.film.fps)

    def condition(self, prompt: str, negative: str = "", *, reference: Reference | None = None) -> None:
        """Nothing: the film says it all."""

    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
        """All levels of a video, side by side; a level with squares of n pixels is weighted by n."""
        levels = [n * (2.0 * (avg_pool2d(video, n) if n > 1 else video) - 1.0).flatten(1) for n in LEVELS]
        return torch.cat(levels, 1)

    def signal(self, t: float) -> Signal:
        """The cosine schedule, for what needs one."""
        return signal_cosine(t)

    def predict_clean(self, noisy: Tensor, t: float, condition: Any, guidance: float) -> Tensor:
        """A film has no score."""
        raise PriorError("A film has no score: motions are fitted to it by VideoFit, and variants cannot be ranked.")

    def decode(self, latent: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames 3 height width"]:
        """The finest level of a latent."""
        shape = self.format
        finest = latent[:, : 3 * shape.height * shape.width].unflatten(1, (3, shape.height, shape.width))
        return (0.5 * finest + 0.5).clamp(0.0, 1.0)


def start_middle(actor: Actor, pose: Float[Tensor, "1 bones 4 4"]) -> np.ndarray:
    """Middle of the start pose's bounding box, metres."""
    points = outline_points(actor, pose)[0].double().numpy()
    return 0.5 * (points.min(0) + points.max(0))
