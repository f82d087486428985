"""Training data on disk: films of parts of one individual per shard, made by any number of processes.

Shard i depends on the recipe and i alone. A shard that exists is not made again, so a stopped run resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.diffusion.dct import cosine_transform
from gambol.files.atomic_write import replacing
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.part_film import FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.style import STYLE_NUMBERS
from gambol.training.embedded.creature_clips import IndividualFilms, creature_films, draw_individual

FILMS_PER_SHARD = 16
"""Films of one individual in a shard."""


@dataclass(frozen=True)
class FilmSamples:
    """Films of parts with their conditioning, as the network learns from them; absent parts are zero."""

    film: Float[Tensor, "films frames labels 9"]
    """Numbers of the frames, less those of the start pose (half precision)."""
    start: Float[Tensor, "films labels 9"]
    """Numbers of the start pose."""
    mass: Float[Tensor, "films labels"]
    """Share of the surface of each part; 0 for parts that the body does not have."""
    style: Float[Tensor, "films style_numbers"]
    """Numbers of the style."""
    motion: Int[Tensor, "films"]
    """Index in `VOCABULARY_NAMES`."""
    nouns: tuple[str, ...]
    """What moves."""

    def __len__(self) -> int:
        return len(self.film)

    @property
    def present(self) -> Bool[Tensor, "films labels"]:
        """Which parts the bodies have."""
        return self.mass > 0


def creature_shard(seed: int, index: int, nouns: tuple[str, ...] = ()) -> IndividualFilms:
    """The films of shard `index`, of one procedural creature."""
    generator = np.random.default_rng([seed, index])
    return creature_films(draw_individual(generator, nouns), FILMS_PER_SHARD, generator)


def write_shard(path: Path, make: Callable[[], IndividualFilms]) -> None:
    """Make and write a shard unless it exists; nothing is written if there are no films."""
    if path.exists():
        return
    made = make()
    if not made.films:
        return
    tensors = {
        "film": torch.stack([f.film for f in made.films]).half(),
        "start": torch.stack([f.start for f in made.films]),
        "style": torch.stack([f.style for f in made.films]),
        "motion": torch.tensor([VOCABULARY_NAMES.index(f.motion) for f in made.films]),
        "labels": made.labels,
        "mass": made.mass,
    }
    with replacing(path) as temporary:
        save_file(tensors, temporary, {"noun": made.noun})


def read_shards(paths: Iterable[Path]) -> FilmSamples:
    """Read and concatenate shards, one after the other: a recipe's films fill gigabytes."""
    paths = list(paths)
    counts, nouns, labels = [], [], len(PART_LABELS)
    for path in paths:
        with safe_open(path, "pt") as file:
            counts.append(file.get_slice("motion").get_shape()[0])
            nouns += [(file.metadata() or {})["noun"]] * counts[-1]
    count = sum(counts)
    film = torch.zeros(count, FRAMES, labels, PART_NUMBERS, dtype=torch.float16)
    start, mass = torch.zeros(count, labels, PART_NUMBERS), torch.zeros(count, labels)
    style, motion = torch.zeros(count, STYLE_NUMBERS), torch.zeros(count, dtype=torch.long)
    first = 0
    for path, films in zip(paths, counts, strict=True):
        rows, part = slice(first, first + films), load_file(path)
        film[rows, :, part["labels"]] = part["film"]
        start[rows, part["labels"]], mass[rows, part["labels"]] = part["start"], part["mass"]
        style[rows], motion[rows] = part["style"], part["motion"]
        first += films
    return FilmSamples(film, start, mass, style, motion, tuple(nouns))


def pick_films(samples: FilmSamples, rows: Int[Tensor, "rows"]) -> FilmSamples:
    """Some of the films."""
    chosen = {name: getattr(samples, name)[rows] for name in ("film", "start", "mass", "style", "motion")}
    return FilmSamples(**chosen, nouns=tuple(samples.nouns[int(row)] for row in rows))


def film_transforms(samples: FilmSamples, most: int = 6000) -> tuple[Tensor, Tensor]:
    """Cosine transforms of some films, and which of their numbers are present."""
    rows = torch.randperm(len(samples), generator=torch.Generator().manual_seed(3))[:most]
    z = cosine_transform(FRAMES) @ samples.film[rows].float().flatten(2)
    return z, samples.present[rows].float().repeat_interleave(PART_NUMBERS, 1)
