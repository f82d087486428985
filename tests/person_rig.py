"""A rig made for the tests: a person with IK feet, helpers and marked ends, or any other of the same kind."""

from __future__ import annotations

import numpy as np
from gltf_builder import box

from gambol.character.character import Character
from gambol.character.scene import Part, Scene, Skin, translated_nodes

# A person of 1.8 m in T-pose that looks along +z, so its left is +x: name -> (parent, joint, half width of its box).
# The boxes reach to the next joint; feet are IK bones under the root, as in most Quaternius files.
PERSON = {
    "Root": (None, (0.0, 0.0, 0.0), None),
    "Hips": ("Root", (0.0, 1.0, 0.0), 0.12),
    "Chest": ("Hips", (0.0, 1.25, 0.0), 0.14),
    "Head": ("Chest", (0.0, 1.55, 0.0), 0.1),
    "Head_end": ("Head", (0.0, 1.8, 0.0), None),
    "Arm.L": ("Chest", (0.2, 1.45, 0.0), 0.05),
    "Hand.L": ("Arm.L", (0.7, 1.45, 0.0), 0.04),
    "Arm.R": ("Chest", (-0.2, 1.45, 0.0), 0.05),
    "Hand.R": ("Arm.R", (-0.7, 1.45, 0.0), 0.04),
    "UpperLeg.L": ("Hips", (0.1, 0.95, 0.0), 0.07),
    "LowerLeg.L": ("UpperLeg.L", (0.1, 0.5, 0.02), 0.05),
    "LowerLeg.L_end": ("LowerLeg.L", (0.1, 0.1, 0.0), None),
    "UpperLeg.R": ("Hips", (-0.1, 0.95, 0.0), 0.07),
    "LowerLeg.R": ("UpperLeg.R", (-0.1, 0.5, 0.02), 0.05),
    "LowerLeg.R_end": ("LowerLeg.R", (-0.1, 0.1, 0.0), None),
    "Foot.L": ("Root", (0.1, 0.1, 0.0), 0.04),
    "Foot.R": ("Root", (-0.1, 0.1, 0.0), 0.04),
    "PoleTarget.L": ("Root", (0.1, 0.5, 0.8), None),
    "PoleTarget.R": ("Root", (-0.1, 0.5, 0.8), None),
}
ENDS = {"Head": (0.0, 1.8, 0.0), "Hand.L": (0.85, 1.45, 0.0), "Hand.R": (-0.85, 1.45, 0.0)}
ENDS |= {"Foot.L": (0.1, 0.02, 0.18), "Foot.R": (-0.1, 0.02, 0.18), "LowerLeg.L": (0.1, 0.1, 0.0)}
ENDS |= {"LowerLeg.R": (-0.1, 0.1, 0.0), "Hips": (0.0, 1.25, 0.0), "Chest": (0.0, 1.55, 0.0)}
ENDS |= {"Arm.L": (0.7, 1.45, 0.0), "Arm.R": (-0.7, 1.45, 0.0)}
ENDS |= {"UpperLeg.L": (0.1, 0.5, 0.02), "UpperLeg.R": (-0.1, 0.5, 0.02)}


def make_scene(
    rig: dict = PERSON, *, T: np.ndarray | None = None, ends: dict = ENDS, extra: dict | None = None
) -> Scene:
    """A rig with one box per joint that has a width, all moved by T (a similarity, or a mirror).

    `extra` gives further weight: name -> (joint, share), that share of every vertex of `name`'s box goes to `joint`.
    """
    T = np.eye(4) if T is None else T
    names = list(rig)
    heads = np.array([rig[n][1] for n in names], dtype=float) @ T[:3, :3].T + T[:3, 3]
    parents = np.array([names.index(rig[n][0]) if rig[n][0] is not None else -1 for n in names])
    local = np.where(parents[:, None] >= 0, heads - heads[parents], heads)
    tree = translated_nodes((*names, "Body mesh"), np.append(parents, -1), np.vstack([local, np.zeros(3)]))
    inverse_binds = np.tile(np.eye(4), (len(names), 1, 1))
    inverse_binds[:, :3, 3] = -heads
    points, faces, joints, weights = [], [], [], []
    for i, name in enumerate(names):
        width = rig[name][2]
        if width is None:
            continue
        ends_of = np.array([rig[name][1], ends.get(name, rig[name][1])])
        corners, triangles = box(ends_of.min(0) - width, ends_of.max(0) + width)
        faces.append(triangles + 8 * len(points))
        points.append(corners @ T[:3, :3].T + T[:3, 3])
        other, share = (extra or {}).get(name, (name, 0.0))
        joints.append(np.tile([i, names.index(other)], (8, 1)))
        weights.append(np.tile([1.0 - share, share], (8, 1)))
    skin = Skin("skin", np.arange(len(names)), inverse_binds)
    part = Part(
        len(names),
        0,
        np.concatenate(points).astype(np.float32),
        np.concatenate(faces),
        joints=np.concatenate(joints),
        weights=np.concatenate(weights).astype(np.float32),
    )
    return Scene(tree, (skin,), (part,))


def turned(quarter_turns: int) -> np.ndarray:
    """A rotation about y by quarter turns: +z goes to +x, then to -z."""
    c, s = round(np.cos(quarter_turns * np.pi / 2)), round(np.sin(quarter_turns * np.pi / 2))
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]], dtype=float)


def parent_names(character: Character) -> dict[str, str | None]:
    skeleton = character.skeleton
    return {n: skeleton.names[p] if p >= 0 else None for n, p in zip(skeleton.names, skeleton.parents, strict=True)}
