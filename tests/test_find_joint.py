"""Joints by name: exact, without regard to case, without a common prefix; other names are answered with close ones."""

import numpy as np
import pytest

from gambol.character.skeleton import Skeleton, find_joint, names_without_prefix, rest_frames
from gambol.errors import ConfigError


def skeleton_of(*names):
    heads = np.array([[0.0, 1.0 + i, 0.0] for i in range(len(names))])
    parents = np.arange(len(names)) - 1
    tails = heads + np.array([0.0, 1.0, 0.0])
    return Skeleton(names, parents, rest_frames(heads, tails, parents), tails)


MIXAMO = ("mixamorig:Hips", "mixamorig:Spine", "mixamorig:LeftHand", "mixamorig:RightHand")


@pytest.mark.parametrize("name", ["mixamorig:LeftHand", "MIXAMORIG:lefthand", "LeftHand", "lefthand", " LeftHand "])
def test_a_name_is_found_in_full_in_any_case_and_without_its_prefix(name):
    assert find_joint(skeleton_of(*MIXAMO), name) == 2


def test_exact_names_win_over_names_in_another_case():
    skeleton = skeleton_of("root", "Bone", "bone")
    assert find_joint(skeleton, "Bone") == 1
    assert find_joint(skeleton, "bone") == 2
    with pytest.raises(ConfigError, match="several joints: Bone, bone"):
        find_joint(skeleton, "BONE")


def test_a_name_without_prefix_that_fits_two_joints_is_refused():
    skeleton = skeleton_of("rider:Hips", "rider:Hand", "horse:Hand", "horse:Hoof")
    assert find_joint(skeleton, "horse:Hand") == 2
    assert find_joint(skeleton, "Hoof") == 3
    with pytest.raises(ConfigError, match="several joints: rider:Hand, horse:Hand"):
        find_joint(skeleton, "Hand")


def test_a_shared_prefix_ends_at_a_separator():
    assert names_without_prefix(("root", "DEF-hand", "DEF-head")) == ["root", "hand", "head"]
    assert names_without_prefix(("Hips", "Head", "Hand")) == ["Hips", "Head", "Hand"]
    assert find_joint(skeleton_of("root", "DEF-hand", "DEF-head"), "head") == 2


def test_unknown_names_are_answered_with_close_ones():
    with pytest.raises(ConfigError, match=r"no joint 'LeftHnd'\. Did you mean 'mixamorig:LeftHand'"):
        find_joint(skeleton_of(*MIXAMO), "LeftHnd")
    with pytest.raises(ConfigError, match="The joints are: mixamorig:Hips"):
        find_joint(skeleton_of(*MIXAMO), "xyz")
