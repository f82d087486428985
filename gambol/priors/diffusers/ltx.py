"""LTX-Video: rectified flow on packed tokens."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import RECTIFIED_FLOW, Signal, signal_flow
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.prompt_encoder import TextEmbedding


class LTXPrior(DiffusersPrior):
    """A strongly compressing autoencoder (32 x 32 x 8), so cheap; the frame rate is told to the model."""

    parametrisation = RECTIFIED_FLOW

    @property
    def native_format(self) -> VideoFormat:
        """161 x 512 x 704 at 25 fps."""
        return VideoFormat(161, 512, 704, 25.0)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """8 n + 1."""
        return self.parts.vae.temporal_compression_ratio, 1

    @property
    def side_step(self) -> int:
        """32."""
        return self.pixel_factor * self.parts.denoisers[0].config.patch_size

    @property
    def pixel_factor(self) -> int:
        """32."""
        return self.parts.vae.spatial_compression_ratio

    @property
    def blocks(self) -> tuple[str, ...]:
        """The residual blocks and what stands between them."""
        return ("LTXVideoResnetBlock3d", "LTXVideoDownsampler3d")

    def signal(self, t: float) -> Signal:
        """a = 1 - t, s = t."""
        return signal_flow(t)

    def chunk_sizes(self, frames: int) -> list[int]:
        """All at once: this encoder has no memory to carry from chunk to chunk. Tiles are what saves memory here."""
        return [frames]

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """The mean is the first half of the encoder's channels."""
        return self.parts.vae.encoder(pixels).chunk(2, dim=1)[0], None

    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """(z - mean) scaling / std of each channel."""
        centre, spread = self._statistics(mean)
        return (mean - centre) * self.parts.vae.config.scaling_factor / spread

    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """z std / scaling + mean."""
        centre, spread = self._statistics(latent)
        return latent * spread / self.parts.vae.config.scaling_factor + centre

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Tokens in, tokens out; the rotary positions are in seconds and pixels."""
        transformer = self.residence.use(self.parts.denoisers[0])
        frames, height, width = noisy.shape[2:]
        seconds = self.parts.vae.temporal_compression_ratio / self.format.fps
        output = transformer(
            hidden_states=noisy.flatten(2).transpose(1, 2),
            encoder_hidden_states=text.tokens,
            timestep=torch.tensor([self.parts.scheduler.config.num_train_timesteps * t], device=noisy.device),
            encoder_attention_mask=text.mask,
            num_frames=frames,
            height=height,
            width=width,
            rope_interpolation_scale=(seconds, self.pixel_factor, self.pixel_factor),
            return_dict=False,
        )[0]
        return output.transpose(1, 2).unflatten(2, (frames, height, width))

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """Later decoders are told a noise level; ours is zero."""
        vae = self.parts.vae
        level = latent.new_zeros(1) if vae.config.timestep_conditioning else None
        return vae.decode(latent, level).sample

    def _statistics(self, like: Tensor) -> tuple[Tensor, Tensor]:
        vae = self.parts.vae
        return vae.latents_mean.to(like).view(-1, 1, 1, 1), vae.latents_std.to(like).view(-1, 1, 1, 1)
