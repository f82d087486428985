"""Procedural gaits on built-in creatures: feet stay planted, nothing sinks, loops close."""

import numpy as np
import pytest
from creature_body import creature_body

from gambol.app.new import write_creature
from gambol.creatures.gaits.gait_measures import trace_motion, worst_depth, worst_slip
from gambol.creatures.gaits.make_motion import make_motion, motions_for
from gambol.errors import ConfigError
from gambol.files.asset import load

FAMILIES = ("fox", "horse", "human", "trex", "lizard", "songbird")


def moved(family: str, motion: str, seed: int = 1):
    character, anatomy = creature_body(family, seed)
    clip = make_motion(character, anatomy, motion)
    return clip, trace_motion(character, anatomy, clip)


@pytest.mark.parametrize("family", FAMILIES)
def test_walking_goes_ahead_with_planted_feet_above_the_ground(family):
    clip, trace = moved(family, "walk")
    assert trace.travel[0] > 0.3 * trace.size
    assert abs(trace.travel[2]) < 0.05 * trace.size
    assert worst_slip(trace, 1.0) <= 0.01 * trace.travel[0]
    assert worst_depth(trace) <= 0.01 * trace.size
    assert trace.loop_error <= 0.01 * trace.size
    assert all(foot.touching.any() and not foot.touching.all() for foot in trace.feet)
    assert np.isfinite(clip.angles).all()


@pytest.mark.parametrize(("motion", "sign"), [("turn left", 1.0), ("turn right", -1.0)])
def test_turning_turns_to_its_side(motion, sign):
    _, trace = moved("fox", motion)
    assert sign * (trace.heading[-1] - trace.heading[0]) > 0.3


def test_a_snake_slithers_and_a_body_knows_what_it_can():
    _, trace = moved("snake", "slither")
    assert trace.travel[0] > 0.1 * trace.size
    character, anatomy = creature_body("human", 0)
    possible = motions_for(anatomy)
    assert {"walk", "run", "wave", "punch", "kick"} <= set(possible)
    assert not {"fly", "slither", "trot"} & set(possible)
    with pytest.raises(ConfigError, match="this body can"):
        make_motion(character, anatomy, "teleport")


def test_a_creature_is_written_with_its_motions(tmp_path):
    asset = load(write_creature("cat", tmp_path / "cat.glb", seed=3, motions=("walk", "idle"), seconds=1.0))
    assert [clip.name for clip in asset.clips] == ["walk", "idle"]
    assert asset.clip("walk").duration == pytest.approx(1.0, abs=1e-3)
    assert asset.character.placement.facing == "+z"
    with pytest.raises(ConfigError, match="cannot fly; it can walk"):
        write_creature("cat", tmp_path / "flying.glb", motions=("fly",))
    assert not (tmp_path / "flying.glb").exists()


def test_the_measure_sees_an_open_loop():
    character, anatomy = creature_body("fox", 1)
    clip = make_motion(character, anatomy, "walk")
    clip.angles[-1, 0, 0] += 0.3
    assert trace_motion(character, anatomy, clip).loop_error > 0.01 * character.size
