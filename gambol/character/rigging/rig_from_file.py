"""The user's own skeleton for a mesh: the joints of another file, fitted to the mesh if asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.bind_pose import bind_transforms, nearest_joints
from gambol.character.character import Character
from gambol.character.rigging.rig import Rig, bare_mesh
from gambol.character.rigging.rig_bones import bone_tails
from gambol.character.scene import apply_matrix
from gambol.character.skeleton import unique_names
from gambol.character.transforms import nearest_rotation
from gambol.errors import MissingPart


def rig_from(source: Character, mesh: Character, *, fit: bool = False) -> Rig:
    """The joints of `source` for the mesh of another file, in the same coordinates; `fit` scales them into its box.

    Fitting maps the box of the source's joints, grown by what a body usually has around its joints, or of its own mesh
    where it has one, onto the box of the mesh, both in Gambol's world: the longest side decides the scale.
    """
    scene, body = source.scene, bare_mesh(mesh)
    binds = bind_transforms(scene)
    if not binds:
        raise MissingPart(f"{source.name} has no skeleton to take: no skin names joints in it.")
    order = sorted(binds, key=lambda node: int(scene.nodes.depths[node]))
    above = nearest_joints(scene.nodes, binds)
    index = {node: i for i, node in enumerate(order)}
    parents = [
        index[int(above[scene.nodes.parents[n]])]
        if scene.nodes.parents[n] >= 0 and above[scene.nodes.parents[n]] >= 0
        else -1
        for n in order
    ]
    size = max(float(np.ptp([binds[n][:3, 3] for n in order], axis=0).max()), 1e-9)
    tails = bone_tails(scene, binds, size)
    frames = np.stack([binds[n] for n in order])
    frames[:, :3, :3] = nearest_rotation(frames[:, :3, :3])
    leaves = set(range(len(order))) - set(parents)
    rig = Rig(
        unique_names([scene.nodes.names[n] for n in order]),
        tuple(parents),
        frames,
        np.stack([tails[n] for n in order]),
        {i: tails[order[i]] for i in sorted(leaves)},
        mesh.placement.facing,
        "given",
    )
    return _moved(rig, _fitting(source, mesh)) if fit else _one_root(rig) if body is not None else rig


def _fitting(source: Character, mesh: Character) -> Float[ndarray, "4 4"]:
    """Source file to mesh file: both placed in Gambol's world, then scaled about the ground to one height or length."""
    ours = mesh.mesh
    theirs = source.mesh.bounds if source.mesh is not None else None
    if theirs is None and source.skeleton is not None:
        points = np.concatenate([source.skeleton.heads, source.skeleton.tails])
        theirs = points.min(0), points.max(0)
    assert ours is not None
    assert theirs is not None
    low, high = ours.bounds
    scale = float((high - low).max() / max((theirs[1] - theirs[0]).max(), 1e-12))
    T = np.eye(4)
    T[:3, :3] *= scale
    ground = np.array([0.5, 0.0, 0.5])
    T[:3, 3] = (low + ground * (high - low)) - scale * (theirs[0] + ground * (theirs[1] - theirs[0]))
    return mesh.placement.T_file_world @ T @ source.placement.T_world_file


def _moved(rig: Rig, T: Float[ndarray, "4 4"]) -> Rig:
    frames = T @ rig.T_file_joint
    frames[:, :3, :3] = nearest_rotation(frames[:, :3, :3])
    ends = {bone: apply_matrix(T, end[None])[0] for bone, end in rig.ends.items()}
    return _one_root(replace(rig, T_file_joint=frames, tails=apply_matrix(T, rig.tails), ends=ends))


def _one_root(rig: Rig) -> Rig:
    """Further trees hang on the first root, so that the file has one skeleton."""
    roots = [i for i, parent in enumerate(rig.parents) if parent < 0]
    parents = tuple(roots[0] if p < 0 and i != roots[0] else p for i, p in enumerate(rig.parents))
    return replace(rig, parents=parents)
