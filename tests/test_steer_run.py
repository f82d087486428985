"""A run that is stopped, given other constraints and gone on with: it keeps its motion and meets the new ones."""

import json
from dataclasses import replace

import pytest
from tiny_embedded_prior import tiny_prior

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.run_folder import read_log
from gambol.creatures.catalogue import make_creature
from gambol.distill.constraints import Pin
from gambol.errors import ConfigError
from gambol.files.asset import export_scene, load
from gambol.progress import StopWork

STEPS = 8


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    return export_scene(make_creature("fox", 3, vertices=400).scene, (), tmp_path_factory.mktemp("fox") / "fox.glb")


def request(fox, *constraints, **asked):
    asked = {"method": "fit", "steps": STEPS, "splats": 200, "seconds": 1.0, **asked}
    made = AnimateRequest("a fox is walking", constraints=constraints, **asked)
    return AnimateFileRequest(made, fox, outputs=AnimateOutputs(film=False))


def stop_after(step):
    def after_step(report):
        if report.state.step == step:
            raise StopWork

    return after_step


def test_a_stopped_run_goes_on_with_a_pin_from_the_motion_so_far(fox, tmp_path):
    prior, run = tiny_prior(), tmp_path / "run"
    with pytest.raises(StopWork):
        animate_file(request(fox), run, prior=prior, after_step=stop_after(5))
    assert [line["step"] for line in read_log(run / "log.jsonl")] == [0, 1, 2, 3, 4]
    skeleton = load(fox).character.skeleton
    x, y, z = skeleton.heads[skeleton.names.index("Head")]
    pinned = request(fox, Pin("Head", (x + 0.02, y - 0.04, z), time=0.0))
    steps = []
    report = animate_file(pinned, run, prior=prior, steer=True, after_step=lambda r: steps.append(r.state.step))
    assert steps == [6, 7, 8]
    settings = json.loads((run / "settings.json").read_text())
    assert settings["steered"] == [{"constraints": []}]
    found = json.loads((run / "metrics.json").read_text())["constraints"][0]
    assert found["met"], found
    again = animate_file(pinned, run, prior=prior, steer=True)
    assert again.model.read_bytes() == report.model.read_bytes()


def test_a_steered_run_takes_other_constraints_and_nothing_else(fox, tmp_path):
    prior, run = tiny_prior(), tmp_path / "run"
    with pytest.raises(StopWork):
        animate_file(request(fox), run, prior=prior, after_step=stop_after(2))
    for changed in ({"seconds": 1.2}, {"seed": 3}):
        with pytest.raises(ConfigError, match="under way takes other constraints"):
            animate_file(request(fox, **changed), run, prior=prior, steer=True)
    other = replace(request(fox), facing="-z")
    with pytest.raises(ConfigError, match="facing cannot change"):
        animate_file(other, run, prior=prior, steer=True)
