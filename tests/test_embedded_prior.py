"""The embedded prior: its stage, its latents, its network's closed form, its training, its shipped weights."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from creature_body import creature_body
from safetensors.torch import save_file

from gambol.creatures.gaits.make_motion import move_body
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.creatures.parameter_ranges import ranges_of
from gambol.diffusion.dct import cosine_transform
from gambol.diffusion.samplers import sample_latent
from gambol.diffusion.video_prior import Reference
from gambol.errors import PriorError
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.motion_names import MOTIONS
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.priors.embedded.latents import (
    LATENT_NUMBERS,
    MOTION_NUMBERS,
    REST_INPUT_NUMBERS,
    REST_NUMBERS,
    VideoLatents,
)
from gambol.priors.embedded.network import VIEW_NUMBERS, Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.picture_basis import Basis, basis_of_tensors, basis_tensors, explained, fit_basis
from gambol.priors.embedded.prior import WEIGHTS, EmbeddedPrior, load_embedded, save_embedded, view_of_camera
from gambol.priors.embedded.stage import FRAMES, SIDE, WIDTH, StageView, make_stage
from gambol.priors.embedded.style import STYLE_AXES, StyleConditioning, draw_start
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.training.embedded.creature_clips import draw_individual, render_creature_clips, stage_body
from gambol.training.embedded.shards import LatentSamples, encode_clips, read_shards, write_shard
from gambol.training.embedded.style_conditioning import style_conditioning
from gambol.training.embedded.train import (
    DenoiserTraining,
    explained_shares,
    held_out_losses,
    new_network,
    soft_labels,
    train_motion_network,
)

PIXELS = 3 * SIDE * WIDTH
SMALL = NetworkShape(width=32, depth=2, heads=2, frequencies=12)
shipped = pytest.mark.skipif(not WEIGHTS.is_file(), reason="there are no shipped weights")


@pytest.fixture(scope="module")
def fox():
    character, anatomy = creature_body("fox", 5, vertices=1200)
    return stage_body("fox", character, anatomy)


@pytest.fixture(scope="module")
def stage(fox):
    return make_stage(fox.actor, fox.anatomy, StageView())


@pytest.fixture(scope="module")
def latents():
    """Random orthonormal bases."""
    generator = torch.Generator().manual_seed(0)

    def basis(numbers: int) -> Basis:
        V = torch.linalg.qr(torch.randn(PIXELS, numbers, generator=generator))[0]
        return Basis(V, torch.rand(numbers, generator=generator) + 0.5, torch.zeros(PIXELS))

    return VideoLatents(basis(MOTION_NUMBERS), basis(REST_NUMBERS))


def random_network(shape: NetworkShape = SMALL) -> MotionNetwork:
    torch.manual_seed(1)
    network = MotionNetwork(shape)
    network.mean.normal_()
    network.deviation.uniform_(0.2, 2.0)
    return network


def random_samples(count: int, seed: int = 0) -> LatentSamples:
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator)

    motions = torch.arange(count) % len(MOTIONS)
    return LatentSamples(
        normal(count, FRAMES, LATENT_NUMBERS), normal(count, REST_INPUT_NUMBERS), normal(count, VIEW_NUMBERS), motions
    )


def test_a_film_is_two_square_views_of_the_rest_pose(stage):
    film = stage.render(torch.zeros(2, 6), torch.zeros(2, stage.actor.splats.bone_count - 1, 3))
    assert film.shape == (2, 3, SIDE, WIDTH)
    assert torch.equal(film[0], film[1])
    assert torch.equal(film[0], stage.rest_frame)
    assert float(film.min()) >= 0.0
    assert float(film.max()) <= 1.0
    body = (film[0] - torch.cat(list(stage.behind), -1)).abs().amax(0) > 0.05
    assert body[:, :SIDE].any(), "the first view shows it"
    assert body[:, SIDE:].any(), "so does the second"
    assert not body[[0, -1]].any(), "it has room above and below"


def test_the_film_s_gradient_is_its_finite_difference(stage):
    root = torch.zeros(1, 6, requires_grad=True)
    angles = torch.zeros(1, stage.actor.splats.bone_count - 1, 3)
    ramp = torch.linspace(0.0, 1.0, SIDE)
    weights = (ramp[:, None] + 0.5 * ramp.repeat(2)[None]).expand(1, 3, SIDE, WIDTH)
    (stage.render(root, angles) * weights).sum().backward()
    step = 1e-2 * stage.actor.size
    for axis in (0, 1):
        shift = torch.zeros(1, 6)
        shift[0, axis] = step
        with torch.no_grad():
            ahead, behind = ((stage.render(sign * shift, angles) * weights).sum() for sign in (1.0, -1.0))
        assert float(root.grad[0, axis]) == pytest.approx(float(ahead - behind) / (2 * step), rel=0.05, abs=1.0)


def test_the_mirrored_view_sees_the_other_side():
    view = StageView(0.3, 0.2)
    assert view.mirrored().azimuth == pytest.approx(np.pi - 0.3)
    first, second = view.azimuths
    assert second - first > 0
    assert view.mirrored().azimuths[1] - view.mirrored().azimuths[0] < 0
    assert np.sin(second) > 0, "the second camera stands before the body"


def test_a_camera_gives_its_view_back(stage):
    view = view_of_camera(stage.first_camera)
    assert view.azimuth == pytest.approx(stage.view.azimuth, abs=1e-5)
    assert view.elevation == pytest.approx(stage.view.elevation, abs=1e-5)


def test_time_has_no_scale():
    """Bodies of one build and different size have the same number of frames per stride."""
    assert natural_frame_rate(0.25) == pytest.approx(2.0 * natural_frame_rate(1.0))
    assert natural_frame_rate(0.9) == pytest.approx(16.0, rel=0.05), "a person's film has about 16 frames per second"
    assert natural_frame_rate(1e6) == natural_frame_rate(2.5)
    assert natural_frame_rate(1e-9) == natural_frame_rate(0.03)


def test_the_straight_way_is_taken_out_exactly(fox):
    body = measure_body(fox.character, fox.anatomy)
    clip = move_body(body, "walk", MotionStyle(), seconds=(FRAMES - 1) / fox.fps, fps=fox.fps, loop=False)
    root, velocity = remove_steady_travel(clip)
    moved = replace(clip, root=clip.root + np.arange(FRAMES)[:, None] * np.array([0.3, 0, -0.1, 0, 0, 0]))
    again, faster = remove_steady_travel(moved)
    np.testing.assert_allclose(again, root, atol=1e-12)
    np.testing.assert_allclose(faster - velocity, [0.3, -0.1], atol=1e-12)
    assert abs(root[:, 0].mean()) < 1e-12
    assert velocity[0] > 0


def test_the_cosine_transform_is_orthonormal():
    M = cosine_transform(FRAMES).double()
    assert torch.allclose(M @ M.T, torch.eye(FRAMES, dtype=torch.float64), atol=1e-5)


def test_before_training_the_network_is_wiener_s_filter():
    network = random_network()
    t = torch.tensor([0.3, 0.9])
    noisy = torch.randn(2, FRAMES, LATENT_NUMBERS, generator=torch.Generator().manual_seed(4))
    told = Conditioning(
        torch.eye(len(MOTIONS))[:2], torch.ones(2), torch.zeros(2, REST_INPUT_NUMBERS), torch.zeros(2, VIEW_NUMBERS)
    )
    with torch.no_grad():
        v = network(noisy, t, told)
    a, s = torch.cos(0.5 * torch.pi * t)[:, None, None], torch.sin(0.5 * torch.pi * t)[:, None, None]
    z = network.dct @ noisy
    m, d = network.mean, network.deviation
    clean = m + a * d**2 / (a**2 * d**2 + s**2) * (z - a * m)
    assert torch.allclose(network.dct @ (a * noisy - s * v), clean, atol=1e-4)


def test_components_are_linear_and_come_back(latents, stage):
    frames = stage.render(
        0.1 * torch.randn(3, 6, generator=torch.Generator().manual_seed(2)),
        torch.zeros(3, stage.actor.splats.bone_count - 1, 3),
    )
    rest = stage.rest_frame
    z, still = (latents.encode(x)[:, :MOTION_NUMBERS] for x in (frames, rest[None]))
    halfway = latents.encode(0.5 * (frames + rest))[:, :MOTION_NUMBERS]
    assert torch.allclose(halfway, 0.5 * (z + still), atol=1e-4)
    assert torch.allclose(latents.motion.encode(latents.decode(latents.encode(frames))), z, atol=1e-3)
    assert latents.encode(frames).shape == (3, LATENT_NUMBERS)
    assert latents.encode_rest(rest).shape == (REST_INPUT_NUMBERS,)


def test_a_basis_of_what_has_few_directions_keeps_all_of_it_also_in_eight_bits():
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(400, 12, generator=generator) @ torch.randn(12, 900, generator=generator)
    basis = fit_basis(rows, 12, centred=False)
    assert explained(rows, basis) > 0.9999
    assert explained(rows, basis_of_tensors("x", basis_tensors("x", basis))) > 0.99


def test_the_prior_counts_from_the_rest_frame(latents, stage):
    """A film and its rest frame moved by the same latent give the same answer, moved."""
    prior = EmbeddedPrior(random_network(), latents, lambda sentence: {"walk": 1.0})
    condition = prior.condition("walk", reference=Reference(stage.rest_frame, stage.first_camera))
    shift = torch.randn(LATENT_NUMBERS, generator=torch.Generator().manual_seed(1))
    moved = replace(condition, rest=condition.rest + shift)
    noisy = torch.randn(FRAMES, LATENT_NUMBERS, generator=torch.Generator().manual_seed(2))
    here = prior.predict_clean(noisy, 0.6, condition, 3.0)
    there = prior.predict_clean(noisy + prior.signal(0.6).a * shift, 0.6, moved, 3.0)
    assert torch.allclose(here + shift, there, atol=1e-3)


def test_guidance_one_is_the_plain_model_and_zero_the_one_without_text(latents, stage):
    torch.manual_seed(0)
    network = random_network()
    torch.nn.init.normal_(network.out.weight, std=0.1)
    torch.nn.init.normal_(network.no_text)
    for block in network.blocks:
        torch.nn.init.normal_(block.told.weight, std=0.1)
    prior = EmbeddedPrior(network, latents, lambda sentence: {"run": 1.0})
    asked = prior.condition("run", reference=Reference(stage.rest_frame))
    noisy = torch.randn(FRAMES, LATENT_NUMBERS)
    one, two, none = (prior.predict_clean(noisy, 0.7, asked, guidance) for guidance in (1.0, 2.0, 0.0))
    assert asked.inputs.has_text.tolist() == [1.0, 0.0]
    assert not torch.allclose(one, none)
    assert torch.allclose(two, none + 2.0 * (one - none), atol=1e-3)


def test_an_empty_sentence_is_a_walk(latents, stage):
    prior = EmbeddedPrior(random_network(), latents, lambda sentence: {sentence: 1.0})
    empty, walk = (prior.condition(s, reference=Reference(stage.rest_frame)).inputs for s in (" ", "walk"))
    assert torch.equal(empty.text, walk.text)
    assert torch.equal(empty.has_text, walk.has_text)


def test_the_prior_says_what_it_needs(latents):
    prior = EmbeddedPrior(random_network(), latents, lambda sentence: {})
    with pytest.raises(PriorError, match=rf"\(3, {SIDE}, {WIDTH}\), not none"):
        prior.condition("a fox runs")
    with pytest.raises(PriorError, match=r"not one of \(3, 8, 8\)"):
        prior.condition("a fox runs", reference=Reference(torch.zeros(3, 8, 8)))
    with pytest.raises(PriorError, match="gambol prior train"):
        load_embedded(Path("nowhere.safetensors"))


def test_a_file_of_something_else_is_refused(tmp_path):
    save_file({"x": torch.zeros(1)}, tmp_path / "other.safetensors")
    with pytest.raises(PriorError, match="its header has no width"):
        load_embedded(tmp_path / "other.safetensors")


def test_weights_are_read_back(tmp_path, latents):
    network = random_network()
    save_embedded(tmp_path / "motion.safetensors", network, latents, {"steps": "3"})
    back = load_embedded(tmp_path / "motion.safetensors")
    assert back.network.shape == SMALL
    for name, value in network.state_dict().items():
        assert torch.allclose(back.network.state_dict()[name], value, rtol=2e-3, atol=1e-4), name
    (tmp_path / "other.safetensors").write_bytes(b"nothing")
    with pytest.raises(PriorError, match="does not hold an embedded prior"):
        load_embedded(tmp_path / "other.safetensors")


def test_samples_of_a_seed_are_the_same(latents, stage):
    prior = EmbeddedPrior(random_network(), latents, lambda sentence: {"walk": 1.0})
    condition = prior.condition("walk", reference=Reference(stage.rest_frame), style=StyleConditioning(0.1))
    still = condition.rest.expand(FRAMES, -1)
    one, two = (sample_latent(prior, condition, still, torch.Generator().manual_seed(7), steps=3) for _ in range(2))
    assert torch.equal(one, two)
    assert prior.decode_on(one, stage.rest_frame).shape == (FRAMES, 3, SIDE, WIDTH)


def test_a_still_film_is_the_rest_frame_and_an_unmade_shard_is_made_once(tmp_path, latents):
    made = []

    def films():
        made.append(1)
        generator = np.random.default_rng([9, 9])
        return render_creature_clips(draw_individual(generator), 3, generator)

    path = tmp_path / "shard.safetensors"
    write_shard(path, films, latents)
    first = path.read_bytes()
    write_shard(path, films, latents)
    assert len(made) == 1
    assert path.read_bytes() == first
    samples = read_shards([path, path])
    assert len(samples) == 6
    assert samples.z.shape[1:] == (FRAMES, LATENT_NUMBERS)
    path.unlink()
    write_shard(path, films, latents)
    assert path.read_bytes() == first, "a shard depends on its seed alone"


def test_explained_shares_of_an_oracle_and_of_one_that_says_nothing(monkeypatch):
    samples, network = random_samples(40), new_network(random_samples(40), SMALL, 0)
    clean = samples.z.float()

    def speaking_of(z):
        """v = (a z_t - z) / s: the network that takes z for the clean film."""

        def forward(noisy, t, told):
            a, s = (f(0.5 * math.pi * t)[:, None, None] for f in (torch.cos, torch.sin))
            return (a * noisy - z) / s

        return forward

    monkeypatch.setattr(network, "forward", speaking_of(clean))
    assert torch.allclose(explained_shares(network, samples), torch.ones(FRAMES, 2), atol=1e-4)
    monkeypatch.setattr(network, "forward", speaking_of(0.0 * clean))
    assert torch.allclose(explained_shares(network, samples), torch.zeros(FRAMES, 2), atol=1e-4)
    monkeypatch.setattr(network, "forward", speaking_of(0.5 * clean))
    assert torch.allclose(explained_shares(network, samples), torch.full((FRAMES, 2), 0.75), atol=1e-4)


def test_labels_are_soft_and_true():
    motions = torch.arange(len(MOTIONS))
    labels = soft_labels(motions, len(MOTIONS), 0.4, torch.Generator().manual_seed(0))
    assert torch.allclose(labels.sum(1), torch.ones(len(MOTIONS)))
    assert bool((labels >= 0).all())
    assert torch.equal(labels.argmax(1), motions)
    assert float(labels.max(1).values.min()) >= 0.6


def test_a_stopped_training_goes_on_to_the_same_numbers(tmp_path):
    samples, unseen = random_samples(40), random_samples(18, seed=1)
    settings = DenoiserTraining(steps=6, batch=8, checkpoint_every=3, warmup_steps=2)

    def run(folder, steps):
        folder.mkdir(exist_ok=True)
        network = new_network(samples, SMALL, 0)
        return train_motion_network(network, samples, unseen, replace(settings, steps=steps), folder)

    whole = run(tmp_path / "whole", 6)
    run_settings = replace(settings, steps=6)
    (tmp_path / "parts").mkdir()

    class Stop(Exception):
        pass

    def stop(done, total, what):
        if done == 4:
            raise Stop

    with pytest.raises(Stop):
        train_motion_network(
            new_network(samples, SMALL, 0), samples, unseen, run_settings, tmp_path / "parts", progress=stop
        )
    again = run(tmp_path / "parts", 6)
    for name, value in whole.state_dict().items():
        assert torch.equal(again.state_dict()[name], value), name
    lines = (tmp_path / "parts" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [3, 6]


def test_a_start_is_drawn_from_the_seed_not_from_the_prompt():
    one, two = (draw_start(np.random.default_rng(3)) for _ in range(2))
    assert one == two
    assert one.tempo == 1.0
    assert len({draw_start(np.random.default_rng(seed)).phase for seed in range(5)}) == 5


@shipped
def test_the_shipped_weights_are_small():
    files = list(WEIGHTS.parent.glob("*.safetensors"))
    assert TEXT_WEIGHTS in files
    assert WEIGHTS in files
    assert sum(path.stat().st_size for path in files) <= 25e6
    assert TEXT_WEIGHTS.stat().st_size <= 8e6


@shipped
def test_the_right_sentence_explains_unseen_films_better():
    prior = load_embedded()
    films = []
    for seed in range(4):
        generator = np.random.default_rng([77, seed])
        films += render_creature_clips(draw_individual(generator), 8, generator)
    losses = held_out_losses(prior.network, encode_clips(films, prior.latents))
    assert float(losses["right"].mean()) < 0.95 * float(losses["none"].mean())
    assert float(losses["right"].mean()) < 0.85 * float(losses["wrong"].mean())


@shipped
def test_leg_length_sets_the_film_s_tempo(fox):
    assert fox.fps == natural_frame_rate(typical_leg_length(fox.character, fox.anatomy))


def test_a_manner_tells_how_a_style_deviates_from_natural():
    natural = MotionStyle(phase=0.1, tempo=1.2, mirrored=True)
    assert torch.allclose(
        style_conditioning(natural).numbers(), StyleConditioning(0.1, 1.2, mirrored=True).numbers(), atol=1e-6
    )
    for k, way in enumerate(STYLE_AXES):
        allowed = ranges_of(MotionStyle)[way]
        lowest, highest = (
            style_conditioning(replace(natural, **{way: end})).axes for end in (allowed.low, allowed.high)
        )
        assert highest[k] - lowest[k] == pytest.approx(2.0)
        assert np.delete(highest, k) == pytest.approx(np.zeros(len(STYLE_AXES) - 1), abs=1e-9)


def test_score_distillation_pulls_by_components_alone():
    prior = load_embedded()
    gradient = torch.randn(FRAMES, LATENT_NUMBERS, generator=torch.Generator().manual_seed(0))
    pull = prior.score_weights * gradient
    assert torch.equal(pull[:, :MOTION_NUMBERS], gradient[:, :MOTION_NUMBERS])
    assert not pull[:, MOTION_NUMBERS:].any()


def test_the_shipped_film_is_believed_in_its_swing_and_hardly_in_its_snap():
    """Frequencies 1 to 6 hold a gait's first harmonic; above 13 the network knows next to nothing."""
    certainty = load_embedded().target_precision
    assert (certainty[13:].amax(0) < 0.25 * certainty[1:7].amin(0)).all()
