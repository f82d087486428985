"""Wan 2.1 and 2.2 as video priors (rectified flow)."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gambol.diffusion.parametrisation import RECTIFIED_FLOW
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.chunked_encoding import checkpointed
from gambol.priors.diffusers.prompt_encoder import TextEmbedding

FRAMES_PER_LATENT_FRAME = 4
"""Frames per latent frame of `AutoencoderKLWan`, which encodes the first frame alone."""


class WanPrior(DiffusersPrior):
    """Wan 2.1; Wan 2.2 14B with a transformer each for high and low noise; Wan 2.2 5B with a timestep per token."""

    parametrisation = RECTIFIED_FLOW
    checkpointed_blocks = ("WanResidualBlock",)

    @property
    def uses_reference(self) -> bool:  # type: ignore[override]
        """True for the 5B model, in which tokens with timestep 0 are conditioning."""
        return bool(self.parts.options.get("expand_timesteps"))

    @property
    def native_format(self) -> VideoFormat:
        """81 x 480 x 832 at 16 fps; the 5B model 121 x 704 x 1280 at 24 fps."""
        if self.parts.options.get("expand_timesteps"):
            return VideoFormat(121, 704, 1280, 24.0)
        return VideoFormat(81, 480, 832, 16.0)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """Frame counts 4 n + 1, as (4, 1)."""
        return FRAMES_PER_LATENT_FRAME, 1

    @property
    def side_multiple(self) -> int:
        """16 pixels, or 32 for the 5B model: the side of a transformer patch."""
        return self.spatial_compression * self.parts.denoisers[0].config.patch_size[1]

    @property
    def spatial_compression(self) -> int:
        """8 pixels per latent pixel, or 16 for the 5B model."""
        return self.parts.vae.config.scale_factor_spatial

    def chunk_sizes(self, frames: int) -> list[int]:
        """One frame, then chunks of `chunk_frames` rounded to a multiple of 4; the result does not depend on it."""
        size = max(self.settings.chunk_frames // FRAMES_PER_LATENT_FRAME, 1) * FRAMES_PER_LATENT_FRAME
        whole, rest = divmod(frames - 1, size)
        return [1] + [size] * whole + ([rest] if rest else [])

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Encode with a copy of the feature cache, which `AutoencoderKLWan` changes in place, as the memory."""
        from diffusers.models.autoencoders.autoencoder_kl_wan import patchify

        vae = self.parts.vae
        cache = [None] * vae._cached_conv_counts["encoder"] if memory is None else list(memory)
        pixels = patchify(pixels, vae.config.patch_size or 1)
        moments = vae.quant_conv(vae.encoder(pixels, feat_cache=cache, feat_idx=[0]))
        return moments.chunk(2, dim=1)[0], tuple(cache)

    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Apply (z - mean) / std to each channel."""
        centre, spread = self._statistics(mean)
        return (mean - centre) / spread

    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Apply z std + mean to each channel."""
        centre, spread = self._statistics(latent)
        return latent * spread + centre

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Run the transformer at timestep 1000 t; a reference frame stays as it is, at timestep 0."""
        transformer = self.offloader.use(self._transformer(t))
        timesteps = self.parts.scheduler.config.num_train_timesteps
        if not self.parts.options.get("expand_timesteps"):
            timestep = torch.tensor([timesteps * t], device=noisy.device)
            return transformer(noisy, timestep, text.tokens, return_dict=False)[0]
        level = torch.full_like(noisy[:, 0], timesteps * t, dtype=torch.float32)
        z = noisy
        if reference is not None:
            first = reference.to(noisy)[None]
            z = torch.cat([first, noisy[:, :, 1:]], dim=2)
            level[:, 0] = 0.0
        patch = transformer.config.patch_size
        tokens = level[:, :: patch[0], :: patch[1], :: patch[2]].flatten(1)
        flow = transformer(z, tokens, text.tokens, return_dict=False)[0]
        if reference is None:
            return flow
        return torch.cat([(noisy[:, :, :1] - first) / t, flow[:, :, 1:]], dim=2)

    def checkpoint_block(self, block: nn.Module) -> None:
        """Checkpoint a block that changes its feature cache in place."""
        checkpoint_caching_module(block)

    def _transformer(self, t: float) -> Any:
        """The transformer for noise level t: the first one from `boundary_ratio` up, the second below it."""
        boundary = self.parts.options.get("boundary_ratio")
        return self.parts.denoisers[0 if boundary is None or t >= boundary else -1]

    def _statistics(self, like: Tensor) -> tuple[Tensor, Tensor]:
        config = self.parts.vae.config
        return tuple(like.new_tensor(v).view(-1, 1, 1, 1) for v in (config.latents_mean, config.latents_std))  # type: ignore[return-value]


def checkpoint_caching_module(module: nn.Module) -> None:
    """Checkpoint a module that changes a feature cache in place, by passing the cache in and out as values."""
    forward = module.forward

    def run(x: Tensor, start: int, cache: tuple[Any, ...]) -> tuple[Tensor, int, list[Any]]:
        index, mine = [start], list(cache)
        return forward(x, feat_cache=mine, feat_idx=index), index[0], mine

    def checkpointed_forward(x: Tensor, feat_cache: list[Any] | None = None, feat_idx: Any = None) -> Tensor:
        if feat_cache is None or not torch.is_grad_enabled():
            return forward(x, feat_cache=feat_cache, feat_idx=feat_idx)
        x, feat_idx[0], feat_cache[:] = checkpointed(run, x, feat_idx[0], tuple(feat_cache))
        return x

    module.forward = checkpointed_forward
