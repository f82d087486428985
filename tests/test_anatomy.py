"""Anatomy from geometry alone: real characters whose bones a person has named, and creatures written down bone by bone.

The expectations in anatomy_expected.json were written from the bones' names and from pictures of the painted surface:
"part side" or "part pair side order" for each bone that a person can decide, "|" between answers that are both right.
`facing` is given where the file's own facing is guessed wrongly, `feet` are the bones that may be a leg's contact.
"""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import creatures_made_by_code as made
import numpy as np
import pytest
from creature_body import creature_body
from real_data import DATA, needs_data

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton, rest_frames
from gambol.character.weights import SkinWeights
from gambol.files.asset import Asset, load
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.render.part_palette import TRUNK_COLOURS, bone_colours

EXPECTED = json.loads((Path(__file__).parent / "anatomy_expected.json").read_text())
GAIT = re.compile("walk|run|gallop|trot|jog|sprint|crawl|fly", re.IGNORECASE)
PAIRED = (BodyPart.LEG, BodyPart.ARM, BodyPart.WING)
CREATURES = {
    "human": made.human,
    "quadruped": made.quadruped,
    "spider": made.spider,
    "snake": made.snake,
    "snake with the root inside": lambda: made.snake(root_at_tail=False),
    "snake from the head": made.snake_from_the_head,
    "bird": made.bird,
    "four-armed rabbit": made.four_armed_rabbit,
    "one-armed human": made.one_armed,
    "knight with cape, hair and sword": made.knight,
    "wasp in the air": made.wasp,
    "scorpion": made.scorpion,
    "centaur": made.centaur,
    "pegasus": made.pegasus,
    "fish": made.fish,
}


@cache
def real(name: str) -> Asset:
    return load(DATA / name, facing=EXPECTED[name]["facing"])


@cache
def anatomy_of(name: str) -> Anatomy:
    return find_anatomy(real(name).character)


def pair_of(anatomy: Anatomy, skeleton: Skeleton, bone: int) -> int:
    pairs = {b: limb.pair for limb in anatomy.limbs for b in limb.bones}
    while bone not in pairs:
        bone = int(skeleton.parents[bone])
    return pairs[bone]


def grade(anatomy: Anatomy, skeleton: Skeleton, tags: dict[str, str]) -> tuple[int, int, int, list[str]]:
    """Bones asked for, those with the right part and side, those with the right pair and order too, what is wrong."""
    asked = right = exact = 0
    wrong = []
    for bone, name in enumerate(skeleton.names):
        if name not in tags:
            continue
        asked += 1
        part, side, order = anatomy.parts[bone], anatomy.sides[bone], int(anatomy.orders[bone])
        best = 0
        for answer in tags[name].split("|"):
            words = answer.split()
            if words[0] != part.value or side.value not in words:
                continue
            pair_wanted = words[1] if part in PAIRED else None
            order_wanted = words[-1] if words[-1].isdigit() else None
            fits = order_wanted in (None, str(order))
            fits &= pair_wanted in (None, str(pair_of(anatomy, skeleton, bone)) if part in PAIRED else None)
            best = max(best, 2 if fits else 1)
        right += best > 0
        exact += best > 1
        if best < 2:
            wrong.append(f"{name}: {tags[name]}, not {part.value} {side.value} {order}")
    return asked, right, exact, wrong


@needs_data
def test_real_bones_are_told_apart():
    grades = {name: grade(anatomy_of(name), real(name).character.skeleton, e["bones"]) for name, e in EXPECTED.items()}
    asked, right, exact = (sum(g[k] for g in grades.values()) for k in range(3))
    report = [f"{name}: {g[1]} / {g[0]} ({g[2]} with order)  {'; '.join(g[3][:4])}" for name, g in grades.items()]
    print(*report, f"all: {right} / {asked} = {right / asked:.4f}, with order {exact / asked:.4f}", sep="\n")
    assert len(grades) >= 30
    assert asked >= 0.97 * sum(len(e["bones"]) for e in EXPECTED.values()), "the motion skeletons lost expected bones"
    assert right >= 0.99 * asked, "\n".join(report)
    assert exact >= 0.985 * asked, "\n".join(report)
    assert min(g[1] / g[0] for g in grades.values()) >= 0.9, "\n".join(report)


@needs_data
@pytest.mark.parametrize("name", EXPECTED)
def test_left_and_right_are_never_swapped(name):
    anatomy, skeleton = anatomy_of(name), real(name).character.skeleton
    for bone, side in enumerate(anatomy.sides):
        tags = EXPECTED[name]["bones"].get(skeleton.names[bone], "")
        if side != Side.MIDDLE and tags:
            assert {"left": "right", "right": "left"}[side.value] not in tags, skeleton.names[bone]


def renumbered(character: Character, generator: np.random.Generator) -> tuple[Character, np.ndarray]:
    """The same character with other names and its bones in another order; and the old number of each new bone."""
    skeleton = character.skeleton
    order, open_bones = [], [0]
    while open_bones:
        order.append(open_bones.pop(int(generator.integers(len(open_bones)))))
        open_bones += skeleton.children[order[-1]]
    old = np.array(order)
    new = np.argsort(old)
    parents = np.concatenate([[-1], new[skeleton.parents[old[1:]]]])
    names = tuple(f"ボーン.{n:03d}" for n in generator.permutation(len(old)))
    moved = Skeleton(names, parents, skeleton.T_world_rest[old], skeleton.tails[old])
    weights = character.weights
    if weights is not None:
        weights = SkinWeights(new[weights.bones], weights.weights, len(old))
    return replace(character, skeleton=moved, weights=weights), old


@needs_data
@pytest.mark.parametrize("name", EXPECTED)
def test_names_and_order_of_the_bones_do_not_matter(name):
    character, anatomy = real(name).character, anatomy_of(name)
    other, old = renumbered(character, np.random.default_rng(7))
    found = find_anatomy(other)
    assert found.parts == tuple(anatomy.parts[b] for b in old)
    assert found.sides == tuple(anatomy.sides[b] for b in old)
    assert (found.orders == anatomy.orders[old]).all()
    assert np.allclose(found.limits, anatomy.limits[old])
    back = {(x.part, x.side, x.pair, tuple(old[list(x.bones)]), x.contact and old[x.contact]) for x in found.limbs}
    assert back == {(x.part, x.side, x.pair, x.bones, x.contact) for x in anatomy.limbs}


@needs_data
@pytest.mark.parametrize(
    "name", [n for n in EXPECTED if re.search("Horse|human-animated|Velociraptor|dragon-animated", n)]
)
def test_a_mirrored_character_has_left_and_right_swapped(name):
    character, anatomy = real(name).character, anatomy_of(name)
    flip = np.array([1.0, 1.0, -1.0])
    skeleton = character.skeleton
    heads, tails = skeleton.heads * flip, skeleton.tails * flip
    mirrored = Skeleton(skeleton.names, skeleton.parents, rest_frames(heads, tails, skeleton.parents), tails)
    mesh = character.mesh and replace(character.mesh, vertices=character.mesh.vertices * flip)
    found = find_anatomy(replace(character, skeleton=mirrored, mesh=mesh))
    swap = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT, Side.MIDDLE: Side.MIDDLE}
    assert found.parts == anatomy.parts
    assert found.sides == tuple(swap[side] for side in anatomy.sides)


@needs_data
def test_a_rig_without_its_mesh_is_told_apart_almost_as_well():
    asked = right = 0
    for name, expected in EXPECTED.items():
        bare = replace(real(name).character, mesh=None, weights=None)
        counts = grade(find_anatomy(bare), bare.skeleton, expected["bones"])
        asked, right = asked + counts[0], right + counts[1]
    print(f"bare: {right / asked:.4f}")
    assert right >= 0.98 * asked


@needs_data
@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e["feet"]])
def test_legs_stand_on_their_feet(name):
    character, anatomy = real(name).character, anatomy_of(name)
    skeleton = character.skeleton
    assert len(anatomy.legs) >= 2
    for leg in anatomy.legs:
        assert leg.contact in leg.bones
        assert skeleton.names[leg.contact] in EXPECTED[name]["feet"]
        if character.mesh is not None:
            low = character.mesh.vertices[character.weights.dominant() == leg.contact, 1].min()
        else:
            low = min(skeleton.heads[leg.contact, 1], skeleton.tails[leg.contact, 1])
        assert abs(low) <= 0.06 * character.size


@needs_data
def test_what_flies_at_rest_stands_on_nothing():
    wasp = anatomy_of("characters/quaternius/Wasp.glb")
    assert len(wasp.legs) == 6
    assert not wasp.contacts.any()


@cache
def gaits() -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Walking, running and flying clips: name, angles of the joints that move in them, and their limits."""
    found = []
    for name in EXPECTED:
        limits = anatomy_of(name).limits[1:]
        for node_clip in real(name).clips:
            if name.endswith(".bvh") or not GAIT.search(node_clip.name):
                continue
            clip, _ = clip_from_nodes(real(name).character, node_clip, fps=10.0)
            moving = np.ptp(clip.angles, axis=0) > 0.02
            if not moving.any():
                continue
            found.append((f"{name} {node_clip.name}", clip.angles[:, moving], limits[moving]))
    return found


def inside(angles: np.ndarray, limits: np.ndarray) -> np.ndarray:
    return (angles >= limits[:, 0]) & (angles <= limits[:, 1])


@needs_data
def test_real_gaits_stay_within_the_limits():
    shares = {name: float(inside(angles, limits).mean()) for name, angles, limits in gaits()}
    share = float(np.concatenate([inside(angles, limits).ravel() for _, angles, limits in gaits()]).mean())
    worst = [(name, round(shares[name], 3)) for name in sorted(shares, key=shares.__getitem__)[:5]]
    print(f"{len(shares)} clips, {share:.4f} inside; worst: {worst}")
    assert len(shares) >= 60
    assert share >= 0.985, worst
    assert min(shares.values()) >= 0.89, worst


@needs_data
def test_one_way_joints_know_which_way():
    """The joints with a clearly one-sided range: real gaits fit it, and do not when they are bent the other way."""
    forth, back = [], []
    for _, angles, limits in gaits():
        one_way = np.maximum(-limits[:, 0], limits[:, 1]) > 3.0 * np.minimum(-limits[:, 0], limits[:, 1])
        forth.append(inside(angles[:, one_way], limits[one_way]).ravel())
        back.append(inside(-angles[:, one_way], limits[one_way]).ravel())
    shares = [float(np.concatenate(x).mean()) for x in (forth, back)]
    print(f"one-way joints: {shares[0]:.4f} inside, {shares[1]:.4f} when bent the other way")
    assert shares[0] >= 0.97
    assert shares[1] <= 0.5


@needs_data
@pytest.mark.parametrize("name", EXPECTED)
def test_limits_allow_the_rest_pose_with_a_margin(name):
    limits = anatomy_of(name).limits
    assert (limits[..., 0] <= -0.1).all()
    assert (limits[..., 1] >= 0.1).all()
    assert (limits[0] == [[-4 * np.pi, 4 * np.pi]] * 3).all()


@pytest.mark.parametrize("boxes", [False, True], ids=["bare", "boxes"])
@pytest.mark.parametrize("creature", CREATURES)
def test_made_creatures_are_all_right(creature, boxes):
    character, tags = made.build(CREATURES[creature](), boxes=boxes)
    asked, _, exact, wrong = grade(find_anatomy(character), character.skeleton, tags)
    assert asked == len(character.skeleton)
    assert exact == asked, wrong


@pytest.mark.parametrize(
    ("creature", "legs", "arms", "wings"),
    [
        ("human", 2, 2, 0),
        ("quadruped", 4, 0, 0),
        ("spider", 8, 0, 0),
        ("snake", 0, 0, 0),
        ("bird", 2, 0, 2),
        ("pegasus", 4, 0, 2),
    ],
)
def test_made_creatures_have_their_limbs(creature, legs, arms, wings):
    character, _ = made.build(CREATURES[creature](), boxes=True)
    anatomy = find_anatomy(character)
    assert [len(anatomy.of(part)) for part in PAIRED] == [legs, arms, wings]
    assert int(anatomy.contacts.sum()) == legs
    for limb in anatomy.limbs:
        assert (
            all(character.skeleton.parents[b] == a for a, b in zip(limb.bones, limb.bones[1:], strict=False))
            or legs == 0
        )


def bend(creature: str, name: str) -> np.ndarray:
    character, _ = made.build(CREATURES[creature]())
    return find_anatomy(character).limits[character.skeleton.names.index(name)]


def test_knees_bend_backwards_and_elbows_forwards():
    # a turn about x moves the end of a bone that points down backwards (its z axis)
    knee = bend("human", "shin.L")
    assert knee[0, 0] > -0.4
    assert knee[0, 1] > 2.0
    # a forearm that points to the left has x up: forwards is a negative turn; to the right, a positive one
    assert bend("human", "fore.L")[0].tolist() == pytest.approx([-2.6, 0.17])
    assert bend("human", "fore.R")[0].tolist() == pytest.approx([-0.17, 2.6])


def test_the_hind_leg_of_a_quadruped_bends_to_and_fro():
    stifle, hock = bend("quadruped", "shin.L")[0], bend("quadruped", "metatarsus.L")[0]
    # bent by more than a radian at rest, they can still stretch to straight, and bend farther than that
    assert 0.9 < -stifle[0] < 0.7 * stifle[1]
    assert 0.7 < hock[1] < -0.7 * hock[0]


def test_a_straight_leg_takes_its_bend_from_what_it_is():
    straight = [
        (n, p, (0, *a[1:]), (0, *b[1:]), t) if n[:4] in ("thig", "shin") else (n, p, a, b, t)
        for n, p, a, b, t in made.human()
    ]
    character, _ = made.build(straight)
    limits = find_anatomy(character).limits[character.skeleton.names.index("shin.L")]
    assert limits[0].tolist() == pytest.approx([-0.17, 2.6])


@needs_data
def test_knees_of_real_characters_bend_the_right_way():
    bones = {
        "characters/mesh2motion/human-animated.glb": ("DEF-shin.L", 1),
        "characters/kaykit/Knight.glb": ("lowerleg.l", 1),
        "characters/khronos/Fox.glb": ("b_LeftLeg02_016", 1),
        "characters/quaternius/Horse.glb": ("BackLowerLeg.L", -1),
        "characters/quaternius/Trex.glb": ("BackLowLeg.L", -1),
    }
    for name, (bone, way) in bones.items():
        number = real(name).character.skeleton.names.index(bone)
        low, high = anatomy_of(name).limits[number, 0]
        assert (high > -low) if way > 0 else (-low > high), name


@pytest.mark.parametrize(
    "family",
    [
        *["fox", "elephant", "toddler", "ostrich", "duck", "penguin", "trex", "spider", "crocodile", "snake", "fish"],
        *["eel", "shark", "dolphin", "scorpion", "crab", "centipede", "ant", "wasp", "dragon", "sauropod", "kangaroo"],
    ],
)
def test_the_built_in_creatures_are_what_their_plans_say(family):
    """Plans with exact answers, drawn with a seed that no rule was made on."""
    character, anatomy = creature_body(family, 5, vertices=4000)
    known, found = anatomy, find_anatomy(character)
    right = [(a, b) == (c, d) for a, b, c, d in zip(known.parts, known.sides, found.parts, found.sides, strict=True)]
    assert np.mean(right) >= 0.95, [n for n, r in zip(character.skeleton.names, right, strict=True) if not r]
    assert (known.contacts == found.contacts).all()
    assert [(leg.side, leg.pair) for leg in known.legs] == [(leg.side, leg.pair) for leg in found.legs]


def test_wings_of_a_coarse_songbird_are_no_arms():
    """A skin of few vertices is less flat; arms would hang down from the shoulders of a bird."""
    for seed in range(3):
        character, anatomy = creature_body("songbird", seed, vertices=1500)
        assert find_anatomy(character).parts == anatomy.parts


def test_every_bone_has_the_colour_of_its_part():
    character, _ = made.build(made.quadruped(), boxes=True)
    colours = bone_colours(find_anatomy(character), character.skeleton)
    tail, left, right = (character.skeleton.names.index(n) for n in ("tail2", "arm.L", "arm.R"))
    assert tuple(colours[tail]) == TRUNK_COLOURS[BodyPart.TAIL]
    assert np.linalg.norm(colours[right] - colours[left]) > 0.5


def test_a_character_without_a_skeleton_says_so():
    character, _ = made.build(made.human(), boxes=True)
    with pytest.raises(Exception, match="no skeleton"):
        find_anatomy(replace(character, skeleton=None, weights=None))


@needs_data
@pytest.mark.parametrize("name", ["characters/khronos/RecursiveSkeletons.glb", "characters/khronos/SimpleSkin.gltf"])
def test_what_has_no_anatomy_is_tagged_all_the_same(name):
    character = load(DATA / name).character
    assert len(find_anatomy(character).parts) == len(character.skeleton)
