"""A batch of cameras as tensors, one per frame, so that pictures can be differentiated with respect to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError
from gambol.render.cameras import Camera


@dataclass(frozen=True)
class PinholeCameras:
    """One pinhole camera per frame, all with one picture size, square pixels and the principal point in the middle.

    A point of the camera's frame (x right, y down, z forward) falls on u = focal x / z + width / 2,
    v = focal y / z + height / 2; the centre of the top left pixel is at (0.5, 0.5). Pictures are differentiated with
    respect to `T_camera_world`, not to `focal`.
    """

    T_camera_world: Float[Tensor, "frames 4 4"]
    """Rigid transforms from the world into each camera's frame."""
    focal: Float[Tensor, "frames"]
    """Focal lengths, pixels."""
    width: int
    """Width of the pictures, pixels."""
    height: int
    """Height of the pictures, pixels."""

    def __post_init__(self) -> None:
        shape = tuple(self.T_camera_world.shape)
        if len(shape) != 3 or shape[1:] != (4, 4):
            raise ConfigError(f"Cameras have T_camera_world of shape {list(shape)}; it must be [frames, 4, 4].")
        if tuple(self.focal.shape) != shape[:1]:
            raise ConfigError(f"Cameras have focal lengths of shape {list(self.focal.shape)}; give one per frame.")
        if self.focal.requires_grad:
            raise ConfigError("Pictures are not differentiated by the focal length; detach it.")
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"The cameras' picture is {self.width} x {self.height} pixels; it needs at least one.")

    def __len__(self) -> int:
        return len(self.T_camera_world)

    @property
    def eyes(self) -> Float[Tensor, "frames 3"]:
        """Positions of the cameras in the world: -R^T t."""
        R, t = self.T_camera_world[:, :3, :3], self.T_camera_world[:, :3, 3:]
        return -(R.transpose(-1, -2) @ t).squeeze(-1)

    def subset(self, chosen: slice | Tensor) -> PinholeCameras:
        """The cameras of some of the frames."""
        return PinholeCameras(self.T_camera_world[chosen], self.focal[chosen], self.width, self.height)


def pinhole_cameras(
    cameras: Sequence[Camera], *, dtype: torch.dtype = torch.float32, device: str | torch.device = "cpu"
) -> PinholeCameras:
    """Stack single cameras into a batch: one picture size, fx = fy, the principal point in the middle."""
    if not cameras:
        raise ConfigError("A batch of cameras needs at least one camera.")
    width, height = cameras[0].width, cameras[0].height
    for camera in cameras:
        centred = np.allclose([camera.cx, camera.cy], [camera.width / 2, camera.height / 2], atol=1e-6)
        if (camera.width, camera.height) != (width, height) or not centred or not np.isclose(camera.fx, camera.fy):
            raise ConfigError(
                "Cameras of one batch need one picture size, square pixels (fx = fy) and the principal point in the "
                "middle; draw other cameras in batches of their own."
            )
    transforms = np.stack([camera.T_camera_world for camera in cameras])
    focal = np.array([camera.fx for camera in cameras])
    return PinholeCameras(
        torch.as_tensor(transforms, dtype=dtype, device=device),
        torch.as_tensor(focal, dtype=dtype, device=device),
        width,
        height,
    )
