"""From where a film was taken: a camera that stands still, found by rendering the start pose and comparing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from gambol.errors import ConfigError
from gambol.priors.film.camera_text import parse_camera
from gambol.render.actor import Actor
from gambol.render.camera_batch import PinholeCameras, pinhole_cameras
from gambol.render.cameras import DEFAULT_FOV, Camera, camera_at, orbit_rotation
from gambol.render.looks import Look
from gambol.render.splat_video import render_poses

AZIMUTHS = 16
"""Directions around the body that are tried."""
ELEVATIONS = (0.0, 12.0, 28.0)
"""Heights above the horizon that are tried, degrees."""
BEST_STARTS = 4
"""Best directions from which the search goes on."""
SEARCH_STEPS = 120
"""Renders of each search."""
SMALL_HEIGHT = 64
"""Height of the pictures that are compared while searching, pixels."""
BODY_DIFFERENCE = 0.12
"""Difference to the background, largest channel, from which a pixel counts as body."""
FRAMING_ROUNDS = 3
"""How often distance and shift are corrected for a direction."""


@dataclass(frozen=True)
class FilmCamera:
    """A camera that stands still: a direction, and where the body's middle is in the picture and how far away."""

    azimuth: float
    """Angle around the vertical, radians, as in `cameras.orbit_camera`."""
    elevation: float
    """Angle above the horizon, radians."""
    distance: float
    """Distance from the middle of the start pose along the view, metres."""
    right: float = 0.0
    """How far the body's middle is to the right of the picture's, metres."""
    down: float = 0.0
    """How far the body's middle is below the picture's, metres."""
    fov: float = DEFAULT_FOV
    """Vertical field of view, radians."""

    def at(self, middle: Float[ndarray, "3"], width: int, height: int) -> Camera:
        """The camera for pictures of a size; `middle` is the middle of the start pose."""
        R = orbit_rotation(self.azimuth, self.elevation)
        eye = middle - self.distance * R[2] - self.right * R[0] - self.down * R[1]
        return camera_at(R, eye, self.fov, width, height)


@dataclass(frozen=True)
class FirstFrame:
    """The start pose and the picture that should show it."""

    actor: Actor
    """The character's splats on its skeleton."""
    pose: Float[Tensor, "1 bones 4 4"]
    """Skinning transforms of the start pose."""
    picture: Float[Tensor, "3 height width"]
    """The film's first frame, small."""
    background: Float[Tensor, "3 height width"]
    """What is behind the body."""

    @property
    def body(self) -> Bool[ndarray, "height width"]:
        """Which pixels differ from the background."""
        return ((self.picture - self.background).abs().amax(0) > BODY_DIFFERENCE).numpy()

    def draw(self, camera: Camera) -> tuple[Float[Tensor, "3 height width"], Float[Tensor, "height width"]]:
        """The start pose over the background, and its alpha."""
        rgb, alpha = render_over(self.actor, self.pose, pinhole_cameras([camera]), self.background)
        return rgb[0], alpha[0]

    def error(self, camera: Camera) -> float:
        """Mean squared difference to the picture."""
        return float((self.draw(camera)[0] - self.picture).square().mean())


def render_over(
    actor: Actor,
    T_world_rest: Float[Tensor, "frames bones 4 4"],
    cameras: PinholeCameras,
    background: Float[Tensor, "3 height width"],
) -> tuple[Float[Tensor, "frames 3 height width"], Float[Tensor, "frames height width"]]:
    """Splats over a picture, c = sum_i w_i c_i + (1 - alpha) c_behind, and alpha; differentiable in the transforms."""
    drawn = render_poses(actor, T_world_rest, cameras, Look(None, background=(0.0, 0.0, 0.0)))
    return drawn.rgb + (1.0 - drawn.alpha[:, None]) * background, drawn.alpha


def find_camera(first: FirstFrame, middle: Float[ndarray, "3"], given: str | None = None) -> FilmCamera:
    """The camera from which the start pose looks most like the first frame; of a given direction only its place.

    Directions on a grid are framed so that the body's box is that of the pixels that are no background; the best are
    refined by Nelder and Mead's search over direction, distance and shift.
    """
    if not first.body.any():
        raise ConfigError("The film's first frame shows no body before its background; give the background.")
    fov = DEFAULT_FOV
    grid = [(2 * np.pi * k / AZIMUTHS, np.radians(e)) for k in range(AZIMUTHS) for e in ELEVATIONS]
    if given is not None:
        azimuth, elevation, known = parse_camera(given)
        grid, fov = [(azimuth, elevation)], known or DEFAULT_FOV
    size = first.actor.size
    height, width = first.picture.shape[1:]
    framed = [framed_camera(first, middle, FilmCamera(a, e, 3.0 * size, fov=fov)) for a, e in grid]
    errors = [first.error(camera.at(middle, width, height)) for camera in framed]
    best = [framed[i] for i in np.argsort(errors)[: BEST_STARTS if given is None else 1]]
    found = [refined_camera(first, middle, camera, turn=given is None) for camera in best]
    return min(found, key=lambda camera: first.error(camera.at(middle, width, height)))


def framed_camera(first: FirstFrame, middle: Float[ndarray, "3"], camera: FilmCamera) -> FilmCamera:
    """The camera whose render of the start pose fills the box of the body in the picture."""
    height, width = first.picture.shape[1:]
    wanted = pixel_box(first.body)
    for _ in range(FRAMING_ROUNDS):
        _, alpha = first.draw(camera.at(middle, width, height))
        seen = (alpha > 0.5).numpy()
        if not seen.any():
            return camera
        box = pixel_box(seen)
        ratio = np.sqrt(np.prod((box[2:] + 1.0) / (wanted[2:] + 1.0)))
        pixel = 2.0 * camera.distance * np.tan(0.5 * camera.fov) / height
        moved = (wanted[:2] - box[:2]) * pixel
        camera = replace(
            camera,
            distance=float(camera.distance * ratio),
            right=float((camera.right + moved[0]) * ratio),
            down=float((camera.down + moved[1]) * ratio),
        )
    return camera


def pixel_box(mask: Bool[ndarray, "height width"]) -> Float[ndarray, "4"]:
    """Middle (x, y) and sides of the box of the pixels that are set, without the outermost hundredth on each side."""
    rows, columns = np.nonzero(mask)
    ends = [np.percentile(values, (1.0, 99.0)) for values in (columns, rows)]
    return np.array([*(0.5 * (low + high) for low, high in ends), *(high - low for low, high in ends)])


def refined_camera(first: FirstFrame, middle: Float[ndarray, "3"], camera: FilmCamera, *, turn: bool) -> FilmCamera:
    """The camera nearby with the least error; without `turn` its direction stays."""
    from scipy.optimize import minimize

    height, width = first.picture.shape[1:]
    size = first.actor.size

    def changed(x: ndarray) -> FilmCamera:
        return replace(
            camera,
            distance=camera.distance * float(np.exp(0.1 * x[0])),
            right=camera.right + 0.05 * size * float(x[1]),
            down=camera.down + 0.05 * size * float(x[2]),
            azimuth=camera.azimuth + (0.1 * float(x[3]) if turn else 0.0),
            elevation=camera.elevation + (0.1 * float(x[4]) if turn else 0.0),
        )

    count = 5 if turn else 3
    start = np.concatenate([np.zeros((1, count)), np.eye(count)])
    found = minimize(
        lambda x: first.error(changed(x).at(middle, width, height)),
        np.zeros(count),
        method="Nelder-Mead",
        options={"initial_simplex": start, "maxfev": SEARCH_STEPS, "xatol": 1e-3, "fatol": 1e-7},
    )
    return changed(found.x)
