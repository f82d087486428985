"""What a video prior is shown of a character: cameras, look, and a differentiable render of poses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.errors import ConfigError
from gambol.render.actor import Actor, make_actor, outline_points
from gambol.render.follow_camera import DEFAULT_FOLLOW, View, eye_offset, follow_cameras
from gambol.render.free_splats import free_actor, still_transforms
from gambol.render.looks import Look
from gambol.render.splat_video import render_poses
from gambol.render.splats_from_mesh import splats_from_mesh

Poses = Float[Tensor, "frames bones 4 4"]
"""Skinning transforms of all bones, T_world_bone * inverse bind, in every frame."""
DEFAULT_SPLATS = 20_000
"""Splats of a character in its own colours."""
OBSERVER_MARGIN = 1.15
"""Distance of the follow camera, as a multiple of the distance at which the start pose fills the picture."""


@dataclass(frozen=True)
class Subject:
    """A character that is to be observed, and the pose in which an optimisation starts."""

    character: Character
    """The character."""
    anatomy: Anatomy
    """Which bone of it is what."""
    start_angles: Float[Tensor, "joints 3"]
    """Joint angles of the start pose, radians."""


@dataclass(frozen=True)
class ObserverConfig:
    """How a character is shown to a prior; None leaves the choice to the prior."""

    splats: int | None = None
    """Number of Gaussian splats of the character."""
    views: int | None = None
    """Number of views that are rendered."""
    azimuth: float = float(np.radians(12.0))
    """Direction of the first camera about the vertical axis, radians, as in `cameras.orbit_camera`."""
    elevation: float = float(np.radians(12.0))
    """Height of the first camera above the horizon, radians."""
    fps: float | None = None
    """Frames per second that the prior's video counts as."""
    ground: bool = True
    """Whether a prior that sees pictures sees the checkerboard; else a plain background (AKD 6.5)."""

    def __post_init__(self) -> None:
        for name in ("splats", "views"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"{name} is {value}; it must be 1 or more.")
        if self.fps is not None and not 1 <= self.fps <= 240:
            raise ConfigError(f"The prior's video is to have {self.fps:g} frames per second; allowed is 1 to 240.")


class Observer(ABC):
    """A character in front of the cameras of one or more views, rendered in the format of a prior."""

    actor: Actor
    """The character's splats on its skeleton."""
    fps: float
    """Frames per second of the render."""
    travels: bool
    """Whether the root's travel over the ground is part of the motion; if not, the cameras go along with the body."""
    views: int
    """Number of views."""
    first_view: View
    """Direction of the first camera."""
    style: ClassVar[Literal["splats", "control"]]
    """Style in which films for people show what the prior saw."""

    @abstractmethod
    def render(self, T_world_rest: Poses, view: int) -> Float[Tensor, "frames channels height width"]:
        """The video of one view, differentiable in the bones' skinning transforms."""

    @abstractmethod
    def start_frame(self, view: int) -> Float[Tensor, "channels height width"]:
        """The start pose as one view shows it, without gradient."""

    def with_free_splats(self) -> Observer:
        """The observer whose splats, in the start pose, each have a transform of their own (`render.free_splats`)."""
        raise ConfigError(
            f"{type(self).__name__} shows bones; a deformation field needs an observer with `with_free_splats`."
        )

    def picture(self, video: Float[Tensor, "frames channels height width"]) -> Float[Tensor, "frames 3 height width"]:
        """What people see of a render: sRGB colours in [0, 1]; the render itself where it is a picture already."""
        return video


class FollowCameraObserver(Observer):
    """The character in its own colours on the checkerboard, a camera following it (AKD 4.2); one view."""

    travels = True
    views = 1
    style = "splats"

    def __init__(self, subject: Subject, config: ObserverConfig, *, height: int, width: int, fps: float) -> None:
        if config.views not in (None, 1):
            raise ConfigError(f"views is {config.views}; this prior sees one view.")
        self.height, self.width, self.fps = height, width, config.fps or fps
        splats = splats_from_mesh(subject.character, config.splats or DEFAULT_SPLATS, picture=min(height, width))
        self.actor = make_actor(subject.character, splats)
        self.start_pose = start_transforms(self.actor, subject)
        self.follow = replace(DEFAULT_FOLLOW, smoothing=DEFAULT_FOLLOW.smoothing * self.fps / 30.0)
        self.first_view, self.look = (
            View("the prior's view", config.azimuth, config.elevation),
            Look() if config.ground else Look(None),
        )
        points = outline_points(self.actor, self.start_pose)
        self.offset = eye_offset(points, self.first_view, width, height, config=self.follow)

    def render(self, T_world_rest: Poses, view: int) -> Float[Tensor, "frames 3 height width"]:
        """sRGB colours in [0, 1], from a fixed distance."""
        cameras = follow_cameras(
            outline_points(self.actor, T_world_rest),
            self.first_view,
            self.width,
            self.height,
            config=self.follow,
            offset=OBSERVER_MARGIN * np.asarray(self.offset),
        )
        return render_poses(self.actor, T_world_rest, cameras, self.look).rgb

    def start_frame(self, view: int) -> Float[Tensor, "3 height width"]:
        """The start pose at the origin."""
        return self._start_frame

    def with_free_splats(self) -> FollowCameraObserver:
        """The observer whose splats, in the start pose, each have a transform of their own."""
        free = copy(self)
        free.actor = free_actor(self.actor, self.start_pose)
        free.start_pose = still_transforms(free.actor)
        return free

    @cached_property
    def _start_frame(self) -> Float[Tensor, "3 height width"]:
        with torch.no_grad():
            return self.render(self.start_pose, 0)[0]


def start_transforms(actor: Actor, subject: Subject) -> Float[Tensor, "1 bones 4 4"]:
    """Skinning transforms of the start pose, its root at the origin."""
    return actor.pose(torch.zeros(1, 6), subject.start_angles[None]).detach()
