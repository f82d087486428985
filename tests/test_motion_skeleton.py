"""The motion skeleton: on rigs made for the purpose, and on every real character."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from person_rig import ENDS, PERSON, make_scene, parent_names
from real_data import character_ids, characters, needs_data

from gambol.character.bind_pose import nearest_joints
from gambol.character.character import Character, make_character
from gambol.character.scene import Scene, Skin, translated_nodes
from gambol.character.segment_distances import point_segment_distances
from gambol.character.skeleton import LEFT, UP, Skeleton
from gambol.errors import AssetError
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene


def hand_rig() -> tuple[dict, dict]:
    """Four fingers of three bones and a thumb on PERSON's left hand, 1 cm apart, as narrow as on a Mixamo rig.

    Each finger is a bone longer than the one before it, so its end lies beside the last joint of the next one; the
    thumb's end lies beside the first joint of the first finger.
    """
    rig, ends = {}, {}
    for f in range(4):
        places = [(0.78 + 0.02 * (f + k), 1.45, 0.01 * f) for k in range(4)]
        for k in range(4):
            parent = "Hand.L" if k == 0 else f"Finger{f}.{k - 1}"
            rig[f"Finger{f}.{k}"] = (parent, places[k], 0.004 if k < 3 else None)
            ends[f"Finger{f}.{k}"] = places[min(k + 1, 3)]
    rig["Thumb1"], rig["Thumb1_end"] = ("Hand.L", (0.73, 1.45, -0.04), 0.004), ("Thumb1", (0.775, 1.45, -0.008), None)
    return rig, {**ends, "Thumb1": (0.775, 1.45, -0.008)}


class TestTree:
    def test_the_person_becomes_a_clean_tree(self):
        character = make_character("person", make_scene())
        parents = parent_names(character)
        assert parents["Hips"] is None
        assert character.skeleton.names[0] == "Hips"
        assert (parents["Foot.L"], parents["Foot.R"]) == ("LowerLeg.L", "LowerLeg.R")
        weighted = {n for n, (_, _, width) in PERSON.items() if width is not None}
        assert set(parents) == weighted
        for name in weighted - {"Hips", "Foot.L", "Foot.R"}:
            assert parents[name] == PERSON[name][0]
        changes = " ".join(character.binding.changes)
        assert "'Foot.L' hangs on 'LowerLeg.L', whose end it touches, instead of 'Root'." in changes
        assert "'PoleTarget.L'" in changes
        assert "'Root' stands still; the root is 'Hips'." in changes

    @pytest.mark.parametrize("size", [0.013, 1.0, 155.0])
    def test_touching_counts_in_sizes_not_in_metres(self, size):
        character = make_character("person", make_scene(T=np.diag([size, size, size, 1.0])))
        assert parent_names(character)["Foot.R"] == "LowerLeg.R"

    @pytest.mark.parametrize("joint_marks_the_end", [True, False])
    def test_the_end_of_the_shin_may_be_a_joint_or_a_plain_node(self, joint_marks_the_end):
        scene = make_scene()
        if not joint_marks_the_end:
            skin = scene.skins[0]
            joints = np.array([j for j in skin.joints if not scene.nodes.names[j].endswith("_end")])
            renumber = np.full(len(scene.nodes), -1)
            renumber[joints] = np.arange(len(joints))
            part = replace(scene.parts[0], joints=renumber[scene.parts[0].joints])
            scene = replace(scene, skins=(Skin("skin", joints, skin.inverse_binds[joints]),), parts=(part,))
        assert parent_names(make_character("person", scene))["Foot.L"] == "LowerLeg.L"

    def test_a_foot_that_touches_no_tail_hangs_on_the_nearest_bone(self):
        rig = {**PERSON, "Foot.L": ("Root", (0.1, 0.1, 0.13), 0.04)}
        parents = parent_names(make_character("person", make_scene(rig)))
        assert parents["Foot.L"] == "LowerLeg.L"
        assert [n for n, p in parents.items() if p is None] == ["Hips"]

    def test_several_loose_props_under_a_weightless_root(self):
        """A ball, a ring and a cup that float far from all tails, side by side with the hips."""
        places = {"Ball": (0.75, 1.45, 0.5), "Ring": (-0.75, 1.45, 0.5), "Cup": (0.0, 2.2, 0.3)}
        props = {name: ("Root", place, 0.01) for name, place in places.items()}
        character = make_character("person", make_scene({**PERSON, **props}))
        parents = parent_names(character)
        assert [n for n, p in parents.items() if p is None] == ["Hips"]
        assert {n: parents[n] for n in props} == {"Ball": "Hand.L", "Ring": "Hand.R", "Cup": "Head"}
        assert "'Cup' hangs on 'Head', the nearest bone." in character.binding.changes

    @pytest.mark.parametrize("bare", [False, True])
    def test_fingers_whose_ends_touch_a_neighbour_stay_in_their_own_chain(self, bare):
        """Every finger's end touches a joint of another finger: the last one, or for the thumb a finger's first."""
        rig, ends = hand_rig()
        scene = make_scene({**PERSON, **rig}, ends={**ENDS, **ends})
        if bare:  # as a BVH file: no surface, and ends that are no joints
            joints = np.array([i for i, (_, _, width) in enumerate({**PERSON, **rig}.values()) if width is not None])
            scene = replace(scene, parts=(), skins=(Skin("skin", joints, scene.skins[0].inverse_binds[joints]),))
        parents = parent_names(make_character("hand", scene))
        for name, (parent, head, width) in rig.items():
            if width is not None:
                assert parents[name] == parent
                continue
            others = [np.subtract(place, head) for n, (_, place, w) in rig.items() if w and n[:7] != name[:7]]
            assert min(np.linalg.norm(others, axis=1)) < 0.01 * 1.8 or name == "Finger3.3"

    def test_a_weightless_control_above_an_ik_foot_does_not_hold_it(self):
        control = {"Control.L": ("Root", (0.1, 0.1, -0.05), None)}
        rig = {**PERSON, **control, "Foot.L": ("Control.L", *PERSON["Foot.L"][1:])}
        assert parent_names(make_character("person", make_scene(rig)))["Foot.L"] == "LowerLeg.L"

    def test_weightless_joints_with_weight_below_stay(self):
        rig = {**PERSON, "Head": ("Chest", (0.0, 1.55, 0.0), None), "Hat": ("Head", (0.0, 1.75, 0.0), 0.1)}
        ends = {**ENDS, "Hat": (0.0, 1.9, 0.0)}
        parents = parent_names(make_character("person", make_scene(rig, ends=ends)))
        assert (parents["Hat"], parents["Head"]) == ("Head", "Chest")

    def test_a_root_with_little_weight_rides_on_the_pelvis(self):
        scene = make_scene(extra={"Hips": ("Root", 0.1)})
        character = make_character("person", scene)
        root = scene.nodes.names.index("Root")
        assert character.skeleton.names[0] == "Hips"
        assert list(character.binding.riders) == [root]
        np.testing.assert_allclose(character.binding.riders[root], np.eye(4), atol=1e-6)
        # the root's share moves with the hips: every vertex of the hips' box has weight 1 on bone 0
        np.testing.assert_allclose(character.weights.dense()[:8, 0], 1.0, atol=1e-6)

    def test_a_root_with_much_weight_stays_the_root(self):
        character = make_character("person", make_scene(extra={"Hips": ("Root", 0.9)}))
        assert character.skeleton.names[0] == "Root"
        assert character.binding.riders == {}

    def test_a_long_snake_keeps_its_joints(self):
        """60 joints of equal weight: each is light, all of them are not; two percent of the body may ride at most."""
        snake = {f"s{i}": (f"s{i - 1}" if i else None, (0.0, 0.05, 0.1 * i), 0.05) for i in range(60)}
        character = make_character(
            "snake", make_scene(snake, ends={f"s{i}": (0.0, 0.05, 0.1 * i + 0.1) for i in range(60)})
        )
        assert len(character.skeleton) == 59
        assert len(character.binding.riders) == 1

    def test_two_separate_trees_become_one(self):
        rig = {**PERSON, "Tail": (None, (0.0, 1.0, -0.2), 0.03)}
        parents = parent_names(make_character("person", make_scene(rig, ends={**ENDS, "Tail": (0.0, 1.0, -0.6)})))
        assert parents["Tail"] == "Hips"
        assert list(parents.values()).count(None) == 1

    def test_names_that_occur_twice_are_told_apart(self):
        scene = make_scene()
        names = tuple("Hand" if n.startswith("Hand") else n for n in scene.nodes.names)
        character = make_character("person", replace(scene, nodes=replace(scene.nodes, names=names)))
        assert {"Hand", "Hand.2"} <= set(character.skeleton.names)

    def test_a_bare_rig_has_a_skeleton_and_no_mesh(self):
        character = make_character("rig", replace(make_scene(), parts=()))
        assert character.mesh is None
        assert character.weights is None
        assert "Head" in character.skeleton.names
        assert list(character.skeleton.parents).count(-1) == 1

    def test_a_bare_mesh_has_no_skeleton(self):
        scene = make_scene()
        part = replace(scene.parts[0], skin=None, joints=None, weights=None)
        character = make_character("mesh", replace(scene, skins=(), parts=(part,)))
        assert character.skeleton is None
        assert len(character.mesh.vertices) == len(part.positions)

    def test_weights_are_kept(self):
        scene = make_scene(extra={"Chest": ("Head", 0.25), "Arm.L": ("Chest", 0.5)})
        character = make_character("person", scene)
        part, dense = scene.parts[0], character.weights.dense()
        for bone, node in enumerate(character.binding.bone_nodes):
            expected = np.where(part.joints == node, part.weights, 0.0).sum(1)
            np.testing.assert_allclose(dense[:, bone], expected, atol=1e-6)

    def test_nearest_joints_and_distances_against_slow_twins(self):
        rng = np.random.default_rng(3)
        parents = np.array([-1] + [int(rng.integers(-1, i)) for i in range(1, 60)])
        order = rng.permutation(60)
        shuffled = np.full(60, -1)
        for node, parent in enumerate(parents):
            shuffled[order[node]] = order[parent] if parent >= 0 else -1
        tree = translated_nodes(tuple(map(str, range(60))), shuffled, np.zeros((60, 3)))
        joints = {int(j) for j in rng.choice(60, 15, replace=False)}
        for node, found in enumerate(nearest_joints(tree, joints)):
            expected = next((n for n in [node, *tree.ancestors(node)] if n in joints), -1)
            assert found == expected
        depth = [len(tree.ancestors(n)) for n in range(60)]
        assert [sorted(level) for level in tree.levels] == [
            [n for n in range(60) if depth[n] == d] for d in range(max(depth) + 1)
        ]
        point, starts, ends = rng.normal(size=3), rng.normal(size=(9, 3)), rng.normal(size=(9, 3))
        ends[0] = starts[0]
        fine = np.linspace(0.0, 1.0, 20001)[:, None]
        for found, a, b in zip(point_segment_distances(point, starts, ends), starts, ends, strict=True):
            assert found == pytest.approx(np.linalg.norm(a + fine * (b - a) - point, axis=1).min(), abs=1e-4)

    def test_long_chains_and_wide_stars_take_no_time(self):
        """2000 joints, in one chain or under one root, each with a box: seconds, and no RecursionError."""
        chain = {f"b{i}": (f"b{i - 1}" if i else None, (0.0, 0.01 * i, 0.0), 0.01) for i in range(2000)}
        star = {f"b{i}": ("b0" if i else None, (np.cos(i), 1.0 + 1e-4 * i, np.sin(i)), 0.01) for i in range(2000)}
        scattered = {n: (None, head, width) for n, (_, head, width) in star.items()}
        for rig in (chain, star, scattered):
            scene = make_scene(rig, ends={})
            character = make_character("many", scene)
            assert len(character.skeleton) >= 1900


class TestFrames:
    def test_frames_are_rotations_with_y_along_the_bone(self):
        skeleton = make_character("person", make_scene()).skeleton
        R = skeleton.T_world_rest[:, :3, :3]
        np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (len(skeleton), 1, 1)), atol=1e-9)
        np.testing.assert_allclose(np.linalg.det(R), 1.0)
        along = skeleton.tails - skeleton.heads
        lengths = np.linalg.norm(along, axis=1)
        assert (lengths > 0.05).all()
        for bone in range(1, len(skeleton)):
            np.testing.assert_allclose(R[bone, :, 1], along[bone] / lengths[bone], atol=1e-9)
            side = LEFT if abs(R[bone, :, 1] @ LEFT) < 0.7 else UP
            assert R[bone, :, 0] @ side > 0.7
        np.testing.assert_array_equal(R[0], np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1.0]]))

    def test_tails_are_the_heaviest_child_the_marked_end_or_the_far_vertices(self):
        character = make_character("person", make_scene(), facing="+z")
        skeleton, T = character.skeleton, character.placement.T_world_file
        tail = dict(zip(skeleton.names, skeleton.tails, strict=True))

        def world(point):
            return T[:3, :3] @ np.array(point) + T[:3, 3]

        np.testing.assert_allclose(tail["Head"], world((0.0, 1.8, 0.0)), atol=1e-6)  # the node Head_end
        np.testing.assert_allclose(tail["UpperLeg.L"], world((0.1, 0.5, 0.02)), atol=1e-6)  # the knee
        np.testing.assert_allclose(tail["LowerLeg.L"], world((0.1, 0.1, 0.0)), atol=1e-6)  # the re-parented foot
        np.testing.assert_allclose(tail["Hand.L"], world((0.89, 1.45, 0.0)), atol=1e-6)  # the far side of its box

    def test_the_joints_stand_where_the_file_binds_them(self):
        character = make_character("person", make_scene())
        T = character.placement.T_world_file
        for name, head in zip(character.skeleton.names, character.skeleton.heads, strict=True):
            np.testing.assert_allclose(head, T[:3, :3] @ np.array(PERSON[name][1]) + T[:3, 3], atol=1e-6)

    def test_a_skeleton_that_is_no_tree_is_refused(self):
        frames = np.tile(np.eye(4), (2, 1, 1))
        for names, parents in ((("a", "b"), [-1, -1]), (("a", "b"), [-1, 1]), (("a", "a"), [-1, 0])):
            with pytest.raises(AssetError):
                Skeleton(names, np.array(parents), frames, np.zeros((2, 3)))
        with pytest.raises(AssetError, match="rotations"):
            Skeleton(("a", "b"), np.array([-1, 0]), 2 * frames, np.zeros((2, 3)))


SKINNED = [p for p in characters() if "-mesh" not in p.stem and "-rig" not in p.stem]


@cache
def real_character(path) -> tuple[Scene, Character]:
    if "draco" in path.stem:
        pytest.importorskip("DracoPy", reason="needs pip install 'gambol[draco]'")
    scene, _, _ = read_scene(read_document(path))
    return scene, make_character(path.name, scene)


@needs_data
@pytest.mark.parametrize("path", SKINNED, ids=character_ids(SKINNED))
class TestRealCharacters:
    def test_one_root_and_every_weighted_joint(self, path):
        scene, character = real_character(path)
        skeleton = character.skeleton
        assert list(skeleton.parents).count(-1) == 1
        assert skeleton.parents[0] == -1
        represented = {int(n) for n in character.binding.bone_nodes} | set(character.binding.riders)
        weighted = set()
        for part in scene.parts:
            if part.skin is not None:
                weighted |= {int(n) for n in scene.skins[part.skin].joints[part.joints[part.weights > 0]]}
        assert weighted
        assert weighted <= represented
        names = [scene.nodes.names[n] for n in character.binding.bone_nodes]
        assert [n for n, bone in zip(names, skeleton.names, strict=True) if not bone.startswith(n or "bone")] == []

    def test_the_surface_rebuilt_from_the_file_through_the_weights_is_the_mesh(self, path):
        """v = T_world_file sum_j w_j T_bind(j) inverse_bind(j) p, with T_bind as the character keeps it for export."""
        scene, character = real_character(path)
        binding, T = character.binding, character.placement.T_world_file
        binds = dict(zip(binding.bone_nodes.tolist(), binding.T_file_bind, strict=True)) | binding.riders
        bone_of = {node: bone for bone, node in enumerate(binding.bone_nodes.tolist())} | dict.fromkeys(
            binding.riders, 0
        )
        dense, first = character.weights.dense(), 0
        for i, part in enumerate(scene.parts):
            if i in binding.loose_parts:
                continue
            rows = slice(first, first + len(part.positions))
            first = rows.stop
            if part.skin is None:
                np.testing.assert_allclose(dense[rows].max(1), 1.0)
                continue
            skin = scene.skins[part.skin]
            points = np.c_[part.morphed(None), np.ones(len(part.positions))]
            file, weights = np.zeros((len(points), 3)), np.zeros((len(points), dense.shape[1]))
            for j, node in enumerate(skin.joints.tolist()):
                share = np.where(part.joints == j, part.weights, 0.0).sum(1)
                if share.any():
                    file += share[:, None] * (points @ (binds[node] @ skin.inverse_binds[j]).T)[:, :3]
                    weights[:, bone_of[node]] += share
            world = file @ T[:3, :3].T + T[:3, 3]
            np.testing.assert_allclose(character.mesh.vertices[rows], world, atol=2e-5 * character.size)
            np.testing.assert_allclose(dense[rows], weights, atol=1e-5)
        assert first == len(character.mesh.vertices)

    def test_feet_hang_on_lower_legs(self, path):
        _, character = real_character(path)
        parents, checked = parent_names(character), 0
        for foot, leg in FEET.items():
            for side in (".L", ".R"):
                if foot + side in parents and leg + side in parents:
                    assert parents[foot + side] == leg + side
                    checked += 1
        animal = path.parent.name.startswith("quaternius") and any(n.endswith("Leg.L") for n in parents)
        known_without = path.stem in ("Wasp", "Enemy_2Legs")  # six legs without feet; feet on 'Leg3'
        assert checked >= 2 or not animal or known_without

    def test_frames_placement_and_cuboids(self, path):
        _, character = real_character(path)
        skeleton, mesh = character.skeleton, character.mesh
        low, high = mesh.bounds
        assert low[1] == pytest.approx(0.0, abs=1e-5 * character.size)
        height = high[1] / character.placement.scale
        assert high[1] == pytest.approx(1.0, abs=1e-4) or (0.05 <= height <= 20 and character.placement.scale == 1.0)
        along = skeleton.tails - skeleton.heads
        long = np.linalg.norm(along, axis=1) > 1e-4 * character.size
        for bone in np.flatnonzero(long)[1:]:
            cosine = skeleton.T_world_rest[bone, :3, 1] @ along[bone] / np.linalg.norm(along[bone])
            assert cosine > 1 - 1e-9 or bone == 0
        local = np.einsum("bij,vj->bvi", skeleton.T_world_rest[:, :3, :3].transpose(0, 2, 1), mesh.vertices)
        dominant = character.weights.dominant()
        for bone in range(len(skeleton)):
            mine = local[bone, dominant == bone] - skeleton.T_world_rest[bone, :3, :3].T @ skeleton.heads[bone]
            outside = np.abs(mine - character.cuboids.centres_bone[bone]) > character.cuboids.half_sides[bone] + 1e-9
            assert outside.any(1).sum() <= 0.1 * len(mine)


FEET = {
    "IKBackLeg": "BackLowerLeg",
    "IKFrontLeg": "FrontLowerLeg",
    "Foot": "LowerLeg",
    "BackFoot": "BackLowLeg",
    "FrontFoot": "FrontLowLeg",
}


@needs_data
def test_facing_of_the_real_characters():
    """What a person sees who looks at the files; where no name tells, a guess may be wrong, but then it is unsure."""
    known = dict.fromkeys(("Fox", "Horse", "Trex", "Frog", "Knight", "human-animated", "bird-animated", "Wolf"), "+z")
    known |= {"Wasp": "+x", "Zombie_Animated__Zombie": "+z"}
    placements = {p.stem: real_character(p)[1].placement for p in SKINNED if "draco" not in p.stem}
    assert {name: placements[name].facing for name in known} == known
    assert min(placements[name].facing_confidence for name in known) > 0.7
    nameless = ("Animals_Pack__bird", "Animal_Pack_Vol.2__Eagle", "RecursiveSkeletons", "SimpleSkin")
    assert max(placements[name].facing_confidence for name in nameless) < 0.3
    assert placements["Animals_Pack__bird"].facing == "+z"
