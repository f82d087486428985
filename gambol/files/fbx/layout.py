"""Which FBX models a scene becomes: bones, empties and meshes, and where each mesh is bound.

glTF ignores the transform of a node that draws a skin; FBX and Blender do not. So a skinned mesh hangs, without a
transform of its own, on the node above its skeleton (Blender's armature), and its vertices are written in that space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.bind_pose import bind_transforms
from gambol.character.scene import NodeTree, Scene
from gambol.errors import AssetError

SHEAR_TOLERANCE = 1e-4
"""Largest difference of a node's matrix from translation, rotation and scale, as a share of its largest number."""


@dataclass(frozen=True)
class FbxModel:
    """A node of the FBX file."""

    name: str
    """Its name."""
    kind: str
    """Null, LimbNode or Mesh."""
    parent: int
    """Index of the model that it hangs on, -1 for the scene."""
    node: int | None
    """The scene's node whose transform and keys it has; None for a mesh that stands still on its parent."""


@dataclass(frozen=True)
class FbxMesh:
    """A mesh of the FBX file: the parts that one node draws with one skin."""

    model: int
    """Index of its model."""
    parts: tuple[int, ...]
    """Indices of the scene's parts."""
    skin: int | None
    """Index of the scene's skin."""
    T_model_part: Float[ndarray, "4 4"]
    """Takes the parts' vertices into the model's space."""


@dataclass(frozen=True)
class FbxLayout:
    """All models and meshes of the FBX file; model i is node i of the scene, further ones follow."""

    models: tuple[FbxModel, ...]
    """All models."""
    meshes: tuple[FbxMesh, ...]
    """All meshes."""
    binds: dict[int, Float[ndarray, "4 4"]]
    """T_world_bind of every joint."""


def lay_out(scene: Scene) -> FbxLayout:
    """Choose the models and meshes of a scene."""
    nodes = scene.nodes
    _check_shear(nodes)
    anchors, limbs = _skeletons(scene)
    kinds = ["LimbNode" if node in limbs else "Null" for node in range(len(nodes))]
    parents = nodes.parents.tolist()
    own: list[int | None] = list(range(len(nodes)))
    models = list(nodes.names)
    binds, meshes = bind_transforms(scene), []
    for node, skin in sorted({(p.node, -1 if p.skin is None else p.skin) for p in scene.parts}):
        parts = tuple(
            i for i, p in enumerate(scene.parts) if (p.node, -1 if p.skin is None else p.skin) == (node, skin)
        )
        anchor = node if skin < 0 else anchors[skin]
        free = kinds[node] == "Null" and (skin < 0 or not (nodes.children[node] or node in anchors))
        if free:
            model, kinds[node] = node, "Mesh"
            if skin >= 0:
                parents[node], own[node] = anchor, None
        else:
            model = len(models)
            models.append(f"{nodes.names[node]}_mesh")
            kinds.append("Mesh")
            parents.append(anchor)
            own.append(None)
        T = np.eye(4) if skin < 0 else _bound(scene, skin, anchor, binds)
        meshes.append(FbxMesh(model, parts, None if skin < 0 else skin, T))
    made = (FbxModel(*fields) for fields in zip(models, kinds, parents, own, strict=True))
    return FbxLayout(tuple(made), tuple(meshes), binds)


def _bound(scene: Scene, skin: int, anchor: int, binds: dict[int, ndarray]) -> Float[ndarray, "4 4"]:
    """T_anchor_part = T_world_anchor^-1 T_world_bind(j) inverse_bind(j), the same for all joints j of the skin."""
    joints = scene.skins[skin]
    surface = binds[int(joints.joints[0])] @ joints.inverse_binds[0]
    if anchor < 0:
        return surface
    try:
        return np.linalg.inv(scene.nodes.T_world_node[anchor]) @ surface
    except np.linalg.LinAlgError as error:
        name = scene.nodes.names[anchor]
        raise AssetError(f"The node '{name}' above the skeleton has scale 0; FBX cannot bind a mesh there.") from error


def _check_shear(nodes: NodeTree) -> None:
    """FBX nodes have translation, rotation and scale; glTF 2.0 (3.5.3) demands the same of matrices."""
    from gambol.character.transforms import compose_trs

    plain = compose_trs(nodes.translations, nodes.rotations_wxyz, nodes.scales)
    for node, matrix in nodes.matrices.items():
        if np.abs(plain[node] - matrix).max() > SHEAR_TOLERANCE * np.abs(matrix).max():
            raise AssetError(
                f"The node '{nodes.names[node]}' has a sheared matrix, which FBX cannot hold; write a .glb, or apply "
                "the node's transform in a modelling program."
            )


def _skeletons(scene: Scene) -> tuple[list[int], set[int]]:
    """Per skin the node above its skeleton, and all nodes that are bones.

    Bones are all nodes on the way from there to the joints. Skins that share bones, or hang on bones of each other,
    have one skeleton.
    """
    groups = [({s}, set(map(int, skin.joints))) for s, skin in enumerate(scene.skins)]
    done: list[tuple[set[int], set[int], int, set[int]]] = []
    while groups:
        skins, joints = groups.pop()
        anchor, limbs = _limbs(scene.nodes, joints)
        near = [d for d in done if limbs & d[3] or anchor in d[3] or d[2] in limbs]
        if not near:
            done.append((skins, joints, anchor, limbs))
            continue
        done = [d for d in done if not any(d is other for other in near)]
        groups.append((skins.union(*(d[0] for d in near)), joints.union(*(d[1] for d in near))))
    anchors = [next(d[2] for d in done if s in d[0]) for s in range(len(scene.skins))]
    return anchors, set().union(*(d[3] for d in done))


def _limbs(nodes: NodeTree, joints: set[int]) -> tuple[int, set[int]]:
    """The nearest node above all joints, -1 for the scene, and the nodes between it and them, them included."""
    chains = [[joint, *nodes.ancestors(joint), -1] for joint in joints]
    shared = set.intersection(*(set(chain[1:]) for chain in chains))
    anchor = next(node for node in chains[0] if node in shared)
    return anchor, {node for chain in chains for node in chain[: chain.index(anchor)]}
