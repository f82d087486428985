"""Draw the pictures of docs/control.md: one for each kind of constraint.

Run: python docs/draw_constraints.py [NAME ...]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.distill.constraints import (
    Freeze,
    GroundPath,
    Hold,
    LookAt,
    MotionConstraint,
    Pin,
    PoseKey,
    Speed,
    meet_constraints,
)
from gambol.distill.constraints.freeze import FrozenSource
from gambol.motion.clip import Clip
from gambol.motion.node_clip import NodeClip
from gambol.motion.skinning import pose_vertices

IMAGES = Path(__file__).parent / "images"
WIDTH, HEIGHT, MARGIN = 900, 300, 24
SKIN, BEFORE, MARK, LINE = (96, 128, 160), (205, 212, 220), (214, 60, 48), (225, 225, 225)


@dataclass(frozen=True)
class Look:
    """A parallel projection."""

    right: tuple[float, float, float]
    """Direction of the picture's x axis."""
    up: tuple[float, float, float]
    """Direction of the picture's y axis."""


SIDE = Look((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
SLANTED = Look((0.94, 0.0, 0.34), (-0.17, 0.87, 0.47))
FROM_ABOVE = Look((1.0, 0.0, 0.0), (0.0, 0.35, -0.94))


def draw(
    target: Path,
    character: Character,
    poses: Sequence[tuple[Clip, int, float, tuple[int, int, int]]],
    look: Look,
    *,
    marks: Sequence[tuple[float, float, float]] = (),
    lines: Sequence[Sequence[tuple[float, float, float]]] = (),
) -> None:
    """Draw frames of clips, each moved ahead by some metres, with red marks and lines in the world."""
    axes = np.array([look.right, look.up, np.cross(look.right, look.up)])
    shapes = [pose_vertices(character, part(clip, frame))[0] + [ahead, 0.0, 0.0] for clip, frame, ahead, _ in poses]
    shown = [points @ axes.T for points in shapes]
    spots = [np.array(line, dtype=float) @ axes.T for line in (*lines, *([marks] if len(marks) else []))]
    everything = np.concatenate([*shown, *spots])[:, :2]
    low, high = everything.min(0), everything.max(0)
    scale = min((WIDTH - 2 * MARGIN) / (high - low)[0], (HEIGHT - 2 * MARGIN) / max((high - low)[1], 1e-9))
    height = int((high - low)[1] * scale) + 2 * MARGIN
    picture = Image.new("RGB", (WIDTH, height), "white")
    pen = ImageDraw.Draw(picture)

    def place(points: np.ndarray) -> np.ndarray:
        middle = 0.5 * (WIDTH - scale * (high - low)[0])
        return np.stack(
            [(points[:, 0] - low[0]) * scale + middle, height - MARGIN - (points[:, 1] - low[1]) * scale], 1
        )

    for line in spots[: len(lines)]:
        pen.line([tuple(p) for p in place(line)], fill=MARK, width=2)
    faces = character.mesh.triangles
    for points, (_, _, _, colour) in zip(shown, poses, strict=True):
        flat, corners = place(points), points[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        facing = normals[:, 2] / np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
        for face in np.argsort(corners[:, :, 2].mean(1)):
            if facing[face] > 0:
                shade = 0.6 + 0.4 * facing[face]
                pen.polygon([tuple(p) for p in flat[faces[face]]], fill=tuple(int(shade * c) for c in colour))
    for mark in place(np.array(marks, dtype=float) @ axes.T) if len(marks) else ():
        pen.ellipse([*(mark - 6), *(mark + 6)], outline=MARK, width=3)
    picture.quantize(64).save(target, optimize=True)


def part(clip: Clip, frame: int) -> Clip:
    """One frame of a clip."""
    return replace(clip, root=clip.root[[frame]], angles=clip.angles[[frame]])


def body(family: str, motion: str, seconds: float = 3.0) -> tuple[Character, Anatomy, Clip]:
    """A creature and a motion of it."""
    creature = make_creature(family, 2)
    character = creature.character()
    anatomy = creature.anatomy(character)
    return character, anatomy, make_motion(character, anatomy, motion, loop=False, seconds=seconds)


def strip(
    name: str,
    character: Character,
    anatomy: Anatomy,
    clip: Clip,
    constraint: MotionConstraint,
    frames: Sequence[int],
    look: Look,
    *,
    before: bool = True,
    apart: float = 0.0,
    marks: Sequence[tuple[float, float, float]] = (),
    lines: Sequence[Sequence[tuple[float, float, float]]] = (),
) -> None:
    """Frames of a clip with a constraint in blue, of the clip without it in grey."""
    met = meet_constraints(character, anatomy, clip, (constraint,))
    poses = [(clip, f, apart * k, BEFORE) for k, f in enumerate(frames)] if before else []
    poses += [(met, f, apart * k, SKIN) for k, f in enumerate(frames)]
    moved = [(x + apart * k, y, z) for k in (range(len(frames)) if apart else [0]) for x, y, z in marks]
    draw(IMAGES / f"constraint-{name}.png", character, poses, look, marks=moved, lines=lines)


def pin() -> None:
    """A person reaches for a point while walking."""
    character, anatomy, clip = body("human", "walk")
    hand = (float(clip.root[45, 0]) + 0.45, 1.55, -0.35)
    strip("pin", character, anatomy, clip, Pin("Hand.L", hand, time=1.5), (25, 35, 45, 55, 65), SIDE, marks=[hand])


def pose() -> None:
    """A walking person crouches as in another clip."""
    character, anatomy, clip = body("human", "walk")
    sneak = make_motion(character, anatomy, "jump", loop=False, seconds=1.0)
    low = int(sneak.root[:, 1].argmin())
    key = PoseKey(1.5, replace(part(sneak, low), name="jump"))
    strip("pose", character, anatomy, clip, key, (25, 35, 45, 55, 65), SIDE)


def path() -> None:
    """A fox on a path."""
    character, anatomy, clip = body("fox", "walk", 6.0)
    points = tuple((x, 0.5 * math.sin(2.0 * x)) for x in np.linspace(0.0, 4.5, 12))
    line = [(x, 0.0, z) for x, z in points]
    frames = tuple(range(4, len(clip), 25))
    strip("path", character, anatomy, clip, GroundPath(points), frames, FROM_ABOVE, before=False, lines=[line])


def speed() -> None:
    """A walk that becomes faster."""
    character, anatomy, clip = body("horse", "walk", 4.0)
    frames = tuple(range(0, len(clip), 24))
    own = float(clip.root[-1, 0] - clip.root[0, 0]) / clip.duration
    faster = Speed((0.6 * own, 1.6 * own), (0.5, 3.5))
    strip("speed", character, anatomy, clip, faster, frames, SIDE, before=False)


def look_at() -> None:
    """A walking wolf looks at a point beside its way."""
    character, anatomy, clip = body("wolf", "walk")
    target = (1.6, 0.7, 1.4)
    looks = LookAt(target, interval=(0.5, 2.5))
    strip("look-at", character, anatomy, clip, looks, (20, 45, 70), SLANTED, before=False, marks=[target])


def hold() -> None:
    """The arms of a walking person keep still."""
    character, anatomy, clip = body("human", "walk")
    strip("hold", character, anatomy, clip, Hold(("arms",), (0.8, 2.2)), (25, 33, 41, 49, 57), SIDE)


def freeze() -> None:
    """The upper body of one clip over the legs of another."""
    character, anatomy, clip = body("human", "walk", 2.0)
    source = make_motion(character, anatomy, "punch", loop=False, seconds=2.0)
    kept = Freeze("punch", ("upper body",), source=FrozenSource(source, NodeClip("punch", ())))
    strip("freeze", character, anatomy, clip, kept, (6, 16, 26, 36, 46), SIDE)


PICTURES: dict[str, Callable[[], None]] = {f.__name__: f for f in (pin, pose, path, speed, look_at, hold, freeze)}


if __name__ == "__main__":
    for chosen in sys.argv[1:] or PICTURES:
        PICTURES[chosen]()
