"""3D U-Nets (ModelScope, Zeroscope) as video priors (noise prediction on per-frame latents)."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import NOISE_PREDICTION, timestep_of
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.prompt_encoder import TextEmbedding


class UNet3DPrior(DiffusersPrior):
    """`UNet3DConditionModel` with the image autoencoder `AutoencoderKL`, as in AKD's VideoCrafter ablation."""

    parametrisation = NOISE_PREDICTION
    checkpointed_blocks = ("ResnetBlock2D", "Downsample2D", "Attention")

    @property
    def native_format(self) -> VideoFormat:
        """16 frames of 256 x 256 at 8 fps."""
        side = (self.parts.denoisers[0].config.sample_size or 32) * self.spatial_compression
        return VideoFormat(16, side, side, 8.0)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """Any frame count, as (1, 0)."""
        return 1, 0

    @property
    def side_multiple(self) -> int:
        """64 pixels: the U-Net halves the latent three times."""
        return self.spatial_compression * 2 ** (len(self.parts.denoisers[0].config.block_out_channels) - 1)

    def chunk_sizes(self, frames: int) -> list[int]:
        """Chunks of `chunk_frames`; frames are encoded independently, so the result does not depend on it."""
        size = max(self.settings.chunk_frames, 1)
        whole, rest = divmod(frames, size)
        return [size] * whole + ([rest] if rest else [])

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Encode the frames as a batch of images."""
        vae = self.parts.vae
        moments = vae.encoder(pixels[0].movedim(1, 0))
        if vae.quant_conv is not None:
            moments = vae.quant_conv(moments)
        return moments.chunk(2, dim=1)[0].movedim(0, 1)[None], None

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """Run the U-Net and return the predicted noise."""
        unet = self.offloader.use(self.parts.denoisers[0])
        timestep = timestep_of(t, len(self.parts.scheduler.alphas_cumprod))
        moment = torch.tensor([timestep], device=noisy.device)
        return unet(noisy, moment, encoder_hidden_states=text.tokens, return_dict=False)[0]

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """Decode frame by frame."""
        vae = self.parts.vae
        frames = [vae.decode(z[None]).sample for z in latent[0].unbind(1)]
        return torch.stack(frames, dim=2)
