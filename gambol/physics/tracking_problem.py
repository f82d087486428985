"""What tracking is given: the target on the ground, where the simulation starts, how time is divided."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from gambol.character.skeleton import Skeleton
from gambol.errors import AssetError
from gambol.motion.clip import Clip
from gambol.physics.articulated_body import Body
from gambol.physics.generalised_coordinates import (
    body_transforms,
    first_rates,
    joint_angles,
    states_from_transforms,
    velocity_map,
)
from gambol.physics.physics_settings import World
from gambol.physics.track_losses import point_places, swinging_points

GROUNDED = 0.3
"""A clip is lowered until this share of its frames touches the ground or sinks: about the middle of its stances."""
AIRBORNE = 0.02
"""A start that is higher than this above the ground is in flight and stays there, sizes."""
FEWEST = 3
"""Frames that a clip must have to be tracked."""


@dataclass(frozen=True)
class TimeSteps:
    """How a frame is divided: `chunks` chunks of `substeps` substeps of `dt` seconds."""

    fps: float
    chunks: int
    substeps: int

    @property
    def per_frame(self) -> int:
        """N of eq. 13."""
        return self.chunks * self.substeps

    @property
    def dt(self) -> float:
        """Seconds of a substep."""
        return 1.0 / (self.fps * self.per_frame)


def divide_frames(fps: float, world: World, chunk: int) -> TimeSteps:
    """Substeps no longer than the world's, in chunks of about `chunk`."""
    least = math.ceil(1.0 / (fps * world.step) - 1e-9)
    chunks = max(1, round(least / chunk))
    return TimeSteps(fps, chunks, math.ceil(least / chunks))


@dataclass(frozen=True)
class Problem:
    """Clips of one body, to be tracked side by side in one simulation."""

    body: Body
    world: World
    time: TimeSteps
    names: tuple[str, ...]
    states: Float[Tensor, "frames copies bodies 7"]
    """The targets, on the ground; a clip that is shorter than others holds its last frame."""
    lasting: Bool[Tensor, "frames copies"]
    """Frames that a clip has."""
    angles: Float[Tensor, "frames copies joints 3"]
    start: Float[Tensor, "copies bodies 7"]
    """Proj(q^0) of eq. 13."""
    velocity_maps: Float[Tensor, "copies bodies 6 rates"]
    rates: Float[Tensor, "copies rates"]
    """Initial velocities of the targets."""
    swinging: Float[Tensor, "frames copies points"]
    """How surely each contact point swings."""
    places: Float[Tensor, "frames copies points 3"]
    """Where the targets' contact points are."""
    drops: Float[ndarray, "copies"]
    """How far each clip was lowered onto the ground, simulated metres."""

    @property
    def copies(self) -> int:
        """Clips side by side."""
        return len(self.names)

    @property
    def frames(self) -> int:
        """Of the longest clip."""
        return len(self.states)


def make_problem(
    body: Body,
    skeleton: Skeleton,
    clips: tuple[Clip, ...],
    world: World,
    *,
    chunk: int = 40,
    project_first: bool = False,
) -> Problem:
    """Lower the clips onto the ground and prepare the start.

    A clip is lowered by the quantile GROUNDED of its lowest points; `project_first` takes the first frame's lowest
    point instead, as the paper does. The start is then shifted vertically so that its lowest point touches, unless it
    is in flight.
    """
    fps = clips[0].fps
    for clip in clips:
        if len(clip) < FEWEST:
            given = f"{len(clip)} frame{'s' if len(clip) > 1 else ''}"
            raise AssetError(f"Clip '{clip.name}' has {given}; tracking needs {FEWEST} or more. Give a longer clip.")
        if clip.fps != fps:
            raise AssetError("Clips that are tracked together must have the same frames per second.")
    frames = max(map(len, clips))
    columns, drops, starts, maps, rates = [], [], [], [], []
    for clip in clips:
        T = body_transforms(body, skeleton, clip)
        low = lowest_points(body, T)
        drop = float(low[0] if project_first else np.quantile(low, GROUNDED, method="lower"))
        T[..., 1, 3] -= drop
        rise = low[0] - drop
        start = T[0].copy()
        start[:, 1, 3] -= rise if project_first or rise < AIRBORNE * body.size else 0.0
        starts.append(states_from_transforms(start[None])[0])
        maps.append(velocity_map(body, start))
        rates.append(first_rates(body, T, fps))
        drops.append(drop)
        columns.append(T[np.minimum(np.arange(frames), len(T) - 1)])
    T = np.stack(columns, 1)
    lengths = np.array([len(clip) for clip in clips], dtype=np.int64)
    states = _tensor(np.stack([states_from_transforms(T[:, i]) for i in range(len(clips))], 1))
    places = point_places(states, _tensor(body.points), torch.from_numpy(body.point_bodies))
    swinging = torch.zeros(places.shape[:3])
    for i, n in enumerate(lengths):
        swinging[:n, i : i + 1] = swinging_points(places[:n, i : i + 1], states[:n, i : i + 1, 0, :3], fps, body.size)
    return Problem(
        body,
        world,
        divide_frames(fps, world, chunk),
        tuple(clip.name for clip in clips),
        states,
        torch.from_numpy(np.arange(frames)[:, None] < lengths),
        _tensor(joint_angles(body, T[..., :3, :3])),
        _tensor(np.stack(starts)),
        _tensor(np.stack(maps)),
        _tensor(np.stack(rates)),
        swinging,
        places,
        np.array(drops),
    )


def lowest_points(body: Body, T: Float[ndarray, "frames bodies 4 4"]) -> Float[ndarray, "frames"]:
    """Height of the lowest contact point in every frame, simulated metres."""
    of = T[:, body.point_bodies]
    return (np.einsum("fpj,pj->fp", of[..., 1, :3], body.points) + of[..., 1, 3]).min(1)


def _tensor(values: ndarray) -> Tensor:
    return torch.as_tensor(np.ascontiguousarray(values), dtype=torch.float32)
