"""What all diffusers models share: checks, chunks and tiles, guidance, offloading. A family adds what is its own."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gambol.diffusion.out_of_memory import explain_out_of_memory
from gambol.diffusion.parametrisation import Parametrisation, guide, precise
from gambol.diffusion.video_prior import PriorError, VideoFormat, VideoPrior
from gambol.priors.diffusers.chunked_encoding import encode_chunks, encode_tiles, recompute_module, tile_starts
from gambol.priors.diffusers.offload import Residence
from gambol.priors.diffusers.prompt_encoder import PromptEncoder, TextEmbedding
from gambol.priors.diffusers.settings import PriorSettings, choose_format
from gambol.priors.diffusers.tiny_autoencoder import TinyEncoder
from gambol.render.cameras import Camera


@dataclass(frozen=True)
class ModelParts:
    """The networks of a model folder."""

    denoisers: tuple[Any, ...]
    """The transformer or U-Net; Wan 2.2's two: first the one for high noise."""
    vae: Any
    scheduler: Any
    prompts: PromptEncoder | None
    """None where nothing is ever asked: in estimates."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The model's own settings (boundary_ratio, expand_timesteps)."""
    tiny: TinyEncoder | None = None


@dataclass(frozen=True)
class TextCondition:
    """What the model is told."""

    prompt: TextEmbedding
    negative: TextEmbedding
    reference: Float[Tensor, "channels 1 h w"] | None = None
    """The latent of the first frame, where the model can be given one."""


class DiffusersPrior(VideoPrior[TextCondition]):
    """A pretrained model behind the interface. Its latents are [channels, frames, height, width] in float32."""

    parametrisation: Parametrisation
    uses_reference = False
    """Whether the model can be told its first frame."""

    def __init__(self, parts: ModelParts, settings: PriorSettings):
        self.parts, self.settings, self.weighting = parts, settings, self.parametrisation.weighting
        frame_step, frame_rest = self.frame_rule
        self.format = choose_format(
            self.native_format,
            settings,
            frame_step=frame_step,
            frame_rest=frame_rest,
            side_step=self.side_step,
        )
        others = (parts.vae,) if parts.tiny is None else (parts.vae, parts.tiny)
        self.residence = Residence(torch.device(settings.device), settings.offload, parts.denoisers, others)
        if settings.checkpoint:
            for module in parts.vae.encoder.modules():
                if type(module).__name__ in self.blocks:
                    self.recompute_block(module)

    # What a family says about itself.

    @property
    @abstractmethod
    def native_format(self) -> VideoFormat:
        """What the model was trained on."""

    @property
    @abstractmethod
    def frame_rule(self) -> tuple[int, int]:
        """(step, rest): the frame counts step n + rest are allowed."""

    @property
    @abstractmethod
    def side_step(self) -> int:
        """Pictures have sides that are multiples of this."""

    @property
    @abstractmethod
    def pixel_factor(self) -> int:
        """Pixels that one latent pixel stands for."""

    @abstractmethod
    def chunk_sizes(self, frames: int) -> list[int]:
        """How many frames the encoder takes at a time."""

    @abstractmethod
    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """The posterior mean of a chunk's latent, before `normalise`; changes neither argument."""

    @abstractmethod
    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """From the autoencoder's latent to the denoiser's."""

    @abstractmethod
    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Back."""

    @abstractmethod
    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """The network's raw output."""

    @property
    @abstractmethod
    def blocks(self) -> tuple[str, ...]:
        """Class names of the encoder's blocks that are recomputed one by one within a chunk."""

    def recompute_block(self, block: nn.Module) -> None:
        """Let one of the encoder's blocks keep nothing for the backward pass."""
        recompute_module(block)

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """The autoencoder's decoder, colours in [-1, 1]."""
        return self.parts.vae.decode(latent).sample

    # The interface.

    def condition(
        self,
        prompt: str,
        negative: str = "",
        *,
        reference_frame: Float[Tensor, "3 height width"] | None = None,
        camera: Camera | None = None,
    ) -> TextCondition:
        """Embed both prompts, and free the text encoder; the reference frame only where the model can use one."""
        if self.parts.prompts is None:
            raise PriorError("This prior was made without a text encoder, for an estimate only.")
        words, nothing = self.parts.prompts.embed(prompt, negative)
        reference = None
        if reference_frame is not None and self.uses_reference:
            with torch.no_grad():
                reference = self.latent_of(reference_frame[None])
        return TextCondition(self._placed(words), self._placed(nothing), reference)

    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "channels latent_frames h w"]:
        """The posterior mean in the denoiser's space: the mean, because a sample would add noise to the gradient.

        With a tiny autoencoder the value is the large encoder's and the gradient the tiny one's.
        """
        wanted = (self.format.frames, 3, self.format.height, self.format.width)
        if tuple(video.shape) != wanted:
            raise PriorError(
                f"This prior wants a video of {wanted} (frames, 3, height, width), not {tuple(video.shape)}."
            )
        if self.parts.tiny is None:
            return self.latent_of(video)
        with torch.no_grad():
            exact = self.latent_of(video)
        tiny = self.residence.use(self.parts.tiny)
        small = precise(tiny(self._pixels(video), recompute=self.settings.checkpoint))
        if small.shape != exact.shape:
            raise PriorError(
                f"The tiny autoencoder gives latents of {tuple(small.shape)}, this prior's are {tuple(exact.shape)}. "
                "Use the TAEHV checkpoint that was made for this model."
            )
        return exact + (small - small.detach())

    def latent_of(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "channels latent_frames h w"]:
        """The latent of a video of any allowed size, by the large encoder."""
        pixels = (2 * self._pixels(video) - 1).movedim(0, 1)[None]
        sizes, recompute = self.chunk_sizes(len(video)), self.settings.checkpoint and torch.is_grad_enabled()

        def encode_all(part: Tensor) -> Tensor:
            return encode_chunks(self._encode_chunk, part, sizes, recompute=recompute)

        with explain_out_of_memory("the encoder"):
            if self.settings.tile is None:
                mean = encode_all(pixels)
            else:
                mean = encode_tiles(encode_all, pixels, factor=self.pixel_factor, recompute=recompute, **self._tiling)
        return self.normalise(precise(mean[0]))

    @torch.no_grad()
    def predict_clean(
        self, noisy: Float[Tensor, "channels frames h w"], t: float, condition: TextCondition, guidance: float
    ) -> Float[Tensor, "channels frames h w"]:
        """x0 by the model's parametrisation; text and null one after the other, which halves the memory."""

        def output(text: TextEmbedding) -> Tensor:
            z = noisy.to(self.settings.device, self.settings.dtype)[None]
            return precise(self.denoise(z, t, text, condition.reference)[0]).to(noisy.device)

        with explain_out_of_memory("the denoiser"):
            predicted = output(condition.prompt)
            if guidance != 1.0:
                predicted = guide(output(condition.negative), predicted, guidance)
        return self.parametrisation.clean(noisy, predicted, self.signal(t))

    @torch.no_grad()
    def decode(self, latent: Float[Tensor, "channels latent_frames h w"]) -> Float[Tensor, "frames 3 height width"]:
        """The video of a latent, colours in [0, 1]."""
        self.residence.use(self.parts.vae)
        z = self.denormalise(latent)[None].to(self.settings.device, self.settings.dtype)
        with explain_out_of_memory("the decoder"):
            video = self.run_decoder(z)
        return (precise(video[0].movedim(1, 0)) / 2 + 0.5).clamp(0, 1)

    @property
    def tiles(self) -> int:
        """How many tiles a picture is encoded in."""
        if self.settings.tile is None:
            return 1
        sides = (self.format.height, self.format.width)
        return math.prod(len(tile_starts(side, **self._tiling)) for side in sides)

    @property
    def _tiling(self) -> dict[str, int]:
        tile = (self.settings.tile or 0) // self.side_step * self.side_step
        return {"tile": tile, "overlap": self.settings.tile_overlap}

    def _encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        # The encoder comes to the device here, and not before: the backward pass calls this again, after the denoiser.
        self.residence.use(self.parts.vae)
        return self.encode_chunk(pixels, memory)

    def _pixels(self, video: Tensor) -> Tensor:
        return video.to(self.settings.device, self.settings.dtype)

    def _placed(self, text: TextEmbedding) -> TextEmbedding:
        device = self.settings.device
        return TextEmbedding(text.tokens.to(device, self.settings.dtype), text.mask.to(device))
