"""Poses from a video prior: creatures are asked for motions, and the rig is fitted to what the prior proposes (ViPS).

Route `films`: the prior proposes a film of a random style, and the joints are fitted to it. Route
`distilled`: a clip is made by score distillation. Every frame of a clip is a pose; poses that violate a validator are
left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from gambol import __version__
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits.make_motion import motions_for
from gambol.creatures.gaits.moving_body import measure_body
from gambol.distill.method import Method
from gambol.distill.optimised_body import make_subject
from gambol.distill.presets import SKETCH
from gambol.distill.problem import Problem, clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.distill.video_fit import VideoFit
from gambol.errors import ConfigError, GambolError
from gambol.motion.clip import Clip
from gambol.poses.pose_parameters import parameters_from_clip
from gambol.poses.pose_rig import make_pose_rig
from gambol.priors.embedded.prior import WEIGHTS, EmbeddedPrior, load_embedded
from gambol.priors.embedded.style import StyleConditioning
from gambol.progress import Progress
from gambol.scale.choose_executor import LOCAL
from gambol.training.embedded.creature_clips import CREATURE_VERTICES, draw_motion, film_body
from gambol.training.embedded.retargeted_films import body_files, draw_file_body
from gambol.training.poses.shards import PoseShard, only_sound, write_poses
from gambol.training.process_pool import run_jobs
from gambol.training.text.phrases import phrase

Route = Literal["films", "distilled"]
"""How a clip is made from the prior."""
FILE_BODY_EVERY = 4
"""One of so many individuals is a file's body, if files are given."""
FILE_BODY_SUBJECT = "character"
"""What a file's body is called in sentences."""


@dataclass(frozen=True)
class CollectSettings:
    """What is collected, and with how much effort."""

    individuals: int = 220
    """Number of individuals; the families take turns."""
    clips: int = 5
    """Clips of each creature, 48 poses each."""
    route: Route = "films"
    """How clips are made: fitted to proposed videos, or by score distillation."""
    calls: int = 12
    """Calls of the prior for each proposed video."""
    guidance: float = 1.5
    """How strongly the sentence counts; more makes larger motions than real ones."""
    steps: int = 30
    """Optimiser steps of each clip."""
    families: tuple[str, ...] = ()
    """Families to draw creatures from; empty draws from all."""
    bodies: Path | None = None
    """A folder of rigged .glb files: every fourth individual is one of their bodies, in random proportions."""
    leave_out: tuple[str, ...] = ()
    """Parts of paths of files whose bodies are left out."""
    weights: Path | None = None
    """Weights that `gambol prior train` wrote, instead of the shipped ones."""
    seed: int = 0
    """Seed of creatures, prompts and samples."""
    processes: int = 1
    """Number of processes."""
    address: str = LOCAL
    """Where they run: local, or a Ray cluster whose nodes share the disk of all folders."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.families if name not in CREATURE_FAMILIES]
        if unknown:
            raise ConfigError(f"There is no family {', '.join(unknown)}; there are {', '.join(CREATURE_FAMILIES)}.")
        for name in ("individuals", "clips", "calls", "steps", "processes"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 1 or more.")


def collect_poses(settings: CollectSettings, folder: Path, *, progress: Progress | None = None) -> list[Path]:
    """Make all shards that do not exist yet, so that a stopped run resumes; returns all paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{settings.route}-{i:05d}.safetensors" for i in range(settings.individuals)]
    jobs: list[Callable[[], int]] = [
        partial(_collect_to, p, settings, i) for i, p in enumerate(paths) if not p.exists()
    ]
    if settings.processes > 1 or settings.address != LOCAL:
        run_jobs(jobs, settings.processes, address=settings.address, progress=progress, what="creatures")
        return paths
    torch.set_num_threads(1)
    poses = 0
    for i, job in enumerate(jobs):
        poses += job()
        if progress is not None:
            progress(i + 1, len(jobs), f"{poses} poses")
    return paths


def collect_individual(prior: EmbeddedPrior, settings: CollectSettings, index: int, prior_name: str) -> PoseShard:
    """Collect the sound poses of individual `index`; they depend on the settings, the prior and the index alone."""
    generator = np.random.default_rng([settings.seed, 17, index])
    kind, character, anatomy = draw_character(settings, index, generator)
    subject, rig = make_subject(character, anatomy), make_pose_rig(character, anatomy)
    individual, body = film_body(kind, character, anatomy), measure_body(character, anatomy)
    motions = generator.permutation(motions_for(anatomy))
    poses: list[Tensor] = []
    clips: list[Tensor] = []
    prompts: list[str] = []
    for k in range(settings.clips):
        motion = str(motions[k % len(motions)])
        prompt = phrase(motion, kind if kind in CREATURE_FAMILIES else FILE_BODY_SUBJECT, generator)
        seed = int(generator.integers(2**31))
        problem = make_problem(prior, subject, prompt, losses=SKETCH.losses, seed=seed)
        style = draw_motion(individual, body, motion, generator)[1]
        try:
            clip = imagined_clip(prior, problem, style, settings)
        except GambolError:  # a fit that ran away teaches nothing
            continue
        x = parameters_from_clip(rig, clip)
        poses.append(x)
        clips.append(torch.full((len(x),), len(prompts)))
        prompts.append(prompt)
    facts = {
        "route": settings.route,
        "kind": kind,
        "prior": prior_name,
        "prompts": json.dumps(prompts),
        "seed": f"{settings.seed}/{index}",
        "fit": f"{settings.calls} calls, guidance {settings.guidance:g}, {settings.steps} steps",
        "version": __version__,
    }
    if not poses:
        poses, clips = [torch.zeros(0, len(rig), 3)], [torch.zeros(0, dtype=torch.int64)]
    return only_sound(PoseShard(rig, torch.cat(poses), torch.cat(clips), facts))


def draw_character(
    settings: CollectSettings, index: int, generator: np.random.Generator
) -> tuple[str, Character, Anatomy]:
    """Return the kind, character and anatomy of individual `index`: a procedural creature or a file's body."""
    bodies = _bodies(settings.bodies, settings.leave_out)
    if bodies and index % FILE_BODY_EVERY == FILE_BODY_EVERY - 1:
        path = bodies[index // FILE_BODY_EVERY % len(bodies)]
        individual = draw_file_body(path, generator)
        return path.stem, individual.character, individual.anatomy
    families = settings.families or tuple(CREATURE_FAMILIES)
    noun = families[index % len(families)]
    creature = make_creature(noun, generator, vertices=CREATURE_VERTICES)
    character = creature.character()
    return noun, character, creature.anatomy(character)


def imagined_clip(prior: EmbeddedPrior, problem: Problem, style: StyleConditioning, settings: CollectSettings) -> Clip:
    """One clip of what the prior sees in the problem's sentence, in a given style."""
    method: Method = SKETCH.scores.with_steps(settings.steps)
    if settings.route == "films":
        problem = replace(problem, conditions=tuple(prior.with_style(c, style) for c in problem.conditions))
        method = VideoFit(settings.steps, calls=settings.calls, guidance=settings.guidance)
    return clip_of(problem, run_methods(problem, (method,)).coefficients, "imagined")


@cache
def _bodies(folder: Path | None, leave_out: tuple[str, ...]) -> list[Path]:
    return [] if folder is None else body_files(folder, leave_out=leave_out)


def _collect_to(path: Path, settings: CollectSettings, index: int) -> int:
    prior, name = _prior(settings.weights)
    shard = collect_individual(prior, settings, index, name)
    write_poses(path, shard)
    return len(shard)


@cache
def _prior(weights: Path | None) -> tuple[EmbeddedPrior, str]:
    path = weights or WEIGHTS
    prior = load_embedded(weights)
    return prior, f"embedded {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
