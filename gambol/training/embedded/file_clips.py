"""Training clips from files: animated characters, and motion capture on procedural people.

The motion of a clip is classified from its name, or from the description in a `labels.csv` beside it (columns `file`
and `description`). Tempo differs between artists, so gaits are resampled to the frames per cycle of procedural ones.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.errors import GambolError
from gambol.evaluate.gait_cycle import gait_cycle
from gambol.evaluate.observation import observe_clip
from gambol.files.asset import Asset, load
from gambol.motion.clip import Clip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.node_clip import NodeClip
from gambol.motion.retarget.retarget import retarget_clip
from gambol.motion.root_trajectory import loop_frames, remove_steady_travel, rotate_on_ground
from gambol.priors.embedded.stage import FRAMES, draw_view, make_stage
from gambol.priors.embedded.style import unknown_style
from gambol.priors.embedded.text.encoder import classify_sentence
from gambol.training.embedded.creature_clips import (
    CREATURE_VERTICES,
    Individual,
    RenderedClip,
    render_staged_clip,
    stage_body,
)
from gambol.training.embedded.shards import CLIPS_PER_SHARD

FRAMES_PER_CYCLE = {"walk": 15.2, "limp": 15.2, "march": 15.2, "sneak": 22.0, "trot": 11.4, "run": 10.0}
"""Frames of one cycle of each gait; other motions are rendered from their beginning to their end."""
MAX_RENDER_FPS, MIN_RENDER_FPS = 45.0, 7.0
"""Range of frames per second at which a clip may be sampled."""
MAX_WHOLE_CLIP_SECONDS = 2.6
"""Longest clip that is rendered whole, seconds; of longer ones a piece is."""
MIN_LABEL_PROBABILITY = 0.5
"""Least probability of the class that the text encoder gives to a clip's name."""
AMBIGUOUS_NAMES = re.compile(
    r"hit|sit|talk|land|start|fix|pistol|gun|sword|swim|fall|glide|rest.?pose|noheight|back|strafe|crawl|clap|torch|spell|exit"
    r"|enter|death|stop|stair|kneel|toidle|stool|bend|cartwheel|stretch|throw|pick|climb|flip",
    re.IGNORECASE,
)
"""Words of names and descriptions that show more, or less, than the motion that they name."""
MAX_SHARED_TRACKS = 0.3
"""Share of tracks in common with a clip that is left out, beyond which a clip is left out too."""
CAPTURE_ACTORS = ("human", "woman", "child", "toddler")
"""Families that motion capture is retargeted to."""


@dataclass(frozen=True)
class FileClip:
    """A clip of a file with its motion class."""

    path: Path
    """The file."""
    clip: str
    """Name of the clip in the file."""
    motion: str
    """Motion class, one of `MOTIONS`."""


def labelled_clips(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[FileClip]:
    """List all clips under a folder whose names or descriptions are classified.

    Files with one of `leave_out` in their path are passed over, and so are clips elsewhere that share their tracks.
    """
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".glb", ".gltf", ".bvh", ".fbx"))
    left = {path for path in paths if any(part in path.as_posix() for part in leave_out)}
    known = {track for path in left for clip in clips_of(path) for track in moving_tracks(clip)}
    found: list[FileClip] = []
    for path in paths:
        if path in left:
            continue
        described = descriptions(path.parent).get(path.name)
        for clip in clips_of(path):
            tracks = moving_tracks(clip)
            if tracks and len(tracks & known) > MAX_SHARED_TRACKS * len(tracks):
                continue
            label = described or clip.name.split("|")[-1]
            if AMBIGUOUS_NAMES.search(label):
                continue
            understood = classify_sentence(label)
            if understood.known and understood.probabilities[understood.motion] >= MIN_LABEL_PROBABILITY:
                found.append(FileClip(path, clip.name, understood.motion))
    return found


def clips_of(path: Path) -> tuple[NodeClip, ...]:
    """Return the clips of a file; none if it cannot be read or has no skeleton."""
    try:
        asset = read_asset(path)
    except GambolError:
        return ()
    return asset.clips if asset.character.skeleton is not None else ()


def moving_tracks(clip: NodeClip) -> frozenset[bytes]:
    """Return fingerprints of the rotation tracks that move, rounded to a thousandth."""
    tracks = [c.values for c in clip.channels if c.path == "rotation" and len(c.values) > 3]
    return frozenset(np.round(x, 3).astype(np.float32).tobytes() for x in tracks if np.ptp(x, axis=0).max() > 0.01)


@cache
def descriptions(folder: Path) -> dict[str, str]:
    """Read a folder's labels.csv: descriptions by file name."""
    path = folder / "labels.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as lines:
        return {row["file"]: row["description"] for row in csv.DictReader(lines)}


@cache
def read_asset(path: Path) -> Asset:
    """Load a file and keep it in memory."""
    return load(path)


def render_file_clips(clips: list[FileClip], count: int, generator: np.random.Generator) -> list[RenderedClip]:
    """Render `count` random clips of a list."""
    rendered: list[RenderedClip] = []
    for _ in range(count):
        chosen = clips[int(generator.integers(len(clips)))]
        asset = read_asset(chosen.path)
        node_clip = next(c for c in asset.clips if c.name == chosen.clip)
        try:
            individual, clip = individual_and_clip(asset, node_clip, chosen.motion, generator)
            part = cut_to_length(clip, generator)
        except (GambolError, ValueError, np.linalg.LinAlgError):
            continue
        stage = make_stage(individual.actor, individual.anatomy, draw_view(generator))
        root = remove_steady_travel(part)[0]
        rendered.append(
            render_staged_clip(stage, root, part.angles, chosen.motion, individual, stage.rest_frame, unknown_style())
        )
    return rendered


def render_file_shard(clips: list[FileClip], seed: int, index: int) -> list[RenderedClip]:
    """Render the clips of shard `index`, drawn from a list."""
    return render_file_clips(clips, CLIPS_PER_SHARD, np.random.default_rng([seed, 1, index]))


def individual_and_clip(
    asset: Asset, node_clip: NodeClip, motion: str, generator: np.random.Generator
) -> tuple[Individual, Clip]:
    """Return the file's own body, or a procedural person if it has only joints; and the resampled clip."""
    character, anatomy = asset.character, anatomy_of(asset.path)
    rate = render_fps(character, anatomy, node_clip, motion) * float(generator.uniform(0.8, 1.25))
    clip = clip_with_feet(character, node_clip, anatomy, fps=float(np.clip(rate, MIN_RENDER_FPS, MAX_RENDER_FPS)))
    if asset.path.suffix.lower() != ".bvh":
        return staged_file(asset.path), clip
    person = make_creature(str(generator.choice(CAPTURE_ACTORS)), generator, vertices=CREATURE_VERTICES)
    target = person.character()
    tags = person.anatomy(target)
    start = int(generator.integers(max(len(clip) - 2 * FRAMES, 1)))
    piece = replace(clip, root=clip.root[start : start + 2 * FRAMES], angles=clip.angles[start : start + 2 * FRAMES])
    return stage_body("person", target, tags), retarget_clip(piece, character, anatomy, target, tags, lock_feet=False)


@cache
def anatomy_of(path: Path) -> Anatomy:
    """Find the anatomy of a file's character, once."""
    return find_anatomy(read_asset(path).character)


@cache
def staged_file(path: Path) -> Individual:
    """Bind splats to a file's character, once."""
    return stage_body(path.stem, read_asset(path).character, anatomy_of(path))


def render_fps(character: Character, anatomy: Anatomy, node_clip: NodeClip, motion: str) -> float:
    """Return the frames per second at which the clip has the tempo of procedural ones."""
    seconds = max(float(node_clip.frame_times(30.0)[-1]), 0.1)
    if motion in FRAMES_PER_CYCLE:
        seen = observe_clip(character, anatomy, clip_with_feet(character, node_clip, anatomy, fps=30.0))
        cycle = gait_cycle(seen).stride_hz
        if cycle > 0:
            return FRAMES_PER_CYCLE[motion] * cycle
    return (FRAMES - 1) / seconds if 0.4 < seconds < MAX_WHOLE_CLIP_SECONDS else 16.0


def cut_to_length(clip: Clip, generator: np.random.Generator) -> Clip:
    """Cut a clip to FRAMES frames: a piece of a long clip, a repeated loop, a short clip with its last pose held."""
    period = loop_frames(clip)
    steady, _ = remove_steady_travel(clip)
    index = np.arange(FRAMES)
    if period is not None and period >= 4:
        index = (index + int(generator.integers(period))) % period
    elif len(clip) > FRAMES:
        index = index + int(generator.integers(len(clip) - FRAMES))
    else:
        index = np.minimum(index, len(clip) - 1)
    root = (steady if period is not None else clip.root)[index].copy()
    heading = root[0, 3]
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]] - root[0, [0, 2]], np.full(FRAMES, -heading))
    root[:, 3] -= heading
    return Clip(clip.name, clip.fps, root, clip.angles[index])
