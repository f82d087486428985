"""Training clips of procedural creatures: a random individual, motion, style and view, rendered on the stage."""

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
from gambol.distill.start_pose import start_angles
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.motion_names import canonical_motion
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.priors.embedded.stage import (
    FRAMES,
    SPLATS,
    Stage,
    draw_view,
    make_stage,
    stage_splats,
)
from gambol.priors.embedded.style import START_PHASES
from gambol.render.actor import Actor, make_actor
from gambol.training.embedded.style_conditioning import style_conditioning
from gambol.training.random_proportions import draw_proportions, with_proportions

CREATURE_VERTICES = 1500
"""Vertices of a creature's skin, enough for pictures of 48 pixels."""
MOTION_WEIGHTS = {
    "hop": 0.3,
    "walk": 2.5,
    "run": 3.0,
    "gallop": 3.0,
    "jump": 2.0,
    "turn left": 1.6,
    "turn right": 1.6,
    "idle": 1.2,
}
"""Relative frequency of motions; others have 1."""
STYLE_SPREAD = 0.75
"""Share of the styles' range that is drawn from."""
RESHAPED_PROBABILITY = 0.4
"""Probability that a creature gets random proportions."""
HANGING_ARMS_PROBABILITY, RAISED_ARMS_PROBABILITY = 0.6, 0.7
"""Probabilities that arms that stick out hang in the rest frame, and that hanging ones are raised."""
MAX_FLIGHT_HEIGHT = 0.1
"""Largest mean height of flying bodies above their rest height, in sizes, so that the cameras see them."""


@dataclass(frozen=True)
class Individual:
    """A character that is ready to be rendered on the stage."""

    noun: str
    """What it is called."""
    character: Character
    """Mesh, skeleton and weights."""
    anatomy: Anatomy
    """Which bone is what."""
    actor: Actor
    """Its splats bound to bones."""
    fps: float
    """The stage's frame rate for a body of its size."""


@dataclass(frozen=True)
class RenderedClip:
    """A rendered clip with the conditioning of the network."""

    motion: str
    """Motion class, one of `MOTIONS`."""
    noun: str
    """What moves."""
    frames: Float[Tensor, "frames 3 side 2*side"]
    """The video: two views side by side."""
    rest: Float[Tensor, "3 side 2*side"]
    """The rest frame from the same views."""
    view: Float[Tensor, "view_numbers"]
    """Conditioning numbers of the view, then of the style."""


def stage_body(noun: str, character: Character, anatomy: Anatomy) -> Individual:
    """Bind splats to a character and choose its frame rate."""
    actor = make_actor(character, stage_splats(character, anatomy, SPLATS))
    return Individual(noun, character, anatomy, actor, natural_frame_rate(typical_leg_length(character, anatomy)))


def draw_individual(generator: np.random.Generator) -> Individual:
    """Draw a random member of a random family, some in random proportions."""
    noun = str(generator.choice(list(CREATURE_FAMILIES)))
    creature = make_creature(noun, generator, vertices=CREATURE_VERTICES)
    character = creature.character()
    anatomy = creature.anatomy(character)
    if generator.random() < RESHAPED_PROBABILITY:
        character = with_proportions(character, anatomy, draw_proportions(generator))
    return stage_body(noun, character, anatomy)


def render_creature_clips(individual: Individual, count: int, generator: np.random.Generator) -> list[RenderedClip]:
    """Render `count` clips of random motions of one individual."""
    body = measure_body(individual.character, individual.anatomy)
    motions = motions_for(individual.anatomy)
    shares = np.array([MOTION_WEIGHTS.get(m, 1.0) for m in motions])
    clips = []
    for motion in generator.choice(motions, count, p=shares / shares.sum()):
        style = draw_training_style(str(motion), generator)
        seconds = (FRAMES - 1) / individual.fps
        clip = move_body(body, str(motion), style, seconds=seconds, fps=individual.fps, loop=False)
        stage = make_stage(individual.actor, individual.anatomy, draw_view(generator))
        rest = stage.render_poses(draw_rest_pose(individual, body, generator))[0]
        root = remove_steady_travel(clip)[0]
        if motion in ("fly", "flap"):  # the cameras stay below: no higher than this share of the size, on average
            root[:, 1] -= max(float(root[:, 1].mean()) - MAX_FLIGHT_HEIGHT * individual.character.size, 0.0)
        motion = canonical_motion(str(motion))
        clips.append(
            render_staged_clip(stage, root, clip.angles, motion, individual, rest, style_conditioning(style).numbers())
        )
    return clips


def render_staged_clip(
    stage: Stage, root: ndarray, angles: ndarray, motion: str, individual: Individual, rest: Tensor, style: Tensor
) -> RenderedClip:
    """Render a motion given by root and joint angles."""
    with torch.no_grad():
        frames = stage.render(torch.as_tensor(root).float(), torch.as_tensor(angles).float())
    return RenderedClip(str(motion), individual.noun, frames, rest, torch.cat([stage.view.numbers(), style]))


def draw_training_style(motion: str, generator: np.random.Generator) -> MotionStyle:
    """Draw a random style; slow or long motions are made quick enough to fit into the video."""
    style = draw_style(generator, spread=STYLE_SPREAD)
    if motion == "jump":
        return replace(
            style, tempo=float(generator.uniform(1.0, 1.4)), phase=float(generator.uniform(*START_PHASES)),
            bounce=float(generator.uniform(0.8, 1.7)),
        )  # fmt: skip
    if motion == "sneak":
        return replace(style, tempo=float(generator.uniform(1.15, 1.4)))
    return style


def draw_rest_pose(
    individual: Individual, body: MovingBody, generator: np.random.Generator
) -> Float[Tensor, "1 bones 4 4"]:
    """Draw a rest pose, with a person's arms anywhere between hanging and the T pose that many files have."""
    actor, skeleton = individual.actor, individual.character.require_skeleton()
    angles = start_angles(skeleton, individual.anatomy)
    if angles.any():  # hanging, as a distillation starts, or on the way there
        angles = angles * (1.0 if generator.random() < HANGING_ARMS_PROBABILITY else float(generator.random()))
    elif body.upright and generator.random() < RAISED_ARMS_PROBABILITY:
        raise_by = float(generator.uniform(0.0, 1.45))
        for arm in body.arms:
            angles[arm.upper - 1, 2] = raise_by
    return actor.pose(torch.zeros(1, 6), angles[None])
