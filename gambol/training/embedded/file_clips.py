"""Clips of files: characters with animations, and motion capture on people made by code.

What a clip shows is understood from its name, or from the description in a `labels.csv` beside it (columns `file` and
`description`). Artists set tempo as they like, so a gait is filmed with as many frames per cycle as the made ones have.
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
from gambol.motion.retarget.retarget import retarget
from gambol.motion.root_trajectory import loop_frames, rotate_on_ground
from gambol.priors.embedded.conditioning import unknown_manner
from gambol.priors.embedded.stage import FRAMES, draw_view, make_stage, without_drift
from gambol.priors.embedded.text.encoder import understand
from gambol.training.embedded.creature_clips import VERTICES, FilmedClip, Individual, film_clip, stage_body

CYCLE = {"walk": 15.2, "limp": 15.2, "march": 15.2, "sneak": 22.0, "trot": 11.4, "run": 10.0}
"""Frames of one cycle of a gait; other motions are filmed from their beginning to their end."""
QUICKEST, SLOWEST = 45.0, 7.0
"""Frames per second that a clip may be filmed with."""
LONGEST = 2.6
"""Seconds of a clip that is filmed whole; of longer ones a piece is."""
SURE = 0.5
"""Names must be understood with this probability."""
DOUBTFUL = re.compile(
    r"hit|sit|talk|land|start|fix|pistol|gun|sword|swim|fall|glide|rest.?pose|noheight|back|strafe|crawl|clap|torch|spell|exit"
    r"|enter|death|stop|stair|kneel|toidle|stool|bend|cartwheel|stretch|throw|pick|climb|flip",
    re.IGNORECASE,
)
"""Names and descriptions with these words show more, or less, than the motion that they name."""
SHARED = 0.3
"""A clip that shares more than this part of its tracks with a clip that is left out is left out too."""
PEOPLE = ("human", "woman", "child", "toddler")


@dataclass(frozen=True)
class FileClip:
    """A clip of a file with the motion that its name says."""

    path: Path
    clip: str
    motion: str


def labelled_clips(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[FileClip]:
    """All clips under a folder whose names or descriptions are understood.

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
            if tracks and len(tracks & known) > SHARED * len(tracks):
                continue
            said = described or clip.name.split("|")[-1]
            if DOUBTFUL.search(said):
                continue
            meant = understand(said)
            if meant.known and meant.probabilities[meant.motion] >= SURE:
                found.append(FileClip(path, clip.name, meant.motion))
    return found


def clips_of(path: Path) -> tuple[NodeClip, ...]:
    """The clips of a file; none where it cannot be read or has no skeleton."""
    try:
        asset = read(path)
    except GambolError:
        return ()
    return asset.clips if asset.character.skeleton is not None else ()


def moving_tracks(clip: NodeClip) -> frozenset[bytes]:
    """Fingerprints of the rotation tracks that move, to a thousandth."""
    tracks = [c.values for c in clip.channels if c.path == "rotation" and len(c.values) > 3]
    return frozenset(np.round(x, 3).astype(np.float32).tobytes() for x in tracks if np.ptp(x, axis=0).max() > 0.01)


@cache
def descriptions(folder: Path) -> dict[str, str]:
    """File names and what they show."""
    path = folder / "labels.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as lines:
        return {row["file"]: row["description"] for row in csv.DictReader(lines)}


@cache
def read(path: Path) -> Asset:
    """A file, kept in memory."""
    return load(path)


def film_file_clips(clips: list[FileClip], count: int, generator: np.random.Generator) -> list[FilmedClip]:
    """Films of some of these clips, all of one file or all motion capture."""
    films: list[FilmedClip] = []
    for _ in range(count):
        chosen = clips[int(generator.integers(len(clips)))]
        asset = read(chosen.path)
        node_clip = next(c for c in asset.clips if c.name == chosen.clip)
        try:
            individual, clip = body_of(asset, node_clip, chosen.motion, generator)
            part = one_film(clip, generator)
        except (GambolError, ValueError, np.linalg.LinAlgError):
            continue
        stage = make_stage(individual.actor, individual.anatomy, draw_view(generator))
        root = without_drift(part)[0]
        films.append(film_clip(stage, root, part.angles, chosen.motion, individual, stage.rest_frame, unknown_manner()))
    return films


def body_of(asset: Asset, node_clip: NodeClip, motion: str, generator: np.random.Generator) -> tuple[Individual, Clip]:
    """The file's own body, or a person made by code where the file has only joints; and the clip at film rate."""
    character, anatomy = asset.character, anatomy_of(asset.path)
    rate = film_rate(character, anatomy, node_clip, motion) * float(generator.uniform(0.8, 1.25))
    clip = clip_with_feet(character, node_clip, anatomy, fps=float(np.clip(rate, SLOWEST, QUICKEST)))
    if asset.path.suffix.lower() != ".bvh":
        return staged(asset.path), clip
    person = make_creature(str(generator.choice(PEOPLE)), generator, vertices=VERTICES)
    target = person.character()
    tags = person.anatomy(target)
    start = int(generator.integers(max(len(clip) - 2 * FRAMES, 1)))
    piece = replace(clip, root=clip.root[start : start + 2 * FRAMES], angles=clip.angles[start : start + 2 * FRAMES])
    return stage_body("person", target, tags), retarget(piece, character, anatomy, target, tags, lock_feet=False)


@cache
def anatomy_of(path: Path) -> Anatomy:
    """The anatomy of a file's character, found once."""
    return find_anatomy(read(path).character)


@cache
def staged(path: Path) -> Individual:
    """A file's character with its splats, made once."""
    return stage_body(path.stem, read(path).character, anatomy_of(path))


def film_rate(character: Character, anatomy: Anatomy, node_clip: NodeClip, motion: str) -> float:
    """Frames per second at which the clip looks as made ones do."""
    seconds = max(float(node_clip.frame_times(30.0)[-1]), 0.1)
    if motion in CYCLE:
        seen = observe_clip(character, anatomy, clip_with_feet(character, node_clip, anatomy, fps=30.0))
        cycle = gait_cycle(seen).stride_hz
        if cycle > 0:
            return CYCLE[motion] * cycle
    return (FRAMES - 1) / seconds if 0.4 < seconds < LONGEST else 16.0


def one_film(clip: Clip, generator: np.random.Generator) -> Clip:
    """FRAMES frames: a piece of a long clip, a loop again and again, a short clip with its last pose held."""
    period = loop_frames(clip)
    steady, _ = without_drift(clip)
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
