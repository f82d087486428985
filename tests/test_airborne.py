"""Motions in the air: the losses that hold feet to the ground are left out, and only those."""

from dataclasses import replace

import pytest
from tiny_embedded_prior import tiny_prior

from gambol.creatures.catalogue import make_creature
from gambol.diffusion.video_prior import PromptReading
from gambol.distill.optimised_body import make_subject
from gambol.distill.presets import SKETCH
from gambol.distill.problem import make_problem
from gambol.priors.embedded.describe import read_prompt


@pytest.mark.parametrize(
    ("sentence", "airborne"), [("a bird is flying", True), ("a bird takes off", True), ("a bird walks", False)]
)
def test_sentences_say_whether_a_motion_is_in_the_air(sentence, airborne):
    assert read_prompt(sentence).airborne == airborne


@pytest.mark.parametrize("airborne", [True, False])
def test_standing_feet_count_on_the_ground_only(airborne, monkeypatch):
    prior = tiny_prior()
    monkeypatch.setattr(prior, "read_prompt", lambda prompt: replace(PromptReading(), airborne=airborne))
    creature = make_creature("songbird", 3, vertices=1500)
    subject = make_subject(creature.character())
    names = {loss.name for loss in make_problem(prior, subject, "a bird", losses=SKETCH.losses).losses}
    assert names == {loss.name for loss in SKETCH.losses} - ({"stance"} if airborne else set())
