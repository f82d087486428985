"""Memory estimates from configurations alone, against what the allocator really gave out."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

pytest.importorskip("diffusers")

from tiny_video_models import saved

from gambol.cli.main import main
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.check_gpu_fit import cheaper_settings, check_prior
from gambol.priors.diffusers.estimate_memory import Phase, StepEstimate, estimate_step
from gambol.priors.diffusers.load import load_prior
from gambol.priors.diffusers.settings import PriorSettings
from gambol.priors.diffusers.tensor_bytes import count_tensor_bytes

MODELS = ("cogvideox-5b", "wan-2.1", "ltx", "unet3d")
SIZES = ((9, 64, 64), (17, 64, 96), (9, 128, 128))
UNET_SIZES = ((4, 32, 32), (9, 32, 64), (4, 64, 64))
CASES = [
    pytest.param(name, size, marks=() if name == "ltx" or place == 0 else pytest.mark.slow)
    for name in MODELS
    for place, size in enumerate(UNET_SIZES if name == "unet3d" else SIZES)
]


def settings_for(size, **more):
    frames, height, width = size
    return PriorSettings(frames=frames, height=height, width=width, precision="float32", **more)


def measured_peak(prior):
    """Bytes that torch's CPU allocator had given out at the worst moment of a real step, by torch's profiler."""
    from torch.profiler import ProfilerActivity, profile

    form, condition = prior.format, prior.condition("a fox")
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        video = torch.rand(form.frames, 3, form.height, form.width, requires_grad=True)
        z = prior.encode(video)
        with torch.no_grad():
            gradient = z - prior.predict_clean(prior.add_noise(z, torch.randn_like(z), 0.95), 0.95, condition, 100.0)
        z.backward(gradient)
    live = peak = 0
    for event in profiler.profiler.kineto_results.events():
        if event.name() == "[memory]":
            live += event.nbytes()
            peak = max(peak, live)
    return peak


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize(("name", "size"), CASES, ids=str)
def test_estimate_is_within_a_quarter_of_the_measured_peak(name, size):
    folder, settings = saved(name)[1], settings_for(size)
    estimate = estimate_step(folder, settings)
    prior = load_prior(folder, settings)
    weights = sum(x.nbytes for n in (prior.parts.vae, *prior.parts.denoisers) for x in (*n.parameters(), *n.buffers()))
    assert sum(estimate.denoisers) + estimate.autoencoder == weights
    assert estimate.peak == pytest.approx(weights + measured_peak(prior), rel=0.25)


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"checkpoint": False}, {"tile": 64, "tile_overlap": 16}], ids=["kept", "tiled"])
@pytest.mark.parametrize("name", MODELS)
def test_estimate_holds_for_other_settings(name, more):
    size = (4, 64, 128) if name == "unet3d" else (9, 128, 192)
    more = {"tile": 32, "tile_overlap": 8} if name == "unet3d" and "tile" in more else more
    folder, settings = saved(name)[1], settings_for(size, **more)
    estimate = estimate_step(folder, settings)
    weights = sum(estimate.denoisers) + estimate.autoencoder
    assert estimate.peak == pytest.approx(weights + measured_peak(load_prior(folder, settings)), rel=0.25)


def test_live_bytes_counts_what_lives_and_forgets_what_is_freed():
    before = torch.zeros(1000)
    with count_tensor_bytes() as counter:
        a = torch.ones(1000)
        b = (a + before).view(10, 100).t()
        before.add_(1)
        assert counter.live == 8000
        del a
        assert counter.live == 4000
        c = b @ torch.ones(10, 5)
        assert counter.live == 4000 + c.nbytes
        assert counter.peak == 8000
        assert counter.flops == 2 * 100 * 10 * 5
        counter.start_phase()
        assert (counter.peak, counter.flops) == (counter.live, 0)
        del b
    assert counter.live == c.nbytes


def test_repeated_operations_on_the_meta_device_count_as_the_first_ones_do():
    layer = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.LayerNorm(8)).to("meta")
    x, counts = torch.zeros(4, 8, device="meta", requires_grad=True), []
    with count_tensor_bytes() as counter:
        for _ in range(3):
            y = layer(x.transpose(0, 1).transpose(0, 1))
            assert (y.shape, y.stride(), y.dtype, y.device.type) == ((4, 8), (8, 1), torch.float32, "meta")
            torch.autograd.backward(y, torch.zeros_like(y), inputs=[x])
            x.grad = None
            del y
            counts.append((counter.peak, counter.flops, counter.live))
            counter.start_phase()
    assert counts[0] == counts[1] == counts[2]
    assert counts[0][1] == 2 * 2 * 4 * 8 * 8  # the product, and the one that the gradient needs
    assert counts[0][2] == 0


def test_offloading_decides_which_weights_count():
    estimate = estimate_step(saved("wan-2.2-14b")[1], settings_for(SIZES[0]))
    high, low = estimate.denoisers
    assert estimate.weights("denoise") == high + low + estimate.autoencoder
    models = replace(estimate, settings=replace(estimate.settings, offload="models"))
    assert [models.weights(p) for p in ("encode", "denoise")] == [estimate.autoencoder, max(high, low)]
    layers = replace(estimate, settings=replace(estimate.settings, offload="layers"))
    assert layers.weights("denoise") < high / 4


@pytest.mark.slow
def test_recomputing_and_tiling_save_memory_by_the_estimate():
    folder, size = saved("wan-2.1")[1], (17, 128, 128)
    kept, plain, tiled = (
        estimate_step(folder, settings_for(size, device="cuda", **more)).phases[2]
        for more in ({"checkpoint": False}, {}, {"tile": 64, "tile_overlap": 16})
    )
    assert tiled.activations < 0.6 * plain.activations
    assert plain.activations < 0.6 * kept.activations
    assert tiled.flops > plain.flops > kept.flops


@pytest.mark.slow
def test_the_papers_model_fits_its_card_and_the_page_tells_the_numbers():
    """AKD ran CogVideoX-5B at 49 x 480 x 720 on a 40 GB card, 25 hours for 10,000 steps: 9 s each."""
    check = check_prior("CogVideoX-5B", frames=49, size="480x720", memory="40GB")
    assert 20e9 < check.estimate.peak < 40e9
    assert "It fits into 40 GB" in check.advice
    assert sum(check.estimate.denoisers) == pytest.approx(2 * 5.57e9, rel=0.01)
    assert 9 / 2 < check.seconds["A100"] < 9 * 2
    page = (Path(__file__).parents[1] / "docs" / "priors.md").read_text()
    for phase in check.estimate.phases:
        sizes = (check.estimate.weights(phase.name), phase.activations, check.estimate.need(phase))
        cells = [rf"\**{size / 1e9:.1f} GB\**" for size in sizes] + [f"{phase.flops / 1e12:.0f}"]
        assert re.search(rf"\| {phase.name}[^|]*\| " + r" \| ".join(cells) + r" \|", page), phase


def test_smaller_cards_get_the_settings_that_fit(monkeypatch):
    """Thriftier settings in the order of their price: nothing, tiles, whole networks away, single layers away."""

    def estimate(tile, encode, backward):
        phases = (Phase("encode", encode, 1), Phase("denoise", 2, 1), Phase("backward", backward, 1))
        settings = PriorSettings(tile=tile, device="cuda")
        return StepEstimate("made up", VideoFormat(5, 320, 320, 8.0), settings, (10, 12), 1, 3, phases)

    plain, tiled = estimate(None, 20, 30), estimate(256, 4, 6)
    monkeypatch.setattr("gambol.priors.diffusers.estimate_memory.estimate_step", lambda *_: tiled)
    expected = {53: ("none", None), 52: ("none", 256), 29: ("none", 256), 28: ("models", 256), 14: ("models", 256)}
    expected |= {13: ("layers", 256), 7: ("layers", 256), 6: None}
    for memory, settings in expected.items():
        found = cheaper_settings("made up", plain, memory)
        assert (found and (found.settings.offload, found.settings.tile)) == settings
    # Where the picture is too small for tiles, whole networks go first.
    small = replace(plain, format=VideoFormat(5, 128, 128, 8.0))
    assert cheaper_settings("made up", small, 31).settings == replace(small.settings, offload="models")


def test_doctor_estimates_a_prior(capsys):
    assert main(["doctor", "--prior", "ltx-video", "--frames", "9", "--size", "64x96", "--memory", "4GB"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    fits = "does not fit into 4 GB. From Python, load_prior('ltx-video', PriorSettings(offload='models'))"
    for words in ("ltx-video, 9 frames of 64 x 96 pixels", "backward", fits, "A100", "this machine"):
        assert words in out
    assert main(["doctor", "--prior", str(saved("ltx")[1]), "--frames", "9", "--size", "64x64", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["peak"] > sum(told["estimate"]["denoisers"])
    assert [p["name"] for p in told["estimate"]["phases"]] == ["encode", "denoise", "backward"]
    for wrong, sentence in ((["--size", "12"], "height x width"), (["--frames", "0"], "0 frames")):
        assert main(["doctor", "--prior", "ltx-video", *wrong]) == 2
        assert sentence in capsys.readouterr().err
    assert main(["doctor", "--prior", "nothing"]) == 2
    assert "Known are cogvideox-2b" in capsys.readouterr().err
