"""Small bodies for the tests of the physics: a block, a pendulum, a legged body; no files, no meshes."""

from __future__ import annotations

import numpy as np
import torch

from gambol.character.skeleton import Skeleton, rest_frames
from gambol.motion.clip import Clip, rest_clip
from gambol.physics.articulated_body import ArticulatedBody, BodyConfig, make_articulated_body
from gambol.physics.collision_boxes import BoneBoxes, boxes_from_segments
from gambol.physics.generalised_coordinates import body_transforms, states_from_transforms

AS_IT_IS = BodyConfig(size=None, roundness=0.0, inertia_floor=0.0, mass_floor=0.0, weld=0.0)


def rig(rows: list[tuple[str, str | None, tuple, tuple, float]]) -> tuple[Skeleton, BoneBoxes]:
    """Bones as (name, parent, head, tail, thickness)."""
    names = [row[0] for row in rows]
    parents = np.array([-1 if row[1] is None else names.index(row[1]) for row in rows])
    heads, tails = (np.array([row[k] for row in rows], float) for k in (2, 3))
    skeleton = Skeleton(tuple(names), parents, rest_frames(heads, tails, parents), tails)
    return skeleton, boxes_from_segments(skeleton, thickness=np.array([row[4] for row in rows], float))


def block() -> tuple[Skeleton, BoneBoxes]:
    """One flat box, 0.4 x 0.2 x 0.2 m, lying on the ground."""
    return rig([("block", None, (-0.2, 0.1, 0), (0.2, 0.1, 0), 0.2)])


def arm() -> tuple[Skeleton, BoneBoxes]:
    """A heavy base in the air with one slim bone hanging from it."""
    return rig([("base", None, (-1.0, 5.0, 0), (1.0, 5.0, 0), 2.0), ("arm", "base", (0, 4.0, 0), (0, 3.5, 0), 0.05)])


def walker() -> tuple[Skeleton, BoneBoxes, Clip]:
    """A trunk on four two-bone legs, 1 m long, with a clip of 8 frames that steps and drifts."""
    rows: list = [("trunk", None, (-0.4, 0.5, 0), (0.4, 0.5, 0), 0.2)]
    for end, x in (("fore", 0.3), ("hind", -0.3)):
        for side, z in (("L", -0.1), ("R", 0.1)):
            rows.append((f"{end}_upper_{side}", "trunk", (x, 0.45, z), (x, 0.22, z), 0.08))
            rows.append((f"{end}_lower_{side}", f"{end}_upper_{side}", (x, 0.22, z), (x, 0.0, z), 0.06))
    skeleton, boxes = rig(rows)
    time = np.arange(8) / 24.0
    root, angles = np.zeros((8, 6)), np.zeros((8, len(skeleton) - 1, 3))
    root[:, 0], root[:, 1] = 0.5 * time, 0.05
    for joint in range(angles.shape[1]):
        angles[:, joint, 0] = 0.3 * np.sin(6.0 * time + joint)
    return skeleton, boxes, Clip("step", 24.0, root, angles)


def body_of(
    skeleton: Skeleton, boxes: BoneBoxes, *, config: BodyConfig = AS_IT_IS, clip: Clip | None = None
) -> ArticulatedBody:
    return make_articulated_body(skeleton, boxes, (clip or rest_clip(skeleton, 3, 24.0),), config=config)


def rest_state(body: ArticulatedBody, skeleton: Skeleton) -> torch.Tensor:
    """[bodies, 7] at rest."""
    T = body_transforms(body, skeleton, rest_clip(skeleton, 1, 24.0))
    return torch.as_tensor(states_from_transforms(T)[0], dtype=torch.float32)
