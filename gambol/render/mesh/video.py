"""Videos of a moving mesh: mesh, ground and light together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from gambol.character.colour import srgb_to_linear
from gambol.character.mesh import Mesh
from gambol.errors import ConfigError
from gambol.progress import Progress
from gambol.render.cameras import Camera
from gambol.render.follow_camera import DEFAULT_FOLLOW, FollowConfig
from gambol.render.ground.checkerboard import Checkerboard, draw_ground
from gambol.render.ground.shadow import cast_shadow
from gambol.render.mesh.rasterise import MeshBuffers, draw_mesh, prepare_mesh
from gambol.render.mesh.shading import Light
from gambol.render.mesh.textures import linear_to_srgb_bytes


@dataclass(frozen=True)
class RenderConfig:
    """How pictures of a mesh are rendered."""

    width: int = 512
    """Width of a picture, pixels, where no camera is given (a camera has its own)."""
    height: int = 512
    """Height of a picture, pixels, where no camera is given."""
    supersample: int = 2
    """Samples per pixel along each axis, 1 to 8; 1 has stair-stepped edges."""
    ground: Checkerboard | None = field(default_factory=Checkerboard)
    """Checkerboard, contact shadow and sky; None shows the plain background."""
    background: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """sRGB colour behind the mesh where there is no ground, 0 to 1."""
    light: Light = field(default_factory=Light)
    """Key light and ambient light."""
    crease_angle: float = float(np.radians(60.0))
    """Edges of the mesh at rest that are sharper than this stay sharp, radians."""
    camera: FollowConfig = DEFAULT_FOLLOW
    """Field of view, margin and smoothing of cameras that follow the character."""
    threads: int | None = None
    """Frames rendered at once; None takes the machine's cores. The pictures do not depend on it."""

    def __post_init__(self) -> None:
        if not 1 <= self.supersample <= 8:
            raise ConfigError(f"supersample is {self.supersample}; allowed is 1 to 8.")
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"The picture is {self.width} x {self.height} pixels; it needs at least one.")
        if self.threads is not None and self.threads < 1:
            raise ConfigError(f"threads is {self.threads}; it must be at least 1, or None for all cores.")


def render_frames(
    mesh: Mesh,
    vertices: Float[ndarray, "frames vertices 3"],
    cameras: Sequence[Camera],
    *,
    config: RenderConfig | None = None,
    progress: Progress | None = None,
) -> UInt8[ndarray, "frames height width 3"]:
    """Render one picture per frame of posed vertices, each with its own camera; all cameras have one picture size."""
    config = config or RenderConfig()
    _check_frames(mesh, vertices, cameras)
    surface, size = prepare_mesh(mesh, crease_angle=config.crease_angle), _size(mesh)
    result = np.zeros((len(cameras), cameras[0].height, cameras[0].width, 3), np.uint8)

    def render(i: int) -> None:
        result[i] = _render(surface, vertices[i], cameras[i], size, config)

    # Frames are independent and the kernels release the interpreter's lock, so threads are enough.
    with ThreadPoolExecutor(config.threads or os.cpu_count() or 1) as pool:
        jobs = [pool.submit(render, i) for i in range(len(cameras))]
        try:
            for i, job in enumerate(jobs):
                job.result()
                if progress is not None:
                    progress(i + 1, len(jobs), "rendering")
        finally:
            pool.shutdown(cancel_futures=True)
    return result


def _render(surface: MeshBuffers, vertices: ndarray, camera: Camera, size: float, config: RenderConfig) -> ndarray:
    layer = draw_mesh(surface, vertices, camera, light=config.light, supersample=config.supersample)
    if config.ground is None:
        behind = srgb_to_linear(np.array(config.background))
    else:
        shadow = cast_shadow(config.ground, vertices, surface.triangles, size)
        behind = draw_ground(config.ground, camera, size, shadow)
    return linear_to_srgb_bytes(layer.rgb + (1.0 - layer.alpha[..., None]) * behind)


def _size(mesh: Mesh) -> float:
    return mesh.size if len(mesh.vertices) else 1.0


def _check_frames(mesh: Mesh, vertices: ndarray, cameras: Sequence[Camera]) -> None:
    if vertices.ndim != 3 or vertices.shape[1:] != (len(mesh.vertices), 3):
        raise ConfigError(f"The posed vertices are {vertices.shape}; the mesh needs [frames, {len(mesh.vertices)}, 3].")
    if not len(cameras) or len(cameras) != len(vertices):
        raise ConfigError(f"There are {len(cameras)} cameras for {len(vertices)} frames; each frame needs one.")
    if len({(camera.width, camera.height) for camera in cameras}) > 1:
        raise ConfigError("All cameras of a video must have pictures of one size.")
    broken = np.flatnonzero(~np.isfinite(vertices).all((1, 2)))
    if len(broken):
        raise ConfigError(f"Frame {broken[0]} of {len(vertices)} has vertices that are not finite; its pose is broken.")
