"""The base class of all diffusers priors: input checks, chunked and tiled encoding, guidance, offloading."""

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
from gambol.diffusion.parametrisation import (
    RECTIFIED_FLOW,
    Parametrisation,
    Signal,
    guide,
    precise,
    signal_flow,
    signal_of_alphas,
)
from gambol.diffusion.video_prior import Reference, VideoFormat, VideoPrior
from gambol.errors import ConfigError
from gambol.priors.diffusers.chunked_encoding import checkpoint_module, encode_chunks, encode_tiles, tile_starts
from gambol.priors.diffusers.offload import DeviceOffloader
from gambol.priors.diffusers.prompt_encoder import PromptEncoder, TextEmbedding
from gambol.priors.diffusers.settings import PriorSettings
from gambol.priors.diffusers.tiny_autoencoder import TinyEncoder


@dataclass(frozen=True)
class ModelParts:
    """The networks and tables that a model folder holds."""

    denoisers: tuple[Any, ...]
    """The diffusers transformer or U-Net; Wan 2.2 14B has two, the one for high noise first."""
    vae: Any
    """The diffusers video autoencoder."""
    scheduler: Any
    """The diffusers scheduler, read for its noise levels only."""
    prompts: PromptEncoder | None
    """Embeds prompts; None in memory estimates, which need no text."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the model's pipeline (boundary_ratio, expand_timesteps)."""
    tiny: TinyEncoder | None = None
    """A small encoder that gradients go through instead of the autoencoder's."""


@dataclass(frozen=True)
class TextConditioning:
    """What the denoiser is conditioned on, made once per run."""

    prompt: TextEmbedding
    """The embedded prompt."""
    negative: TextEmbedding
    """The embedded negative prompt, for classifier-free guidance."""
    reference: Float[Tensor, "channels 1 h w"] | None = None
    """The latent of the first frame, for models that accept one."""


class DiffusersPrior(VideoPrior[TextConditioning]):
    """A pretrained diffusers model as a video prior; latents are [channels, frames, height, width] in float32.

    Each family is a subclass that says what its networks predict, which sizes they take, and how to call them.
    """

    parametrisation: Parametrisation
    """What the denoiser predicts: v, noise or flow."""
    checkpointed_blocks: tuple[str, ...]
    """Class names of the encoder blocks that are checkpointed one by one within a chunk."""
    uses_reference = False
    """Whether the model can be conditioned on its first frame."""

    def __init__(self, parts: ModelParts, settings: PriorSettings):
        self.parts, self.settings, self.weighting = parts, settings, self.parametrisation.weighting
        frame_step, frame_rest = self.frame_rule
        self.format = choose_format(
            self.native_format,
            settings,
            frame_step=frame_step,
            frame_rest=frame_rest,
            side_multiple=self.side_multiple,
        )
        others = (parts.vae,) if parts.tiny is None else (parts.vae, parts.tiny)
        self.offloader = DeviceOffloader(torch.device(settings.device), settings.offload, parts.denoisers, others)
        if settings.checkpoint:
            for module in parts.vae.encoder.modules():
                if type(module).__name__ in self.checkpointed_blocks:
                    self.checkpoint_block(module)

    # What each family of models defines.

    @property
    @abstractmethod
    def native_format(self) -> VideoFormat:
        """Frames, size and frame rate that the model was trained on."""

    @property
    @abstractmethod
    def frame_rule(self) -> tuple[int, int]:
        """Allowed frame counts as (step, rest): step n + rest."""

    @property
    @abstractmethod
    def side_multiple(self) -> int:
        """Height and width must be multiples of this many pixels."""

    @property
    def spatial_compression(self) -> int:
        """Pixels per latent pixel along one side."""
        return 2 ** (len(self.parts.vae.config.block_out_channels) - 1)

    def signal(self, t: float) -> Signal:
        """Amplitudes a = 1 - t, s = t of a flow; else of the scheduler's alphas_cumprod at the nearest timestep."""
        if self.parametrisation is RECTIFIED_FLOW:
            return signal_flow(t)
        return signal_of_alphas(self.parts.scheduler.alphas_cumprod, t)

    @abstractmethod
    def chunk_sizes(self, frames: int) -> list[int]:
        """Frames of each chunk that the encoder is given, in order."""

    @abstractmethod
    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Encode a chunk to its posterior mean before `normalise`, and the encoder memory for the next; pure."""

    @abstractmethod
    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Run the denoiser at noise level `t` and return its raw output."""

    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Scale a latent of the autoencoder to the denoiser's space: times the scaling factor."""
        return mean * self.parts.vae.config.scaling_factor

    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Scale a latent of the denoiser back to the autoencoder's space: over the scaling factor."""
        return latent / self.parts.vae.config.scaling_factor

    def checkpoint_block(self, block: nn.Module) -> None:
        """Wrap an encoder block in gradient checkpointing."""
        checkpoint_module(block)

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """Decode a latent of the autoencoder's space to a video with colours in [-1, 1]."""
        return self.parts.vae.decode(latent).sample

    # The VideoPrior interface.

    def condition(self, prompt: str, negative: str = "", *, reference: Reference | None = None) -> TextConditioning:
        """Embed both prompts, free the text encoder, and encode the reference frame if the model can use one."""
        if self.parts.prompts is None:
            raise ConfigError("This prior was made for a memory estimate and has no text encoder; use load_prior.")
        words, nothing = self.parts.prompts.embed(prompt, negative)
        latent = None
        if reference is not None and reference.frame is not None and self.uses_reference:
            with torch.no_grad():
                latent = self.encode_with_vae(reference.frame[None])
        return TextConditioning(self._placed(words), self._placed(nothing), latent)

    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "channels latent_frames h w"]:
        """Encode a video to its posterior mean in the denoiser's space (a sample would add noise to the gradient).

        With a tiny autoencoder the value comes from the large encoder and the gradient from the tiny one.
        """
        wanted = (self.format.frames, 3, self.format.height, self.format.width)
        if tuple(video.shape) != wanted:
            raise ConfigError(
                f"This prior wants a video of {wanted} (frames, 3, height, width), not {tuple(video.shape)}."
            )
        if self.parts.tiny is None:
            return self.encode_with_vae(video)
        with torch.no_grad():
            exact = self.encode_with_vae(video)
        tiny = self.offloader.use(self.parts.tiny)
        small = precise(tiny(self._pixels(video), recompute=self.settings.checkpoint))
        if small.shape != exact.shape:
            raise ConfigError(
                f"The tiny autoencoder gives latents of {tuple(small.shape)}, this prior's are {tuple(exact.shape)}. "
                "Use the TAEHV checkpoint that was made for this model."
            )
        return exact + (small - small.detach())

    def encode_with_vae(
        self, video: Float[Tensor, "frames 3 height width"]
    ) -> Float[Tensor, "channels latent_frames h w"]:
        """Encode a video of any allowed size with the model's own autoencoder, in chunks and tiles."""
        pixels = (2 * self._pixels(video) - 1).movedim(0, 1)[None]
        sizes, recompute = self.chunk_sizes(len(video)), self.settings.checkpoint and torch.is_grad_enabled()

        def encode_all(part: Tensor) -> Tensor:
            return encode_chunks(self._encode_chunk, part, sizes, recompute=recompute)

        with explain_out_of_memory("the encoder"):
            if self.settings.tile is None:
                mean = encode_all(pixels)
            else:
                mean = encode_tiles(
                    encode_all, pixels, factor=self.spatial_compression, recompute=recompute, **self._tiling
                )
        return self.normalise(precise(mean[0]))

    @torch.no_grad()
    def predict_clean(
        self, noisy: Float[Tensor, "channels frames h w"], t: float, condition: TextConditioning, guidance: float
    ) -> Float[Tensor, "channels frames h w"]:
        """Predict x0; prompt and negative prompt run one after the other, which halves the memory of a batch of two."""

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
        """Decode a latent to a video with colours in [0, 1]."""
        self.offloader.use(self.parts.vae)
        z = self.denormalise(latent)[None].to(self.settings.device, self.settings.dtype)
        with explain_out_of_memory("the decoder"):
            video = self.run_decoder(z)
        return (precise(video[0].movedim(1, 0)) / 2 + 0.5).clamp(0, 1)

    @property
    def tiles(self) -> int:
        """Number of tiles that each frame is encoded in."""
        if self.settings.tile is None:
            return 1
        sides = (self.format.height, self.format.width)
        return math.prod(len(tile_starts(side, **self._tiling)) for side in sides)

    @property
    def _tiling(self) -> dict[str, int]:
        tile = (self.settings.tile or 0) // self.side_multiple * self.side_multiple
        return {"tile": tile, "overlap": self.settings.tile_overlap}

    def _encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        # The encoder is moved to the device here, because the backward pass calls this again after the denoiser ran.
        self.offloader.use(self.parts.vae)
        return self.encode_chunk(pixels, memory)

    def _pixels(self, video: Tensor) -> Tensor:
        return video.to(self.settings.device, self.settings.dtype)

    def _placed(self, text: TextEmbedding) -> TextEmbedding:
        device = self.settings.device
        return TextEmbedding(text.tokens.to(device, self.settings.dtype), text.mask.to(device))


def choose_format(
    native: VideoFormat, settings: PriorSettings, *, frame_step: int, frame_rest: int, side_multiple: int
) -> VideoFormat:
    """Return the video format of a prior: the requested one, checked against what the model can take.

    Allowed are frames = frame_step n + frame_rest, and sides that are multiples of `side_multiple` pixels.
    """
    chosen = VideoFormat(
        native.frames if settings.frames is None else settings.frames,
        native.height if settings.height is None else settings.height,
        native.width if settings.width is None else settings.width,
        native.fps if settings.fps is None else settings.fps,
    )
    if chosen.frames % frame_step != frame_rest % frame_step or chosen.frames < 1:
        below = max((chosen.frames - frame_rest) // frame_step, 0) * frame_step + frame_rest
        rule = f"{frame_step} n + {frame_rest}"
        raise ConfigError(
            f"This prior was asked for {chosen.frames} frames; it takes {rule}. Use {below} or {below + frame_step}."
        )
    for side in (chosen.height, chosen.width):
        if side % side_multiple or side < side_multiple:
            below = max(side // side_multiple, 1) * side_multiple
            raise ConfigError(
                f"This prior was asked for pictures of {chosen.height} x {chosen.width} pixels (height x width); both "
                f"sides must be multiples of {side_multiple}. Use {below} or {below + side_multiple} for {side}."
            )
    if settings.tile is not None and (settings.tile < side_multiple or settings.tile_overlap >= settings.tile):
        raise ConfigError(
            f"Tiles of {settings.tile} pixels that overlap by {settings.tile_overlap} were asked for; a tile has at "
            f"least {side_multiple} pixels and is larger than its overlap."
        )
    return chosen
