"""The pose that an optimisation starts from: the rest pose, with arms that stick out sideways hanging down.

A T pose is the modeller's, not the character's: a person who walks does not hold it. Renders that do not overlap give
no gradient: an arm that is stretched out does not see the arm that a target shows beside the trunk. The sentence plays
no part.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb
from gambol.character.skeleton import Skeleton
from gambol.motion.kinematics import forward_kinematics, rest_pose, skinning_transforms

OUTSTRETCHED_SHARE = 0.5
"""An arm is lowered if more than this share of the line from shoulder to wrist points sideways."""
ARM_CLEARANCE = 0.25
"""Angle that a lowered arm keeps from its lowest position, radians, so that it does not cut into the trunk."""
TRIED_ANGLES = np.linspace(0.0, 1.6, 33)
"""Shoulder angles that are tried, radians."""


def start_angles(skeleton: Skeleton, anatomy: Anatomy) -> Float[Tensor, "joints 3"]:
    """Joint angles of the start pose, radians: 0, but for arms that stick out."""
    angles = torch.zeros(len(skeleton) - 1, 3)
    for limb in anatomy.of(BodyPart.ARM):
        bone = upper_bone(anatomy, limb)
        line = skeleton.tails[forearm(limb, bone)] - skeleton.heads[bone]
        if abs(line[2]) > OUTSTRETCHED_SHARE * np.linalg.norm(line):
            angles[bone - 1] = hanging_angles(skeleton, bone, forearm(limb, bone))
    return angles


def upper_bone(anatomy: Anatomy, limb: Limb) -> int:
    """The first bone of an arm that can be lowered all the way; a collar bone cannot."""
    free = [bone for bone in limb.bones[:3] if np.abs(anatomy.limits[bone]).max() > 1.0]
    return free[0] if free else limb.bones[0]


def forearm(limb: Limb, upper: int) -> int:
    """The bone after the upper arm: hands, fingers and what they hold may point anywhere."""
    return limb.bones[min(limb.bones.index(upper) + 1, len(limb.bones) - 1)]


def hanging_angles(skeleton: Skeleton, bone: int, last: int) -> Float[Tensor, "3"]:
    """Rotation of `bone` about one of its axes that brings the end of bone `last` lowest, less `ARM_CLEARANCE`."""
    turns = torch.as_tensor(TRIED_ANGLES).float()[:, None] * torch.cat([torch.eye(3), -torch.eye(3)])[:, None]
    turns = turns.reshape(-1, 3)
    angles = torch.zeros(len(turns), len(skeleton) - 1, 3)
    angles[:, bone - 1] = turns
    end = torch.as_tensor(np.append(skeleton.tails[last], 1.0)).float()
    rest = rest_pose(skeleton, dtype=torch.float32)
    T = skinning_transforms(rest, forward_kinematics(rest, torch.zeros(len(turns), 6), angles))
    lowest = turns[int((T[:, last, 1] @ end).argmin())]
    return lowest * max(1.0 - ARM_CLEARANCE / max(float(lowest.norm()), 1e-6), 0.0)
