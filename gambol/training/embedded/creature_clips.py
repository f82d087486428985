"""Clips of creatures made by code: an individual of a random family, a motion, a manner, a view."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits.make_motion import motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.distill.start_pose import first_angles
from gambol.motion.feet.soles import typical_leg_length
from gambol.priors.embedded.conditioning import BEGINNING
from gambol.priors.embedded.stage import (
    FRAMES,
    SPLATS,
    Stage,
    draw_view,
    frame_rate,
    make_stage,
    stage_splats,
    without_drift,
)
from gambol.render.actor import Actor, make_actor
from gambol.training.embedded.style_conditioning import manner_of
from gambol.training.random_proportions import draw_proportions, with_proportions

VERTICES = 1500
"""Of a creature's skin: enough for pictures of 48 pixels."""
SHARES = {
    "hop": 0.3,
    "walk": 2.5,
    "run": 3.0,
    "gallop": 3.0,
    "jump": 2.0,
    "turn left": 1.6,
    "turn right": 1.6,
    "idle": 1.2,
}
"""How often a motion is drawn; others 1.0."""
SPREAD = 0.75
"""Part of the manners' range that is used."""
PROPORTIONED = 0.4
"""How often a creature is drawn out of proportion."""
HANGING, RAISED = 0.6, 0.7
"""How often arms that stick out hang in the rest frame, and how often hanging ones are raised."""
HIGHEST = 0.1
SAME = {"gallop": "run", "hop": "jump", "peck": "eat", "flap": "fly", "attack": "bite"}
"""Names of a motion on other bodies."""


@dataclass(frozen=True)
class Individual:
    """A body that can be filmed."""

    noun: str
    character: Character
    anatomy: Anatomy
    actor: Actor
    fps: float
    """The stage's frame rate for a body of this size."""


@dataclass(frozen=True)
class FilmedClip:
    """A film of one motion with what the network is told about it."""

    motion: str
    noun: str
    frames: Float[Tensor, "frames 3 side 2*side"]
    rest: Float[Tensor, "3 side 2*side"]
    view: Float[Tensor, "view_numbers"]
    """Numbers of the view, then of the manner."""


def stage_body(noun: str, character: Character, anatomy: Anatomy) -> Individual:
    """Splats and frame rate of a character."""
    actor = make_actor(character, stage_splats(character, anatomy, SPLATS))
    return Individual(noun, character, anatomy, actor, frame_rate(typical_leg_length(character, anatomy)))


def draw_individual(generator: np.random.Generator) -> Individual:
    """A random member of a random family, some in proportions that the family does not have."""
    noun = str(generator.choice(list(CREATURE_FAMILIES)))
    creature = make_creature(noun, generator, vertices=VERTICES)
    character = creature.character()
    anatomy = creature.anatomy(character)
    if generator.random() < PROPORTIONED:
        character = with_proportions(character, anatomy, draw_proportions(generator))
    return stage_body(noun, character, anatomy)


def film_made_clips(individual: Individual, count: int, generator: np.random.Generator) -> list[FilmedClip]:
    """Films of so many motions of one individual."""
    body = measure_body(individual.character, individual.anatomy)
    motions = motions_for(individual.anatomy)
    shares = np.array([SHARES.get(m, 1.0) for m in motions])
    films = []
    for motion in generator.choice(motions, count, p=shares / shares.sum()):
        style = draw_manner(str(motion), generator)
        seconds = (FRAMES - 1) / individual.fps
        clip = move_body(body, str(motion), style, seconds=seconds, fps=individual.fps, loop=False)
        stage = make_stage(individual.actor, individual.anatomy, draw_view(generator))
        rest = stage.film_poses(drawn_rest(individual, body, generator))[0]
        root = without_drift(clip)[0]
        if motion in ("fly", "flap"):  # the cameras stay below: no higher than this share of the size, on average
            root[:, 1] -= max(float(root[:, 1].mean()) - HIGHEST * individual.character.size, 0.0)
        motion = SAME.get(motion, motion)
        films.append(film_clip(stage, root, clip.angles, motion, individual, rest, manner_of(style).numbers()))
    return films


def film_clip(
    stage: Stage, root: ndarray, angles: ndarray, motion: str, individual: Individual, rest: Tensor, manner: Tensor
) -> FilmedClip:
    """Film numbers of a motion."""
    with torch.no_grad():
        frames = stage.film(torch.as_tensor(root).float(), torch.as_tensor(angles).float())
    return FilmedClip(str(motion), individual.noun, frames, rest, torch.cat([stage.view.numbers(), manner]))


def draw_manner(motion: str, generator: np.random.Generator) -> MotionStyle:
    """A random manner; slow or long motions are quick enough to be seen whole."""
    style = draw_style(generator, spread=SPREAD)
    if motion == "jump":
        return replace(
            style, tempo=float(generator.uniform(1.0, 1.4)), phase=float(generator.uniform(*BEGINNING)),
            bounce=float(generator.uniform(0.8, 1.7)),
        )  # fmt: skip
    if motion == "sneak":
        return replace(style, tempo=float(generator.uniform(1.15, 1.4)))
    return style


def drawn_rest(
    individual: Individual, body: MovingBody, generator: np.random.Generator
) -> Float[Tensor, "1 bones 4 4"]:
    """The rest pose with a person's arms anywhere between hanging and the T pose, in which many files come."""
    actor, skeleton = individual.actor, individual.character.require_skeleton()
    angles = first_angles(actor, skeleton, individual.anatomy)
    if angles.any():  # hanging, as a distillation starts, or on the way there
        angles = angles * (1.0 if generator.random() < HANGING else float(generator.random()))
    elif body.upright and generator.random() < RAISED:
        raise_by = float(generator.uniform(0.0, 1.45))
        for arm in body.arms:
            angles[arm.upper - 1, 2] = raise_by
    return actor.pose(torch.zeros(1, 6), angles[None])
