"""The encoder of TAEHV checkpoints, small networks that approximate a large video autoencoder.

These are madebyollin's taehv, taew2_1, taew2_2, taecvx and others: input colours in [0, 1], output in the denoiser's
space. The shape of a network is read from its weights.
"""

from __future__ import annotations

from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import pad, pixel_unshuffle, relu

from gambol.errors import AssetError
from gambol.priors.diffusers.chunked_encoding import checkpointed

SPATIAL_HALVINGS = 3
"""Number of times that a TAEHV encoder halves height and width after the patch step."""


class _TimePool(nn.Module):
    """Merge each `stride` frames into one by a linear map of their channels."""

    def __init__(self, width: int, stride: int):
        super().__init__()
        self.stride = stride
        self.conv = nn.Conv2d(width * stride, width, 1, bias=False)

    def forward(self, x: Float[Tensor, "frames width h w"]) -> Float[Tensor, "fewer width h w"]:
        return self.conv(x.reshape(-1, self.stride * x.shape[1], *x.shape[2:]))


class _MemoryBlock(nn.Module):
    """A residual block that also sees the previous frame; the first frame sees zeros."""

    def __init__(self, width: int):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(2 * width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
        )

    def forward(self, x: Float[Tensor, "frames width h w"]) -> Float[Tensor, "frames width h w"]:
        before = pad(x, (0, 0, 0, 0, 0, 0, 1, 0))[:-1]
        return relu(self.conv(torch.cat([x, before], 1)) + x)


class TinyEncoder(nn.Module):
    """Encodes pixels to latents; layers are numbered as in a TAEHV checkpoint."""

    def __init__(self, *, width: int, patch: int, strides: tuple[int, ...], latent_channels: int):
        super().__init__()
        self.patch, self.stride = patch, 1
        layers: list[nn.Module] = [nn.Conv2d(3 * patch**2, width, 3, padding=1), nn.ReLU()]
        for stride in strides:
            self.stride *= stride
            layers += [_TimePool(width, stride), nn.Conv2d(width, width, 3, stride=2, padding=1, bias=False)]
            layers += [_MemoryBlock(width) for _ in range(3)]
        self.encoder = nn.Sequential(*layers, nn.Conv2d(width, latent_channels, 3, padding=1))

    @property
    def factor(self) -> int:
        """Pixels per latent pixel along one side."""
        return self.patch * 2**SPATIAL_HALVINGS

    def forward(
        self, video: Float[Tensor, "frames 3 height width"], *, recompute: bool = True
    ) -> Float[Tensor, "channels latent_frames h w"]:
        """Encode a video with colours in [0, 1]; the last frame is repeated to a whole number of latent frames."""
        missing = -len(video) % self.stride
        x = torch.cat([video, video[-1:].expand(missing, -1, -1, -1)])
        x = pixel_unshuffle(x, self.patch)
        z = checkpointed(self._checkpointed_layers, x) if recompute else self.encoder(x)
        return z.movedim(0, 1)

    def _checkpointed_layers(
        self, x: Float[Tensor, "frames channels h w"]
    ) -> Float[Tensor, "fewer latent_channels small_h small_w"]:
        for layer in self.encoder:
            x = checkpointed(layer, x)
        return x


def load_tiny_encoder(path: str | Path) -> TinyEncoder:
    """Load the encoder of a TAEHV checkpoint from a local file."""
    path = Path(path)
    if not path.is_file():
        raise AssetError(f"There is no tiny autoencoder at {path}. Give the path of a TAEHV checkpoint (.pth).")
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        weights = load_file(path)
    else:
        weights = torch.load(path, map_location="cpu", weights_only=True)
    weights = {name: value for name, value in weights.items() if name.startswith("encoder.")}
    try:
        width, channels = weights["encoder.0.weight"].shape[:2]
        strides = tuple(weights[f"encoder.{2 + 5 * i}.conv.weight"].shape[1] // width for i in range(SPATIAL_HALVINGS))
        latent_channels = len(weights[f"encoder.{2 + 5 * SPATIAL_HALVINGS}.weight"])
        patch = round((channels / 3) ** 0.5)
        encoder = TinyEncoder(width=width, patch=patch, strides=strides, latent_channels=latent_channels)
        encoder.load_state_dict(weights)
    except (KeyError, RuntimeError) as error:
        raise AssetError(f"{path.name} is not a TAEHV checkpoint: {str(error)[:120]}") from error
    return encoder
