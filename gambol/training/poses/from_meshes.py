"""Poses from a sequence of meshes: a rig is fitted to each mesh (the route of the ViPS paper).

The loss is the Chamfer distance between the posed skin and the mesh plus edge-length regularisation. ViPS moves the
nodes themselves; here joints rotate and nodes may also be displaced, so that the skin shows twist about a bone, and
displacements are penalised for every edge that changes its length. The joint rotations are the pose.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial import cKDTree
from torch import Tensor

from gambol import __version__
from gambol.character.character import Character
from gambol.character.scene import apply_matrix
from gambol.errors import AssetError, GambolError
from gambol.files.asset import load
from gambol.files.formats import MESH_SUFFIXES
from gambol.poses.pose_parameters import PoseParameters, coarse_skin_points, pose_bones
from gambol.poses.pose_rig import PoseRig, make_pose_rig
from gambol.poses.pose_violations import joint_range_excess
from gambol.progress import Progress
from gambol.training.poses.shards import PoseShard, only_sound, write_poses

SEQUENCE_SUFFIXES = (*MESH_SUFFIXES, ".glb", ".gltf")
"""Suffixes of the files of a mesh sequence."""
MAX_MESH_POINTS = 1500
"""Most points of a mesh that are compared."""


@dataclass(frozen=True)
class MeshFit:
    """Settings of the fit of a rig to a mesh."""

    steps: int = 80
    """Optimiser steps for each mesh, starting from the pose of the one before."""
    learning_rate: float = 0.05
    """Initial learning rate of Adam for joint angles; displacements have 2 % of it."""
    edge_weight: float = 20.0
    """Weight of changed edge lengths, against a Chamfer distance in hundredths of a size."""
    limit_weight: float = 0.5
    """Weight of joints beyond their limits."""
    change_weight: float = 0.01
    """Weight of the change from the pose of the mesh before."""


@dataclass(frozen=True)
class FittedPose:
    """A pose fitted to a mesh."""

    x: PoseParameters
    """The pose, one row."""
    offsets: Float[Tensor, "bones 3"]
    """Displacements of the nodes in their parents' frames, in sizes."""
    chamfer: float
    """Mean distance of skin and mesh in both directions, in sizes."""


def fit_mesh(
    rig: PoseRig,
    points: Float[ndarray, "points 3"],
    start: FittedPose | None = None,
    config: MeshFit = MeshFit(),  # noqa: B008
) -> FittedPose:
    """Fit a rig: argmin C(skin(x, o), mesh) + edges sum (|l + o| - |l|)^2 + limits + change |x - start|^2."""
    tree, target = cKDTree(points), torch.as_tensor(points).float()
    first = torch.zeros(1, len(rig), 3) if start is None else start.x
    x = first.clone().requires_grad_()
    offsets = (torch.zeros(len(rig), 3) if start is None else start.offsets.clone()).requires_grad_()
    rest_lengths = rig.rest.p_parent_rest.norm(dim=-1)
    limits = torch.as_tensor(rig.limits).float()
    optimiser = torch.optim.Adam(
        [{"params": [x], "lr": config.learning_rate}, {"params": [offsets], "lr": 0.02 * config.learning_rate}]
    )
    distance = torch.zeros(())
    for step in range(config.steps):
        for group, rate in zip(
            optimiser.param_groups, (config.learning_rate, 0.02 * config.learning_rate), strict=True
        ):
            group["lr"] = rate * (1.0 - 0.9 * step / config.steps)
        posed = pose_bones(rig, x, rest=replace(rig.rest, p_parent_rest=rig.rest.p_parent_rest + offsets))
        surface = coarse_skin_points(rig, posed)[0]
        distance = chamfer(surface, target, tree)
        lengths = (rig.rest.p_parent_rest + offsets).norm(dim=-1)
        loss = 100.0 * distance + config.edge_weight * 100.0 * (lengths - rest_lengths)[1:].square().sum()
        loss = loss + config.limit_weight * joint_range_excess(posed.joint, limits).square().sum()
        loss = loss + config.change_weight * (x - first).square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return FittedPose(x.detach(), offsets.detach(), float(distance.detach()))


def chamfer(surface: Float[Tensor, "skin 3"], target: Float[Tensor, "points 3"], tree: cKDTree) -> Tensor:
    """Return the Chamfer distance, (mean_p min_q |p - q| + mean_q min_p |p - q|) / 2."""
    places = surface.detach().numpy()
    near = torch.from_numpy(tree.query(places)[1])
    back = torch.from_numpy(cKDTree(places).query(target.numpy())[1])
    to = ((surface - target[near]).square().sum(-1) + 1e-12).sqrt().mean()
    fro = ((surface[back] - target).square().sum(-1) + 1e-12).sqrt().mean()
    return 0.5 * (to + fro)


def collect_meshes(
    meshes: Path, character: Character, folder: Path, *, config: MeshFit | None = None, progress: Progress | None = None
) -> Path:
    """Write the poses of a character in a folder of meshes, sorted by name, in the coordinates of its file."""
    paths = sorted(p for p in meshes.glob("*") if p.suffix.lower() in SEQUENCE_SUFFIXES)
    if not paths:
        raise AssetError(
            f"{meshes} holds no meshes; {', '.join(SEQUENCE_SUFFIXES)} are read, one per frame, sorted by name."
        )
    target = folder / f"meshes-{meshes.name}.safetensors"
    if target.exists():
        return target
    rig, last, found, distances = make_pose_rig(character), None, [], []
    for i, path in enumerate(paths):
        last = fit_mesh(rig, mesh_points(path, character) / rig.size, last, config or MeshFit())
        found.append(last.x)
        distances.append(round(last.chamfer, 5))
        if progress is not None:
            progress(i + 1, len(paths), f"Chamfer distance {last.chamfer:.4f} sizes")
    facts = {
        "route": "meshes",
        "kind": character.name,
        "file": meshes.name,
        "prompts": json.dumps([meshes.name]),
        "chamfer": json.dumps(distances),
        "version": __version__,
    }
    x = torch.cat(found)
    write_poses(target, only_sound(PoseShard(rig, x, torch.zeros(len(x), dtype=torch.int64), facts)))
    return target


def mesh_points(path: Path, character: Character) -> Float[ndarray, "points 3"]:
    """Read a mesh's vertices and convert them to the character's space, metres."""
    mesh = load(path).character
    if mesh.mesh is None:
        raise GambolError(f"{path.name} holds no mesh.")
    points = apply_matrix(mesh.placement.T_file_world, mesh.mesh.vertices)
    step = -(-len(points) // MAX_MESH_POINTS)
    return apply_matrix(character.placement.T_world_file, points[::step])
