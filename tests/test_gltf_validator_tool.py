"""The validator that exported files are held against finds what it should, and nothing in sound files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gltf_builder import GltfBuilder, skinned_tower
from gltf_validator import Issue, errors, needs_validator, new_errors, validate, validate_many
from mutations import morphing_character
from real_data import characters, needs_data

pytestmark = needs_validator


def test_files_of_the_builder_are_valid(tmp_path):
    """So that what the reader is tested with is glTF, not what the builder takes for it."""
    builders = {"tower": skinned_tower(3), "morphs": morphing_character()}
    paths = []
    for name, builder in builders.items():
        paths.append(builder.write_glb(tmp_path / f"{name}.glb"))
        paths.append(builder.write_gltf(tmp_path / f"{name} beside.gltf", names=(f"{name} ä.bin",)))
        paths.append(builder.write_gltf(tmp_path / f"{name} inside.gltf", embed=True))
    found = {p.name: errors(issues) for p, issues in zip(paths, validate_many(paths), strict=True)}
    assert found == {p.name: [] for p in paths}


@pytest.mark.parametrize(
    ("path", "value", "code", "pointer"),
    [
        (("nodes", 3, "skin"), 7, "UNRESOLVED_REFERENCE", "/nodes/3/skin"),
        (("accessors", 0, "count"), 2_000, "ACCESSOR_TOO_LONG", "/accessors/0"),
        (("nodes", 0, "rotation"), [0, 0, 0, 0.5], "ROTATION_NON_UNIT", "/nodes/0/rotation"),
        (("nodes", 1, "children"), [0], "NODE_LOOP", "/nodes/0"),
        (("asset",), {}, "UNDEFINED_PROPERTY", "/asset"),
    ],
)
def test_a_broken_file_is_found_out(tmp_path, path, value, code, pointer):
    builder = skinned_tower(3)
    sound = builder.write_glb(tmp_path / "sound.glb")
    place = builder.json
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    broken = builder.write_glb(tmp_path / "broken.glb")
    assert errors(validate(sound)) == []
    assert Issue("error", code, pointer) in validate(broken)
    assert Issue("error", code, pointer) in new_errors(sound, broken)
    assert new_errors(broken, sound) == []
    assert new_errors(broken, broken) == []


def test_data_is_looked_at_too(tmp_path):
    builder = GltfBuilder()
    points = np.eye(3)
    points[1, 1] = np.nan
    builder.node(mesh=builder.mesh(builder.primitive(points)))
    assert ("error", "ACCESSOR_INVALID_FLOAT", "/accessors/0") in validate(builder.write_glb(tmp_path / "nan.glb"))


@pytest.mark.parametrize("data", [b"", b"glTF", b"no glTF at all, but long enough for a header", b"{"])
def test_what_is_no_gltf_is_an_error(tmp_path, data):
    for name in ("a.glb", "a.gltf"):
        path = tmp_path / name
        path.write_bytes(data)
        assert len(errors(validate(path))) >= 1


def test_a_missing_buffer_is_an_error(tmp_path):
    path = skinned_tower(2).write_gltf(tmp_path / "a.gltf")
    (tmp_path / "a_0.bin").unlink()
    assert "IO_ERROR" in {i.code for i in errors(validate(path))}


def test_warnings_are_no_errors(tmp_path):
    builder = skinned_tower(2)
    builder.json["nodes"][0]["surprise"] = 1
    issues = validate(builder.write_glb(tmp_path / "a.glb"))
    assert ("warning", "UNEXPECTED_PROPERTY", "/nodes/0/surprise") in issues
    assert errors(issues) == []


def test_the_lock_file_names_no_registry():
    from gltf_validator import FOLDER

    lock = json.loads((FOLDER / "package-lock.json").read_text())
    package = lock["packages"]["node_modules/gltf-validator"]
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]["gltf-validator"]
    assert package["version"] == wanted
    assert "resolved" not in package
    assert "://" not in json.dumps(lock)


@needs_data
def test_real_files():
    """SimpleSkin is clean; of the others exactly those are found invalid that are known to be."""
    paths = characters("khronos/SimpleSkin.gltf") + characters("quaternius*/*.glb")
    found = dict(zip([p.stem for p in paths], map(errors, validate_many(paths)), strict=True))
    assert found["SimpleSkin"] == []
    floats = {"ACCESSOR_INVALID_FLOAT", "ACCESSOR_JOINTS_INDEX_DUPLICATE"}
    animals = ("Alpaca", "Bull", "Cow", "Deer", "Donkey", "Horse", "Husky", "Wolf", "Animal_Pack_Vol.2__Dog")
    known = {name: {"SKIN_SKELETON_INVALID"} for name in animals}
    known |= {"Wasp": floats, "Animals_Pack__bird": {*floats, "SKIN_SKELETON_INVALID"}}
    known |= {"RobotExpressive": {"ACCESSOR_WEIGHTS_NON_NORMALIZED"}}
    assert {name: {i.code for i in issues} for name, issues in found.items() if issues} == known
