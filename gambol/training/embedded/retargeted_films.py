"""Training films of real motion: clips of files on their own bodies, and retargeted to procedural bodies.

A wolf's gallop is seen on many quadrupeds, captured people on people of all builds. Gaits are resampled to about the
cycles per frame of procedural ones, and the phase of their cycle is found by comparison with those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits.make_motion import motions_for
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.errors import GambolError
from gambol.evaluate.gait_cycle import gait_cycle
from gambol.evaluate.observation import observe_clip
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.node_clip import NodeClip
from gambol.motion.retarget.retarget import retarget_clip
from gambol.motion.root_trajectory import loop_frames, remove_steady_travel, rotate_on_ground
from gambol.priors.embedded.part_film import FRAMES
from gambol.priors.embedded.style import StyleConditioning, unknown_style
from gambol.training.embedded.creature_clips import (
    Individual,
    IndividualFilms,
    PartFilm,
    clocked_motion,
    creature_films,
    draw_individual,
    draw_start_pose,
    film_body,
    film_clip,
    style_conditioning,
)
from gambol.training.embedded.file_clips import FileClip, anatomy_of, read_asset
from gambol.training.random_proportions import draw_proportions, with_proportions

FRAMES_PER_CYCLE = {"walk": 15.2, "limp": 15.2, "march": 15.2, "sneak": 22.0, "trot": 11.4, "run": 10.0}
"""Frames of one cycle of each gait; other motions keep their own tempo."""
TEMPO_FACTORS = (0.8, 1.25)
"""Range of the random factor of a real clip's tempo."""
MAX_CLIP_FPS, MIN_CLIP_FPS = 60.0, 7.0
"""Range of frames per second at which a clip may be sampled."""
MAX_COMPRESSION = 1.5
"""A clip that is longer than a film by up to this factor is played faster, so that it is seen whole."""
LEAST_PHASE_CORRELATION = 0.35
"""Least correlation of a real gait with the procedural one for its phase to count as known."""
UNCHANGED_PROBABILITY = 0.25
"""Probability that a file's character keeps its own proportions."""
LEAST_ACTION_FRAMES = 12
"""Least number of frames of a clip that counts as an action from its start to its end."""
PLAN_SEED = 11
"""Seed of the individuals that tell which family has which body plan."""

BodyPlanKey = tuple[int, bool, bool]
"""Pairs of legs that stand, whether there are arms, whether there are wings."""


def body_plan_key(anatomy: Anatomy) -> BodyPlanKey:
    """What bodies that can share clips have in common."""
    legs = sum(limb.contact is not None for limb in anatomy.legs)
    return legs // 2, bool(anatomy.of(BodyPart.ARM)), bool(anatomy.of(BodyPart.WING))


@cache
def nouns_by_plan() -> dict[BodyPlanKey, tuple[str, ...]]:
    """Families of procedural creatures by body plan."""
    found: dict[BodyPlanKey, list[str]] = {}
    for noun in CREATURE_FAMILIES:
        creature = make_creature(noun, PLAN_SEED, vertices=1500)
        found.setdefault(body_plan_key(creature.anatomy(creature.character())), []).append(noun)
    return {key: tuple(nouns) for key, nouns in found.items()}


def own_body_films(clips: Sequence[FileClip], count: int, generator: np.random.Generator) -> IndividualFilms:
    """`count` random clips of one file on its own body."""
    individual = file_individual(clips[0].path)
    return _film_clips(individual, clips, count, generator)


def retargeted_films(clips: Sequence[FileClip], count: int, generator: np.random.Generator) -> IndividualFilms:
    """`count` random clips of files with one body plan, retargeted to one procedural body of that plan."""
    nouns = nouns_by_plan()[body_plan_key(anatomy_of(clips[0].path))]
    return _film_clips(draw_individual(generator, nouns), clips, count, generator)


def file_body_films(path: Path, count: int, generator: np.random.Generator) -> IndividualFilms:
    """`count` procedural motions of a file's character, mostly in random proportions."""
    return creature_films(draw_file_body(path, generator), count, generator)


def draw_file_body(path: Path, generator: np.random.Generator) -> Individual:
    """A file's character, mostly in random proportions."""
    if generator.random() < UNCHANGED_PROBABILITY:
        return file_individual(path)
    character, anatomy = read_asset(path).character, anatomy_of(path)
    return film_body(path.stem, with_proportions(character, anatomy, draw_proportions(generator)), anatomy)


@cache
def file_individual(path: Path) -> Individual:
    """A file's character, measured once."""
    return film_body(path.stem, read_asset(path).character, anatomy_of(path))


def body_files(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[Path]:
    """List all .glb files under a folder whose character has a skin and legs, except paths that contain `leave_out`."""
    paths = sorted(folder.rglob("*.glb"))
    return [p for p in paths if not any(part in p.as_posix() for part in leave_out) and _has_legs(p)]


def _has_legs(path: Path) -> bool:
    try:
        character = read_asset(path).character
        return character.weights is not None and sum(leg.contact is not None for leg in anatomy_of(path).legs) >= 2
    except GambolError:
        return False


def _film_clips(
    individual: Individual, clips: Sequence[FileClip], count: int, generator: np.random.Generator
) -> IndividualFilms:
    body = measure_body(individual.character, individual.anatomy)
    found = IndividualFilms(individual.noun, individual.tables.labels, individual.tables.mass)
    for _ in range(count):
        chosen = clips[int(generator.integers(len(clips)))]
        try:
            clip, rate, once = sampled_clip(chosen, generator)
            source = read_asset(chosen.path).character
            if source is not individual.character:
                clip = retarget_clip(
                    clip, source, anatomy_of(chosen.path), individual.character, individual.anatomy, lock_feet=False
                )
            start = draw_start_pose(individual, body, generator)
            film = film_clip(individual, replace(clip, root=remove_steady_travel(clip)[0]), start)
        except (GambolError, ValueError, np.linalg.LinAlgError):
            continue
        if not bool(torch.isfinite(film[1]).all()):
            continue
        find = action_style if once else found_style
        style = find(individual, body, chosen.motion, film[1], start, rate)
        found.films.append(PartFilm(chosen.motion, *film, unknown_style() if style is None else style.numbers()))
    return found


def sampled_clip(chosen: FileClip, generator: np.random.Generator) -> tuple[Clip, float, bool]:
    """A film's worth of frames of a file's clip, its cycles per frame (0: not known), and whether it is one action.

    An action that fits into a film is shown from its start to its end, which is one cycle.
    """
    asset, anatomy = read_asset(chosen.path), anatomy_of(chosen.path)
    node_clip = next(clip for clip in asset.clips if clip.name == chosen.clip)
    natural, stride_hz = natural_clip_rate(asset.character, anatomy, node_clip, chosen.motion)
    fps = float(np.clip(natural * generator.uniform(*TEMPO_FACTORS), MIN_CLIP_FPS, MAX_CLIP_FPS))
    clip = clip_with_feet(asset.character, node_clip, anatomy, fps=fps)
    once = chosen.motion not in FRAMES_PER_CYCLE and LEAST_ACTION_FRAMES <= len(clip) <= FRAMES
    return cut_to_length(clip, generator, from_start=once), 1.0 / len(clip) if once else stride_hz / fps, once


def natural_clip_rate(character: Character, anatomy: Anatomy, node_clip: NodeClip, motion: str) -> tuple[float, float]:
    """Frames per second at which a clip has a natural tempo, and its cycles per second (0 where it is no gait)."""
    seconds = max(float(node_clip.frame_times(30.0)[-1]), 0.1)
    if motion in FRAMES_PER_CYCLE:
        seen = observe_clip(character, anatomy, clip_with_feet(character, node_clip, anatomy, fps=30.0))
        stride_hz = gait_cycle(seen).stride_hz
        if stride_hz > 0:
            return FRAMES_PER_CYCLE[motion] * stride_hz, stride_hz
    fps = natural_frame_rate(typical_leg_length(character, anatomy))
    frames = seconds * fps
    return (fps * FRAMES / frames if FRAMES < frames < MAX_COMPRESSION * FRAMES else fps), 0.0


def cut_to_length(clip: Clip, generator: np.random.Generator, *, from_start: bool = False) -> Clip:
    """Cut a clip to FRAMES frames: a piece of a long clip, a repeated loop, a short clip with its last pose held.

    A loop begins anywhere, or `from_start`.
    """
    period = loop_frames(clip)
    steady, _ = remove_steady_travel(clip)
    index = np.arange(FRAMES)
    if period is not None and period >= 4:
        index = (index + (0 if from_start else int(generator.integers(period)))) % period
    elif len(clip) > FRAMES:
        index = index + int(generator.integers(len(clip) - FRAMES))
    else:
        index = np.minimum(index, len(clip) - 1)
    root = (steady if period is not None else clip.root)[index].copy()
    heading = root[0, 3]
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]] - root[0, [0, 2]], np.full(FRAMES, -heading))
    root[:, 3] -= heading
    return Clip(clip.name, clip.fps, root, clip.angles[index])


def found_style(
    individual: Individual,
    body: MovingBody,
    motion: str,
    film: Float[Tensor, "frames parts 9"],
    start: Float[Tensor, "1 bones 4 4"],
    rate: float,
) -> StyleConditioning | None:
    """Phase and leading side at which the body's procedural gait is most like a real one; None if no phase fits.

    The procedural gait of the same rate from phase 0, over one cycle more than a film; every shift of it is compared.
    """
    names = motions_for(individual.anatomy)
    name = "gallop" if motion == "run" and "gallop" in names else motion
    if rate <= 0 or name not in names:
        return None
    natural = clocked_motion(individual, body, name, MotionStyle(), frames=2)[1]
    tempo = rate / natural
    if not 0.7 <= tempo <= 1.4:
        return None
    period = round(1.0 / rate)
    real = (film - film.mean(0))[..., :3]
    best: tuple[float, StyleConditioning | None] = (LEAST_PHASE_CORRELATION, None)
    for mirrored in (False, True):
        style = MotionStyle(tempo=tempo, mirrored=mirrored)
        clip, _ = clocked_motion(individual, body, name, style, frames=FRAMES + period)
        made = film_clip(individual, clip, start)[1][..., :3]
        for shift in range(period):
            window = made[shift : shift + FRAMES]
            window = window - window.mean(0)
            likeness = float((window * real).sum() / (window.norm() * real.norm()).clamp_min(1e-6))
            if likeness > best[0]:
                best = (likeness, replace(style_conditioning(style, rate), phase=shift * rate % 1.0))
    return best[1]


def action_style(
    individual: Individual,
    body: MovingBody,
    motion: str,
    film: Float[Tensor, "frames parts 9"],
    start: Float[Tensor, "1 bones 4 4"],
    rate: float,
) -> StyleConditioning:
    """Phase and side of a real action that begins with its film: the side of the procedural action that is more alike.

    A motion that the body has no procedural action of counts as led by the usual side.
    """
    if motion not in motions_for(individual.anatomy):
        return StyleConditioning(0.0, rate)
    real = (film - film.mean(0))[..., :3]
    likeness = []
    for mirrored in (False, True):
        natural = clocked_motion(individual, body, motion, MotionStyle(), frames=2)[1]
        style = MotionStyle(tempo=float(np.clip(rate / natural, 0.7, 1.4)), mirrored=mirrored)
        made = film_clip(individual, clocked_motion(individual, body, motion, style)[0], start)[1][..., :3]
        made = made - made.mean(0)
        likeness.append(float((made * real).sum() / (made.norm() * real.norm()).clamp_min(1e-6)))
    return StyleConditioning(0.0, rate, likeness[1] > likeness[0])
