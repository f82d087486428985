"""Encodes long and large videos with gradients in little memory: frame chunks, checkpointing, blended tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import pad
from torch.utils._pytree import tree_flatten, tree_unflatten
from torch.utils.checkpoint import checkpoint

EncodeChunk = Callable[[Tensor, Any], tuple[Tensor, Any]]
"""Function (pixels of a chunk, encoder memory of the chunks before) -> (latent of the chunk, encoder memory after it).

It must not change its arguments, because the backward pass calls it again with them.
"""


def checkpointed(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the function without storing its intermediate results; the backward pass calls it again.

    Tensors within tuples and dicts are passed on one by one, so that an outer checkpoint can free them too; torch would
    keep the tuple alive.
    """
    leaves, shape = tree_flatten(arguments)

    def run(*leaves: Any) -> Any:
        return function(*tree_unflatten(leaves, shape))

    return checkpoint(run, *leaves, use_reentrant=False, preserve_rng_state=False)


def checkpoint_module(module: nn.Module) -> None:
    """Wrap a module in gradient checkpointing; it must be a pure function of its arguments."""
    forward = module.forward

    def checkpointed_forward(*arguments: Any, **named: Any) -> Any:
        if not torch.is_grad_enabled():
            return forward(*arguments, **named)
        return checkpointed(lambda arguments, named: forward(*arguments, **named), arguments, named)

    module.forward = checkpointed_forward


def encode_chunks(
    encode: EncodeChunk,
    pixels: Float[Tensor, "1 channels frames height width"],
    sizes: Sequence[int],
    *,
    recompute: bool,
) -> Float[Tensor, "1 latent_channels latent_frames latent_height latent_width"]:
    """Encode chunks of `sizes` frames one after the other, passing the encoder memory from each to the next."""
    parts, memory = [], None
    for chunk in pixels.split(list(sizes), dim=2):
        part, memory = checkpointed(encode, chunk, memory) if recompute else encode(chunk, memory)
        parts.append(part)
    return torch.cat(parts, dim=2)


def tile_starts(length: int, tile: int, overlap: int) -> list[int]:
    """Return the evenly spread starts of the fewest tiles that cover `length` and overlap by at least `overlap`."""
    if length <= tile:
        return [0]
    count = -(-(length - overlap) // (tile - overlap))
    return [round(i * (length - tile) / (count - 1)) for i in range(count)]


def tile_blend_weights(start: int, stop: int, length: int, overlap: int) -> Float[Tensor, "span"]:
    """Return the blend weights of a tile along one axis: a ramp over the overlap at each inner edge, 1 elsewhere."""
    ramp = torch.ones(stop - start)
    rise = torch.arange(1, min(overlap, stop - start) + 1) / (overlap + 1)
    if start > 0:
        ramp[: len(rise)] = torch.minimum(ramp[: len(rise)], rise)
    if stop < length and len(rise):
        ramp[-len(rise) :] = torch.minimum(ramp[-len(rise) :], rise.flip(0))
    return ramp


def encode_tiles(
    encode: Callable[[Tensor], Tensor],
    pixels: Float[Tensor, "1 channels frames height width"],
    *,
    tile: int,
    overlap: int,
    factor: int,
    recompute: bool,
) -> Float[Tensor, "1 latent_channels latent_frames latent_height latent_width"]:
    """Encode square tiles of `tile` pixels that overlap by `overlap`, and blend them: sum_i w_i z_i / sum_i w_i.

    `factor` is the number of pixels per latent pixel; tiles start at multiples of it. With `recompute`, a tile stores
    nothing for the backward pass, the encoder memory of its chunks included.
    """
    height, width = (side // factor for side in pixels.shape[-2:])
    span, shared = max(tile // factor, 1), overlap // factor
    total = weights = pixels.new_zeros(())
    for top in tile_starts(height, span, shared):
        for left in tile_starts(width, span, shared):
            bottom, right = min(top + span, height), min(left + span, width)
            part = pixels[..., top * factor : bottom * factor, left * factor : right * factor]
            z = checkpointed(encode, part) if recompute else encode(part)
            rows, columns = (top, bottom, height), (left, right, width)
            w = tile_blend_weights(*rows, shared)[:, None] * tile_blend_weights(*columns, shared)
            w = w.to(z.device, z.dtype)
            place = (left, width - right, top, height - bottom)
            total = total + pad(z * w, place)
            weights = weights + pad(w, place)
    return total / weights
