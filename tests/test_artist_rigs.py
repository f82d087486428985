"""Anatomy of rigs as artists build them: all legs of spiders however they hang, fins of fish, snakes from any root."""

import re
from dataclasses import replace

import artist_rigs as rigs
import numpy as np
import pytest
from artist_rig_scene import RigBone, make_scene

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character, make_character
from gambol.character.facing import FACING_AXES

SPIDERS = {
    "legs on the body": rigs.spider(),
    "legs on one hub": rigs.spider(hub="middle"),
    "legs on a hub for each side": rigs.spider(hub="sides"),
    "legs on a front and a rear hub": rigs.spider(hub="thirds"),
    "legs on the root joint on the ground": rigs.spider(hub="root"),
    "coxae from the middle of the body": rigs.spider(hub="centre"),
    "IK targets and poles": rigs.spider(targets=True),
    "IK feet under the root": rigs.spider(ik_feet=True),
    "twist bones": rigs.spider(twists=True, hub="sides"),
    "legs of two bones": rigs.spider(segments=2, hub="sides"),
    "legs of three bones": rigs.spider(segments=3),
    "legs of five bones": rigs.spider(segments=5, hub="sides", targets=True),
    "an insect": rigs.spider(pairs=3),
    "a crab": rigs.spider(pairs=5, hub="middle"),
    "no face": rigs.spider(face=False, root=False),
    "in the middle of a step": rigs.spider(uneven=0.25, hub="sides"),
    "flat": rigs.spider(height=0.06, reach=0.9),
    "tall": rigs.spider(height=0.5, reach=0.4),
}
FISH = {
    f"root in the {root}, {name}": rigs.fish(root_at=root, **options)
    for root in ("middle", "head", "tail")
    for name, options in {
        "fins": {},
        "flukes": {"flukes": True, "jaw": False},
        "one tail bone and controls": {"lobes": False, "helpers": True},
        "no fins": {"fins": False, "width": 1.0, "bones": 5},
    }.items()
}
SNAKES = {
    f"root in the {root}, {name}": rigs.snake(root_at=root, **options)
    for root in ("middle", "head", "tail")
    for name, options in {
        "jaw": {},
        "winding": {"bends": 0.15, "jaw": False},
        "raised head": {"raised": 0.4},
        "thirty bones and controls": {"bones": 30, "helpers": True, "jaw": False},
        "a worm": {"bones": 8, "jaw": False, "thick": False},
    }.items()
}


def read(bones: list[RigBone], **options) -> tuple[Character, Anatomy, dict[str, str]]:
    """Character, anatomy, and the name in the file of each bone."""
    scene, names = make_scene(bones, facing="+z", **options)
    character = make_character("rig", scene, facing="+z")
    return character, find_anatomy(character), names


def wrong_bones(bones: list[RigBone], character: Character, anatomy: Anatomy, names: dict[str, str]) -> list[str]:
    """What the anatomy says of each bone that was expected to be something else."""
    index = {name: bone for bone, name in enumerate(character.skeleton.names)}
    pairs = {bone: limb.pair for limb in anatomy.limbs for bone in limb.bones}
    wrong = []
    for bone in bones:
        if bone.part is None:
            continue
        here = index[names[bone.name]]
        said = [anatomy.parts[here].value, anatomy.sides[here].value, str(pairs.get(here))]
        if said[: len(bone.part.split())] != bone.part.split():
            wrong.append(f"{bone.name}: {bone.part}, not {' '.join(said)}")
    return wrong


def contact_names(character: Character, anatomy: Anatomy) -> set[str]:
    return {character.skeleton.names[bone] for bone in np.flatnonzero(anatomy.contacts)}


@pytest.mark.parametrize("bones", SPIDERS.values(), ids=SPIDERS)
@pytest.mark.parametrize("named", [True, False], ids=["named", "nameless and shuffled"])
def test_all_legs_are_found(bones, named):
    options = {} if named else {"rename": True, "generator": np.random.default_rng(3)}
    character, anatomy, names = read(bones, **options)
    assert wrong_bones(bones, character, anatomy, names) == []
    expected = {b.part for b in bones if b.part and b.part.startswith("leg")}
    assert {f"leg {leg.side.value} {leg.pair}" for leg in anatomy.legs} == expected
    assert len(anatomy.legs) == len(expected)
    assert anatomy.of(BodyPart.ARM) == anatomy.of(BodyPart.WING) == ()
    assert contact_names(character, anatomy) == {names[b.name] for b in bones if b.contact}


@pytest.mark.parametrize("bones", SPIDERS.values(), ids=SPIDERS)
def test_legs_are_numbered_from_front_to_back(bones):
    character, anatomy, _ = read(bones)
    for side in (Side.LEFT, Side.RIGHT):
        legs = anatomy.of(BodyPart.LEG, side)
        bases = character.skeleton.heads[[leg.bones[0] for leg in legs], 0]
        assert (np.diff(bases) < 0.02 * character.size).all()
        assert [leg.pair for leg in legs] == list(range(len(legs)))
        assert all((character.skeleton.tails[leg.bones[-1], 2] < 0) == (side == Side.LEFT) for leg in legs)


@pytest.mark.parametrize("hub", ["body", "middle", "sides", "centre", "thirds"])
def test_all_legs_of_a_bare_rig_are_found(hub):
    bones = rigs.spider(hub=hub, targets=True)
    character, anatomy, names = read(bones, mesh=False, end_bones=True)
    assert wrong_bones(bones, character, anatomy, names) == []
    assert len(anatomy.legs) == 8
    assert anatomy.of(BodyPart.ARM) == anatomy.of(BodyPart.WING) == ()


@pytest.mark.parametrize("bones", FISH.values(), ids=FISH)
def test_fins_are_no_legs(bones):
    character, anatomy, names = read(bones, rename=True, generator=np.random.default_rng(4))
    assert wrong_bones(bones, character, anatomy, names) == []
    assert anatomy.legs == anatomy.of(BodyPart.ARM) == ()
    assert not anatomy.contacts.any()


@pytest.mark.parametrize("bones", SNAKES.values(), ids=SNAKES)
def test_the_trunk_of_a_snake_runs_from_tail_to_head(bones):
    character, anatomy, names = read(bones, rename=True, generator=np.random.default_rng(5))
    assert wrong_bones(bones, character, anatomy, names) == []
    assert set(anatomy.sides) == {Side.MIDDLE}
    (torso,), (tail,), (head,) = (anatomy.of(part) for part in (BodyPart.TORSO, BodyPart.TAIL, BodyPart.HEAD))
    line = [*reversed(tail.bones), *torso.bones, *head.bones]
    middles = 0.5 * (character.skeleton.heads + character.skeleton.tails)[line, 0]
    assert (np.diff(middles) > -1e-3).all()


@pytest.mark.parametrize("kind", ["spider", "fish", "snake"])
def test_bodies_without_names_face_the_right_way(kind):
    """By shape: abdomens are behind the legs, fins ahead of the middle, tails thin. A worm is the same at both ends."""
    bodies = {"spider": SPIDERS, "fish": FISH, "snake": SNAKES}[kind]
    unclear = ("in the middle of a step", "a worm")
    wrong = []
    for name, bones in bodies.items():
        for facing in FACING_AXES:
            scene, _ = make_scene(bones, facing=facing, rename=True)
            if not name.endswith(unclear) and make_character("rig", scene).placement.facing != facing:
                wrong.append((name, facing))
    assert wrong == []


def test_telling_names_outweigh_the_shape():
    """A spider with its sides named the other way round faces backwards."""
    bones = rigs.spider()
    swap = {".L": ".R", ".R": ".L"}
    other = lambda name: name and name[:-2] + swap.get(name[-2:], name[-2:])  # noqa: E731
    turned = [
        replace(b, name=other(b.name), parent=other(b.parent)) for b in bones if not re.match("face|palp", b.name)
    ]
    turned = [replace(b, name=b.name.replace("abdomen", "a").replace("spinneret", "s")) for b in turned]
    turned = [replace(b, parent=b.parent and b.parent.replace("abdomen", "a")) for b in turned]
    scene, _ = make_scene(turned, facing="+z")
    assert make_character("rig", scene).placement.facing == "-z"
