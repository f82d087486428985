"""Procedural motions by name: a character, its anatomy, the name of a motion and a style make a clip."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.creatures.gaits import (
    actions,
    athletic_acts,
    claws,
    feeding,
    flight,
    gait_kinds,
    gait_variants,
    hand_acts,
    head_and_trunk_acts,
    postures,
    slither,
    swim,
    wing_fin_trunk_acts,
)
from gambol.creatures.gaits.dancing import dance
from gambol.creatures.gaits.gait import Gait
from gambol.creatures.gaits.gait_motion import FrameTimes, pose_gait
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.motion_names import MOTIONS
from gambol.motion.vocabulary import ANIMAL, ARMED, LEGGED, MANY_LEGGED, PERSON, VOCABULARY, WINGED

GAIT_MOTIONS: dict[str, Callable[[MovingBody], Gait]] = {
    "walk": gait_kinds.walk,
    "trot": gait_kinds.trot,
    "run": gait_kinds.run,
    "gallop": gait_kinds.run,
    "hop": gait_kinds.hop,
    "sneak": gait_kinds.sneak,
    "march": gait_kinds.march,
    "limp": gait_kinds.limp,
    "turn left": lambda body: gait_kinds.turning(body, 1.0),
    "turn right": lambda body: gait_kinds.turning(body, -1.0),
}
"""Motions that are gaits, and the parameters of each for a body."""

ACTION_MOTIONS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "idle": actions.idle,
    "jump": actions.jump,
    "dance": dance,
    "kick": actions.kick,
    "punch": actions.punch,
    "wave": actions.wave,
    "eat": feeding.eat,
    "peck": feeding.eat,
    "bite": feeding.bite,
    "attack": feeding.bite,
    "fly": flight.fly,
    "flap": flight.flap,
    **postures.POSTURES,
    **head_and_trunk_acts.HEAD_AND_TRUNK_ACTS,
    **hand_acts.HAND_ACTS,
    **athletic_acts.ATHLETIC_ACTS,
    **wing_fin_trunk_acts.WING_ACTS,
    **gait_variants.GAIT_VARIANTS,
}
"""Other motions of bodies with legs."""

CLAW_MOTIONS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "punch": claws.strike,
    "wave": claws.wave_claw,
    "bite": claws.attack,
    "attack": claws.attack,
}
"""Motions of bodies with claws that other bodies do in another way."""

LEGLESS_MOTIONS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "slither": slither.slither,
    "idle": slither.rest_coiled,
    "turn left": lambda body, style, times: slither.slither(body, style, times, turning=1.1),
    "turn right": lambda body, style, times: slither.slither(body, style, times, turning=-1.1),
    "bite": slither.strike,
    "attack": slither.strike,
    **wing_fin_trunk_acts.LEGLESS_ACTS,
}
"""Motions of bodies without legs and fins."""

FINNED_MOTIONS: dict[str, Callable[[MovingBody, MotionStyle, FrameTimes], PoseBuilder]] = {
    "swim": swim.swim,
    "idle": swim.hover,
    "turn left": lambda body, style, times: swim.swim(body, style, times, turning=1.0),
    "turn right": lambda body, style, times: swim.swim(body, style, times, turning=-1.0),
    "jump": swim.breach,
    "bite": swim.bite,
    "attack": swim.bite,
    **wing_fin_trunk_acts.FINNED_ACTS,
}
"""Motions of bodies with fins (wings) and without legs."""


RULED_MOTIONS = (*MOTIONS, "hop", "peck", "flap")
"""Motions that bodies are given by rules of their own, beyond the kinds of bodies in the vocabulary."""


def motions_for(anatomy: Anatomy) -> tuple[str, ...]:
    """Return the names of the motions that a body can do, from its anatomy alone."""
    legs = len([limb for limb in anatomy.legs if limb.contact is not None])
    arms, wings = len(anatomy.of(BodyPart.ARM)), len(anatomy.of(BodyPart.WING))
    if legs < 2 and wings >= 2:
        return ("swim", "idle", "turn left", "turn right", "jump", "bite", *wing_fin_trunk_acts.FINNED_ACTS)
    if legs < 2:
        return ("slither", "idle", "turn left", "turn right", "bite", *wing_fin_trunk_acts.LEGLESS_ACTS)
    head = BodyPart.HEAD in anatomy.parts
    centaur = legs == 4 and arms >= 2
    animal = head and not centaur and (legs >= 4 or BodyPart.TAIL in anatomy.parts)
    motions = ["walk"]
    motions += ["trot", "gallop"] if legs == 4 else ["run"]
    motions += ["hop"] if legs <= 4 else []
    motions += ["jump", "idle", "turn left", "turn right", "sneak", "limp", "march", "dance"]
    motions += ["kick"] if legs <= 4 else []
    motions += ["punch", "wave"] if arms >= 2 and (legs > 4 or not animal) else []
    if animal and not (wings and legs > 4):  # insects do not bow
        motions += ["peck"] if legs == 2 and wings else ["eat"]
    motions += ["bite"] if animal or legs > 4 else []
    motions += ["fly", "flap"] if wings >= 2 else []
    kinds = {LEGGED}
    kinds |= {PERSON} if legs == 2 and arms >= 2 and not animal and not wings else set()
    kinds |= {ARMED} if arms >= 2 and (legs > 4 or not animal) else set()
    kinds |= {ANIMAL} if animal else set()
    kinds |= {MANY_LEGGED} if legs > 4 else set()
    kinds |= {WINGED} if wings >= 2 else set()
    known = [e.name for e in VOCABULARY if kinds & set(e.bodies) and e.name in ACTION_MOTIONS]
    return (*motions, *(name for name in known if name not in RULED_MOTIONS))


def make_motion(
    character: Character,
    anatomy: Anatomy,
    motion: str,
    style: MotionStyle | None = None,
    *,
    seconds: float = 2.0,
    fps: float = 30.0,
    loop: bool = True,
) -> Clip:
    """Make a clip of round(seconds x fps) + 1 frames; `motion` is one of `motions_for(anatomy)`.

    A loop holds a whole number of cycles, so its last frame is its first one, moved on by the root motion; without
    `loop` the tempo is exactly the natural one.
    """
    return move_body(
        measure_body(character, anatomy), motion, style or MotionStyle(), seconds=seconds, fps=fps, loop=loop
    )


def move_body(
    body: MovingBody, motion: str, style: MotionStyle, *, seconds: float = 2.0, fps: float = 30.0, loop: bool = True
) -> Clip:
    """Make a clip for a body that is measured already, as `make_motion` does; for many clips of one character."""
    if not (seconds > 0 and fps > 0):
        raise ConfigError(
            f"A clip of {seconds} seconds at {fps} frames per second cannot be made; both must be positive."
        )
    times = FrameTimes(np.arange(max(round(seconds * fps), 1) + 1) / fps, loop)
    return pose_motion(body, motion, style, times).clip(motion, fps)


def pose_motion(body: MovingBody, motion: str, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Make a motion by name at the given times."""
    legless = FINNED_MOTIONS if len(body.wings) >= 2 else LEGLESS_MOTIONS
    if not body.legs:
        if motion in legless:
            return legless[motion](body, style, times)
    elif body.has_claws and motion in CLAW_MOTIONS:
        return CLAW_MOTIONS[motion](body, style, times)
    elif motion in GAIT_MOTIONS:
        return pose_gait(body, GAIT_MOTIONS[motion](body), style, times)
    elif motion in ACTION_MOTIONS:
        return ACTION_MOTIONS[motion](body, style, times)
    known = legless if not body.legs else (*GAIT_MOTIONS, *ACTION_MOTIONS)
    raise ConfigError(f"The motion is {motion!r}; this body can {', '.join(known)}.")
