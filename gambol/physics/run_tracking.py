"""Track clips of a character by simulation: body, problem, search, and the motion at every step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import AssetError
from gambol.motion.clip import Clip
from gambol.physics.articulated_body import Body, BodyConfig, make_body
from gambol.physics.bone_boxes import bone_boxes
from gambol.physics.gradient_tracking import DEFAULT_TRACK, Solution, TrackConfig, expand_controls, optimise, simulate
from gambol.physics.hard_ground import feet_as_simulated, on_hard_ground
from gambol.physics.newton_model import FREE
from gambol.physics.physics_settings import World, gains, world_of_living
from gambol.physics.simulator import Simulator
from gambol.physics.tracked_clip import Efforts, Simulated, clip_from_simulation, efforts
from gambol.physics.tracking_problem import Problem, make_problem
from gambol.progress import Progress

Engine = Literal["newton", "mujoco"]


@dataclass(frozen=True)
class TrackingSettings:
    """Everything that tracking can be told."""

    body: BodyConfig = field(default_factory=BodyConfig)
    world: World = field(default_factory=World)
    living: float | Literal["asis"] | None = None
    """How long the living body is, metres: it is simulated as long as `body.size` says, but feels the gravity of its
    own size. asis: as long as the character; None: as long as it is simulated."""
    track: TrackConfig = DEFAULT_TRACK
    seeds: int = 1
    """Starts per clip, side by side in one simulation; the best is kept."""
    engine: Engine | None = None
    """newton (by gradient), mujoco (without); None: newton where it is installed."""
    device: str = "cpu"


@dataclass(frozen=True)
class TrackedClip:
    """A clip as physics allows it, beside the one that was asked for."""

    clip: Clip
    """The tracked motion, on hard ground."""
    simulated: Clip
    """The same with its feet as deep in the soft ground as they were simulated."""
    target: Clip
    """What was tracked, lowered onto the ground."""
    body: Body
    world: World
    motion: Simulated
    efforts: Efforts
    loss: float
    iterations: int
    history: tuple[float, ...]


def track_clips(
    character: Character,
    clips: tuple[Clip, ...],
    *,
    settings: TrackingSettings | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
) -> tuple[TrackedClip, ...]:
    """Track clips of one character side by side. `checkpoint` is written every few iterations, and resumed from."""
    settings = settings or TrackingSettings()
    if not clips:
        raise AssetError("There is no clip to track.")
    if settings.seeds < 1:
        raise AssetError(f"Tracking from {settings.seeds} starts is not possible; give 1 or more.")
    skeleton = character.posable()
    for clip in clips:
        clip.check_fits(skeleton)
    body = make_body(skeleton, bone_boxes(character), clips, config=settings.body)
    paper = settings.track.knots == "substep"
    several = tuple(clip for clip in clips for _ in range(settings.seeds))
    world = settings.world
    if settings.living is not None:
        world = world_of_living(character.size if settings.living == "asis" else settings.living, body.size, world)
    problem = make_problem(body, skeleton, several, world, chunk=settings.track.chunk, project_first=paper)
    config, anatomy = settings.track, find_anatomy(character)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        config = replace(config, clear=0.0)  # a snake moves on what it lies on
    if settings.seeds > 1 and config.spread == 0:
        config = replace(config, spread=0.03)
    engine = settings.engine or ("newton" if _has_newton() else "mujoco")
    if engine == "newton":
        solution, motions = _track_newton(problem, config, settings.device, progress, checkpoint)
    else:
        from gambol.physics.cross_entropy import track_by_sampling

        solution, motions = track_by_sampling(problem, config, progress=progress)
    constants, found = gains(body, world), []
    for i, clip in enumerate(clips):
        copy = min(range(i * settings.seeds, (i + 1) * settings.seeds), key=lambda c: float(solution.losses[c]))
        motion = _lasting(motions[copy], len(clip))
        root = clip.root.copy()
        root[:, 1] -= problem.drops[copy] / body.scale
        target = replace(clip, root=root)
        made = clip_from_simulation(body, skeleton, target, motion)
        made = feet_as_simulated(character, anatomy, body, made, motion)
        found.append(
            TrackedClip(
                on_hard_ground(character, anatomy, body, constants, made, motion),
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
    problem: Problem, config: TrackConfig, device: str, progress: Progress | None, checkpoint: Path | None
) -> tuple[Solution, list[Simulated]]:
    time = problem.time
    if progress is not None:
        progress(0, config.iterations, "preparing the simulation (compiling it the first time)")
    simulator = Simulator(
        problem.body, problem.world, substeps=time.substeps, dt=time.dt, copies=problem.copies, device=device
    )
    saved = _Saved(checkpoint, _fingerprint(problem, config)) if checkpoint is not None else None
    solution = optimise(
        problem,
        simulator,
        config=config,
        progress=progress,
        resume=saved.read() if saved else None,
        checkpoint=saved.write if saved else None,
    )
    return solution, play(problem, simulator, solution)


def play(problem: Problem, simulator: Simulator, solution: Solution) -> list[Simulated]:
    """Every simulation step of every copy under the solution's controls."""
    states, twists = [], []

    def keep() -> None:
        q, qd = simulator.states()
        states.append(q)
        twists.append(qd)

    simulator.set_upright(solution.upright)
    with torch.no_grad():
        simulate(simulator, problem, solution.controls, solution.rates, every=keep)
        targets = expand_controls(solution.controls, problem).unflatten(1, (problem.copies, -1))[..., FREE:]
        first = torch.einsum("cbir,cr->cbi", problem.velocity_maps, solution.rates)
    copies, bodies = problem.copies, len(problem.body)
    q = np.concatenate([problem.start.numpy()[None], np.concatenate(states).reshape(-1, copies, bodies, 7)])
    qd = np.concatenate([first.numpy()[None], np.concatenate(twists).reshape(-1, copies, bodies, 6)])
    return [
        Simulated(
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


def _lasting(motion: Simulated, frames: int) -> Simulated:
    """The first frames of a motion: what a shorter clip of a batch has."""
    steps = (frames - 1) * motion.per_frame
    return replace(
        motion,
        states=motion.states[: steps + 1],
        twists=motion.twists[: steps + 1],
        targets=motion.targets[:steps],
        contacts=None if motion.contacts is None else motion.contacts[:frames],
    )


def _fingerprint(problem: Problem, config: TrackConfig) -> str:
    """What a saved state belongs to: the same clips, body, world and settings."""
    import hashlib

    digest = hashlib.sha256(repr((config, problem.world, problem.names, problem.time)).encode())
    for values in (problem.states, problem.angles, problem.rates):
        digest.update(values.numpy().tobytes())
    for array in (problem.body.masses, problem.body.inertias, problem.body.points):
        digest.update(array.tobytes())
    return digest.hexdigest()


class _Saved:
    """A file with the state of an optimisation, replaced every few iterations."""

    EVERY = 10

    def __init__(self, path: Path, fingerprint: str):
        self.path, self.fingerprint = path, fingerprint

    def read(self) -> dict[str, Any] | None:
        """The state to go on from, if there is one of the same job."""
        if not self.path.is_file():
            return None
        try:
            with torch.serialization.safe_globals([Solution]):
                saved = torch.load(self.path, weights_only=True)
        except Exception:
            return None  # half a file, or another program's: start anew
        return saved if isinstance(saved, dict) and saved.get("fingerprint") == self.fingerprint else None

    def write(self, state: dict[str, Any]) -> None:
        """Keep the state, now and then."""
        from gambol.files.atomic_write import replacing

        if state["iteration"] % self.EVERY:
            return
        with replacing(self.path) as temporary, temporary.open("wb") as file:
            torch.save({**state, "fingerprint": self.fingerprint}, file)
