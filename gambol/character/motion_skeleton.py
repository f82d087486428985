"""Derive the motion skeleton from a file's joints: which joints move, and what each one hangs on.

Real rigs are not such trees: feet are IK bones under the root, helpers carry no weight, helmets hang unskinned on
joints, the rest pose of the nodes is not the bind pose. All geometry here is at bind, in file space.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.bind_pose import BoundSurface, joints_above
from gambol.character.scene import Scene
from gambol.character.segment_distances import point_segment_distances

TOUCH_DISTANCE = 0.012
"""A joint touches another chain's tail where they are closer than this share of the size."""
GUESSED_TAIL_TOUCH_DISTANCE = 0.06
"""A joint under no real parent touches a tail that is guessed from vertices within this share of the size."""
DETACHED_DISTANCE = 0.2
"""One of several children is detached where it is farther than this share of the size from its parent's surface.

Chosen on the shared characters: the joints of limbs are within 0.20 of their parent's surface (fingers within 0.02);
the farthest of those that touch another chain's end is the hip of Quaternius' pig, at 0.23 from its body.
"""
LIGHT_ROOT_WEIGHT_SHARE = 0.02
"""A root with one child that brings no more than this share of all weight is no pelvis; its child is."""
MAIN_CHILD_WEIGHT_SHARE = 2.0 / 3.0
"""A bone points at a child that carries more than this share of what hangs on it."""
MAIN_BODY_WEIGHT_SHARE = 0.8
"""Below a weightless root, a child with this share of the weight is the body; its siblings are attached to it."""


@dataclass(frozen=True)
class JointTree:
    """The motion skeleton in file terms: one node per bone, parents first."""

    nodes: Int[ndarray, "bones"]
    """File node of each bone."""
    parents: Int[ndarray, "bones"]
    """Parent bone of each bone, -1 for the root, bone 0."""
    tails: Float[ndarray, "bones 3"]
    """Where each bone ends at bind, file units."""
    merged: dict[int, int]
    """Weighted nodes above the pelvis that ride on bone 0: node -> bone."""
    changes: tuple[str, ...]
    """How the tree differs from the file's, one sentence each."""


def joint_tree(scene: Scene, binds: dict[int, Float[ndarray, "4 4"]], surface: BoundSurface) -> JointTree:
    """Derive the motion skeleton of a scene; docs/conventions.md has the rules."""
    return _TreeBuilder(scene, binds, surface).build()


class _TreeBuilder:
    """Working state of `joint_tree`: parent links of the kept joints, changed step by step."""

    def __init__(self, scene: Scene, binds: dict[int, ndarray], surface: BoundSurface):
        self.scene, self.surface = scene, surface
        self.names = scene.nodes.names
        self.head = {node: bind[:3, 3] for node, bind in binds.items()}
        self.binds = binds
        self.drawn = {p.node for p in scene.parts}
        self.changes: list[str] = []
        self.merged_nodes: list[int] = []
        self.mass = dict.fromkeys(binds, 0.0 if len(surface.vertices) else 1.0)
        for node, weight in zip(*_sum_by_node(surface), strict=True):
            self.mass[int(node)] = float(weight)
        self.total = max(sum(self.mass.values()), 1e-9)
        points = surface.vertices if len(surface.vertices) else np.stack(list(self.head.values()))
        self.size = max(float(np.ptp(points, axis=0).max()), 1e-9)
        self.parent: dict[int, int | None] = {}
        self.children: dict[int, list[int]] = {}
        self._take_from_file(set(binds))

    def build(self) -> JointTree:
        self._drop_weightless()
        tails = self._leaf_tails()
        self._reparent_touching(tails)
        root = self._single_root()
        root = self._descend_to_pelvis(root)
        order = self._depth_first([root])
        index = {node: i for i, node in enumerate(order)}
        parents = np.array([index[self.parent[n]] if n != root else -1 for n in order])  # type: ignore[index]
        return JointTree(
            np.array(order), parents, self._tails(order), dict.fromkeys(self.merged_nodes, 0), tuple(self.changes)
        )

    def _take_from_file(self, joints: set[int]) -> None:
        """Hang each joint on the nearest joint above it in the file."""
        above = joints_above(self.scene.nodes, sorted(joints))
        self.parent = {j: p if p >= 0 else None for j, p in above.items()}
        self.children = {j: [] for j in self.parent}
        for joint, parent in self.parent.items():
            if parent is not None:
                self.children[parent].append(joint)

    def _hang(self, joint: int, parent: int | None) -> None:
        """Move a joint with all that is below it."""
        old = self.parent[joint]
        if old is not None and old in self.children:
            self.children[old].remove(joint)
        self.parent[joint] = parent
        if parent is not None:
            insort(self.children[parent], joint)

    def _drop_weightless(self) -> None:
        below = self._masses_below()
        kept = {n for n in self.parent if below[n] > 0}
        dropped = [n for n in self.parent if n not in kept]
        if dropped:
            names = self._list(dropped)
            self.changes.append(f"{len(dropped)} joints have no weight below them and are left out: {names}.")
        self._take_from_file(kept)

    def _masses_below(self) -> dict[int, float]:
        """The weight of each joint with all that hangs on it."""
        tops = [n for n, p in self.parent.items() if p is None]
        sums: dict[int, float] = {}
        for node in reversed(self._depth_first(tops)):
            sums[node] = self.mass[node] + sum(sums[c] for c in self.children[node])
        return sums

    def _leaf_tails(self) -> dict[int, tuple[ndarray, bool]]:
        """Ends of the kept leaves, and whether the file itself marks them."""
        return {n: self._leaf_tail(n) for n in self.parent if not self.children[n]}

    def _leaf_tail(self, node: int) -> tuple[ndarray, bool]:
        for child in self.scene.nodes.children[node]:
            if child in self.parent or child in self.drawn or self.scene.nodes.children[child]:
                continue
            end = self.head.get(child)
            if end is None:
                end = (self.binds[node] @ self.scene.nodes.T_parent_node[child])[:3, 3]
            if np.linalg.norm(end - self.head[node]) > 1e-4 * self.size:
                return end, True
        mine = self._dominated.get(node, np.zeros((0, 3)))
        return far_end(self.head[node], mine, self._fallback_direction(node)), False

    def _fallback_direction(self, node: int) -> ndarray:
        """A leaf without vertices continues its parent's bone by half its length."""
        parent = self.parent.get(node)
        if parent is None:
            return np.array([0.0, 0.1 * self.size, 0.0])
        along = self.head[node] - self.head[parent]
        return 0.5 * along if np.linalg.norm(along) > 1e-6 * self.size else np.array([0.0, 0.05 * self.size, 0.0])

    @cached_property
    def _dominated(self) -> dict[int, ndarray]:
        """The vertices that each joint moves most."""
        if not len(self.surface.vertices):
            return {}
        strongest = self.surface.nodes[np.arange(len(self.surface.nodes)), self.surface.weights.argmax(1)]
        order = np.argsort(strongest, kind="stable")
        nodes, starts = np.unique(strongest[order], return_index=True)
        groups = np.split(self.surface.vertices[order], starts[1:])
        return {int(n): group for n, group in zip(nodes, groups, strict=True)}

    def _reparent_touching(self, tails: dict[int, tuple[ndarray, bool]]) -> None:
        leaves = list(tails)
        ends, marked = np.array([tails[n][0] for n in leaves]), np.array([tails[n][1] for n in leaves])
        for joint in list(self.parent):
            if self.mass[joint] <= 0:
                continue
            parent = self.parent[joint]
            gaps = np.linalg.norm(ends - self.head[joint], axis=1) / self.size
            reach = np.where(
                marked, TOUCH_DISTANCE, GUESSED_TAIL_TOUCH_DISTANCE if self._is_no_real_parent(parent) else 0.0
            )
            touching = np.flatnonzero(gaps < reach)
            for leaf in (leaves[k] for k in touching[np.argsort(gaps[touching], kind="stable")]):
                if leaf in (joint, parent) or self._is_below(leaf, joint) or self._is_below(joint, leaf):
                    continue
                if not self._is_detached(joint):
                    break
                old = "the top" if parent is None else f"'{self.names[parent]}'"
                self._hang(joint, leaf)
                held = f"'{self.names[joint]}' hangs on '{self.names[leaf]}'"
                self.changes.append(f"{held}, whose end it touches, instead of {old}.")
                break

    def _is_no_real_parent(self, parent: int | None) -> bool:
        """Whether a joint hangs on nothing, or on a top that is only a handle."""
        return parent is None or (
            self.mass[parent] <= LIGHT_ROOT_WEIGHT_SHARE * self.total and self.parent[parent] is None
        )

    def _is_detached(self, joint: int) -> bool:
        """Whether a joint is a part of its own parent's limb only by name, as an IK foot that hangs on the root.

        The parent is the nearest joint above that carries weight. An only child continues its parent's chain; one of
        several children (a finger, a thigh) is detached where it is far from the surface that the parent moves.
        """
        parent, is_only_child = self.parent[joint], True
        while parent is not None:
            is_only_child = is_only_child and len(self.children[parent]) == 1
            if self.mass[parent] > 0:
                break
            parent = self.parent[parent]
        if parent is None or self._is_no_real_parent(parent):
            return True
        if is_only_child:
            return False
        near = self._dominated.get(parent, self.head[parent][None])
        return bool(np.linalg.norm(near - self.head[joint], axis=1).min() > DETACHED_DISTANCE * self.size)

    def _is_below(self, node: int, top: int) -> bool:
        walk: int | None = node
        while walk is not None:
            if walk == top:
                return True
            walk = self.parent[walk]
        return False

    def _single_root(self) -> int:
        tops, below = [n for n, p in self.parent.items() if p is None], self._masses_below()
        root = max(tops, key=lambda n: (below[n], -n))
        self._attach([n for n in tops if n != root], root)
        return root

    def _descend_to_pelvis(self, root: int) -> int:
        above: list[int] = []
        carried = 0.0
        below = self._masses_below()
        while True:
            children = self.children[root]
            shares = [below[c] / self.total for c in children]
            carried += self.mass[root]
            one_light_child = len(children) == 1 and self._is_light(carried, children[0])
            loose_root = len(children) > 1 and self.mass[root] == 0 and max(shares) >= MAIN_BODY_WEIGHT_SHARE
            if not one_light_child and not loose_root:
                break
            body = children[int(np.argmax(shares))]
            orphans = [c for c in children if c != body]
            above.append(root)
            self._hang(body, None)
            self._attach(orphans, body)
            del self.parent[root], self.children[root]
            if orphans:
                below = self._masses_below()
            root = body
        for node in above:
            rides = self.mass[node] > 0 and len(self.surface.vertices) > 0
            self.merged_nodes += [node] if rides else []
            fate = "rides on the root" if rides else "stands still; the root is"
            self.changes.append(f"'{self.names[node]}' {fate} '{self.names[root]}'.")
        return root

    def _is_light(self, carried: float, child: int) -> bool:
        """Whether a root with one child is only a handle above the pelvis, by all that would ride on that child.

        By the sum, since a long snake is made of joints that are all light.
        """
        if len(self.surface.vertices):
            return carried <= LIGHT_ROOT_WEIGHT_SHARE * self.total
        return len(self.children[child]) > 1

    def _attach(self, orphans: list[int], root: int) -> None:
        """Hang each orphan on the joint of the main tree whose bone comes closest."""
        owners, starts, ends = self._bones_below(root) if orphans else ([], np.zeros((0, 3)), np.zeros((0, 3)))
        for orphan in orphans:
            gaps = point_segment_distances(self.head[orphan], starts, ends)
            holder = min(owners[k] for k in np.flatnonzero(gaps == gaps.min()))
            self._hang(orphan, holder)
            self.changes.append(f"'{self.names[orphan]}' hangs on '{self.names[holder]}', the nearest bone.")
            more_owners, more_starts, more_ends = self._bones_below(orphan)
            owners += [holder, *more_owners]
            starts = np.concatenate([starts, self.head[holder][None], more_starts])
            ends = np.concatenate([ends, self.head[orphan][None], more_ends])

    def _bones_below(self, top: int) -> tuple[list[int], ndarray, ndarray]:
        """Owner, start and end of every bone at and below a joint; a leaf reaches to its own end."""
        nodes = self._depth_first([top])
        owners = [n for n in nodes for _ in self.children[n] or [n]]
        ends = []
        for node in nodes:
            ends += [self.head[c] for c in self.children[node]] or [self._leaf_tail(node)[0]]
        return owners, np.array([self.head[n] for n in owners]), np.array(ends)

    def _depth_first(self, tops: list[int]) -> list[int]:
        order, pending = [], list(reversed(tops))
        while pending:
            node = pending.pop()
            order.append(node)
            pending.extend(reversed(self.children[node]))
        return order

    def _tails(self, order: list[int]) -> Float[ndarray, "bones 3"]:
        """A bone ends at its children's joints (`_end_of_children`), a leaf at its own end."""
        leaves, below, tails = self._leaf_tails(), self._masses_below(), []
        shortest = 1e-6 * self.size
        for node in order:
            children = [c for c in self.children[node] if np.linalg.norm(self.head[c] - self.head[node]) > shortest]
            if node in leaves:
                tails.append(leaves[node][0])
            elif children:
                tails.append(self._end_of_children(node, children, below))
            else:
                tails.append(self.head[node])
        return np.array(tails)

    def _end_of_children(self, node: int, children: list[int], below: dict[int, float]) -> ndarray:
        """The joint of the child with most of the weight, else their mean, so that a chest leans to neither arm."""
        shares = np.array([below[c] for c in children]) / max(sum(below[c] for c in children), 1e-30)
        joints = np.array([self.head[c] for c in children])
        heaviest, mean = joints[int(shares.argmax())], shares @ joints
        reach = np.linalg.norm(joints - self.head[node], axis=1).max()
        if shares.max() > MAIN_CHILD_WEIGHT_SHARE or np.linalg.norm(mean - self.head[node]) < 0.3 * reach:
            return heaviest
        return mean

    def _list(self, nodes: list[int]) -> str:
        names = [f"'{self.names[n]}'" for n in nodes]
        return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def far_end(head: ndarray, points: Float[ndarray, "points 3"], fallback: ndarray) -> Float[ndarray, "3"]:
    """Guess where a leaf bone ends: from its joint through the mean of its vertices to the farthest of them.

    Without vertices it is `head + fallback`.
    """
    if len(points) == 0:
        return head + fallback
    along = points.mean(0) - head
    length = np.linalg.norm(along)
    if length < 1e-9 * max(float(np.abs(points).max()), 1e-9):
        return head + fallback
    direction = along / length
    return head + direction * float(((points - head) @ direction).max())


def _sum_by_node(surface: BoundSurface) -> tuple[ndarray, ndarray]:
    nodes, inverse = np.unique(surface.nodes, return_inverse=True)
    sums = np.bincount(inverse.ravel(), surface.weights.ravel().astype(np.float64), len(nodes))
    return nodes[sums > 0], sums[sums > 0]
