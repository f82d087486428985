"""Track clips of a character by simulation: build the body, optimise the controls, return the simulated motion."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import AssetError, ConfigError
from gambol.motion.clip import Clip
from gambol.physics.articulated_body import ArticulatedBody, BodyConfig, make_articulated_body
from gambol.physics.collision_boxes import bone_boxes
from gambol.physics.gradient_tracking import (
    DEFAULT_TRACK,
    TrackConfig,
    TrackingSolution,
    expand_controls,
    simulate,
    start_twists,
    total_loss,
)
from gambol.physics.gradient_windows import GradientWindows
from gambol.physics.hard_ground import move_feet_to_simulated, put_on_hard_ground
from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.simulated_motion import Efforts, SimulatedMotion, clip_from_simulation, efforts
from gambol.physics.simulator import Simulator
from gambol.physics.track_windows import WindowedSearch, WindowMethod, track_windows
from gambol.physics.tracking_checkpoint import TrackingCheckpoint, tracking_fingerprint
from gambol.physics.tracking_measures import measure_tracking
from gambol.physics.tracking_problem import TrackingProblem, make_tracking_problem
from gambol.physics.world import PhysicsWorld, gains, world_for_living_size
from gambol.progress import Progress

Engine = Literal["newton", "mujoco"]
"""Simulators: Newton (with gradients) and MuJoCo (without)."""


@dataclass(frozen=True)
class TrackingSettings:
    """All settings of tracking."""

    body: BodyConfig = field(default_factory=BodyConfig)
    """How bones become rigid bodies."""
    world: PhysicsWorld = field(default_factory=PhysicsWorld)
    """Gravity, ground and gains."""
    living_size: float | Literal["asis"] | None = None
    """Length of the living body, metres: it is simulated `body.size` metres long, but with the gravity that a body of
    this length feels. asis: as long as the character; None: as long as it is simulated."""
    track: TrackConfig = DEFAULT_TRACK
    """Settings of the optimisation."""
    seeds: int = 1
    """Number of starts per clip, side by side in one simulation; the best is kept."""
    engine: Engine | None = None
    """newton (by gradient) or mujoco (by sampling); None: newton where it is installed."""
    device: str = "cpu"
    """Warp device that Newton simulates on, such as cpu or cuda."""

    @property
    def used_engine(self) -> Engine:
        """The engine that was asked for, else newton where it is installed."""
        return self.engine or ("newton" if _has_newton() else "mujoco")


@dataclass(frozen=True)
class TrackedWindow:
    """One window of a tracked clip: its kept frames, its cost, and how near the simulation is to the clip there."""

    first_frame: int
    """Frame that the window begins at."""
    last_frame: int
    """Last frame that is kept of it."""
    iterations: int
    """Optimiser steps; rounds of sampling for the search on MuJoCo."""
    simulation_steps: int
    """Simulation steps of the search, forward, all copies counted."""
    mpjpe_sizes: float
    """Mean distance of the joints from the target's over the kept frames, sizes."""


@dataclass(frozen=True)
class TrackedClip:
    """A clip as physics allows it, with the simulation behind it."""

    clip: Clip
    """The tracked motion, on hard ground."""
    simulated: Clip
    """The tracked motion with its feet as deep in the soft ground as they were simulated."""
    target: Clip
    """The clip that was tracked, lowered onto the ground."""
    body: ArticulatedBody
    """The simulated bodies."""
    world: PhysicsWorld
    """The world that they were simulated in."""
    motion: SimulatedMotion
    """The simulated motion at every step."""
    efforts: Efforts
    """Torques and forces at the frames."""
    loss: float
    """Total loss of the tracked motion."""
    iterations: int
    """Optimiser steps that were taken."""
    history: tuple[float, ...]
    """Mean loss in each iteration."""
    windows: tuple[TrackedWindow, ...]
    """The windows that it was tracked in, one after the other."""
    cpu_seconds: float
    """CPU seconds of the search for all clips that were tracked side by side, over all runs where it was resumed."""


def track_clips(
    character: Character,
    clips: tuple[Clip, ...],
    *,
    settings: TrackingSettings | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
) -> tuple[TrackedClip, ...]:
    """Track clips of one character side by side; `checkpoint` is written every few iterations and resumed from."""
    settings = settings or TrackingSettings()
    if not clips:
        raise AssetError("There is no clip to track.")
    if settings.seeds < 1:
        raise ConfigError(f"Tracking from {settings.seeds} starts is not possible; give 1 or more.")
    skeleton = character.require_skeleton()
    for clip in clips:
        clip.check_fits(skeleton)
    body = make_articulated_body(skeleton, bone_boxes(character), clips, config=settings.body)
    paper = settings.track.knots == "substep"
    several = tuple(clip for clip in clips for _ in range(settings.seeds))
    world = settings.world
    if settings.living_size is not None:
        world = world_for_living_size(
            character.size if settings.living_size == "asis" else settings.living_size, body.size, world
        )
    problem = make_tracking_problem(body, skeleton, several, world, chunk=settings.track.chunk, project_first=paper)
    config, anatomy = settings.track, find_anatomy(character)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        config = replace(config, clear=0.0)  # a snake moves on what it lies on
    if settings.seeds > 1 and config.spread == 0:
        config = replace(config, spread=0.03)
    saved = TrackingCheckpoint(checkpoint, tracking_fingerprint(problem, config, settings.used_engine, settings.seeds))
    method, search, solution, motions = _track(problem, config, settings, progress, saved)
    constants, found = gains(body, world), []
    for i, clip in enumerate(clips):
        if progress is not None:
            progress(i, len(clips), "putting the feet on hard ground")
        copy = min(range(i * settings.seeds, (i + 1) * settings.seeds), key=lambda c: float(solution.losses[c]))
        motion = _first_frames(motions[copy], len(clip))
        root = clip.root.copy()
        root[:, 1] -= problem.drops[copy] / body.scale
        target = replace(clip, root=root)
        made = clip_from_simulation(body, skeleton, target, motion)
        made = move_feet_to_simulated(character, anatomy, body, made, motion)
        found.append(
            TrackedClip(
                put_on_hard_ground(character, anatomy, body, constants, made, motion),
                made,
                target,
                body,
                world,
                motion,
                efforts(body, constants, motion),
                float(solution.losses[copy]),
                solution.iterations,
                solution.history,
                _window_numbers(method, search, body, motion, problem.states[:, copy].double().numpy()),
                saved.cpu_seconds,
            )
        )
    return tuple(found)


def _window_numbers(
    method: WindowMethod,
    search: WindowedSearch,
    body: ArticulatedBody,
    motion: SimulatedMotion,
    target: Float[ndarray, "frames bodies 7"],
) -> tuple[TrackedWindow, ...]:
    """Cost and distance of each window; of a clip that is shorter than others only the windows that it reaches."""
    found, states = [], motion.frame_states
    for window, iterations, steps in zip(method.windows, search.iterations, search.steps, strict=True):
        first, last = window.first, min(window.handover, len(states) - 1)
        if first < last:
            part = slice(first, last + 1)
            away = measure_tracking(body, states[part], target[part]).mpjpe_sizes
            found.append(TrackedWindow(first, last, iterations, steps, away))
    return tuple(found)


def _has_newton() -> bool:
    from importlib.util import find_spec

    return find_spec("newton") is not None and find_spec("warp") is not None


def _track(
    problem: TrackingProblem,
    config: TrackConfig,
    settings: TrackingSettings,
    progress: Progress | None,
    saved: TrackingCheckpoint,
) -> tuple[WindowMethod, WindowedSearch, TrackingSolution, list[SimulatedMotion]]:
    """Search all windows, then simulate all controls once, from the first state to the last frame."""
    method: WindowMethod
    if settings.used_engine == "newton":
        time = problem.time
        if progress is not None:
            progress(0, config.iterations, "preparing the simulation (compiling it the first time)")
        simulator = Simulator(
            problem.body,
            problem.world,
            substeps=time.substeps,
            dt=time.dt,
            copies=problem.copies,
            device=settings.device,
        )
        method = GradientWindows(problem, simulator, config, starts=settings.seeds)
        found = track_windows(method, saved, progress=progress)
        solution = joined_solution(found)
        if progress is not None:
            progress(0, 1, "simulating the result once more")
        motions = simulate_solution(problem, simulator, solution)
    else:
        from gambol.physics.cross_entropy_tracking import SamplingWindows

        method = SamplingWindows(problem, config)
        found = track_windows(method, saved, progress=progress)
        solution, motions = joined_solution(found), method.replay(found)
    states = torch.as_tensor(np.stack([m.frame_states for m in motions], 1), dtype=torch.float32)
    return method, found, replace(solution, losses=total_loss(states, solution.controls, problem, config)), motions


def joined_solution(found: WindowedSearch) -> TrackingSolution:
    """All windows' controls as one solution."""
    return TrackingSolution(
        found.controls.float(), found.rates, found.losses, found.upright, sum(found.iterations), found.history
    )


def simulate_solution(
    problem: TrackingProblem, simulator: Simulator, solution: TrackingSolution
) -> list[SimulatedMotion]:
    """Simulate the controls of a solution and return every simulation step of every copy.

    Open loop: nothing but the controls and the start decides the motion, and the same call gives the same bits again.
    """
    states, twists = [], []

    def keep() -> None:
        q, qd = simulator.states()
        states.append(q)
        twists.append(qd)

    simulator.set_upright(solution.upright)
    with torch.no_grad():
        simulate(simulator, problem, solution.controls, solution.rates, every=keep)
        targets = expand_controls(solution.controls, problem).unflatten(1, (problem.copies, -1))[..., FREE_ROOT_SLOTS:]
        first = start_twists(problem, solution.rates)
    copies, bodies = problem.copies, len(problem.body)
    q = np.concatenate([problem.start.numpy()[None], np.concatenate(states).reshape(-1, copies, bodies, 7)])
    qd = np.concatenate([first.numpy()[None], np.concatenate(twists).reshape(-1, copies, bodies, 6)])
    return [
        SimulatedMotion(
            problem.time.fps,
            problem.time.per_frame,
            q[:, i].astype(np.float64),
            qd[:, i].astype(np.float64),
            targets[:, i].unflatten(1, (-1, 3)).double().numpy(),
            solution.rates[i].double().numpy(),
            solution.upright,
            "newton",
        )
        for i in range(copies)
    ]


def _first_frames(motion: SimulatedMotion, frames: int) -> SimulatedMotion:
    """The first frames of a motion; a clip that is shorter than others of its batch has no more."""
    steps = (frames - 1) * motion.per_frame
    return replace(
        motion,
        states=motion.states[: steps + 1],
        twists=motion.twists[: steps + 1],
        targets=motion.targets[:steps],
        contacts=None if motion.contacts is None else motion.contacts[:frames],
    )
