"""Animals made by code: closed skins, exact skeletons, clean weights, feet on the ground, words that are understood."""

import dataclasses
from functools import cache

import numpy as np
import pytest
import trimesh
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.bodies.body_plan import BODY_GROUP
from gambol.creatures.bodies.distance_field import evaluate_field, make_flesh_field
from gambol.creatures.bodies.isosurface import is_closed_manifold
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.catalogue import CREATURE_FAMILIES, QUADRUPEDS, described_family, make_creature
from gambol.creatures.creature import build_creature, eyeball_mesh
from gambol.creatures.description import NOUNS, parse_description
from gambol.creatures.family import cross_families
from gambol.creatures.parameter_ranges import ranges_of
from gambol.errors import ConfigError
from gambol.files.asset import export_scene, load
from gambol.motion.clip import Clip
from gambol.motion.skinning import pose_vertices

MANY_LEGS = ("spider", "ant", "scorpion", "crab", "centipede")
UNUSUAL = ("dragon", "wyvern", "pegasus", "centaur", "monster", "sauropod", "kangaroo", "frog", "wasp")
MAIN = (
    "fox",
    "horse",
    "cat",
    "human",
    "ostrich",
    "trex",
    *MANY_LEGS,
    "lizard",
    "snake",
    "songbird",
    "fish",
    "eel",
    "shark",
    "dolphin",
    *UNUSUAL,
)
CASES = [(name, seed) for name in MAIN for seed in (0, 1)] + [
    (name, 3) for name in CREATURE_FAMILIES if name not in MAIN
]
LIMBS = {
    "fox": (4, 0, 0),
    "horse": (4, 0, 0),
    "cat": (4, 0, 0),
    "human": (2, 2, 0),
    "ostrich": (2, 0, 2),
    "trex": (2, 2, 0),
    "spider": (8, 0, 0),
    "ant": (6, 0, 0),
    "scorpion": (8, 2, 0),
    "crab": (8, 2, 0),
    "centipede": (26, 0, 0),
    "lizard": (4, 0, 0),
    "snake": (0, 0, 0),
    "songbird": (2, 0, 2),
    "fish": (0, 0, 2),
    "eel": (0, 0, 2),
    "shark": (0, 0, 2),
    "dolphin": (0, 0, 2),
    "dragon": (4, 0, 2),
    "wyvern": (2, 0, 2),
    "pegasus": (4, 0, 2),
    "centaur": (4, 2, 0),
    "monster": (2, 2, 0),
    "sauropod": (4, 0, 0),
    "kangaroo": (2, 2, 0),
    "frog": (4, 0, 0),
    "wasp": (6, 0, 2),
}
HEIGHTS = {
    "fox": (0.45, 0.75),
    "horse": (1.9, 2.6),
    "cat": (0.28, 0.6),
    "human": (1.5, 2.0),
    "ostrich": (1.8, 2.8),
    "trex": (3.2, 5.0),
    "spider": (0.06, 0.14),
    "ant": (0.05, 0.12),
    "scorpion": (0.06, 0.14),
    "crab": (0.07, 0.18),
    "centipede": (0.05, 0.2),
    "lizard": (0.05, 0.14),
    "snake": (0.05, 0.4),
    "songbird": (0.1, 0.2),
    "fish": (0.08, 0.3),
    "eel": (0.03, 0.15),
    "shark": (0.6, 2.0),
    "dolphin": (0.5, 1.1),
    "dragon": (2.0, 6.0),
    "wyvern": (1.5, 6.0),
    "pegasus": (1.8, 3.0),
    "centaur": (1.8, 2.8),
    "monster": (0.4, 1.8),
    "sauropod": (5.0, 11.0),
    "kangaroo": (1.0, 2.2),
    "frog": (0.03, 0.12),
    "wasp": (0.06, 0.3),
}
"""Height of the whole animal, metres; the head of a standing fox is higher than its shoulder."""


@cache
def made(name, seed):
    creature = make_creature(name, seed)
    return creature, creature.character()


def skin_vertices(creature):
    return len(creature.scene.parts[0].positions) - sum(len(eyeball_mesh(eye)[0]) for eye in creature.plan.eyes)


def dominant(part):
    return part.joints[np.arange(len(part.joints)), part.weights.argmax(1)]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_the_skin_is_one_closed_surface_and_every_eye_another(name, seed):
    creature, _ = made(name, seed)
    part = creature.scene.parts[0]
    mesh = trimesh.Trimesh(part.positions, part.triangles, process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert is_closed_manifold(part.triangles)
    count = skin_vertices(creature)
    pieces, piece_of = connected_components(mesh.edges_sparse, directed=False)
    assert pieces == 1 + len(creature.plan.eyes)
    assert np.bincount(piece_of).max() == count
    corners = mesh.triangles.astype(float)
    volumes = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    assert np.bincount(piece_of[mesh.faces[:, 0]], volumes).min() > 0
    assert 2000 < count < 6500
    assert mesh.area_faces.min() > 0
    assert part.colours.shape == (len(part.positions), 4)
    assert 0 <= part.colours.min() <= part.colours.max() <= 1


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_weights_are_clean_and_never_cross_to_another_limb(name, seed):
    creature, _ = made(name, seed)
    part, plan = creature.scene.parts[0], creature.plan
    assert part.weights.shape[1] <= 4
    assert np.abs(part.weights.sum(1) - 1).max() < 1e-5
    assert part.weights.min() >= 0
    limb = np.full(len(plan.joints), -1)
    for number, chain in enumerate(plan.limbs):
        if chain.side != Side.MIDDLE:
            limb[[plan.index[b] for b in chain.bones]] = number
    own, touched = limb[dominant(part)][:, None], limb[part.joints]
    strangers = (part.weights > 0) & (own >= 0) & (touched >= 0) & (touched != own)
    assert not strangers.any()
    mass = np.bincount(part.joints.ravel(), part.weights.ravel(), len(plan.joints))
    assert mass.min() > 0.5


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_feet_stand_on_the_ground(name, seed):
    creature, character = made(name, seed)
    part, plan = creature.scene.parts[0], creature.plan
    assert -1e-6 * character.size < part.positions[:, 1].min() < 1e-3 * character.size
    for chain in plan.limbs:
        if chain.part == BodyPart.LEG:
            assert chain.contact in chain.bones
            own = np.isin(dominant(part), [plan.index[b] for b in chain.bones])
            assert abs(part.positions[own, 1].min()) < 0.01 * character.size


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_the_motion_skeleton_is_the_plan(name, seed):
    creature, character = made(name, seed)
    plan, skeleton = creature.plan, character.skeleton
    assert skeleton.names == plan.names
    assert np.array_equal(skeleton.parents, plan.parents)
    assert character.binding.changes == ()
    placed = plan.heads @ character.placement.T_world_file[:3, :3].T + character.placement.T_world_file[:3, 3]
    assert np.abs(skeleton.heads - placed).max() < 1e-6 * character.size
    assert character.placement.scale == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_left_is_the_mirror_image_of_right(name, seed):
    creature, character = made(name, seed)
    plan, part = creature.plan, creature.scene.parts[0]
    for joint in plan.joints:
        twin = joint.name.replace(".L", ".R")
        expected = np.array(joint.position) * [-1, 1, 1]
        if joint.side == Side.MIDDLE:
            assert joint.position[0] == 0
        elif joint.side == Side.LEFT:
            assert joint.position[0] > 0
            assert np.allclose(plan.heads[plan.index[twin]], expected)
    gap, partner = cKDTree(part.positions).query(part.positions * [-1, 1, 1])
    assert gap.max() < 1e-4 * character.size
    assert np.abs(part.colours[partner] - part.colours).max() < 0.03  # weights may break ties differently


@pytest.mark.parametrize("name", MAIN)
def test_anatomy_is_exact(name):
    creature, character = made(name, 1)
    anatomy = creature.anatomy(character)
    counts = tuple(len(anatomy.of(part)) for part in (BodyPart.LEG, BodyPart.ARM, BodyPart.WING))
    assert counts == LIMBS[name]
    assert len(anatomy.of(BodyPart.TAIL)) == (0 if name in ("human", "frog", "crab") else 1)
    assert len(anatomy.of(BodyPart.HEAD)) == (0 if name in ("spider", "crab") else 1)
    assert anatomy.contacts.sum() == counts[0]
    names = character.skeleton.names
    for limb in anatomy.limbs:
        assert all(anatomy.parts[b] == limb.part and anatomy.sides[b] == limb.side for b in limb.bones)
        parents = [character.skeleton.parents[b] for b in limb.bones[1:]]
        assert parents == list(limb.bones[:-1])
    for limb in anatomy.of(BodyPart.LEG, Side.LEFT):
        assert character.skeleton.heads[limb.bones[0], 2] < 0  # left is -z
        assert names[limb.bones[-1]].endswith(".L")
    feet = [character.skeleton.heads[limb.contact, 0] for limb in anatomy.of(BodyPart.LEG, Side.LEFT)]
    assert feet == sorted(feet, reverse=True)  # pairs run from front to back
    assert (anatomy.limits[..., 0] < 0).all()
    assert (anatomy.limits[..., 1] > 0).all()


@pytest.mark.parametrize("vertices", [1500, 4000])
@pytest.mark.parametrize(
    "name", ["tarantula", "daddy longlegs", "wolf spider", "ant", "beetle", "scorpion", "crab", "lobster", "centipede"]
)
def test_many_legs_are_found_from_the_skeleton_as_the_plan_says(name, vertices):
    for seed in (None, 5, 6):
        creature = make_creature(name, seed, vertices=vertices)
        character = creature.character()
        known, found = creature.anatomy(character), find_anatomy(character)
        assert known.parts == found.parts
        assert known.sides == found.sides
        assert [(leg.side, leg.pair, leg.bones) for leg in known.legs] == [
            (leg.side, leg.pair, leg.bones) for leg in found.legs
        ]


def test_a_centipede_has_a_segment_for_every_pair_of_legs():
    counts = set()
    for seed in range(6):
        plan = make_creature("centipede", seed, vertices=1500).plan
        legs = [limb for limb in plan.limbs if limb.part == BodyPart.LEG and limb.side == Side.LEFT]
        torso = next(limb for limb in plan.limbs if limb.part == BodyPart.TORSO)
        assert len(torso.bones) == len(legs)
        holders = [plan.joints[plan.index[limb.bones[0]]].parent for limb in sorted(legs, key=lambda limb: limb.pair)]
        assert holders == list(reversed(torso.bones))
        counts.add(len(legs))
    assert len(counts) >= 3
    assert min(counts) >= 6


def test_anatomy_of_another_character_is_refused():
    with pytest.raises(ConfigError, match="bones differ"):
        made("fox", 0)[0].anatomy(made("human", 0)[1])


@pytest.mark.parametrize("name", MAIN)
def test_sizes_are_those_of_real_animals(name):
    character = made(name, 0)[1]
    low, high = HEIGHTS[name]
    assert low <= np.ptp(character.mesh.vertices[:, 1]) <= high


@pytest.mark.parametrize("name", MAIN)
def test_a_written_file_loads_as_the_same_character(name, tmp_path):
    creature, character = made(name, 1)
    again = load(export_scene(creature.scene, (), tmp_path / "creature.glb")).character
    assert again.placement.facing == "+z"
    assert again.placement.scale == pytest.approx(1.0)
    assert again.skeleton.names == character.skeleton.names
    assert len(again.mesh.vertices) == len(character.mesh.vertices)
    assert np.abs(again.mesh.vertices - character.mesh.vertices).max() < 1e-5 * character.size
    assert np.abs(again.skeleton.T_world_rest - character.skeleton.T_world_rest).max() < 1e-4
    assert creature.anatomy(again).legs == creature.anatomy(character).legs


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    files = [
        export_scene(make_creature("fox", seed).scene, (), tmp_path / f"{i}.glb") for i, seed in enumerate((5, 5, 6))
    ]
    first, second, other = (path.read_bytes() for path in files)
    assert first == second
    assert first != other
    generator = np.random.default_rng(5)
    drawn = make_creature("fox", generator)
    assert np.array_equal(drawn.scene.parts[0].positions, make_creature("fox", 5).scene.parts[0].positions)
    assert drawn.plan != make_creature("fox", generator).plan


@pytest.mark.parametrize("name", ["fox", "human", "trex"])
def test_a_bent_knee_moves_its_own_leg_only_and_keeps_the_volume(name):
    creature, character = made(name, 1)
    mesh, skeleton, weights = character.require_skin()
    shin = skeleton.names.index("Shin.L")
    angles = np.zeros((1, len(skeleton) - 1, 3))
    angles[0, shin - 1, 0] = np.radians(60.0)
    posed = pose_vertices(character, Clip("bend", 30.0, np.zeros((1, 6)), angles))[0]
    moved = np.linalg.norm(posed - mesh.vertices, axis=1) > 1e-3 * character.size
    sides = np.array([j.side == Side.LEFT and j.part == BodyPart.LEG for j in creature.plan.joints])
    assert moved.any()
    assert (weights.dense()[moved][:, sides].sum(1) > 0.02).all()
    volumes = [trimesh.Trimesh(points, mesh.triangles, process=False).volume for points in (mesh.vertices, posed)]
    assert volumes[1] == pytest.approx(volumes[0], rel=0.04)


@pytest.mark.parametrize("wanted", [1500, 9000])
def test_the_number_of_vertices_is_near_what_was_asked_for(wanted):
    creature = make_creature("horse", 0, vertices=wanted)
    assert skin_vertices(creature) == pytest.approx(wanted, rel=0.25)
    assert is_closed_manifold(creature.scene.parts[0].triangles)


def test_too_few_vertices_are_refused():
    with pytest.raises(ConfigError, match="100 vertices are too few to show"):
        make_creature("spider", 3, vertices=100)


def reference_distance(plan, point):
    """The field as its module's docstring has it, cone by cone, without any shortcut."""

    def cone(piece):
        across, stretch = np.array(piece.squash_axis), 1.0 / piece.squash
        scale = np.eye(3) + (stretch - 1.0) * np.outer(across, across)
        start = np.array(piece.start)
        q, axis = scale @ (point - start), scale @ (np.array(piece.end) - start)
        u = np.linspace(0.0, 1.0, 4001)[:, None]
        away = q - u * axis
        reach = np.linalg.norm(away, axis=1) - (piece.start_radius + u[:, 0] * (piece.end_radius - piece.start_radius))
        best = reach.argmin()
        normal = away[best] / np.linalg.norm(away[best])
        return reach[best] / np.linalg.norm(scale @ normal)

    def smin(a, b, k):
        h = np.clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0) if k > 0 else float(a < b)
        return b + h * (a - b) - k * h * (1.0 - h)

    distances = {}
    for piece in plan.flesh:
        d = cone(piece)
        distances[piece.group] = smin(distances[piece.group], d, piece.blend) if piece.group in distances else d
    total = distances[BODY_GROUP]
    for group, d in distances.items():
        if group != BODY_GROUP:
            side = {".L": 1.0, ".R": -1.0}.get(group[-2:])
            d = max(d, plan.gap - side * point[0]) if side else d
            total = min(total, smin(distances[BODY_GROUP], d, plan.group_blends[group]))
    return max(total, -point[1])


def test_the_fast_field_agrees_with_the_readable_one():
    """Near the skin; far from it the fast one leaves out cones that a ball around them shows to be farther still."""
    creature, character = made("cat", 0)
    generator = np.random.default_rng(0)
    vertices = creature.scene.parts[0].positions[: skin_vertices(creature)]
    points = generator.choice(vertices, 60) + generator.normal(0.0, 0.003 * character.size, (60, 3))
    distances, gradients = evaluate_field(make_flesh_field(creature.plan), points)
    expected = [reference_distance(creature.plan, point) for point in points]
    assert np.abs(distances - expected).max() < 1e-5 * character.size
    assert np.allclose(np.linalg.norm(gradients, axis=1), 1.0)


def test_every_family_and_every_noun_is_understood():
    for name, family in CREATURE_FAMILIES.items():
        assert CREATURE_FAMILIES[parse_description(f"a {name}").noun.family] is family
    for noun in NOUNS:
        assert noun.family in CREATURE_FAMILIES
        shape = described_family(parse_description(noun.words[0])).shape
        assert all(low.low <= getattr(shape, k) <= low.high for k, low in ranges_of(shape).items())
        for word in noun.words:
            assert parse_description(f"two {word} at night").noun is noun


HYBRID_SEEDS = range(24)


def test_hybrids_are_whole_bodies_of_several_plans_far_outside_the_usual():
    kinds, extremes = set(), []
    for seed in HYBRID_SEEDS:
        shape, _ = CREATURE_FAMILIES["hybrid"].sample(np.random.default_rng(seed))
        kinds.add(type(shape))
        if isinstance(shape, QuadrupedShape):
            extremes.append((shape.body / shape.leg, shape.neck, shape.head, shape.tail))
    assert len(kinds) >= 5
    length, neck, head, tail = np.array(extremes).T
    assert length.max() > 6.0, "a long body on short legs"
    assert length.min() < 1.5, "a short body on long legs"
    assert neck.min() == 0.0, "no neck"
    assert neck.max() > 1.2
    assert head.max() > 0.65
    assert tail.min() == 0.0, "no tail"
    for seed in (2, 6, 11):
        creature = make_creature("hybrid", seed, vertices=1500)
        legs = creature.anatomy(creature.character()).legs
        assert len(legs) in (2, 4)
        assert is_closed_manifold(creature.scene.parts[0].triangles)


def test_a_grafted_body_keeps_its_lengths_in_scale():
    """A centaur's person is a person, and its animal is an animal."""
    horse, centaur = make_creature("horse", vertices=2500).plan, make_creature("centaur", vertices=2500).plan
    person = make_creature("person", vertices=2500).plan

    def bone(plan, a, b):
        return float(np.linalg.norm(plan.heads[plan.index[b]] - plan.heads[plan.index[a]]))

    scale = bone(centaur, "ArmUpper.L", "ArmFore.L") / bone(person, "UpperArm.L", "Forearm.L")
    assert bone(centaur, "ArmFore.L", "Hand.L") == pytest.approx(scale * bone(person, "Forearm.L", "Hand.L"), rel=0.02)
    assert 0.7 < scale < 1.4
    assert bone(centaur, "Hips", "Chest") == pytest.approx(bone(horse, "Hips", "Chest"), rel=0.1)
    assert len(centaur.eyes) == 2


def shape_of(sentence):
    description = parse_description(sentence)
    return description.reshape(described_family(description).shape)


def test_adjectives_pull_the_right_way():
    fox = shape_of("a fox")
    assert shape_of("a small fox").height < fox.height < shape_of("a big fox").height
    assert shape_of("a long-legged fox").leg > fox.leg > shape_of("a short-legged fox").leg
    assert shape_of("a fox with long legs").leg == shape_of("a long-legged fox").leg
    assert shape_of("a very small fox").height < shape_of("a small fox").height
    both = shape_of("a small long-legged fox")
    assert both.height < fox.height
    assert both.leg > fox.leg
    cat = shape_of("a cat")
    fat = shape_of("a fat red cat with a long tail")
    assert fat.fat > cat.fat
    assert fat.tail > cat.tail
    assert fat.leg == cat.leg
    red = parse_description("a fat red cat with a long tail").recolour(CREATURE_FAMILIES["cat"].coats[0])
    assert red.back[0] > 3 * red.back[2]
    assert parse_description("a cat with white socks").recolour(CREATURE_FAMILIES["cat"].coats[0]).socks > 0
    assert parse_description("a striped fox").recolour(CREATURE_FAMILIES["fox"].coats[0]).stripes > 0
    assert shape_of("a horse with horns").horn > 0
    assert shape_of("a tall man").height > shape_of("a man").height > shape_of("a short man").height


def test_one_space_holds_giraffe_and_dachshund_and_another_toddler_and_basketball_player():
    giraffe, dachshund = shape_of("a giraffe"), shape_of("a dachshund")
    assert isinstance(giraffe, QuadrupedShape)
    assert isinstance(dachshund, QuadrupedShape)
    assert giraffe.neck > 1.5 * dachshund.neck
    assert dachshund.body > 2.5 * giraffe.body
    toddler, player = shape_of("a toddler"), shape_of("a basketball player")
    assert type(toddler) is type(player)
    assert player.height > 2.0 > 1.0 > toddler.height
    assert toddler.head > 1.6 * player.head


@pytest.mark.parametrize(
    "sentence",
    [
        "a giraffe",
        "a very fat short-legged dog",
        "a tiny thin horse with a long neck",
        "a newt",
        "a fiddler crab with huge claws",
        "a long scorpion with a thick tail",
        "a house centipede",
        "a stag beetle",
    ],
)
def test_sentences_make_sound_creatures(sentence):
    creature = make_creature(sentence, 4)
    part = creature.scene.parts[0]
    assert is_closed_manifold(part.triangles)
    assert creature.character().skeleton.names == creature.plan.names
    assert not creature.name.startswith("a ")


def test_half_a_horse_and_half_a_giraffe():
    between = cross_families(CREATURE_FAMILIES["horse"], CREATURE_FAMILIES["giraffe"], 0.5)
    assert CREATURE_FAMILIES["horse"].shape.height < between.shape.height < CREATURE_FAMILIES["giraffe"].shape.height
    shape, coat = between.sample(np.random.default_rng(0))
    assert is_closed_manifold(build_creature("mule", between.plan(shape, coat)).scene.parts[0].triangles)
    assert len(QUADRUPEDS) >= 20
    with pytest.raises(ConfigError, match="no common body plan"):
        cross_families(CREATURE_FAMILIES["horse"], CREATURE_FAMILIES["snake"], 0.5)


def test_an_unknown_animal_says_what_is_known():
    with pytest.raises(ConfigError) as caught:
        make_creature("a small giraf", 0)
    message = str(caught.value)
    assert "giraf" in message
    assert "Did you mean 'giraffe'?" in message
    assert "fox" in message
    assert "songbird" in message
    with pytest.raises(ConfigError, match="names no animal"):
        make_creature("", 0)


def test_a_shape_out_of_its_range_is_refused():
    with pytest.raises(ConfigError, match="neck is 9; allowed is"):
        dataclasses.replace(QuadrupedShape(), neck=9.0)
