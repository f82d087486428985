"""How a large prior is run: size, precision, and what is traded for memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from gambol.diffusion.video_prior import PriorError, VideoFormat
from gambol.priors.diffusers.offload import Offload


@dataclass(frozen=True)
class PriorSettings:
    """What a diffusers prior is run with; None takes what the model was trained on."""

    frames: int | None = None
    height: int | None = None
    """Pixels."""
    width: int | None = None
    """Pixels."""
    fps: float | None = None
    """Frames per second that the model is told, where it asks (LTX)."""
    device: str = "cpu"
    precision: Literal["bfloat16", "float32", "float64"] = "bfloat16"
    """Of the weights and of what flows through them. There is no float16: CogVideoX-5B turns black in it."""
    offload: Offload = "none"
    """'models': only the network in use is on the device; 'layers': only the layers in use (slow)."""
    checkpoint: bool = True
    """Recompute the encoder in the backward pass instead of keeping its activations."""
    chunk_frames: int = 8
    """Frames per encoder chunk, where the encoder leaves the choice (Wan, U-Nets)."""
    tile: int | None = None
    """Encode in square tiles of this many pixels and blend them; None encodes whole pictures."""
    tile_overlap: int = 64
    """Pixels that neighbouring tiles share."""
    text_device: str = "cpu"
    """Where prompts are embedded, once per run."""
    tiny_autoencoder: str | None = None
    """A TAEHV checkpoint (.pth or .safetensors): gradients go through it, values still come from the large encoder."""

    @property
    def dtype(self) -> torch.dtype:
        """The precision as torch names it."""
        return getattr(torch, self.precision)


def choose_format(
    native: VideoFormat, settings: PriorSettings, *, frame_step: int, frame_rest: int, side_step: int
) -> VideoFormat:
    """The video the prior will want: what was asked for, checked against what the model can take.

    frames = frame_step n + frame_rest; both sides are multiples of side_step.
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
        raise PriorError(
            f"This prior was asked for {chosen.frames} frames; it takes {rule}. Use {below} or {below + frame_step}."
        )
    for side in (chosen.height, chosen.width):
        if side % side_step or side < side_step:
            below = max(side // side_step, 1) * side_step
            raise PriorError(
                f"This prior was asked for pictures of {chosen.height} x {chosen.width} pixels (height x width); both "
                f"sides must be multiples of {side_step}. Use {below} or {below + side_step} for {side}."
            )
    if settings.tile is not None and (settings.tile < side_step or settings.tile_overlap >= settings.tile):
        raise PriorError(
            f"Tiles of {settings.tile} pixels that overlap by {settings.tile_overlap} were asked for; a tile has at "
            f"least {side_step} pixels and is larger than its overlap."
        )
    return chosen
