"""Encoding long and large videos with gradients in little memory: frame chunks, recomputation, blended tiles."""

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
"""(pixels of a chunk, what the encoder remembers of the chunks before) -> (its latent, what it remembers now).

It must not change what it is given: the backward pass runs it again with the same arguments.
"""


def recomputed(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's value; nothing between is kept, the backward pass runs it again.

    Tensors within tuples and dicts are handed over one by one: a recomputation around this one can then let go of them
    too, where torch would hold on to the tuple.
    """
    leaves, shape = tree_flatten(arguments)

    def run(*leaves: Any) -> Any:
        return function(*tree_unflatten(leaves, shape))

    return checkpoint(run, *leaves, use_reentrant=False, preserve_rng_state=False)


def recompute_module(module: nn.Module) -> None:
    """Let a network part keep nothing for the backward pass but its arguments; it must be a pure function of them."""
    forward = module.forward

    def recomputing_forward(*arguments: Any, **named: Any) -> Any:
        if not torch.is_grad_enabled():
            return forward(*arguments, **named)
        return recomputed(lambda arguments, named: forward(*arguments, **named), arguments, named)

    module.forward = recomputing_forward


def encode_chunks(
    encode: EncodeChunk,
    pixels: Float[Tensor, "1 channels frames height width"],
    sizes: Sequence[int],
    *,
    recompute: bool,
) -> Float[Tensor, "1 latent_channels latent_frames latent_height latent_width"]:
    """Encode chunks of `sizes` frames, one after the other; the memory goes through them as a value."""
    parts, memory = [], None
    for chunk in pixels.split(list(sizes), dim=2):
        part, memory = recomputed(encode, chunk, memory) if recompute else encode(chunk, memory)
        parts.append(part)
    return torch.cat(parts, dim=2)


def tile_starts(length: int, tile: int, overlap: int) -> list[int]:
    """Starts of the fewest tiles that cover `length` and overlap by at least `overlap`, evenly spread."""
    if length <= tile:
        return [0]
    count = -(-(length - overlap) // (tile - overlap))
    return [round(i * (length - tile) / (count - 1)) for i in range(count)]


def tile_ramp(start: int, stop: int, length: int, overlap: int) -> Float[Tensor, "span"]:
    """Weights of a tile along one axis: rising over the overlap at each inner edge, 1 elsewhere."""
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
    """Encode square tiles of `tile` pixels that overlap by `overlap`, and blend: sum_i w_i z_i / sum_i w_i.

    `factor` is how many pixels one latent pixel stands for; tiles start at multiples of it. A recomputed tile keeps
    nothing, not even what its chunks remember of each other.
    """
    height, width = (side // factor for side in pixels.shape[-2:])
    span, shared = max(tile // factor, 1), overlap // factor
    total = weights = pixels.new_zeros(())
    for top in tile_starts(height, span, shared):
        for left in tile_starts(width, span, shared):
            bottom, right = min(top + span, height), min(left + span, width)
            part = pixels[..., top * factor : bottom * factor, left * factor : right * factor]
            z = recomputed(encode, part) if recompute else encode(part)
            w = tile_ramp(top, bottom, height, shared)[:, None] * tile_ramp(left, right, width, shared)
            w = w.to(z.device, z.dtype)
            place = (left, width - right, top, height - bottom)
            total = total + pad(z * w, place)
            weights = weights + pad(w, place)
    return total / weights
