"""A motion to be found: the body, the prior, the cameras, the curves; everything that no step changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.score_distillation import draw_noise
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.body import Body
from gambol.distill.motion_parameters import Coefficients, Motion, MotionCurves, lock_joints, time_curves
from gambol.distill.penalties import cuboid_corners
from gambol.distill.scenes import Scene, make_scene
from gambol.distill.settings import DistilSettings, only_fits
from gambol.distill.surface_metric import surface_metric, whitening
from gambol.distill.windows import window_sides, window_starts
from gambol.errors import AssetError
from gambol.motion.clip import Clip
from gambol.poses.space import PoseSpace, make_pose_space
from gambol.priors.embedded.stage import without_drift


@dataclass(frozen=True)
class Problem:
    """Everything that does not change from step to step."""

    prior: VideoPrior[Any]
    body: Body
    scene: Scene
    prompt: str
    settings: DistilSettings
    curves: MotionCurves
    conditions: tuple[Any, ...]
    """What the prior is told, for each side."""
    fixed: Float[Tensor, "*latent"] | None
    """The first phase's noise of a loop: no film can be fitted to. One row per frame of the clip where a latent has one
    per frame of the film."""
    whitening: Float[Tensor, "numbers numbers"]
    """From coordinates that all move the body's surface alike to the pose's numbers (`surface_metric`)."""
    corners: Float[Tensor, "bones 8 4"] | None
    """Of the bones' boxes, for AKD eq. 10."""
    target: Float[Tensor, "*latent"] | None = None
    """A film that was given to fit to."""
    poses: PoseSpace | None = None
    """The body's pose space, where it has a weight."""
    refines: bool = False
    """A clip is changed: smoothness and joint limits count for what is new, not for what the clip has."""

    @property
    def frames(self) -> int:
        """Of the clip; the prior's window is `prior.format.frames`."""
        return len(self.curves.curves)

    @property
    def films(self) -> tuple[tuple[int, int], ...]:
        """First frame and side of each film that is fitted to."""
        if self.target is not None or self.settings.film == "sample":
            return ((0, 0),)
        starts = window_starts(self.frames, self.prior.format.frames)
        if len(starts) == 1:
            return tuple((0, side) for side in range(self.scene.sides))
        return tuple((s, side) for i, s in enumerate(starts) for side in window_sides(i, self.scene.sides))


def make_problem(
    prior: VideoPrior[Any],
    body: Body,
    prompt: str,
    settings: DistilSettings,
    *,
    negative: str = "",
    fps: float | None = None,
    start: Callable[[float, int], Clip] | None = None,
    video: Callable[[VideoPrior[Any]], Float[Tensor, "frames 3 height width"]] | None = None,
) -> Problem:
    """Cameras, curves, conditions. `start` gives a clip to refine at (fps, frames); `video` a film to fit to."""
    scene = make_scene(body, prior, settings, fps=fps)
    window = prior.format.frames
    frames = max(frames_of(settings, scene.fps), window)
    if only_fits(settings) and (settings.loop or (frames != window and (settings.film == "sample" or video))):
        asked = "a loop" if settings.loop else f"{settings.seconds:g} s"
        raise AssetError(
            f"A fit has the length of the film it fits to, {window / scene.fps:.2f} s here, and {asked} was asked for."
            " Leave --seconds and --loop out, or use --method sds."
        )
    if settings.loop and settings.seconds is not None and settings.seconds * scene.fps < window - 0.5:
        raise AssetError(
            f"A loop of {settings.seconds:g} s was asked for; it has at least the length of the prior's film,"
            f" {window / scene.fps:.2f} s here. Give --seconds that, or leave it out."
        )
    count = round(settings.frequencies * frames / window)
    motion = drifting(body, settings, frames, scene.fps) if start is None else on_stage(start(scene.fps, frames), scene)
    reach = lock_joints(body.reach, body.character.require_skeleton(), settings.locked)
    curves = MotionCurves(time_curves(settings.curves, frames, count, loop=settings.loop), reach, *motion)
    with torch.no_grad():
        still = scene.rest(0)[0].expand(window, -1, -1, -1)
        like = prior.encode(still)
        fixed = None
        if settings.settling and settings.loop:
            rows = frames if len(like) == window else len(like)
            shape = like[:1].expand(rows, *like.shape[1:])
            fixed = draw_noise(shape, torch.Generator().manual_seed(settings.seed))
        target = None if video is None else prior.encode(video(prior))
    conditions = tuple(scene.condition(prior, prompt, negative, side) for side in range(scene.sides))
    whitened = whitening(surface_metric(body, reach))
    corners = cuboid_corners(body.character) if settings.penalties.paper_ground else None
    poses = make_pose_space(body.character, body.anatomy) if settings.pose_prior else None
    return Problem(
        prior,
        body,
        scene,
        prompt,
        settings,
        curves,
        conditions,
        fixed,
        whitened,
        corners,
        target,
        poses,
        refines=start is not None,
    )


def frames_of(settings: DistilSettings, fps: float) -> int:
    """How many frames the asked length has, 0 for none: its last pose is one more, that of a loop is its first."""
    if settings.seconds is None:
        return 0
    length = settings.seconds * fps
    return round(length) if settings.loop else int(np.ceil(length - 1e-6)) + 1


def drifting(body: Body, settings: DistilSettings, frames: int, fps: float) -> Motion:
    """The start: the first pose in every frame, with a straight constant drift along +x."""
    root = torch.zeros(frames, 6)
    root[:, 0] = settings.drift * body.character.size / fps * torch.arange(frames)
    return root, body.first_angles.repeat(frames, 1, 1)


def on_stage(clip: Clip, scene: Scene) -> Motion:
    """A clip as the cameras see it: without its steady way where they go along."""
    root = clip.root if scene.travels else without_drift(clip)[0]
    return torch.as_tensor(np.array(root)).float(), torch.as_tensor(np.array(clip.angles)).float()


def clip_of(problem: Problem, coefficients: Coefficients, name: str | None = None) -> Clip:
    """A motion as a clip, as it was optimised; a loop ends with its first pose."""
    with torch.no_grad():
        root, angles = (x.double().numpy() for x in problem.curves.motion(coefficients))
    if problem.settings.loop:
        root, angles = (np.concatenate([x, x[:1]]) for x in (root, angles))
    return Clip(name or problem.prompt, problem.scene.fps, np.ascontiguousarray(root), np.ascontiguousarray(angles))


def still_latent(problem: Problem, side: int) -> Float[Tensor, "*latent"]:
    """The film of the rest pose."""
    with torch.no_grad():
        return problem.prior.encode(problem.scene.rest(side)[0].expand(problem.prior.format.frames, -1, -1, -1))
