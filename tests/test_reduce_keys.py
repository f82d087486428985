"""Few keys in place of one per frame: how few, how far off, and what other programs make of them."""

from dataclasses import replace

import numpy as np
import pytest
from blender_oracle import GltfRequest, ask_blender, needs_blender, node_distances
from gltf_validator import errors, needs_validator, validate
from scipy.spatial.transform import Rotation

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.files.asset import export_clip, export_scene, load
from gambol.motion.node_clip import NodeChannel, NodeClip
from gambol.motion.node_clip_conversion import nodes_from_clip
from gambol.motion.reduce_keys import (
    KEY_ANGLE_TOLERANCE,
    KEY_PLACE_TOLERANCE,
    channel_misses,
    key_count,
    misses,
    reduce_channel,
    reduce_keys,
    smooth_spline,
)

TIMES = np.arange(61) / 30.0


def swing(angles, *, sign=1.0):
    """A rotation channel about z with these angles in degrees, one per frame at 30 fps."""
    turns = Rotation.from_rotvec(np.radians(angles)[:, None] * [0.0, 0.0, 1.0]).as_quat()[:, [3, 0, 1, 2]]
    return NodeChannel(0, "rotation", np.arange(len(angles)) / 30.0, sign * turns)


def test_the_angle_between_quaternions_is_exact_also_when_it_is_tiny():
    angles = np.array([0.0, 1e-6, 1e-3, 1.0, 180.0])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
    for sign in (1.0, -1.0):
        found = misses(still, swing(angles, sign=sign).values, rotation=True)
        np.testing.assert_allclose(found, np.radians(angles), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(("amplitude", "most"), [(5.0, 8), (30.0, 15), (80.0, 22)])
def test_a_sine_needs_few_keys(amplitude, most):
    """Two swings to either side in two seconds: 61 keys before."""
    channel = swing(amplitude * np.sin(2 * np.pi * TIMES))
    few = reduce_channel(channel, KEY_ANGLE_TOLERANCE)
    assert few.interpolation == "CUBICSPLINE"
    assert len(few.times) <= most
    assert channel_misses(channel, few).max() <= KEY_ANGLE_TOLERANCE
    assert (few.times[0], few.times[-1]) == (TIMES[0], TIMES[-1])
    np.testing.assert_array_equal(few.values[[0, -1], 1], channel.values[[0, -1]])
    np.testing.assert_allclose(np.linalg.norm(few.values[:, 1], axis=1), 1.0)


def test_a_throw_needs_few_keys_and_a_line_two():
    throw = np.stack([2.0 * TIMES, 5.0 * TIMES - 4.9 * TIMES**2 / 2.0, 0.0 * TIMES], axis=1)
    channel = NodeChannel(0, "translation", TIMES, throw)
    few = reduce_channel(channel, 1e-3)
    assert len(few.times) <= 15
    assert channel_misses(channel, few).max() <= 1e-3
    line = reduce_channel(replace(channel, values=throw * [1.0, 0.0, 1.0]), 1e-3)
    assert (line.interpolation, len(line.times)) == ("LINEAR", 2)
    assert len(reduce_channel(swing(np.full(61, 20.0)), KEY_ANGLE_TOLERANCE).times) == 2
    assert len(reduce_channel(swing(np.linspace(0.0, 90.0, 61)), KEY_ANGLE_TOLERANCE).times) == 2


def test_noise_keeps_its_keys_and_jumps_of_sign_are_none():
    noise = np.random.default_rng(0).normal(0.0, 20.0, 61)
    kept = reduce_channel(swing(noise), KEY_ANGLE_TOLERANCE)
    assert channel_misses(swing(noise), kept).max() <= KEY_ANGLE_TOLERANCE
    channel = swing(30.0 * np.sin(2 * np.pi * TIMES))
    flipped = replace(channel, values=channel.values * np.where(np.arange(61) % 2, -1.0, 1.0)[:, None])
    few, same = (reduce_channel(c, KEY_ANGLE_TOLERANCE) for c in (channel, flipped))
    np.testing.assert_array_equal(few.values, same.values)


def test_long_channels_are_reduced_window_by_window_and_stay_within_the_tolerance():
    t = np.arange(700) / 30.0
    channel = swing(40.0 * np.sin(2 * np.pi * t) + 10.0 * np.sin(2 * np.pi * 0.37 * t))
    few = reduce_channel(channel, KEY_ANGLE_TOLERANCE)
    assert len(few.times) < 0.25 * len(t)
    assert channel_misses(channel, few).max() <= KEY_ANGLE_TOLERANCE


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    """A made fox, its walk as one key per frame, and the file with few keys."""
    folder = tmp_path_factory.mktemp("keys")
    asset = load(export_scene(make_creature("fox", 3, vertices=300).scene, (), folder / "fox.glb"))
    walk = make_motion(asset.character, find_anatomy(asset.character), "walk", seconds=1.0)
    size = asset.character.size / asset.character.placement.scale
    path = export_clip(asset, walk, folder / "few.glb", change=lambda clip: reduce_keys(clip, size))
    return nodes_from_clip(asset.character, walk), path, size


def test_the_file_that_is_written_stays_within_the_tolerance(fox):
    every, path, size = fox
    few = load(path).clips[-1]
    assert key_count(few) < 0.5 * key_count(every)
    tolerances = {"rotation": KEY_ANGLE_TOLERANCE, "translation": KEY_PLACE_TOLERANCE * size}
    for whole, read in zip(every.channels, few.channels, strict=True):
        assert channel_misses(whole, read).max() <= tolerances[whole.path]


@needs_validator
def test_the_khronos_validator_accepts_splines(fox):
    assert errors(validate(fox[1])) == []


def as_blender_reads(clip: NodeClip, times) -> NodeClip:
    """The clip with the tangents that Blender gives to the values of a spline: no velocity at the ends."""
    channels = []
    for channel in clip.channels:
        if channel.interpolation == "CUBICSPLINE":
            values = smooth_spline(channel.times, channel.values[:, 1], "clamped")(times)
            if channel.path == "rotation":
                values = values / np.linalg.norm(values, axis=1, keepdims=True)
            channel = replace(channel, times=times, values=values, interpolation="LINEAR")
        channels.append(channel)
    return replace(clip, channels=tuple(channels))


@needs_blender
def test_blender_s_curves_are_the_ones_that_keys_were_chosen_for(fox):
    """At whole frames and between them; and at whole frames within the tolerance of the clip."""
    every, path, size = fox
    asset = load(path)
    few, number = asset.clips[-1], len(asset.clips) - 1
    times = np.sort(np.concatenate([every.key_times()[::4], every.key_times()[1::8] + 1.0 / 60.0]))
    answer = ask_blender([GltfRequest(path, tuple((number, float(time)) for time in times))])[0]
    expected = as_blender_reads(few, times)
    for i, time in enumerate(times):
        shown = {int(key.split("/")[1]): points for key, points in answer.items() if key.startswith(f"{i}/")}
        distances = node_distances(asset.character.scene, expected, float(time), shown)
        assert max(d.max() for d in distances.values()) < 1e-5
    read = as_blender_reads(few, every.key_times())
    tolerances = {"rotation": KEY_ANGLE_TOLERANCE, "translation": KEY_PLACE_TOLERANCE * size}
    for whole, channel in zip(every.channels, read.channels, strict=True):
        assert channel_misses(whole, channel).max() <= tolerances[whole.path]
