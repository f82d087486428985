"""Clips of files whose motion is known: animated characters and motion capture.

The motion of a clip is classified from its name, or from the description in a `labels.csv` beside it (columns `file`
and `description`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.gaits.make_motion import motions_for
from gambol.errors import GambolError
from gambol.files.asset import Asset, load
from gambol.motion.node_clip import NodeClip
from gambol.motion.vocabulary import vocabulary_motion
from gambol.priors.embedded.text.encoder import classify_sentence

MIN_LABEL_PROBABILITY = 0.5
"""Least probability of the class that the text encoder gives to a clip's name."""
AMBIGUOUS_NAMES = re.compile(
    r"pistol|gun|torch|spell|shoot|reload|fix|driv|rest.?pose|t-?pose|no.?height|to.?idle|jump.?(idle|loop|start|land)"
    r"|sitting.?(idle|talk)|spawn|interact|fetch|thumb|stair|stool|idle.?sword|flip|stop|[,;/&+]|\b(and|then|while)\b",
    re.IGNORECASE,
)
"""Words of names and descriptions that show something else, or more, or less, than the motion that they name."""
MAX_SHARED_TRACKS = 0.3
"""Share of tracks in common with a clip that is left out, beyond which a clip is left out too."""


@dataclass(frozen=True)
class FileClip:
    """A clip of a file with its motion class."""

    path: Path
    """The file."""
    clip: str
    """Name of the clip in the file."""
    motion: str
    """Motion of the vocabulary."""


def labelled_clips(folder: Path, *, leave_out: tuple[str, ...] = ()) -> list[FileClip]:
    """List all clips under a folder whose names or descriptions are classified.

    Files with one of `leave_out` in their path are passed over, and so are clips elsewhere that share their tracks.
    """
    found = ((path, clip, label_motion(clip_label(path, clip))) for path, clip in allowed_clips(folder, leave_out))
    return [FileClip(path, clip, motion) for path, clip, motion in found if motion and motion in known_motions(path)]


def allowed_clips(folder: Path, leave_out: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Files and names of all clips under a folder, but those in files left out and those that share their tracks."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".glb", ".gltf", ".bvh", ".fbx"))
    left = {path for path in paths if any(part in path.as_posix() for part in leave_out)}
    known = {track for path in left for clip in clips_of(path) for track in moving_tracks(clip)}
    for path in paths:
        for clip in () if path in left else clips_of(path):
            tracks = moving_tracks(clip)
            if not tracks or len(tracks & known) <= MAX_SHARED_TRACKS * len(tracks):
                yield path, clip.name


def clip_label(path: Path, clip: str) -> str:
    """What a clip is called: the description of its file, or else its name without that of the armature."""
    return descriptions(path.parent).get(path.name) or clip.split("|")[-1]


def label_motion(label: str) -> str:
    """The motion class that a label names; empty where it names none, or more than one."""
    if AMBIGUOUS_NAMES.search(label):
        return ""
    understood = classify_sentence(label)
    likely = understood.known and understood.probabilities[understood.motion] >= MIN_LABEL_PROBABILITY
    return understood.motion if likely else ""


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
    with path.open(newline="", encoding="utf-8") as lines:
        return {row["file"]: row["description"] for row in csv.DictReader(lines)}


@cache
def read_asset(path: Path) -> Asset:
    """Load a file and keep it in memory."""
    return load(path)


@cache
def known_motions(path: Path) -> frozenset[str]:
    """The vocabulary's motions that suit a file's body."""
    return frozenset(vocabulary_motion(name) for name in motions_for(anatomy_of(path)))


@cache
def anatomy_of(path: Path) -> Anatomy:
    """Find the anatomy of a file's character, once."""
    return find_anatomy(read_asset(path).character)
