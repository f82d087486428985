"""CogVideoX 2B, 5B and 1.5 as video priors (v-prediction)."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import V_PREDICTION, timestep_of
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.prompt_encoder import TextEmbedding

ENCODER_CHUNK_FRAMES = 8
"""Frames per encoder chunk; the encoder's group norms span a chunk, so another number changes the latents."""


class CogVideoXPrior(DiffusersPrior):
    """CogVideoX with its zero terminal SNR schedule and integer timesteps, with rotary or fixed position embeddings."""

    parametrisation = V_PREDICTION
    checkpointed_blocks = ("CogVideoXResnetBlock3D", "CogVideoXDownsample3D")

    @property
    def native_format(self) -> VideoFormat:
        """49 x 480 x 720 at 8 fps; for CogVideoX 1.5, which has patches in time, 81 x 768 x 1360 at 16 fps."""
        config, factor = self._transformer.config, self.spatial_compression
        fps = 8.0 if config.patch_size_t is None else 16.0
        return VideoFormat(config.sample_frames, config.sample_height * factor, config.sample_width * factor, fps)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """Frame counts 4 n + 1, as (4, 1)."""
        return self.parts.vae.config.temporal_compression_ratio, 1

    @property
    def side_multiple(self) -> int:
        """16 pixels: eight per latent pixel, two latent pixels per patch."""
        return self.spatial_compression * self._transformer.config.patch_size

    def chunk_sizes(self, frames: int) -> list[int]:
        """Chunks of 9, 8, 8, ... frames: the remainder goes into the first chunk."""
        chunks = max(frames // ENCODER_CHUNK_FRAMES, 1)
        return [frames - ENCODER_CHUNK_FRAMES * (chunks - 1)] + [ENCODER_CHUNK_FRAMES] * (chunks - 1)

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Encode a chunk; the memory holds the last inputs of each causal convolution."""
        vae = self.parts.vae
        moments, memory = vae.encoder(pixels, conv_cache=memory)
        if vae.quant_conv is not None:
            moments = vae.quant_conv(moments)
        return moments.chunk(2, dim=1)[0], memory

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Run the transformer, which takes frames before channels and whole patches in time; the front is padded."""
        transformer = self.offloader.use(self._transformer)
        z = noisy.transpose(1, 2)
        missing = -z.shape[1] % (transformer.config.patch_size_t or 1)
        z = torch.cat([z[:, :1].expand(-1, missing, -1, -1, -1), z], dim=1)
        timestep = timestep_of(t, len(self.parts.scheduler.alphas_cumprod))
        output = transformer(
            hidden_states=z,
            encoder_hidden_states=text.tokens,
            timestep=torch.tensor([timestep], device=noisy.device),
            image_rotary_emb=self._rotary(z),
            return_dict=False,
        )[0]
        return output[:, missing:].transpose(1, 2)

    def _rotary(self, z: Float[Tensor, "1 frames channels h w"]) -> tuple[Tensor, Tensor] | None:
        """Rotary embeddings of the token grid: 1.0 resizes the trained grid, 1.5 takes a slice of it."""
        from diffusers.models.embeddings import get_3d_rotary_pos_embed
        from diffusers.pipelines.cogvideo.pipeline_cogvideox import get_resize_crop_region_for_grid

        config = self._transformer.config
        if not config.use_rotary_positional_embeddings:
            return None
        grid = (z.shape[3] // config.patch_size, z.shape[4] // config.patch_size)
        base = (config.sample_height // config.patch_size, config.sample_width // config.patch_size)
        if config.patch_size_t is None:
            place: dict[str, Any] = {
                "crops_coords": get_resize_crop_region_for_grid(grid, base[1], base[0]),
                "temporal_size": z.shape[1],
            }
        else:
            frames = -(-z.shape[1] // config.patch_size_t)
            place = {"crops_coords": None, "temporal_size": frames, "grid_type": "slice", "max_size": base}
        cosines, sines = get_3d_rotary_pos_embed(config.attention_head_dim, grid_size=grid, device=z.device, **place)
        return cosines, sines

    @property
    def _transformer(self) -> Any:
        return self.parts.denoisers[0]
