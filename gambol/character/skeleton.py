"""The motion skeleton: a clean tree of joints with rigid rest frames, and the segments between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.transforms import rigid_inverse
from gambol.errors import AssetError, ConfigError

UP = np.array([0.0, 1.0, 0.0])
"""Unit vector upwards in Gambol's world."""
FORWARD = np.array([1.0, 0.0, 0.0])
"""Unit vector that characters face at rest."""
LEFT = np.array([0.0, 0.0, -1.0])
"""Unit vector to the left of a character at rest."""


@dataclass(frozen=True)
class Skeleton:
    """Bones in topological order (parents first, the root is bone 0), each with a rigid frame at rest.

    A bone's frame has its origin at the joint and, except for the root, y along the bone and x as close to the
    character's left as possible, so that a turn about x swings a leg forwards and backwards on every rig. The root's x
    points up, y forwards and z to the left: its three angles are heading, roll and pitch.
    """

    names: tuple[str, ...]
    """Name of each bone; no two are equal."""
    parents: Int[ndarray, "bones"]
    """Parent of each bone, -1 for the root."""
    T_world_rest: Float[ndarray, "bones 4 4"]
    """Rest frame of each bone, metres."""
    tails: Float[ndarray, "bones 3"]
    """Where each bone ends at rest: at its children's joints (see `motion_skeleton`), or at the far end of a leaf."""

    def __post_init__(self) -> None:
        count = len(self.names)
        if count == 0 or self.parents[0] != -1 or (self.parents[1:] < 0).any():
            raise AssetError("A skeleton needs exactly one root, and it must be the first bone.")
        if (self.parents >= np.arange(count)).any():
            raise AssetError("A skeleton's parents must come before their children.")
        R = self.T_world_rest[:, :3, :3]
        if np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() > 1e-6 or (np.linalg.det(R) < 0).any():
            raise AssetError("A skeleton's rest frames must be rotations.")
        if len(set(self.names)) != count:
            raise AssetError("A skeleton's bone names must differ from each other.")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def heads(self) -> Float[ndarray, "bones 3"]:
        """Joint positions at rest, metres."""
        return self.T_world_rest[:, :3, 3]

    @cached_property
    def T_parent_rest(self) -> Float[ndarray, "bones 4 4"]:
        """Rest frame of each bone in its parent's frame; the root's in the world."""
        local = self.T_world_rest.copy()
        local[1:] = rigid_inverse(self.T_world_rest[self.parents[1:]]) @ self.T_world_rest[1:]
        return local

    def local_rotations(self, R_world: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames bones 3 3"]:
        """Rotations of bones in their parents' frames, from those in the world; the root's stay in the world."""
        local = R_world.copy()
        local[:, 1:] = np.swapaxes(R_world[:, self.parents[1:]], -1, -2) @ R_world[:, 1:]
        return local

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of each bone."""
        return children_of(self.parents)

    @cached_property
    def levels(self) -> tuple[Int[ndarray, "_level"], ...]:
        """Bones grouped by depth, parents before children."""
        depth = np.zeros(len(self), int)
        for bone in range(1, len(self)):
            depth[bone] = depth[self.parents[bone]] + 1
        return tuple(np.flatnonzero(depth == d) for d in range(depth.max() + 1))

    @cached_property
    def segments(self) -> BoneSegments:
        """One segment from each joint to each of its children, and one to a leaf's end."""
        return bone_segments(self.heads, self.tails, self.children)


@dataclass(frozen=True)
class BoneSegments:
    """Straight pieces of the skeleton at rest; a joint with two children has two."""

    bones: Int[ndarray, "segments"]
    """Bone of each segment."""
    heads: Float[ndarray, "segments 3"]
    """Start of each segment, metres."""
    tails: Float[ndarray, "segments 3"]
    """End of each segment, metres."""

    def __len__(self) -> int:
        return len(self.bones)


def children_of(parents: Sequence[int] | Int[ndarray, "nodes"]) -> tuple[tuple[int, ...], ...]:
    """Children of each node of a tree, in order; the parent of a root is -1."""
    below: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            below[parent].append(node)
    return tuple(map(tuple, below))


def bone_segments(
    heads: Float[ndarray, "bones 3"], tails: Float[ndarray, "bones 3"], children: Sequence[Sequence[int]]
) -> BoneSegments:
    """Segments from each bone's head to the heads of its children, or to its own tail where it has none."""
    bones = np.repeat(np.arange(len(heads)), [max(len(below), 1) for below in children])
    ends = [heads[list(below)] if below else tails[[bone]] for bone, below in enumerate(children)]
    return BoneSegments(bones, heads[bones], np.concatenate(ends))


def rest_frames(
    heads: Float[ndarray, "bones 3"], tails: Float[ndarray, "bones 3"], parents: Int[ndarray, "bones"]
) -> Float[ndarray, "bones 4 4"]:
    """Compute canonical rest frames from joints (see `Skeleton`); a bone without length takes its parent's axes."""
    frames = np.tile(np.eye(4), (len(heads), 1, 1))
    frames[:, :3, 3] = heads
    frames[0, :3, :3] = np.stack([UP, FORWARD, LEFT], axis=1)
    shortest = 1e-6 * max(float(np.ptp(heads, axis=0).max()), 1e-9)
    for bone in range(1, len(heads)):
        along = tails[bone] - heads[bone]
        length = np.linalg.norm(along)
        if length <= shortest:
            frames[bone, :3, :3] = frames[parents[bone], :3, :3]
            continue
        y = along / length
        side = LEFT if abs(y @ LEFT) < 0.7 else UP
        x = side - (side @ y) * y
        x /= np.linalg.norm(x)
        frames[bone, :3, :3] = np.stack([x, y, np.cross(x, y)], axis=1)
    return frames


def find_joint(skeleton: Skeleton, name: str) -> int:
    """Index of the joint with this name: exact, else without regard to case, else without the names' common prefix.

    In a rig whose bones are all called `mixamorig:...`, `LeftHand` finds `mixamorig:LeftHand`. A name that no joint or
    several joints have raises `ConfigError`, which lists close names.
    """
    if name in skeleton.names:
        return skeleton.names.index(name)
    wanted = name.strip().lower()
    full = [joint.lower() for joint in skeleton.names]
    short = [joint.lower() for joint in names_without_prefix(skeleton.names)]
    for candidates in (full, short):
        found = [i for i, candidate in enumerate(candidates) if candidate == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(skeleton.names[i] for i in found)
            raise ConfigError(f"The name '{name}' fits several joints: {several}. Write one of them in full.")
    near = get_close_matches(wanted, [*full, *short], n=3, cutoff=0.4)
    close = dict.fromkeys(skeleton.names[(full if joint in full else short).index(joint)] for joint in near)
    meant = f" Did you mean {' or '.join(map(repr, close))}?" if near else ""
    listed = ", ".join(skeleton.names[:24]) + (" ..." if len(skeleton) > 24 else "")
    raise ConfigError(f"There is no joint '{name}'.{meant} The joints are: {listed}.")


def names_without_prefix(names: tuple[str, ...]) -> list[str]:
    """Bone names without their namespace (`mixamorig:`) and without the prefix that all bones but the root share.

    A shared prefix ends at one of `: | _ - .` or a space: of `DEF-hand` and `DEF-head` it is `DEF-`, not `DEF-h`.
    """
    plain = [name.rpartition(":")[2] or name for name in names]
    if len(plain) < 3:
        return plain
    first, last = min(plain[1:]), max(plain[1:])  # what these two share, all names between them share
    ends = [i + 1 for i, mark in enumerate(first) if mark in ":|_-. " and last.startswith(first[: i + 1])]
    shared = first[: max(ends, default=0)]
    return [name.removeprefix(shared) or name for name in plain]


def unique_names(names: list[str]) -> tuple[str, ...]:
    """Make names unique by adding .2, .3, ... to those that occur again; an empty name becomes "bone"."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    result = []
    for name in (name or "bone" for name in names):
        candidate, n = name, last.get(name, 1)
        while candidate in taken:
            n += 1
            candidate = f"{name}.{n}"
        last[name] = n
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)
