"""Estimates memory and work of a score distillation step from a model's configuration: no weights, no device.

The step is run with the prior's own code on torch's meta device, where tensors have shapes but no values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior, ModelParts, TextConditioning
from gambol.priors.diffusers.catalogue import KNOWN_MODELS, Family, check_model_source, family_of
from gambol.priors.diffusers.load import make_prior, read_index, require_diffusers
from gambol.priors.diffusers.prompt_encoder import TextEmbedding
from gambol.priors.diffusers.settings import PriorSettings
from gambol.priors.diffusers.tensor_bytes import convolutions_unfold, count_tensor_bytes


@dataclass(frozen=True)
class Phase:
    """Memory and work of one phase of a step."""

    name: str
    """encode, denoise or backward."""
    activations: int
    """Peak bytes of everything but weights, what earlier phases left behind included."""
    flops: int
    """Floating point operations."""


@dataclass(frozen=True)
class StepEstimate:
    """Memory and work of one step: encode, denoise with prompt and negative prompt, backward through the encoder."""

    model: str
    """Name of the model, or of its folder."""
    format: VideoFormat
    """The video that a step is run on."""
    settings: PriorSettings
    """The settings that the estimate holds for."""
    denoisers: tuple[int, ...]
    """Bytes of each denoiser's weights."""
    autoencoder: int
    """Bytes of the weights of the autoencoder and of the tiny autoencoder if there is one."""
    largest_layer: int
    """Bytes of the denoiser's largest layer, which is what offload='layers' keeps on the device."""
    phases: tuple[Phase, ...]
    """The phases in order: encode, denoise, backward."""

    def weights(self, phase: str) -> int:
        """Return the bytes of weights on the device during the phase of that name, by the offload setting."""
        if self.settings.offload == "none":
            return sum(self.denoisers) + self.autoencoder
        if phase != "denoise":
            return self.autoencoder
        return max(self.denoisers) if self.settings.offload == "models" else self.largest_layer

    def need(self, phase: Phase) -> int:
        """Return the peak bytes of a phase, weights included."""
        return self.weights(phase.name) + phase.activations

    @property
    def peak(self) -> int:
        """Peak bytes of the step, weights included."""
        return max(self.need(phase) for phase in self.phases)

    @property
    def flops(self) -> int:
        """Floating point operations of the step."""
        return sum(phase.flops for phase in self.phases)


def estimate_step(source: str | Path, settings: PriorSettings | None = None) -> StepEstimate:
    """Estimate a step of a known model, or of a model folder of which only the config.json files are read."""
    settings = settings or PriorSettings()
    check_model_source(source)
    require_diffusers(f"An estimate for {source}")
    family, parts = _shapes(source, settings)
    # Networks without values cannot be moved; offloading only decides which weights are counted.
    prior = make_prior(family, parts, replace(settings, device="meta", offload="none"))
    unfolding = convolutions_unfold(settings.device, settings.dtype)
    phases = simulate_step(prior, _text_conditioning(family, prior), unfolding=unfolding)
    return StepEstimate(
        str(source) if str(source).lower() in KNOWN_MODELS else Path(source).name,
        prior.format,
        settings,
        tuple(_bytes(d) for d in parts.denoisers),
        _bytes(parts.vae) + (_bytes(parts.tiny) if parts.tiny else 0),
        max(sum(p.nbytes for p in m.parameters(recurse=False)) for d in parts.denoisers for m in d.modules()),
        phases,
    )


def simulate_step(prior: DiffusersPrior, condition: TextConditioning, *, unfolding: bool = False) -> tuple[Phase, ...]:
    """Run one step of a prior on its device and count bytes and operations; of equal tiles only one is run."""
    form, device, phases = prior.format, prior.settings.device, []
    picture = (form.frames, 3, form.height, form.width)
    tiles = prior.tiles if prior.parts.tiny is None else 1
    with count_tensor_bytes(unfolding=unfolding) as counter:
        video = torch.zeros(picture, device=device, requires_grad=True)
        if tiles == 1:
            latent = part = prior.encode(video)
        else:
            side = prior.settings.tile
            part = prior.encode_with_vae(video.detach()[..., :side, :side].clone().requires_grad_())
            size = (form.height // prior.spatial_compression, form.width // prior.spatial_compression)
            latent = part.new_zeros(*part.shape[:2], *size)
        phases.append(Phase("encode", counter.peak, tiles * counter.flops))
        counter.start_phase()
        with torch.no_grad():
            noisy = prior.add_noise(latent, torch.zeros_like(latent), 0.95)
            gradient = latent - prior.predict_clean(noisy, 0.95, condition, 100.0)
            del noisy
        phases.append(Phase("denoise", counter.peak, counter.flops))
        counter.start_phase()
        if tiles == 1:
            torch.autograd.backward(latent, gradient)
        else:  # besides the tile there are all pixels in the model's precision, and their gradient so far
            full = [torch.zeros(picture, device=device, dtype=prior.settings.dtype) for _ in range(2)]
            torch.autograd.backward(part, torch.zeros_like(part))
            del full
        phases.append(Phase("backward", counter.peak, tiles * counter.flops))
    return tuple(phases)


def _shapes(source: str | Path, settings: PriorSettings) -> tuple[Family, ModelParts]:
    """Build the networks on the meta device."""
    import diffusers

    known = KNOWN_MODELS.get(str(source).lower())
    if known is not None:
        family, configs = known.family, [known.denoiser] * known.denoisers
        vae, options, scheduler = known.vae, known.options, getattr(diffusers, known.family.scheduler)()
    else:
        folder = Path(source)
        index = read_index(folder)
        family, options = family_of(index), {k: v for k, v in index.items() if not isinstance(v, list)}
        names = [n for n in ("transformer", "transformer_2", "unet") if index.get(n, [None])[0]]
        configs, vae = [_config(folder, name) for name in names], _config(folder, "vae")
        scheduler = getattr(diffusers, index["scheduler"][1]).from_pretrained(folder / "scheduler")
    with torch.device("meta"):
        denoisers = tuple(getattr(diffusers, family.denoiser)(**config).to(settings.dtype) for config in configs)
        autoencoder = getattr(diffusers, family.vae)(**vae).to(settings.dtype)
    tiny = None
    if settings.tiny_autoencoder is not None:
        from gambol.priors.diffusers.tiny_autoencoder import load_tiny_encoder

        tiny = load_tiny_encoder(settings.tiny_autoencoder).to("meta", settings.dtype)
    return family, ModelParts(denoisers, autoencoder, scheduler, None, options, tiny)


def _config(folder: Path, name: str) -> Mapping[str, Any]:
    config = json.loads((folder / name / "config.json").read_text(encoding="utf-8"))
    return {key: value for key, value in config.items() if not key.startswith("_")}


def _text_conditioning(family: Family, prior: DiffusersPrior) -> TextConditioning:
    width = prior.parts.denoisers[0].config[family.text_width]
    tokens = torch.empty(1, family.tokens, width, device="meta", dtype=prior.settings.dtype)
    text = TextEmbedding(tokens, torch.ones(1, family.tokens, dtype=torch.bool, device="meta"))
    return TextConditioning(text, text)


def _bytes(network: torch.nn.Module) -> int:
    return sum(x.nbytes for x in (*network.parameters(), *network.buffers()))
