"""Films of parts: labels of all bones, moments in closed form against their slow twin, gradients, invariances."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from creatures_made_by_code import build, chain, fish, human, knight, quadruped, snake, spider, wasp

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.distill.optimised_body import make_subject
from gambol.errors import ConfigError
from gambol.priors.embedded.part_film import (
    FRAMES,
    NUMBERS_PER_UNIT,
    PART_NUMBERS,
    body_unit,
    part_frame,
)
from gambol.priors.embedded.part_labels import (
    LABEL_INDEX,
    LIMB_PAIRS,
    MIDLINE_PIECES,
    MIRRORED_LABELS,
    PART_LABELS,
    PartLabel,
    bone_labels,
    splat_labels,
)
from gambol.priors.embedded.part_moments import part_moments, part_moments_reference, part_tables
from gambol.priors.embedded.part_observer import FILM_ROWS, PartObserver, bare_splats
from gambol.priors.embedded.part_pictures import PICTURE_SIDE, draw_parts, label_colours
from gambol.render.observer import ObserverConfig
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.training.embedded.train import MIRROR_SIGNS

BODIES = {made.__name__: made for made in (human, quadruped, spider, snake, knight, wasp, fish)}


def body(name, **options):
    character, _ = build(BODIES[name](), boxes=True, **options)
    return character, find_anatomy(character)


def labels_of(name):
    character, anatomy = body(name)
    return character.skeleton, anatomy, [PART_LABELS[i] for i in bone_labels(character.skeleton, anatomy)]


def random_transforms(bones, frames=3, seed=0):
    """Arbitrary affine maps near the identity, one per bone and frame."""
    generator = torch.Generator().manual_seed(seed)
    T = torch.eye(4).repeat(frames, bones, 1, 1)
    T[..., :3, :] += 0.3 * torch.randn(frames, bones, 3, 4, generator=generator)
    return T


@pytest.fixture(scope="module")
def fox():
    """Splats of a quadruped, smoothly bound: each splat to its own bone and a neighbour."""
    character, anatomy = body("quadruped")
    splats = splats_from_mesh(character, 400)
    bones, generator = len(character.skeleton), torch.Generator().manual_seed(1)
    own = splats.bones[:, :1]
    share = 0.5 + 0.5 * torch.rand(len(splats), 1, generator=generator)
    other = torch.as_tensor(np.maximum(character.skeleton.parents, 0))[own]
    splats = replace(
        splats, bones=torch.cat([own, other], 1), weights=torch.cat([share, 1.0 - share], 1).to(splats.weights)
    )
    return splats, bone_labels(character.skeleton, anatomy), bones


def test_the_closed_form_is_the_slow_twin(fox):
    splats, labels, bones = fox
    T = random_transforms(bones)
    place, spread = part_moments(part_tables(splats, labels), T)
    slow_place, slow_spread = part_moments_reference(splats, labels, T)
    assert torch.allclose(place, slow_place, atol=1e-5)
    assert torch.allclose(spread, slow_spread, atol=1e-5)
    assert float(slow_spread.std()) > 0.02


def test_a_part_has_its_splats_mean_and_variance(fox):
    """One part by hand: means and variances of its splats at rest, weighted by area times opacity."""
    splats, labels, bones = fox
    of_splat = splat_labels(splats, labels)
    tables = part_tables(splats, labels)
    place, spread = part_moments(tables, torch.eye(4).repeat(1, bones, 1, 1))
    own = torch.as_tensor(of_splat == int(tables.labels[2]))
    S, x = splats.covariances[own].double(), splats.centres[own].double()
    areas = torch.linalg.eigvalsh(S)[:, 1:].sqrt().prod(1)
    w = areas * splats.opacities[own]
    w = w / w.sum()
    mean = (w[:, None] * x).sum(0)
    C = torch.einsum("n,nij->ij", w, S + (x - mean)[:, :, None] * (x - mean)[:, None])
    assert torch.allclose(place[0, 2].double(), mean, atol=1e-6)
    assert torch.allclose(spread[0, 2].double(), C[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], atol=1e-6)


def test_shares_of_mass_sum_up_to_the_body(fox):
    splats, labels, bones = fox
    tables, T = part_tables(splats, labels), random_transforms(bones)
    assert tables.labels.tolist() == sorted(set(splat_labels(splats, labels)))
    assert float(tables.mass.sum()) == pytest.approx(1.0, abs=1e-6)
    assert torch.allclose(tables.first.unflatten(1, (-1, 4))[..., 3].sum(1), torch.ones(len(tables)), atol=1e-5)
    whole = part_tables(splats, np.zeros_like(labels))
    assert len(whole) == 1
    place, spread = part_moments(tables, T)
    mean, C = part_moments(whole, T)
    m = tables.mass[:, None]
    assert torch.allclose((m * place).sum(1), mean[:, 0], atol=1e-5)
    second = spread[..., :3] + place.square()
    assert torch.allclose((m * second).sum(1) - mean[:, 0].square(), C[:, 0, :3], atol=1e-5)


def test_the_gradient_is_the_finite_difference(fox):
    """Moments are quadratic in the transforms, so central differences are exact at any step."""
    splats, labels, bones = fox
    tables, T = part_tables(splats, labels), random_transforms(bones).requires_grad_()
    generator = torch.Generator().manual_seed(2)
    weights = [torch.randn(3, len(tables), n, generator=generator) for n in (3, 6)]

    def value(T):
        return sum((w * x).sum() for w, x in zip(weights, part_moments(tables, T), strict=True))

    value(T).backward()
    for seed in range(3):
        change = torch.zeros(3, bones, 4, 4)
        change[:, :, :3] = 0.2 * torch.randn(3, bones, 3, 4, generator=torch.Generator().manual_seed(seed))
        with torch.no_grad():
            difference = 0.5 * float(value(T + change) - value(T - change))
        assert float((T.grad * change).sum()) == pytest.approx(difference, rel=1e-3)
    assert not T.grad[:, :, 3].any(), "the last row of a transform is not used"


def test_a_moved_body_has_moved_places_and_the_same_spreads(fox):
    splats, labels, bones = fox
    tables, T = part_tables(splats, labels), random_transforms(bones)
    moved, step = T.clone(), torch.tensor([0.7, -0.2, 0.4])
    moved[..., :3, 3] += step
    (place, spread), (there, same) = part_moments(tables, T), part_moments(tables, moved)
    assert torch.allclose(there, place + step, atol=1e-5)
    assert torch.allclose(same, spread, atol=1e-5)


def test_films_do_not_depend_on_where_a_body_stands_nor_on_its_size(fox):
    splats, labels, bones = fox
    T, start = random_transforms(bones), random_transforms(bones, 1, seed=5)
    numbers = part_frame(part_tables(splats, labels), 0.8, start).numbers(T)
    elsewhere = torch.eye(4)
    elsewhere[0, 3], elsewhere[2, 3] = 3.0, -2.0
    aside = part_frame(part_tables(splats, labels), 0.8, elsewhere @ start)
    assert torch.allclose(aside.numbers(elsewhere @ T), numbers, atol=1e-3)
    k = 2.5
    large = replace(splats, centres=k * splats.centres, covariances=k * k * splats.covariances)
    scaled = [x.clone() for x in (T, start)]
    for x in scaled:
        x[..., :3, 3] *= k
    grown = part_frame(part_tables(large, labels), 0.8 * k, scaled[1]).numbers(scaled[0])
    assert torch.allclose(grown, numbers, atol=1e-3)
    assert float(numbers[..., :3].std()) > 1.0


def test_heights_count_from_the_ground_and_places_in_units(fox):
    splats, labels, bones = fox
    rest = torch.eye(4).repeat(1, bones, 1, 1)
    tables = part_tables(splats, labels)
    frame, place = part_frame(tables, 0.8, rest), part_moments(tables, rest)[0][0]
    assert frame.start.shape == (len(tables), PART_NUMBERS)
    assert torch.allclose(frame.start[:, 1], NUMBERS_PER_UNIT * place[:, 1] / 0.8, atol=1e-4)
    assert float((tables.mass * frame.start[:, 0]).sum()) == pytest.approx(0.0, abs=1e-4)
    assert torch.allclose(frame.numbers(rest)[0], frame.start, atol=1e-5)
    deviation = (2.0 * frame.start[:, 3:6].mean(1)) / NUMBERS_PER_UNIT  # C / (2 d) is d / 2 at the start
    above = frame.deviation > 0.0501
    assert torch.allclose(deviation[above], frame.deviation[above], rtol=1e-3)
    assert body_unit(0.9, 1.8) == 0.9
    assert body_unit(0.1, 1.8) == pytest.approx(0.45), "legs shorter than a quarter of the body are no measure"


def mirrored_bones(skeleton):
    """The bone on the other side of every bone."""
    ends = np.concatenate([skeleton.heads, skeleton.tails], 1)
    image = ends * [1.0, 1.0, -1.0, 1.0, 1.0, -1.0]
    distance = np.linalg.norm(ends[None] - image[:, None], axis=-1)
    assert distance.min(1).max() < 1e-6, "the skeleton is symmetric"
    return distance.argmin(1)


@pytest.mark.parametrize("name", ["human", "quadruped", "spider", "wasp"])
def test_the_mirrored_pose_of_a_symmetric_body_has_the_mirrored_film(name):
    character, anatomy = body(name)
    skeleton = character.skeleton
    other, M = mirrored_bones(skeleton), torch.diag(torch.tensor([1.0, 1.0, -1.0, 1.0]))
    half = splats_from_mesh(character, 150)
    splats = replace(
        half,
        centres=torch.cat([half.centres, half.centres @ M[:3, :3]]),
        covariances=torch.cat([half.covariances, M[:3, :3] @ half.covariances @ M[:3, :3]]),
        opacities=half.opacities.repeat(2),
        harmonics=half.harmonics.repeat(2, 1, 1),
        bones=torch.cat([half.bones, torch.as_tensor(other)[half.bones]]),
        weights=half.weights.repeat(2, 1),
    )
    tables = part_tables(splats, bone_labels(skeleton, anatomy))
    frame = part_frame(tables, 1.0, torch.eye(4).repeat(1, len(skeleton), 1, 1))
    T = random_transforms(len(skeleton))
    films = torch.zeros(2, len(T), len(PART_LABELS), PART_NUMBERS)
    for film, poses in zip(films, (T, M @ T[:, other] @ M), strict=True):
        film[:, tables.labels] = frame.numbers(poses)
    one, two = films
    assert torch.allclose(two, one[:, MIRRORED_LABELS] * MIRROR_SIGNS, atol=1e-3)
    assert not torch.allclose(two, one, atol=1.0)


def test_the_mirror_of_a_label_is_the_same_piece_of_the_other_side():
    assert np.array_equal(MIRRORED_LABELS[MIRRORED_LABELS], np.arange(len(PART_LABELS)))
    for label, i in zip(PART_LABELS, MIRRORED_LABELS, strict=True):
        image = PART_LABELS[i]
        assert (image.part, image.pair, image.piece) == (label.part, label.pair, label.piece)
        assert (image.side == label.side) == (label.side == Side.MIDDLE)


def test_the_vocabulary_has_every_label_once():
    assert len(PART_LABELS) == len(set(PART_LABELS)) == len(LABEL_INDEX) == 81
    for part, count in MIDLINE_PIECES.items():
        assert sum(label.part == part for label in PART_LABELS) == count
    for part, pairs in LIMB_PAIRS.items():
        assert sum(label.part == part for label in PART_LABELS) == 2 * 3 * pairs


@pytest.mark.parametrize("name", list(BODIES))
def test_every_bone_has_a_label_of_its_own_part(name):
    skeleton, anatomy, labels = labels_of(name)
    assert len(labels) == len(skeleton)
    for limb in anatomy.limbs:
        for bone in limb.bones:
            assert labels[bone].part == limb.part
            assert limb.side in (labels[bone].side, Side.MIDDLE)
    chained = {bone for limb in anatomy.limbs for bone in limb.bones}
    for bone in set(range(len(skeleton))) - chained:
        assert labels[bone] == labels[skeleton.parents[bone]], "what is beside a chain goes with its parent"


@pytest.mark.parametrize("name", list(BODIES))
def test_pieces_are_in_order_along_their_chain(name):
    _, anatomy, labels = labels_of(name)
    for limb in anatomy.limbs:
        pieces = [labels[bone].piece for bone in limb.bones]
        assert pieces == sorted(pieces)
        assert len({labels[bone].pair for bone in limb.bones}) == 1
        if limb.part in LIMB_PAIRS and len(pieces) >= 3:
            assert set(pieces) == {0, 1, 2}
        if limb.contact is not None:
            assert labels[limb.contact].piece == 2, "a foot is an end"


def test_a_person_s_arm_is_shoulder_and_upper_arm_then_forearm_then_hand_and_fingers():
    skeleton, _, labels = labels_of("human")
    found = {name: labels[i].piece for i, name in enumerate(skeleton.names) if labels[i].part == BodyPart.ARM}
    assert found.pop("collar.L") == found.pop("upper.L") == 0
    assert found.pop("fore.L") == 1
    assert {found[name] for name in ("hand.L", "finger1.L", "finger2.L", "thumb.L")} == {2}


def test_a_part_s_only_bone_has_the_middle_label_and_two_have_the_ends():
    skeleton, _, labels = labels_of("human")
    assert labels[skeleton.names.index("neck")].piece == MIDLINE_PIECES[BodyPart.NECK] // 2
    quadruped_skeleton, anatomy, found = labels_of("quadruped")
    (torso,) = anatomy.of(BodyPart.TORSO)
    pieces = {found[bone].piece for bone in torso.bones}
    assert {0, MIDLINE_PIECES[BodyPart.TORSO] - 1} <= pieces
    assert len(pieces) <= 3, "the torso of a body with legs is in three"
    assert len(quadruped_skeleton) == len(found)


def test_pairs_of_legs_count_from_the_hindmost():
    """The legs of a person are the hind legs of a quadruped, so that two-legged gaits are shared."""
    for name in ("human", "quadruped", "spider", "wasp"):
        skeleton, anatomy, labels = labels_of(name)
        pairs = 1 + max(limb.pair for limb in anatomy.legs)
        hips = {}
        for limb in anatomy.legs:
            assert labels[limb.bones[0]].pair == pairs - 1 - limb.pair
            hips.setdefault(labels[limb.bones[0]].pair, []).append(skeleton.heads[limb.bones[0], 0])
        behind_to_front = [np.mean(hips[pair]) for pair in sorted(hips)]
        assert sorted(hips) == list(range(pairs))
        assert behind_to_front == sorted(behind_to_front)


def test_the_trunk_of_a_legless_body_is_in_eight():
    _, anatomy, labels = labels_of("snake")
    (torso,) = anatomy.of(BodyPart.TORSO)
    pieces = {labels[bone].piece for bone in torso.bones}
    assert len(pieces) == min(len(torso.bones), MIDLINE_PIECES[BodyPart.TORSO])
    chained = chain(
        " ".join(f"b{i}" for i in range(16)), None, [(-0.1 * i, 0.05, 0.0) for i in range(17)], "torso middle"
    )
    character, _ = build(chained)
    long = plain_anatomy(16, [Limb(BodyPart.TORSO, Side.MIDDLE, 0, tuple(range(16)), None)])
    found = [PART_LABELS[i].piece for i in bone_labels(character.skeleton, long)]
    assert found == [i // 2 for i in range(16)]


def plain_anatomy(bones, limbs):
    """An anatomy of given limbs."""
    parts, sides, orders = [BodyPart.TORSO] * bones, [Side.MIDDLE] * bones, np.zeros(bones, int)
    for limb in limbs:
        for order, bone in enumerate(limb.bones):
            parts[bone], sides[bone], orders[bone] = limb.part, limb.side, order
    return Anatomy(tuple(parts), tuple(sides), orders, tuple(limbs), np.zeros((bones, 3, 2)))


@pytest.mark.parametrize("pairs", [6, 7, 12, 15])
def test_more_than_six_pairs_of_legs_share_labels_evenly_and_in_order(pairs):
    bones = [("trunk", None, (-1.0, 0.5, 0.0), (1.0, 0.5, 0.0), "torso middle 0")]
    for k in range(pairs):
        x = 1.0 - 2.0 * k / pairs
        bones += chain(f"hip{k}.L foot{k}.L", "trunk", [(x, 0.5, -0.1), (x, 0.4, -0.4), (x, 0.0, -0.5)], "leg 0 left")
    character, _ = build(bones)
    names = character.skeleton.names
    limbs = [Limb(BodyPart.TORSO, Side.MIDDLE, 0, (0,), None)]
    for k in range(pairs):
        for side, mark in ((Side.LEFT, "L"), (Side.RIGHT, "R")):
            hip, foot = (names.index(f"{word}{k}.{mark}") for word in ("hip", "foot"))
            limbs.append(Limb(BodyPart.LEG, side, k, (hip, foot), foot))
    labels = bone_labels(character.skeleton, plain_anatomy(len(names), limbs))
    found = [PART_LABELS[labels[names.index(f"foot{k}.L")]].pair for k in range(pairs)]
    assert found == sorted(found, reverse=True), "the foremost pair has the largest number"
    assert set(found) == set(range(LIMB_PAIRS[BodyPart.LEG]))
    counts = np.bincount(found)
    assert counts.max() - counts.min() <= 1
    left, right = (labels[names.index(f"foot0.{mark}")] for mark in "LR")
    assert MIRRORED_LABELS[left] == right


def test_what_a_hand_holds_is_left_out():
    character, anatomy = body("knight")
    names = character.skeleton.names
    sword = names.index("sword")
    held = [i for i, name in enumerate(names) if name == "sword" or name.startswith(("finger", "thumb"))]
    every = splats_from_mesh(character, 600)
    assert (every.bones[:, 0] == sword).any()
    bare = bare_splats(character, anatomy, 600)
    dominant = bare.bones.gather(1, bare.weights.argmax(1, keepdim=True))[:, 0]
    assert not set(dominant.tolist()) & set(held)
    assert set(dominant.tolist()) == set(range(len(names))) - set(held), "and nothing else"
    assert 300 <= len(bare) <= 1200
    unarmed, its_anatomy = body("quadruped")
    assert len(bare_splats(unarmed, its_anatomy, 300)) == len(splats_from_mesh(unarmed, 300))


def test_a_splat_has_the_label_that_most_of_its_weight_has(fox):
    splats, labels, _ = fox
    three = torch.tensor([[0.4, 0.3, 0.3]])
    chosen = [int(np.flatnonzero(labels == label)[0]) for label in np.unique(labels)[:2]]
    twice = int(np.flatnonzero(labels == labels[chosen[1]])[-1])
    one = replace(splats.subset(torch.tensor([0])), bones=torch.tensor([[chosen[0], chosen[1], twice]]), weights=three)
    assert splat_labels(one, labels).tolist() == [labels[chosen[1]]]


@pytest.fixture(scope="module")
def observer():
    character, anatomy = body("quadruped")
    return PartObserver(make_subject(character, anatomy), ObserverConfig(splats=200))


def test_the_observer_shows_all_labels_and_the_start_pose_as_a_still_film(observer):
    rest = observer.actor.pose(torch.zeros(FRAMES, 6), torch.zeros(FRAMES, observer.actor.splats.bone_count - 1, 3))
    film = observer.render(rest, 0)
    assert film.shape == (FRAMES, len(PART_LABELS), FILM_ROWS, 1)
    assert torch.allclose(film, observer.start_frame(0).expand_as(film), atol=1e-4)
    present = film[0, :, -1, 0] > 0
    assert present.nonzero()[:, 0].tolist() == observer.parts.tables.labels.tolist()
    assert not film[:, ~present].any(), "parts that the body does not have are zero"
    assert float(film[0, :, -1, 0].sum()) == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(ConfigError, match="views is 2"):
        PartObserver(make_subject(*body("quadruped")), ObserverConfig(views=2))


def test_the_film_follows_a_joint(observer):
    """The gradient of a foot's height reaches the hip, and turning the hip against it lowers the foot."""
    bones = observer.actor.splats.bone_count
    foot = LABEL_INDEX[PartLabel(BodyPart.LEG, Side.LEFT, 0, 2)]
    angles = torch.zeros(1, bones - 1, 3, requires_grad=True)

    def height(angles):
        return observer.render(observer.actor.pose(torch.zeros(1, 6), angles), 0)[0, foot, 1, 0]

    before = height(angles)
    before.backward()
    assert float(angles.grad.abs().max()) > 0.1
    with torch.no_grad():
        step = 0.05 * angles.grad / angles.grad.norm()
        predicted = float((angles.grad * step).sum())
        assert float(height(angles + step) - before) == pytest.approx(predicted, rel=0.3)
        assert predicted > 0


def test_parts_are_drawn_in_their_colours_where_they_are():
    film = torch.zeros(2, len(PART_LABELS), PART_NUMBERS)
    head, foot = (
        LABEL_INDEX[PartLabel(BodyPart.HEAD, Side.MIDDLE, 0, 2)],
        LABEL_INDEX[PartLabel(BodyPart.LEG, Side.LEFT, 0, 2)],
    )
    film[:, head, :3] = torch.tensor([10.0, 20.0, 0.0])
    film[:, foot, :3] = torch.tensor([-10.0, 5.0, 0.0])
    film[:, [head, foot], 3:6] = 1.0
    film[1, foot, 0] = 0.0
    pictures = draw_parts(film)
    assert pictures.shape == (2, 3, PICTURE_SIDE, 2 * PICTURE_SIDE)
    assert float(pictures.min()) >= 0.0
    assert float(pictures.max()) <= 1.0
    side = pictures[..., :PICTURE_SIDE]

    def middle(picture, label):
        own = (picture - label_colours()[label][:, None, None]).abs().amax(0) < 0.02
        return own.nonzero().float().mean(0)

    assert torch.allclose(middle(side[0], head), middle(side[1], head), atol=0.5)
    moved = middle(side[1], foot) - middle(side[0], foot)
    assert float(moved[0]) == pytest.approx(0.0, abs=0.5)
    assert float(moved[1]) > 5.0, "ahead is to the right"
    assert float(middle(side[0], head)[0]) < float(middle(side[0], foot)[0]), "up is up"
