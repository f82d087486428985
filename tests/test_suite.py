"""The benchmark suite: enough of it, real and made, split as the project is split, and every character there."""

import json
from pathlib import Path

import pytest
from real_data import DATA, needs_data

from gambol.app.benchmark_suite import load_suite
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import motions_for
from gambol.errors import AssetError
from gambol.motion.motion_names import canonical_motion

SUITE = Path(__file__).parents[1] / "benchmarks" / "suite.json"
HELD_OUT = ("Knight", "Rogue", "khronos/Fox", "RiggedFigure", "Trex", "Velociraptor", "Triceratops", "Stegosaurus")
HELD_OUT = (*HELD_OUT, "Rat.glb", "___Pig", "___Zebra", "mesh2motion/horse")


def test_the_suite_is_large_enough_and_split_as_the_data_is():
    items = load_suite(SUITE)
    assert len(items) >= 29  # as many as AKD
    assert len({item.character for item in items}) >= 29
    for item in items:
        unseen = item.built_in is None and any(name in item.character for name in HELD_OUT)
        assert item.split == ("held-out" if unseen else "train"), item
    assert sum(item.split == "held-out" for item in items) >= 10
    assert sum(item.built_in is not None for item in items) >= 8


@needs_data
def test_every_file_of_the_suite_exists():
    for item in load_suite(SUITE):
        assert item.built_in is not None or (DATA / item.character).is_file(), item.character


@pytest.mark.parametrize("item", [i for i in load_suite(SUITE) if i.built_in], ids=lambda i: i.prompt)
def test_built_in_characters_can_do_what_they_are_asked_for(item):
    creature = make_creature(item.built_in, vertices=2500)
    possible = motions_for(creature.anatomy(creature.character()))
    assert {canonical_motion(m) for m in possible} >= {canonical_motion(item.motion)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"motion": "climb"}, "asks for 'climb'; the recogniser knows idle"),
        ({"split": "test"}, "split 'test'; allowed are train, held-out"),
        ({"prompt": " "}, "must be a text"),
        ({"extra": "1"}, "exactly the fields character, prompt, motion, split"),
        ({"character": "built-in:unheardof"}, "unheardof"),
    ],
)
def test_broken_items_are_refused(change, words, tmp_path):
    item = {"character": "built-in:fox", "prompt": "a fox walks", "motion": "walk", "split": "train"} | change
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({"schema": 1, "items": [item]}))
    with pytest.raises(AssetError, match=words):
        load_suite(path)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(AssetError, match="schema 1 and a list of items"):
        load_suite(tmp_path / "a.json")
    with pytest.raises(AssetError, match="cannot be read as a suite"):
        load_suite(tmp_path / "b.json")
    item = {"character": "built-in:fox", "prompt": "a fox walks", "motion": "walk", "split": "train"}
    (tmp_path / "c.json").write_text(json.dumps({"schema": 1, "items": [item, item]}))
    with pytest.raises(AssetError, match="occur twice"):
        load_suite(tmp_path / "c.json")
