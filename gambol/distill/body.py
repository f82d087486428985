"""Everything about a character that a distillation needs, found once."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.distill.motion_parameters import Reach, find_reach
from gambol.distill.penalties import Limits, joint_limits
from gambol.distill.start_pose import first_angles
from gambol.motion.feet.soles import typical_leg_length
from gambol.priors.embedded.stage import SIDE, SPLATS, frame_rate, stage_splats
from gambol.render.actor import Actor, make_actor
from gambol.render.splats_from_mesh import splats_from_mesh


@dataclass(frozen=True)
class Body:
    """A character in front of a prior."""

    character: Character
    anatomy: Anatomy
    actor: Actor
    leg: float
    """Typical length of a leg, metres."""
    fps: float
    """Of the embedded prior's film of this body."""
    limits: Limits
    reach: Reach
    first_angles: Float[Tensor, "joints 3"]
    """Of the pose that a distillation starts from."""


def make_body(character: Character, anatomy: Anatomy, *, splats: int = SPLATS, picture: int = SIDE) -> Body:
    """Splats, limits, reach and frame rate of a character; `picture`: pixels of the pictures that splats are for."""
    character.require_skin()  # says what is missing
    on_stage = picture == SIDE
    shown = (
        stage_splats(character, anatomy, splats) if on_stage else splats_from_mesh(character, splats, picture=picture)
    )
    actor = make_actor(character, shown)
    leg = typical_leg_length(character, anatomy)
    reach = find_reach(actor, character.require_skeleton(), anatomy, leg)
    first = first_angles(actor, character.require_skeleton(), anatomy)
    return Body(character, anatomy, actor, leg, frame_rate(leg), joint_limits(anatomy), reach, first)
