"""A skeleton from another file for a mesh, scaled into the mesh if asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.bind_pose import bind_transforms, joints_above
from gambol.character.character import Character
from gambol.character.rigging.bone_ends import bone_tails
from gambol.character.rigging.rig import Rig, bare_mesh
from gambol.character.scene import apply_matrix
from gambol.character.skeleton import unique_names
from gambol.character.transforms import nearest_rotation, similarity
from gambol.errors import AssetError, MissingPart

MAX_SIZE_RATIO = 3.0
"""How many times larger or smaller than a mesh a skeleton may be that is used where it lies."""


def rig_from_file(source: Character, mesh: Character, *, fit: bool = False) -> Rig:
    """The joints of `source` as a rig for the mesh of another file, in the same coordinates.

    `fit` scales and moves them so that the bounding box of the source (its mesh, or its bones where it has none) comes
    to the mesh's box in Gambol's world: the longest side decides the scale, the ground stays the ground.
    """
    scene = source.scene
    bare_mesh(mesh)
    binds = bind_transforms(scene)
    if not binds:
        raise MissingPart(f"{source.name} has no skeleton to take: no skin names joints in it.")
    order = sorted(binds, key=lambda node: int(scene.nodes.depths[node]))
    index = {node: i for i, node in enumerate(order)}
    parents = [index.get(parent, -1) for parent in joints_above(scene.nodes, order).values()]
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
    if fit:
        return _one_root(_moved(rig, fitting_transform(source, mesh)))
    _check_place(rig, source, mesh)
    return _one_root(rig)


def _check_place(rig: Rig, source: Character, mesh: Character) -> None:
    """Refuse a skeleton of another scale than the mesh, or beside it: its bones would move nothing."""
    bones = np.concatenate([rig.T_file_joint[:, :3, 3], rig.tails])
    surface = apply_matrix(mesh.placement.T_file_world, bare_mesh(mesh).vertices)
    ratio = float(np.ptp(bones, axis=0).max() / max(np.ptp(surface, axis=0).max(), 1e-12))
    beside = bool(((bones.min(0) > surface.max(0)) | (bones.max(0) < surface.min(0))).any())
    if beside or not 1 / MAX_SIZE_RATIO <= ratio <= MAX_SIZE_RATIO:
        where = "lies beside" if 1 / MAX_SIZE_RATIO <= ratio <= MAX_SIZE_RATIO else f"is {ratio:.3g} times as large as"
        raise AssetError(
            f"The skeleton of {source.name} {where} the mesh of {mesh.name}, so its bones would move little or nothing."
            " Scale and move it into the mesh with --fit (fit=True)."
        )


def fitting_transform(source: Character, mesh: Character) -> Float[ndarray, "4 4"]:
    """Transform of the source's file space into the mesh's that makes their longest sides equal."""
    ours = mesh.mesh
    theirs = source.mesh.bounds if source.mesh is not None else None
    if theirs is None and source.skeleton is not None:
        points = np.concatenate([source.skeleton.heads, source.skeleton.tails])
        theirs = points.min(0), points.max(0)
    assert ours is not None
    assert theirs is not None
    low, high = ours.bounds
    scale = float((high - low).max() / max((theirs[1] - theirs[0]).max(), 1e-12))
    ground = np.array([0.5, 0.0, 0.5])
    offset = (low + ground * (high - low)) - scale * (theirs[0] + ground * (theirs[1] - theirs[0]))
    T = similarity(np.eye(3), scale, offset)
    return mesh.placement.T_file_world @ T @ source.placement.T_world_file


def _moved(rig: Rig, T: Float[ndarray, "4 4"]) -> Rig:
    """The rig after a similarity of file space; its frames stay rigid."""
    frames = T @ rig.T_file_joint
    frames[:, :3, :3] = nearest_rotation(frames[:, :3, :3])
    ends = {bone: apply_matrix(T, end[None])[0] for bone, end in rig.ends.items()}
    return replace(rig, T_file_joint=frames, tails=apply_matrix(T, rig.tails), ends=ends)


def _one_root(rig: Rig) -> Rig:
    """The rig with all further roots below the first one, so that the file has one skeleton."""
    roots = [i for i, parent in enumerate(rig.parents) if parent < 0]
    parents = tuple(roots[0] if p < 0 and i != roots[0] else p for i, p in enumerate(rig.parents))
    return replace(rig, parents=parents)
