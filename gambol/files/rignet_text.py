"""Read the text format of rigs that RigNet and other automatic riggers write.

joints NAME x y z        a joint
root NAME                the top one
hier PARENT CHILD        a parent and its child
skin VERTEX NAME w ...   weights of a vertex
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.character.scene import Scene, Skin, translated_nodes
from gambol.character.transforms import rigid_inverse
from gambol.character.weights import SkinWeights, weights_from_dense
from gambol.errors import AssetError

MAX_RIG_TEXT_JOINTS = 10_000
"""Largest number of joints that is read."""


def read_rig_text(path: Path) -> Scene:
    """Read the joints of a RigNet text file as a scene without a mesh."""
    places: dict[str, tuple[float, float, float]] = {}
    above: dict[str, str] = {}
    root: str | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        words = line.split()
        try:
            if words[:1] == ["joints"]:
                x, y, z = (float(word) for word in words[2:5])
                places[words[1]] = (x, y, z)
            elif words[:1] == ["root"]:
                root = words[1]
            elif words[:1] == ["hier"]:
                above[words[2]] = words[1]
        except (ValueError, IndexError) as error:
            raise AssetError(f"{path.name}, line {number}: '{line[:60]}' is no line of a rig text.") from error
    if not places or len(places) > MAX_RIG_TEXT_JOINTS:
        raise AssetError(f"{path.name} names {len(places)} joints; a rig text has 'joints NAME x y z' lines.")
    return _scene(path.name, places, above, root)


def read_text_weights(path: Path, joints: tuple[str, ...], vertices: int) -> SkinWeights:
    """Read the weights of a RigNet text file, a row for each vertex of the mesh that it was made for."""
    number, rows = {joint: i for i, joint in enumerate(joints)}, np.zeros((vertices, len(joints)))
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if words[:1] != ["skin"]:
            continue
        try:
            for joint, weight in zip(words[2::2], words[3::2], strict=True):
                rows[int(words[1]), number[joint]] += float(weight)
        except (ValueError, IndexError, KeyError) as error:
            raise AssetError(f"{path.name}: '{line[:60]}' does not fit {vertices} vertices and its joints.") from error
    without = int((~(rows.sum(1) > 0)).sum())
    if without or not np.isfinite(rows).all():
        raise AssetError(f"{path.name} has no weights for {without} of the mesh's {vertices} vertices.")
    return weights_from_dense(rows / rows.sum(1, keepdims=True))


def _scene(name: str, places: dict[str, tuple[float, float, float]], above: dict[str, str], root: str | None) -> Scene:
    joints = list(places)
    lost = sorted((set(above) | set(above.values()) | ({root} if root else set())) - set(joints))
    if lost:
        raise AssetError(f"{name} names {', '.join(lost[:4])} in its tree, but gives no joints of that name.")
    parents = np.array([joints.index(above[joint]) if joint in above else -1 for joint in joints])
    walk = parents.copy()
    for _ in joints:
        walk = np.where(walk >= 0, parents[walk], -1)
    if (walk >= 0).any():
        raise AssetError(f"{name}: its joints hang on each other in a circle.")
    points = np.array([places[joint] for joint in joints])
    if not np.isfinite(points).all():
        raise AssetError(f"{name} has joints that are not finite.")
    local = points - np.where(parents[:, None] >= 0, points[parents], 0.0)
    nodes = translated_nodes(tuple(joints), parents, local)
    return Scene(nodes, (Skin("skeleton", np.arange(len(joints)), rigid_inverse(nodes.T_world_node)),))
