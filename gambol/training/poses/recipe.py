"""Recipe of the pose network's weights: shards in, a trained network out; a stopped run resumes."""

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
from gambol.training.poses.train import PoseTraining, ShardPool, train_poses

HELD_OUT_EVERY = 20
"""One of so many individuals is held out: the log shows the loss on them."""
MIN_POSES_PER_SHARD = 8
"""Individuals with fewer poses are left out."""


@dataclass(frozen=True)
class PoseRecipe:
    """How pose weights are made."""

    folders: tuple[Path, ...]
    """Folders of pose shards."""
    leave_out: tuple[str, ...] = ()
    """Families, or parts of file names, that are not trained on."""
    shape: PoseNetworkShape = field(default_factory=PoseNetworkShape)
    """Size of the network."""
    training: PoseTraining = field(default_factory=PoseTraining)
    """Settings of the training."""


def make_pose_weights(recipe: PoseRecipe, folder: Path, *, progress: Progress | None = None) -> Path:
    """Train as the recipe says; returns the weights file."""
    shards = read_folder(recipe.folders, leave_out=recipe.leave_out, least=MIN_POSES_PER_SHARD)
    trained, held = split_held_out(shards)
    torch.manual_seed(recipe.training.seed)
    network = train_poses(
        PoseNetwork(recipe.shape), ShardPool(tuple(trained)), tuple(held), recipe.training, folder, progress=progress
    )
    target = folder / "poses.safetensors"
    save_pose_network(target, network, pose_metadata(recipe, trained))
    load_pose_network(target)
    return target


def split_held_out(shards: Sequence[PoseShard]) -> tuple[list[PoseShard], list[PoseShard]]:
    """Split shards into those to train on and every `HELD_OUT_EVERY`-th one, which is held out."""
    held = [shard for i, shard in enumerate(shards) if i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1]
    return [shard for i, shard in enumerate(shards) if i % HELD_OUT_EVERY != HELD_OUT_EVERY - 1], held


def pose_metadata(recipe: PoseRecipe, trained: Sequence[PoseShard]) -> dict[str, str]:
    """Return the metadata of the weights file: data, priors and settings of the training."""
    routes: Counter[str] = Counter()
    for shard in trained:
        routes[shard.metadata["route"]] += len(shard)
    return {
        "version": __version__,
        "individuals": str(len(trained)),
        "poses": json.dumps(routes),
        "priors": json.dumps(sorted({shard.metadata.get("prior", "") for shard in trained} - {""})),
        "kinds": str(len({shard.kind for shard in trained})),
        "left_out": json.dumps(recipe.leave_out),
        "training": json.dumps(asdict(recipe.training)),
    }
