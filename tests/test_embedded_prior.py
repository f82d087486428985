"""The embedded prior: its network's closed form, its conditions, its targets and its weights."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from distillation_setup import subject_of
from safetensors.torch import load_file, save_file
from tiny_embedded_prior import TINY, text_of, tiny_knowledge, tiny_network, tiny_prior

from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.parameter_ranges import ranges_of
from gambol.diffusion.dct import cosine_transform
from gambol.diffusion.samplers import sample_latent
from gambol.diffusion.video_prior import Reference
from gambol.errors import PriorError
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import (
    KNOWLEDGE_TENSORS,
    PRECISION_BAND,
    ProposalConstants,
    unknown_knowledge,
)
from gambol.priors.embedded.network import (
    CLOCK_NUMBERS,
    HARMONICS,
    STYLE_FEATURES,
    Conditioning,
    MotionNetwork,
    clock_features,
    style_features,
)
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.part_observer import FILM_ROWS
from gambol.priors.embedded.prior import WEIGHTS, EmbeddedPrior, load_embedded, motion_vector, read_facts, save_embedded
from gambol.priors.embedded.proposal import mean_latent, style_from_frame, window_starts
from gambol.priors.embedded.style import (
    MAX_DEVIATION,
    STYLE_AXES,
    STYLE_NUMBERS,
    TAKE_SPREAD,
    TAKE_TEMPO,
    TEMPO_HALF_RANGE,
    StyleConditioning,
    draw_take,
    unknown_style,
)
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.render.observer import ObserverConfig
from gambol.training.embedded.creature_clips import style_conditioning

LABELS = len(PART_LABELS)
shipped = pytest.mark.skipif(not WEIGHTS.is_file(), reason="there are no shipped weights")


@pytest.fixture(scope="module")
def observer():
    return tiny_prior().observer(subject_of("fox"), ObserverConfig(splats=200))


@pytest.fixture(scope="module")
def frame(observer):
    return observer.start_frame(0)


def conditioning(batch: int, seed: int = 0, absent: tuple[int, ...] = (3, 40)) -> Conditioning:
    """Random conditioning of bodies without some parts."""
    generator = torch.Generator().manual_seed(seed)
    mass = torch.rand(batch, LABELS, generator=generator) + 0.1
    mass[:, list(absent)] = 0.0
    start = torch.randn(batch, LABELS, PART_NUMBERS, generator=generator) * (mass > 0)[..., None]
    style = torch.stack([StyleConditioning(0.1 * k, 0.05 + 0.02 * k, bool(k % 2)).numbers() for k in range(batch)])
    return Conditioning(torch.eye(TINY.text)[:batch], torch.ones(batch), start, mass / mass.sum(1, True), style)


def noise(*shape: int, seed: int = 4) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def signal(t: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.cos(0.5 * math.pi * t)[:, None, None], torch.sin(0.5 * math.pi * t)[:, None, None]


def test_before_training_the_network_is_wiener_s_filter():
    torch.manual_seed(1)
    network = MotionNetwork(TINY)
    network.mean.normal_()
    network.deviation.uniform_(0.2, 2.0)
    t, told = torch.tensor([0.3, 0.9]), conditioning(2)
    noisy = noise(2, FRAMES, FILM_NUMBERS)
    with torch.no_grad():
        v = network(noisy, t, told)
    a, s = signal(t)
    z, m, d = network.dct @ noisy, network.mean, network.deviation
    clean = network.dct.T @ (m + a * d**2 / (a**2 * d**2 + s**2) * (z - a * m))
    present = (told.mass > 0).float().repeat_interleave(PART_NUMBERS, 1)[:, None]
    assert torch.allclose(a * noisy - s * v, clean * present, atol=1e-4)


def test_absent_parts_stay_zero_and_tell_nothing():
    network, told, t = tiny_network(), conditioning(2), torch.tensor([0.4, 0.95])
    noisy, (a, s) = noise(2, FRAMES, FILM_NUMBERS), signal(torch.tensor([0.4, 0.95]))
    absent = (told.mass == 0).repeat_interleave(PART_NUMBERS, 1)[:, None].expand_as(noisy)
    clean = a * noisy - s * network(noisy, t, told)
    assert float(clean[absent].abs().max()) < 1e-5
    other = torch.where(absent, noise(*noisy.shape, seed=5), noisy)
    again = a * other - s * network(other, t, told)
    assert torch.allclose(again, clean, atol=1e-5)
    assert float(clean[~absent].abs().mean()) > 0.05


def test_films_of_a_batch_do_not_mix_and_all_of_the_conditioning_counts():
    network, told = tiny_network(), conditioning(3)
    t, noisy = torch.tensor([0.3, 0.6, 0.9]), noise(3, FRAMES, FILM_NUMBERS)
    whole = network(noisy, t, told)
    for k in range(3):
        one = slice(k, k + 1)
        assert torch.allclose(network(noisy[one], t[one], told.row(one)), whole[one], atol=1e-4)
    changes = {
        "text": told.text.roll(1, 0),
        "has_text": torch.zeros(3),
        "start": told.start + 3.0 * (told.mass > 0)[..., None],
        "mass": told.mass.roll(1, 0),
        "style": told.style.roll(1, 0),
    }
    for name, value in changes.items():
        assert not torch.allclose(network(noisy, t, replace(told, **{name: value})), whole, atol=1e-4), name


@pytest.mark.parametrize("first", [1, 7, 24, 60])
def test_the_clock_of_a_later_window_goes_on_where_the_first_one_s_is(first):
    style = StyleConditioning(0.13, 0.071, mirrored=True, axes=tuple(0.1 * k for k in range(len(STYLE_AXES))))
    whole = clock_features(style.numbers()[None], first + FRAMES)
    later = style_from_frame(style, first)
    assert 0.0 <= later.phase < 1.0
    assert (later.rate, later.mirrored, later.axes) == (style.rate, style.mirrored, style.axes)
    assert torch.allclose(clock_features(later.numbers()[None], FRAMES), whole[:, first:], atol=1e-4)


def test_the_clock_is_the_phase_its_harmonics_and_both_by_side():
    style = StyleConditioning(0.2, 0.05)
    clock = clock_features(style.numbers()[None], FRAMES)[0]
    assert clock.shape == (FRAMES, CLOCK_NUMBERS)
    angle = 2.0 * np.pi * (0.2 + 0.05 * 9)
    waves = [f(k * angle) for f in (np.sin, np.cos) for k in range(1, HARMONICS + 1)]
    assert clock[9].tolist() == pytest.approx([*waves, *waves], abs=1e-5)
    other = clock_features(replace(style, mirrored=True).numbers()[None], FRAMES)[0]
    assert torch.equal(other, torch.cat([clock[:, : 2 * HARMONICS], -clock[:, 2 * HARMONICS :]], 1))
    assert not clock_features(unknown_style()[None], FRAMES).any()
    assert style_features(style.numbers()[None]).shape == (1, STYLE_FEATURES)
    assert not style_features(unknown_style()[None]).any()


def test_time_has_no_scale():
    """Bodies of one build and different size have the same number of frames per stride."""
    assert natural_frame_rate(0.25) == pytest.approx(2.0 * natural_frame_rate(1.0))
    assert natural_frame_rate(0.9) == pytest.approx(16.0, rel=0.05), "a person's film has about 16 frames per second"
    assert natural_frame_rate(1e6) == natural_frame_rate(2.5)
    assert natural_frame_rate(1e-9) == natural_frame_rate(0.03)


def test_a_style_is_told_as_its_deviation_from_natural():
    natural = MotionStyle(phase=0.1, mirrored=True)
    told = style_conditioning(natural, 0.07).numbers()
    assert told.shape == (STYLE_NUMBERS,)
    assert torch.allclose(told, StyleConditioning(0.1, 0.07, mirrored=True).numbers(), atol=1e-6)
    for k, axis in enumerate(STYLE_AXES):
        allowed = ranges_of(MotionStyle)[axis]
        lowest, highest = (
            style_conditioning(replace(natural, **{axis: end}), 0.07).axes for end in (allowed.low, allowed.high)
        )
        assert highest[k] - lowest[k] == pytest.approx(2.0)
        assert np.delete(highest, k) == pytest.approx(np.zeros(len(STYLE_AXES) - 1), abs=1e-9)


def test_a_take_is_drawn_from_the_seed_not_from_the_prompt(frame):
    one, two = (draw_take(np.random.default_rng(3), 0.06) for _ in range(2))
    assert one == two
    drawn = [draw_take(np.random.default_rng(seed), 0.06) for seed in range(40)]
    assert len({style.phase for style in drawn}) == 40
    assert {style.mirrored for style in drawn} == {False, True}
    axes, tempos = np.array([style.axes for style in drawn]), np.array([style.rate for style in drawn]) / 0.06
    assert 0.8 * TAKE_SPREAD < np.abs(axes).max() <= TAKE_SPREAD, "a style near the natural one"
    assert 0.8 * TAKE_TEMPO < np.abs(np.log(tempos)).max() <= TAKE_TEMPO
    prior = tiny_prior()
    walk, run = (prior.condition(p, reference=Reference(frame, 3)).style for p in ("walk", "run"))
    assert walk == run
    slow = EmbeddedPrior(tiny_network(), tiny_knowledge(), lambda s: text_of("walk", tempo=-1.0, head=-2.0, lift=0.5))
    styled = slow.condition("walk", reference=Reference(frame, 3)).style
    assert styled.rate == pytest.approx((1.0 - TEMPO_HALF_RANGE) * walk.rate)
    changed = dict(zip(STYLE_AXES, np.subtract(styled.axes, walk.axes), strict=True))
    assert changed.pop("lift") == pytest.approx(0.5)
    assert styled.axes[STYLE_AXES.index("head")] == -MAX_DEVIATION
    assert not any(value for name, value in changed.items() if name != "head")
    assert (walk.phase, walk.mirrored, walk.axes) == (one.phase, one.mirrored, one.axes)


def test_a_seed_asks_for_the_body_s_natural_rate_and_without_one_nothing_is_said(frame):
    rates = unknown_knowledge(len(VOCABULARY_NAMES)).rates
    rates[VOCABULARY_NAMES.index("run"), 0] = math.log(0.1)
    known = replace(tiny_knowledge(), rates=rates)
    prior = EmbeddedPrior(tiny_network(), known, text_of)
    run, walk = (prior.condition(p, reference=Reference(frame, 0)) for p in ("run", "walk"))
    tempo = draw_take(np.random.default_rng(0), 1.0).rate
    assert run.style.rate == pytest.approx(0.1 * tempo, rel=1e-5)
    assert walk.style.rate == pytest.approx(0.065 * tempo, rel=1e-5)
    assert torch.equal(run.inputs.style, run.style.numbers().expand(2, -1))
    unsaid = prior.condition("walk", reference=Reference(frame))
    assert unsaid.style is None
    assert not unsaid.inputs.style.any()
    own = StyleConditioning(0.4, 0.08)
    assert prior.condition("walk", reference=Reference(frame, 0), style=own).style == own
    assert torch.equal(prior.with_style(walk, own).inputs.style, own.numbers().expand(2, -1))


def test_an_empty_sentence_is_a_walk_and_an_empty_negative_says_nothing(frame):
    prior = EmbeddedPrior(
        tiny_network(), tiny_knowledge(), lambda sentence: text_of("walk" if sentence == "walk" else "run")
    )
    empty, walk, other = (prior.condition(s, reference=Reference(frame)).inputs for s in (" ", "walk", "a fox"))
    assert torch.equal(empty.text, walk.text)
    assert torch.equal(empty.has_text, walk.has_text)
    assert empty.text[0].argmax() == VOCABULARY_NAMES.index("walk")
    assert other.text[0].argmax() == VOCABULARY_NAMES.index("run")
    assert other.has_text.tolist() == [1.0, 0.0]
    away = prior.condition("a fox", "walk", reference=Reference(frame)).inputs
    assert away.has_text.tolist() == [1.0, 1.0]
    assert away.text.argmax(1).tolist() == [VOCABULARY_NAMES.index("run"), VOCABULARY_NAMES.index("walk")]


def test_the_prior_says_what_it_needs():
    prior = tiny_prior()
    with pytest.raises(PriorError, match=rf"start pose as a frame \({LABELS}, {FILM_ROWS}, 1\), not none"):
        prior.condition("a fox runs")
    with pytest.raises(PriorError, match=r"not one of \(3, 8, 8\)"):
        prior.condition("a fox runs", reference=Reference(torch.zeros(3, 8, 8)))
    with pytest.raises(PriorError, match="gambol prior train"):
        load_embedded(Path("nowhere.safetensors"))


def test_a_film_s_latent_is_its_numbers_without_the_parts_mass(observer, frame):
    prior = tiny_prior()
    film = frame.repeat(FRAMES, 1, 1, 1)
    latent = prior.encode(film)
    assert latent.shape == (FRAMES, FILM_NUMBERS)
    assert torch.equal(latent[0].unflatten(0, (LABELS, PART_NUMBERS)), frame[:, :PART_NUMBERS, 0])
    condition = prior.condition("walk", reference=Reference(frame))
    assert torch.equal(condition.start, latent[0])
    assert torch.equal(condition.inputs.mass[0], frame[:, PART_NUMBERS, 0])
    assert torch.equal(prior.decode(latent), observer.picture(film))


def test_the_prior_counts_from_the_start_pose(frame):
    """A film and its start pose moved by the same latent give the same answer, moved."""
    prior = tiny_prior()
    condition = prior.condition("walk", reference=Reference(frame))
    shift, noisy = noise(FILM_NUMBERS, seed=1), noise(FRAMES, FILM_NUMBERS)
    moved = replace(condition, start=condition.start + shift)
    here = prior.predict_clean(noisy, 0.6, condition, 3.0)
    there = prior.predict_clean(noisy + prior.signal(0.6).a * shift, 0.6, moved, 3.0)
    assert torch.allclose(here + shift, there, atol=1e-3)


def test_guidance_one_is_the_plain_model_and_zero_the_one_without_text(frame):
    prior = tiny_prior()
    asked, noisy = prior.condition("run", reference=Reference(frame)), noise(FRAMES, FILM_NUMBERS)
    one, two, none = (prior.predict_clean(noisy, 0.7, asked, guidance) for guidance in (1.0, 2.0, 0.0))
    assert not torch.allclose(one, none, atol=1e-3)
    assert torch.allclose(two, none + 2.0 * (one - none), atol=1e-3)


@pytest.mark.parametrize(("frames", "guidance"), [(FRAMES, 1.0), (FRAMES + 30, 1.0), (3 * FRAMES, 2.0)])
def test_targets_of_all_windows_continue_the_cycle_and_their_evaluations_are_counted(frame, frames, guidance):
    prior = tiny_prior()
    condition = prior.condition("walk", reference=Reference(frame, 5))
    still = condition.start.expand(FRAMES, -1)
    generator = torch.Generator().manual_seed(9)
    target = prior.propose([condition], [still], frames=frames, calls=3, guidance=guidance, generator=generator)
    starts = window_starts(frames, FRAMES)
    assert target.windows == tuple((first, 0) for first in starts)
    assert target.evaluations == 3 * len(starts) * (1 if guidance == 1.0 else 2)
    assert target.latents.shape == (len(starts), FRAMES, FILM_NUMBERS)
    assert torch.equal(target.precision, prior.knowledge.precision())
    generator, C = torch.Generator().manual_seed(9), cosine_transform(FRAMES)
    walk = torch.eye(len(VOCABULARY_NAMES))[VOCABULARY_NAMES.index("walk")]
    amplitude = prior.knowledge.amplitude(walk)
    assert not torch.allclose(amplitude, prior.knowledge.amplitude()), "the motion's own amplitude"
    for first, film in zip(starts, target.latents, strict=True):
        styled = prior.with_style(condition, style_from_frame(condition.style, first))
        mean = mean_latent(prior, styled, still, generator, guidance=guidance, steps=3)
        before, after = C @ (mean - still), C @ (film - still)
        assert torch.allclose(after, amplitude * before, atol=1e-3)
    absent = (frame[:, PART_NUMBERS, 0] == 0).repeat_interleave(PART_NUMBERS)
    assert float((target.latents - still)[..., absent].abs().max()) < 1e-4


def test_samples_of_a_seed_are_the_same(frame):
    prior = tiny_prior()
    condition = prior.condition("walk", reference=Reference(frame), style=StyleConditioning(0.1, 0.06))
    still = condition.start.expand(FRAMES, -1)
    one, two = (sample_latent(prior, condition, still, torch.Generator().manual_seed(7), steps=3) for _ in range(2))
    other = sample_latent(prior, condition, still, torch.Generator().manual_seed(8), steps=3)
    assert torch.equal(one, two)
    assert not torch.allclose(one, other, atol=0.1)
    assert torch.isfinite(one).all()


def test_weights_are_read_back(tmp_path, frame):
    network, path = tiny_network(), tmp_path / "motion.safetensors"
    known = replace(tiny_knowledge(), constants=ProposalConstants(scale=3.0, amplitude_exponent=0.7))
    save_embedded(path, network, known, {"steps": "3"})
    back = load_embedded(path)
    assert back.network.shape == TINY
    assert back.knowledge.constants == known.constants
    for name in KNOWLEDGE_TENSORS:
        assert torch.equal(getattr(back.knowledge, name), getattr(known, name)), name
    for name, value in network.state_dict().items():
        assert torch.allclose(back.network.state_dict()[name], value, rtol=2e-3, atol=1e-4), name
    assert torch.equal(back.target_precision, known.precision())
    assert read_facts(path)["steps"] == "3"
    for _ in range(4):
        save_embedded(tmp_path / "same.safetensors", network, known, {"steps": "3"})
        assert (tmp_path / "same.safetensors").read_bytes() == path.read_bytes()
    save_embedded(tmp_path / "again.safetensors", back.network, back.knowledge, {"steps": "3"})
    again = load_embedded(tmp_path / "again.safetensors")
    noisy, condition = noise(FRAMES, FILM_NUMBERS), back.condition("walk", reference=Reference(frame))
    assert torch.equal(*(p.predict_clean(noisy, 0.5, condition, 1.0) for p in (back, again)))
    assert back.identity.startswith("embedded ")
    save_embedded(tmp_path / "other.safetensors", network, known, {"steps": "4"})
    assert load_embedded(tmp_path / "other.safetensors").identity != back.identity


def test_a_file_of_something_else_is_refused(tmp_path):
    other, path = tmp_path / "other.safetensors", tmp_path / "motion.safetensors"
    save_file({"x": torch.zeros(1)}, other)
    with pytest.raises(PriorError, match="its header has no width"):
        load_embedded(other)
    other.write_bytes(b"nothing")
    with pytest.raises(PriorError, match="does not hold an embedded prior"):
        load_embedded(other)
    save_embedded(path, tiny_network(), tiny_knowledge(), {})
    facts, tensors = read_facts(path), load_file(path)
    for missing in ("knowledge.rates", "network.out.weight"):
        save_file({name: x for name, x in tensors.items() if name != missing}, other, facts)
        with pytest.raises(PriorError, match="another version of Gambol"):
            load_embedded(other)
    save_file(tensors, other, {**facts, "proposal": '{"unheard_of": 1}'})
    with pytest.raises(PriorError, match="another version of Gambol"):
        load_embedded(other)


@shipped
def test_the_shipped_weights_are_small():
    files = list(WEIGHTS.parent.glob("*.safetensors"))
    assert {TEXT_WEIGHTS, WEIGHTS} <= set(files)
    assert WEIGHTS.stat().st_size <= 16e6
    assert TEXT_WEIGHTS.stat().st_size <= 8e6
    assert sum(path.stat().st_size for path in files) <= 25e6


@shipped
def test_the_shipped_film_is_known_in_its_swing_and_hardly_in_its_snap():
    """Frequencies 1 to 12 hold a gait's first harmonics; of those above 28 the network knows next to nothing."""
    known = load_embedded().knowledge
    usual = known.energy[PRECISION_BAND, :, 0].mean(0)
    moving = usual > 0.1 * usual.mean()
    slow, fast = (known.explained[band][:, moving, 0].clamp_min(0.0).mean() for band in (PRECISION_BAND, slice(28, 48)))
    assert float(fast) < 0.5 * float(slow)


@shipped
def test_the_shipped_rates_are_those_of_gaits(frame):
    prior = load_embedded()
    start = frame[:, :PART_NUMBERS, 0]
    each = {m: prior.knowledge.natural_rate(motion_vector({m: 1.0}), start) for m in ("walk", "run", "sneak")}
    assert 0.03 < each["sneak"] < each["walk"] < each["run"] < 0.2
