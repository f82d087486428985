"""Which way a character walks in its own clips overrules what its names say."""

import numpy as np
import pytest
from real_data import character_ids, characters, needs_data

from gambol.files.asset import load, walked_facing
from gambol.motion.facing_from_clips import heading_evidence

WALKERS = [p for p in characters() if not p.stem.endswith(("-mesh", "-rig"))]


@needs_data
@pytest.mark.parametrize("path", WALKERS, ids=character_ids(WALKERS))
def test_every_real_character_walks_the_way_it_faces(path):
    asset = load(path)
    assert walked_facing(asset.character, asset.clips) is None


@needs_data
def test_mirrored_names_do_not_turn_a_character_around():
    path = next(p for p in WALKERS if "Monster_Pack" in p.stem)
    by_names = load(path, facing="-z")
    assert heading_evidence(by_names.character, by_names.clips)[0] < -1.0
    assert load(path).character.placement.facing == "+z"
    assert any("walks along +z" in warning for warning in load(path).warnings)


@needs_data
def test_a_wrong_facing_is_found_for_every_quarter_turn():
    path = next(p for p in WALKERS if p.stem == "Wolf")
    for facing in ("+x", "-x", "-z"):
        turned = load(path, facing=facing)
        assert walked_facing(turned.character, turned.clips) == "+z"


def test_without_clips_there_is_no_evidence(tmp_path):
    from character_made_by_code import two_bone_scene

    from gambol.files.asset import export_scene

    asset = load(export_scene(two_bone_scene(), (), tmp_path / "a.glb"))
    np.testing.assert_array_equal(heading_evidence(asset.character, asset.clips), np.zeros(2))
