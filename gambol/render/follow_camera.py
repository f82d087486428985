"""A camera that travels with a character: one direction, one distance, a path without lag; and views to look from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.errors import AssetError
from gambol.render.camera_batch import PinholeCameras
from gambol.render.cameras import DEFAULT_FOV, Camera, camera_at, frame_camera, orbit_rotation


@dataclass(frozen=True)
class View:
    """A named direction to look from; angles in radians as in `cameras.orbit_camera`."""

    name: str
    azimuth: float
    elevation: float


VIEWS = (
    View("front", float(np.radians(90.0)), float(np.radians(8.0))),
    View("side", 0.0, float(np.radians(8.0))),
    View("three-quarter", float(np.radians(45.0)), float(np.radians(20.0))),
    View("top", 0.0, float(np.radians(90.0))),
)


@dataclass(frozen=True)
class FollowConfig:
    """How the camera follows."""

    fov: float = DEFAULT_FOV
    """Vertical field of view, radians."""
    margin: float = 0.12
    """Part of the half picture left free at each side."""
    smoothing: float = 12.0
    """Standard deviation of the path's Gaussian filter, frames: at 30 frames per second it takes a wobble of one swing
    per second down to 4 %."""
    vertical: bool = False
    """Follow up and down too; off, so that a jump is seen as a jump."""


DEFAULT_FOLLOW = FollowConfig()
NO_POINTS_MESSAGE = "Following needs points of at least one frame: [frames, points, 3]."


def sample_views(
    count: int,
    generator: torch.Generator,
    *,
    azimuths: tuple[float, float] = (-np.pi, np.pi),
    elevations: tuple[float, float] = (0.0, 0.5),
) -> tuple[View, ...]:
    """Views drawn evenly from a part of the sphere: azimuth even, the sine of the elevation even; radians."""
    if count < 0 or not azimuths[0] <= azimuths[1] or not -np.pi / 2 <= elevations[0] <= elevations[1] <= np.pi / 2:
        raise AssetError(
            f"{count} views of azimuths {azimuths} and elevations {elevations} cannot be drawn; the ranges go from low "
            "to high, elevations within -pi/2 to pi/2."
        )
    even = torch.rand(count, 2, generator=generator, dtype=torch.float64).numpy()
    around = azimuths[0] + even[:, 0] * (azimuths[1] - azimuths[0])
    low, high = np.sin(elevations)
    above = np.arcsin(low + even[:, 1] * (high - low))
    degrees = np.degrees([around, above]).T
    return tuple(
        View(f"{a:.0f}, {e:.0f} degrees", float(x), float(y))
        for x, y, (a, e) in zip(around, above, degrees, strict=True)
    )


def opposite_view(view: View) -> View:
    """The same height, seen from the other side: what one view hides the other shows."""
    return View(f"opposite {view.name}", view.azimuth + float(np.pi), view.elevation)


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


def follow_path(points: Float[Tensor, "frames points 3"], config: FollowConfig) -> Float[Tensor, "frames 3"]:
    """The filtered way of the bounding box's centre, relative to nothing: a camera adds its own place."""
    path = smooth_camera_path(0.5 * (points.amin(1) + points.amax(1)), config.smoothing)
    return path if config.vertical else path * path.new_tensor([1.0, 0.0, 1.0])


def eye_offset(
    points: Float[Tensor, "frames points 3"], view: View, width: int, height: int, *, config: FollowConfig
) -> Float[ndarray, "3"]:
    """Where the eye must stand, seen from the path, to have every point of every frame in view; no gradient.

    Found once (from the rest pose, say) and given to `follow_cameras` it keeps the distance while a motion changes.
    """
    points = points.detach()
    local = (points - follow_path(points, config)[:, None]).double().cpu().numpy()
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
        raise AssetError(NO_POINTS_MESSAGE)
    if offset is None:
        offset = eye_offset(points, view, width, height, config=config)
    R = torch.as_tensor(orbit_rotation(view.azimuth, view.elevation)).to(points)
    eyes = follow_path(points, config) + torch.as_tensor(offset).to(points)
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
    """The same cameras one by one, in float64, for pictures of a mesh."""
    moving = torch.as_tensor(points, dtype=torch.float64)
    if moving.ndim != 3 or not moving.numel():
        raise AssetError(NO_POINTS_MESSAGE)
    eyes = follow_path(moving, config).numpy() + eye_offset(moving, view, width, height, config=config)
    R = orbit_rotation(view.azimuth, view.elevation)
    return [camera_at(R, eye, config.fov, width, height) for eye in eyes]
