"""Pose weights from data: collect poses from a video prior, from clips or from meshes, and train a network on them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gambol.errors import ConfigError
from gambol.files.asset import load
from gambol.progress import Progress
from gambol.scale.choose_executor import LOCAL

COLLECT_STEPS = {"films": 60, "distilled": 300}
"""Default optimiser steps of each route from the prior to poses."""


@dataclass(frozen=True)
class CollectedPoses:
    """Files of collected poses."""

    files: tuple[Path, ...]
    """One file per individual."""
    poses: int
    """Number of poses in all files."""


def collect_training_poses(
    output: Path,
    *,
    individuals: int = 220,
    clips: int = 5,
    route: Literal["films", "distilled"] = "films",
    steps: int | None = None,
    families: tuple[str, ...] = (),
    bodies: Path | None = None,
    prior: Path | None = None,
    from_files: Path | None = None,
    leave_out: tuple[str, ...] = (),
    meshes: Path | None = None,
    character: Path | None = None,
    processes: int = 1,
    address: str = LOCAL,
    seed: int = 0,
    progress: Progress | None = None,
) -> CollectedPoses:
    """Collect poses to train on in the folder `output`; individuals that it holds already are not made again.

    Args:
        output: Folder for the files of poses.
        individuals: Number of creatures; the families take turns.
        clips: Motions of each creature, 24 poses each.
        route: films: fit the rig to videos of the prior; distilled: distil each clip (slower).
        steps: Optimiser steps of each fit (default 60) or distillation (default 300).
        families: Only creatures of these families.
        bodies: Folder of rigged .glb files: every fourth individual is one of their bodies, in random proportions.
        prior: Weights of another embedded prior.
        from_files: Take the clips of all rigged files in this folder instead of the prior's.
        leave_out: Files with one of these texts in their path are left out.
        meshes: Fit the rig of `character` to the meshes in this folder instead, one per frame.
        character: The rigged character that the meshes show.
        processes: Number of parallel processes.
        address: Where they run: local; auto or HOST:PORT: a Ray cluster whose nodes share the disk of all folders.
        seed: Seed of creatures, prompts and videos.
        progress: Called after each individual.
    """
    from gambol.training.poses.shards import read_poses

    if meshes is not None:
        from gambol.training.poses.from_meshes import collect_meshes

        if character is None:
            raise ConfigError("--meshes needs --character FILE, the rig that is fitted to the meshes.")
        files = [collect_meshes(meshes, load(character).character, output, progress=progress)]
    elif from_files is not None:
        from gambol.training.poses.from_files import collect_files

        files = collect_files(from_files, output, leave_out=leave_out, progress=progress)
    else:
        from gambol.training.poses.from_prior import CollectSettings, collect_poses

        settings = CollectSettings(
            individuals=individuals,
            clips=clips,
            route=route,
            steps=COLLECT_STEPS[route] if steps is None else steps,
            families=families,
            bodies=None if bodies is None else bodies.absolute(),
            leave_out=leave_out,
            weights=None if prior is None else prior.absolute(),
            seed=seed,
            processes=processes,
            address=address,
        )
        files = collect_poses(settings, output if address == LOCAL else output.absolute(), progress=progress)
    return CollectedPoses(tuple(files), sum(len(read_poses(path)) for path in files))


def train_pose_weights(
    folders: tuple[Path, ...],
    output: Path,
    *,
    leave_out: tuple[str, ...] = (),
    steps: int = 3000,
    rate: float = 1.5e-3,
    seed: int = 0,
    progress: Progress | None = None,
) -> Path:
    """Train a pose network on collected poses, or resume its training; returns the file of weights.

    Args:
        folders: Folders that `collect_training_poses` filled.
        output: Folder for checkpoints, log and the weights, poses.safetensors.
        leave_out: Families or parts of file names that are not trained on.
        steps: Training steps of 48 poses each.
        rate: Highest learning rate.
        seed: Seed of initial weights and of the order of the poses.
        progress: Called after each step.
    """
    from gambol.training.poses.recipe import PoseRecipe, make_pose_weights
    from gambol.training.poses.train import PoseTraining

    recipe = PoseRecipe(folders, leave_out, training=PoseTraining(steps=steps, learning_rate=rate, seed=seed))
    return make_pose_weights(recipe, output, progress=progress)
