"""Posed renders as guides for a video prior: the renders show the poses, the prior makes a video of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import UInt8
from numpy import ndarray

from gambol.app.pose import POSE_CLIP_FPS, CharacterLike, Poser, clip_parameters, find_pose, make_poser
from gambol.app.pose_arguments import parse_pose
from gambol.diffusion.samplers import sample_latent
from gambol.diffusion.video_prior import VideoFormat, VideoPrior
from gambol.distill.optimised_body import make_subject
from gambol.distill.problem import observed_motion, observer_conditions
from gambol.errors import AssetError, ConfigError
from gambol.motion.clip import Clip
from gambol.poses.interpolation import resample_evenly
from gambol.poses.pose_parameters import PoseParameters, clip_from_parameters
from gambol.priors.diffusers.load import require_diffusers
from gambol.priors.embedded.prior import load_embedded
from gambol.render.contact_sheet import contact_sheet
from gambol.render.observer import FollowCameraObserver, ObserverConfig, Subject
from gambol.render.video_file import write_film, write_png
from gambol.view.picture_panes import video_to_bytes

MIN_POSE_VIDEO_HEIGHT = 192
"""Smaller videos are enlarged to at least this height, pixels."""
POSE_VIDEO_FRAMES = 48
"""Frames of the path through the poses that are named."""
DEFAULT_VIDEO_POSES = ("sample:0", "sample:1", "sample:2", "sample:3")
"""Poses that a video shows if none are named."""
CONTROL_VIDEO_FORMAT = VideoFormat(49, 480, 832, 16.0)
"""Format of the control video that a diffusers pipeline is given."""


@dataclass(frozen=True)
class PoseVideo:
    """Renders of posed frames and the video that was made of them."""

    renders: UInt8[ndarray, "frames height width 3"]
    """The renders that guided the model."""
    video: UInt8[ndarray, "frames height width 3"]
    """What the model made of them."""
    fps: float
    """Frames per second of both."""


class PoseVideoModel(ABC):
    """Makes a video from renders of a posed character and a prompt."""

    @abstractmethod
    def make_video(self, subject: Subject, clip: Clip, prompt: str, seed: int) -> PoseVideo:
        """Render the clip and make a video guided by the renders."""


class SDEditVideo(PoseVideoModel):
    """SDEdit: sampling starts from the renders plus noise of a level; less noise keeps more of the poses."""

    def __init__(self, prior: VideoPrior[Any], *, level: float = 0.6, guidance: float = 3.0, steps: int = 20) -> None:
        if not 0.0 < level < 1.0:
            raise ConfigError(
                f"The noise level is {level:g}; allowed is more than 0 (the renders) and less than 1 (noise)."
            )
        self.prior, self.level, self.guidance, self.steps = prior, level, guidance, steps

    def make_video(self, subject: Subject, clip: Clip, prompt: str, seed: int) -> PoseVideo:
        """Render the clip, add noise, and sample the prior from there."""
        prior = self.prior
        observer = prior.observer(subject, ObserverConfig(views=1))
        clip = _with_frames(clip, prior.format.frames)
        with torch.no_grad():
            renders = observer.render(observer.actor.pose(*observed_motion(clip, observer)), 0)
            latent = sample_latent(
                prior,
                observer_conditions(prior, observer, prompt, "", seed=seed)[0],
                prior.encode(renders),
                torch.Generator().manual_seed(seed),
                guidance=self.guidance,
                steps=self.steps,
                level=self.level,
            )
            video = prior.decode(latent)
        return PoseVideo(video_to_bytes(observer.picture(renders)), video_to_bytes(video), observer.fps)


class ControlVideo(PoseVideoModel):
    """A control-video pipeline of diffusers (Wan-VACE): the renders are its control video."""

    def __init__(
        self, pipeline: Any, *, steps: int = 30, guidance: float = 5.0, video: VideoFormat = CONTROL_VIDEO_FORMAT
    ) -> None:
        self.pipeline, self.steps, self.guidance, self.format = pipeline, steps, guidance, video

    def make_video(self, subject: Subject, clip: Clip, prompt: str, seed: int) -> PoseVideo:
        """Render the clip and run the pipeline with the renders as control video."""
        from PIL import Image

        video = self.format
        observer = FollowCameraObserver(
            subject, ObserverConfig(), height=video.height, width=video.width, fps=video.fps
        )
        with torch.no_grad():
            T = observer.actor.pose(*observed_motion(_with_frames(clip, video.frames), observer))
            renders = video_to_bytes(observer.render(T, 0))
        pictures = [Image.fromarray(frame) for frame in renders]
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
        return PoseVideo(renders, np.round(np.asarray(made) * 255).astype(np.uint8), self.format.fps)


def load_control_video(folder: Path) -> ControlVideo:
    """Load a Wan-VACE model from a folder that diffusers wrote."""
    require_diffusers(f"The control pipeline {folder}")
    from diffusers import WanVACEPipeline

    if not folder.is_dir():
        raise AssetError(f"There is no folder {folder} with a diffusers pipeline (WanVACEPipeline).")
    return ControlVideo(WanVACEPipeline.from_pretrained(folder, local_files_only=True))


def make_pose_video(
    character: CharacterLike,
    prompt: str,
    output: str | Path,
    *,
    poses: Sequence[str] = (),
    model: PoseVideoModel | None = None,
    control: str | Path | None = None,
    level: float = 0.6,
    seed: int = 0,
    weights: str | Path | None = None,
) -> PoseVideo:
    """Make a video guided by renders of a posed character; written with the renders above and the video below.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        prompt: What the video shows.
        output: A video (.mp4, .gif, .webp) or a contact sheet (.png).
        poses: The name of one clip, or poses that the video goes through; by default four samples.
        model: What makes the video; by default the embedded prior with SDEdit.
        control: Folder of a Wan-VACE model of diffusers to use in place of the embedded prior.
        level: Noise level of SDEdit, between 0 and 1: less noise keeps the poses, more leaves them to the prior.
        seed: Seed of the random draw.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    if model is None:
        model = SDEditVideo(load_embedded(), level=level) if control is None else load_control_video(Path(control))
    poser, output = make_poser(character, weights=weights), Path(output)
    clip = clip_from_parameters(poser.space.rig, pose_path(poser, poses), "poses", POSE_CLIP_FPS)
    made = model.make_video(make_subject(poser.character), clip, prompt, seed)
    times = max(1, -(-MIN_POSE_VIDEO_HEIGHT // made.renders.shape[1]))
    both = np.concatenate([made.renders, made.video], axis=1).repeat(times, 1).repeat(times, 2)
    if output.suffix.lower() == ".png":
        chosen = np.linspace(0, len(both) - 1, 6).round().astype(int)
        write_png(output, contact_sheet([*both[chosen]], 6))
    else:
        write_film(output, both, made.fps)
    return made


def pose_path(poser: Poser, poses: Sequence[str]) -> PoseParameters:
    """All poses of a clip if one clip is named, else a path of even steps through the poses."""
    if len(poses) == 1 and (named := parse_pose(poses[0])).kind == "clip" and named.number is None:
        return clip_parameters(poser, poses[0])
    x = torch.cat([find_pose(poser, pose) for pose in poses or DEFAULT_VIDEO_POSES])
    parts = torch.linspace(0, len(x) - 1, POSE_VIDEO_FRAMES)
    low = parts.floor().long().clamp_max(max(len(x) - 2, 0))
    part = (parts - low)[:, None, None]
    x = (1 - part) * x[low] + part * x[(low + 1).clamp_max(len(x) - 1)]
    return resample_evenly(poser.space.rig, x, POSE_VIDEO_FRAMES)


def _with_frames(clip: Clip, frames: int) -> Clip:
    """The clip at this many evenly spaced frames."""
    chosen = np.linspace(0, len(clip) - 1, frames).round().astype(int)
    return replace(clip, root=clip.root[chosen], angles=clip.angles[chosen])
