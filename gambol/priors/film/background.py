"""What is behind the character in a film of a camera that stands still."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import AssetError, ConfigError
from gambol.files.images import decode_picture

BORDER_SHARE = 0.06
"""Width of the left and right border, as a share of the picture, that the body is taken not to reach."""
PLAIN_ERROR = 0.03
"""A background whose borders are explained this well, mean absolute error, changes from row to row only."""


def estimate_background(video: Float[ndarray, "frames height width 3"]) -> Float[ndarray, "height width 3"]:
    """The picture without the body: of a plain background row by row from both borders, else each pixel's median.

    A sky over an even ground is plain. The median over time still has the body in it where the body never leaves.
    """
    still = np.median(video, axis=0)
    width = max(round(BORDER_SHARE * still.shape[1]), 1)
    left, right = still[:, :width], still[:, -width:]
    ends = [np.median(side, axis=1) for side in (left, right)]
    error = np.mean([np.abs(side - end[:, None]).mean() for side, end in zip((left, right), ends, strict=True)])
    if error > PLAIN_ERROR:
        return still
    along = np.linspace(0.0, 1.0, still.shape[1])[None, :, None]
    return (1.0 - along) * ends[0][:, None] + along * ends[1][:, None]


def read_background(text: str, height: int, width: int) -> Float[ndarray, "height width 3"]:
    """A colour such as #ffffff, or a picture file that is scaled to the film's size; sRGB, 0 to 1."""
    if text.startswith("#"):
        try:
            colour = [int(text[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
        except ValueError:
            colour = []
        if len(text) != 7 or len(colour) != 3:
            raise ConfigError(f"The background {text!r} is no colour; it takes six digits, as #ffffff, or a picture.")
        return np.broadcast_to(np.array(colour), (height, width, 3)).copy()
    path = Path(text)
    if not path.is_file():
        raise AssetError(f"There is no picture {text} for the background; a colour is written as #ffffff.")
    import torch

    pixels = torch.from_numpy(decode_picture(path.read_bytes(), path.name)[..., :3].copy())
    scaled = torch.nn.functional.interpolate(
        pixels.permute(2, 0, 1)[None].float() / 255.0, (height, width), mode="bilinear", antialias=True
    )
    return scaled[0].permute(1, 2, 0).double().numpy()
