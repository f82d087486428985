"""Poses out of a sequence of meshes: the skeleton's nodes are fitted to each (ViPS's own route).

Chamfer distance between the posed skin and the mesh, plus edge-length regularisation. ViPS moves the nodes themselves;
here a joint turns and its node may also be displaced, so that twist about a bone is seen by the skin, and the
displacements pay for every edge that changes its length. The turns are the pose.
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
from gambol.poses.pose_parameters import PoseParameters, coarse_skin_points, pose_bones
from gambol.poses.pose_rig import PoseRig, make_pose_rig
from gambol.poses.validators import joint_range_excess
from gambol.progress import Progress
from gambol.training.poses.shards import PoseShard, only_sound, write_poses

SUFFIXES = (".obj", ".ply", ".stl", ".off", ".glb", ".gltf")
SEEN = 1500
"""At most so many points of a mesh are looked at."""


@dataclass(frozen=True)
class MeshFit:
    """How a rig is fitted to a mesh."""

    steps: int = 80
    """For each mesh, from the pose of the one before."""
    rate: float = 0.05
    edges: float = 20.0
    """Weight of edges that change their length, against a Chamfer distance in hundredths of a size."""
    limits: float = 0.5
    """Weight of joints beyond their limits."""
    steady: float = 0.01
    """Weight of the change from the pose before."""


@dataclass(frozen=True)
class Fitted:
    """One pose that was fitted."""

    x: PoseParameters
    offsets: Float[Tensor, "bones 3"]
    """Displacements of the nodes in their parents' frames, sizes."""
    chamfer: float
    """Mean distance of skin and mesh, both ways, sizes."""


def fit_mesh(
    rig: PoseRig,
    points: Float[ndarray, "points 3"],
    start: Fitted | None = None,
    config: MeshFit = MeshFit(),  # noqa: B008
) -> Fitted:
    """argmin C(skin(x, o), mesh) + edges sum (|l + o| - |l|)^2 + limits + steady |x - start|^2."""
    tree, target = cKDTree(points), torch.as_tensor(points).float()
    first = torch.zeros(1, len(rig), 3) if start is None else start.x
    x = first.clone().requires_grad_()
    offsets = (torch.zeros(len(rig), 3) if start is None else start.offsets.clone()).requires_grad_()
    rest_lengths = rig.rest.p_parent_rest.norm(dim=-1)
    limits = torch.as_tensor(rig.limits).float()
    optimiser = torch.optim.Adam([{"params": [x], "lr": config.rate}, {"params": [offsets], "lr": 0.02 * config.rate}])
    distance = torch.zeros(())
    for step in range(config.steps):
        for group, rate in zip(optimiser.param_groups, (config.rate, 0.02 * config.rate), strict=True):
            group["lr"] = rate * (1.0 - 0.9 * step / config.steps)
        posed = pose_bones(rig, x, rest=replace(rig.rest, p_parent_rest=rig.rest.p_parent_rest + offsets))
        surface = coarse_skin_points(rig, posed)[0]
        distance = chamfer(surface, target, tree)
        lengths = (rig.rest.p_parent_rest + offsets).norm(dim=-1)
        loss = 100.0 * distance + config.edges * 100.0 * (lengths - rest_lengths)[1:].square().sum()
        loss = loss + config.limits * joint_range_excess(posed.joint, limits).square().sum()
        loss = loss + config.steady * (x - first).square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return Fitted(x.detach(), offsets.detach(), float(distance.detach()))


def chamfer(surface: Float[Tensor, "skin 3"], target: Float[Tensor, "points 3"], tree: cKDTree) -> Tensor:
    """Half of mean_p min_q |p - q| + mean_q min_p |p - q|."""
    places = surface.detach().numpy()
    near = torch.from_numpy(tree.query(places)[1])
    back = torch.from_numpy(cKDTree(places).query(target.numpy())[1])
    to = ((surface - target[near]).square().sum(-1) + 1e-12).sqrt().mean()
    fro = ((surface[back] - target).square().sum(-1) + 1e-12).sqrt().mean()
    return 0.5 * (to + fro)


def collect_meshes(
    meshes: Path, character: Character, folder: Path, *, config: MeshFit | None = None, progress: Progress | None = None
) -> Path:
    """The poses of a character in a folder of meshes, in the order of their names; same coordinates as its file."""
    paths = sorted(p for p in meshes.glob("*") if p.suffix.lower() in SUFFIXES)
    if not paths:
        raise AssetError(f"{meshes} holds no meshes; {', '.join(SUFFIXES)} are read, one per frame, sorted by name.")
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
    """A mesh's vertices where the character's file would have them, in metres."""
    mesh = load(path).character
    if mesh.mesh is None:
        raise GambolError(f"{path.name} holds no mesh.")
    points = apply_matrix(mesh.placement.T_file_world, mesh.mesh.vertices)
    step = -(-len(points) // SEEN)
    return apply_matrix(character.placement.T_world_file, points[::step])
