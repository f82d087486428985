"""The pose that a distillation starts from: the rest pose, with arms that stick out sideways hanging down.

A T pose is the modeller's, not the character's: a person who walks does not hold it. And pictures that do not overlap
pull nowhere: an arm that is stretched out does not see the arm that a film shows beside the trunk. The sentence is not
asked.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb
from gambol.character.skeleton import Skeleton
from gambol.render.actor import Actor

SIDEWAYS = 0.5
"""An arm whose way from shoulder to wrist goes aside by more than this share sticks out."""
SPREAD = 0.25
"""Radians that a lowered arm stays away from its lowest place, so that it does not cut into the trunk."""
TRIED = np.linspace(0.0, 1.6, 33)


def first_angles(actor: Actor, skeleton: Skeleton, anatomy: Anatomy) -> Float[Tensor, "joints 3"]:
    """Joint angles of the first pose: 0, but for arms that stick out."""
    angles = torch.zeros(len(skeleton) - 1, 3)
    for limb in anatomy.of(BodyPart.ARM):
        bone = upper_bone(anatomy, limb)
        way = skeleton.tails[forearm(limb, bone)] - skeleton.heads[bone]
        if abs(way[2]) > SIDEWAYS * np.linalg.norm(way):
            angles[bone - 1] = hanging(actor, skeleton, bone, forearm(limb, bone))
    return angles


def upper_bone(anatomy: Anatomy, limb: Limb) -> int:
    """The first bone of an arm that can be lowered all the way; a collar bone cannot."""
    free = [bone for bone in limb.bones[:3] if np.abs(anatomy.limits[bone]).max() > 1.0]
    return free[0] if free else limb.bones[0]


def forearm(limb: Limb, upper: int) -> int:
    """The bone after the upper one: hands, fingers and what they hold may point anywhere."""
    return limb.bones[min(limb.bones.index(upper) + 1, len(limb.bones) - 1)]


def hanging(actor: Actor, skeleton: Skeleton, bone: int, last: int) -> Float[Tensor, "3"]:
    """The turn about one of the joint's axes that brings the end of the last bone lowest, less `SPREAD`."""
    turns = torch.as_tensor(TRIED).float()[:, None] * torch.cat([torch.eye(3), -torch.eye(3)])[:, None]
    turns = turns.reshape(-1, 3)
    angles = torch.zeros(len(turns), len(skeleton) - 1, 3)
    angles[:, bone - 1] = turns
    end = torch.as_tensor(np.append(skeleton.tails[last], 1.0)).float()
    heights = actor.pose(torch.zeros(len(turns), 6), angles)[:, last, 1] @ end
    lowest = turns[int(heights.argmin())]
    return lowest * max(1.0 - SPREAD / max(float(lowest.norm()), 1e-6), 0.0)
