"""Posed bodies as guides for a video prior: the renders say where everything is, the prior makes a film of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray

from gambol.app.pose import Posing
from gambol.diffusion.samplers import sample_latent
from gambol.diffusion.video_prior import VideoFormat, VideoPrior
from gambol.distill.body import Body, make_body
from gambol.distill.problem import on_stage
from gambol.distill.scenes import make_scene
from gambol.distill.settings import DistilSettings
from gambol.errors import AssetError
from gambol.motion.clip import Clip
from gambol.poses.paths import even_steps
from gambol.poses.pose_parameters import clip_of
from gambol.priors.diffusers.load import require_diffusers
from gambol.render.contact_sheet import contact_sheet
from gambol.render.video_file import write_film, write_png
from gambol.view.picture_panes import video_to_bytes

LEAST_HEIGHT = 192
"""Small pictures are enlarged to at least this height, pixels."""
CONTROL = VideoFormat(49, 480, 832, 16.0)
"""What a control-video pipeline is shown."""


class Guided(ABC):
    """Something that makes a film out of posed renders and a sentence."""

    @abstractmethod
    def film(
        self, body: Body, clip: Clip, prompt: str, seed: int
    ) -> tuple[UInt8[ndarray, "frames height width 3"], UInt8[ndarray, "frames height width 3"], float]:
        """The renders, the film made of them, and frames per second."""


class GuidedByStart(Guided):
    """SDEdit: the renders with noise of a level are where the prior starts; less noise keeps more of the poses."""

    def __init__(self, prior: VideoPrior[Any], *, level: float = 0.6, guidance: float = 3.0, steps: int = 20) -> None:
        if not 0.0 < level < 1.0:
            raise AssetError(
                f"The noise level is {level:g}; allowed is more than 0 (the renders) and less than 1 (noise)."
            )
        self.prior, self.level, self.guidance, self.steps = prior, level, guidance, steps

    def film(self, body: Body, clip: Clip, prompt: str, seed: int):  # type: ignore[no-untyped-def]  # noqa: D102
        prior = self.prior
        scene = make_scene(body, prior, DistilSettings(seed=seed))
        clip = _with_frames(clip, prior.format.frames)
        with torch.no_grad():
            shown = scene.film(body.actor.pose(*on_stage(clip, scene)), 0)
            z = prior.encode(shown)
            condition = scene.condition(prior, prompt, "", 0)
            generator = torch.Generator().manual_seed(seed)
            latent = sample_latent(
                prior, condition, generator, guidance=self.guidance, steps=self.steps, start=z, level=self.level
            )
            rest = scene.rest(0)[0]
            decode = getattr(prior, "decode_on", None)
            made: Float[torch.Tensor, "frames 3 h w"] = decode(latent, rest) if decode else prior.decode(latent)  # type: ignore[attr-defined]
        return video_to_bytes(shown), video_to_bytes(made), scene.fps


class GuidedByControl(Guided):
    """A control-video pipeline of diffusers (Wan-VACE): the renders are its control video."""

    def __init__(self, pipeline: Any, *, steps: int = 30, guidance: float = 5.0, video: VideoFormat = CONTROL) -> None:
        self.pipeline, self.steps, self.guidance, self.format = pipeline, steps, guidance, video

    def film(self, body: Body, clip: Clip, prompt: str, seed: int):  # type: ignore[no-untyped-def]  # noqa: D102
        from gambol.distill.scenes import FilmScene

        scene = FilmScene(body, DistilSettings(seed=seed), self.format)
        with torch.no_grad():
            T = body.actor.pose(*on_stage(_with_frames(clip, self.format.frames), scene))
            shown = video_to_bytes(scene.film(T, 0))
        from PIL import Image

        pictures = [Image.fromarray(frame) for frame in shown]
        made = self.pipeline(
            prompt=prompt,
            video=pictures,
            mask=[Image.new("L", pictures[0].size, 255)] * len(pictures),
            height=self.format.height,
            width=self.format.width,
            num_frames=self.format.frames,
            num_inference_steps=self.steps,
            guidance_scale=self.guidance,
            generator=torch.Generator().manual_seed(seed),
            output_type="np",
        ).frames[0]
        return shown, np.round(np.asarray(made) * 255).astype(np.uint8), self.format.fps


def load_control(folder: Path) -> GuidedByControl:
    """A Wan-VACE model in a folder that diffusers wrote."""
    require_diffusers(f"The control pipeline {folder}")
    from diffusers import WanVACEPipeline

    if not folder.is_dir():
        raise AssetError(f"There is no folder {folder} with a diffusers pipeline (WanVACEPipeline).")
    return GuidedByControl(WanVACEPipeline.from_pretrained(folder, local_files_only=True))


def film_poses(
    posing: Posing, poses: tuple[str, ...], prompt: str, output: Path, guided: Guided, *, seed: int = 0
) -> Path:
    """A film of a way through these poses, or of one clip: the renders above, what the prior makes of them below."""
    space, character = posing.space, posing.asset.character
    if len(poses) == 1 and ":" not in poses[0] and poses[0] not in ("rest", "sample"):
        x = posing.clip(poses[0])
    else:
        x = torch.cat([posing.find(words) for words in (poses or ("sample:0", "sample:1", "sample:2", "sample:3"))])
        parts = torch.linspace(0, len(x) - 1, 48)
        low = parts.floor().long().clamp_max(max(len(x) - 2, 0))
        part = (parts - low)[:, None, None]
        x = (1 - part) * x[low] + part * x[(low + 1).clamp_max(len(x) - 1)]
        x = even_steps(space.rig, x, 48)
    from gambol.character.anatomy.find_anatomy import find_anatomy

    body = make_body(character, find_anatomy(character))
    shown, made, fps = guided.film(body, clip_of(space.rig, x, "poses", 30.0), prompt, seed)
    times = max(1, -(-LEAST_HEIGHT // shown.shape[1]))
    both = np.concatenate([shown, made], axis=1).repeat(times, 1).repeat(times, 2)
    if output.suffix.lower() == ".png":
        chosen = np.linspace(0, len(both) - 1, 6).round().astype(int)
        write_png(output, contact_sheet([*both[chosen]], 6))
    else:
        write_film(output, both, fps)
    return output


def _with_frames(clip: Clip, frames: int) -> Clip:
    """The clip with so many frames, evenly chosen."""
    chosen = np.linspace(0, len(clip) - 1, frames).round().astype(int)
    return replace(clip, root=clip.root[chosen], angles=clip.angles[chosen])
