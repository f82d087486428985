"""What a step of score distillation will need, from a model's configuration alone: no weights, no device.

The step itself is run, with the prior's own code, on torch's meta device, where tensors have shapes but no numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from gambol.diffusion.video_prior import PriorError, VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior, ModelParts, TextCondition
from gambol.priors.diffusers.catalogue import KNOWN_MODELS, Family, family_of
from gambol.priors.diffusers.load import make_prior, read_index, require_diffusers
from gambol.priors.diffusers.prompt_encoder import TextEmbedding
from gambol.priors.diffusers.settings import PriorSettings
from gambol.priors.diffusers.tensor_bytes import convolutions_unfold, counting

PHASES = ("encode", "denoise", "backward")


@dataclass(frozen=True)
class Phase:
    """One part of a step."""

    name: str
    activations: int
    """Bytes of everything but weights at the worst moment, with what earlier phases left behind."""
    flops: int


@dataclass(frozen=True)
class StepEstimate:
    """Memory and work of one step with one noise draw: encode, denoise with and without the prompt, go back."""

    model: str
    format: VideoFormat
    settings: PriorSettings
    denoisers: tuple[int, ...]
    """Bytes of each denoiser's weights."""
    autoencoder: int
    """Bytes of the autoencoder's weights, the tiny one's included."""
    largest_layer: int
    """Bytes of the denoiser's largest layer: what stays with offload='layers'."""
    phases: tuple[Phase, ...]

    def weights(self, phase: str) -> int:
        """Bytes of weights on the device during a phase, by the offload setting."""
        if self.settings.offload == "none":
            return sum(self.denoisers) + self.autoencoder
        if phase != "denoise":
            return self.autoencoder
        return max(self.denoisers) if self.settings.offload == "models" else self.largest_layer

    def need(self, phase: Phase) -> int:
        """Bytes at the worst moment of a phase."""
        return self.weights(phase.name) + phase.activations

    @property
    def peak(self) -> int:
        """Bytes at the worst moment of the step."""
        return max(self.need(phase) for phase in self.phases)

    @property
    def flops(self) -> int:
        """Floating point operations of the step."""
        return sum(phase.flops for phase in self.phases)


def estimate_step(source: str | Path, settings: PriorSettings | None = None) -> StepEstimate:
    """Estimate from a known name or a folder's config.json files."""
    settings = settings or PriorSettings()
    require_diffusers(f"An estimate for {source}")
    family, parts = _shapes(source, settings)
    # Moving networks that have no numbers is not possible, nor needed: offloading only decides which weights count.
    prior = make_prior(family, parts, replace(settings, device="meta", offload="none"))
    unfolding = convolutions_unfold(settings.device, settings.dtype)
    phases = simulate_step(prior, _told(family, prior), unfolding=unfolding)
    return StepEstimate(
        str(source) if str(source).lower() in KNOWN_MODELS else Path(source).name,
        prior.format,
        settings,
        tuple(_bytes(d) for d in parts.denoisers),
        _bytes(parts.vae) + (_bytes(parts.tiny) if parts.tiny else 0),
        max(sum(p.nbytes for p in m.parameters(recurse=False)) for d in parts.denoisers for m in d.modules()),
        phases,
    )


def simulate_step(prior: DiffusersPrior, condition: TextCondition, *, unfolding: bool = False) -> tuple[Phase, ...]:
    """Run one step and count, on whatever device the prior is. Of equal tiles only one is run."""
    form, device, phases = prior.format, prior.settings.device, []
    picture = (form.frames, 3, form.height, form.width)
    tiles = prior.tiles if prior.parts.tiny is None else 1
    with counting(unfolding=unfolding) as counter:
        video = torch.zeros(picture, device=device, requires_grad=True)
        if tiles == 1:
            latent = part = prior.encode(video)
        else:
            side = prior.settings.tile
            part = prior.latent_of(video.detach()[..., :side, :side].clone().requires_grad_())
            size = (form.height // prior.pixel_factor, form.width // prior.pixel_factor)
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
        else:  # besides the tile: all pixels in the model's precision, and their gradient so far
            full = [torch.zeros(picture, device=device, dtype=prior.settings.dtype) for _ in range(2)]
            torch.autograd.backward(part, torch.zeros_like(part))
            del full
        phases.append(Phase("backward", counter.peak, tiles * counter.flops))
    return tuple(phases)


def _shapes(source: str | Path, settings: PriorSettings) -> tuple[Family, ModelParts]:
    """The networks without numbers."""
    import diffusers

    known = KNOWN_MODELS.get(str(source).lower())
    if known is not None:
        family, configs = known.family, [known.denoiser] * known.denoisers
        vae, options, scheduler = known.vae, known.options, getattr(diffusers, known.family.scheduler)()
    elif Path(source).is_dir():
        folder = Path(source)
        index = read_index(folder)
        family, options = family_of(index), {k: v for k, v in index.items() if not isinstance(v, list)}
        names = [n for n in ("transformer", "transformer_2", "unet") if index.get(n, [None])[0]]
        configs, vae = [_config(folder, name) for name in names], _config(folder, "vae")
        scheduler = getattr(diffusers, index["scheduler"][1]).from_pretrained(folder / "scheduler")
    else:
        raise PriorError(
            f"There is no folder and no known model '{source}'. Known are {', '.join(KNOWN_MODELS)}; for any other "
            "model give its folder."
        )
    with torch.device("meta"):
        denoisers = tuple(getattr(diffusers, family.denoiser)(**config).to(settings.dtype) for config in configs)
        autoencoder = getattr(diffusers, family.vae)(**vae).to(settings.dtype)
    tiny = None
    if settings.tiny_autoencoder is not None:
        from gambol.priors.diffusers.tiny_autoencoder import load_tiny_encoder

        tiny = load_tiny_encoder(settings.tiny_autoencoder).to("meta", settings.dtype)
    return family, ModelParts(denoisers, autoencoder, scheduler, None, options, tiny)


def _config(folder: Path, name: str) -> Mapping[str, Any]:
    config = json.loads((folder / name / "config.json").read_text())
    return {key: value for key, value in config.items() if not key.startswith("_")}


def _told(family: Family, prior: DiffusersPrior) -> TextCondition:
    width = prior.parts.denoisers[0].config[family.text_width]
    tokens = torch.empty(1, family.tokens, width, device="meta", dtype=prior.settings.dtype)
    text = TextEmbedding(tokens, torch.ones(1, family.tokens, dtype=torch.bool, device="meta"))
    return TextCondition(text, text)


def _bytes(network: torch.nn.Module) -> int:
    return sum(x.nbytes for x in (*network.parameters(), *network.buffers()))
