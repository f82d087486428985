"""Motion that a request gives beside its sentence: a clip to refine, a video to fit to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.app.animate_request import AnimateRequest
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.post_processing import resample
from gambol.errors import ConfigError
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.root_trajectory import loop_frames
from gambol.priors.film.film_prior import FilmPrior, read_given_film

ASPECT_TOLERANCE = 0.1
"""How much wider or higher a given video may be than the prior's, as a logarithm."""


def start_clip_frames(asset: Asset, name: str, fps: float, frames: int) -> Clip:
    """The first frames of a file's clip at this rate; a shorter loop repeats, another clip holds its last pose."""
    clip, _ = clip_from_nodes(asset.character, asset.clip(name), fps=60.0)
    cycle = loop_frames(clip)
    clip = resample(clip, fps)
    which = np.minimum(np.arange(frames), len(clip) - 1)
    if cycle is not None:
        which = np.arange(frames) % max(round(cycle / 60.0 * fps), 1)
        which = np.minimum(which, len(clip) - 1)
    return replace(clip, root=clip.root[which], angles=clip.angles[which])


def film_prior(request: AnimateRequest) -> FilmPrior:
    """The film of a request as what its motion is fitted to."""
    assert request.video is not None
    if request.variants > 1:
        raise ConfigError("A film is fitted to once; leave out variants.")
    film = read_given_film(request.video)
    return FilmPrior(film, camera=request.video_camera, background=request.video_background)


def read_video_for(path: Path, prior: VideoPrior[Any]) -> Float[Tensor, "frames 3 height width"]:
    """A video file in the prior's format: frames evenly chosen, pictures scaled. Another aspect ratio is refused."""
    if not prior.sees_pictures:
        raise ConfigError(
            f"{path.name} is a video, but this prior sees films of body parts, not pictures. A film of this very"
            " character is fitted to without any prior; other videos with a large model: --prior wan2.1-1.3b."
        )
    from gambol.render.video_file import read_film

    frames, _ = read_film(path)
    wanted, (height, width) = prior.format, frames.shape[1:3]
    if abs(np.log(width / height * wanted.height / wanted.width)) > ASPECT_TOLERANCE:
        raise ConfigError(
            f"{path.name} is {width} x {height} pixels; the prior's videos have the shape {wanted.width} x"
            f" {wanted.height}. Give a video of that shape."
        )
    chosen = np.linspace(0, len(frames) - 1, wanted.frames).round().astype(int)
    pixels = torch.from_numpy(np.ascontiguousarray(frames[chosen])).permute(0, 3, 1, 2).float() / 255.0
    size = (wanted.height, wanted.width)
    return torch.nn.functional.interpolate(pixels, size, mode="bilinear", antialias=True, align_corners=False)
