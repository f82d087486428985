"""Everything about a character that an optimisation needs, found once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.distill.motion_parameters import ParameterScale, parameter_scale
from gambol.distill.start_pose import start_angles
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.render.actor import Actor
from gambol.render.observer import Subject


@dataclass(frozen=True)
class AngleLimits:
    """Limits of all joint angles but the root's, radians."""

    low: Float[Tensor, "joints 3"]
    """Smallest angle of each joint about each axis."""
    high: Float[Tensor, "joints 3"]
    """Largest angle of each joint about each axis."""


@dataclass(frozen=True)
class Body:
    """A character as the optimisation sees it."""

    character: Character
    """The character."""
    anatomy: Anatomy
    """What each bone is."""
    actor: Actor
    """Splats on the skeleton, as the prior's observer shows them."""
    leg: float
    """Typical length of a leg, metres."""
    fps: float
    """Natural frame rate of the body (`motion.dynamic_similarity`), frames per second."""
    limits: AngleLimits
    """Joint limits from the anatomy."""
    scale: ParameterScale
    """How far each parameter of the motion may be expected to go."""
    start_angles: Float[Tensor, "joints 3"]
    """Joint angles of the start pose, radians."""


def make_subject(character: Character, anatomy: Anatomy | None = None) -> Subject:
    """The character in the pose in which an optimisation starts."""
    character.require_skin()  # raises where mesh, skeleton or weights are missing
    anatomy = anatomy or find_anatomy(character)
    return Subject(character, anatomy, start_angles(character.require_skeleton(), anatomy))


def make_body(subject: Subject, actor: Actor) -> Body:
    """Leg length, joint limits, parameter scales and frame rate of a character whose splats are the actor's."""
    character, anatomy = subject.character, subject.anatomy
    leg = typical_leg_length(character, anatomy)
    scale = parameter_scale(actor, character.require_skeleton(), anatomy, leg)
    limits = angle_limits(anatomy)
    return Body(character, anatomy, actor, leg, natural_frame_rate(leg), limits, scale, subject.start_angles)


def angle_limits(anatomy: Anatomy) -> AngleLimits:
    """The anatomy's joint limits as tensors, without the root's."""
    low, high = (torch.as_tensor(np.ascontiguousarray(anatomy.limits[1:, :, k])).float() for k in (0, 1))
    return AngleLimits(low, high)
