"""A small person who walks, made by code, for the tests of constraints and edits."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

import gambol
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.files.asset import Asset, export_scene, load
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip

SECONDS = 2.6


@cache
def walker(noun: str = "human") -> Asset:
    """The character, with a walk and a wave or bite as clips of its file."""
    folder = Path(mkdtemp())
    asset = load(export_scene(make_creature(noun, 3, vertices=300).scene, (), folder / f"{noun}.glb"))
    other = "wave" if noun == "human" else "bite"
    acted = gambol.save(asset, motion(asset, other, 1.5), folder / f"{noun}-{other}.glb")
    asset = load(acted)
    return load(gambol.save(asset, motion(asset, "walk", SECONDS), folder / f"{noun}-walks.glb"))


@cache
def anatomy_of(noun: str = "human") -> Anatomy:
    return find_anatomy(walker(noun).character)


def motion(asset: Asset, name: str, seconds: float) -> Clip:
    """A procedural motion on its way over the ground."""
    made = make_motion(asset.character, find_anatomy(asset.character), name, seconds=seconds, fps=30.0, loop=False)
    return Clip(name, made.fps, made.root, made.angles)


@cache
def walk(noun: str = "human") -> Clip:
    return motion(walker(noun), "walk", SECONDS)


def joints(clip: Clip, noun: str = "human") -> np.ndarray:
    """World transforms [frames, bones, 4, 4]."""
    return pose_clip(walker(noun).character.require_skeleton(), clip)


def bone(name: str, noun: str = "human") -> int:
    return walker(noun).character.require_skeleton().names.index(name)


def beside(name: str, frame: int, offset: tuple[float, ...] | np.ndarray, noun: str = "human") -> tuple[float, ...]:
    """A place beside a joint of the walk."""
    return tuple((joints(walk(noun), noun)[frame, bone(name, noun), :3, 3] + offset).tolist())
