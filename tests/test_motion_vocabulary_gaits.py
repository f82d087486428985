"""Gaits in other directions and manners: shown by their definitions, planted, above the ground, restored in place."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from creature_body import creature_body

from gambol.creatures.gaits.gait import Pivot
from gambol.creatures.gaits.make_motion import make_motion, motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.creatures.gaits.people_walks import PEOPLE_WALKS
from gambol.distill.post_processing import add_root_travel
from gambol.evaluate.definitions.gait_variants import GAIT_VARIANT_DEFINITIONS
from gambol.evaluate.motion_definitions import shows_motion
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.posture_of_gaits import gait_posture
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.root_trajectory import remove_steady_travel

BODIES = ("human", "dog", "songbird", "trex", "lizard", "spider", "centaur")
DIRECTIONS = ("walk backwards", "sidestep left", "sidestep right", "turn around", "crawl", "charge")
FRAMES = 48


@cache
def known(family):
    character, anatomy = creature_body(family, 3)
    fps = natural_frame_rate(typical_leg_length(character, anatomy))
    return character, anatomy, measure_body(character, anatomy), fps


@cache
def film(family, motion, **style):
    """A clip as training films have it: 48 frames at the body's natural frame rate."""
    _, _, body, fps = known(family)
    return move_body(body, motion, MotionStyle(**style), seconds=(FRAMES - 1) / fps, fps=fps, loop=False)


@cache
def seen(family, motion, **style):
    character, anatomy, _, _ = known(family)
    return observe_clip(character, anatomy, film(family, motion, **style))


@pytest.mark.parametrize("family", BODIES)
def test_every_variant_is_shown_and_stays_above_the_ground(family):
    own = [m for m in motions_for(known(family)[1]) if m in GAIT_VARIANT_DEFINITIONS]
    assert set(DIRECTIONS) <= set(own)
    assert (set(PEOPLE_WALKS) <= set(own)) == (family == "human")
    for motion in own:
        clip = film(family, motion)
        assert len(clip) == FRAMES
        assert np.isfinite(clip.root).all()
        assert np.isfinite(clip.angles).all()
        view = seen(family, motion)
        assert shows_motion(view, motion) >= 0.5, motion
        assert view.low.min() > -0.02 * view.size, motion


@pytest.mark.parametrize("family", ["human", "dog", "lizard", "spider"])
def test_walk_run_and_idle_show_no_variant_and_directions_show_one(family):
    own = [m for m in motions_for(known(family)[1]) if m in GAIT_VARIANT_DEFINITIONS]
    run = "gallop" if "gallop" in motions_for(known(family)[1]) else "run"
    for motion in ("walk", run, "idle", *own):
        view = seen(family, motion)
        assert {name for name in own if shows_motion(view, name) >= 0.5} <= {motion}, motion


@pytest.mark.parametrize("family", ["human", "dog", "spider"])
@pytest.mark.parametrize("motion", ["walk backwards", "sidestep left"])
def test_travel_that_was_removed_comes_back_in_its_own_direction(family, motion):
    character, anatomy, _, fps = known(family)
    clip = film(family, motion)
    still = replace(clip, root=remove_steady_travel(clip)[0])
    back = observe_clip(character, anatomy, add_root_travel(character, still, anatomy, source_fps=fps))
    meant, got = gait_posture(observe_clip(character, anatomy, clip)), gait_posture(back)
    speed = max(abs(meant.ahead), abs(meant.leftwards))
    assert got.ahead == pytest.approx(meant.ahead, abs=0.1 * speed)
    assert got.leftwards == pytest.approx(meant.leftwards, abs=0.1 * speed)
    assert shows_motion(back, motion) >= 0.5


def test_a_turn_around_ends_behind_and_its_mirror_image_turns_the_other_way():
    left, right = (film("dog", "turn around", mirrored=mirrored, wander=0.0) for mirrored in (False, True))
    assert left.root[-1, 3] == pytest.approx(np.pi, abs=0.01)
    assert right.root[-1, 3] == pytest.approx(-np.pi, abs=0.01)
    assert np.abs(np.diff(left.root[-5:], axis=0)).max() < 1e-3 * known("dog")[2].leg_length  # and stands


def test_a_pivot_turns_steadily_between_its_ramps():
    pivot = Pivot(np.pi, 1.0, 2.0)
    times = np.linspace(0.0, 4.0, 401)
    heading = pivot.heading(times)
    assert (heading[times <= 1.0] == 0.0).all()
    assert heading[times >= 3.0] == pytest.approx(np.pi)
    assert heading[200] == pytest.approx(0.5 * np.pi)
    rate = np.gradient(heading, times)
    assert rate[150:250] == pytest.approx(np.pi / 2.0 / 0.8)
    assert (np.diff(heading) >= 0.0).all()
    assert pivot.activity(np.array([0.5, 2.0, 3.5])) == pytest.approx([0.0, 1.0, 0.0])


def test_an_asymmetric_style_spares_one_side_and_its_mirror_image_the_other():
    reach = {}
    for mirrored in (False, True):
        view = seen("human", "walk", asymmetry=0.8, mirrored=mirrored, wander=0.0)
        lifts = {foot.limb.side.value: float(np.ptp(foot.low)) for foot in view.feet}
        reach[mirrored] = lifts["right"] / lifts["left"]
    assert reach[False] < 0.85
    assert reach[True] == pytest.approx(1.0 / reach[False], rel=0.1)


def test_a_person_crawls_on_planted_hands_and_knees():
    character, anatomy, body, _ = known("human")
    clip = make_motion(character, anatomy, "crawl", seconds=3.0, fps=60.0, loop=False)
    view = observe_clip(character, anatomy, clip)
    for points in (
        *(view.tips[:, arm.hand] for arm in body.arms),
        *(view.tips[:, leg.bones[0]] for leg in body.legs),
    ):
        assert np.quantile(points[:, 1], 0.5) < 0.15 * body.leg_length
        speed = np.linalg.norm(np.diff(points[:, [0, 2]], axis=0), axis=1) * 60.0
        assert np.quantile(speed, 0.4) < 0.1 * body.leg_length  # most of the time they stand
        assert points[-1, 0] - points[0, 0] > 0.5 * body.leg_length
