"""A clip: root transform and three angles per joint, per frame (AKD 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.errors import AssetError
from gambol.motion.rotations import continuous_angles, rotation_angle


@dataclass(frozen=True)
class Clip:
    """Motion of a skeleton: F x (6 + 3 (B - 1)) numbers.

    `root` holds the root's displacement from its rest position in the world (metres) and its three angles; `angles` the
    other bones' R_x R_y R_z in their own rest frames (radians). All zero is the rest pose.
    """

    name: str
    """Name of the animation."""
    fps: float
    """Frames per second."""
    root: Float[ndarray, "frames 6"]
    """Displacement of the root from its rest position (metres) and its three angles (radians)."""
    angles: Float[ndarray, "frames joints 3"]
    """Angles of the other bones about their own x, y, z axes, radians."""

    def __post_init__(self) -> None:
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise AssetError(f"Clip '{self.name}' has {self.fps} frames per second; it must be a positive number.")
        if self.root.ndim != 2 or self.root.shape[1] != 6 or len(self.root) == 0:
            raise AssetError(f"Clip '{self.name}' needs a root of [frames, 6], not {self.root.shape}.")
        if self.angles.ndim != 3 or self.angles.shape[::2] != (len(self.root), 3):
            raise AssetError(
                f"Clip '{self.name}' needs angles of [{len(self.root)}, joints, 3], not {self.angles.shape}."
            )
        if not (np.isfinite(self.root).all() and np.isfinite(self.angles).all()):
            raise AssetError(f"Clip '{self.name}' has numbers that are not finite.")

    def __len__(self) -> int:
        return len(self.root)

    @property
    def duration(self) -> float:
        """Seconds from the first to the last frame."""
        return (len(self) - 1) / self.fps

    @property
    def times(self) -> Float[ndarray, "frames"]:
        """Time of each frame, seconds."""
        return np.arange(len(self)) / self.fps

    def check_fits(self, skeleton: Skeleton) -> None:
        """Raise where the clip was made for another skeleton."""
        if self.angles.shape[1] != len(skeleton) - 1:
            raise AssetError(
                f"Clip '{self.name}' moves {self.angles.shape[1] + 1} bones; the skeleton has {len(skeleton)}."
            )


def rest_clip(skeleton: Skeleton, frames: int, fps: float, *, name: str = "rest") -> Clip:
    """A clip that stands still in the rest pose."""
    return Clip(name, fps, np.zeros((frames, 6)), np.zeros((frames, len(skeleton) - 1, 3)))


def joint_matrices(clip: Clip) -> Float[ndarray, "frames bones 3 3"]:
    """Every bone's rotation in its own rest frame, the root first."""
    import torch

    from gambol.motion.joint_rotations import matrix_from_angles

    angles = np.concatenate([clip.root[:, None, 3:], clip.angles], axis=1)
    return matrix_from_angles(torch.from_numpy(angles)).numpy()


def clip_from_matrices(
    name: str, fps: float, positions: Float[ndarray, "frames 3"], R: Float[ndarray, "frames bones 3 3"]
) -> tuple[Clip, float]:
    """A clip from root displacements and joint rotation matrices, and the largest angle that got lost (radians)."""
    angles = continuous_angles(R)
    clip = Clip(name, fps, np.concatenate([positions, angles[:, 0]], axis=1), angles[:, 1:])
    lost = rotation_angle(np.swapaxes(R, -1, -2) @ joint_matrices(clip))
    return clip, float(lost.max(initial=0.0))
