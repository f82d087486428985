"""What a file holds, in its own units and axes: nodes, skins, meshes and materials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy import ndarray

from gambol.character.skeleton import children_of
from gambol.character.transforms import compose_trs


@dataclass(frozen=True)
class NodeTree:
    """The file's node hierarchy at rest. A node's local transform is T * R * S, or its own matrix."""

    names: tuple[str, ...]
    """Name of each node."""
    parents: Int[ndarray, "nodes"]
    """Index of each node's parent, -1 at the top; in the file's order, so a parent may come after its child."""
    translations: Float[ndarray, "nodes 3"]
    """Local translations, file units."""
    rotations_wxyz: Float[ndarray, "nodes 4"]
    """Local rotations, unit quaternions."""
    scales: Float[ndarray, "nodes 3"]
    """Local scale factors."""
    matrices: dict[int, Float[ndarray, "4 4"]]
    """Local transforms of the nodes that the file gives as a matrix; they have no T, R, S to animate."""

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def T_parent_node(self) -> Float[ndarray, "nodes 4 4"]:
        """Local rest transforms."""
        local = compose_trs(self.translations, self.rotations_wxyz, self.scales)
        for node, matrix in self.matrices.items():
            local[node] = matrix
        return local

    @cached_property
    def T_world_node(self) -> Float[ndarray, "nodes 4 4"]:
        """Global rest transforms in file space."""
        return self.chain(self.T_parent_node)

    @cached_property
    def depths(self) -> Int[ndarray, "nodes"]:
        """Number of nodes above each node."""
        depths = (self.parents >= 0).astype(int)
        reach = self.parents.copy()
        while (reach >= 0).any():  # each round looks twice as far up, so a chain of 100 000 nodes takes 17
            depths = depths + np.where(reach >= 0, depths[reach], 0)
            reach = np.where(reach >= 0, reach[reach], -1)
        return depths

    @cached_property
    def levels(self) -> tuple[Int[ndarray, "_level"], ...]:
        """Nodes grouped by depth, parents before children."""
        order = np.argsort(self.depths, kind="stable")
        starts = np.searchsorted(self.depths[order], np.arange(1, int(self.depths.max(initial=-1)) + 1))
        return tuple(np.split(order, starts)) if len(self) else ()

    def chain(self, T_parent_node: Float[ndarray, "*frames nodes 4 4"]) -> Float[ndarray, "*frames nodes 4 4"]:
        """T_world_node = T_world_parent * T_parent_node down the hierarchy, for any leading axes."""
        result = np.array(T_parent_node)
        for level in self.levels[1:]:
            result[..., level, :, :] = result[..., self.parents[level], :, :] @ result[..., level, :, :]
        return result

    def ancestors(self, node: int) -> list[int]:
        """The chain of parents above `node`, nearest first."""
        chain, parent = [], int(self.parents[node])
        while parent >= 0:
            chain.append(parent)
            parent = int(self.parents[parent])
        return chain

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of each node, in the file's order."""
        return children_of(self.parents)


@dataclass(frozen=True)
class Skin:
    """Joints that deform a part; `inverse_binds` take the part's vertices into each joint's frame at bind."""

    name: str
    """Name in the file."""
    joints: Int[ndarray, "joints"]
    """File node of each joint."""
    inverse_binds: Float[ndarray, "joints 4 4"]
    """Inverse bind matrix of each joint."""


@dataclass(frozen=True)
class Texture:
    """A colour picture with its wrapping rule per axis: repeat, clamp or mirror."""

    pixels: UInt8[ndarray, "height width 4"]
    """sRGB colour and alpha, the first row at the top."""
    wrap: tuple[str, str] = ("repeat", "repeat")
    """Wrapping along u and v: repeat, clamp or mirror."""


@dataclass(frozen=True)
class Material:
    """How a surface looks; colours are linear-light factors as glTF has them, texture pixels are sRGB."""

    name: str = ""
    """Name in the file."""
    base_colour: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    """Linear RGBA, multiplied with the texture and the vertex colours."""
    texture: Texture | None = None
    """Colour texture."""
    alpha_mode: str = "OPAQUE"
    """How alpha is used: OPAQUE, MASK or BLEND."""
    alpha_cutoff: float = 0.5
    """Alpha below which a MASK material is invisible."""
    double_sided: bool = True
    """Whether the back of a triangle is visible."""


@dataclass(frozen=True)
class Part:
    """One drawable piece of a node: triangles with one material, in the node's (or the skin's) own space."""

    node: int
    """File node that draws it."""
    skin: int | None
    """Index into `Scene.skins`; None for a part that moves with its node."""
    positions: Float[ndarray, "vertices 3"]
    """Vertex positions, file units."""
    triangles: Int[ndarray, "triangles 3"]
    """Vertex indices."""
    material: int | None = None
    """Index into `Scene.materials`."""
    uvs: Float[ndarray, "vertices 2"] | None = None
    """Texture coordinates, v from the picture's top."""
    colours: Float[ndarray, "vertices 4"] | None = None
    """Linear RGBA vertex colours."""
    joints: Int[ndarray, "vertices influences"] | None = None
    """Indices into the skin's joints."""
    weights: Float[ndarray, "vertices influences"] | None = None
    """Rows sum to 1 (repaired while reading where the file's do not)."""
    morph_targets: Float[ndarray, "targets vertices 3"] | None = None
    """Position offsets of each morph target."""
    morph_weights: Float[ndarray, "targets"] | None = None
    """Weight of each morph target at rest."""
    normals: Float[ndarray, "vertices 3"] | None = None
    """Vertex normals as the file has them."""

    def morphed(self, weights: Float[ndarray, "*frames targets"] | None) -> Float[ndarray, "*frames vertices 3"]:
        """Positions with morph targets blended in: p + sum_k w_k d_k (the rest weights if none are given)."""
        weights = self.morph_weights if weights is None else weights
        if self.morph_targets is None or weights is None:
            return self.positions
        return self.positions + np.tensordot(weights, self.morph_targets, axes=1)


@dataclass(frozen=True)
class Scene:
    """Everything of a file that Gambol understands, besides its clips."""

    nodes: NodeTree
    """The node hierarchy at rest."""
    skins: tuple[Skin, ...] = ()
    """All skins."""
    parts: tuple[Part, ...] = ()
    """Everything that is drawn."""
    materials: tuple[Material, ...] = ()
    """Materials that the parts refer to."""
    repaired_rows: tuple[Int[ndarray, "_rows"], ...] = ()
    """Per part: vertices whose weights were NaN, negative or all zero in the file and were replaced."""
    told_parts: Mapping[int, str] = field(default_factory=dict)
    """Body part of nodes for which the file says it (`extras.gambol.part`), for the limb that starts there."""

    @cached_property
    def joint_nodes(self) -> Int[ndarray, "joints"]:
        """Every node that is a joint of some skin, once."""
        return np.unique(np.concatenate([s.joints for s in self.skins])) if self.skins else np.zeros(0, int)


def translated_nodes(
    names: tuple[str, ...], parents: Int[ndarray, "nodes"], translations: Float[ndarray, "nodes 3"]
) -> NodeTree:
    """A tree of nodes that are only translated from their parents."""
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1))
    return NodeTree(names, parents, translations, rotations, np.ones((len(names), 3)), {})


def pose_parts(
    scene: Scene,
    T_world_node: Float[ndarray, "nodes 4 4"],
    morph_weights: dict[int, Float[ndarray, "_targets"]] | None = None,
) -> list[Float[ndarray, "_vertices 3"]]:
    """World vertices of every part with the nodes where `T_world_node` puts them, exactly as glTF 2.0 (3.7.3) defines.

    v = sum_j w_j T_world_joint(j) inverse_bind(j) p for skinned parts (the node's own transform does not count),
    v = T_world_node p for the others.
    """
    morph_weights = morph_weights or {}
    posed = []
    matrices: dict[int, ndarray] = {}
    for part in scene.parts:
        points = part.morphed(morph_weights.get(part.node)).astype(np.float64)
        if part.skin is None or part.joints is None or part.weights is None:
            posed.append(apply_matrix(T_world_node[part.node], points))
            continue
        if part.skin not in matrices:
            skin = scene.skins[part.skin]
            matrices[part.skin] = T_world_node[skin.joints] @ skin.inverse_binds
        posed.append(linear_blend_skinning(points, part.joints, part.weights, matrices[part.skin]))
    return posed


def linear_blend_skinning(
    points: Float[ndarray, "vertices 3"],
    joints: Int[ndarray, "vertices influences"],
    weights: Float[ndarray, "vertices influences"],
    matrices: Float[ndarray, "joints 4 4"],
) -> Float[ndarray, "vertices 3"]:
    """Skin points linearly: v = sum_k w_k M_k p.

    Influences are added one after the other, so that no array holds a matrix per vertex and influence.
    """
    result = np.zeros(points.shape)
    for k in range(joints.shape[1]):
        T = matrices[joints[:, k], :3]
        result += weights[:, k, None] * (np.einsum("vij,vj->vi", T[..., :3], points) + T[..., 3])
    return result


def apply_matrix(T: Float[ndarray, "4 4"], points: Float[ndarray, "points 3"]) -> Float[ndarray, "points 3"]:
    """Apply a 4x4 transform to points: T p."""
    return points @ T[:3, :3].T + T[:3, 3]
