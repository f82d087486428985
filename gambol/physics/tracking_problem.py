"""Inputs of tracking: targets on the ground, initial state, division of time into chunks and substeps."""

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
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import (
    body_transforms,
    initial_rates,
    joint_angles,
    states_from_transforms,
    velocity_map,
)
from gambol.physics.track_losses import point_places, swinging_points
from gambol.physics.world import PhysicsWorld

GROUNDED_FRAMES = 0.3
"""Share of a clip's frames that touch the ground or sink once it is lowered: about the middle of its stances."""
AIRBORNE_START_HEIGHT = 0.02
"""Height above the ground from which the first frame counts as flight and is not lowered, sizes."""
FEWEST_FRAMES = 3
"""Least number of frames that a clip must have to be tracked."""


@dataclass(frozen=True)
class TimeSteps:
    """Division of a frame into `chunks` chunks of `substeps` substeps of `dt` seconds."""

    fps: float
    """Frames per second."""
    chunks: int
    """Chunks per frame."""
    substeps: int
    """Substeps per chunk."""

    @property
    def per_frame(self) -> int:
        """Substeps per frame (N of eq. 13)."""
        return self.chunks * self.substeps

    @property
    def dt(self) -> float:
        """Length of a substep, seconds."""
        return 1.0 / (self.fps * self.per_frame)


def divide_frames(fps: float, world: PhysicsWorld, chunk: int) -> TimeSteps:
    """Divide a frame into substeps no longer than `world.step`, in chunks of about `chunk` substeps."""
    least = math.ceil(1.0 / (fps * world.step) - 1e-9)
    chunks = max(1, round(least / chunk))
    return TimeSteps(fps, chunks, math.ceil(least / chunks))


@dataclass(frozen=True)
class CarriedState:
    """State of the simulation in which one window ended and the next one begins, with what came just before it."""

    twists: Float[Tensor, "copies bodies 6"]
    """Velocity of the centre of mass and angular velocity of every body; the poses are the problem's `start`."""
    guess: Float[Tensor, "knots copies joints 3"]
    """Controls that the window before found for the first knots of this one. With one knot per frame the first of them
    is the target at which that window ended, and stays."""
    past_states: Float[Tensor, "past copies bodies 7"]
    """Simulated states of the last frames before the start."""
    past_targets: Float[Tensor, "past copies bodies 7"]
    """Target states of those frames."""
    past_controls: Float[Tensor, "knots copies joints 3"]
    """Controls at the last knots before this window's first."""


@dataclass(frozen=True)
class TrackingProblem:
    """Clips of one body, to be tracked side by side in one simulation."""

    body: ArticulatedBody
    """The bodies, the same for all clips."""
    world: PhysicsWorld
    """Gravity, ground and gains."""
    time: TimeSteps
    """Division of time."""
    names: tuple[str, ...]
    """Name of each clip."""
    states: Float[Tensor, "frames copies bodies 7"]
    """Target states, on the ground; a clip that is shorter than others holds its last frame."""
    valid: Bool[Tensor, "frames copies"]
    """Whether each frame belongs to the clip, and is not a repetition of its last one."""
    angles: Float[Tensor, "frames copies joints 3"]
    """Joint angles of the targets, radians."""
    start: Float[Tensor, "copies bodies 7"]
    """Initial states, Proj(q^0) of eq. 13."""
    velocity_maps: Float[Tensor, "copies bodies 6 rates"]
    """Linear maps from generalised velocities to twists at the initial states."""
    rates: Float[Tensor, "copies rates"]
    """Initial velocities of the targets in generalised coordinates."""
    swinging: Float[Tensor, "frames copies points"]
    """Weight with which each contact point of the targets swings (`swinging_points`)."""
    places: Float[Tensor, "frames copies points 3"]
    """Positions of the targets' contact points, simulated metres."""
    drops: Float[ndarray, "copies"]
    """Distance by which each clip was lowered onto the ground, simulated metres."""
    carried: CarriedState | None = None
    """State that a window of a longer clip begins in; None for the start of a clip, whose velocity may be chosen."""

    @property
    def copies(self) -> int:
        """Number of clips side by side."""
        return len(self.names)

    @property
    def frames(self) -> int:
        """Frames of the longest clip."""
        return len(self.states)


def make_tracking_problem(
    body: ArticulatedBody,
    skeleton: Skeleton,
    clips: tuple[Clip, ...],
    world: PhysicsWorld,
    *,
    chunk: int = 40,
    project_first: bool = False,
) -> TrackingProblem:
    """Lower the clips onto the ground and prepare the start.

    A clip is lowered by the quantile GROUNDED_FRAMES of its lowest points; `project_first` takes the lowest point of
    the first frame instead, as the paper does. The start is then shifted vertically so that its lowest point touches
    the ground, unless it is in flight.
    """
    fps = clips[0].fps
    for clip in clips:
        if len(clip) < FEWEST_FRAMES:
            given = f"{len(clip)} frame{'s' if len(clip) > 1 else ''}"
            raise AssetError(
                f"Clip '{clip.name}' has {given}; tracking needs {FEWEST_FRAMES} or more. Give a longer clip."
            )
        if clip.fps != fps:
            raise AssetError("Clips that are tracked together must have the same frames per second.")
    frames = max(map(len, clips))
    columns, drops, starts, maps, rates = [], [], [], [], []
    for clip in clips:
        T = body_transforms(body, skeleton, clip)
        low = lowest_points(body, T)
        drop = float(low[0] if project_first else np.quantile(low, GROUNDED_FRAMES, method="lower"))
        T[..., 1, 3] -= drop
        rise = low[0] - drop
        start = T[0].copy()
        start[:, 1, 3] -= rise if project_first or rise < AIRBORNE_START_HEIGHT * body.size else 0.0
        starts.append(states_from_transforms(start[None])[0])
        maps.append(velocity_map(body, start))
        rates.append(initial_rates(body, T, fps))
        drops.append(drop)
        columns.append(T[np.minimum(np.arange(frames), len(T) - 1)])
    T = np.stack(columns, 1)
    lengths = np.array([len(clip) for clip in clips], dtype=np.int64)
    states = _tensor(np.stack([states_from_transforms(T[:, i]) for i in range(len(clips))], 1))
    places = point_places(states, _tensor(body.points), torch.from_numpy(body.point_bodies))
    swinging = torch.zeros(places.shape[:3])
    for i, n in enumerate(lengths):
        swinging[:n, i : i + 1] = swinging_points(places[:n, i : i + 1], states[:n, i : i + 1, 0, :3], fps, body.size)
    return TrackingProblem(
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


def lowest_points(body: ArticulatedBody, T: Float[ndarray, "frames bodies 4 4"]) -> Float[ndarray, "frames"]:
    """Height of the lowest contact point in every frame, simulated metres."""
    of = T[:, body.point_bodies]
    return (np.einsum("fpj,pj->fp", of[..., 1, :3], body.points) + of[..., 1, 3]).min(1)


def _tensor(values: ndarray) -> Tensor:
    return torch.as_tensor(np.ascontiguousarray(values), dtype=torch.float32)
