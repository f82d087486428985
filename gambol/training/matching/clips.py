"""Training clips of the matching model: true motions of creatures, of files and of motion capture, as features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.make_motion import motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import measure_body
from gambol.errors import GambolError
from gambol.evaluate.matching.features import (
    FRAME_NUMBERS,
    MOST_MATCHED_FRAMES,
    MotionFeatures,
    clip_features,
    motion_features,
)
from gambol.evaluate.observation import FEWEST_OBSERVED_FRAMES, observe_node_clip
from gambol.files.atomic_write import replacing
from gambol.files.tensors import read_tensors, write_tensors
from gambol.motion.vocabulary import find_entry, vocabulary_motion
from gambol.training.embedded.creature_clips import STYLE_SPREAD, draw_individual
from gambol.training.embedded.file_clips import (
    allowed_clips,
    anatomy_of,
    clip_label,
    descriptions,
    label_motion,
    read_asset,
)

PEOPLE_FAMILIES = ("human", "woman", "child", "toddler")
"""Families of people, who have more motions than others."""
WINGED_FAMILIES = (
    "songbird",
    "eagle",
    "chicken",
    "duck",
    "flamingo",
    "penguin",
    "ostrich",
    "wyvern",
    "dragon",
    "pegasus",
    "wasp",
)
"""Families with wings, whose motions no others have."""
SWIMMING_FAMILIES = ("fish", "angelfish", "eel", "shark", "dolphin", "whale")
"""Families with fins, whose motions no others have."""
FAMILY_TURNS: tuple[tuple[str, ...], ...] = (
    PEOPLE_FAMILIES,
    (),
    WINGED_FAMILIES,
    PEOPLE_FAMILIES,
    (),
    (*SWIMMING_FAMILIES, "snake", "snake", "snake"),
)
"""Families that the creatures are drawn from in turn; all families where empty."""
FEWEST_CLIP_FRAMES = 24
"""Least length of a procedural clip, frames at the natural rate."""
FROM_THE_START_PROBABILITY = 0.6
"""Probability that a procedural motion with a start and an end begins at its start, not anywhere in its cycle."""
OBSERVED_FILE_FPS = 60.0
"""Frames per second at which clips of files are observed, before they are read at the body's natural rate."""
LARGEST_FEATURE = 1e4
"""A clip with a larger number is damaged and left out."""


@dataclass(frozen=True)
class MatchedClip:
    """A clip with what it shows."""

    frames: Float[ndarray, "frames numbers"]
    """Its features."""
    motion: str
    """The motion of the vocabulary that it shows; empty where only `texts` say it."""
    texts: tuple[str, ...]
    """Texts of its own: a description, or a clip's name."""
    body: str
    """What moves."""
    described: bool = False
    """Whether its own text is a description, not only a name."""


def creature_clips(seed: tuple[int, ...], count: int, nouns: tuple[str, ...] = ()) -> Iterator[MatchedClip]:
    """Up to `count` motions of one random creature, each of its motions at most once, travel and turns included."""
    generator = np.random.default_rng(seed)
    individual = draw_individual(generator, nouns)
    body = measure_body(individual.character, individual.anatomy)
    motions = generator.permutation(motions_for(individual.anatomy))[:count]
    for motion in motions.tolist():
        style = _drawn_style(motion, generator)
        frames = int(generator.integers(FEWEST_CLIP_FRAMES, MOST_MATCHED_FRAMES + 1))
        clip = move_body(body, motion, style, seconds=frames / individual.fps, fps=individual.fps, loop=False)
        found = matched_clip(clip_features(individual.character, individual.anatomy, clip), motion, (), individual.noun)
        if found is not None:
            yield found


def _drawn_style(motion: str, generator: np.random.Generator) -> MotionStyle:
    style = draw_style(generator, spread=STYLE_SPREAD)
    once = not find_entry(motion).repeats
    return replace(style, phase=0.0) if once and generator.random() < FROM_THE_START_PROBABILITY else style


def file_clips(folder: Path, *, leave_out: tuple[str, ...] = ()) -> Iterator[MatchedClip]:
    """All clips of files under a folder that are not left out, with their own texts; `with_motions` labels them."""
    for path, name in allowed_clips(folder, leave_out):
        found = real_clip(path, name)
        if found is not None:
            yield found


def real_clip(path: Path, name: str) -> MatchedClip | None:
    """A clip of a file with its travel, its own text its description or else its name; None if it cannot be read."""
    try:
        asset, anatomy = read_asset(path), anatomy_of(path)
        clip = next(clip for clip in asset.clips if clip.name == name)
        if len(clip.frame_times(OBSERVED_FILE_FPS)) < 2 * FEWEST_OBSERVED_FRAMES:
            return None
        in_place = path.suffix.lower() != ".bvh"
        seen = observe_node_clip(asset.character, anatomy, clip, fps=OBSERVED_FILE_FPS, restore_travel=in_place)
    except (GambolError, ValueError, np.linalg.LinAlgError):
        return None
    found = matched_clip(motion_features(seen), "", (clip_label(path, name),), path.stem)
    return found and replace(found, described=path.name in descriptions(path.parent))


def with_motions(clips: Iterable[MatchedClip]) -> tuple[MatchedClip, ...]:
    """Files' clips with the motions that their texts name; without one, those that are described stay."""
    named = (replace(clip, motion=vocabulary_motion(label_motion(clip.texts[0]))) for clip in clips)
    return tuple(clip for clip in named if clip.motion or clip.described)


def matched_clip(features: MotionFeatures, motion: str, texts: tuple[str, ...], body: str) -> MatchedClip | None:
    """A clip of features; None where they are damaged."""
    frames = features.frames
    if not np.isfinite(frames).all() or np.abs(frames).max() > LARGEST_FEATURE:
        return None
    return MatchedClip(frames.astype(np.float16), vocabulary_motion(motion) if motion else "", texts, body)


def write_clips(path: Path, clips: Iterable[MatchedClip]) -> None:
    """Write clips to one file unless it exists."""
    if path.exists():
        return
    made = list(clips)
    told = [
        {"motion": c.motion, "texts": c.texts, "body": c.body, "described": c.described, "frames": len(c.frames)}
        for c in made
    ]
    frames = np.concatenate([c.frames for c in made]) if made else np.zeros((0, FRAME_NUMBERS), np.float16)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        write_tensors(temporary, {"frames": frames}, {"clips": json.dumps(told)})


def read_clips(paths: Iterable[Path]) -> tuple[MatchedClip, ...]:
    """Read the clips of several files."""
    found = []
    for path in paths:
        arrays, metadata = read_tensors(path)
        start = 0
        for told in json.loads(metadata["clips"]):
            frames = arrays["frames"][start : start + told["frames"]]
            start += told["frames"]
            found.append(MatchedClip(frames, told["motion"], tuple(told["texts"]), told["body"], told["described"]))
    return tuple(found)
