"""The whole recipe of an embedded prior: bases, films, training, weights; every step goes on where it was stopped.

FOLDER/basis.safetensors   the two linear bases, from films of `basis_individuals` creatures
FOLDER/shards/             latents of films: made-00000 ..., file-00000 ..., body-00000 ...
FOLDER/held-out/           the same of creatures that are never trained on
FOLDER/checkpoint.pt, log.jsonl, motion.safetensors
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.diffusion.video_prior import PriorError
from gambol.files.atomic_write import replacing
from gambol.priors.embedded.latents import (
    MOTION_NUMBERS,
    REST_NUMBERS,
    FilmLatents,
    latent_tensors,
    latents_of_tensors,
)
from gambol.priors.embedded.linear_latents import fit_basis
from gambol.priors.embedded.network import NetworkShape
from gambol.priors.embedded.prior import load_embedded, save_embedded
from gambol.progress import Progress
from gambol.training.embedded.creature_clips import draw_individual, film_made_clips
from gambol.training.embedded.file_bodies import body_files, body_shard
from gambol.training.embedded.file_clips import FileClip, film_file_clips, labelled_clips
from gambol.training.embedded.shards import CLIPS, Samples, made_shard, read_shards, write_shard
from gambol.training.embedded.train import TrainingSettings, new_network, train

BASIS_SEED = 7
BASIS_CLIPS, BASIS_FRAMES = 12, 8
HELD_OUT_FIRST = 100_000
"""Shards from here on are never trained on."""


@dataclass(frozen=True)
class Recipe:
    """How an embedded prior is made."""

    files: Path | None = None
    """A folder with animated .glb, .gltf, .fbx and .bvh files."""
    leave_out: tuple[str, ...] = ()
    """Parts of paths of files that are not trained on."""
    individuals: int = 2600
    """Creatures made by code, with 16 films each."""
    file_shards: int = 300
    body_shards: int = 400
    """Of files' characters in random proportions that do motions made by code, 16 films each."""
    basis_individuals: int = 240
    held_out: int = 20
    seed: int = 0
    processes: int = 2
    training: TrainingSettings = field(default_factory=TrainingSettings)
    start_from: Path | None = None
    """Weights to go on from, instead of random ones; their bases are used too."""


def make_prior(recipe: Recipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Follow the recipe; returns the file of weights."""
    folder.mkdir(parents=True, exist_ok=True)
    if recipe.files is not None and not recipe.files.is_dir():
        raise PriorError(f"{recipe.files} is no folder; give a folder with animated .glb, .gltf, .fbx or .bvh files.")
    latents = _latents(recipe, folder, progress)
    made = [folder / "shards" / f"made-{i:05d}.safetensors" for i in range(recipe.individuals)]
    held = [folder / "held-out" / f"made-{i:05d}.safetensors" for i in range(recipe.held_out)]
    jobs: list[Callable[[], None]] = [
        partial(_made, path, recipe.seed, i, folder) for i, path in enumerate(made) if not path.exists()
    ]
    jobs += [
        partial(_made, path, recipe.seed, HELD_OUT_FIRST + 2 * i, folder)
        for i, path in enumerate(held)
        if not path.exists()
    ]
    groups = _groups(recipe)
    filed = [folder / "shards" / f"file-{i:05d}.safetensors" for i in range(recipe.file_shards if groups else 0)]
    jobs += [
        partial(_filed, path, groups[i % len(groups)], recipe.seed, i, folder)
        for i, path in enumerate(filed)
        if not path.exists()
    ]
    bodies = [] if recipe.files is None else body_files(recipe.files, leave_out=recipe.leave_out)
    bodied = [folder / "shards" / f"body-{i:05d}.safetensors" for i in range(recipe.body_shards if bodies else 0)]
    jobs += [
        partial(_bodied, path, bodies[i % len(bodies)], recipe.seed, i, folder)
        for i, path in enumerate(bodied)
        if not path.exists()
    ]
    _run(jobs, recipe.processes, progress)
    samples, unseen = (read_shards([p for p in paths if p.exists()]) for paths in ([*made, *filed, *bodied], held))
    network = train(_start(recipe, samples), samples, unseen, recipe.training, folder, progress=progress)
    target = folder / "motion.safetensors"
    save_embedded(target, network, latents, facts(recipe, len(samples)))
    load_embedded(target)
    return target


def facts(recipe: Recipe, clips: int) -> dict[str, str]:
    """What the weights' file says about their making."""
    training = recipe.training
    return {
        "clips": str(clips),
        "steps": str(training.steps),
        "batch": str(training.batch),
        "seed": str(recipe.seed),
        "files": "" if recipe.files is None else recipe.files.name,
    }


def _latents(recipe: Recipe, folder: Path, progress: Progress | None) -> FilmLatents:
    path = folder / "basis.safetensors"
    if not path.exists():
        if recipe.start_from is not None:
            latents = load_embedded(recipe.start_from).latents
        else:
            latents = fit_latents(recipe, progress)
        with replacing(path) as temporary:
            save_file(latent_tensors(latents), temporary)
    return read_latents(path)


def read_latents(path: Path) -> FilmLatents:
    """Both bases of a file."""
    return latents_of_tensors(load_file(path))


def fit_latents(recipe: Recipe, progress: Progress | None) -> FilmLatents:
    """The bases that show most of the films of `basis_individuals` creatures."""
    least = -(-(REST_NUMBERS + 16) // BASIS_CLIPS)
    if recipe.basis_individuals < least:
        raise PriorError(
            f"{recipe.basis_individuals} creatures are too few to fit a basis; {least} individuals or more do."
        )
    with ProcessPoolExecutor(recipe.processes, mp_context=get_context("spawn")) as pool:
        found = []
        for i, part in enumerate(pool.map(basis_frames, range(recipe.basis_individuals))):
            found.append(part)
            if progress is not None:
                progress(i + 1, recipe.basis_individuals, "films for the basis")
    frames, rests = (torch.cat([part[k] for part in found]).float() / 255.0 for k in (0, 1))
    moved = (frames - rests[:, None]).flatten(2).flatten(0, 1)
    return FilmLatents(
        fit_basis(moved, MOTION_NUMBERS, centred=False), fit_basis(rests.flatten(1), REST_NUMBERS, centred=True)
    )


def basis_frames(individual: int) -> tuple[UInt8[Tensor, "clips some 3 h w"], UInt8[Tensor, "clips 3 h w"]]:
    """Some frames of some films of one creature, and the rest frames."""
    torch.set_num_threads(1)
    generator = np.random.default_rng([BASIS_SEED, individual])
    frames, rests = [], []
    for film in film_made_clips(draw_individual(generator), BASIS_CLIPS, generator):
        chosen = generator.choice(len(film.frames), BASIS_FRAMES, replace=False)
        frames.append((film.frames[chosen] * 255).round().to(torch.uint8))
        rests.append((film.rest * 255).round().to(torch.uint8))
    return torch.stack(frames), torch.stack(rests)


def _made(path: Path, seed: int, index: int, folder: Path) -> None:
    write_shard(path, partial(made_shard, seed, index), read_latents(folder / "basis.safetensors"))


def _filed(path: Path, clips: list[FileClip], seed: int, index: int, folder: Path) -> None:
    generator = np.random.default_rng([seed, 1, index])
    write_shard(path, partial(film_file_clips, clips, CLIPS, generator), read_latents(folder / "basis.safetensors"))


def _bodied(path: Path, body: Path, seed: int, index: int, folder: Path) -> None:
    write_shard(path, partial(body_shard, body, seed, index), read_latents(folder / "basis.safetensors"))


def _groups(recipe: Recipe) -> list[list[FileClip]]:
    """The clips of each character file; motion capture in groups of four files."""
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


def _run(jobs: list[Callable[[], None]], processes: int, progress: Progress | None) -> None:
    """All jobs, in so many processes of one thread each."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_one_thread) as pool:
        for i, future in enumerate([pool.submit(job) for job in jobs]):
            future.result()
            if progress is not None:
                progress(i + 1, len(jobs), "films")


def _one_thread() -> None:
    torch.set_num_threads(1)


def _start(recipe: Recipe, samples: Samples):  # type: ignore[no-untyped-def]
    if recipe.start_from is not None:
        return load_embedded(recipe.start_from).network.train()
    return new_network(samples, NetworkShape(), recipe.seed)
