"""Retargeting: onto itself nothing changes; other sizes, rest poses and bone counts keep the limbs' directions."""

import re
from dataclasses import replace

import numpy as np
import pytest
from real_data import DATA, characters, needs_data
from scipy.spatial.transform import Rotation
from walker_made_by_code import person, treadmill

from gambol.app.new import write_creature
from gambol.app.retarget import retarget, start_at_rest
from gambol.character.anatomy.anatomy import BodyPart, Limb, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.cli.main import main
from gambol.errors import AssetError, GambolError, MissingPart
from gambol.files.asset import load
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.contacts import clip_stances, stance_slip, track_feet
from gambol.motion.feet.foot_lock import FootLockConfig
from gambol.motion.feet.travel import restore_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.retarget.arm_clearance import Trunk, arm_depths, push_out, two_bone_arms
from gambol.motion.retarget.body_match import body_plan, shortest_turn
from gambol.motion.retarget.retarget import leg_ratio, retarget_clip

PERSON, ANATOMY = person()


def wild_clip(character, frames=8, seed=0, amount=0.5):
    """Any motion at all."""
    rng = np.random.default_rng(seed)
    knots = rng.normal(size=(2, len(character.require_skeleton()), 3))
    t = np.linspace(0.0, 1.0, frames)[:, None, None]
    angles = amount * (knots[0] * np.sin(2.0 * t) + knots[1] * (np.cos(3.0 * t) - 1.0))
    root = np.concatenate([0.3 * rng.normal(size=(1, 3)) * t[:, 0], angles[:, 0]], axis=1)
    return Clip("wild", 30.0, root, angles[:, 1:])


def walk(character, anatomy, speed=0.8):
    return restore_travel(character, treadmill(character, anatomy, (speed, 0.0)), anatomy)


def directions(character, clip, name):
    """World direction of a bone in every frame."""
    skeleton = character.require_skeleton()
    bone = skeleton.names.index(name)
    along = skeleton.T_world_rest[bone, :3, :3].T @ (skeleton.tails[bone] - skeleton.heads[bone])
    return pose_clip(skeleton, clip)[:, bone, :3, :3] @ (along / np.linalg.norm(along))


def test_onto_itself_nothing_changes():
    clip = wild_clip(PERSON)
    same = retarget_clip(clip, PERSON, ANATOMY, PERSON, ANATOMY, lock_feet=False)
    np.testing.assert_allclose(joint_matrices(same), joint_matrices(clip), atol=1e-6)
    np.testing.assert_allclose(same.root[:, :3], clip.root[:, :3], atol=1e-6)


def test_onto_itself_a_walk_that_does_not_slip_stays_with_locked_feet():
    clip = walk(PERSON, ANATOMY)
    same = retarget_clip(clip, PERSON, ANATOMY, PERSON, ANATOMY, config=FootLockConfig(clearance=0.0))
    np.testing.assert_allclose(joint_matrices(same), joint_matrices(clip), atol=1e-5)
    np.testing.assert_allclose(same.root, clip.root, atol=1e-5)


@pytest.mark.parametrize("size", [0.4, 2.5])
def test_a_scaled_copy_travels_by_the_scale(size):
    other, anatomy = person(size=size)
    clip = walk(PERSON, ANATOMY)
    moved = retarget_clip(clip, PERSON, ANATOMY, other, anatomy, config=FootLockConfig(clearance=0.0))
    np.testing.assert_allclose(moved.root[:, :3], size * clip.root[:, :3], atol=1e-5 * size)
    np.testing.assert_allclose(joint_matrices(moved), joint_matrices(clip), atol=1e-5)
    assert stance_slip(other, moved, anatomy).share < 1e-3


@pytest.mark.parametrize(("arms", "others"), [(0.0, 0.9), (0.9, 0.0), (0.3, 1.2)])
def test_rest_poses_differ_and_limbs_point_the_same_way(arms, others):
    """T-pose, A-pose, arms down: whatever the rest pose, arms and legs take the source's directions in the world."""
    source, source_anatomy = person(arms=arms, splay=0.2)
    target, target_anatomy = person(arms=others)
    clip = wild_clip(source, seed=1)
    moved = retarget_clip(clip, source, source_anatomy, target, target_anatomy, lock_feet=False)
    for name in ("upperarm.l", "forearm.l", "hand.r", "forearm.r"):
        np.testing.assert_allclose(directions(target, moved, name), directions(source, clip, name), atol=1e-6)
    head = source.require_skeleton().names.index("head")
    turned = [pose_clip(c.require_skeleton(), m)[:, head, :3, :3] for c, m in ((source, clip), (target, moved))]
    np.testing.assert_allclose(turned[1], turned[0], atol=1e-6)


def test_splayed_legs_stand_as_wide_as_the_source():
    source, source_anatomy = person(splay=0.2)
    clip = replace(wild_clip(source, amount=0.05), root=np.zeros((8, 6)))
    moved = retarget_clip(clip, source, source_anatomy, PERSON, ANATOMY, lock_feet=False)
    gaps = [np.abs(directions(PERSON, moved, n) - directions(source, clip, n)).max() for n in ("thigh.l", "shin.r")]
    assert max(gaps) < 0.02  # the legs are of other lengths, so the feet are brought to where the source's are


def test_spines_of_other_numbers_of_bones_bend_as_far():
    source, source_anatomy = person(spine=2)
    target, target_anatomy = person(spine=5)
    clip = wild_clip(source, seed=2, amount=0.3)
    moved = retarget_clip(clip, source, source_anatomy, target, target_anatomy, lock_feet=False)
    for name in ("pelvis", "head", "upperarm.l"):
        both = [
            pose_clip(c.require_skeleton(), m)[:, c.require_skeleton().names.index(name)]
            for c, m in ((source, clip), (target, moved))
        ]
        np.testing.assert_allclose(both[1][:, :3, :3], both[0][:, :3, :3], atol=1e-6)


def test_slipping_feet_are_locked_or_slip_on_as_asked():
    clip = walk(PERSON, ANATOMY)
    root = clip.root.copy()
    root[:, 0] *= 1.15
    fast, (other, anatomy) = replace(clip, root=root), person(size=2.0)
    slips = []
    for lock in (True, False):
        moved = retarget_clip(fast, PERSON, ANATOMY, other, anatomy, lock_feet=lock)
        _, stances = clip_stances(PERSON, fast, ANATOMY)
        slips.append(stance_slip(other, moved, anatomy, stances=stances).share)
    assert slips[0] < 0.005
    assert slips[1] == pytest.approx(stance_slip(PERSON, fast, ANATOMY).share, rel=0.05)


def test_a_clip_above_the_ground_comes_down_to_it():
    clip = walk(PERSON, ANATOMY)
    high = replace(clip, root=clip.root + np.array([0.0, 0.9, 0.0, 0.0, 0.0, 0.0]))
    moved = retarget_clip(high, PERSON, ANATOMY, PERSON, ANATOMY)
    assert np.abs(track_feet(PERSON, moved, ANATOMY).heights.min()) < 1e-3


def test_what_is_pushed_out_of_a_trunk_comes_to_its_side():
    trunk = Trunk(0, np.array([0.1, -0.2]), np.array([0.3, 0.5]), 0.0, 2.0)
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.2, 0.9, -0.3]).as_matrix()
    T[:3, 3] = [1.0, 2.0, 3.0]
    rng = np.random.default_rng(0)
    local = np.stack([rng.uniform(-0.4, 0.6, 200), rng.uniform(0.6, 1.4, 200), rng.uniform(-0.9, 0.5, 200)], 1)
    s = np.linalg.norm((local[:, [0, 2]] - trunk.middle) / trunk.radii, axis=1)
    points = local @ T[:3, :3].T + T[:3, 3]
    move = push_out(trunk, np.tile(T, (200, 1, 1)), points)
    np.testing.assert_array_equal(move[s >= 1.0], 0.0)
    moved = (points + move - T[:3, 3]) @ T[:3, :3]
    inside = (s < 1.0) & (s > 0.3)
    after = np.linalg.norm((moved[:, [0, 2]] - trunk.middle) / trunk.radii, axis=1)
    np.testing.assert_allclose(after[inside], 1.0, atol=1e-9)
    np.testing.assert_allclose(moved[:, 1], local[:, 1], atol=1e-9)


def test_what_does_not_fit_is_said():
    extra = replace(ANATOMY.legs[0], pair=1)
    four = replace(ANATOMY, limbs=(*ANATOMY.limbs, extra, replace(ANATOMY.legs[1], pair=1)))
    with pytest.raises(AssetError, match="2 legs and person has 4"):
        retarget_clip(wild_clip(PERSON), PERSON, ANATOMY, PERSON, four)
    tail = replace(ANATOMY, limbs=(Limb(BodyPart.TAIL, Side.MIDDLE, 0, (1, 2), None),))
    wing = replace(ANATOMY, limbs=(Limb(BodyPart.WING, Side.LEFT, 0, (1, 2), None),))
    with pytest.raises(AssetError, match="no limbs in common"):
        retarget_clip(wild_clip(PERSON), PERSON, tail, PERSON, wing)


def test_the_shortest_turn():
    rng = np.random.default_rng(0)
    for a, b in [*rng.normal(size=(20, 2, 3)), (np.array([1.0, 0, 0]), np.array([-2.0, 0, 0]))]:
        R = shortest_turn(a, b)
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-9)
        np.testing.assert_allclose(R @ a / np.linalg.norm(a), b / np.linalg.norm(b), atol=1e-9)


def test_a_clip_can_start_where_the_character_stands():
    clip = wild_clip(PERSON)
    away = replace(clip, root=clip.root + np.array([3.0, 0.0, -2.0, 1.2, 0.0, 0.0]))
    home = start_at_rest(away)
    np.testing.assert_allclose(home.root[0, [0, 2, 3]], 0.0, atol=1e-9)
    steps = [np.linalg.norm(np.diff(c.root[:, [0, 2]], axis=0), axis=1) for c in (away, home)]
    np.testing.assert_allclose(*steps, atol=1e-9)


RIGS = ["Animated_Men_Characters__Male_Casual", "Knight"]


@needs_data
@pytest.mark.parametrize("stem", RIGS)
def test_motion_capture_onto_real_rigs(stem):
    source, target = load(DATA / "mocap/cmu/104_10.bvh"), load(next(p for p in characters() if p.stem == stem))
    anatomies = find_anatomy(source.character), find_anatomy(target.character)
    clip, _ = clip_from_nodes(source.character, source.clips[0])
    moved = retarget_clip(clip, source.character, anatomies[0], target.character, anatomies[1])
    plans = body_plan(source.character, anatomies[0]), body_plan(target.character, anatomies[1])
    _, stances = clip_stances(source.character, clip, anatomies[0])
    tracks = track_feet(target.character, moved, anatomies[1])
    slip = stance_slip(target.character, moved, anatomies[1], stances=stances)
    assert slip.in_legs < 0.03
    assert np.abs(tracks.tops[stances.standing]).mean() < 0.02 * tracks.leg
    assert tracks.heights.min() > -0.02 * tracks.leg
    scale = leg_ratio(source.character, plans[0], target.character, plans[1])
    ways = [np.linalg.norm((c.root[-1] - c.root[0])[[0, 2]]) for c in (clip, moved)]
    assert ways[1] == pytest.approx(scale * ways[0], rel=0.1)
    for side in (Side.LEFT, Side.RIGHT):
        arms = [plan.sections[BodyPart.ARM, side, 0, "arm"] for plan in plans]
        both = [
            np.diff(pose_clip(asset.character.require_skeleton(), c)[:, list(arm), :3][..., 3], axis=1)[:, 0]
            for asset, c, arm in ((source, clip, arms[0]), (target, moved, arms[1]))
        ]
        cosines = (both[0] * both[1]).sum(1) / np.linalg.norm(both[0], axis=1) / np.linalg.norm(both[1], axis=1)
        # the Knight's belly is in the way of its short arms
        assert np.degrees(np.arccos(np.clip(cosines, -1, 1))).max() < (30.0 if stem == "Knight" else 5.0)
    depths = arm_depths(moved, target.character, anatomies[1], plans[1], two_bone_arms(plans[1]))
    assert np.mean(list(depths.values())) < 0.03 * tracks.leg


def creature_file(folder, words, *motions):
    path = folder / f"{words}.glb"
    assert main(["new", words, "-o", str(path), "--seconds", "1", "--motions", *motions]) == 0
    return path


def test_the_verbs_on_creatures_made_by_code(tmp_path, capsys):
    """A walk goes from fox to dog, loses its root travel and gets it back, by the command line alone."""
    fox, dog = creature_file(tmp_path, "fox", "walk"), creature_file(tmp_path, "dog", "idle")
    out, still, again = tmp_path / "out.glb", tmp_path / "still.glb", tmp_path / "again.glb"
    assert main(["retarget", str(fox), str(dog), "-o", str(out)]) == 0
    assert "standing feet slip" in capsys.readouterr().out
    assert [c.name for c in load(out).clips] == ["idle", "walk"]
    assert main(["convert", str(out), "-o", str(still), "--in-place"]) == 0
    assert [c.name for c in load(still).clips] == ["idle", "walk", "walk_in_place"]
    assert main(["convert", str(still), "-o", str(again), "--clip", "walk_in_place", "--restore-travel"]) == 0
    asset = load(again)
    ways = [
        np.ptp(clip_from_nodes(asset.character, asset.clip(name))[0].root[:, 0])
        for name in ("walk", "walk_in_place", "walk_in_place_travel")
    ]
    assert ways[1] < 0.1 * ways[0]
    assert ways[2] == pytest.approx(ways[0], rel=0.03)


def test_the_verbs_refuse_with_a_sentence(tmp_path, capsys):
    fox, snake = creature_file(tmp_path, "fox", "walk", "trot"), creature_file(tmp_path, "snake", "slither")
    capsys.readouterr()
    for arguments, said in (
        (["retarget", snake, fox], "snake.glb has no legs and fox.glb has 4"),
        (["retarget", fox, fox], "2 clips: say which, as in --clip NAME"),
        (["retarget", fox, fox, "--clip", "wlak"], "Did you mean 'walk'?"),
        (["retarget", fox, fox, "--clip", "walk", "--in-place", "--restore-travel"], "exclude each other"),
        (["retarget", fox, fox, "--clip", "walk", "--fps", "0"], "above 0, such as 30"),
        (["retarget", fox, fox, "--clip", "walk", "--fps", "-5"], "above 0, such as 30"),
        (["convert", snake, "--restore-travel"], "no clip that is named walk"),
        (["convert", snake, "--clip", "slither", "--restore-travel"], "no feet to work with"),
    ):
        assert main([*map(str, arguments), "-o", str(tmp_path / "no.glb")]) == 2, arguments
        assert said in capsys.readouterr().err.replace("\n", " ")
        assert not (tmp_path / "no.glb").exists()


def test_no_file_that_was_read_is_written_over(tmp_path, capsys):
    fox, other = creature_file(tmp_path, "fox", "walk"), creature_file(tmp_path, "wolf", "walk")
    splats = tmp_path / "splats.ply"
    assert main(["splat", str(fox), "--count", "50", "-o", str(splats)]) == 0
    for verb, target in (
        (["retarget", fox, other, "--clip", "walk"], fox),
        (["rig", other, "--skeleton", fox], fox),
        (["rig", other, "--weights-from", fox], fox),
        (["splat", fox, "--capture", splats], splats),
    ):
        before = target.read_bytes()
        assert main([*map(str, verb), "-o", str(target)]) == 2, verb
        assert "never changed in place" in capsys.readouterr().err
        assert target.read_bytes() == before


def test_python_says_what_is_wrong_with_arguments_of_another_type(tmp_path):
    fox = creature_file(tmp_path, "fox", "walk")
    assert load(fox).clip(0).name == "walk"
    for said, call in {
        "(int) is no path": lambda: load(3),
        "(NoneType) is no path": lambda: retarget(None, fox),
        "seed is -1": lambda: write_creature("fox", tmp_path / "a.glb", seed=-1),
    }.items():
        with pytest.raises(GambolError, match=re.escape(said)):
            call()


@needs_data
def test_the_verb_writes_a_file_that_has_the_clip(tmp_path):
    target = next(p for p in characters() if p.stem == "RiggedFigure")
    done = retarget(DATA / "mocap/cmu/104_10.bvh", target, output=tmp_path / "out.glb")
    asset = load(done.path)
    assert [c.name for c in asset.clips][-1] == "104_10"
    again, _ = clip_from_nodes(asset.character, asset.clips[-1])
    np.testing.assert_allclose(again.root[:, :3], done.clip.root[:, :3], atol=1e-3 * asset.character.size)
    np.testing.assert_allclose(joint_matrices(again), joint_matrices(done.clip), atol=1e-3)
    np.testing.assert_allclose(done.clip.root[0, [0, 2, 3]], 0.0, atol=1e-6)


@needs_data
def test_the_verb_says_what_is_missing(tmp_path):
    files = {p.stem: p for p in characters()}
    with pytest.raises(MissingPart, match="--clip NAME"):
        retarget(files["Wolf"], files["Knight"], output=tmp_path / "out.glb")
    with pytest.raises(AssetError, match=r"4 legs and Knight\.glb has 2"):
        retarget(files["Wolf"], files["Knight"], output=tmp_path / "out.glb", clip="Walk")
    with pytest.raises(MissingPart, match="no skeleton"):
        retarget(files["Wolf"], files["horse-mesh"], output=tmp_path / "out.glb", clip="Walk")
