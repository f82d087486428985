"""Score distillation against closed forms: a Gaussian mixture whose score is exact."""

import math

import pytest
import torch

from gambol.diffusion.level_schedules import AnnealedDraw, Constant, FallingBound, Ramp
from gambol.diffusion.out_of_memory import explain_out_of_memory
from gambol.diffusion.parametrisation import (
    NOISE_PREDICTION,
    RECTIFIED_FLOW,
    V_PREDICTION,
    Signal,
    guide,
    signal_cosine,
    signal_flow,
    signal_of_alphas,
    weight_noise,
    weight_one,
    weight_variance,
)
from gambol.diffusion.score_gradient import (
    ScoreConfig,
    ScoreReference,
    check_finite,
    draw_noise,
    draw_score,
    gradient_at,
)
from gambol.diffusion.video_prior import VideoFormat
from gambol.errors import PriorError
from gambol.priors.library.mixture_prior import Mixture, MixturePrior, posterior_mean

FORMAT = VideoFormat(3, 4, 4, 8.0)
SHAPE = (3, 3, 2, 2)
DDPM = torch.cumprod(1 - torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2, 0)
FAMILIES = {
    "v-prediction": (V_PREDICTION, signal_cosine),
    "noise prediction": (NOISE_PREDICTION, lambda t: signal_of_alphas(DDPM, t)),
    "rectified flow": (RECTIFIED_FLOW, signal_flow),
}
ONE = Mixture(
    torch.rand(1, *SHAPE, generator=torch.Generator().manual_seed(3), dtype=torch.float64) - 0.5,
    torch.tensor([0.3], dtype=torch.float64),
    torch.ones(1, dtype=torch.float64),
    ("walk",),
)
TWO = Mixture(
    torch.stack([torch.full(SHAPE, 0.5), torch.full(SHAPE, -0.4)]).double(),
    torch.tensor([0.01, 0.02], dtype=torch.float64),
    torch.tensor([0.3, 0.7], dtype=torch.float64),
    ("walk", "run"),
)


def make(family, mixture=ONE):
    parametrisation, signal = FAMILIES[family]
    return MixturePrior(mixture, FORMAT, parametrisation=parametrisation, signal=signal, factor=2)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def draw(seed=0):
    return torch.randn(SHAPE, generator=seeded(seed), dtype=torch.float64)


def shrink(signal, deviation=0.3):
    """Of a single Gaussian: x0 - m = k (z_t - a m)."""
    return signal.a * deviation**2 / (signal.a**2 * deviation**2 + signal.s**2)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("t", [0.05, 0.5, 0.95])
def test_output_and_clean_are_inverse_and_the_true_output_gives_the_true_clean(family, t):
    parametrisation, signal_at = FAMILIES[family]
    signal, z, e = signal_at(t), draw(1), draw(2)
    noisy = signal.a * z + signal.s * e
    assert torch.allclose(parametrisation.clean(noisy, parametrisation.output(noisy, z, signal), signal), z)
    true_output = {"v-prediction": signal.a * e - signal.s * z, "noise prediction": e, "rectified flow": e - z}[family]
    assert torch.allclose(parametrisation.clean(noisy, true_output, signal), z, atol=1e-9)


def test_exact_score_of_the_mixture_by_automatic_differentiation():
    """Tweedie: E[z | z_t] = (z_t + s^2 grad log p(z_t)) / a."""
    signal = Signal(0.8, 0.6)
    noisy = draw(4).requires_grad_()
    variance = signal.a**2 * TWO.deviations**2 + signal.s**2
    offset = (noisy - signal.a * TWO.means).flatten(1).square().sum(1)
    log_p = torch.logsumexp(
        TWO.weights.log() - 0.5 * offset / variance - 0.5 * noisy.numel() * (2 * math.pi * variance).log(), 0
    )
    (score,) = torch.autograd.grad(log_p, noisy)
    tweedie = (noisy + signal.s**2 * score) / signal.a
    assert torch.allclose(posterior_mean(TWO, noisy, signal, TWO.weights), tweedie, atol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("weighting", [weight_one, weight_noise, weight_variance])
def test_gradient_equals_the_closed_form(family, weighting):
    prior, z, e, t = make(family), draw(5), draw(6), 0.6
    signal = prior.signal(t)
    k = shrink(signal)
    expected = weighting(signal) * ((1 - k * signal.a) * (z - ONE.means[0]) - k * signal.s * e)
    gradient, clean = gradient_at(prior, z, prior.condition("walk"), e, t, guidance=1.0, weighting=weighting)
    assert torch.allclose(gradient, expected, atol=1e-9)
    assert torch.allclose(clean, z - expected / weighting(signal), atol=1e-9)


def test_noise_weighting_gives_the_noise_residual_of_equation_4():
    prior, z, e, t = make("noise prediction"), draw(7), draw(8), 0.9
    condition = prior.condition("walk")
    signal = prior.signal(t)
    gradient, _ = gradient_at(prior, z, condition, e, t, guidance=1.0)
    noisy = prior.add_noise(z, e, t)
    predicted = NOISE_PREDICTION.output(noisy, posterior_mean(ONE, noisy, signal, condition[0]), signal)
    assert torch.allclose(gradient, predicted - e, atol=1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_gradient_is_unbiased_over_draws(family):
    """The mean over many noises lies within four standard errors of (1 - k a)(z - m), in every number."""
    prior, z, t, count = make(family), draw(9), 0.7, 400
    condition, generator, signal = prior.condition("walk"), seeded(10), prior.signal(0.7)
    settings = ScoreConfig(
        FallingBound(t, Constant(t)), Constant(1.0), draws=4, weighting=weight_one, control_variate=0.0
    )
    scores = torch.stack(
        [draw_score(prior, z, condition, 0, settings, generator).gradient for _ in range(count // settings.draws)]
    )
    expected = (1 - shrink(signal) * signal.a) * (z - ONE.means[0])
    spread = shrink(signal) * signal.s / math.sqrt(count)
    assert ((scores.mean(0) - expected).abs() / spread).max() < 4
    assert scores.std(0).mean() == pytest.approx(shrink(signal) * signal.s / 2, rel=0.05)


@pytest.mark.parametrize("family", FAMILIES)
def test_distillation_reaches_the_mode(family):
    """Plain gradient descent on pixels, through encoder and prior, with the step size falling as 1 / step."""
    prior = make(family, TWO)
    condition = prior.condition("walk", "")
    settings = ScoreConfig(FallingBound(0.05, Ramp(0.95, 0.3, 150)), Constant(2.0), draws=2, weighting=weight_one)
    video = torch.full((3, 3, 4, 4), 0.5, dtype=torch.float64, requires_grad=True)
    generator = seeded(11)
    for step in range(300):
        latent = prior.encode(video)
        score = draw_score(prior, latent, condition, step, settings, generator)
        video.grad = None
        torch.autograd.backward(latent, score.gradient)
        with torch.no_grad():
            video -= 0.3 * 20 / (20 + max(step - 150, 0)) * video.grad
    assert (prior.encode(video) - TWO.means[0]).abs().max() < 1e-3
    assert torch.allclose(prior.decode(prior.encode(video)), video, atol=1e-6)


def test_guidance_pushes_away_from_the_negative_prompt():
    prior, z, e = make("v-prediction", TWO), torch.zeros(SHAPE, dtype=torch.float64), draw(12)
    told = prior.condition("walk", "run")
    noisy = prior.add_noise(z, e, 0.8)
    text = prior.predict_clean(noisy, 0.8, told, 1.0)
    null = prior.predict_clean(noisy, 0.8, told[::-1], 1.0)
    assert torch.allclose(prior.predict_clean(noisy, 0.8, told, 7.0), null + 7 * (text - null), atol=1e-9)
    half = guide(
        torch.tensor([1.0, 2.0], dtype=torch.bfloat16), torch.tensor([1.0, 2.0078125], dtype=torch.bfloat16), 100.0
    )
    assert half.dtype == torch.float32
    with pytest.raises(PriorError, match="knows walk, run"):
        prior.condition("fly")


def test_a_reference_takes_its_mean_away_and_cuts_the_spread():
    prior, z, t = make("v-prediction"), ONE.means[0] + 0.2 * draw(13), 0.6
    condition, signal = prior.condition("walk"), prior.signal(0.6)
    rest = ScoreReference(torch.zeros(SHAPE, dtype=torch.float64), condition)
    how = ScoreConfig(FallingBound(t, Constant(t)), Constant(1.0), control_variate=0.8)
    plain = ScoreConfig(FallingBound(t, Constant(t)), Constant(1.0))
    without = torch.stack([draw_score(prior, z, condition, 0, plain, seeded(i)).gradient for i in range(100)])
    corrected = torch.stack(
        [draw_score(prior, z, condition, 0, how, seeded(i), reference=rest).gradient for i in range(100)]
    )
    # One Gaussian answers to the noise alike everywhere, so exactly 1 - c of the spread is left.
    assert corrected.std(0).mean() == pytest.approx(0.2 * float(without.std(0).mean()), rel=1e-6)
    of_reference = (1 - shrink(signal) * signal.a) * (rest.latent - ONE.means[0])
    expected = (1 - shrink(signal) * signal.a) * (z - ONE.means[0])
    left = (corrected.mean(0) - (expected - 0.8 * of_reference)).abs().max()
    assert left == pytest.approx(0.2 * float((without.mean(0) - expected).abs().max()), rel=1e-6)


def test_several_draws_are_the_mean_of_single_ones():
    prior, z = make("rectified flow", TWO), draw(15)
    condition, settings = prior.condition("run"), ScoreConfig(draws=3)
    together = draw_score(prior, z, condition, 4, settings, seeded(16))
    generator, single = seeded(16), ScoreConfig(draws=1)
    apart = [draw_score(prior, z, condition, 4, single, generator) for _ in range(3)]
    assert together.levels == tuple(s.levels[0] for s in apart)
    assert torch.allclose(together.gradient, sum(s.gradient for s in apart) / 3)
    assert torch.equal(together.clean, apart[-1].clean)


def test_paper_schedule_falls_and_draws_uniformly():
    levels = FallingBound()
    assert (levels.low, levels.high.at(0), levels.high.at(2500), levels.high.at(9999)) == (0.02, 0.98, 0.74, 0.5)
    generator = seeded(17)
    drawn = torch.tensor([levels.draw(10_000, generator) for _ in range(2000)])
    assert drawn.min() >= 0.02
    assert drawn.max() <= 0.5
    assert drawn.mean() == pytest.approx(0.26, abs=4 * 0.48 / 12**0.5 / 2000**0.5)


def test_annealed_draw_goes_through_the_training_distribution_from_noisy_to_clean():
    levels, generator = AnnealedDraw(steps=100, shift=5.0, window=0.25), seeded(18)

    def shifted(u):
        return 5 * u / (1 + 4 * u)

    for step, (bottom, top) in {0: (0.75, 1.0), 50: (0.375, 0.625), 100: (0.0, 0.25), 500: (0.0, 0.25)}.items():
        drawn = [levels.draw(step, generator) for _ in range(500)]
        assert max(0.02, shifted(bottom)) <= min(drawn)
        assert max(drawn) <= min(0.98, shifted(top))
        assert max(drawn) - min(drawn) > 0.9 * (min(0.98, shifted(top)) - max(0.02, shifted(bottom)))
    # Over a run in which the window has the full width, the draws are the training distribution.
    everything = AnnealedDraw(steps=10, shift=5.0, window=1.0, low=1e-6, high=1.0)
    u = torch.tensor(sorted(t / (5 - 4 * t) for t in (everything.draw(s, generator) for s in range(3000))))
    assert (u - torch.linspace(0, 1, 3000)).abs().max() < 1.63 / 3000**0.5


def test_guidance_ramps():
    ramp = Ramp(25.0, 12.0, 100)
    assert [ramp.at(s) for s in (0, 50, 100, 1000)] == [25.0, 18.5, 12.0, 12.0]
    prior, z = make("v-prediction", TWO), draw(19)
    settings = ScoreConfig(guidance=ramp)
    early = draw_score(prior, z, prior.condition("walk"), 0, settings, seeded(20))
    by_hand = ScoreConfig(guidance=Constant(25.0))
    assert torch.equal(early.gradient, draw_score(prior, z, prior.condition("walk"), 0, by_hand, seeded(20)).gradient)


def test_same_seed_gives_the_same_bytes_and_noise_is_drawn_on_the_cpu():
    prior, z = make("v-prediction"), draw(21)
    first, second = (
        draw_score(prior, z, prior.condition("walk"), 0, ScoreConfig(draws=2), seeded(22)) for _ in range(2)
    )
    assert torch.equal(first.gradient, second.gradient)
    half = draw_noise(torch.zeros(SHAPE, dtype=torch.bfloat16), seeded(23))
    assert torch.equal(half, draw_noise(torch.zeros(SHAPE), seeded(23)).bfloat16())


def test_what_is_not_finite_is_refused_with_a_sentence():
    with pytest.raises(
        PriorError, match=r"2 of 36 numbers that are not finite, at noise level t = 0.500 with guidance 9"
    ):
        check_finite(torch.tensor([math.nan, math.inf] + [0.0] * 34), 0.5, 9.0)
    prior = make("v-prediction")
    prior.predict_clean = lambda noisy, *_: noisy * math.nan
    with pytest.raises(PriorError, match="bfloat16 or float32"):
        draw_score(prior, draw(), prior.condition("walk"), 0, ScoreConfig(), seeded())


def test_bad_schedules_are_refused():
    with pytest.raises(PriorError, match="0 < low"):
        FallingBound(0.0)
    with pytest.raises(PriorError, match="0 < low"):
        FallingBound(0.6, Ramp(0.98, 0.5, 10))
    with pytest.raises(PriorError, match="window"):
        AnnealedDraw(steps=10, window=1.5)
    with pytest.raises(PriorError, match="one mean"):
        Mixture(ONE.means, ONE.deviations, ONE.weights, ("walk", "run"))


def test_running_out_of_memory_names_the_setting_to_lower():
    def fail(error):
        with explain_out_of_memory("the encoder"):
            raise error

    with pytest.raises(PriorError, match=r"Out of memory in the encoder.*tile=256"):
        fail(torch.OutOfMemoryError("CUDA out of memory"))
    with pytest.raises(PriorError, match="checkpoint=True"):
        fail(RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"))
    with pytest.raises(RuntimeError, match="something else"):
        fail(RuntimeError("something else"))
