"""Settings of a diffusers prior: video size, precision, and what is traded for memory. Imports no heavy library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

Offload = Literal["none", "models", "layers"]
"""Which weights leave the device while they are not used: none, whole networks, or single layers."""


@dataclass(frozen=True)
class PriorSettings:
    """How a diffusers prior is run; None stands for the model's own training format."""

    frames: int | None = None
    """Frames of the video."""
    height: int | None = None
    """Height of the video in pixels."""
    width: int | None = None
    """Width of the video in pixels."""
    fps: float | None = None
    """Frames per second of the video; LTX is conditioned on it."""
    device: str = "cpu"
    """Torch device of the autoencoder and the denoisers."""
    precision: Literal["bfloat16", "float32", "float64"] = "bfloat16"
    """Floating point type of weights and activations. float16 is left out because CogVideoX-5B overflows in it."""
    offload: Offload = "none"
    """Weights on the device: 'none' keeps all, 'models' the network in use, 'layers' the layers in use (slow)."""
    checkpoint: bool = True
    """Recompute the encoder in the backward pass instead of storing its activations (gradient checkpointing)."""
    chunk_frames: int = 8
    """Frames per encoder chunk for models that allow any (Wan, U-Nets)."""
    tile: int | None = None
    """Side of the square tiles, in pixels, that frames are encoded in and blended from; None encodes whole frames."""
    tile_overlap: int = 64
    """Overlap of neighbouring tiles in pixels."""
    text_device: str = "cpu"
    """Torch device on which prompts are embedded, once per run."""
    tiny_autoencoder: str | None = None
    """Path of a TAEHV checkpoint (.pth or .safetensors) that gradients go through; values stay the large encoder's."""

    @property
    def dtype(self) -> torch.dtype:
        """The precision as a torch type."""
        import torch

        return getattr(torch, self.precision)
