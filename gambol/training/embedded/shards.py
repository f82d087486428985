"""Training data on disk: films of one individual after another, kept as latents, made by any number of processes.

Shard i depends on the recipe and i alone. A shard that exists is not made again, so a stopped run goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.files.atomic_write import replacing
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.latents import FilmLatents
from gambol.training.embedded.creature_clips import FilmedClip, draw_individual, film_made_clips

CLIPS = 16
"""Films of one individual."""


@dataclass(frozen=True)
class Samples:
    """Many clips as the network learns from them."""

    z: Float[Tensor, "clips frames numbers"]
    rest: Float[Tensor, "clips told_numbers"]
    view: Float[Tensor, "clips view_numbers"]
    """Numbers of the view, then of the manner."""
    motion: Int[Tensor, "clips"]
    """Number in `MOTIONS`."""

    def __len__(self) -> int:
        return len(self.z)


def made_shard(seed: int, index: int) -> list[FilmedClip]:
    """The films of shard `index`: one creature made by code."""
    generator = np.random.default_rng([seed, index])
    return film_made_clips(draw_individual(generator), CLIPS, generator)


def encode_films(films: Iterable[FilmedClip], latents: FilmLatents) -> Samples:
    """Films as latents."""
    films = list(films)
    return Samples(
        torch.stack([latents.encode(film.frames) - latents.encode(film.rest[None]) for film in films]),
        torch.stack([latents.encode_rest(film.rest) for film in films]),
        torch.stack([film.view for film in films]),
        torch.tensor([MOTIONS.index(film.motion) for film in films]),
    )


def write_shard(path: Path, films: Callable[[], list[FilmedClip]], latents: FilmLatents) -> None:
    """Make one shard, where it does not exist."""
    if path.exists():
        return
    made = films()
    if not made:
        return
    samples = encode_films(made, latents)
    with replacing(path) as temporary:
        save_file(
            {"z": samples.z.half(), "rest": samples.rest.half(), "view": samples.view, "motion": samples.motion},
            temporary,
        )


def read_shards(paths: Iterable[Path]) -> Samples:
    """Many shards as one."""
    parts = [load_file(path) for path in paths]
    z, rest, view, motion = (torch.cat([part[key] for part in parts]) for key in ("z", "rest", "view", "motion"))
    return Samples(z, rest.float(), view, motion)
