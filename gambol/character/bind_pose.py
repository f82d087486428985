"""The bind pose: joints and surface where the skin was bound, in file space, from the inverse bind matrices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.scene import NodeTree, Part, Scene, Skin, apply_matrix, linear_blend_skinning
from gambol.character.transforms import nearest_rotation, similarity

QUARTER_TURN_MARGIN = 0.8
"""A bind pose turned by quarter turns is taken where it fits the resting joints better by more than this, radians."""


@dataclass(frozen=True)
class BoundSurface:
    """The drawn surface at bind in file space, bound to file nodes."""

    vertices: Float[ndarray, "vertices 3"]
    """Vertex positions, file units."""
    nodes: Int[ndarray, "vertices influences"]
    """File node of each influence."""
    weights: Float[ndarray, "vertices influences"]
    """Weight of each influence; rows sum to 1."""
    parts: tuple[int, ...]
    """The scene parts that the vertices come from, in order; parts that hang on no joint are left out."""


def bind_transforms(scene: Scene) -> dict[int, Float[ndarray, "4 4"]]:
    """Compute T_world_bind of every joint node, from the inverse bind matrices.

    T_world_bind(j) = A_skin inverse_bind(j)^-1, with A_skin where the bound surface stands in the world: what all
    joints agree on where the nodes rest at bind, else the transform of the node that draws the skin.
    """
    binds: dict[int, ndarray] = {}
    drawn: dict[int, list[Part]] = {s: [] for s in range(len(scene.skins))}
    for part in scene.parts:
        if part.skin is not None:
            drawn[part.skin].append(part)
    for s in sorted(drawn, key=lambda s: -sum(len(p.positions) for p in drawn[s])):
        skin = scene.skins[s]
        A = _surface_transform(scene, skin, drawn[s])
        for joint, inverse in zip(skin.joints, skin.inverse_binds, strict=True):
            binds.setdefault(int(joint), A @ np.linalg.inv(inverse))
    return binds


def _surface_transform(scene: Scene, skin: Skin, parts: list[Part]) -> Float[ndarray, "4 4"]:
    by_joint = scene.nodes.T_world_node[skin.joints] @ skin.inverse_binds
    scale = max(float(np.abs(by_joint[0]).max()), 1e-12)
    if np.abs(by_joint - by_joint[0]).max() < 1e-3 * scale:
        return by_joint[0]
    if parts:
        A = scene.nodes.T_world_node[parts[0].node]
        stretch = np.abs(np.linalg.det(by_joint[:, :3, :3]) / max(abs(np.linalg.det(A[:3, :3])), 1e-30))
        if np.median(np.abs(np.log(np.maximum(stretch, 1e-30)))) < 0.1:
            return _turned_like_the_joints(scene, skin, A)
    return by_joint[_heaviest_joint(skin, parts)]


def _turned_like_the_joints(scene: Scene, skin: Skin, A: Float[ndarray, "4 4"]) -> Float[ndarray, "4 4"]:
    """A, or A turned about the vertical by quarter turns where that lies far closer to how the joints rest.

    Some exporters leave the drawing node turned against the armature, and it is the armature that the clips move.
    Misfit of a turn: the angle between bind and rest of the topmost joint, plus the median over all joints.
    """
    bound = A @ np.linalg.inv(skin.inverse_binds)
    bound_axes = nearest_rotation(bound[:, :3, :3])
    resting_axes = nearest_rotation(scene.nodes.T_world_node[skin.joints][:, :3, :3])
    top = int(np.argmin(scene.nodes.depths[skin.joints]))
    middle = bound[:, :3, 3].mean(0)
    turns, misfits = [], []
    for c, s in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        traces = np.einsum("jik,jik->j", R @ bound_axes, resting_axes)
        angles = np.arccos(np.clip(0.5 * (traces - 1.0), -1.0, 1.0))
        misfits.append(float(angles[top] + np.median(angles)))
        turns.append(similarity(R, 1.0, middle - R @ middle))
    best = int(np.argmin(misfits))
    return turns[best] @ A if misfits[best] < misfits[0] - QUARTER_TURN_MARGIN else A


def _heaviest_joint(skin: Skin, parts: list[Part]) -> int:
    mass = np.zeros(len(skin.joints))
    for part in parts:
        if part.joints is not None and part.weights is not None:
            np.add.at(mass, part.joints, part.weights)
    return int(mass.argmax())


def bound_surface(scene: Scene, binds: dict[int, Float[ndarray, "4 4"]]) -> BoundSurface:
    """Pose all parts that hang on a joint at bind; unskinned parts get weight 1 on the joint above them."""
    vertices, nodes, weights, kept = [], [], [], []
    width = max((p.joints.shape[1] for p in scene.parts if p.joints is not None), default=1)
    holders, T_holder_node = nearest_joints(scene.nodes, binds), _transforms_below(scene, binds)
    matrices = [np.stack([binds[int(j)] for j in skin.joints]) @ skin.inverse_binds for skin in scene.skins]
    for i, part in enumerate(scene.parts):
        points, holder = part.morphed(None).astype(np.float64), int(holders[part.node])
        if part.skin is not None and part.joints is not None and part.weights is not None:
            points = linear_blend_skinning(points, part.joints, part.weights, matrices[part.skin])
            part_nodes, part_weights = scene.skins[part.skin].joints[part.joints], part.weights
        elif holder >= 0:
            points = apply_matrix(binds[holder] @ T_holder_node[part.node], points)
            part_nodes, part_weights = np.full((len(points), 1), holder), np.ones((len(points), 1), np.float32)
        else:
            continue
        pad = ((0, 0), (0, width - part_nodes.shape[1]))
        vertices.append(points)
        nodes.append(np.pad(part_nodes, pad, mode="edge"))
        weights.append(np.pad(part_weights, pad))
        kept.append(i)
    if not vertices:
        return BoundSurface(np.zeros((0, 3)), np.zeros((0, 1), int), np.zeros((0, 1)), ())
    return BoundSurface(np.concatenate(vertices), np.concatenate(nodes), np.concatenate(weights), tuple(kept))


def _transforms_below(scene: Scene, joints: Collection[int]) -> Float[ndarray, "nodes 4 4"]:
    """T_joint_node of each node below its nearest joint, at rest; no joint is inverted, since its scale may be 0."""
    nodes = scene.nodes
    result, still = nodes.T_parent_node.copy(), np.zeros(len(nodes), bool)
    still[list(joints)] = True
    result[still] = np.eye(4)
    if any(part.skin is None for part in scene.parts):
        for level in nodes.levels[1:]:
            moved = level[~still[level]]
            result[moved] = result[nodes.parents[moved]] @ result[moved]
    return result


def nearest_joints(nodes: NodeTree, joints: Collection[int]) -> Int[ndarray, "nodes"]:
    """Find the nearest of `joints` at or above each node; -1 where there is none."""
    nearest, marked = np.full(len(nodes), -1), np.zeros(len(nodes), bool)
    marked[list(joints)] = True
    for level in nodes.levels:
        above = np.where(nodes.parents[level] >= 0, nearest[nodes.parents[level]], -1)
        nearest[level] = np.where(marked[level], level, above)
    return nearest


def joints_above(nodes: NodeTree, joints: Collection[int]) -> dict[int, int]:
    """For each joint, the nearest of the joints above it; -1 where there is none."""
    nearest = nearest_joints(nodes, joints)
    return {joint: int(nearest[nodes.parents[joint]]) if nodes.parents[joint] >= 0 else -1 for joint in joints}
