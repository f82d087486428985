"""Where the bones of a rig end: glTF and BVH store joints only; the joints' own axes tell how the bones point."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.bind_pose import joints_above
from gambol.character.scene import Scene

AXIS_VOTE_COSINE = np.cos(np.radians(15.0))
"""A child this close to an axis of its parent's frame is a vote for that axis as the one that bones point along."""
ON_AXIS_COSINE = np.cos(np.radians(1.5))
"""A child this close to that axis is where the bone ends; others only hang on it."""
NEAR_END_SHARE = 0.9
"""Where another child is nearer, but at least this share as far away, the bone ends at that one's distance."""
AXIS_MAJORITY = 0.5
"""Share of the joints with children that must agree on the axis."""
SHORTEST_BONE = 1e-4
"""A child closer than this share of the size says nothing about a bone's direction."""


def bone_tails(scene: Scene, binds: dict[int, Float[ndarray, "4 4"]], size: float) -> dict[int, Float[ndarray, "3"]]:
    """The end of every joint's bone at bind, in file space.

    Programs that have bones write a joint's frame with one axis along its bone (Blender y, 3ds Max x). That axis is
    found by a vote: which of the six do most children lie on? A bone ends at the child (or end node) on its axis, or
    a little before where others leave it there (a chest at the shoulders); else it goes along the axis as far as its
    nearest child, or, a leaf, as its parent's bone. Where the axes say nothing, bones end in the middle of their
    children and leaves are half as long as their parents.
    """
    nodes, drawn = scene.nodes, {part.node for part in scene.parts}
    heads = {node: bind[:3, 3] for node, bind in binds.items()}
    ends: dict[int, ndarray] = {}
    for node, bind in binds.items():
        places = [
            heads[child] if child in binds else (bind @ nodes.T_parent_node[child])[:3, 3]
            for child in nodes.children[node]
            if child not in drawn
        ]
        kept = [place for place in places if np.linalg.norm(place - heads[node]) > SHORTEST_BONE * size]
        ends[node] = np.array(kept).reshape(-1, 3)
    cosines = {node: _cosines(binds[node], ends[node] - heads[node]) for node in binds if len(ends[node])}
    votes = np.array([(c > AXIS_VOTE_COSINE).any(0) for c in cosines.values()]).reshape(-1, 6)
    axis = int(votes.sum(0).argmax()) if len(votes) and votes.mean(0).max() >= AXIS_MAJORITY else None
    above = joints_above(nodes, binds)
    tails: dict[int, ndarray] = {}
    for node in sorted(binds, key=lambda n: int(nodes.depths[n])):
        parent = above[node]
        along = tails[parent] - heads[parent] if parent >= 0 else np.array([0.0, 0.1 * size, 0.0])
        tails[node] = _tail(binds[node], ends[node], cosines.get(node), axis, along)
    return tails


def _tail(
    bind: Float[ndarray, "4 4"],
    ends: Float[ndarray, "ends 3"],
    cosines: Float[ndarray, "ends 6"] | None,
    axis: int | None,
    along: Float[ndarray, "3"],
) -> Float[ndarray, "3"]:
    """The end of one bone; `along` is the vector of its parent's bone."""
    head = bind[:3, 3]
    if axis is None:
        return ends.mean(0) if len(ends) else head + 0.5 * along
    nearest = np.linalg.norm(ends - head, axis=1).min() if len(ends) else np.linalg.norm(along)
    if cosines is not None and cosines[:, axis].max() > ON_AXIS_COSINE:
        end = ends[int(cosines[:, axis].argmax())]
        share = nearest / np.linalg.norm(end - head)
        return head + share * (end - head) if share >= NEAR_END_SHARE else end
    return head + nearest * _axes(bind)[:, axis]


def _axes(bind: Float[ndarray, "4 4"]) -> Float[ndarray, "3 6"]:
    """The unit axes +x, +y, +z, -x, -y, -z of a frame, as columns."""
    axes = bind[:3, :3] / np.maximum(np.linalg.norm(bind[:3, :3], axis=0), 1e-30)
    return np.concatenate([axes, -axes], axis=1)


def _cosines(bind: Float[ndarray, "4 4"], offsets: Float[ndarray, "ends 3"]) -> Float[ndarray, "ends 6"]:
    """Cosines of the angles between offsets from a joint and the six axes of its frame."""
    return offsets / np.linalg.norm(offsets, axis=1, keepdims=True) @ _axes(bind)
