"""Cameras that travel with a character, and the named views from which characters are shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.errors import ConfigError
from gambol.render.camera_batch import PinholeCameras
from gambol.render.cameras import DEFAULT_FOV, Camera, camera_at, frame_camera, orbit_rotation


@dataclass(frozen=True)
class View:
    """A named direction to look from; angles in radians as in `cameras.orbit_camera`."""

    name: str
    """Name of the view, as in captions and options."""
    azimuth: float
    """Angle around the vertical, radians; 0 stands on the +z side."""
    elevation: float
    """Angle above the horizon, radians."""


VIEWS = (
    View("front", float(np.radians(90.0)), float(np.radians(8.0))),
    View("side", 0.0, float(np.radians(8.0))),
    View("three-quarter", float(np.radians(45.0)), float(np.radians(20.0))),
    View("top", 0.0, float(np.radians(90.0))),
)
"""The views that users can name."""


def view_named(name: str) -> View:
    """The view of this name, one of `VIEWS`."""
    for view in VIEWS:
        if view.name == name:
            return view
    raise ConfigError(f"There is no view '{name}'; allowed are {', '.join(view.name for view in VIEWS)}.")


@dataclass(frozen=True)
class FollowConfig:
    """How a camera follows a moving character."""

    fov: float = DEFAULT_FOV
    """Vertical field of view, radians."""
    margin: float = 0.12
    """Part of the half picture left free at each side."""
    smoothing: float = 12.0
    """Standard deviation of the path's Gaussian filter, frames; at 30 frames per second a sway of 1 Hz falls to 4 %."""
    vertical: bool = False
    """Follow vertical motion too; off by default, so that a jump is seen as a jump."""


DEFAULT_FOLLOW = FollowConfig()
"""The default configuration."""
NO_POINTS_MESSAGE = "Following needs points of at least one frame: [frames, points, 3]."
"""Error message where there is nothing to follow."""


def smooth_camera_path(path: Float[Tensor, "frames axes"], sigma: float) -> Float[Tensor, "frames axes"]:
    """Filter a path in time by a Gaussian of standard deviation `sigma` frames; symmetric, so nothing lags.

    The ends are continued by a turn through the end point (p_-k = 2 p_0 - p_k), so steady travel is kept as it is.
    """
    if len(path) < 2 or sigma <= 0:
        return path
    reach = int(np.ceil(4.0 * sigma))
    weights = torch.exp(-0.5 * (torch.arange(-reach, reach + 1).to(path) / sigma) ** 2)
    missing = reach
    while missing > 0:
        step = min(missing, len(path) - 1)
        before, after = 2 * path[:1] - path[1 : step + 1].flip(0), 2 * path[-1:] - path[-step - 1 : -1].flip(0)
        path, missing = torch.cat([before, path, after]), missing - step
    return path.unfold(0, 2 * reach + 1, 1) @ (weights / weights.sum())


def follow_camera_path(points: Float[Tensor, "frames points 3"], config: FollowConfig) -> Float[Tensor, "frames 3"]:
    """The smoothed path of the bounding box's centre over the ground, metres; y is 0 unless `config.vertical`."""
    path = smooth_camera_path(0.5 * (points.amin(1) + points.amax(1)), config.smoothing)
    return path if config.vertical else path * path.new_tensor([1.0, 0.0, 1.0])


def eye_offset(
    points: Float[Tensor, "frames points 3"], view: View, width: int, height: int, *, config: FollowConfig
) -> Float[ndarray, "3"]:
    """Offset of the eye from the path that has every point of every frame in view, metres; without gradient.

    Found once (from the rest pose, say) and given to `follow_cameras` it keeps the distance while a motion changes.
    """
    points = points.detach()
    local = (points - follow_camera_path(points, config)[:, None]).double().cpu().numpy()
    shape = (config.fov, width, height, config.margin)
    return frame_camera(local, view.azimuth, view.elevation, *shape).eye


def follow_cameras(
    points: Float[Tensor, "frames points 3"],
    view: View,
    width: int,
    height: int,
    *,
    config: FollowConfig = DEFAULT_FOLLOW,
    offset: Float[ndarray, "3"] | None = None,
) -> PinholeCameras:
    """One camera per frame, all of one direction and distance, that travel with the points.

    eye = path + offset: the path (`follow_path`) is differentiable in the points, the offset (`eye_offset`) is not.
    """
    if points.ndim != 3 or not points.numel():
        raise ConfigError(NO_POINTS_MESSAGE)
    if offset is None:
        offset = eye_offset(points, view, width, height, config=config)
    R = torch.as_tensor(orbit_rotation(view.azimuth, view.elevation)).to(points)
    eyes = follow_camera_path(points, config) + torch.as_tensor(offset).to(points)
    upper = torch.cat([R.expand(len(eyes), 3, 3), -(eyes @ R.T).unsqueeze(-1)], -1)
    bottom = upper.new_tensor([0.0, 0.0, 0.0, 1.0]).expand(len(eyes), 1, 4)
    focal = torch.full((len(eyes),), 0.5 * height / np.tan(0.5 * config.fov)).to(points)
    return PinholeCameras(torch.cat([upper, bottom], 1), focal, width, height)


def follow_camera_list(
    points: Float[ndarray, "frames points 3"],
    view: View,
    width: int,
    height: int,
    *,
    config: FollowConfig = DEFAULT_FOLLOW,
) -> list[Camera]:
    """`follow_cameras` as a list of single cameras in float64, as the mesh renderer takes them."""
    moving = torch.as_tensor(points, dtype=torch.float64)
    if moving.ndim != 3 or not moving.numel():
        raise ConfigError(NO_POINTS_MESSAGE)
    eyes = follow_camera_path(moving, config).numpy() + eye_offset(moving, view, width, height, config=config)
    R = orbit_rotation(view.azimuth, view.elevation)
    return [camera_at(R, eye, config.fov, width, height) for eye in eyes]
