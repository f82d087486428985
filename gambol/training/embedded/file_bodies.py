"""Characters of files that do motions made by code, in random proportions: real bodies whose manner is known.

Films of files' own clips cannot say when in its cycle a motion starts, and there are few of them. These can, and show
what no creature made by code has: clothes, large heads, boxes for limbs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.training.embedded.creature_clips import FilmedClip, Individual, film_made_clips, stage_body
from gambol.training.embedded.file_clips import anatomy_of, read, staged
from gambol.training.embedded.shards import CLIPS
from gambol.training.random_proportions import draw_proportions, with_proportions

AS_THEY_ARE = 0.25
"""How often a character keeps its proportions."""


def body_files(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[Path]:
    """All .glb files under a folder whose character has a skin and legs, except those with one of `leave_out`."""
    paths = sorted(folder.rglob("*.glb"))
    return [p for p in paths if not any(part in p.as_posix() for part in leave_out) and _has_legs(p)]


def draw_body(path: Path, generator: np.random.Generator) -> Individual:
    """The file's character in random proportions."""
    if generator.random() < AS_THEY_ARE:
        return staged(path)
    character, anatomy = read(path).character, anatomy_of(path)
    return stage_body(path.stem, with_proportions(character, anatomy, draw_proportions(generator)), anatomy)


def body_shard(path: Path, seed: int, index: int) -> list[FilmedClip]:
    """The films of shard `index`: one file's character."""
    generator = np.random.default_rng([seed, 2, index])
    return film_made_clips(draw_body(path, generator), CLIPS, generator)


def _has_legs(path: Path) -> bool:
    try:
        character = read(path).character
        return character.weights is not None and sum(leg.contact is not None for leg in anatomy_of(path).legs) >= 2
    except GambolError:
        return False
