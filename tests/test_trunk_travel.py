"""Travel of bodies without feet."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.distill.post_processing import travel_and_stances
from gambol.motion.clip import rest_clip
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.motion.trunk_travel import add_trunk_travel, trunk_pieces, trunk_velocity


@pytest.fixture(scope="module")
def snake():
    creature = make_creature("snake", 3, vertices=1500)
    character = creature.character()
    return character, creature.anatomy(character)


@pytest.mark.parametrize("phase", [0.0, 0.3, 0.7])
def test_a_snake_that_slithers_travels_as_its_maker_moved_it(snake, phase):
    character, anatomy = snake
    clip = make_motion(character, anatomy, "slither", MotionStyle(phase=phase), seconds=2.0, fps=30.0)
    root, velocity = remove_steady_travel(clip)
    in_place = replace(clip, root=root)
    found = trunk_velocity(trunk_pieces(character, in_place, anatomy))
    assert found == pytest.approx(velocity, abs=0.1 * np.linalg.norm(velocity))
    whole, stances = travel_and_stances(character, in_place, anatomy)
    assert stances is None
    assert whole.root[-1, 0] - whole.root[0, 0] == pytest.approx(clip.root[-1, 0] - clip.root[0, 0], rel=0.12)


def test_a_body_that_is_turned_travels_in_its_own_heading(snake):
    character, anatomy = snake
    clip = make_motion(character, anatomy, "slither", seconds=2.0, fps=30.0)
    root = remove_steady_travel(clip)[0]
    turned = root.copy()
    turned[:, 3] += 0.5 * np.pi
    turned[:, [0, 2]] = np.stack([root[:, 2], -root[:, 0]], -1)
    straight, aside = (trunk_velocity(trunk_pieces(character, replace(clip, root=r), anatomy)) for r in (root, turned))
    assert aside == pytest.approx(straight, rel=1e-6)


def test_a_body_that_rests_stays(snake):
    character, anatomy = snake
    still = rest_clip(character.require_skeleton(), 20, 30.0)
    assert np.array_equal(add_trunk_travel(character, still, anatomy).root, still.root)
