"""The recipe of pose weights: shards in, a trained network out; it goes on where it was stopped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch

from gambol import __version__
from gambol.poses.network import PoseNetwork, PoseNetworkShape
from gambol.poses.weights_file import load_pose_network, save_pose_network
from gambol.progress import Progress
from gambol.training.poses.shards import PoseShard, read_folder
from gambol.training.poses.train import Pool, PoseTraining, train_poses

HELD_OUT = 20
"""Every so many-th individual is not trained on: the log shows the loss on them."""
LEAST = 8
"""Individuals with fewer poses are passed over."""


@dataclass(frozen=True)
class PoseRecipe:
    """How pose weights are made."""

    folders: tuple[Path, ...]
    leave_out: tuple[str, ...] = ()
    """Families, or parts of file names, that are not trained on."""
    shape: PoseNetworkShape = field(default_factory=PoseNetworkShape)
    training: PoseTraining = field(default_factory=PoseTraining)


def make_pose_weights(recipe: PoseRecipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Follow the recipe; returns the file of weights."""
    shards = read_folder(recipe.folders, leave_out=recipe.leave_out, least=LEAST)
    trained, held = split(shards)
    torch.manual_seed(recipe.training.seed)
    network = train_poses(
        PoseNetwork(recipe.shape), Pool(tuple(trained)), tuple(held), recipe.training, folder, progress=progress
    )
    target = folder / "poses.safetensors"
    save_pose_network(target, network, facts(recipe, trained))
    load_pose_network(target)
    return target


def split(shards: Sequence[PoseShard]) -> tuple[list[PoseShard], list[PoseShard]]:
    """Individuals to train on, and every `HELD_OUT`-th that is only looked at; all where there are few."""
    held = [shard for i, shard in enumerate(shards) if i % HELD_OUT == HELD_OUT - 1]
    return [shard for i, shard in enumerate(shards) if i % HELD_OUT != HELD_OUT - 1], held


def facts(recipe: PoseRecipe, trained: Sequence[PoseShard]) -> dict[str, str]:
    """What the weights' file says about their making."""
    routes: Counter[str] = Counter()
    for shard in trained:
        routes[shard.facts["route"]] += len(shard)
    return {
        "version": __version__,
        "individuals": str(len(trained)),
        "poses": json.dumps(routes),
        "priors": json.dumps(sorted({shard.facts.get("prior", "") for shard in trained} - {""})),
        "kinds": str(len({shard.kind for shard in trained})),
        "left_out": json.dumps(recipe.leave_out),
        "training": json.dumps(asdict(recipe.training)),
    }
