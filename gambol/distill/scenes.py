"""What a prior is shown of a motion: the embedded prior's stage, or the character as it looks on the checkerboard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.video_prior import VideoFormat, VideoPrior
from gambol.distill.body import Body
from gambol.distill.settings import DistilSettings
from gambol.priors.embedded.conditioning import draw_start
from gambol.priors.embedded.prior import EmbeddedPrior
from gambol.priors.embedded.stage import Stage, StageView, make_stage
from gambol.render.actor import outline_points
from gambol.render.cameras import Camera
from gambol.render.follow_camera import DEFAULT_FOLLOW, View, eye_offset, follow_cameras, opposite_view
from gambol.render.looks import Look
from gambol.render.splat_video import render_poses

Poses = Float[Tensor, "frames bones 4 4"]
SPREAD = ((1.0, 0.0), (-1.0, 3.0), (0.33, -3.0), (-0.42, 4.0))
"""Where the pairs of views stand: their azimuths as shares of the first one's, and how many degrees higher."""


class Scene(ABC):
    """A body in front of the cameras of one or more sides, filmed in the prior's format."""

    fps: float
    """Frames per second of the film."""
    travels: bool
    """The way over the ground is part of the motion."""
    sides: int

    @abstractmethod
    def film(self, T_world_rest: Poses, side: int) -> Float[Tensor, "frames 3 height width"]:
        """sRGB in [0, 1]; differentiable in the bones' skinning transforms."""

    @abstractmethod
    def rest(self, side: int) -> tuple[Float[Tensor, "3 height width"], Camera | None]:
        """The rest pose, and where it was seen from."""

    def condition(self, prior: VideoPrior[Any], prompt: str, negative: str, side: int) -> Any:
        """What the prior is told of this body, seen from here."""
        frame, camera = self.rest(side)
        return prior.condition(prompt, negative, reference_frame=frame, camera=camera)


class StageScene(Scene):
    """The embedded prior's stage: the body stays on the spot, seen from both sides several times."""

    travels = False

    def __init__(self, body: Body, settings: DistilSettings, *, fps: float | None = None) -> None:
        self.fps = fps or body.fps
        # the score of a window of a longer clip may start anywhere in the cycle
        whole = settings.settling > 0 if settings.seconds is not None else not settings.loop
        self.manner = draw_start(np.random.default_rng(settings.seed)) if settings.manner and whole else None
        views = stage_views(settings.view, settings.views)
        self.sides = len(views)
        self.stages: list[Stage] = [make_stage(body.actor, body.anatomy, view) for view in views]
        first = first_pose(body)
        self.rest_frames = [stage.film_poses(first)[0].detach() for stage in self.stages]

    def film(self, T_world_rest: Poses, side: int) -> Float[Tensor, "frames 3 height width"]:
        """Both views of this side's stage."""
        return self.stages[side].film_poses(T_world_rest)

    def condition(self, prior: VideoPrior[Any], prompt: str, negative: str, side: int) -> Any:
        """The same with when the motion starts and which side leads, drawn from the seed."""
        frame, camera = self.rest(side)
        if isinstance(prior, EmbeddedPrior):
            return prior.condition(prompt, negative, reference_frame=frame, camera=camera, manner=self.manner)
        return prior.condition(prompt, negative, reference_frame=frame, camera=camera)

    def rest(self, side: int) -> tuple[Float[Tensor, "3 height width"], Camera | None]:
        """As the stage shows it."""
        return self.rest_frames[side], self.stages[side].first_camera


def stage_views(view: StageView, count: int) -> tuple[StageView, ...]:
    """The view, its mirror image, and both again from a little elsewhere: at most eight."""
    sides = [
        replace(view, azimuth=share * view.azimuth, elevation=view.elevation + float(np.radians(higher)))
        for share, higher in SPREAD
    ]
    return tuple(seen for side in sides for seen in (side, side.mirrored()))[:count]


class FilmScene(Scene):
    """The character in its own colours on the checkerboard, a camera following it (AKD 4.2); one view."""

    travels = True

    def __init__(self, body: Body, settings: DistilSettings, video: VideoFormat, *, both_sides: bool = False) -> None:
        self.fps, self.body, self.format = video.fps, body, video
        self.camera = replace(DEFAULT_FOLLOW, smoothing=DEFAULT_FOLLOW.smoothing * video.fps / 30.0)
        view = View("the prior's", settings.view.azimuth, settings.view.elevation)
        self.views = (view, opposite_view(view)) if both_sides else (view,)
        self.sides, self.look = len(self.views), Look()
        self.offsets = [
            eye_offset(self._outline(self._still()), v, video.width, video.height, config=self.camera)
            for v in self.views
        ]

    def film(self, T_world_rest: Poses, side: int) -> Float[Tensor, "frames 3 height width"]:
        """At the distance from which the rest pose fills the picture."""
        cameras = follow_cameras(
            self._outline(T_world_rest),
            self.views[side],
            self.format.width,
            self.format.height,
            config=self.camera,
            offset=1.15 * np.asarray(self.offsets[side]),
        )
        return render_poses(self.body.actor, T_world_rest, cameras, self.look).rgb

    def rest(self, side: int) -> tuple[Float[Tensor, "3 height width"], Camera | None]:
        """The rest pose where the clip starts."""
        return self._rest_frames[side], None

    @cached_property
    def _rest_frames(self) -> list[Float[Tensor, "3 height width"]]:
        with torch.no_grad():
            return [self.film(self._still(), side)[0] for side in range(self.sides)]

    def _still(self) -> Poses:
        return first_pose(self.body)

    def _outline(self, T_world_rest: Poses) -> Float[Tensor, "frames points 3"]:
        return outline_points(self.body.actor, T_world_rest)


def first_pose(body: Body) -> Float[Tensor, "1 bones 4 4"]:
    """Where a distillation starts, at the origin."""
    return body.actor.pose(torch.zeros(1, 6), body.first_angles[None]).detach()


def make_scene(body: Body, prior: VideoPrior[Any], settings: DistilSettings, *, fps: float | None = None) -> Scene:
    """The scene that this prior wants to see."""
    if prior.format.picture == "control":
        return StageScene(body, settings, fps=fps)
    return FilmScene(body, settings, prior.format if fps is None else replace(prior.format, fps=fps))
