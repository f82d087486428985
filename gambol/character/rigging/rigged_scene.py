"""Scenes without and with a rig: take a skeleton off, or add joints as nodes, a skin and weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.character.character import Character, make_character
from gambol.character.rigging.rig import Rig
from gambol.character.scene import NodeTree, Part, Scene, Skin, apply_matrix, translated_nodes
from gambol.character.transforms import quaternion_from_matrix, rigid_inverse
from gambol.character.weights import SkinWeights


def strip_rig(character: Character) -> Character:
    """The character without its skeleton: its surface at bind, each part on its own node; a bare mesh is unchanged."""
    scene, mesh = character.scene, character.mesh
    if not scene.skins or mesh is None or character.binding is None:
        return character
    kept = [part for i, part in enumerate(scene.parts) if i not in character.binding.loose_parts]
    points = apply_matrix(character.placement.T_file_world, mesh.vertices)
    splits = np.cumsum([len(part.positions) for part in kept])[:-1]
    parts = tuple(
        Part(i, None, places.astype(np.float32), part.triangles, part.material, part.uvs, part.colours)
        for i, (part, places) in enumerate(zip(kept, np.split(points, splits), strict=True))
    )
    count = len(parts)
    names = tuple(scene.nodes.names[part.node] for part in kept)
    nodes = translated_nodes(names, np.full(count, -1), np.zeros((count, 3)))
    bare = Scene(nodes, (), parts, scene.materials)
    placement = character.placement
    return make_character(character.name, bare, scale=placement.scale, facing=placement.facing)


def rigged_scene(character: Character, rig: Rig, weights: SkinWeights) -> Scene:
    """The scene of a bare mesh with a rig: its own nodes first, then the joints, then an end node behind every leaf.

    v = sum_j w_j T_joint inverse_bind(j) p must leave every vertex where its node put it, so
    inverse_bind(j) = T_joint^-1 T_node: one skin for each node that draws something.
    """
    scene = character.scene
    first = len(scene.nodes)
    drawn = sorted({part.node for part in scene.parts})
    T_world_node = scene.nodes.T_world_node
    joints = first + np.arange(len(rig))
    inverse = rigid_inverse(rig.T_file_joint)
    skins = tuple(Skin("skeleton", joints, inverse @ T_world_node[node]) for node in drawn)
    parts, row = [], 0
    for part in scene.parts:
        rows = slice(row, row + len(part.positions))
        row = rows.stop
        parts.append(
            replace(part, skin=drawn.index(part.node), joints=weights.bones[rows], weights=weights.weights[rows])
        )
    return replace(scene, nodes=_with_joints(scene.nodes, rig), skins=skins, parts=tuple(parts), repaired_rows=())


def _with_joints(nodes: NodeTree, rig: Rig) -> NodeTree:
    """The nodes followed by the rig's joints and an end node for every bone without children."""
    first = len(nodes)
    names, parents, local = list(nodes.names), nodes.parents.tolist(), []
    inverse = rigid_inverse(rig.T_file_joint)
    for name, parent, T in zip(rig.names, rig.parents, rig.T_file_joint, strict=True):
        names.append(name)
        parents.append(first + parent if parent >= 0 else -1)
        local.append(inverse[parent] @ T if parent >= 0 else T)
    for bone, end in rig.ends.items():
        if np.linalg.norm(end - rig.T_file_joint[bone, :3, 3]) > 0:
            names.append(f"{rig.names[bone]}_end")
            parents.append(first + bone)
            T = np.eye(4)
            T[:3, 3] = apply_matrix(inverse[bone], end[None])[0]
            local.append(T)
    added = np.stack(local)
    return NodeTree(
        tuple(names),
        np.array(parents),
        np.concatenate([nodes.translations, added[:, :3, 3]]),
        np.concatenate([nodes.rotations_wxyz, quaternion_from_matrix(added[:, :3, :3])]),
        np.concatenate([nodes.scales, np.ones((len(added), 3))]),
        nodes.matrices,
    )
