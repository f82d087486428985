"""Training films of procedural creatures: a random individual, motion and style as a film of parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.make_motion import motions_for, pose_motion
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.creatures.parameter_ranges import ranges_of
from gambol.distill.start_pose import start_angles
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.motion.vocabulary import find_entry, vocabulary_motion
from gambol.priors.embedded.part_film import FRAMES, body_unit, part_frame
from gambol.priors.embedded.part_labels import bone_labels
from gambol.priors.embedded.part_moments import PartTables, part_tables
from gambol.priors.embedded.style import STYLE_AXES, StyleConditioning
from gambol.render.actor import Actor, make_actor
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.training.random_proportions import draw_proportions, with_proportions

CREATURE_VERTICES = 1500
"""Vertices of a creature's skin, enough to measure its parts."""
MOST_CREATURE_VERTICES = 6000
"""A creature whose bones are too thin for its vertices is drawn again with twice as many, beyond this no more."""
CREATURE_SPLATS = 600
"""Splats of a creature, enough to measure its parts."""
MOTION_WEIGHTS: Mapping[str, float] = {
    **dict.fromkeys(("walk", "run", "gallop"), 5.0),
    "jump": 4.0,
    **dict.fromkeys(("turn left", "turn right", "turn around"), 3.0),
    "fly": 4.0,
    **dict.fromkeys(("kick", "punch", "bite", "shake", "talk", "clap", "point", "nod", "laugh", "salute"), 3.0),
    **dict.fromkeys(("sniff", "drunk walk"), 3.0),
    **dict.fromkeys(("idle", "trot", "wave"), 2.5),
    **dict.fromkeys(("sneak", "march", "limp"), 2.0),
    **dict.fromkeys(("dance", "eat", "sit down"), 1.5),
    **dict.fromkeys(("slither", "swim"), 6.0),
}
"""Relative frequency of motions; others have 1."""
LATEST_ONCE_PHASE = 0.3
"""Latest phase at which films of motions that happen once begin: later ones would show their end alone."""
FAMILY_WEIGHTS: Mapping[str, float] = {
    **dict.fromkeys(("human", "woman"), 7.0),
    **dict.fromkeys(("child", "toddler"), 3.0),
    **dict.fromkeys(("songbird", "eagle"), 1.5),
    **dict.fromkeys(("spider", "crocodile", "lizard", "turtle", "frog", "dolphin", "wasp", "wyvern"), 2.0),
    **dict.fromkeys(("centipede", "millipede", "scorpion", "snake", "eel"), 4.0),
}
"""Relative frequency of families; others have 1."""
STYLE_SPREAD = 0.75
"""Share of the styles' range that is drawn from."""
RESHAPED_PROBABILITY = 0.4
"""Probability that a creature gets random proportions."""
HANGING_ARMS_PROBABILITY, RAISED_ARMS_PROBABILITY = 0.6, 0.7
"""Probabilities that arms that stick out hang in the start pose, and that hanging ones are raised."""
FLYING_MOTIONS = ("fly", "glide")
"""Motions of bodies that stay in the air."""
FLIGHT_HEIGHT = 0.1
"""Mean height of flying bodies above their rest height, in sizes: how high they fly is not the film's to say."""


@dataclass(frozen=True)
class Individual:
    """A character whose parts can be filmed."""

    noun: str
    """What it is called."""
    character: Character
    """Mesh, skeleton and weights."""
    anatomy: Anatomy
    """Which bone is what."""
    actor: Actor
    """Its splats bound to bones."""
    tables: PartTables
    """Its parts."""
    leg: float
    """Length of a leg, metres."""

    @property
    def fps(self) -> float:
        """Frames per second of its films."""
        return natural_frame_rate(self.leg)

    @property
    def unit(self) -> float:
        """Unit of length of its films, metres."""
        return body_unit(self.leg, self.character.size)


@dataclass(frozen=True)
class PartFilm:
    """A film of parts with the conditioning of the network."""

    motion: str
    """Motion class, one of the vocabulary."""
    start: Float[Tensor, "parts 9"]
    """Numbers of the start pose."""
    film: Float[Tensor, "frames parts 9"]
    """Numbers of every frame, less those of the start pose."""
    style: Float[Tensor, "style_numbers"]
    """Numbers of the style; zeros where it is not known."""


@dataclass(frozen=True)
class IndividualFilms:
    """Films of one individual."""

    noun: str
    """What moves."""
    labels: Int[Tensor, "parts"]
    """Index in `PART_LABELS` of each of its parts."""
    mass: Float[Tensor, "parts"]
    """Share of the surface that each part has."""
    films: list[PartFilm] = field(default_factory=list)
    """The films."""


@dataclass(frozen=True)
class ClockTimes(FrameTimes):
    """Times of a clip's frames that remember the cycle of the motion made at them."""

    frequencies: list[float] = field(default_factory=list)
    """Frequencies that the motion asked for, cycles per second; the first is the motion's own cycle."""

    def whole_cycles(self, frequency: float) -> float:
        """The frequency, as it is, and remember it."""
        self.frequencies.append(frequency)
        return frequency


def film_body(noun: str, character: Character, anatomy: Anatomy) -> Individual:
    """Bind splats to a character and measure its parts."""
    splats = splats_from_mesh(character, CREATURE_SPLATS)
    tables = part_tables(splats, bone_labels(character.require_skeleton(), anatomy))
    leg = typical_leg_length(character, anatomy)
    return Individual(noun, character, anatomy, make_actor(character, splats), tables, leg)


def draw_individual(generator: np.random.Generator, nouns: tuple[str, ...] = ()) -> Individual:
    """Draw a random member of a random family, of `nouns` if given, some in random proportions."""
    nouns = nouns or tuple(CREATURE_FAMILIES)
    shares = np.array([FAMILY_WEIGHTS.get(noun, 1.0) for noun in nouns])
    noun = str(generator.choice(nouns, p=shares / shares.sum()))
    vertices = CREATURE_VERTICES
    while True:
        try:
            creature = make_creature(noun, generator, vertices=vertices)
            break
        except ConfigError:  # bones too thin for so few vertices
            if vertices > MOST_CREATURE_VERTICES:
                raise
            vertices *= 2
    character = creature.character()
    anatomy = creature.anatomy(character)
    if generator.random() < RESHAPED_PROBABILITY:
        character = with_proportions(character, anatomy, draw_proportions(generator))
    return film_body(noun, character, anatomy)


def creature_films(individual: Individual, count: int, generator: np.random.Generator) -> IndividualFilms:
    """Film `count` random motions of one individual."""
    body = measure_body(individual.character, individual.anatomy)
    motions = motions_for(individual.anatomy)
    shares = np.array([MOTION_WEIGHTS.get(m, 1.0) for m in motions])
    found = IndividualFilms(individual.noun, individual.tables.labels, individual.tables.mass)
    for motion in generator.choice(motions, count, p=shares / shares.sum()):
        clip, style = draw_motion(individual, body, str(motion), generator)
        film = film_clip(individual, clip, draw_start_pose(individual, body, generator))
        found.films.append(PartFilm(vocabulary_motion(str(motion)), *film, style.numbers()))
    return found


def draw_motion(
    individual: Individual, body: MovingBody, motion: str, generator: np.random.Generator
) -> tuple[Clip, StyleConditioning]:
    """A procedural motion in a random style, without its steady travel, and what the network is told of it.

    All have the same seed of what is irregular: the network is told no seed, so it could not know what another shows.
    """
    style = replace(draw_style(generator, spread=STYLE_SPREAD), seed=0)
    if find_entry(motion).ends_elsewhere:
        style = replace(style, phase=LATEST_ONCE_PHASE * style.phase)
    if motion == "jump":
        style = replace(style, bounce=float(generator.uniform(0.8, 1.7)))
    clip, rate = clocked_motion(individual, body, motion, style)
    return clip, style_conditioning(style, rate)


def clocked_motion(
    individual: Individual, body: MovingBody, motion: str, style: MotionStyle, *, frames: int = FRAMES
) -> tuple[Clip, float]:
    """A procedural motion without its steady travel, and its cycles per frame."""
    fps = individual.fps
    times = ClockTimes(np.arange(frames) / fps, False)
    clip = pose_motion(body, motion, style, times).clip(motion, fps)
    root = remove_steady_travel(clip)[0]
    if motion in FLYING_MOTIONS:
        root[:, 1] += FLIGHT_HEIGHT * individual.character.size - float(root[:, 1].mean())
    return replace(clip, root=root), times.frequencies[0] / fps


def style_conditioning(style: MotionStyle, rate: float) -> StyleConditioning:
    """The conditioning for a style, each axis relative to its typical value; `rate` in cycles per frame."""
    allowed = ranges_of(MotionStyle)
    axes = ((getattr(style, n) - allowed[n].typical) / (0.5 * (allowed[n].high - allowed[n].low)) for n in STYLE_AXES)
    return StyleConditioning(style.phase, rate, style.mirrored, tuple(axes))


@torch.no_grad()
def film_clip(
    individual: Individual, clip: Clip, start: Float[Tensor, "1 bones 4 4"]
) -> tuple[Float[Tensor, "parts 9"], Float[Tensor, "frames parts 9"]]:
    """Numbers of the start pose, and of a clip less those."""
    frame = part_frame(individual.tables, individual.unit, start)
    root, angles = (torch.as_tensor(np.array(x)).float() for x in (clip.root, clip.angles))
    return frame.start, frame.numbers(individual.actor.pose(root, angles)) - frame.start


def draw_start_pose(
    individual: Individual, body: MovingBody, generator: np.random.Generator
) -> Float[Tensor, "1 bones 4 4"]:
    """Draw a start pose, with a person's arms anywhere between hanging and the T pose that many files have."""
    actor, skeleton = individual.actor, individual.character.require_skeleton()
    angles = start_angles(skeleton, individual.anatomy)
    if angles.any():  # hanging, as a distillation starts, or on the way there
        angles = angles * (1.0 if generator.random() < HANGING_ARMS_PROBABILITY else float(generator.random()))
    elif body.upright and generator.random() < RAISED_ARMS_PROBABILITY:
        raise_by = float(generator.uniform(0.0, 1.45))
        for arm in body.arms:
            angles[arm.upper - 1, 2] = raise_by
    return actor.pose(torch.zeros(1, 6), angles[None])
