"""Recipe of the text-motion matching model: clips, training, weights; a stopped run resumes.

    python -m gambol.training.matching.recipe --files DATA --output FOLDER --held-out benchmarks/held_out.txt

DATA is a folder with animated characters and motion capture. FOLDER gets clips/ (features), checkpoint.pt, log.jsonl
and matching.safetensors. Nothing of the files that are held out is read, and no creature of the benchmarks is made.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gambol.evaluate.matching.load import file_fingerprint, read_matching, save_matching
from gambol.evaluate.matching.network import MatchingNetwork, MatchingShape
from gambol.priors.embedded.text.encoder import load_text_encoder
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.progress import Progress, progress_bar
from gambol.training.matching.clips import (
    FAMILY_TURNS,
    MatchedClip,
    creature_clips,
    file_clips,
    read_clips,
    with_motions,
    write_clips,
)
from gambol.training.matching.sentences import sentence_table
from gambol.training.matching.train import (
    MatchingData,
    MatchingTraining,
    fit_score,
    matched_pairs,
    new_matching_network,
    train_matching,
    unseen_precision,
)
from gambol.training.process_pool import run_jobs

FIRST_UNSEEN = 100_000
"""First number of the creatures that the log and the score are measured on."""
CREATURES_PER_SHARD = 10
"""Creatures in a file of clips."""
UNSEEN_REAL_STRIDE = 12
"""Every how many-th real clip of the training split is kept for the log and the score."""


@dataclass(frozen=True)
class MatchingRecipe:
    """Data and settings of a matching model's training."""

    files: Path | None = None
    """A folder with animated .glb, .gltf, .fbx and .bvh files; None trains on procedural creatures only."""
    leave_out: tuple[str, ...] = ()
    """Parts of paths of files that are not trained on."""
    creatures: int = 220
    """Procedural creatures."""
    unseen: int = 40
    """Procedural creatures for the log and the score."""
    motions: int = 24
    """Most motions of each creature."""
    seed: int = 0
    """Seed of creatures, sentences and training."""
    processes: int = 1
    """Processes that make clips."""
    shape: MatchingShape = field(default_factory=MatchingShape)
    """Size of the network."""
    training: MatchingTraining = field(default_factory=MatchingTraining)
    """Settings of the training."""
    motion_side_of: Path | None = None
    """Weights whose motion side is kept as it is; only the text side is trained, for another text encoder."""


def train_matching_model(recipe: MatchingRecipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Train as the recipe says, resuming what the folder holds; returns the weights file."""
    made, unseen, real = training_clips(recipe, folder, progress=progress)
    kept = tuple(clip for i, clip in enumerate(real) if i % UNSEEN_REAL_STRIDE)
    encoder = load_text_encoder()
    data, held = (
        MatchingData(clips, sentence_table(clips, encoder, seed=recipe.seed + i))
        for i, clips in enumerate(((*made, *kept), (*unseen, *real[::UNSEEN_REAL_STRIDE])))
    )
    network = new_matching_network(data, recipe.shape, recipe.seed)
    text_only = recipe.motion_side_of is not None
    if recipe.motion_side_of is not None:
        network = with_motion_side(network, read_matching(recipe.motion_side_of).network)
    network = train_matching(network, data, held, recipe.training, folder, text_side_only=text_only, progress=progress)
    slope, offset = fit_score(matched_pairs(network.eval(), held))
    target = folder / "matching.safetensors"
    metadata = {
        "clips": json.dumps({"creatures": len(made), "files": len(kept)}),
        "steps": str(recipe.training.steps),
        "batch": str(recipe.training.batch),
        "seed": str(recipe.seed),
        "text_side_only": str(text_only),
        "unseen": json.dumps({name: round(x, 4) for name, x in unseen_precision(network, held).items()}),
    }
    fingerprint = file_fingerprint(TEXT_WEIGHTS)
    save_matching(target, network, slope=slope, offset=offset, text_encoder=fingerprint, metadata=metadata)
    return target


def with_motion_side(network: MatchingNetwork, known: MatchingNetwork) -> MatchingNetwork:
    """A network with the motion side of a known one, and a text side of its own."""
    own = {name: x for name, x in network.state_dict().items() if name.startswith(("text.", "sentence_mean"))}
    network.load_state_dict({**known.state_dict(), **own})
    return network


def training_clips(
    recipe: MatchingRecipe, folder: Path, *, progress: Progress | None = None
) -> tuple[tuple[MatchedClip, ...], tuple[MatchedClip, ...], tuple[MatchedClip, ...]]:
    """Clips of creatures, of unseen creatures, and of files; made unless the folder has them."""
    shards = folder / "clips"
    jobs = {}
    groups: list[list[Path]] = [[], []]
    for group, (first, count) in enumerate(((0, recipe.creatures), (FIRST_UNSEEN, recipe.unseen))):
        for start in range(first, first + count, CREATURES_PER_SHARD):
            path = shards / f"creatures-{start:06d}.safetensors"
            numbers = range(start, min(start + CREATURES_PER_SHARD, first + count))
            jobs[path] = partial(_creature_shard, path, recipe.seed, tuple(numbers), recipe.motions)
            groups[group].append(path)
    real = [shards / "files.safetensors"] if recipe.files is not None else []
    if recipe.files is not None:
        jobs[real[0]] = partial(_file_shard, real[0], recipe.files, recipe.leave_out)
    missing = [job for path, job in jobs.items() if not path.exists()]
    run_jobs(missing, recipe.processes, progress=progress, what="clips")
    made, unseen = (read_clips(paths) for paths in groups)
    return made, unseen, with_motions(read_clips(real))


def _creature_shard(path: Path, seed: int, numbers: tuple[int, ...], motions: int) -> None:
    write_clips(
        path, (clip for number in numbers for clip in creature_clips((seed, number), motions, nouns_of(number)))
    )


def nouns_of(number: int) -> tuple[str, ...]:
    """Families that a creature is drawn from; all families where empty."""
    return FAMILY_TURNS[number % len(FAMILY_TURNS)]


def _file_shard(path: Path, files: Path, leave_out: tuple[str, ...]) -> None:
    write_clips(path, file_clips(files, leave_out=leave_out))


def held_out_parts(path: Path) -> tuple[str, ...]:
    """The lines of a file, each a part of the paths of held-out files."""
    return tuple(line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def main(
    files: Path,
    output: Path,
    held_out: Path,
    *,
    creatures: int = 220,
    steps: int = 450,
    processes: int = 1,
    motion_side_of: Path | None = None,
) -> None:
    """Train the text-motion matching model."""
    recipe = MatchingRecipe(
        files,
        held_out_parts(held_out),
        creatures=creatures,
        processes=processes,
        training=MatchingTraining(steps=steps),
        motion_side_of=motion_side_of,
    )
    with progress_bar() as progress:
        train_matching_model(recipe, output, progress=progress)


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
