"""Restored travel: a built-in creature's walk put in place gets its travel back; real clips go ahead."""

import numpy as np
import pytest
from creature_body import creature_body
from real_data import characters, needs_data

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.files.asset import load
from gambol.motion.clip import Clip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.travel import remove_travel, restore_travel
from gambol.motion.root_trajectory import loop_frames


@pytest.mark.parametrize(
    ("family", "motion"), [("fox", "gallop"), ("human", "walk"), ("trex", "walk"), ("dog", "march")]
)
def test_a_known_speed_is_found_again(family, motion):
    """Within 1 %: touch-down and lift-off, when a foot is only partly on the ground, do not slow the body down."""
    character, anatomy = creature_body(family, 2)
    clip = make_motion(character, anatomy, motion)
    still = remove_travel(clip)
    assert abs(still.root[-1, 0] - still.root[0, 0]) < 1e-6
    found = restore_travel(character, still, anatomy)
    meant = clip.root[-1, 0] - clip.root[0, 0]
    assert found.root[-1, 0] - found.root[0, 0] == pytest.approx(meant, rel=0.01)
    np.testing.assert_array_equal(found.angles, clip.angles)
    np.testing.assert_allclose(remove_travel(found).root, still.root, atol=1e-6)


@needs_data
@pytest.mark.parametrize(
    ("stem", "name"), [("Wolf", "Walk"), ("Wolf", "Gallop"), ("Trex", "TRex_Run"), ("Horse", "Walk")]
)
def test_real_gaits_go_ahead(stem, name):
    path = next(p for p in characters() if p.stem == stem)
    asset = load(path)
    anatomy = find_anatomy(asset.character)
    clip = clip_with_feet(asset.character, asset.clip(name), anatomy)
    travel = restore_travel(asset.character, clip, anatomy).root[-1, :3] - clip.root[0, :3]
    assert travel[0] > 0.3 * asset.character.size
    assert abs(travel[2]) < 0.1 * travel[0]


@pytest.mark.parametrize(("per_stride", "strides"), [(12, 1.0), (12, 2.0), (12, 1.5), (6, 1.5), (6, 2.5)])
def test_a_gait_is_a_loop_only_where_it_begins_again(per_stride, strides):
    """Seen through six frames a stride, the pose half a stride away is hardly more than a step off, but goes back."""
    character = make_creature("mouse", 3, vertices=1200).character()
    walk = make_motion(character, find_anatomy(character), "walk", seconds=3.0, fps=600.0)
    shown = np.round(np.arange(round(per_stride * strides)) * stride_frames(walk) / per_stride).astype(int)
    clip = Clip("walk", 30.0, walk.root[shown], walk.angles[shown])
    assert loop_frames(clip) == (len(clip) if strides % 1 == 0 else None)


def stride_frames(clip: Clip) -> int:
    """After how many frames the poses come nearest to the first again."""
    apart = np.linalg.norm(clip.angles - clip.angles[0], axis=(1, 2))
    far = int(np.argmax(apart > 0.5 * apart.max()))
    return far + int(np.argmin(apart[far : far + 200]))
