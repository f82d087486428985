"""Shape sliders: how properties like leg length or girth change the parameters of each kind of body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from gambol.creatures.bodies.biped import BipedShape
from gambol.creatures.bodies.bird import BirdShape
from gambol.creatures.bodies.centaur import CentaurShape
from gambol.creatures.bodies.centipede import CentipedeShape
from gambol.creatures.bodies.crab import CrabShape
from gambol.creatures.bodies.finned import FinnedShape
from gambol.creatures.bodies.frog import FrogShape
from gambol.creatures.bodies.human import HumanShape
from gambol.creatures.bodies.insect import InsectShape
from gambol.creatures.bodies.lizard import LizardShape
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.bodies.scorpion import ScorpionShape
from gambol.creatures.bodies.snake import SnakeShape
from gambol.creatures.bodies.spider import SpiderShape
from gambol.creatures.bodies.theropod import TheropodShape
from gambol.creatures.bodies.wasp import WaspShape
from gambol.creatures.bodies.winged_quadruped import WingedQuadrupedShape
from gambol.creatures.bodies.wyvern import WyvernShape
from gambol.creatures.parameter_ranges import with_clipped

AnyShape = TypeVar("AnyShape")

OWN_SLIDERS: Mapping[type, Mapping[str, Mapping[str, float]]] = {
    QuadrupedShape: {
        "size": {"height": 1.0},
        "length": {"body": 1.0},
        "girth": {"fat": 1.0, "belly": 0.35, "limb": 0.3, "neck_width": 0.3},
        "leg": {"leg": 0.5},
        "leg width": {"limb": 1.0},
        "neck": {"neck": 1.4},
        "neck width": {"neck_width": 1.0},
        "head": {"head": 0.8},
        "muzzle": {"muzzle": 0.8},
        "ear": {"ear": 1.2},
        "eye": {"eye": 1.0},
        "tail": {"tail": 1.2},
        "tail width": {"tail_width": 0.5, "tail_bush": 0.8},
        "foot": {"foot": 1.0},
        "horn": {"horn": 1.0},
        "mane": {"mane": 1.0, "ruff": 1.0},
        "trunk": {"trunk": 1.0},
    },
    HumanShape: {
        "size": {"height": 1.0},
        "length": {"height": 0.3},
        "girth": {"waist": 1.0, "belly": 0.9, "limb": 0.6, "chest": 0.4, "hip": 0.2, "face": 0.4},
        "leg": {"leg": 0.3},
        "leg width": {"limb": 1.0},
        "neck": {"neck": 1.2},
        "head": {"head": 0.8},
        "arm": {"arm": 0.5},
        "arm width": {"limb": 1.0},
        "shoulder": {"shoulder": 0.6},
        "hair": {"hair": 1.6},
    },
    BirdShape: {
        "size": {"trunk": 1.0},
        "length": {"tail": 0.5},
        "girth": {"depth": 0.8, "width": 0.3, "drumstick": 0.4},
        "leg": {"leg": 0.8},
        "leg width": {"limb": 1.0},
        "neck": {"neck": 1.4},
        "neck width": {"neck_width": 1.0},
        "head": {"head": 0.8},
        "beak": {"beak": 1.2},
        "beak width": {"beak_width": 1.0},
        "eye": {"eye": 0.8},
        "tail": {"tail": 1.2},
        "tail width": {"tail_width": 1.0},
        "wing": {"wing": 1.0, "chord": 0.5},
        "foot": {"toe": 1.0},
        "crest": {"crest": 1.0},
    },
    TheropodShape: {
        "size": {"hip": 1.0},
        "length": {"trunk": 0.6, "tail": 0.6},
        "girth": {"depth": 0.8, "tail_width": 0.6, "thigh": 0.6, "neck_width": 0.4},
        "leg": {"trunk": -0.4, "depth": -0.4},
        "leg width": {"limb": 1.0, "thigh": 0.5},
        "neck": {"neck": 1.2},
        "head": {"head": 0.7},
        "arm": {"arm": 1.2},
        "eye": {"eye": 1.0},
        "tail": {"tail": 1.0},
        "tail width": {"tail_width": 1.0},
        "foot": {"toe": 1.0},
    },
    SpiderShape: {
        "size": {"front": 1.0},
        "length": {"abdomen": 0.8},
        "girth": {"abdomen_width": 0.6, "abdomen": 0.4, "limb": 0.3},
        "leg": {"reach": 0.9, "knee": 0.7},
        "leg width": {"limb": 1.0},
        "tail": {"abdomen": 1.0},
        "jaw": {"fangs": 1.0},
    },
    InsectShape: {
        "size": {"thorax": 1.0},
        "length": {"abdomen": 0.8, "waist": 0.5},
        "girth": {"abdomen_width": 0.6, "thorax_width": 0.6, "limb": 0.3},
        "leg": {"reach": 0.9, "knee": 0.8, "lift": 0.5},
        "leg width": {"limb": 1.0},
        "head": {"head": 0.8},
        "tail": {"abdomen": 1.0},
        "feeler": {"antenna": 1.0},
        "jaw": {"jaw": 1.0},
        "horn": {"horn": 1.0},
    },
    ScorpionShape: {
        "size": {"body": 1.0},
        "length": {"tail": 0.7, "width": -0.3},
        "girth": {"width": 0.8, "tail_width": 0.5, "limb": 0.3},
        "leg": {"reach": 0.9, "knee": 0.8, "lift": 0.4},
        "leg width": {"limb": 1.0},
        "tail": {"tail": 1.0},
        "tail width": {"tail_width": 1.0},
        "arm": {"arm": 1.0},
        "claw": {"claw": 1.0},
        "claw width": {"claw_width": 1.0},
    },
    CrabShape: {
        "size": {"shell": 1.0},
        "length": {"length": 0.7, "tail": 0.8},
        "girth": {"depth": 0.9, "limb": 0.3},
        "leg": {"reach": 0.9, "knee": 0.8, "lift": 0.5},
        "leg width": {"limb": 1.0},
        "tail": {"tail": 1.0},
        "eye": {"stalk": 1.0},
        "arm": {"arm": 1.0},
        "claw": {"claw": 1.0},
        "claw width": {"claw_width": 1.0},
    },
    CentipedeShape: {
        "size": {"length": 1.0},
        "length": {"pairs": 0.8, "length": 0.8, "width": -0.6, "head": -0.6},
        "girth": {"width": 0.9, "depth": 0.4},
        "leg": {"reach": 1.0, "knee": 0.9, "lift": 0.5},
        "leg width": {"limb": 1.0},
        "head": {"head": 0.8},
        "tail": {"prongs": 1.0},
        "feeler": {"antenna": 1.0},
    },
    LizardShape: {
        "size": {"trunk": 1.0},
        "length": {"width": -0.5, "tail": 0.5},
        "girth": {"width": 0.9, "tail_width": 0.4, "limb": 0.3},
        "leg": {"leg": 0.8, "lift": 1.0},
        "leg width": {"limb": 1.0},
        "neck": {"neck": 1.4},
        "head": {"head": 0.8},
        "muzzle": {"head": 0.5, "head_width": -0.5},
        "eye": {"eye": 1.0},
        "tail": {"tail": 1.0},
        "tail width": {"tail_width": 1.0},
        "foot": {"foot": 1.0},
        "crest": {"crest": 1.0},
    },
    SnakeShape: {
        "size": {"length": 1.0},
        "length": {"length": 1.0},
        "girth": {"girth": 1.0},
        "head": {"head": 0.6},
        "neck": {"rise": 1.0},
        "tail": {"thickest": 0.3},
    },
    FinnedShape: {
        "size": {"length": 1.0},
        "length": {"depth": -0.8},
        "girth": {"depth": 0.7, "width": 0.5},
        "head": {"head": 0.7},
        "muzzle": {"beak": 1.0, "overhang": 0.6},
        "beak": {"beak": 1.0},
        "eye": {"eye": 1.0},
        "tail": {"caudal": 0.8, "span": 0.8},
        "tail width": {"span": 1.0},
        "wing": {"pectoral": 1.0},
        "crest": {"dorsal": 1.0},
    },
    WingedQuadrupedShape: {"wing": {"wing": 1.0, "chord": 0.5}, "crest": {"crest": 1.0}},
    WyvernShape: {"wing": {"wing": 1.0, "chord": 0.5}, "crest": {"crest": 1.0}},
    CentaurShape: {
        "head": {"person_head": 0.8},
        "neck": {},
        "arm": {"arm": 0.5},
        "shoulder": {"shoulder": 0.6},
        "hair": {"hair": 1.6},
    },
    BipedShape: {
        "size": {"hip": 1.0},
        "length": {"trunk": 0.8, "tail": 0.4},
        "girth": {"rump": 0.8, "chest": 0.8, "thigh": 0.4, "limb": 0.3},
        "leg": {"trunk": -0.4, "head": -0.3, "rump": -0.4, "chest": -0.4},
        "leg width": {"limb": 1.0, "thigh": 0.6},
        "neck": {"neck": 1.4},
        "neck width": {"neck_width": 1.0},
        "head": {"head": 0.8},
        "muzzle": {"muzzle": 0.8},
        "ear": {"ear": 1.2},
        "eye": {"eye": 1.0},
        "arm": {"arm": 1.0},
        "arm width": {"arm_width": 1.0},
        "tail": {"tail": 1.0},
        "tail width": {"tail_width": 1.0},
        "foot": {"foot": 1.0},
        "horn": {"horn": 1.0},
    },
    FrogShape: {
        "size": {"trunk": 1.0},
        "length": {"width": -0.6},
        "girth": {"width": 0.8, "depth": 0.4, "limb": 0.3},
        "leg": {"leg": 1.0, "fore": 0.8, "foot": 0.5},
        "leg width": {"limb": 1.0, "thigh": 0.4},
        "head": {"head": 0.8},
        "eye": {"eye": 1.0},
        "foot": {"foot": 1.0},
    },
    WaspShape: {
        "size": {"thorax": 1.0},
        "length": {"abdomen": 0.8, "waist": 0.8},
        "girth": {"girth": 0.6, "abdomen_width": 0.8},
        "leg": {"leg": 1.0},
        "leg width": {"limb": 1.0},
        "head": {"head": 0.8},
        "eye": {"eye": 1.0},
        "tail": {"abdomen": 1.0},
        "tail width": {"abdomen_width": 1.0},
        "wing": {"wing": 1.0},
    },
}
"""Per kind of body: slider -> parameter -> power; a slider moved by f multiplies each parameter by f^power.

A kind that extends another one has that one's sliders too.
"""
SLIDERS: Mapping[type, Mapping[str, Mapping[str, float]]] = {
    kind: {slider: powers for base in reversed(kind.__mro__) for slider, powers in OWN_SLIDERS.get(base, {}).items()}
    for kind in OWN_SLIDERS
}
"""All sliders of each kind of body."""

DEFAULT_PART_SIZES: Mapping[str, Mapping[str, float]] = {
    "horn": {"horn": 0.5},
    "mane": {"mane": 0.7},
    "crest": {"crest": 0.6},
    "hair": {"hair": 0.7},
}
"""Least size of parts that a description asks for ('with horns'), for bodies that have none."""


def move_slider(shape: AnyShape, slider: str, factor: float) -> AnyShape:
    """Move one slider by a factor; a body without that part stays as it is."""
    powers = SLIDERS[type(shape)].get(slider, {})
    return with_clipped(shape, {name: getattr(shape, name) * factor**power for name, power in powers.items()})


def add_part(shape: AnyShape, part: str) -> AnyShape:
    """Give the shape a part that it may lack."""
    wanted = {k: v for k, v in DEFAULT_PART_SIZES.get(part, {}).items() if hasattr(shape, k)}
    return with_clipped(shape, {k: max(getattr(shape, k), v) for k, v in wanted.items()})
