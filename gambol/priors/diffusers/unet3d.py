"""3D U-Nets (ModelScope, Zeroscope and their kin): noise prediction over per-frame latents."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import NOISE_PREDICTION, Signal, signal_of_alphas, timestep_of
from gambol.diffusion.video_prior import VideoFormat
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.diffusers.prompt_encoder import TextEmbedding


class UNet3DPrior(DiffusersPrior):
    """`UNet3DConditionModel` with the picture autoencoder `AutoencoderKL`: the kind of AKD's VideoCrafter ablation."""

    parametrisation = NOISE_PREDICTION

    @property
    def native_format(self) -> VideoFormat:
        """16 frames of 256 x 256 at 8 fps."""
        side = (self.parts.denoisers[0].config.sample_size or 32) * self.pixel_factor
        return VideoFormat(16, side, side, 8.0)

    @property
    def frame_rule(self) -> tuple[int, int]:
        """Any number."""
        return 1, 0

    @property
    def side_step(self) -> int:
        """64: the U-Net halves the latent three times."""
        return self.pixel_factor * 2 ** (len(self.parts.denoisers[0].config.block_out_channels) - 1)

    @property
    def pixel_factor(self) -> int:
        """8."""
        return 2 ** (len(self.parts.vae.config.block_out_channels) - 1)

    @property
    def blocks(self) -> tuple[str, ...]:
        """The residual blocks and what stands between them."""
        return ("ResnetBlock2D", "Downsample2D", "Attention")

    def signal(self, t: float) -> Signal:
        """The scheduler's alphas_cumprod at the integer timestep."""
        return signal_of_alphas(self.parts.scheduler.alphas_cumprod, t)

    def chunk_sizes(self, frames: int) -> list[int]:
        """Frames are encoded alone, so any number at a time."""
        size = max(self.settings.chunk_frames, 1)
        whole, rest = divmod(frames, size)
        return [size] * whole + ([rest] if rest else [])

    def encode_chunk(self, pixels: Tensor, memory: Any) -> tuple[Tensor, Any]:
        """Frames as a batch of pictures."""
        vae = self.parts.vae
        moments = vae.encoder(pixels[0].movedim(1, 0))
        if vae.quant_conv is not None:
            moments = vae.quant_conv(moments)
        return moments.chunk(2, dim=1)[0].movedim(0, 1)[None], None

    def normalise(self, mean: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Times the scaling factor."""
        return mean * self.parts.vae.config.scaling_factor

    def denormalise(self, latent: Float[Tensor, "channels frames h w"]) -> Float[Tensor, "channels frames h w"]:
        """Over the scaling factor."""
        return latent / self.parts.vae.config.scaling_factor

    def denoise(
        self, noisy: Float[Tensor, "1 channels frames h w"], t: float, text: TextEmbedding, reference: Tensor | None
    ) -> Float[Tensor, "1 channels frames h w"]:
        """The predicted noise."""
        unet = self.residence.use(self.parts.denoisers[0])
        timestep = timestep_of(t, len(self.parts.scheduler.alphas_cumprod))
        moment = torch.tensor([timestep], device=noisy.device)
        return unet(noisy, moment, encoder_hidden_states=text.tokens, return_dict=False)[0]

    def run_decoder(self, latent: Float[Tensor, "1 channels frames h w"]) -> Tensor:
        """Frame by frame."""
        vae = self.parts.vae
        frames = [vae.decode(z[None]).sample for z in latent[0].unbind(1)]
        return torch.stack(frames, dim=2)
