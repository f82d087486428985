"""LTX-Video as a video prior (rectified flow on packed tokens)."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import RECTIFIED_FLOW
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.prompt_encoder import TextEmbedding


class LTXPrior(DiffusersPrior):
    """LTX-Video, whose autoencoder compresses 32 x 32 x 8 and whose transformer is conditioned on the frame rate."""

    parametrisation = RECTIFIED_FLOW
    checkpointed_blocks = ("LTXVideoResnetBlock3d", "LTXVideoDownsampler3d")

    @property
    def native_format(self) -> VideoFormat:
        """161 x 512 x 704 at 25 fps."""
        return VideoFormat(161, 512, 704, 25.0)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """Frame counts 8 n + 1, as (8, 1)."""
        return self.parts.vae.temporal_compression_ratio, 1

    @property
    def side_multiple(self) -> int:
        """32 pixels."""
        return self.spatial_compression * self.parts.denoisers[0].config.patch_size

    @property
    def spatial_compression(self) -> int:
        """32 pixels per latent pixel."""
        return self.parts.vae.spatial_compression_ratio

    def chunk_sizes(self, frames: int) -> list[int]:
        """One chunk of all frames: this encoder has no memory to pass on, so tiles are the way to save memory."""
        return [frames]

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Encode to the posterior mean, the first half of the encoder's channels."""
        return self.parts.vae.encoder(pixels).chunk(2, dim=1)[0], None

    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Apply (z - mean) scaling / std to each channel."""
        centre, spread = self._statistics(mean)
        return (mean - centre) * self.parts.vae.config.scaling_factor / spread

    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Apply z std / scaling + mean to each channel."""
        centre, spread = self._statistics(latent)
        return latent * spread / self.parts.vae.config.scaling_factor + centre

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Run the transformer on packed tokens; its rotary positions are in seconds and pixels."""
        transformer = self.offloader.use(self.parts.denoisers[0])
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
            rope_interpolation_scale=(seconds, self.spatial_compression, self.spatial_compression),
            return_dict=False,
        )[0]
        return output.transpose(1, 2).unflatten(2, (frames, height, width))

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """Decode; decoders that are conditioned on a noise level get zero."""
        vae = self.parts.vae
        level = latent.new_zeros(1) if vae.config.timestep_conditioning else None
        return vae.decode(latent, level).sample

    def _statistics(self, like: Tensor) -> tuple[Tensor, Tensor]:
        vae = self.parts.vae
        return vae.latents_mean.to(like).view(-1, 1, 1, 1), vae.latents_std.to(like).view(-1, 1, 1, 1)
