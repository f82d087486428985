"""Rigs written down bone by bone as scenes: joints, helpers without weight, one tube of surface for each weighted bone.

Coordinates are x forwards, y up, z to the right; `make_scene` turns them to the facing of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gambol.character.scene import NodeTree, Part, Scene, Skin

Point = tuple[float, float, float]
TURNS = {"+x": 0.0, "-x": np.pi, "+z": -0.5 * np.pi, "-z": 0.5 * np.pi}


@dataclass(frozen=True)
class RigBone:
    """One joint of a rig with the surface that it moves: a tube of elliptic sections from the joint to `end`."""

    name: str
    parent: str | None
    joint: Point
    end: Point | None = None
    """Where the surface ends; None for a helper without weight."""
    half: tuple[float, float] = (0.02, 0.02)
    """Half height and half width of the tube; unequal ones make a fin."""
    tip: float = 1.0
    """Size of the tube's far end relative to its start."""
    part: str | None = None
    """Expected part, side and pair, such as "leg left 0"; None where any answer will do."""
    contact: bool = False
    """Whether the leg stands on this bone."""


def tube(
    names: list[str], parent: str | None, points, half, part: str | None = None, *, taper: float = 1.0
) -> list[RigBone]:
    """Bones one after another through the points; `half` is a pair or one pair for each bone."""
    bones = []
    for i, name in enumerate(names):
        own = half[i] if isinstance(half, list) else half
        bones.append(RigBone(name, parent, tuple(points[i]), tuple(points[i + 1]), own, taper, part))
        parent = name
    return bones


def both_sides(bones: list[RigBone]) -> list[RigBone]:
    """The bones of the left and their mirror images; "left" and ".L" become "right" and ".R"."""
    swap = lambda text: text and text.replace(".L", ".R")  # noqa: E731
    flip = lambda p: p and (p[0], p[1], -p[2])  # noqa: E731
    right = [
        replace(
            b,
            name=swap(b.name),
            parent=swap(b.parent),
            joint=flip(b.joint),
            end=flip(b.end),
            part=b.part and b.part.replace("left", "right"),
        )
        for b in bones
    ]
    return [*bones, *right]


def make_scene(
    bones: list[RigBone],
    *,
    facing: str = "+x",
    mesh: bool = True,
    end_bones: bool = False,
    rename: bool = False,
    generator: np.random.Generator | None = None,
) -> tuple[Scene, dict[str, str]]:
    """A scene with one tube for each weighted bone, and the name in the file of each bone.

    `end_bones` marks the end of every chain by a joint of its own, as Blender's exporters do.
    `rename` calls all joints Bone.000 and so on in the order of the file; a generator shuffles that order.
    """
    if end_bones:
        inner = {b.parent for b in bones}
        bones = [*bones, *(RigBone(f"{b.name}_end", b.name, b.end) for b in bones if b.end and b.name not in inner)]
    order = _file_order(bones, generator)
    bones = [bones[i] for i in order]
    places = {bone.name: i for i, bone in enumerate(bones)}
    names = {b.name: f"Bone.{i:03d}" if rename else b.name for i, b in enumerate(bones)}
    angle = TURNS[facing]
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    heads = np.array([b.joint for b in bones], float) @ turn.T
    parents = np.array([places[b.parent] if b.parent is not None else -1 for b in bones])
    local = np.where(parents[:, None] >= 0, heads - heads[parents], heads)
    count = len(bones)
    tree = NodeTree(
        (*(names[b.name] for b in bones), "Mesh"),
        np.append(parents, -1),
        np.vstack([local, np.zeros(3)]),
        np.tile([1.0, 0.0, 0.0, 0.0], (count + 1, 1)),
        np.ones((count + 1, 3)),
        {},
    )
    binds = np.tile(np.eye(4), (count, 1, 1))
    binds[:, :3, 3] = -heads
    skin = Skin("skin", np.arange(count), binds)
    if not mesh:
        return Scene(tree, (skin,), ()), names
    points, faces, owners = [], [], []
    for i, bone in enumerate(bones):
        if bone.end is not None:
            own, triangles = _tube_surface(bone)
            faces.append(triangles + sum(len(p) for p in points))
            points.append(own @ turn.T)
            owners += [i] * len(own)
    joints = np.array(owners)[:, None]
    part = Part(
        count,
        0,
        np.concatenate(points).astype(np.float32),
        np.concatenate(faces),
        joints=joints,
        weights=np.ones(joints.shape, np.float32),
    )
    return Scene(tree, (skin,), (part,)), names


def _file_order(bones: list[RigBone], generator: np.random.Generator | None) -> list[int]:
    """Parents first; children in the order of the list, or shuffled."""
    children: dict[str | None, list[int]] = {}
    for i, bone in enumerate(bones):
        children.setdefault(bone.parent, []).append(i)
    order, pending = [], list(children[None])
    while pending:
        i = pending.pop(0 if generator is None else int(generator.integers(len(pending))))
        order.append(i)
        pending += children.get(bones[i].name, [])
    return order


def _tube_surface(bone: RigBone, around: int = 10, rings: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a closed tube whose sections are as high as `half[0]` and as wide as `half[1]`."""
    start, end = np.array(bone.joint, float), np.array(bone.end, float)
    y = (end - start) / np.linalg.norm(end - start)
    up = np.array([0.0, 1.0, 0.0]) if abs(y[1]) < 0.8 else np.array([1.0, 0.0, 0.0])
    side = np.cross(y, up)
    side /= np.linalg.norm(side)
    up = np.cross(side, y)
    angles = 2.0 * np.pi * np.arange(around) / around
    points = []
    for share in np.linspace(0.0, 1.0, rings):
        size = 1.0 + share * (bone.tip - 1.0)
        ring = np.outer(np.sin(angles) * bone.half[0] * size, up) + np.outer(np.cos(angles) * bone.half[1] * size, side)
        points.append(start + share * (end - start) + ring)
    points += [start[None], end[None]]
    faces = []
    for ring in range(rings - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces += [[a, b, a + around], [b, b + around, a + around]]
    last = rings * around
    for k in range(around):
        faces += [[last, (k + 1) % around, k], [last + 1, last - around + k, last - around + (k + 1) % around]]
    vertices = np.concatenate(points)
    return vertices, np.array(faces)
