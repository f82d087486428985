"""`gambol edit`: the new run has one more clip, everything that no constraint concerns stays as it was."""

import json

import jaxtyping
import numpy as np
import pytest
from constrained_walk import SECONDS, anatomy_of, beside, walk, walker
from plain_glb import channels, parts

import gambol
from gambol.app.constraint_arguments import constraint_arguments
from gambol.app.found_constraints import read_constraints
from gambol.distill.constraints import Hold, LookAt, Pin, PoseKey
from gambol.distill.constraints.limb_names import chosen_joints
from gambol.errors import ConfigError, GambolError
from gambol.files.asset import load
from gambol.motion.clip import joint_matrices
from gambol.motion.rotations import rotation_angle

REACH = Pin("Hand.R", beside("Hand.R", 40, (0.15, 0.35, 0.1)), time=40 / 30)


def test_untouched_limbs_keep_their_angles():
    done = gambol.edit(walker(), [REACH])
    assert [one.met for one in done.constraints] == [True]
    assert done.written == ()
    names = walker().character.require_skeleton().names
    arm = chosen_joints(walker().character.require_skeleton(), anatomy_of(), ["right arm"])
    turned = np.degrees(rotation_angle(joint_matrices(walk()).swapaxes(-1, -2) @ joint_matrices(done.clip))).mean(0)
    assert turned[~arm].mean() < 0.5
    assert turned[~arm].max() < 2.0
    for name, angle in zip(names, turned, strict=True):
        assert done.changes.get(name, 0.0) == pytest.approx(angle, abs=0.02)


def test_an_edited_run_has_one_more_clip_and_can_be_edited_again(tmp_path):
    """The file's own clips stay byte for byte; the settings hold all edits; the same edit gives the same file."""
    first = gambol.edit(walker().path, [REACH], output=tmp_path / "first")
    again = gambol.edit(walker().path, [REACH], output=tmp_path / "again")
    assert first.model.read_bytes() == again.model.read_bytes()
    before, after = (parts(path)[0]["animations"] for path in (walker().path, first.model))
    assert len(after) == len(before) + 1
    for animation in before:
        assert channels(first.model, animation["name"]) == channels(walker().path, animation["name"])
    numbers = json.loads((first.folder / "metrics.json").read_text())
    assert numbers["constraints"][0]["met"]
    assert numbers["joint_changes"] == first.changes
    look = LookAt((6.0, 1.4, 0.5), interval=(0.5, 1.5))
    second = gambol.edit(
        first.folder, [look, Hold(("left arm",), (0.5, 1.0))], output=tmp_path / "second", keys="reduce"
    )
    settings = json.loads((second.folder / "settings.json").read_text())
    assert [[one["kind"] for one in step["constraints"]] for step in settings["edits"]] == [
        ["pin"],
        ["look_at", "hold"],
    ]
    assert settings["edits"][1]["clip"] == after[-1]["name"]
    assert [one.met for one in second.constraints] == [True, True]
    written = load(second.model)
    assert len(written.clips) == len(before) + 2
    kept = gambol.edit(written, [REACH]).constraints[0]  # the pin of the first edit is still met
    assert kept.met


def test_an_edit_that_demands_what_is_there_changes_nothing(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it
    place = beside("Hand.R", 40, (0.0, 0.0, 0.0))
    done = gambol.edit(walker(), [{"kind": "pin", "joint": "Hand.R", "position": list(place), "time": 40 / 30}])
    assert max(done.changes.values(), default=0.0) < 0.1


@pytest.mark.parametrize(
    ("constraints", "options", "sentence"),
    [
        ([], {}, "No constraint is given"),
        ([Pin("Hand.R", (0.0, 1.0, 0.0), time=9.0)], {}, f"lasts from 0 to {SECONDS:g} s"),
        ([PoseKey(1.0, "run:3")], {}, "has no clip 'run'"),
        ([REACH], {"clip": "run"}, "has no clip 'run'"),
        ([REACH], {"keys": "few"}, "keys is 'few'; it takes all or reduce"),
        ([REACH], {"output": "edited.glb"}, "looks like a file; the output of an edit is the folder"),
    ],
)
def test_bad_edits_are_refused_and_leave_nothing(constraints, options, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GambolError) as told:
        gambol.edit(walker(), constraints, **{"output": "run", **options})
    assert sentence in str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_not_edited_into_itself(tmp_path):
    done = gambol.edit(walker().path, [REACH], output=tmp_path / "run")
    before = {path.name: path.read_bytes() for path in done.folder.iterdir()}
    with pytest.raises(GambolError, match="give another folder"):
        gambol.edit(done.folder, [REACH], output=done.folder, overwrite=True)
    assert {path.name: path.read_bytes() for path in done.folder.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "data"),
    [
        (
            {"pin": ["hand.L@1.5=1.9,1.55,-0.35"]},
            {"kind": "pin", "joint": "hand.L", "time": 1.5, "position": [1.9, 1.55, -0.35]},
        ),
        (
            {"pin": ["a@b:end@1-2=1,2,3/1,0,0,0"]},
            {
                "kind": "pin",
                "joint": "a@b:end",
                "interval": [1.0, 2.0],
                "position": [1.0, 2.0, 3.0],
                "orientation": [1.0, 0.0, 0.0, 0.0],
            },
        ),
        ({"pose": ["1.5=Armature|Jump:12"]}, {"kind": "pose", "time": 1.5, "pose": "Armature|Jump:12"}),
        (
            {"path": ["0,0", "-2,0.5@2"]},
            {"kind": "path", "points": [[0.0, 0.0], [-2.0, 0.5]], "times": [0.0, 2.0]},
        ),
        ({"speed": ["0.5=0.6", "3.5=1.6"]}, {"kind": "speed", "speeds": [0.6, 1.6], "times": [0.5, 3.5]}),
        ({"speed": ["1.2"]}, {"kind": "speed", "speeds": [1.2], "times": [0.0]}),
        ({"look_at": ["3,1,-2@0.5-2"]}, {"kind": "look_at", "target": [3.0, 1.0, -2.0], "interval": [0.5, 2.0]}),
        (
            {"hold": ["left arm,head@1-2"]},
            {"kind": "hold", "limbs": ["left arm", "head"], "interval": [1.0, 2.0]},
        ),
        (
            {"freeze": ["Attack@0-1,2-3=upper body"]},
            {"kind": "freeze", "clip": "Attack", "limbs": ["upper body"], "spans": [[0.0, 1.0], [2.0, 3.0]]},
        ),
    ],
)
def test_constraints_are_read_from_texts(options, data):
    assert constraint_arguments(**options) == [data]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"pin": ["hand.L=1,2,3"]}, "--pin 'hand.L=1,2,3' cannot be read; write JOINT@TIME=x,y,z"),
        ({"pin": ["hand.L@1=1,2"]}, "--pin"),
        ({"pin": ["hand.L@1=1,nan,2"]}, "--pin"),
        ({"pose": ["rest"]}, "--pose 'rest' cannot be read; write TIME=POSE"),
        ({"path": ["0,0@0", "1,0", "2,0@3"]}, "2 of 3 points have times; give all or none"),
        ({"path": ["0;0"]}, "--path"),
        ({"hold": ["arms"]}, "--hold 'arms' cannot be read; write LIMBS@FIRST-LAST"),
        ({"freeze": ["Attack"]}, "--freeze 'Attack' cannot be read; write CLIP=LIMBS"),
        ({"look_at": ["left"]}, "--look-at 'left' cannot be read"),
    ],
)
def test_texts_that_cannot_be_read_show_how_to_write_them(options, sentence):
    with pytest.raises(ConfigError) as told:
        constraint_arguments(**options)
    assert sentence in str(told.value)


def test_data_of_a_list_names_its_place():
    with pytest.raises(ConfigError, match=r"constraints\[1\]\.kind is 'pim'"):
        read_constraints([{"kind": "look_at", "target": (1.0, 1.0, 0.0)}, {"kind": "pim"}])
