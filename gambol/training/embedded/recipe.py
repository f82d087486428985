"""Recipe of the embedded prior: films of parts, training, weights; a stopped run resumes at any step.

FOLDER/shards/             films: made-00000 ..., retargeted-00000 ..., own-00000 ..., body-00000 ...
FOLDER/held-out/           films of creatures that are never trained on, for the log and for what is known of films
FOLDER/many-motions/       the same, of bodies that can do what few others can, for what is known of films
FOLDER/checkpoint.pt, log.jsonl, motion.safetensors
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from gambol.creatures.catalogue import CREATURE_FAMILIES
from gambol.errors import PriorError
from gambol.priors.embedded.network import MotionNetwork, NetworkShape
from gambol.priors.embedded.prior import load_embedded, save_embedded
from gambol.progress import Progress
from gambol.scale.choose_executor import LOCAL
from gambol.training.embedded.creature_clips import IndividualFilms
from gambol.training.embedded.file_clips import FileClip, anatomy_of, labelled_clips
from gambol.training.embedded.measure_knowledge import measure_knowledge
from gambol.training.embedded.retargeted_films import (
    BodyPlanKey,
    body_files,
    body_plan_key,
    file_body_films,
    nouns_by_plan,
    own_body_films,
    retargeted_films,
)
from gambol.training.embedded.shards import FILMS_PER_SHARD, FilmSamples, creature_shard, read_shards, write_shard
from gambol.training.embedded.train import FilmTraining, new_network, train_motion_network
from gambol.training.process_pool import run_jobs
from gambol.training.text.phrase_bank import phrase_embeddings

FIRST_HELD_OUT_SHARD = 100_000
"""Index of the first held-out shard; shards from here on are never trained on."""
FIRST_MANY_MOTIONS_SHARD = 200_000
"""Index of the first held-out shard of bodies with motions that few others have."""
MANY_MOTIONS_NOUNS = ("human", "woman", "eagle", "child", "snake")
"""Families with motions that few others have: held out more often than their share, so that each motion is measured."""
MOST_PLAN_CLIPS = 150
"""Clips of a body plan beyond which it is not retargeted more often."""
RETARGETED, OWN, BODY = 1, 2, 3
"""Second number of the seeds of shards of real motion, of files' own clips, and of files' bodies."""


@dataclass(frozen=True)
class PriorRecipe:
    """Data and settings of an embedded prior's training."""

    files: Path | None = None
    """A folder with animated .glb, .gltf, .fbx and .bvh files; None trains on procedural creatures only."""
    leave_out: tuple[str, ...] = ()
    """Parts of paths of files that are not trained on."""
    leave_families: tuple[str, ...] = ()
    """Families of creatures that are not trained on, to see how the prior does on bodies unlike all others."""
    individuals: int = 3000
    """Procedural creatures, with 16 films each."""
    retargeted_shards: int = 700
    """Shards of 16 films of real clips on procedural bodies."""
    own_shards: int = 150
    """Shards of 16 films of files' clips on their own bodies."""
    body_shards: int = 300
    """Shards of 16 films of files' characters, most in random proportions, doing procedural motions."""
    held_out: int = 150
    """Procedural creatures that are held out for the log and for what is known of films."""
    many_motions: int = 100
    """Procedural people, birds and snakes that are held out too, for what is known of films of rare motions."""
    seed: int = 0
    """Seed of creatures, films and training."""
    processes: int = 2
    """Processes that make films."""
    address: str = LOCAL
    """Where they run: local, or a Ray cluster whose nodes share the folder's disk."""
    network: NetworkShape = field(default_factory=NetworkShape)
    """Size of the network."""
    training: FilmTraining = field(default_factory=FilmTraining)
    """Settings of the training."""
    start_from: Path | None = None
    """Weights to start from instead of random ones."""


def train_embedded_prior(recipe: PriorRecipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Train as the recipe says, resuming what the folder holds; returns the weights file."""
    folder.mkdir(parents=True, exist_ok=True)
    if recipe.files is not None and not recipe.files.is_dir():
        raise PriorError(f"{recipe.files} is no folder; give a folder with animated .glb, .gltf, .fbx or .bvh files.")
    trained, held = training_shards(recipe, folder), held_out_shards(recipe, folder)
    more = many_motions_shards(recipe, folder)
    missing = [(path, make) for path, make in (trained | held | more).items() if not path.exists()]
    writers = [partial(write_shard, path, make) for path, make in missing]
    run_jobs(writers, recipe.processes, address=recipe.address, progress=progress, what="films")
    samples, unseen, measured = (
        read_shards([path for path in paths if path.exists()]) for paths in (trained, held, held | more)
    )
    bank = phrase_embeddings(recipe.seed)
    start = _start(recipe, samples)
    network = train_motion_network(start, samples, unseen, bank, recipe.training, folder, progress=progress)
    target = folder / "motion.safetensors"
    known = measure_knowledge(network, measured, samples, bank)
    save_embedded(target, network, known, prior_metadata(recipe, len(samples)))
    load_embedded(target)
    return target


def training_shards(recipe: PriorRecipe, folder: Path) -> dict[Path, Callable[[], IndividualFilms]]:
    """Where each shard of the training is, and what makes it."""
    nouns = tuple(noun for noun in CREATURE_FAMILIES if noun not in recipe.leave_families)
    makers: dict[str, list[Callable[[], IndividualFilms]]] = {
        "made": [partial(creature_shard, recipe.seed, i, nouns) for i in range(recipe.individuals)]
    }
    if recipe.files is not None:
        clips = labelled_clips(recipe.files, leave_out=recipe.leave_out)
        if not clips:
            raise PriorError(
                f"No clip under {recipe.files} has a name that says a motion; add a labels.csv (docs/priors.md)."
            )
        makers |= _file_shards(recipe, clips)
    shards = folder / "shards"
    return {shards / f"{name}-{i:05d}.safetensors": job for name, jobs in makers.items() for i, job in enumerate(jobs)}


def held_out_shards(recipe: PriorRecipe, folder: Path) -> dict[Path, Callable[[], IndividualFilms]]:
    """Shards of unseen individuals, each family in turn."""
    nouns = tuple(CREATURE_FAMILIES)
    return {
        folder / "held-out" / f"made-{i:05d}.safetensors": partial(
            creature_shard, recipe.seed, FIRST_HELD_OUT_SHARD + i, (nouns[i % len(nouns)],)
        )
        for i in range(recipe.held_out)
    }


def many_motions_shards(recipe: PriorRecipe, folder: Path) -> dict[Path, Callable[[], IndividualFilms]]:
    """Shards of unseen individuals of families with many motions, each family in turn."""
    nouns = MANY_MOTIONS_NOUNS
    return {
        folder / "many-motions" / f"made-{i:05d}.safetensors": partial(
            creature_shard, recipe.seed, FIRST_MANY_MOTIONS_SHARD + i, (nouns[i % len(nouns)],)
        )
        for i in range(recipe.many_motions)
    }


def prior_metadata(recipe: PriorRecipe, films: int) -> dict[str, str]:
    """The metadata of the weights file: data and settings of the training."""
    training = recipe.training
    return {
        "films": str(films),
        "steps": str(training.steps),
        "batch": str(training.batch),
        "seed": str(recipe.seed),
        "files": "" if recipe.files is None else recipe.files.name,
    }


def clips_by_plan(clips: Sequence[FileClip]) -> dict[BodyPlanKey, list[FileClip]]:
    """The clips whose body plan a procedural family has too."""
    known = nouns_by_plan()
    found: dict[BodyPlanKey, list[FileClip]] = {}
    for clip in clips:
        key = body_plan_key(anatomy_of(clip.path))
        if key in known:
            found.setdefault(key, []).append(clip)
    return found


def _file_shards(recipe: PriorRecipe, clips: list[FileClip]) -> dict[str, list[Callable[[], IndividualFilms]]]:
    assert recipe.files is not None
    plans = clips_by_plan(clips)
    keys = list(plans)
    shares = np.array([min(len(plans[key]), MOST_PLAN_CLIPS) ** 0.5 for key in keys])
    by_file: dict[Path, list[FileClip]] = {}
    for clip in clips:
        if clip.path.suffix.lower() != ".bvh":
            by_file.setdefault(clip.path, []).append(clip)
    own, bodies = list(by_file.values()), body_files(recipe.files, leave_out=recipe.leave_out)
    chosen = np.random.default_rng([recipe.seed, RETARGETED]).choice(
        len(keys), recipe.retargeted_shards, p=shares / shares.sum()
    )
    seed = recipe.seed
    return {
        "retargeted": [partial(_retargeted_shard, plans[keys[k]], seed, i) for i, k in enumerate(chosen.tolist())],
        "own": [partial(_own_shard, own[i % len(own)], seed, i) for i in range(recipe.own_shards if own else 0)],
        "body": [
            partial(_body_shard, bodies[i % len(bodies)], seed, i) for i in range(recipe.body_shards if bodies else 0)
        ],
    }


def _retargeted_shard(clips: list[FileClip], seed: int, index: int) -> IndividualFilms:
    return retargeted_films(clips, FILMS_PER_SHARD, np.random.default_rng([seed, RETARGETED, index]))


def _own_shard(clips: list[FileClip], seed: int, index: int) -> IndividualFilms:
    return own_body_films(clips, FILMS_PER_SHARD, np.random.default_rng([seed, OWN, index]))


def _body_shard(path: Path, seed: int, index: int) -> IndividualFilms:
    return file_body_films(path, FILMS_PER_SHARD, np.random.default_rng([seed, BODY, index]))


def _start(recipe: PriorRecipe, samples: FilmSamples) -> MotionNetwork:
    """The network that training starts from."""
    if recipe.start_from is not None:
        return load_embedded(recipe.start_from).network.train()
    return new_network(samples, recipe.network, recipe.seed)
