"""From a file's joints to a clean tree of rotations: which joints move, and what each one hangs on.

Real rigs are not such trees: feet are IK bones under the root, helpers carry no weight, helmets hang unskinned on
joints, the rest pose of the nodes is not the bind pose. All geometry here is at bind, in file space.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.scene import Part, Scene, apply_matrix

TOUCH = 0.012
"""A joint touches another chain's tail where they are closer than this share of the size."""
LOOSE_TOUCH = 0.06
"""The same for a tail that is only guessed from the vertices, under a joint that is no real parent."""
LIGHT_ROOT = 0.02
"""A root with less than this share of all weight and one child is no pelvis; its child is."""
MAIN_SHARE = 0.8
"""Below a weightless root, a child with this share of the weight is the body; its siblings are attached to it."""


@dataclass(frozen=True)
class BoundSurface:
    """The drawn surface at bind in file space, bound to file nodes."""

    vertices: Float[ndarray, "vertices 3"]
    nodes: Int[ndarray, "vertices influences"]
    """File node of each influence."""
    weights: Float[ndarray, "vertices influences"]
    parts: tuple[int, ...]
    """The scene parts that the vertices come from, in order; parts that hang on no joint are left out."""


@dataclass(frozen=True)
class JointTree:
    """The motion skeleton in file terms: one node per bone, parents first."""

    nodes: Int[ndarray, "bones"]
    parents: Int[ndarray, "bones"]
    tails: Float[ndarray, "bones 3"]
    merged: dict[int, int]
    """Weighted nodes above the pelvis that ride on bone 0: node -> bone."""
    changes: tuple[str, ...]
    """How the tree differs from the file's, one sentence each."""


def bind_transforms(scene: Scene) -> dict[int, Float[ndarray, "4 4"]]:
    """T_world_bind of every joint node: where the skin was bound, from the inverse bind matrices.

    T_world_bind(j) = A_skin inverse_bind(j)^-1, with A_skin where the bound surface stands in the world: what all
    joints agree on where the nodes rest at bind, else the transform of the node that draws the skin.
    """
    binds: dict[int, ndarray] = {}
    weight = [sum(len(p.positions) for p in scene.parts if p.skin == s) for s in range(len(scene.skins))]
    for s in sorted(range(len(scene.skins)), key=lambda s: -weight[s]):
        skin = scene.skins[s]
        A = _surface_transform(scene, s)
        for joint, inverse in zip(skin.joints, skin.inverse_binds, strict=True):
            binds.setdefault(int(joint), A @ np.linalg.inv(inverse))
    return binds


def _surface_transform(scene: Scene, s: int) -> Float[ndarray, "4 4"]:
    skin = scene.skins[s]
    by_joint = scene.nodes.T_world_node[skin.joints] @ skin.inverse_binds
    scale = max(float(np.abs(by_joint[0]).max()), 1e-12)
    if np.abs(by_joint - by_joint[0]).max() < 1e-3 * scale:
        return by_joint[0]
    drawers = [p.node for p in scene.parts if p.skin == s]
    if drawers:
        A = scene.nodes.T_world_node[drawers[0]]
        stretch = np.abs(np.linalg.det(by_joint[:, :3, :3]) / max(abs(np.linalg.det(A[:3, :3])), 1e-30))
        if np.median(np.abs(np.log(np.maximum(stretch, 1e-30)))) < 0.1:
            return A
    heaviest = _heaviest_joint(scene, s)
    return by_joint[heaviest]


def _heaviest_joint(scene: Scene, s: int) -> int:
    mass = np.zeros(len(scene.skins[s].joints))
    for part in scene.parts:
        if part.skin == s and part.joints is not None and part.weights is not None:
            np.add.at(mass, part.joints, part.weights)
    return int(mass.argmax())


def bound_surface(scene: Scene, binds: dict[int, Float[ndarray, "4 4"]]) -> BoundSurface:
    """All parts that hang on a joint, posed at bind; unskinned parts count as weight 1 on the joint above them."""
    vertices, nodes, weights, kept = [], [], [], []
    width = max((p.joints.shape[1] for p in scene.parts if p.joints is not None), default=1)
    for i, part in enumerate(scene.parts):
        piece = _bind_part(scene, part, binds)
        if piece is None:
            continue
        points, part_nodes, part_weights = piece
        pad = ((0, 0), (0, width - part_nodes.shape[1]))
        vertices.append(points)
        nodes.append(np.pad(part_nodes, pad, mode="edge"))
        weights.append(np.pad(part_weights, pad))
        kept.append(i)
    if not vertices:
        return BoundSurface(np.zeros((0, 3)), np.zeros((0, 1), int), np.zeros((0, 1)), ())
    return BoundSurface(np.concatenate(vertices), np.concatenate(nodes), np.concatenate(weights), tuple(kept))


def _bind_part(scene: Scene, part: Part, binds: dict[int, ndarray]) -> tuple[ndarray, ndarray, ndarray] | None:
    points = part.morphed(None).astype(np.float64)
    if part.skin is not None and part.joints is not None and part.weights is not None:
        skin = scene.skins[part.skin]
        matrices = np.stack([binds[int(j)] for j in skin.joints]) @ skin.inverse_binds
        blended = np.einsum("vk,vkij->vij", part.weights, matrices[part.joints][..., :3, :])
        bound = np.einsum("vij,vj->vi", blended[..., :3], points) + blended[..., 3]
        return bound, skin.joints[part.joints], part.weights
    holder = next((n for n in [part.node, *scene.nodes.ancestors(part.node)] if n in binds), None)
    if holder is None:
        return None
    T_holder_part = np.linalg.inv(scene.nodes.T_world_node[holder]) @ scene.nodes.T_world_node[part.node]
    bound = apply_matrix(binds[holder] @ T_holder_part, points)
    return bound, np.full((len(points), 1), holder), np.ones((len(points), 1), np.float32)


def joint_tree(scene: Scene, binds: dict[int, Float[ndarray, "4 4"]], surface: BoundSurface) -> JointTree:
    """The motion skeleton of a scene (the rules stand in docs/conventions.md)."""
    return _TreeBuilder(scene, binds, surface).build()


class _TreeBuilder:
    """Working state of `joint_tree`: parent links of the kept joints, changed step by step."""

    def __init__(self, scene: Scene, binds: dict[int, ndarray], surface: BoundSurface):
        self.scene, self.surface = scene, surface
        self.names = scene.nodes.names
        self.head = {node: bind[:3, 3] for node, bind in binds.items()}
        self.binds = binds
        self.changes: list[str] = []
        self.merged_nodes: list[int] = []
        self.mass = dict.fromkeys(binds, 0.0 if len(surface.vertices) else 1.0)
        for node, weight in zip(*_sum_by_node(surface), strict=True):
            self.mass[int(node)] = float(weight)
        self.total = max(sum(self.mass.values()), 1e-9)
        points = surface.vertices if len(surface.vertices) else np.stack(list(self.head.values()))
        self.size = max(float(np.ptp(points, axis=0).max()), 1e-9)
        self.parent = self._file_parents(set(binds))

    def build(self) -> JointTree:
        self._drop_weightless()
        tails = self._leaf_tails()
        self._reparent_touching(tails)
        root = self._single_root()
        root = self._descend_to_pelvis(root)
        order = self._depth_first(root)
        index = {node: i for i, node in enumerate(order)}
        parents = np.array([index[self.parent[n]] if n != root else -1 for n in order])  # type: ignore[index]
        return JointTree(
            np.array(order), parents, self._tails(order), dict.fromkeys(self.merged_nodes, 0), tuple(self.changes)
        )

    def _file_parents(self, joints: set[int]) -> dict[int, int | None]:
        nodes = self.scene.nodes
        return {j: next((a for a in nodes.ancestors(j) if a in joints), None) for j in sorted(joints)}

    def _drop_weightless(self) -> None:
        below = dict(self.mass)
        for node in sorted(self.parent, key=lambda n: -len(self.scene.nodes.ancestors(n))):
            parent = self.parent[node]
            if parent is not None:
                below[parent] += below[node]
        kept = {n for n in self.parent if below[n] > 0}
        dropped = [n for n in self.parent if n not in kept]
        if dropped:
            self.changes.append(f"{len(dropped)} joints have no weight below them and are left out: {self._list(dropped)}.")
        self.parent = self._file_parents(kept)

    def _children(self, node: int) -> list[int]:
        return [n for n, p in self.parent.items() if p == node]

    def _leaf_tails(self) -> dict[int, tuple[ndarray, bool]]:
        """Ends of the kept leaves, and whether the file itself marks them."""
        inner = set(self.parent.values())
        dominated = self._dominated()
        return {n: self._leaf_tail(n, dominated) for n in self.parent if n not in inner}

    def _leaf_tail(self, node: int, dominated: dict[int, ndarray]) -> tuple[ndarray, bool]:
        drawn = {p.node for p in self.scene.parts}
        for child in self.scene.nodes.children[node]:
            if child in self.parent or child in drawn or self.scene.nodes.children[child]:
                continue
            end = self.head.get(child)
            if end is None:
                end = (self.binds[node] @ self.scene.nodes.T_parent_node[child])[:3, 3]
            if np.linalg.norm(end - self.head[node]) > 1e-4 * self.size:
                return end, True
        return far_end(self.head[node], dominated.get(node, np.zeros((0, 3))), self._fallback_direction(node)), False

    def _fallback_direction(self, node: int) -> ndarray:
        """A leaf without vertices goes on as far as half its parent's bone."""
        parent = self.parent.get(node)
        if parent is None:
            return np.array([0.0, 0.1 * self.size, 0.0])
        along = self.head[node] - self.head[parent]
        return 0.5 * along if np.linalg.norm(along) > 1e-6 * self.size else np.array([0.0, 0.05 * self.size, 0.0])

    def _dominated(self) -> dict[int, ndarray]:
        if not len(self.surface.vertices):
            return {}
        strongest = self.surface.nodes[np.arange(len(self.surface.nodes)), self.surface.weights.argmax(1)]
        return {int(n): self.surface.vertices[strongest == n] for n in np.unique(strongest)}

    def _reparent_touching(self, tails: dict[int, tuple[ndarray, bool]]) -> None:
        for joint in list(self.parent):
            if self.mass[joint] <= 0:
                continue
            parent = self.parent[joint]
            no_real_parent = parent is None or self.mass[parent] <= LIGHT_ROOT * self.total and self.parent[parent] is None
            best, best_gap = None, np.inf
            for leaf, (tail, marked) in tails.items():
                if leaf in (joint, parent) or self._is_below(leaf, joint) or self._is_below(joint, leaf):
                    continue
                gap = float(np.linalg.norm(self.head[joint] - tail)) / self.size
                if gap < (TOUCH if marked else LOOSE_TOUCH if no_real_parent else 0.0) and gap < best_gap:
                    best, best_gap = leaf, gap
            if best is not None:
                old = "the top" if parent is None else f"'{self.names[parent]}'"
                self.parent[joint] = best
                self.changes.append(f"'{self.names[joint]}' hangs on '{self.names[best]}', whose end it touches, instead of {old}.")

    def _is_below(self, node: int, top: int) -> bool:
        walk: int | None = node
        while walk is not None:
            if walk == top:
                return True
            walk = self.parent[walk]
        return False

    def _subtree_mass(self, node: int) -> float:
        return self.mass[node] + sum(self._subtree_mass(c) for c in self._children(node))

    def _single_root(self) -> int:
        tops = [n for n, p in self.parent.items() if p is None]
        root = max(tops, key=lambda n: (self._subtree_mass(n), -n))
        self._attach([n for n in tops if n != root], root)
        return root

    def _descend_to_pelvis(self, root: int) -> int:
        above: list[int] = []
        while True:
            children = self._children(root)
            shares = [self._subtree_mass(c) / self.total for c in children]
            one_light_child = len(children) == 1 and self._is_light(root, children[0])
            loose_root = len(children) > 1 and self.mass[root] == 0 and max(shares) >= MAIN_SHARE
            if not one_light_child and not loose_root:
                break
            body = children[int(np.argmax(shares))]
            above.append(root)
            del self.parent[root]
            self.parent[body] = None
            self._attach([c for c in children if c != body], body)
            root = body
        for node in above:
            rides = self.mass[node] > 0 and len(self.surface.vertices) > 0
            self.merged_nodes += [node] if rides else []
            fate = "rides on the root" if rides else "stands still; the root is"
            self.changes.append(f"'{self.names[node]}' {fate} '{self.names[root]}'.")
        return root

    def _is_light(self, root: int, child: int) -> bool:
        """Whether a root with one child is only a handle above the pelvis."""
        if len(self.surface.vertices):
            return self.mass[root] <= LIGHT_ROOT * self.total
        return len(self._children(child)) > 1

    def _attach(self, orphans: list[int], root: int) -> None:
        """Hang each orphan on the joint of the main tree whose bone comes closest."""
        for orphan in orphans:
            self.parent[orphan] = None
            main = [n for n in self.parent if self._is_below(n, root)]
            holder = min(main, key=lambda n: self._bone_distance(self.head[orphan], n))
            self.parent[orphan] = holder
            self.changes.append(f"'{self.names[orphan]}' hangs on '{self.names[holder]}', the nearest bone.")

    def _bone_distance(self, point: ndarray, node: int) -> float:
        ends = [self.head[c] for c in self._children(node)] or [self.head[node]]
        return min(segment_distance(point, self.head[node], end) for end in ends)

    def _depth_first(self, root: int) -> list[int]:
        order, pending = [], [root]
        while pending:
            node = pending.pop()
            order.append(node)
            pending.extend(reversed(self._children(node)))
        return order

    def _tails(self, order: list[int]) -> Float[ndarray, "bones 3"]:
        """A bone ends at its heaviest child's joint, a leaf at its own end."""
        leaves, tails = self._leaf_tails(), []
        for node in order:
            children = [c for c in self._children(node) if np.linalg.norm(self.head[c] - self.head[node]) > 1e-6 * self.size]
            if node in leaves:
                tails.append(leaves[node][0])
            elif children:
                tails.append(self.head[max(children, key=lambda c: (self._subtree_mass(c), -c))])
            else:
                tails.append(self.head[node])
        return np.array(tails)

    def _list(self, nodes: list[int]) -> str:
        names = [f"'{self.names[n]}'" for n in nodes]
        return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def far_end(head: ndarray, points: Float[ndarray, "points 3"], fallback: ndarray) -> Float[ndarray, "3"]:
    """The far end of a leaf: from its joint through the middle of its vertices to the last of them."""
    if len(points) == 0:
        return head + fallback
    along = points.mean(0) - head
    length = np.linalg.norm(along)
    if length < 1e-9 * max(float(np.abs(points).max()), 1e-9):
        return head + fallback
    direction = along / length
    return head + direction * float(((points - head) @ direction).max())


def segment_distance(point: ndarray, a: ndarray, b: ndarray) -> float:
    """Distance from a point to the segment a-b."""
    span = b - a
    squared = float(span @ span)
    u = 0.0 if squared == 0 else float(np.clip((point - a) @ span / squared, 0.0, 1.0))
    return float(np.linalg.norm(point - a - u * span))


def _sum_by_node(surface: BoundSurface) -> tuple[ndarray, ndarray]:
    nodes, inverse = np.unique(surface.nodes, return_inverse=True)
    sums = np.bincount(inverse.ravel(), surface.weights.ravel().astype(np.float64), len(nodes))
    return nodes[sums > 0], sums[sums > 0]


def without_loose_parts(scene: Scene, surface: BoundSurface) -> Scene:
    """The scene reduced to the parts that move with the skeleton."""
    return replace(scene, parts=tuple(scene.parts[i] for i in surface.parts))
