"""Diffusers priors against the models' own pipelines and schedulers, on tiny models with random weights."""

import copy
import socket
import weakref

import pytest
import torch

pytest.importorskip("diffusers")

from tiny_video_models import MODELS, saved

from gambol.diffusion.level_schedules import Constant
from gambol.diffusion.parametrisation import weight_noise
from gambol.diffusion.score_gradient import ScoreConfig, draw_score
from gambol.diffusion.video_prior import Reference
from gambol.errors import AssetError, ConfigError, PriorError
from gambol.priors.diffusers.base import TextConditioning
from gambol.priors.diffusers.load import load_prior
from gambol.priors.diffusers.settings import PriorSettings

SIZES = {
    "cogvideox-2b": (9, 32, 32),
    "cogvideox-5b": (17, 32, 48),
    "cogvideox-1.5": (9, 32, 32),
    "wan-2.1": (9, 32, 32),
    "wan-2.2-14b": (5, 32, 32),
    "wan-2.2-5b": (9, 32, 64),
    "ltx": (9, 32, 64),
    "unet3d": (3, 32, 32),
}
ONE_OF_EACH = ("cogvideox-5b", "wan-2.1", "ltx", "unet3d")
THE_OTHERS = tuple(pytest.param(name, marks=pytest.mark.slow) for name in MODELS if name not in ONE_OF_EACH)
ALL = (*ONE_OF_EACH, *THE_OTHERS)


def load(name, **settings):
    frames, height, width = SIZES[name]
    settings = {"frames": frames, "height": height, "width": width, "precision": "float64", **settings}
    return load_prior(saved(name)[1], PriorSettings(**settings))


def clip(name, seed=0):
    frames, height, width = SIZES[name]
    return torch.rand(frames, 3, height, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def noise_like(z, seed=1):
    return torch.randn(z.shape, generator=torch.Generator().manual_seed(seed), dtype=z.dtype)


def doubled(name):
    """The pipeline as built in memory, in float64."""
    pipeline = copy.deepcopy(saved(name)[0])
    for part in pipeline.components.values():
        if isinstance(part, torch.nn.Module):
            part.double()
    return pipeline


def latent_by_pipeline(name, pipeline, video):
    """What the pipelines do, in one piece and without recomputation."""
    pixels, vae = (2 * video - 1).movedim(0, 1)[None], pipeline.vae
    if name == "unet3d":
        return vae.encode(pixels[0].movedim(1, 0)).latent_dist.mode().movedim(0, 1) * vae.config.scaling_factor
    mean = vae.encode(pixels).latent_dist.mode()
    if name.startswith("wan"):
        centre, spread = (
            torch.tensor(v, dtype=mean.dtype).view(1, -1, 1, 1, 1)
            for v in (vae.config.latents_mean, vae.config.latents_std)
        )
        return ((mean - centre) / spread)[0]
    if name == "ltx":
        return pipeline._normalize_latents(mean, vae.latents_mean, vae.latents_std, vae.config.scaling_factor)[0]
    return mean[0] * vae.config.scaling_factor


def clean_by_scheduler(name, pipeline, noisy, prompt, negative, guidance, where):
    """(t, x0) as the model's own pipeline and scheduler compute them; `where` in (0, 1) picks the level."""
    z, scheduler = noisy[None], copy.deepcopy(pipeline.scheduler)

    def guided(network, z, embeddings, *arguments, **more):
        null, text = (network(z, *arguments, encoder_hidden_states=e, return_dict=False, **more)[0] for e in embeddings)
        return null + guidance * (text - null)

    if name.startswith("cogvideox"):
        embeddings = pipeline.encode_prompt(prompt, negative)[::-1]
        scheduler.set_timesteps(1000)
        step, z = torch.tensor(round(where * 999)), z.transpose(1, 2)
        pad = -z.shape[1] % (pipeline.transformer.config.patch_size_t or 1)
        z = torch.cat([z[:, :1]] * pad + [z], 1)
        rotary = None
        if pipeline.transformer.config.use_rotary_positional_embeddings:
            rotary = pipeline._prepare_rotary_positional_embeddings(z.shape[3] * 8, z.shape[4] * 8, z.shape[1], "cpu")
        v = guided(pipeline.transformer, z, embeddings, timestep=step[None], image_rotary_emb=rotary)
        clean = scheduler.step(v, step, z, return_dict=True).pred_original_sample
        return float(step / 999), clean[0, pad:].transpose(0, 1)
    if name == "unet3d":
        embeddings = pipeline.encode_prompt(prompt, "cpu", 1, True, negative)[::-1]
        scheduler.set_timesteps(1000)
        step = torch.tensor(round(where * 999))
        e = guided(pipeline.unet, z, embeddings, step)
        frames = [x[0].movedim(1, 0) for x in (e, z)]
        clean = scheduler.step(frames[0], step, frames[1], return_dict=True).pred_original_sample
        return float(step / 999), clean.movedim(0, 1)
    # Flow matching schedulers give no x0: one Euler step to sigma 0 is it.
    scheduler.set_timesteps(sigmas=[where])
    t, step = float(scheduler.sigmas[0]), scheduler.timesteps[0]
    assert float(scheduler.sigmas[1]) == 0
    if name == "ltx":
        text, text_mask, null, null_mask = pipeline.encode_prompt(prompt, negative)
        size = dict(zip(("num_frames", "height", "width"), z.shape[2:], strict=True))
        tokens = pipeline._pack_latents(z)
        more = {"timestep": step[None], "rope_interpolation_scale": (8 / 25, 32, 32), **size}
        null = guided(pipeline.transformer, tokens, [null, null], encoder_attention_mask=null_mask, **more)
        text = guided(pipeline.transformer, tokens, [text, text], encoder_attention_mask=text_mask, **more)
        v = null + guidance * (text - null)
        return t, pipeline._unpack_latents(scheduler.step(v, step, tokens).prev_sample, **size)[0]
    embeddings = pipeline.encode_prompt(prompt, negative, max_sequence_length=512)[::-1]
    boundary = pipeline.config.boundary_ratio
    network = pipeline.transformer if boundary is None or t >= boundary else pipeline.transformer_2
    timestep = step[None]
    if pipeline.config.expand_timesteps:
        timestep = (torch.ones_like(z[0][0][:, ::2, ::2]) * step).flatten()[None]
    v = guided(network, z, embeddings, timestep=timestep)
    return t, scheduler.step(v, step, z).prev_sample[0]


@pytest.mark.parametrize("name", ALL)
def test_clean_estimate_is_what_the_models_own_scheduler_computes(name):
    prior, pipeline = load(name), doubled(name)
    z = latent_by_pipeline(name, pipeline, clip(name))
    condition = prior.condition("a fox is running", "blurry")
    for where in (0.2, 0.7, 0.97):
        t, expected = clean_by_scheduler(name, pipeline, z, "a fox is running", "blurry", 7.0, where)
        # The schedulers keep their tables in float32; predictions are taken at the table's own levels.
        assert torch.allclose(prior.predict_clean(z, t, condition, 7.0), expected, rtol=1e-4, atol=1e-5), where
    alone = prior.predict_clean(z, t, condition, 1.0)
    assert not torch.allclose(alone, expected, atol=1e-6)
    assert torch.allclose(alone, clean_by_scheduler(name, pipeline, z, "a fox is running", "", 1.0, 0.97)[1], atol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_noise_is_added_as_the_scheduler_adds_it(name):
    prior, scheduler = load(name), copy.deepcopy(saved(name)[0].scheduler)
    z, t = noise_like(torch.empty(4, 3, 4, 4, dtype=torch.float64)), 0.6
    noise = noise_like(z, 2)
    if hasattr(scheduler, "alphas_cumprod"):
        expected = scheduler.add_noise(z[None], noise[None], torch.tensor([round(t * 999)]))[0]
    else:
        scheduler.set_timesteps(sigmas=[t])
        t = float(scheduler.sigmas[0])
        expected = scheduler.scale_noise(z[None], scheduler.timesteps[:1], noise[None])[0]
    assert torch.allclose(prior.add_noise(z, noise, t), expected, atol=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_recomputed_chunks_give_the_pipelines_latent_and_its_gradient(name):
    """Chunked and recomputed against one piece without either; and the same bits with recomputation as without."""
    video, probe = clip(name).requires_grad_(), None
    results = []
    for encode in (
        lambda v: latent_by_pipeline(name, doubled(name), v),
        load(name, checkpoint=True).encode,
        load(name, checkpoint=False).encode,
    ):
        z = encode(video)
        probe = noise_like(z) if probe is None else probe
        results.append((z.detach(), torch.autograd.grad(z, video, probe)[0]))
    whole, recomputed, kept = results
    assert torch.allclose(recomputed[0], whole[0], atol=1e-10)
    assert torch.allclose(recomputed[1], whole[1], atol=1e-10)
    assert whole[1].abs().amin(dim=(1, 2, 3)).shape == (len(video),)
    assert (whole[1].abs().amax(dim=(1, 2, 3)) > 0).all(), "every frame gets a gradient"
    assert torch.equal(recomputed[0], kept[0])
    assert torch.equal(recomputed[1], kept[1])


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_recomputation_really_recomputes(name):
    runs = {}
    for recompute in (True, False):
        prior, video = load(name, checkpoint=recompute), clip(name).requires_grad_()
        calls = []
        prior.parts.vae.encoder.register_forward_pre_hook(lambda *_, calls=calls: calls.append(1))
        kept = []
        with torch.autograd.graph.saved_tensors_hooks(lambda x, kept=kept: (kept.append(x.nbytes), x)[1], lambda x: x):
            z = prior.encode(video)
        forward = len(calls)
        torch.autograd.backward(z, torch.ones_like(z))
        runs[recompute] = (forward, len(calls), sum(kept))
    chunks = len(prior.chunk_sizes(len(video)))
    assert runs[False][:2] == (chunks, chunks)
    assert runs[True][:2] == (chunks, 2 * chunks)
    assert runs[True][2] < runs[False][2] / 3


@pytest.mark.parametrize("name", ALL)
def test_gradients_reach_the_pixels_and_agree_with_finite_differences(name):
    """Central differences of <z, g> with g one step's score gradient, on the pixels with the largest gradients."""
    prior, video = load(name), clip(name).requires_grad_()
    settings = ScoreConfig(weighting=weight_noise)
    z = prior.encode(video)
    generator = torch.Generator().manual_seed(5)
    score = draw_score(prior, z, prior.condition("a fox is walking"), 0, settings, generator)
    torch.autograd.backward(z, score.gradient)
    assert torch.isfinite(video.grad).all()
    step, tolerance = (3e-3, 3e-3) if name == "ltx" else (1e-5, 1e-5)  # LTX takes its norms in float32
    with torch.no_grad():
        for place in video.grad.abs().flatten().topk(3).indices:
            moved = [video.detach().clone() for _ in range(2)]
            for sign, v in zip((1, -1), moved, strict=True):
                v.view(-1)[place] += sign * step
            up, down = ((prior.encode(v) * score.gradient).sum() for v in moved)
            assert float((up - down) / (2 * step)) == pytest.approx(float(video.grad.view(-1)[place]), rel=tolerance)


@pytest.mark.parametrize("name", ALL)
def test_decode_is_the_pipelines_decoder(name):
    prior, pipeline = load(name), doubled(name)
    z = 0.3 * noise_like(prior.encode(clip(name)).detach())
    video = prior.decode(z)
    vae = pipeline.vae
    if name == "unet3d":
        expected = torch.cat([vae.decode(f[None] / vae.config.scaling_factor).sample for f in z.movedim(1, 0)])
    else:
        expected = vae.decode(prior.denormalise(z)[None]).sample[0].movedim(1, 0)
    assert video.shape == clip(name).shape
    assert torch.allclose(video, (expected / 2 + 0.5).clamp(0, 1), atol=1e-9)
    assert torch.allclose(prior.normalise(prior.denormalise(z)), z)


@pytest.mark.parametrize("size", [4, 8])
def test_wans_latent_and_gradient_do_not_depend_on_the_chunk(size):
    """`AutoencoderKLWan` changes its cache in place; a recomputation that saw a changed cache would differ."""
    for name in ("wan-2.1", "wan-2.2-5b"):
        video = clip(name).requires_grad_()
        prior = load(name, chunk_frames=size)
        assert prior.chunk_sizes(9) == {4: [1, 4, 4], 8: [1, 8]}[size]
        z = prior.encode(video)
        probe = noise_like(z)
        (gradient,) = torch.autograd.grad(z, video, probe)
        whole = latent_by_pipeline(name, doubled(name), video)
        assert torch.allclose(z, whole, atol=1e-10)
        assert torch.allclose(gradient, torch.autograd.grad(whole, video, probe)[0], atol=1e-10)


def test_wan_14b_has_one_transformer_for_high_noise_and_one_for_low():
    prior = load("wan-2.2-14b")
    first, second = prior.parts.denoisers
    assert prior._transformer(0.875) is first
    assert prior._transformer(0.874) is second
    assert load("wan-2.1")._transformer(0.01) is not None


def test_wan_5b_takes_the_reference_as_its_first_frame():
    """Its tokens are clean and have timestep 0, as in diffusers' image-to-video pipeline; x0 keeps them."""
    name, t = "wan-2.2-5b", 0.6
    prior, pipeline, video = load(name), doubled(name), clip(name)
    condition = prior.condition("a fox", "blurry", reference=Reference(video[0]))
    first = latent_by_pipeline(name, pipeline, video[:1])
    assert torch.allclose(condition.reference, first, atol=1e-10)
    noisy = noise_like(prior.encode(video).detach())
    clean = prior.predict_clean(noisy, t, condition, 5.0)
    assert torch.allclose(clean[:, :1], first, atol=1e-9)
    mask = torch.ones_like(noisy)[None]
    mask[:, :, 0] = 0
    z = (1 - mask) * first[None] + mask * noisy[None]
    steps = (mask[0][0][:, ::2, ::2] * 1000 * t).flatten()[None]
    null, text = (
        pipeline.transformer(z, steps, e, return_dict=False)[0]
        for e in pipeline.encode_prompt("a fox", "blurry", max_sequence_length=512)[::-1]
    )
    expected = noisy - t * (null + 5.0 * (text - null))[0]
    assert torch.allclose(clean[:, 1:], expected[:, 1:], atol=1e-5)
    assert load("wan-2.1").condition("a fox", reference=Reference(video[0][:, :32, :32])).reference is None


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_prompts_are_embedded_as_by_the_pipeline_once_and_the_text_encoder_is_freed(name, monkeypatch):
    kind = type(saved(name)[0].text_encoder)
    loads, original = [], kind.from_pretrained.__func__

    def watched(*arguments, **named):
        encoder = original(*arguments, **named)
        loads.append(weakref.ref(encoder))
        return encoder

    monkeypatch.setattr(kind, "from_pretrained", classmethod(watched))
    prior = load(name)
    condition = prior.condition("a  fox is &amp; running", "blurry")
    again = prior.condition("a  fox is &amp; running", "blurry")
    assert [load() for load in loads] == [None], "loaded once, and freed"
    assert condition.prompt.tokens.equal(again.prompt.tokens)
    assert isinstance(condition, TextConditioning)
    pipeline = doubled(name)
    more = {"unet3d": ("cpu", 1, True, "blurry"), "wan-2.1": ("blurry", True, 1, None, None, 512)}.get(
        name, ("blurry",)
    )
    embedded = pipeline.encode_prompt("a fox is & running", *more)
    assert torch.allclose(condition.prompt.tokens, embedded[0], atol=1e-9)
    assert torch.allclose(condition.negative.tokens, embedded[2 if name == "ltx" else 1], atol=1e-9)
    prior.condition("another", "blurry")
    assert [load() for load in loads] == [None, None]


def test_a_folder_is_loaded_without_any_network_call(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a network call")

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    prior = load("wan-2.1")
    condition = prior.condition("a fox is running")
    z = prior.encode(clip("wan-2.1"))
    prior.predict_clean(z, 0.5, condition, 5.0)
    prior.decode(z)


def test_weights_are_frozen_and_half_precision_flows_through_them_only():
    name = "cogvideox-5b"
    prior, video = load(name, precision="bfloat16"), clip(name).float().requires_grad_()
    assert {p.dtype for p in prior.parts.vae.parameters()} == {torch.bfloat16}
    assert not any(p.requires_grad for part in (prior.parts.vae, *prior.parts.denoisers) for p in part.parameters())
    z = prior.encode(video)
    condition = prior.condition("a fox is running")
    assert (z.dtype, condition.prompt.tokens.dtype) == (torch.float32, torch.bfloat16)
    score = draw_score(prior, z, condition, 0, ScoreConfig(), torch.Generator().manual_seed(0))
    assert score.gradient.dtype == torch.float32
    torch.autograd.backward(z, score.gradient)
    exact = load(name).encode(clip(name))
    assert (z - exact).abs().mean() / exact.abs().mean() < 0.05
    assert video.grad.abs().sum() > 0


@pytest.mark.parametrize("offload", ["models", "layers"])
def test_offloading_changes_nothing_but_where_the_networks_are(offload):
    name, moves = "wan-2.1", []
    video = clip(name).requires_grad_()

    def run(prior):
        z = prior.encode(video)
        settings, generator = ScoreConfig(guidance=Constant(5.0)), torch.Generator().manual_seed(0)
        score = draw_score(prior, z, prior.condition("a fox"), 0, settings, generator)
        return score.gradient, torch.autograd.grad(z, video, score.gradient)[0]

    expected = run(load(name))
    prior = load(name, offload=offload)
    for network in (prior.parts.vae, *prior.parts.denoisers):
        to = network.to
        network.to = lambda where, network=network, to=to: (
            moves.append((type(network).__name__, str(where))),
            to(where),
        )[1]
    # "cpu:0" is the device here, so that coming and going can be told apart.
    prior.offloader.device = torch.device("cpu:0")
    for got, wanted in zip(run(prior), expected, strict=True):
        # Wan takes its norms in float32, whose sums depend on where in memory the numbers lie.
        assert torch.allclose(got, wanted, atol=1e-5), (got - wanted).abs().max()
    came = [kind for kind, where in moves if where == "cpu:0"]
    order = [kind for kind, before in zip(came, [None, *came], strict=False) if kind != before]
    if offload == "models":
        assert order == ["AutoencoderKLWan", "WanTransformer3DModel", "AutoencoderKLWan"]
        assert ("WanTransformer3DModel", "cpu") in moves
    else:
        assert order == ["AutoencoderKLWan"]


def test_tiles_cover_the_picture_and_keep_the_gradient():
    name = "wan-2.1"
    whole, video = load(name), clip(name).requires_grad_()
    assert torch.equal(load(name, tile=64, tile_overlap=16).encode(video), whole.encode(video))
    tiled = load(name, tile=16, tile_overlap=8)
    z = tiled.encode(video)
    assert z.shape == whole.encode(video).shape
    torch.autograd.backward(z, torch.ones_like(z))
    assert (video.grad.abs().amax(dim=(0, 1)) > 0).all()


@pytest.mark.parametrize(
    ("name", "asked", "sentence"),
    [
        ("wan-2.1", {"frames": 8}, r"8 frames; it takes 4 n \+ 1. Use 5 or 9"),
        ("ltx", {"frames": 16}, r"takes 8 n \+ 1. Use 9 or 17"),
        ("ltx", {"width": 48}, "48 pixels.*multiples of 32. Use 32 or 64 for 48"),
        ("cogvideox-5b", {"height": 8}, "multiples of 16"),
        ("wan-2.1", {"tile": 32, "tile_overlap": 32}, "larger than its overlap"),
    ],
)
def test_what_a_model_cannot_take_is_refused_with_what_it_can(name, asked, sentence):
    with pytest.raises(ConfigError, match=sentence):
        load(name, **asked)


def test_other_refusals(tmp_path, monkeypatch):
    with pytest.raises(AssetError, match=r"no tiny autoencoder at nowhere.pth"):
        load("unet3d", tiny_autoencoder="nowhere.pth")
    with pytest.raises(ConfigError, match=r"wants a video of \(9, 3, 32, 32\).*not \(5, 3, 32, 32\)"):
        load("wan-2.1").encode(clip("wan-2.1")[:5])
    with pytest.raises(AssetError, match=r"no model_index.json"):
        load_prior(tmp_path)
    (tmp_path / "model_index.json").write_text('{"_class_name": "FluxPipeline"}')
    with pytest.raises(AssetError, match="'FluxPipeline' is not among the models"):
        load_prior(tmp_path)
    with pytest.raises(ConfigError, match="no folder and no known model 'cogvideo'"):
        load_prior("cogvideo")
    import huggingface_hub

    def refuse(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    with pytest.raises(PriorError, match=r"THUDM/CogVideoX-5b could not be fetched.*give the folder"):
        load_prior("CogVideoX-5B")
    prior = load("unet3d")
    z, condition = prior.encode(clip("unet3d")), prior.condition("a fox")

    def burst(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(prior.parts.denoisers[0], "forward", burst)
    with pytest.raises(PriorError, match=r"Out of memory in the denoiser.*offload='models'"):
        prior.predict_clean(z, 0.5, condition, 5.0)


def test_native_formats_come_from_the_configs():
    formats = {name: load_prior(saved(name)[1]).format for name in ("cogvideox-1.5", "wan-2.2-5b", "ltx", "unet3d")}
    assert (formats["cogvideox-1.5"].frames, formats["cogvideox-1.5"].fps) == (9, 16.0)
    assert (formats["wan-2.2-5b"].frames, formats["wan-2.2-5b"].height, formats["wan-2.2-5b"].fps) == (121, 704, 24.0)
    assert (formats["ltx"].frames, formats["ltx"].width, formats["ltx"].fps) == (161, 704, 25.0)
    assert (formats["unet3d"].frames, formats["unet3d"].width) == (16, 16)
