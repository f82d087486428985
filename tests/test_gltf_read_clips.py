"""The glTF reader against the morph targets and clips that were put into the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from gltf_reading import POINTS, read, read_part
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from gambol.motion.node_clip import pose_scene

RNG = np.random.default_rng(23)


class TestMorphs:
    TARGETS = (np.eye(7, 3), RNG.normal(size=(7, 3)))

    def build(self, **fields) -> GltfBuilder:
        builder = GltfBuilder()
        mesh_weights = fields.pop("mesh_weights", None)
        mesh = builder.mesh(builder.primitive(POINTS, targets=self.TARGETS), weights=mesh_weights)
        builder.node("face", mesh=mesh, **fields)
        return builder

    @pytest.mark.parametrize(
        ("fields", "weights"),
        [
            ({}, [0.0, 0.0]),
            ({"mesh_weights": [0.25, -1.5]}, [0.25, -1.5]),
            ({"weights": [0.5, 2.0]}, [0.5, 2.0]),
            ({"mesh_weights": [0.25, 1.0], "weights": [0.5, 2.0]}, [0.5, 2.0]),
        ],
    )
    def test_default_weights(self, tmp_path, fields, weights):
        part = read_part(self.build(**fields), tmp_path)
        np.testing.assert_array_equal(part.morph_weights, weights)
        expected = POINTS + weights[0] * self.TARGETS[0] + weights[1] * self.TARGETS[1]
        np.testing.assert_allclose(part.morphed(None), expected, atol=1e-6)

    def test_sparse_and_missing_targets(self, tmp_path):
        builder = GltfBuilder()
        primitive = builder.primitive(POINTS)
        values = RNG.normal(size=(2, 3)).astype(np.float32)
        primitive["targets"] = [{"POSITION": builder.sparse_accessor(None, [0, 5], values, count=7)}, {}]
        builder.node(mesh=builder.mesh(primitive))
        targets = read_part(builder, tmp_path).morph_targets
        np.testing.assert_array_equal(targets[0, [0, 5]], values)
        assert np.count_nonzero(targets) == 6

    def test_animated_weights(self, tmp_path):
        builder = self.build(mesh_weights=[1.0, 1.0])
        keys = np.array([[0.0, 1.0], [1.0, 0.0], [4.0, -2.0]])
        builder.animation("talk", (0, "weights", [0.0, 1.0, 3.0], keys, "LINEAR"))
        scene, clips, _ = read(builder, tmp_path)
        for time, expected in ((-1.0, keys[0]), (0.25, [0.25, 0.75]), (2.0, [2.5, -1.0]), (9.0, keys[2])):
            np.testing.assert_allclose(clips[0].sample_morphs(time)[0], expected, atol=1e-6)
            moved = POINTS + expected[0] * self.TARGETS[0] + expected[1] * self.TARGETS[1]
            np.testing.assert_allclose(pose_scene(scene, clips[0], time)[0], moved, atol=1e-5)

    def test_cubic_weights(self, tmp_path):
        keys = RNG.normal(size=(3, 3, 2)).astype(np.float32)  # key, (in, value, out), target
        times = np.array([0.0, 0.5, 2.0])
        builder = self.build()
        builder.animation("talk", (0, "weights", times, keys, "CUBICSPLINE"))
        clip = read(builder, tmp_path)[1][0]
        for time in np.linspace(0.0, 2.0, 9):
            left = min(int(np.searchsorted(times, time, side="right")) - 1, 1)
            piece = CubicHermiteSpline(
                times[left : left + 2], keys[left : left + 2, 1], np.stack([keys[left, 2], keys[left + 1, 0]])
            )
            np.testing.assert_allclose(clip.sample_morphs(time)[0], piece(time), atol=1e-5)


class TestClips:
    TIMES = np.array([0.25, 1.0, 1.5, 4.0], np.float32)
    PROBES = np.concatenate([[-3.0, 0.0, 9.0], np.linspace(0.25, 4.0, 31), TIMES])

    def channel(self, folder: Path, path: str, values, interpolation, *rest):
        builder = GltfBuilder()
        node = builder.node("n")
        builder.animation("clip", (node, path, self.TIMES, values, interpolation, *rest))
        clips = read(builder, folder)[1]
        assert clips[0].name == "clip"
        assert (clips[0].start, clips[0].end, clips[0].duration) == (0.25, 4.0, 3.75)
        return clips[0].channels[0]

    @pytest.mark.parametrize("path", ["translation", "scale"])
    def test_linear(self, tmp_path, path):
        values = RNG.normal(size=(4, 3)).astype(np.float32)
        for name in ("LINEAR", None):  # LINEAR where the file says nothing
            channel = self.channel(tmp_path, path, values, name)
            expected = np.stack([np.interp(self.PROBES, self.TIMES, values[:, k]) for k in range(3)], 1)
            np.testing.assert_allclose(channel.sample(self.PROBES), expected, atol=1e-6)

    @pytest.mark.parametrize("path", ["translation", "rotation"])
    def test_step(self, tmp_path, path):
        values = RNG.normal(size=(4, 3 if path == "translation" else 4))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        channel = self.channel(tmp_path, path, values, "STEP")
        held = np.clip(np.searchsorted(self.TIMES, self.PROBES, side="right") - 1, 0, 3)
        expected = values if path == "translation" else values[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(channel.sample(self.PROBES), expected[held], atol=1e-6)

    def test_rotations_take_the_shortest_arc(self, tmp_path):
        turns = Rotation.random(4, random_state=8)
        quaternions = turns.as_quat() * np.array([[1.0], [-1.0], [1.0], [-1.0]])  # q and -q are the same turn
        channel = self.channel(tmp_path, "rotation", quaternions, "LINEAR")
        found = Rotation.from_quat(channel.sample(self.PROBES)[:, [1, 2, 3, 0]])
        inside = np.clip(self.PROBES, self.TIMES[0], self.TIMES[-1])
        expected = Slerp(self.TIMES.astype(float), turns)(inside)
        assert (found * expected.inv()).magnitude().max() < 1e-6

    def test_nearly_equal_and_opposite_rotations(self, tmp_path):
        tiny = Rotation.from_rotvec([[0, 0, 0], [0, 0, 1e-5], [0, 0, 1e-5 + np.pi], [0, 0, 1e-5]])
        found = self.channel(tmp_path, "rotation", tiny.as_quat(), "LINEAR").sample(self.PROBES)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-9)

    @pytest.mark.parametrize("path", ["translation", "scale", "rotation"])
    def test_cubic_splines(self, tmp_path, path):
        width = 4 if path == "rotation" else 3
        keys = RNG.normal(size=(4, 3, width)).astype(np.float32)
        channel = self.channel(tmp_path, path, keys, "CUBICSPLINE")
        expected = []
        for time in np.clip(self.PROBES, self.TIMES[0], self.TIMES[-1]):
            left = min(int(np.searchsorted(self.TIMES, time, side="right")) - 1, 2)
            ends = slice(left, left + 2)
            slopes = np.stack([keys[left, 2], keys[left + 1, 0]]).astype(float)
            expected.append(
                CubicHermiteSpline(self.TIMES[ends].astype(float), keys[ends, 1].astype(float), slopes)(time)
            )
        expected = np.array(expected)
        if path == "rotation":
            expected = (expected / np.linalg.norm(expected, axis=1, keepdims=True))[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(channel.sample(self.PROBES), expected, atol=1e-5)

    def test_cubic_spline_of_the_standard(self, tmp_path):
        """Tangents of a straight line make a straight line; p(u) of appendix C at u = 1/2 in closed form."""
        line = np.full((4, 3, 3), 2.0)
        line[:, 1] = 2.0 * self.TIMES[:, None]
        channel = self.channel(tmp_path, "translation", line, "CUBICSPLINE")
        inside = np.linspace(0.25, 4.0, 40)
        np.testing.assert_allclose(channel.sample(inside), 2.0 * inside[:, None].repeat(3, 1), atol=1e-5)
        keys = RNG.normal(size=(4, 3, 3)).astype(np.float32)
        middle = self.channel(tmp_path, "translation", keys, "CUBICSPLINE").sample(np.array([2.75]))[0]
        # (v_k + v_k+1) / 2 + d (b_k - a_k+1) / 8
        expected = 0.5 * (keys[2, 1] + keys[3, 1]) + 2.5 / 8.0 * (keys[2, 2] - keys[3, 0])
        np.testing.assert_allclose(middle, expected, atol=1e-6)

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
    def test_rotations_as_integers(self, tmp_path, dtype):
        info = np.iinfo(dtype)
        values = RNG.normal(size=(4, 4))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        values = np.abs(values) if info.min == 0 else values
        stored = np.round(values * info.max)
        channel = self.channel(tmp_path, "rotation", stored, "STEP", dtype)
        expected = stored / np.linalg.norm(stored, axis=1, keepdims=True)
        np.testing.assert_allclose(channel.sample(self.TIMES), expected[:, [3, 0, 1, 2]], atol=1e-6)

    def test_one_key_and_two_keys_at_the_same_time(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node("n")
        builder.animation("one", (node, "translation", [2.0], [[1, 2, 3]], "LINEAR"))
        builder.animation("one cubic", (node, "translation", [2.0], [[[9, 9, 9], [1, 2, 3], [9, 9, 9]]], "CUBICSPLINE"))
        keys = [[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]]
        builder.animation("jump", (node, "translation", [0.0, 1.0, 1.0, 2.0], keys, "LINEAR"))
        clips = read(builder, tmp_path)[1]
        for clip in clips[:2]:
            np.testing.assert_array_equal(clip.channels[0].sample(np.array([0.0, 2.0, 5.0])), [[1, 2, 3]] * 3)
        jump = clips[2].channels[0].sample(np.array([0.5, 0.999999, 1.0, 1.5]))[:, 0]
        np.testing.assert_allclose(jump, [0.5, 1.0, 5.0, 5.5], atol=1e-5)

    def test_sampled_nodes_follow_their_parents(self, tmp_path):
        builder = GltfBuilder()
        builder.node("hip", children=[1], scale=[1.0, 3.0, 1.0])
        builder.node("knee", translation=[0.0, 2.0, 0.0])
        half_turn = [[0, 0, 0, 1], [0, 0, 1, 0]]
        builder.animation("kick", (0, "rotation", [0, 1], half_turn, "LINEAR"), (1, "scale", [0], [[2, 2, 2]], "STEP"))
        scene, clips, _ = read(builder, tmp_path)
        at = clips[0].sample(scene.nodes, np.array([0.0, 0.5, 1.0]))
        np.testing.assert_allclose(at[:, 1, :3, 3], [[0, 6, 0], [-6, 0, 0], [0, -6, 0]], atol=1e-9)
        np.testing.assert_allclose(np.linalg.det(at[:, 1, :3, :3]), 3.0 * 8.0)

    def test_channels_without_a_known_target_are_passed_over(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node("n")
        moves = ([0, 1], [[0, 0, 0], [1, 0, 0]], "LINEAR")
        builder.animation("a", (node, "translation", *moves), (node, "pointer", *moves), (node, "weights", *moves))
        del builder.json["animations"][0]["channels"][2]["target"]["node"]
        builder.animation(None, (node, "scale", *moves))
        clips = read(builder, tmp_path)[1]
        assert [c.path for c in clips[0].channels] == ["translation"]
        assert clips[1].name == "clip1"

    def test_a_target_that_is_moved_twice_follows_the_first_channel(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node("n")
        channels = [(node, "translation", [0.0], [[x, 0.0, 0.0]], "STEP") for x in (1.0, 2.0, 3.0)]
        builder.animation("walk", *channels, (node, "scale", [0.0], [[1.0, 1.0, 1.0]], "STEP"))
        _, clips, warnings = read(builder, tmp_path)
        assert [c.path for c in clips[0].channels] == ["translation", "scale"]
        np.testing.assert_array_equal(clips[0].channels[0].values, [[1.0, 0.0, 0.0]])
        assert warnings == ("made.glb: animations[0] (walk) moves 2 targets again; the first channel counts.",)
