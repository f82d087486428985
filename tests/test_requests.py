"""Requests as plain data: what is written is read again, the schema is published, and what is wrong is named."""

import json
from pathlib import Path

import jaxtyping
import pytest

import gambol
from gambol.app.animate_request import AnimateOutputs, AnimateRequest
from gambol.app.check_schema import check_schema
from gambol.app.request_json import read_outputs, read_request, request_data, request_from_data, write_request
from gambol.app.request_options import outputs_from_options, request_from_options
from gambol.app.request_schema import request_schema
from gambol.app.segment import Segment, parse_segment, parse_style
from gambol.errors import ConfigError

ROOT = Path(__file__).parents[1]
REQUESTS = (
    AnimateRequest(),
    AnimateRequest("a fox runs", seconds=3.5, loop=True, in_place=True, method="sds", steps=5, basis="spline"),
    AnimateRequest(
        segments=(Segment("a fox walks", 3, {"head": -0.2}, 7), Segment("jumps")),
        style={"tempo": 0.8},
        exports=("root-motion", "in-place"),
        lock=("root", "Head"),
        travel=((0.0, 0.0), (2.0, 1.0)),
    ),
    AnimateRequest("a fox walks", travel=1.2, ground="off", fps=60, pose_prior=1.0, limits=False),
    AnimateRequest("", video=Path("film.mp4")),
)


@pytest.mark.parametrize("request_", REQUESTS, ids=range(len(REQUESTS)))
def test_what_is_written_is_read_again_and_valid(request_, tmp_path):
    path = write_request(request_, tmp_path / "request.json")
    data = json.loads(path.read_text())
    check_schema(data, request_schema(), "the request")
    assert data["schema"] == 1
    assert read_request(path) == request_
    assert gambol.read_request(path) == request_


def test_the_published_schema_is_the_one_that_requests_are_checked_by():
    published = json.loads((ROOT / "docs/reference/request.schema.json").read_text())
    assert published == request_schema()
    fields = set(AnimateRequest.__dataclass_fields__) - {"losses"}
    assert set(published["properties"]) == fields | {"schema", "$schema", "outputs"}
    assert set(published["properties"]["outputs"]["properties"]) == set(AnimateOutputs.__dataclass_fields__)
    assert all(part["description"] for part in published["properties"].values())


def test_the_schema_knows_the_fields_of_all_constraints():
    from gambol.distill.constraints.constraint_data import KINDS

    kinds = request_schema()["properties"]["constraints"]["items"]["oneOf"]
    assert [kind["title"] for kind in kinds] == list(KINDS)
    for kind in kinds:
        _, needed, allowed = KINDS[kind["title"]]
        assert set(kind["properties"]) == {"kind", *needed, *allowed}
        assert kind["required"] == ["kind", *needed]
        assert all(part.get("description") or "const" in part for part in kind["properties"].values())


def test_the_request_of_the_docs_is_one(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it
    text = (ROOT / "docs/control.md").read_text()
    data = json.loads(text.split("```json")[1].split("```")[0])
    request = request_from_data(data)
    assert [segment.prompt for segment in request.segments] == ["a fox walks", "jumps"]
    assert request_data(request) | {"outputs": data["outputs"]} == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the request is []; it takes an object"),
        ({"schema": 2}, "schema is 2; this version reads"),
        ({"promt": "a fox walks"}, "a field 'promt' that there is not. Did you mean prompt?"),
        ({"segments": [{"prompt": "a"}, {"prompt": "b", "seconds": -2}]}, "segments[1].seconds is -2; it takes a"),
        ({"segments": [{"seconds": 2}]}, "segments[0] has no prompt"),
        ({"segments": [{"prompt": "  "}]}, "segments[0].prompt is empty"),
        ({"segments": [{"prompt": "a", "speed": 2}]}, "segments[0] has a field 'speed'"),
        ({"segments": [{"prompt": "a"}] * 21}, "segments has 21 entries; it takes at most 20"),
        ({"segments": [{"prompt": "a", "seconds": 40}] * 2}, "last 80 s together; a clip lasts at most 60 s"),
        ({"segments": [{"prompt": "a", "style": {"tempo": "x"}}]}, "segments[0].style.tempo is 'x'"),
        ({"prompt": "a", "segments": [{"prompt": "b"}]}, "prompt and segments exclude each other"),
        ({"segments": [{"prompt": "a"}, {"prompt": "b"}], "loop": True}, "cannot loop"),
        ({"prompt": 3}, "prompt is 3; it takes a text"),
        ({"seconds": 61}, "seconds is 61; it takes a number from 0.01 to 60"),
        ({"seed": 0.5}, "seed is 0.5; it takes a whole number"),
        ({"exports": ["walk"]}, "exports[0] is 'walk'; it takes"),
        ({"exports": ["in-place"], "in_place": True}, "leave out in_place"),
        ({"loop": True, "exports": ["loop"]}, "is a loop already"),
        ({"method": "adam"}, "method is 'adam'; it takes fit, sds, annealed"),
        ({"loop": 1}, "loop is 1; it takes true or false"),
        ({"travel": [[0, 0, 0], [1, 1]]}, "travel[0] has 3 entries"),
        ({"lock": "root"}, "lock is 'root'; it takes a list"),
        ({"losses": []}, "a field 'losses' that there is not"),
        ({"outputs": {"root_bone": "top"}}, "outputs.root_bone is 'top'; it takes hips, root"),
        ({"outputs": {"keys": "reduce"}}, "outputs has a field 'keys' that there is not"),
        ({"constraints": [{"kind": "pin", "joint": "a", "time": 1}]}, "constraints[0].position is missing"),
    ],
)
def test_a_bad_request_names_the_field(data, message):
    with pytest.raises(ConfigError) as told:
        request_from_data(data)
    assert message in str(told.value)


def test_a_number_that_json_does_not_have_is_refused(tmp_path):
    path = tmp_path / "request.json"
    path.write_text('{"seconds": NaN}')
    with pytest.raises(gambol.GambolError, match="NaN is no number"):
        read_request(path)


def test_a_file_says_which_outputs_are_written_and_options_change_them(tmp_path):
    usual = {"reduce_keys": False, "fbx": False, "film": True, "root_bone": "hips"}
    asked = AnimateOutputs(reduce_keys=True, root_bone="root")
    path = write_request(AnimateRequest("a fox walks"), tmp_path / "request.json", outputs=asked)
    assert json.loads(path.read_text())["outputs"] == {"reduce_keys": True, "root_bone": "root"}
    assert read_request(path) == AnimateRequest("a fox walks")
    assert read_outputs(path) == outputs_from_options(path, usual) == asked
    changed = outputs_from_options(path, {**usual, "film": False})
    assert changed == AnimateOutputs(reduce_keys=True, root_bone="root", film=False)
    assert outputs_from_options(None, {**usual, "fbx": True}) == AnimateOutputs(fbx=True)


@pytest.mark.parametrize("value", [{"losses": (gambol.Smoothness(),)}, {"method": gambol.VideoFit()}])
def test_objects_of_python_cannot_be_written(value):
    with pytest.raises(ConfigError, match="cannot be written as JSON"):
        request_data(AnimateRequest("a fox walks", **value))


def test_options_fill_the_same_request_and_take_the_place_of_a_files_fields(tmp_path):
    options = {"seconds": 6.0, "style": ("tempo=0.8",), "seed": 0}
    by_flags = request_from_options("a fox walks:3", then=("jumps", "walks away: 2 s"), options=options)
    segments = (Segment("a fox walks", 3.0), Segment("jumps"), Segment("walks away", 2.0))
    assert by_flags == AnimateRequest(segments=segments, seconds=6.0, style={"tempo": 0.8})
    path = write_request(by_flags, tmp_path / "request.json")
    assert request_from_options("", file=path, options={"seed": 0}) == by_flags
    changed = request_from_options("a fox runs", file=path, options={"seed": 4, "style": ("head=0.1",)})
    assert changed == AnimateRequest("a fox runs", seconds=6.0, seed=4, style={"tempo": 0.8, "head": 0.1})
    with pytest.raises(ConfigError, match="give that sentence first"):
        request_from_options("", then=("jumps",), options={})


@pytest.mark.parametrize(
    ("text", "segment"),
    [
        ("jumps", Segment("jumps")),
        ("jumps:2", Segment("jumps", 2.0)),
        ("walks away: 3.5 s", Segment("walks away", 3.5)),
        ("says: hello", Segment("says: hello")),
    ],
)
def test_a_sentence_may_have_its_seconds_behind_a_colon(text, segment):
    assert parse_segment(text) == segment


@pytest.mark.parametrize("seconds", ["nan", "-1", "61", "0"])
def test_seconds_behind_a_colon_are_checked(seconds):
    with pytest.raises(ConfigError, match=r"segments\[1\].seconds is"):
        AnimateRequest(segments=(Segment("a fox walks"), parse_segment(f"jumps:{seconds}")))


def test_style_numbers_are_read_from_words():
    assert parse_style(("tempo=0.8", "head=-0.2")) == {"tempo": 0.8, "head": -0.2}
    for words in (("tempo",), ("tempo=fast",), ("=1",), ("tempo=1", "tempo=2")):
        with pytest.raises(ConfigError, match="style"):
            parse_style(words)
    with pytest.raises(ConfigError, match=r"style\.tempo is nan"):
        AnimateRequest("a fox walks", style=parse_style(("tempo=nan",)))
