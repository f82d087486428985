"""Recipe of the embedded prior: bases, rendered clips, training, weights; a stopped run resumes at any step.

FOLDER/basis.safetensors   the two linear bases, fitted to clips of `basis_individuals` creatures
FOLDER/shards/             latents of clips: made-00000 ..., file-00000 ..., body-00000 ...
FOLDER/held-out/           latents of creatures that are never trained on
FOLDER/checkpoint.pt, log.jsonl, motion.safetensors
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.errors import PriorError
from gambol.files.atomic_write import replacing
from gambol.priors.embedded.latents import (
    MOTION_NUMBERS,
    REST_NUMBERS,
    VideoLatents,
    latent_tensors,
    latents_of_tensors,
)
from gambol.priors.embedded.network import MotionNetwork, NetworkShape
from gambol.priors.embedded.picture_basis import fit_basis
from gambol.priors.embedded.prior import load_embedded, save_embedded
from gambol.progress import Progress
from gambol.training.embedded.creature_clips import RenderedClip, draw_individual, render_creature_clips
from gambol.training.embedded.file_bodies import body_files, render_body_shard
from gambol.training.embedded.file_clips import FileClip, labelled_clips, render_file_shard
from gambol.training.embedded.shards import (
    LatentSamples,
    read_shards,
    render_creature_shard,
    write_shard,
)
from gambol.training.embedded.train import DenoiserTraining, new_network, train_motion_network
from gambol.training.process_pool import run_jobs

BASIS_FILE = "basis.safetensors"
"""Name of the file of the bases in the training's folder."""
BASIS_SEED = 7
"""Seed of the creatures that the bases are fitted to."""
BASIS_CLIPS, BASIS_FRAMES = 12, 8
"""Clips of each creature, and frames of each clip, that the bases are fitted to."""
FIRST_HELD_OUT_SHARD = 100_000
"""Index of the first held-out shard; shards from here on are never trained on."""


@dataclass(frozen=True)
class PriorRecipe:
    """Data and settings of an embedded prior's training."""

    files: Path | None = None
    """A folder with animated .glb, .gltf, .fbx and .bvh files; None trains on procedural creatures only."""
    leave_out: tuple[str, ...] = ()
    """Parts of paths of files that are not trained on."""
    individuals: int = 2600
    """Procedural creatures, with 16 clips each."""
    file_shards: int = 300
    """Shards of 16 clips of the files."""
    body_shards: int = 400
    """Shards of 16 clips of the files' characters, in random proportions, doing procedural motions."""
    basis_individuals: int = 240
    """Procedural creatures that the bases of the latents are fitted to."""
    held_out: int = 20
    """Procedural creatures that are held out for the log."""
    seed: int = 0
    """Seed of creatures, clips and training."""
    processes: int = 2
    """Processes that render clips."""
    training: DenoiserTraining = field(default_factory=DenoiserTraining)
    """Settings of the training."""
    start_from: Path | None = None
    """Weights to start from instead of random ones; their bases are used too."""


def train_embedded_prior(recipe: PriorRecipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Train as the recipe says, resuming what the folder holds; returns the weights file."""
    folder.mkdir(parents=True, exist_ok=True)
    if recipe.files is not None and not recipe.files.is_dir():
        raise PriorError(f"{recipe.files} is no folder; give a folder with animated .glb, .gltf, .fbx or .bvh files.")
    latents = _latents(recipe, folder, progress)
    groups = _groups(recipe)
    bodies = [] if recipe.files is None else body_files(recipe.files, leave_out=recipe.leave_out)
    seed, shards = recipe.seed, folder / "shards"
    renders = {
        "made": [partial(render_creature_shard, seed, i) for i in range(recipe.individuals)],
        "file": [partial(render_file_shard, groups[i % len(groups)], seed, i) for i in range(recipe.file_shards)]
        if groups
        else [],
        "body": [partial(render_body_shard, bodies[i % len(bodies)], seed, i) for i in range(recipe.body_shards)]
        if bodies
        else [],
    }
    trained = {
        shards / f"{name}-{i:05d}.safetensors": job for name, jobs in renders.items() for i, job in enumerate(jobs)
    }
    held = {
        folder / "held-out" / f"made-{i:05d}.safetensors": partial(
            render_creature_shard, seed, FIRST_HELD_OUT_SHARD + 2 * i
        )
        for i in range(recipe.held_out)
    }
    missing = [(path, render) for path, render in (trained | held).items() if not path.exists()]
    writers = [partial(_write, path, render, folder / BASIS_FILE) for path, render in missing]
    run_jobs(writers, recipe.processes, progress=progress, what="clips")
    samples, unseen = (read_shards([path for path in paths if path.exists()]) for paths in (trained, held))
    network = train_motion_network(_start(recipe, samples), samples, unseen, recipe.training, folder, progress=progress)
    target = folder / "motion.safetensors"
    save_embedded(target, network, latents, prior_metadata(recipe, len(samples)))
    load_embedded(target)
    return target


def prior_metadata(recipe: PriorRecipe, clips: int) -> dict[str, str]:
    """Return the metadata of the weights file: data and settings of the training."""
    training = recipe.training
    return {
        "clips": str(clips),
        "steps": str(training.steps),
        "batch": str(training.batch),
        "seed": str(recipe.seed),
        "files": "" if recipe.files is None else recipe.files.name,
    }


def _latents(recipe: PriorRecipe, folder: Path, progress: Progress | None) -> VideoLatents:
    path = folder / BASIS_FILE
    if not path.exists():
        if recipe.start_from is not None:
            latents = load_embedded(recipe.start_from).latents
        else:
            latents = fit_latents(recipe, progress)
        with replacing(path) as temporary:
            save_file(latent_tensors(latents), temporary)
    return read_latents(path)


def read_latents(path: Path) -> VideoLatents:
    """Read both bases of a file."""
    return latents_of_tensors(load_file(path))


def fit_latents(recipe: PriorRecipe, progress: Progress | None) -> VideoLatents:
    """Fit the bases to clips of `basis_individuals` creatures."""
    least = -(-(REST_NUMBERS + 16) // BASIS_CLIPS)
    if recipe.basis_individuals < least:
        raise PriorError(
            f"{recipe.basis_individuals} creatures are too few to fit a basis; allowed are {least} or more."
        )
    jobs = [partial(basis_frames, i) for i in range(recipe.basis_individuals)]
    found = run_jobs(jobs, recipe.processes, progress=progress, what="clips for the basis")
    frames, rests = (torch.cat([part[k] for part in found]).float() / 255.0 for k in (0, 1))
    moved = (frames - rests[:, None]).flatten(2).flatten(0, 1)
    return VideoLatents(
        fit_basis(moved, MOTION_NUMBERS, centred=False), fit_basis(rests.flatten(1), REST_NUMBERS, centred=True)
    )


def basis_frames(individual: int) -> tuple[UInt8[Tensor, "clips some 3 h w"], UInt8[Tensor, "clips 3 h w"]]:
    """Render some frames of some clips of one creature, and the rest frames, as bytes."""
    generator = np.random.default_rng([BASIS_SEED, individual])
    frames, rests = [], []
    for clip in render_creature_clips(draw_individual(generator), BASIS_CLIPS, generator):
        chosen = generator.choice(len(clip.frames), BASIS_FRAMES, replace=False)
        frames.append((clip.frames[chosen] * 255).round().to(torch.uint8))
        rests.append((clip.rest * 255).round().to(torch.uint8))
    return torch.stack(frames), torch.stack(rests)


def _write(path: Path, render: Callable[[], list[RenderedClip]], basis: Path) -> None:
    write_shard(path, render, read_latents(basis))


def _groups(recipe: PriorRecipe) -> list[list[FileClip]]:
    """Group the labelled clips by character file; motion capture in groups of four clips."""
    if recipe.files is None:
        return []
    clips = labelled_clips(recipe.files, leave_out=recipe.leave_out)
    if not clips:
        raise PriorError(
            f"No clip under {recipe.files} has a name that says a motion; add a labels.csv (docs/priors.md)."
        )
    by_file: dict[str, list[FileClip]] = {}
    captured = 0
    for clip in clips:
        is_capture = clip.path.suffix.lower() == ".bvh"
        key = f"capture {captured // 4}" if is_capture else str(clip.path)
        captured += is_capture
        by_file.setdefault(key, []).append(clip)
    return list(by_file.values())


def _start(recipe: PriorRecipe, samples: LatentSamples) -> MotionNetwork:
    """Return the network that training starts from."""
    if recipe.start_from is not None:
        return load_embedded(recipe.start_from).network.train()
    return new_network(samples, NetworkShape(), recipe.seed)
