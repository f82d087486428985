"""Training clips of files' characters in random proportions that do procedural motions, whose style is known.

The files' own clips do not say at which phase of its cycle a motion starts, and there are few of them. These do, and
show what no procedural creature has: clothes, large heads, boxes for limbs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.training.embedded.creature_clips import Individual, RenderedClip, render_creature_clips, stage_body
from gambol.training.embedded.file_clips import anatomy_of, read_asset, staged_file
from gambol.training.embedded.shards import CLIPS_PER_SHARD
from gambol.training.random_proportions import draw_proportions, with_proportions

UNCHANGED_PROBABILITY = 0.25
"""Probability that a character keeps its own proportions."""


def body_files(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[Path]:
    """List all .glb files under a folder whose character has a skin and legs, except paths that contain `leave_out`."""
    paths = sorted(folder.rglob("*.glb"))
    return [p for p in paths if not any(part in p.as_posix() for part in leave_out) and _has_legs(p)]


def draw_body(path: Path, generator: np.random.Generator) -> Individual:
    """Draw a file's character in random proportions."""
    if generator.random() < UNCHANGED_PROBABILITY:
        return staged_file(path)
    character, anatomy = read_asset(path).character, anatomy_of(path)
    return stage_body(path.stem, with_proportions(character, anatomy, draw_proportions(generator)), anatomy)


def render_body_shard(path: Path, seed: int, index: int) -> list[RenderedClip]:
    """Render the clips of shard `index`, of one file's character."""
    generator = np.random.default_rng([seed, 2, index])
    return render_creature_clips(draw_body(path, generator), CLIPS_PER_SHARD, generator)


def _has_legs(path: Path) -> bool:
    try:
        character = read_asset(path).character
        return character.weights is not None and sum(leg.contact is not None for leg in anatomy_of(path).legs) >= 2
    except GambolError:
        return False
