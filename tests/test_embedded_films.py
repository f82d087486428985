"""Training films of the embedded prior: procedural, real and retargeted motion, shards on disk, the recipe's split."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from gambol.app.new import write_creature
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits.make_motion import motions_for
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.errors import PriorError
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.motion.vocabulary import VOCABULARY_NAMES, vocabulary_motion
from gambol.priors.embedded.part_film import FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.training.embedded import retargeted_films as real
from gambol.training.embedded.creature_clips import (
    FLIGHT_HEIGHT,
    clocked_motion,
    creature_films,
    draw_individual,
    film_body,
    film_clip,
)
from gambol.training.embedded.file_clips import FileClip
from gambol.training.embedded.recipe import (
    FIRST_HELD_OUT_SHARD,
    MANY_MOTIONS_NOUNS,
    PriorRecipe,
    held_out_shards,
    many_motions_shards,
    train_embedded_prior,
    training_shards,
)
from gambol.training.embedded.retargeted_films import (
    FRAMES_PER_CYCLE,
    LEAST_ACTION_FRAMES,
    body_plan_key,
    cut_to_length,
    found_style,
    own_body_films,
    retargeted_films,
)
from gambol.training.embedded.shards import FILMS_PER_SHARD, creature_shard, read_shards, write_shard
from gambol.training.process_pool import run_jobs


def individual_of(noun):
    creature = make_creature(noun, 5, vertices=600)
    character = creature.character()
    individual = film_body(noun, character, creature.anatomy(character))
    return individual, measure_body(character, individual.anatomy)


def rest_pose(individual):
    bones = len(individual.character.require_skeleton())
    return individual.actor.pose(torch.zeros(1, 6), torch.zeros(1, bones - 1, 3))


@pytest.fixture(scope="module")
def bodies():
    return {noun: individual_of(noun) for noun in ("fox", "human", "songbird")}


def circular(difference):
    return abs((difference + 0.5) % 1.0 - 0.5)


def test_a_body_s_leg_sets_its_film_s_tempo_and_unit(bodies):
    fox, _ = bodies["fox"]
    assert fox.leg == typical_leg_length(fox.character, fox.anatomy)
    assert fox.fps == natural_frame_rate(fox.leg)
    assert fox.unit == max(fox.leg, 0.25 * fox.character.size)


@pytest.mark.parametrize("motion", ["walk", "trot", "gallop", "march"])
def test_the_rate_and_phase_that_the_network_is_told_are_the_gait_s_own(bodies, motion):
    """After a cycle of that many frames the gait begins again; one that starts at a later phase is further ahead."""
    fox, body = bodies["fox"]
    style = MotionStyle(wander=0.0)
    _, rate = clocked_motion(fox, body, motion, style, frames=2)
    tempo = 1.0 / (rate * round(1.0 / rate))  # whole frames per cycle
    clip, rate = clocked_motion(fox, body, motion, replace(style, tempo=tempo), frames=3 * round(1.0 / rate))
    period = round(1.0 / rate)
    assert rate * period == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(clip.angles[period : 2 * period], clip.angles[:period], atol=1e-3)
    later, _ = clocked_motion(fox, body, motion, replace(style, tempo=tempo, phase=3 / period), frames=period)
    np.testing.assert_allclose(later.angles, clip.angles[3 : 3 + period], atol=1e-3)


def test_films_have_no_steady_travel_and_flight_has_one_height(bodies):
    fox, body = bodies["fox"]
    walk, _ = clocked_motion(fox, body, "walk", MotionStyle())
    again, velocity = remove_steady_travel(walk)
    np.testing.assert_allclose(again, walk.root, atol=1e-9)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-9)
    bird, flying = bodies["songbird"]
    flight, _ = clocked_motion(bird, flying, "fly", MotionStyle())
    assert flight.root[:, 1].mean() == pytest.approx(FLIGHT_HEIGHT * bird.character.size)


def test_a_film_of_the_start_pose_is_zero(bodies):
    fox, _ = bodies["fox"]
    bones = len(fox.character.require_skeleton())
    still = Clip("still", fox.fps, np.zeros((FRAMES, 6)), np.zeros((FRAMES, bones - 1, 3)))
    start, film = film_clip(fox, still, rest_pose(fox))
    assert film.shape == (FRAMES, len(fox.tables), PART_NUMBERS)
    assert start.shape == (len(fox.tables), PART_NUMBERS)
    assert float(film.abs().max()) < 1e-4


def test_an_individual_is_of_the_family_asked_for_and_does_what_it_can():
    generator = np.random.default_rng([1, 2])
    individual = draw_individual(generator, ("snake",))
    assert individual.noun == "snake"
    films = creature_films(individual, 4, generator)
    possible = {vocabulary_motion(motion) for motion in motions_for(individual.anatomy)}
    assert len(films.films) == 4
    for film in films.films:
        assert film.motion in possible & set(VOCABULARY_NAMES)
        assert film.style[0] == 1
        assert 0.0 < float(film.style[2]) < 0.5
        assert float(film.film.abs().max()) < 100.0, "inside the picture: ten body units"


@pytest.mark.parametrize("noun", ["fox", "human"])
@pytest.mark.parametrize(("phase", "mirrored"), [(0.15, False), (0.55, True), (0.85, False)])
def test_the_phase_of_a_gait_is_found_by_comparison(bodies, noun, phase, mirrored):
    """In a walk, half a cycle later the other side does the same: both answers are right."""
    individual, body = bodies[noun]
    clip, rate = clocked_motion(individual, body, "walk", MotionStyle(phase=phase, mirrored=mirrored, tempo=1.1))
    film = film_clip(individual, clip, rest_pose(individual))[1]
    found = found_style(individual, body, "walk", film, rest_pose(individual), rate)
    same = phase if found.mirrored == mirrored else phase + 0.5
    assert circular(found.phase - same) <= 0.5 * rate + 0.01
    assert found.rate == rate


@pytest.mark.parametrize(("phase", "mirrored"), [(0.15, False), (0.55, True), (0.85, False)])
def test_the_leading_side_of_a_gallop_is_found_too(bodies, phase, mirrored):
    fox, body = bodies["fox"]
    clip, rate = clocked_motion(fox, body, "gallop", MotionStyle(phase=phase, mirrored=mirrored, tempo=1.1))
    film = film_clip(fox, clip, rest_pose(fox))[1]
    found = found_style(fox, body, "run", film, rest_pose(fox), rate)
    assert found.mirrored == mirrored
    assert circular(found.phase - phase) <= 0.5 * rate + 0.01


def test_what_is_no_such_gait_has_no_phase(bodies):
    fox, body = bodies["fox"]
    clip, rate = clocked_motion(fox, body, "walk", MotionStyle())
    film = film_clip(fox, clip, rest_pose(fox))[1]
    start = rest_pose(fox)
    assert found_style(fox, body, "walk", film, start, 0.0) is None, "it has no cycle"
    assert found_style(fox, body, "walk", film, start, 3.0 * rate) is None, "nothing walks as fast"
    assert found_style(fox, body, "punch", film, start, rate) is None, "a fox does not punch"
    noise = torch.randn(film.shape, generator=torch.Generator().manual_seed(0))
    assert found_style(fox, body, "walk", noise, start, rate) is None, "it is like no walk"


def test_body_plans_tell_who_can_share_clips(bodies):
    keys = {noun: body_plan_key(individual.anatomy) for noun, (individual, _) in bodies.items()}
    assert keys == {"fox": (2, False, False), "human": (1, True, False), "songbird": (1, False, True)}


def wave_clip(frames, period):
    """A joint that swings with a period in frames, while the root goes along a line and has turned by 0.7."""
    angle = np.sin(2.0 * np.pi * np.arange(frames) / period)
    other = np.cos(2.0 * np.pi * np.arange(frames) / period)
    root = np.zeros((frames, 6))
    root[:, 0], root[:, 2], root[:, 3] = 0.1 * np.arange(frames) + 2.0, -1.0, 0.7
    return Clip("wave", 20.0, root, np.stack([angle, other, 0 * angle], -1)[:, None])


def test_clips_are_cut_to_the_length_of_a_film():
    loop = cut_to_length(wave_clip(21, 20), np.random.default_rng(0))
    assert len(loop) == FRAMES
    np.testing.assert_allclose(loop.angles[20:40], loop.angles[:20], atol=1e-9)
    np.testing.assert_allclose(
        np.diff(loop.angles[:, 0, 0]) ** 2 + np.diff(loop.angles[:, 0, 1]) ** 2, 0.0979, atol=1e-3
    )
    starts = {
        round(float(cut_to_length(wave_clip(21, 20), np.random.default_rng(k)).angles[0, 0, 0]), 6) for k in range(8)
    }
    assert len(starts) > 2, "films begin anywhere in a loop"
    long = wave_clip(200, 170)
    piece = cut_to_length(long, np.random.default_rng(1))
    first = int(np.abs(long.angles[:, 0] - piece.angles[0, 0]).sum(-1).argmin())
    np.testing.assert_array_equal(piece.angles, long.angles[first : first + FRAMES])
    short = cut_to_length(wave_clip(10, 37), np.random.default_rng(2))
    np.testing.assert_array_equal(short.angles[9:], np.repeat(short.angles[9:10], FRAMES - 9, axis=0))
    for cut in (loop, piece, short):
        np.testing.assert_allclose(cut.root[0, [0, 2, 3]], 0.0, atol=1e-9)


@pytest.fixture(scope="module")
def fox_file(tmp_path_factory):
    path = write_creature("fox", tmp_path_factory.mktemp("files") / "fox.glb", seed=3, motions=("walk", "bite"))
    return [FileClip(path, "walk", "walk"), FileClip(path, "bite", "bite")]


def test_a_file_s_clips_are_filmed_on_its_own_body(fox_file):
    films = own_body_films(fox_file, 6, np.random.default_rng(0))
    assert films.noun == "fox"
    assert len(films.films) == 6
    walks = [film for film in films.films if film.motion == "walk"]
    assert 0 < len(walks) < 6
    for film in walks:
        assert film.style[0] == 1, "its phase is found"
        assert 1.0 / float(film.style[2]) == pytest.approx(FRAMES_PER_CYCLE["walk"], rel=0.3)
        assert float(film.film[..., :3].std()) > 0.05
    for film in films.films:
        assert film.film.shape == (FRAMES, len(films.labels), PART_NUMBERS)
        if film.motion == "bite" and film.style.any():  # it fits into the film, begins with it and is one cycle
            assert film.style[0] == 1
            assert film.style[1] == 0
            assert 1.0 / FRAMES <= float(film.style[2]) <= 1.0 / LEAST_ACTION_FRAMES
            assert not film.style[4:].any()


def test_a_file_s_clips_are_filmed_on_bodies_of_the_same_plan(fox_file, monkeypatch):
    monkeypatch.setattr(real, "nouns_by_plan", lambda: {(2, False, False): ("cow",), (1, True, False): ("human",)})
    films = retargeted_films(fox_file[:1], 3, np.random.default_rng(1))
    assert films.noun == "cow"
    assert [film.motion for film in films.films] == ["walk"] * 3
    assert all(film.style[0] == 1 for film in films.films), "a fox's walk is like a cow's"
    assert all(bool(torch.isfinite(film.film).all()) for film in films.films)


def test_a_shard_is_made_once_and_read_back(tmp_path):
    made = []

    def films():
        made.append(1)
        return creature_shard(9, 4, ("spider",))

    path = tmp_path / "shard.safetensors"
    write_shard(path, films)
    first = path.read_bytes()
    write_shard(path, films)
    assert len(made) == 1
    assert path.read_bytes() == first
    samples, true = read_shards([path, path]), creature_shard(9, 4, ("spider",))
    assert len(samples) == 2 * FILMS_PER_SHARD
    assert samples.film.shape[1:] == (FRAMES, len(PART_LABELS), PART_NUMBERS)
    assert samples.nouns == ("spider",) * len(samples)
    assert samples.present[0].nonzero()[:, 0].tolist() == true.labels.tolist()
    for k, film in enumerate(true.films):
        assert VOCABULARY_NAMES[samples.motion[k]] == film.motion
        assert torch.equal(samples.film[k][:, true.labels], film.film.half())
        assert torch.equal(samples.start[k][true.labels], film.start)
        assert torch.equal(samples.style[k], film.style)
    absent = ~samples.present[0]
    assert not samples.film[:, :, absent].any()
    assert not samples.start[:, absent].any()
    write_shard(tmp_path / "empty.safetensors", lambda: replace(true, films=[]))
    assert not (tmp_path / "empty.safetensors").exists()


def test_shards_do_not_depend_on_the_number_of_processes(tmp_path):
    def paths(folder):
        return [tmp_path / folder / f"made-{i:05d}.safetensors" for i in range(2)]

    for i, path in enumerate(paths("here")):
        path.parent.mkdir(exist_ok=True)
        write_shard(path, partial(creature_shard, 5, i, ("fox", "snake")))
    (tmp_path / "there").mkdir()
    jobs = [
        partial(write_shard, path, partial(creature_shard, 5, i, ("fox", "snake")))
        for i, path in enumerate(paths("there"))
    ]
    run_jobs(jobs, 2)
    for one, two in zip(paths("here"), paths("there"), strict=True):
        assert one.read_bytes() == two.read_bytes()
    assert paths("here")[0].read_bytes() != paths("here")[1].read_bytes()


def test_held_out_creatures_are_never_trained_on_and_families_can_be_left_out(tmp_path):
    recipe = PriorRecipe(
        individuals=40, held_out=2 * len(CREATURE_FAMILIES), leave_families=("snake", "spider"), seed=3
    )
    trained, held = training_shards(recipe, tmp_path), held_out_shards(recipe, tmp_path)
    assert len(trained) == 40
    assert not set(trained) & set(held)
    assert {path.parent.name for path in held} == {"held-out"}
    seeds = [{make.args[:2] for make in shards.values()} for shards in (trained, held)]
    assert seeds[0] == {(3, i) for i in range(40)}
    assert seeds[1] == {(3, FIRST_HELD_OUT_SHARD + i) for i in range(len(held))}
    for make in trained.values():
        assert make.func is creature_shard
        assert set(make.args[2]) == set(CREATURE_FAMILIES) - {"snake", "spider"}
    drawn = [make.args[2] for make in held.values()]
    assert drawn == [(noun,) for noun in CREATURE_FAMILIES] * 2, "each family in turn, left out or not"
    more = many_motions_shards(recipe, tmp_path)
    assert len(more) == recipe.many_motions
    assert not set(more) & (set(trained) | set(held))
    assert {make.args[1] for make in more.values()} == set(range(200_000, 200_000 + len(more)))
    assert {make.args[2] for make in more.values()} == {(noun,) for noun in MANY_MOTIONS_NOUNS}


def test_a_folder_without_clips_is_refused(tmp_path):
    with pytest.raises(PriorError, match="is no folder"):
        train_embedded_prior(PriorRecipe(files=tmp_path / "nowhere"), tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(PriorError, match=r"labels\.csv"):
        training_shards(PriorRecipe(files=tmp_path / "empty"), tmp_path / "out")
