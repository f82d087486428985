"""Motions that are no matter of ground contact are refused by `track`; motions on the ground never are."""

from dataclasses import replace

import numpy as np
import pytest
from creature_body import creature_body

from gambol.app.find_runs import Run
from gambol.app.off_ground import aloft_share, motions_of_run, off_ground_reason, refuse_off_ground
from gambol.app.run_folder import RunSettings
from gambol.creatures.gaits.make_motion import make_motion
from gambol.errors import AssetError
from gambol.evaluate.observation import observe_clip

BODIES = {
    "bird": ("songbird", 3),
    "fox": ("fox", 1),
    "fish": ("fish", 1),
    "person": ("person", 2),
    "snake": ("snake", 1),
}


@pytest.fixture(scope="module")
def bodies():
    return {name: creature_body(*noun, vertices=1500) for name, noun in BODIES.items()}


def reason_for(body, motion, *, name="clip", made_for=()):
    """What is said of a procedural motion under a name that says nothing."""
    clip = replace(make_motion(*body, motion, seconds=2.0), name=name)
    return off_ground_reason(*body, clip, motions=made_for)


@pytest.mark.parametrize(
    ("kind", "motion", "said"),
    [
        ("bird", "fly", "it looks like 'fly'"),
        ("bird", "take off", "it looks like 'fly'"),
        ("fish", "swim", "its body has fins or wings and no feet"),
        ("fish", "breach", "its body has fins or wings and no feet"),
    ],
)
def test_flight_and_swimming_are_seen_in_the_motion_itself(bodies, kind, motion, said):
    assert (reason_for(bodies[kind], motion) or "").startswith(said)


@pytest.mark.parametrize(
    ("kind", "motion"),
    [
        *(("fox", motion) for motion in ("walk", "run", "jump", "idle", "lie down", "fall down", "hop")),
        *(("person", motion) for motion in ("walk", "jumping jacks", "cartwheel", "sit down", "crawl", "roll")),
        *(("bird", motion) for motion in ("walk", "run", "flap", "peck")),
        ("snake", "slither"),
    ],
)
def test_no_motion_on_the_ground_is_refused(bodies, kind, motion):
    assert reason_for(bodies[kind], motion) is None
    assert reason_for(bodies[kind], motion, name=motion, made_for=(motion,)) is None


def test_a_walk_that_floats_as_a_whole_is_on_the_ground_and_one_that_rises_is_not(bodies):
    fox = bodies["fox"]
    walk = make_motion(*fox, "walk", seconds=2.0)
    lifted, rising = (walk.root.copy() for _ in range(2))
    lifted[:, 1] += 3.0 * fox[0].size
    rising[:, 1] += np.linspace(0.0, fox[0].size, len(walk))
    assert off_ground_reason(*fox, replace(walk, root=lifted)) is None
    risen = observe_clip(*fox, replace(walk, root=rising))
    # level: 30 % of the way up; aloft: 15 % of the size above it
    assert aloft_share(risen) == pytest.approx(1.0 - 0.3 - 0.15, abs=0.05)
    assert "nothing touches the ground" in off_ground_reason(*fox, replace(walk, root=rising))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Armature|FlyingIdle", "fly"),
        ("Swim_Fwd_Loop", "swim"),
        ("a dragon is gliding", "glide"),
        ("Hover", "hover"),
        ("Flyer_Walk", None),
        ("Butterfly stretch", None),
        ("Jump_Land", None),
    ],
)
def test_the_name_of_a_clip_counts_by_whole_words(bodies, name, meant):
    fox = bodies["fox"]
    clip = replace(make_motion(*fox, "walk", seconds=1.0), name=name)
    assert off_ground_reason(*fox, clip) == (None if meant is None else f"its name says '{meant}'")


def test_what_a_run_was_made_to_show_counts_more_than_the_words_of_its_sentence(bodies):
    fox = bodies["fox"]
    clip = replace(make_motion(*fox, "walk", seconds=1.0), name="a flying fox is walking")
    assert off_ground_reason(*fox, clip, motions=("walk",)) is None
    with pytest.raises(AssetError, match=r"no motion on the ground: it was made to show 'glide'.*--anyway"):
        refuse_off_ground(*fox, clip, motions=("walk", "glide"))


def test_the_sentence_of_a_run_is_read_as_the_prior_reads_it():
    def run(prompt, prior="embedded 08f88f733a91b796", **rest):
        return Run("run", RunSettings(prompt=prompt, prior=prior, **rest), None, None)

    assert motions_of_run(run("a fish is swimming")) == ("swim",)
    assert motions_of_run(run("a bird walks, then flies"))[0] == "walk"
    assert "fly" in motions_of_run(run("a bird walks, then flies"))
    assert motions_of_run(run("a bird is flying", prior="cogvideox")) == ()
    assert motions_of_run(run("", motion="trot")) == ("trot",)
