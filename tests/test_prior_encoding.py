"""Chunks, tiles and the tiny autoencoder: the parts of encoding that need no large model."""

import weakref

import pytest
import torch
from torch import nn

from gambol.errors import AssetError, ConfigError
from gambol.priors.diffusers.chunked_encoding import (
    checkpoint_module,
    encode_chunks,
    encode_tiles,
    tile_blend_weights,
    tile_starts,
)
from gambol.priors.diffusers.tiny_autoencoder import TinyEncoder, load_tiny_encoder


def seeded(*shape, seed=0):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def pool(pixels):
    return torch.nn.functional.avg_pool3d(pixels, (1, 4, 4))


@pytest.mark.parametrize(
    ("length", "tile", "overlap"), [(60, 32, 8), (90, 32, 8), (32, 32, 8), (20, 32, 8), (33, 32, 0)]
)
def test_tiles_cover_everything_and_overlap_enough(length, tile, overlap):
    starts = tile_starts(length, tile, overlap)
    ends = [min(s + tile, length) for s in starts]
    assert (starts[0], ends[-1]) == (0, length)
    assert all(end - start >= overlap for end, start in zip(ends, starts[1:], strict=False))
    weights = sum(
        torch.nn.functional.pad(tile_blend_weights(s, e, length, overlap), (s, length - e))
        for s, e in zip(starts, ends, strict=True)
    )
    assert (weights > 0).all()


def test_tiles_of_a_local_encoder_give_the_whole_picture_and_its_gradient():
    pixels = seeded(1, 3, 5, 40, 56).requires_grad_()
    probe = seeded(1, 3, 5, 10, 14, seed=1)
    whole = pool(pixels)
    (expected,) = torch.autograd.grad(whole, pixels, probe)
    for recompute in (True, False):
        tiled = encode_tiles(pool, pixels, tile=16, overlap=8, factor=4, recompute=recompute)
        assert torch.allclose(tiled, whole, atol=1e-12)
        assert torch.allclose(torch.autograd.grad(tiled, pixels, probe)[0], expected, atol=1e-12)


def test_tiles_that_disagree_are_blended_without_a_seam():
    """Each tile answers with its own mean: the blend of a ramp must rise, step by small step."""
    pixels = torch.linspace(0, 1, 64, dtype=torch.float64).expand(1, 1, 1, 64, 64)
    z = encode_tiles(lambda x: pool(x) * 0 + x.mean(), pixels, tile=32, overlap=16, factor=4, recompute=False)
    steps = z[0, 0, 0, 0].diff()
    assert (steps >= -1e-12).all()
    assert steps.max() < 0.5 * (z.max() - z.min())


def test_memory_goes_through_the_chunks_as_a_value():
    """A running sum over frames needs its memory; recomputation must see each chunk's own."""
    runs = []

    def encode(chunk, memory):
        runs.append(chunk.shape[2])
        total = chunk.cumsum(2) + (0 if memory is None else memory["sum"])
        return total**2, {"sum": total[:, :, -1:], "none": None}

    pixels = seeded(1, 2, 9, 3, 3).requires_grad_()
    z = encode_chunks(encode, pixels, [1, 4, 4], recompute=True)
    assert torch.allclose(z, pixels.cumsum(2) ** 2)
    assert runs == [1, 4, 4]
    (gradient,) = torch.autograd.grad(z, pixels, torch.ones_like(z))
    assert sorted(runs) == [1, 1, 4, 4, 4, 4]
    expected = torch.autograd.grad((pixels.cumsum(2) ** 2).sum(), pixels)[0]
    assert torch.allclose(gradient, expected)


def test_recomputed_modules_let_go_of_tensors_in_dicts():
    """A recomputation around a module frees what the module was given, even inside a dict."""

    class Cached(nn.Module):
        def forward(self, x, cache=None):
            return (x + cache["before"]).sin().exp()

    module = Cached()
    checkpoint_module(module)
    x = seeded(1, 1, 1, 4, 4).requires_grad_()

    def encode(chunk, memory):
        middle = chunk.cos()
        watched.append(weakref.ref(middle.untyped_storage()))
        return module(chunk, cache={"before": middle}), None

    watched = []
    z = encode_chunks(encode, x, [1], recompute=True)
    assert watched[0]() is None
    (gradient,) = torch.autograd.grad(z, x, torch.ones_like(z))
    expected = torch.autograd.grad((x + x.cos()).sin().exp().sum(), x)[0]
    assert torch.allclose(gradient, expected)


def taehv_checkpoint(patch, strides, channels, width=8, seed=0):
    """Random weights with the names and shapes of a TAEHV file, its decoder included."""
    generator = torch.Generator().manual_seed(seed)

    def random(*shape):
        return torch.randn(shape, generator=generator) / (shape[1] * 9 if len(shape) > 1 else 10) ** 0.5

    weights = {"encoder.0.weight": random(width, 3 * patch**2, 3, 3), "encoder.0.bias": random(width)}
    for level, stride in enumerate(strides):
        at = 2 + 5 * level
        weights[f"encoder.{at}.conv.weight"] = random(width, width * stride, 1, 1)
        weights[f"encoder.{at + 1}.weight"] = random(width, width, 3, 3)
        for block in range(at + 2, at + 5):
            for layer, sources in ((0, 2 * width), (2, width), (4, width)):
                weights[f"encoder.{block}.conv.{layer}.weight"] = random(width, sources, 3, 3)
                weights[f"encoder.{block}.conv.{layer}.bias"] = random(width)
    weights |= {"encoder.17.weight": random(channels, width, 3, 3), "encoder.17.bias": random(channels)}
    return weights | {"decoder.1.weight": random(4, 4, 3, 3)}


def slow_tiny_encode(weights, video, patch, strides):
    """The slow twin: frame by frame, as a stream; each block remembers the frame before."""
    from torch.nn.functional import conv2d, pixel_unshuffle, relu

    def conv(x, name, **how):
        return conv2d(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"), **how)

    total = strides[0] * strides[1] * strides[2]
    frames = list(video) + [video[-1]] * (-len(video) % total)
    stream = [relu(conv(pixel_unshuffle(f[None], patch), "encoder.0", padding=1)) for f in frames]
    for level, stride in enumerate(strides):
        at = 2 + 5 * level
        stream = [torch.cat(stream[i : i + stride], 1) for i in range(0, len(stream), stride)]
        stream = [
            conv(conv2d(x, weights[f"encoder.{at}.conv.weight"]), f"encoder.{at + 1}", stride=2, padding=1)
            for x in stream
        ]
        for block in range(at + 2, at + 5):
            memory, after = torch.zeros_like(stream[0]), []
            for x in stream:
                y = relu(conv(torch.cat([x, memory], 1), f"encoder.{block}.conv.0", padding=1))
                y = relu(conv(y, f"encoder.{block}.conv.2", padding=1))
                after.append(relu(conv(y, f"encoder.{block}.conv.4", padding=1) + x))
                memory = x
            stream = after
    return torch.stack([conv(x, "encoder.17", padding=1)[0] for x in stream], 1)


@pytest.mark.parametrize(
    ("patch", "strides", "channels", "suffix"), [(1, (2, 2, 1), 16, "pth"), (2, (2, 2, 1), 48, "safetensors")]
)
def test_tiny_encoder_reads_taehv_checkpoints_and_agrees_with_its_slow_twin(tmp_path, patch, strides, channels, suffix):
    weights = taehv_checkpoint(patch, strides, channels)
    path = tmp_path / f"taew.{suffix}"
    if suffix == "pth":
        torch.save(weights, path)
    else:
        pytest.importorskip("safetensors.torch").save_file(weights, path)
    tiny = load_tiny_encoder(path)
    assert (tiny.patch, tiny.stride, tiny.factor) == (patch, 4, 8 * patch)
    video = seeded(9, 3, 32, 48).float().requires_grad_()
    z = tiny(video)
    assert z.shape == (channels, 3, 4 // patch, 6 // patch)
    assert torch.allclose(z, slow_tiny_encode(weights, video, patch, strides), atol=1e-5)
    (recomputed,) = torch.autograd.grad(z, video, torch.ones_like(z))
    kept = tiny(video, recompute=False)
    assert torch.equal(torch.autograd.grad(kept, video, torch.ones_like(kept))[0], recomputed)


def test_what_is_no_tiny_autoencoder_is_refused(tmp_path):
    torch.save({"encoder.0.weight": torch.zeros(8, 3, 3, 3)}, tmp_path / "other.pth")
    with pytest.raises(AssetError, match=r"other.pth is not a TAEHV checkpoint"):
        load_tiny_encoder(tmp_path / "other.pth")


def test_with_a_tiny_autoencoder_values_are_exact_and_gradients_are_the_tiny_ones(tmp_path):
    pytest.importorskip("diffusers")
    from tiny_video_models import saved

    from gambol.priors.diffusers.load import load_prior
    from gambol.priors.diffusers.settings import PriorSettings

    size = {"frames": 9, "height": 32, "width": 32, "precision": "float64"}
    torch.save(taehv_checkpoint(1, (2, 2, 1), 4), tmp_path / "tiny.pth")
    large = load_prior(saved("wan-2.1")[1], PriorSettings(**size))
    both = load_prior(saved("wan-2.1")[1], PriorSettings(**size, tiny_autoencoder=str(tmp_path / "tiny.pth")))
    video = seeded(9, 3, 32, 32).requires_grad_()
    z = both.encode(video)
    assert torch.allclose(z, large.encode(video))
    (gradient,) = torch.autograd.grad(z, video, torch.ones_like(z))
    small = load_tiny_encoder(tmp_path / "tiny.pth").double()(video)
    assert torch.allclose(gradient, torch.autograd.grad(small, video, torch.ones_like(small))[0])
    torch.save(taehv_checkpoint(1, (2, 2, 1), 16), tmp_path / "wrong.pth")
    wrong = load_prior(saved("wan-2.1")[1], PriorSettings(**size, tiny_autoencoder=str(tmp_path / "wrong.pth")))
    with pytest.raises(ConfigError, match=r"latents of \(16, 3, 4, 4\), this prior's are \(4, 3, 4, 4\)"):
        wrong.encode(video)


def test_tiny_encoder_has_the_published_size():
    """taew2_1's encoder: 64 wide, 16 latent channels."""
    tiny = TinyEncoder(width=64, patch=1, strides=(2, 2, 1), latent_channels=16)
    assert len(tiny.encoder) == 18
