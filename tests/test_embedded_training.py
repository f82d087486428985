"""Training of the embedded prior: statistics, the banded loss, mirrored films, what is measured, runs that resume."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_embedded_prior import TINY, text_of, tiny_bank, tiny_prior

from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.diffusion.video_prior import Reference
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import rate_features
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import MIRRORED_LABELS, PART_LABELS
from gambol.priors.embedded.prior import WEIGHTS, load_embedded
from gambol.priors.embedded.proposal import mean_latent
from gambol.priors.embedded.style import STYLE_NUMBERS, StyleConditioning
from gambol.training.embedded import train
from gambol.training.embedded.creature_clips import (
    clocked_motion,
    creature_films,
    draw_individual,
    film_body,
    film_clip,
    style_conditioning,
)
from gambol.training.embedded.film_noise import (
    BAND_FLOOR,
    BANDS,
    DECISIVE_LEVEL,
    DECISIVE_SHARE,
    DEVIATION_FLOOR,
    MAX_NUMBER_WEIGHT,
    MAX_TRAINED_LEVEL,
    MIN_TRAINED_LEVEL,
    draw_levels,
    loss_weights,
)
from gambol.training.embedded.measure_knowledge import (
    clean_estimates,
    explained_shares,
    mean_films,
    measure_knowledge,
    measure_network,
    motion_gains,
    motion_vectors,
    natural_rates,
)
from gambol.training.embedded.shards import FilmSamples, pick_films, read_shards, write_shard
from gambol.training.embedded.train import (
    FilmTraining,
    draw_wordings,
    film_batch_loss,
    film_shares,
    mirror_films,
    new_network,
    train_motion_network,
)
from gambol.training.text.phrase_bank import phrase_embeddings

LABELS = len(PART_LABELS)
shipped = pytest.mark.skipif(not WEIGHTS.is_file(), reason="there are no shipped weights")


BANK = tiny_bank()


def random_samples(count: int, seed: int = 0, labels: int = 20) -> FilmSamples:
    """Random films of bodies that have the first labels; every second body lacks one of them."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    mass = torch.zeros(count, LABELS)
    mass[:, :labels] = torch.rand(count, labels, generator=generator) + 0.1
    mass[::2, 5] = 0.0
    present = (mass > 0).float()
    style = torch.cat([torch.ones(count, 1), torch.rand(count, STYLE_NUMBERS - 1, generator=generator)], 1)
    style[:, 2] = 0.05 + 0.05 * style[:, 2]
    style[:, 3] = torch.sign(style[:, 3] - 0.5)
    return FilmSamples(
        (normal(count, FRAMES, LABELS, PART_NUMBERS) * present[:, None, :, None]).half(),
        normal(count, LABELS, PART_NUMBERS) * present[..., None],
        mass / mass.sum(1, keepdim=True),
        style,
        torch.arange(count) % len(VOCABULARY_NAMES),
        tuple(f"kind {k % 3}" for k in range(count)),
    )


def speaking_of(clean):
    """The network that takes `clean` for the clean film, whatever it is shown: v = (a z_t - clean) / s."""

    def forward(noisy, t, told):
        a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
        return (a * noisy - clean) / s

    return forward


def at_level(monkeypatch, level):
    monkeypatch.setattr(train, "draw_levels", lambda count, generator: torch.full((count,), level))


def test_a_new_network_has_the_films_statistics():
    samples = random_samples(60)
    network = new_network(samples, TINY, 0)
    z = network.dct @ samples.film.float().flatten(2)
    own = slice(0, PART_NUMBERS * 5)  # labels that all films show
    assert torch.allclose(network.mean[:, own], z[..., own].mean(0), atol=1e-4)
    assert torch.allclose(network.deviation[:, own], z[..., own].std(0, correction=0) + DEVIATION_FLOOR, atol=1e-4)
    some = slice(5 * PART_NUMBERS, 6 * PART_NUMBERS)  # shown by every second one
    assert torch.allclose(network.mean[:, some], z[1::2][..., some].mean(0), atol=1e-4)
    absent = slice(20 * PART_NUMBERS, FILM_NUMBERS)
    assert not network.mean[:, absent].any()
    usual = (network.deviation[:, : 20 * PART_NUMBERS] - DEVIATION_FLOOR).square()
    usual = usual.unflatten(1, (-1, PART_NUMBERS)).mean(1).sqrt() + DEVIATION_FLOOR
    assert torch.allclose(network.deviation[:, absent], usual.repeat(1, LABELS - 20), rtol=1e-3)
    again = new_network(samples, TINY, 0).state_dict()
    assert all(torch.equal(value, again[name]) for name, value in network.state_dict().items())


@pytest.mark.parametrize("level", [0.2, 0.9])
def test_the_loss_is_each_film_s_own_in_every_band(monkeypatch, level):
    """One that says nothing misses all of every film's energy, loud or quiet; one that knows misses nothing."""
    samples = random_samples(12)
    network = new_network(samples, TINY, 0)
    weights, shares, settings = loss_weights(samples, network), torch.ones(12), FilmTraining(batch=16)
    at_level(monkeypatch, level)

    def loss(samples):
        generator = torch.Generator().manual_seed(0)
        return float(film_batch_loss(network, samples, weights, shares, BANK, settings, generator))

    monkeypatch.setattr(network, "forward", speaking_of(torch.zeros(())))
    assert loss(samples) == pytest.approx(1.0, rel=1e-3)
    loud = replace(samples, film=samples.film * torch.linspace(1.0, 8.0, 12)[:, None, None, None].half())
    assert loss(loud) == pytest.approx(1.0, rel=1e-3)
    still = replace(samples, film=0.0 * samples.film)
    assert loss(still) < 1e-9
    quiet = replace(samples, film=(0.1 * samples.film.float()).half())
    assert loss(quiet) == pytest.approx(0.01 / BAND_FLOOR, rel=0.1), "below the floor, films count by their energy"
    monkeypatch.setattr(train, "mirror_films", lambda films, mirrored: films)
    one = pick_films(samples, torch.zeros(12, dtype=torch.long))
    monkeypatch.setattr(network, "forward", speaking_of(one.film[:1].float().flatten(2)))
    assert loss(one) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("band", range(len(BANDS)))
def test_an_error_in_a_band_costs_the_band_s_weight(monkeypatch, band):
    samples = pick_films(random_samples(12), torch.zeros(12, dtype=torch.long))
    network = new_network(random_samples(12), TINY, 0)
    weights, settings = loss_weights(random_samples(12), network), FilmTraining(batch=8)
    at_level(monkeypatch, 0.8)
    monkeypatch.setattr(train, "mirror_films", lambda films, mirrored: films)
    first, beyond, weight = BANDS[band]
    z = network.dct @ samples.film[:1].float().flatten(2)
    z[:, first:beyond] = 0.0  # this band is missed, the others are right
    monkeypatch.setattr(network, "forward", speaking_of(network.dct.T @ z))
    found = film_batch_loss(network, samples, weights, torch.ones(12), BANK, settings, torch.Generator().manual_seed(0))
    total = sum(w for *_, w in BANDS)
    assert float(found) == pytest.approx(weight / total, rel=1e-2)


def test_quiet_numbers_count_more_but_not_without_bound():
    samples = random_samples(40)
    film = samples.film.clone()
    film[:, :, 2] *= 0.5
    film[:, :, 3] *= 0.01
    samples = replace(samples, film=film)
    weights = loss_weights(samples, new_network(samples, TINY, 0)).numbers.unflatten(0, (LABELS, PART_NUMBERS))
    assert float(weights[2].mean() / weights[1].mean()) == pytest.approx(2.0, rel=0.1)
    assert bool((weights[3] == MAX_NUMBER_WEIGHT).all())


def test_mirrored_twice_is_as_it_was():
    samples = random_samples(30, labels=40)
    mirrored = torch.arange(30) % 3 == 0
    once = mirror_films(samples, mirrored)
    twice = mirror_films(once, mirrored)
    for name in ("film", "start", "mass", "style", "motion"):
        one, two, three = (getattr(x, name) for x in (samples, once, twice))
        assert torch.equal(one, three), name
        assert torch.equal(one[~mirrored], two[~mirrored]), name
        assert not torch.equal(one[mirrored], two[mirrored]), name
    assert torch.equal(once.present[mirrored], samples.present[mirrored][:, MIRRORED_LABELS])
    assert torch.equal(once.style[mirrored, 3], -samples.style[mirrored, 3])
    everything = mirror_films(samples, torch.ones(30, dtype=torch.bool)).motion
    for before, after in zip(samples.motion.tolist(), everything.tolist(), strict=True):
        name = VOCABULARY_NAMES[before]
        other = {"left": "right", "right": "left"}
        assert VOCABULARY_NAMES[after] == " ".join(other.get(word, word) for word in name.split())
    assert samples.nouns == once.nouns
    assert mirror_films(samples, torch.zeros(30, dtype=torch.bool)) is samples


@pytest.mark.parametrize(("motion", "other"), [("walk", "walk"), ("punch", "punch"), ("turn left", "turn right")])
def test_the_mirrored_film_is_that_of_the_mirrored_motion(motion, other):
    """What a person does with the other side leading is the mirror image of what it does with this one."""
    creature = make_creature("human", 5, vertices=600)
    character = creature.character()
    individual = film_body("human", character, creature.anatomy(character))
    body, labels = measure_body(character, individual.anatomy), individual.tables.labels
    start = individual.actor.pose(torch.zeros(1, 6), torch.zeros(1, len(character.require_skeleton()) - 1, 3))

    def samples(motion, style):
        clip, rate = clocked_motion(individual, body, motion, style)
        rest, film = film_clip(individual, clip, start)
        films, starts, mass = torch.zeros(1, FRAMES, LABELS, 9), torch.zeros(1, LABELS, 9), torch.zeros(1, LABELS)
        films[0, :, labels], starts[0, labels], mass[0, labels] = film, rest, individual.tables.mass
        told = style_conditioning(style, rate).numbers()[None]
        return FilmSamples(films, starts, mass, told, torch.tensor([VOCABULARY_NAMES.index(motion)]), ("human",))

    style = MotionStyle(phase=0.2, wander=0.0)
    true = samples(other, replace(style, mirrored=True))
    image = mirror_films(samples(motion, style), torch.tensor([True]))
    missed = (image.film - true.film).square().sum()
    assert float(missed / true.film.square().sum()) < 0.02
    assert torch.allclose(image.style, true.style)
    assert torch.equal(image.motion, true.motion)


def test_rare_motions_are_drawn_more_often():
    samples = replace(random_samples(20), motion=torch.tensor([1] * 16 + [3] * 4))
    shares = film_shares(samples, 0.5, 0.0)
    assert float(shares.sum()) == pytest.approx(1.0, abs=1e-6)
    assert float(shares[:16].sum() / shares[16:].sum()) == pytest.approx(2.0, rel=1e-4)
    assert torch.allclose(film_shares(samples, 0.0, 0.0), torch.full((20,), 0.05))
    rare = film_shares(replace(samples, nouns=("fox",) * 16 + ("eel",) * 4), 0.0, 1.0)
    assert torch.allclose(rare, torch.tensor([1 / 32] * 16 + [1 / 8] * 4))


def test_most_levels_are_where_the_motion_is_decided():
    t = draw_levels(20_000, torch.Generator().manual_seed(0))
    assert float(t.min()) >= MIN_TRAINED_LEVEL
    assert float(t.max()) <= MAX_TRAINED_LEVEL
    evenly = (MAX_TRAINED_LEVEL - DECISIVE_LEVEL) / (MAX_TRAINED_LEVEL - MIN_TRAINED_LEVEL)
    wanted = DECISIVE_SHARE + (1 - DECISIVE_SHARE) * evenly
    assert float((t > DECISIVE_LEVEL).float().mean()) == pytest.approx(wanted, abs=0.01)


def test_wordings_are_near_phrases_of_their_motion():
    motions = torch.arange(len(VOCABULARY_NAMES))
    exact = draw_wordings(motions, BANK, 0.0, torch.Generator().manual_seed(0))
    near = (exact[:, None] - BANK).norm(dim=-1).amin(1)
    assert float(near.max()) < 1e-6, "a phrase of the motion itself"
    noisy = draw_wordings(motions, BANK, 0.3, torch.Generator().manual_seed(0))
    assert torch.allclose(noisy.norm(dim=1), torch.ones(len(motions)))
    assert torch.allclose((exact * noisy).sum(1), torch.full((len(motions),), (1 + 0.3**2) ** -0.5), atol=0.06)
    again = motion_vectors(BANK, torch.tensor([4, 4, 4]))
    assert torch.equal(again, BANK[4, [0, 1, 0]]), "phrases in turn"


@pytest.mark.parametrize(("said", "share"), [(1.0, 1.0), (0.0, 0.0), (0.5, 0.75)])
def test_explained_shares_of_one_that_knows_and_of_one_that_says_nothing(monkeypatch, said, share):
    samples = random_samples(40)
    network = new_network(samples, TINY, 0)
    monkeypatch.setattr(network, "forward", speaking_of(said * samples.film.float().flatten(2)))
    true, found = clean_estimates(network, samples, BANK)
    shares = explained_shares(true, found, samples.nouns)
    assert set(shares) == {"kind 0", "kind 1", "kind 2"}
    assert all(value == pytest.approx(share, abs=1e-3) for value in shares.values())
    log = measure_network(network, samples, BANK)
    assert all(value == pytest.approx(share, abs=1e-3) for value in log.values())
    known = measure_knowledge(network, samples, samples, BANK)
    assert torch.allclose(known.explained[:, :20], torch.full((FRAMES, 20, 2), share), atol=1e-3)
    z = (network.dct @ samples.film.float().flatten(2)).square().unflatten(2, (LABELS, PART_NUMBERS))
    assert torch.allclose(known.energy[:, 1, 0], z[:, :, 1, :3].mean((0, 2)), rtol=1e-3)
    assert torch.allclose(known.energy[:, 5, 1], z[1::2, :, 5, 3:].mean((0, 2)), rtol=1e-3), "of films that show it"
    assert not known.energy[:, 20:].any()


def test_gains_make_each_motion_as_large_as_it_is():
    """Films found at a share of their size get its inverse, part by part and at each frequency."""
    generator = torch.Generator().manual_seed(0)
    true = torch.randn(24, FRAMES, FILM_NUMBERS, generator=generator)
    motions = torch.tensor([3] * 8 + [8] * 12 + [9] * 4)
    found = true * torch.tensor([0.5] * 8 + [2.0] * 12 + [0.1] * 4)[:, None, None]
    hand = next(k for k in range(LABELS) if MIRRORED_LABELS[k] != k)
    for label in (hand, int(MIRRORED_LABELS[hand])):
        one = slice(label * PART_NUMBERS, label * PART_NUMBERS + 3)
        found[:8, :, one] *= 0.8
        found[8:20, :, one] = torch.randn(12, FRAMES, 3, generator=generator)  # nothing to do with the truth
    found[:8, 5] *= 0.7
    gains, parts = motion_gains(true, found, motions)
    others = [k for k in range(LABELS) if k not in (hand, int(MIRRORED_LABELS[hand]))]
    assert torch.allclose(parts[3, others], torch.full((LABELS - 2, 2), 2.0), rtol=0.05)
    assert torch.allclose(parts[3, hand], torch.tensor([2.5, 2.0]), rtol=0.05)
    assert torch.allclose(parts[8, others], torch.ones(LABELS - 2, 2)), "what is known is never made smaller"
    assert float(parts[8, hand, 0]) < 0.2, "what is found by chance is made smaller"
    assert float(parts[8, hand, 1]) == pytest.approx(1.0)
    assert torch.equal(parts[3, hand], parts[3, int(MIRRORED_LABELS[hand])])
    assert float(gains[3, 5] / gains[3, 6]) == pytest.approx(1 / 0.7, rel=0.05)
    assert torch.allclose(gains[3, 6:], torch.ones(FRAMES - 6), atol=0.05)
    few = [k for k in range(len(gains)) if k not in (3, 8)]
    assert torch.equal(gains[few], torch.ones(len(few), FRAMES))
    assert torch.equal(parts[few], torch.ones(len(few), LABELS, 2))
    assert torch.equal(gains[:, 0], torch.ones(len(gains)))
    assert all(bool(torch.isfinite(x).all()) for x in motion_gains(0.001 * true, 0.0 * true, motions))


def test_mean_films_are_those_that_the_prior_proposes():
    samples, prior = random_samples(3), tiny_prior()
    films = replace(samples, motion=torch.full((3,), VOCABULARY_NAMES.index("walk")))
    bank = text_of("walk").vector.expand(len(VOCABULARY_NAMES), 2, -1)
    for k in range(3):
        one = pick_films(films, torch.tensor([k]))
        frame = torch.cat([one.start[0], one.mass[0, :, None]], 1)[..., None]
        known, phase, rate, side, *axes = one.style[0].tolist()
        told = StyleConditioning(phase, rate, side < 0, tuple(axes))
        condition = prior.condition("walk", reference=Reference(frame), style=told)
        still, generator = condition.start.expand(FRAMES, -1), torch.Generator().manual_seed(1)
        mean = mean_latent(prior, condition, still, generator, guidance=1.0, steps=prior.proposal_calls)
        assert known == 1.0
        assert torch.allclose(mean_films(prior.network, one, bank)[0], mean - still, atol=1e-3)


def test_natural_rates_are_found_from_films():
    samples = random_samples(400)
    features = rate_features(samples.start)
    law = torch.tensor([math.log(0.07), 0.3, -0.2, 0.1])
    style = samples.style.clone()
    style[:, 2] = torch.exp(features @ law)
    style[7::9, 0] = 0.0  # their rate is not known and does not count
    style[7::9, 2] = 5.0
    motion = torch.where(torch.arange(400) % 2 == 0, VOCABULARY_NAMES.index("walk"), VOCABULARY_NAMES.index("run"))
    found = natural_rates(replace(samples, style=style, motion=motion), ridge=1e-6)
    for name in ("walk", "run"):
        assert torch.allclose(features @ found[VOCABULARY_NAMES.index(name)], features @ law, atol=0.02)
    assert found[VOCABULARY_NAMES.index("wave")].tolist() == pytest.approx([math.log(0.065), 0.0, 0.0, 0.0], abs=1e-5)


def test_a_stopped_training_goes_on_to_the_same_bytes(tmp_path):
    samples, unseen = random_samples(40), random_samples(18, seed=1)
    settings = FilmTraining(steps=6, batch=8, checkpoint_every=3, warmup_steps=2)

    def run(folder, progress=None):
        return train_motion_network(
            new_network(samples, TINY, 0), samples, unseen, BANK, settings, folder, progress=progress
        )

    class Stop(Exception):
        pass

    def stop(done, total, what):
        if done == 4:
            raise Stop

    whole = run(tmp_path / "whole")
    with pytest.raises(Stop):
        run(tmp_path / "parts", stop)
    again = run(tmp_path / "parts")
    for name, value in whole.state_dict().items():
        assert torch.equal(again.state_dict()[name], value), name
    logs = [(tmp_path / name / "log.jsonl").read_text() for name in ("whole", "parts")]
    assert logs[0] == logs[1]
    lines = [json.loads(line) for line in logs[0].splitlines()]
    assert [line["step"] for line in lines] == [3, 6]
    assert {"loss", "mean pose", "slow", "fast", "families", "worst family"} <= set(lines[0])


def test_training_learns_what_the_style_tells():
    """Films that are one wave in the phase of their clock: hardly any is missed after a hundred steps."""
    samples = random_samples(64)
    phase = samples.style[:, 1, None] + samples.style[:, 2, None] * torch.arange(FRAMES)
    wave = torch.sin(2.0 * math.pi * phase)[..., None, None]
    samples = replace(
        samples, film=(2.0 * wave * samples.present[:, None, :, None].float()).expand(-1, -1, -1, 9).half()
    )
    network = new_network(samples, replace(TINY, width=32), 0)
    before = measure_network(network, samples, BANK)["slow"]
    weights, settings = loss_weights(samples, network), FilmTraining(batch=32, start_noise=0.0)
    optimiser = torch.optim.AdamW(network.parameters(), lr=4e-3)
    for step in range(100):
        generator = torch.Generator().manual_seed(step)
        optimiser.zero_grad()
        film_batch_loss(network, samples, weights, torch.ones(64), BANK, settings, generator).backward()
        optimiser.step()
    assert measure_network(network.eval(), samples, BANK)["slow"] > max(0.6, before + 0.2)


@shipped
def test_the_right_sentence_explains_unseen_films_better(tmp_path):
    paths = []
    for seed, noun in enumerate(("fox", "human", "songbird")):
        generator = np.random.default_rng([77, seed])
        paths.append(tmp_path / f"{noun}.safetensors")
        write_shard(paths[-1], lambda: creature_films(draw_individual(generator, (noun,)), 8, generator))  # noqa: B023
    samples, network = read_shards(paths), load_embedded().network
    everything = ["all"] * len(samples)

    def explained(samples):
        return explained_shares(*clean_estimates(network, samples, phrase_embeddings(0)), everything)["all"]

    right = explained(samples)
    wrong = explained(replace(samples, motion=samples.motion.roll(5)))
    untimed = explained(replace(samples, style=torch.zeros_like(samples.style)))
    assert right > 0.6
    assert right > wrong + 0.2
    assert right > untimed + 0.1
