"""Pinhole cameras, and functions that place them: at a point, on an orbit, or so that given points are in view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import ConfigError

DEFAULT_FOV = float(np.radians(30.0))
"""Default vertical field of view, radians: about a 70 mm lens, which keeps the proportions of a body."""
MIN_FRAMING_DISTANCE = 0.1
"""`frame_camera` keeps every point at least this far in front of the camera, metres."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with x right, y down, z forward; the centre of the top left pixel is at (0.5, 0.5).

    A point of the camera's frame falls on the pixel position u = fx x / z + cx, v = fy y / z + cy.
    """

    T_camera_world: Float[ndarray, "4 4"]
    """Rigid transform from the world into the camera's frame."""
    fx: float
    """Horizontal focal length, pixels."""
    fy: float
    """Vertical focal length, pixels."""
    cx: float
    """Horizontal position of the principal point, pixels."""
    cy: float
    """Vertical position of the principal point, pixels."""
    width: int
    """Width of the picture, pixels."""
    height: int
    """Height of the picture, pixels."""

    def __post_init__(self) -> None:
        T = np.asarray(self.T_camera_world, np.float64)
        if T.shape != (4, 4) or not np.isfinite(T).all():
            raise ConfigError("A camera needs a finite 4 x 4 matrix T_camera_world.")
        R = T[:3, :3]
        if np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
            raise ConfigError(
                "A camera's T_camera_world must be a rotation and a translation, without scale or mirror."
            )
        if not (np.isfinite([self.fx, self.fy, self.cx, self.cy]).all() and self.fx > 0 and self.fy > 0):
            raise ConfigError(f"A camera's focal lengths are {self.fx} and {self.fy} pixels; they must be positive.")
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"A camera's picture is {self.width} x {self.height} pixels; it needs at least one.")

    @property
    def eye(self) -> Float[ndarray, "3"]:
        """The camera's position in the world: -R^T t."""
        return -self.T_camera_world[:3, :3].T @ self.T_camera_world[:3, 3]

    def to_camera(self, points: Float[ndarray, "*points 3"]) -> Float[ndarray, "*points 3"]:
        """World points in the camera's frame: R p + t."""
        return points @ self.T_camera_world[:3, :3].T + self.T_camera_world[:3, 3]

    def project(
        self, points: Float[ndarray, "*points 3"]
    ) -> tuple[Float[ndarray, "*points 2"], Float[ndarray, "*points"]]:
        """Pixel positions and depths z of world points; a pixel position means something only where z > 0."""
        x, y, z = np.moveaxis(self.to_camera(points), -1, 0)
        safe = np.where(z == 0, np.finfo(np.float64).tiny, z)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.stack([self.fx * x / safe + self.cx, self.fy * y / safe + self.cy], axis=-1), z


def look_at(
    eye: Float[ndarray, "3"] | Sequence[float],
    target: Float[ndarray, "3"] | Sequence[float],
    *,
    up: Sequence[float] = (0.0, 1.0, 0.0),
    fov: float = DEFAULT_FOV,
    width: int = 512,
    height: int = 512,
) -> Camera:
    """Build a camera at `eye` that sees `target` in the middle of its picture.

    z = (target - eye) / |target - eye|, x = z cross up, y = z cross x. Where z is parallel to `up`, the world's -z
    points up in the picture, as in the view from above at azimuth 0.
    """
    eye, target = np.asarray(eye, np.float64), np.asarray(target, np.float64)
    distance = np.linalg.norm(target - eye)
    if not distance > 0:
        raise ConfigError("A camera cannot look at the place where it stands; move its eye or its target.")
    forward = (target - eye) / distance
    right = np.cross(forward, up)
    if np.linalg.norm(right) < 1e-9:
        right = np.cross(forward, [0.0, 0.0, -1.0])
    right /= np.linalg.norm(right)
    return camera_at(np.stack([right, np.cross(forward, right), forward]), eye, fov, width, height)


def orbit_camera(
    target: Float[ndarray, "3"] | Sequence[float],
    distance: float,
    azimuth: float = 0.0,
    elevation: float = 0.0,
    fov: float = DEFAULT_FOV,
    width: int = 512,
    height: int = 512,
) -> Camera:
    """Build a camera on a sphere around `target`; angles in radians, `fov` is vertical.

    eye = target + distance (sin a cos e, sin e, cos a cos e) with azimuth a and elevation e. At azimuth 0 the camera
    stands on the +z side and sees +x to the right: a character that faces +x shows its right side and walks to the
    right. Azimuth pi/2 looks it in the face, pi sees its left side, -pi/2 its back; elevation pi/2 looks straight down.
    """
    R = orbit_rotation(azimuth, elevation)
    return camera_at(R, np.asarray(target, np.float64) - distance * R[2], fov, width, height)


def frame_camera(
    points: Float[ndarray, "*points 3"],
    azimuth: float = 0.0,
    elevation: float = 0.0,
    fov: float = DEFAULT_FOV,
    width: int = 512,
    height: int = 512,
    margin: float = 0.1,
) -> Camera:
    """Build the nearest camera of a given direction that has all points in view; angles as in `orbit_camera`.

    `margin` is the part of the half picture left free at each side. With k = (1 - margin) tan(fov/2) per axis, a point
    is in view of a camera at c (both in the camera's axes) if |x - c_x| <= k (z - c_z). With A = max(x - k z) and
    B = max(-x - k z) over the points this is A <= c_x - k c_z and B <= -c_x - k c_z, so the camera may stand up to
    c_z = -(A + B) / 2k, in the middle at c_x = (A - B) / 2; likewise in y, and the smaller c_z serves both.
    """
    points = np.asarray(points, np.float64).reshape(-1, 3)
    if not len(points) or not np.isfinite(points).all():
        raise ConfigError("A camera needs at least one finite point to frame.")
    if not 0 <= margin < 1:
        raise ConfigError(f"The margin is {margin}; it must be at least 0 and below 1 (a part of the half picture).")
    R = orbit_rotation(azimuth, elevation)
    local = points @ R.T
    slope = np.tan(_check_fov(fov) / 2) * (1 - margin)
    slopes = np.array([slope * width / height, slope])
    ahead = (local[:, :2] - slopes * local[:, 2:]).max(0)
    behind = (-local[:, :2] - slopes * local[:, 2:]).max(0)
    middle = 0.5 * (ahead - behind)
    depth = min(float((-(ahead + behind) / (2 * slopes)).min()), float(local[:, 2].min()) - MIN_FRAMING_DISTANCE)
    return camera_at(R, R.T @ np.array([*middle, depth]), fov, width, height)


def orbit_rotation(azimuth: float, elevation: float) -> Float[ndarray, "3 3"]:
    """R_camera_world of an orbit view: rows are the camera's right, down and forward in the world."""
    back = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    right = np.array([np.cos(azimuth), 0.0, -np.sin(azimuth)])
    return np.stack([right, np.cross(-back, right), -back])


def camera_at(R: Float[ndarray, "3 3"], eye: Float[ndarray, "3"], fov: float, width: int, height: int) -> Camera:
    """Build the camera at `eye` whose right, down and forward are the rows of R."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, -R @ eye
    focal = 0.5 * height / np.tan(_check_fov(fov) / 2)
    return Camera(T, focal, focal, 0.5 * width, 0.5 * height, width, height)


def _check_fov(fov: float) -> float:
    if not 0 < fov < np.pi:
        raise ConfigError(f"The field of view is {fov} radians; it must lie between 0 and pi.")
    return fov
