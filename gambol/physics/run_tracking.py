"""Track clips of a character by simulation: build the body, optimise the controls, return the simulated motion."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

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
    optimise_controls,
    simulate,
)
from gambol.physics.hard_ground import move_feet_to_simulated, put_on_hard_ground
from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.simulated_motion import Efforts, SimulatedMotion, clip_from_simulation, efforts
from gambol.physics.simulator import Simulator
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
    engine = settings.engine or ("newton" if _has_newton() else "mujoco")
    if engine == "newton":
        solution, motions = _track_newton(problem, config, settings.device, progress, checkpoint)
    else:
        from gambol.physics.cross_entropy_tracking import track_by_sampling

        solution, motions = track_by_sampling(problem, config, progress=progress)
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
            )
        )
    return tuple(found)


def _has_newton() -> bool:
    from importlib.util import find_spec

    return find_spec("newton") is not None and find_spec("warp") is not None


def _track_newton(
    problem: TrackingProblem, config: TrackConfig, device: str, progress: Progress | None, checkpoint: Path | None
) -> tuple[TrackingSolution, list[SimulatedMotion]]:
    time = problem.time
    if progress is not None:
        progress(0, config.iterations, "preparing the simulation (compiling it the first time)")
    simulator = Simulator(
        problem.body, problem.world, substeps=time.substeps, dt=time.dt, copies=problem.copies, device=device
    )
    saved = TrackingCheckpoint(checkpoint, _fingerprint(problem, config)) if checkpoint is not None else None
    solution = optimise_controls(
        problem,
        simulator,
        config=config,
        progress=progress,
        resume=saved.read() if saved else None,
        checkpoint=saved.write if saved else None,
    )
    if progress is not None:
        progress(0, 1, "simulating the result once more")
    return solution, simulate_solution(problem, simulator, solution)


def simulate_solution(
    problem: TrackingProblem, simulator: Simulator, solution: TrackingSolution
) -> list[SimulatedMotion]:
    """Simulate the controls of a solution and return every simulation step of every copy."""
    states, twists = [], []

    def keep() -> None:
        q, qd = simulator.states()
        states.append(q)
        twists.append(qd)

    simulator.set_upright(solution.upright)
    with torch.no_grad():
        simulate(simulator, problem, solution.controls, solution.rates, every=keep)
        targets = expand_controls(solution.controls, problem).unflatten(1, (problem.copies, -1))[..., FREE_ROOT_SLOTS:]
        first = torch.einsum("cbir,cr->cbi", problem.velocity_maps, solution.rates)
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


def _fingerprint(problem: TrackingProblem, config: TrackConfig) -> str:
    """Digest of clips, body, world and settings; a checkpoint is resumed only where it is the same."""
    import hashlib

    digest = hashlib.sha256(repr((config, problem.world, problem.names, problem.time)).encode())
    for values in (problem.states, problem.angles, problem.rates):
        digest.update(values.numpy().tobytes())
    for array in (problem.body.masses, problem.body.inertias, problem.body.points):
        digest.update(array.tobytes())
    return digest.hexdigest()


class TrackingCheckpoint:
    """A file with the state of an optimisation, replaced every `INTERVAL` iterations."""

    INTERVAL = 10
    """Iterations between two writes."""

    def __init__(self, path: Path, fingerprint: str):
        self.path, self.fingerprint = path, fingerprint

    def read(self) -> dict[str, Any] | None:
        """Read the state to resume from; None where there is none of the same job."""
        if not self.path.is_file():
            return None
        try:
            with torch.serialization.safe_globals([TrackingSolution]):
                saved = torch.load(self.path, weights_only=True)
        except Exception:
            return None  # a damaged or foreign file: start again
        return saved if isinstance(saved, dict) and saved.get("fingerprint") == self.fingerprint else None

    def write(self, state: dict[str, Any]) -> None:
        """Write the state if its iteration is a multiple of `INTERVAL`."""
        from gambol.files.atomic_write import replacing

        if state["iteration"] % self.INTERVAL:
            return
        with replacing(self.path) as temporary, temporary.open("wb") as file:
            torch.save({**state, "fingerprint": self.fingerprint}, file)
