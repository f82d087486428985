"""Running out of memory, answered with the setting to lower."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from gambol.errors import PriorFailure

REMEDIES = {
    "the denoiser": "offload='models', then offload='layers'; then fewer frames or a smaller size",
    "the encoder": "tile=256, then checkpoint=True, then a tiny autoencoder; then fewer frames or a smaller size",
    "the backward pass through the encoder": (
        "checkpoint=True, then tile=256, then a tiny autoencoder; then fewer frames or a smaller size"
    ),
    "the text encoder": "text_device='cpu'",
    "the decoder": "tile=256; then fewer frames or a smaller size",
}
"""Settings of `PriorSettings` to change when a part of a run does not fit into memory."""


@contextmanager
def explain_out_of_memory(part: str) -> Iterator[None]:
    """Turn an allocator's failure within `part` into a sentence that names what to lower, in the order to try."""
    try:
        yield
    except (torch.OutOfMemoryError, RuntimeError) as error:
        if not isinstance(error, torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
            raise
        raise PriorFailure(
            f"Out of memory in {part}. Set in PriorSettings, in this order: {REMEDIES[part]}. "
            "'gambol doctor --prior NAME --frames F --size HxW' estimates the need before a run."
        ) from error
