"""A motion to be found: the body, the prior, the observer, the parameters; everything that no step changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.diffusion.video_prior import MotionLength, Reference, TargetLatent, VideoPrior
from gambol.distill.constraints.constraint import Constraint
from gambol.distill.field_motion import make_field
from gambol.distill.joint_motion import JointMotion
from gambol.distill.losses.loss import Loss, Motion, bind_losses
from gambol.distill.motion_parameters import Coefficients, RootAndAngles, TimeBasis, lock_joints, time_basis
from gambol.distill.motion_representation import MotionRepresentation, RepresentationName, Transforms
from gambol.distill.optimised_body import Body, make_body
from gambol.distill.trajectory import given_trajectory
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.root_trajectory import remove_steady_travel
from gambol.render.observer import Observer, ObserverConfig, Subject, start_transforms


@dataclass(frozen=True)
class MotionConfig:
    """What the motion is made of, and how long it is."""

    representation: RepresentationName = "joints"
    """What moves: the joints, or every splat by a deformation field along a given trajectory."""
    basis: TimeBasis = "cosine"
    """Basis functions in time: cosines, a cubic B-spline, or free numbers in every frame (the paper's)."""
    start_speed: float = 0.0
    """Speed of the start along +x, sizes per second; unused where the prior's cameras go along with the body."""
    trajectory: Any = None
    """Speed in m/s or path (`parse_travel`) along which a deformation field is carried; None takes the start speed."""
    seconds: float | None = None
    """Length of the clip; None takes the length of the prior's video, or the motion's own."""
    natural_length: bool = False
    """Without `seconds` the clip has the motion's own length (`VideoPrior.motion_length`), where the prior knows it."""
    margins: tuple[float, float] = (0.0, 0.0)
    """Seconds that are made before the start and behind the end of a motion that goes on, for its neighbours to blend
    with."""
    loop: bool = False
    """The last pose is the first again."""
    locked: tuple[str, ...] = ()
    """Names of joints that keep their start pose; `root` is the root."""

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= 600:
            raise ConfigError(f"The clip is to last {self.seconds:g} seconds; allowed is above 0, up to 600.")


LEAST_LOOP_FRAMES = 5
"""Fewest frames of a loop, in the prior's frames."""
LEAST_FUNCTIONS = 5
"""Fewest basis functions: the mean and two waves of a loop."""
LEAST_CYCLE_SHARE = 0.6
"""A cycle may be made in this share of its natural time at least."""
DEFAULT_MOTION_CONFIG = MotionConfig()
"""A clip of the prior's length, made of cosines, from the start pose."""


@dataclass(frozen=True)
class Problem:
    """Everything that does not change from step to step."""

    prior: VideoPrior[Any]
    """The video prior."""
    body: Body
    """The character."""
    observer: Observer
    """What the prior is shown."""
    parameters: MotionRepresentation
    """How coefficients become a motion."""
    conditions: tuple[Any, ...]
    """What the prior is conditioned on, for each view."""
    losses: tuple[Loss, ...]
    """Losses beside the prior's, bound to the body."""
    config: MotionConfig
    """Length, loop, basis; the length is the one that was chosen."""
    length: MotionLength
    """What the prior knows of the motion's length."""
    seed: int = 0
    """Seed of all random numbers."""
    target: TargetLatent | None = None
    """Latent of a video that was given to fit to."""
    refines: bool = False
    """A given clip is changed; otherwise the motion starts from the start pose."""

    @property
    def window(self) -> int:
        """Frames that the prior sees at a time."""
        return self.prior.format.frames

    @cached_property
    def whitening(self) -> Float[Tensor, "numbers numbers"] | None:
        """From coordinates that all move the body's surface alike to the parameters of a pose (`surface_metric`)."""
        return self.parameters.whitening(self.body)

    def moved(self, coefficients: Coefficients) -> tuple[RootAndAngles, Transforms]:
        """Root and angles, and the transforms of what moves the splats; differentiable."""
        return self.parameters.moved(self.body, coefficients)

    def later_window(self, motion: RootAndAngles, T_world_rest: Transforms, first: int) -> Transforms:
        """The window from frame `first` on, as cameras that go along with the body see it."""
        return self.parameters.later_window(self.body, motion, T_world_rest, self.window_frames(first))

    def loss_motion(self, motion: RootAndAngles, T_world_rest: Transforms, *, step: int = 0) -> Motion:
        """A motion as losses see it."""
        return Motion(
            root=motion[0],
            angles=motion[1],
            T_world_rest=T_world_rest,
            body=self.body,
            fps=self.observer.fps,
            start_root=self.parameters.start_root,
            start_angles=self.parameters.start_angles,
            refines=self.refines,
            travels=self.observer.travels,
            seed=self.seed,
            step=step,
        )

    def window_frames(self, first: int = 0) -> Int[Tensor, "window"]:
        """Frames that the prior sees from frame `first` on; those of a loop go round."""
        return (first + torch.arange(self.window)) % self.parameters.frames

    def stills(self) -> list[Float[Tensor, "*latent"]]:
        """Latents of the start pose standing still, one for each view."""
        with torch.no_grad():
            frames = [self.observer.start_frame(view) for view in range(self.observer.views)]
            return [self.prior.encode(frame.expand(self.window, -1, -1, -1)) for frame in frames]


def make_problem(
    prior: VideoPrior[Any],
    subject: Subject,
    prompt: str,
    *,
    losses: Sequence[Loss] = (),
    config: MotionConfig = DEFAULT_MOTION_CONFIG,
    observer: ObserverConfig | None = None,
    negative: str = "",
    style: Mapping[str, float] | None = None,
    seed: int = 0,
    open_phase: bool = False,
    start: Callable[[float, int], Clip] | None = None,
    video: Callable[[VideoPrior[Any]], Float[Tensor, "frames channels height width"]] | None = None,
) -> Problem:
    """Observer, parameters and conditions of one run.

    `start` gives the clip to refine at (fps, frames); `video` a video to fit to. With `open_phase` the prior is not
    told at which phase of a cycle the clip starts: for windows that may start anywhere.
    """
    shown = prior.observer(subject, observer or ObserverConfig())
    body = make_body(subject, shown.actor)
    for loss in losses:
        if loss.needs_travel and not (shown.travels or isinstance(loss, Constraint)):
            raise ConfigError(
                f"The loss '{loss.name}' needs a prior that sees the root's travel, as large models do; this prior's"
                " cameras go along with the body."
            )
    if prior.read_prompt(prompt).airborne:
        losses = [loss for loss in losses if not loss.needs_ground]
    conditions = observer_conditions(prior, shown, prompt, negative, seed=None if open_phase else seed, style=style)
    length = prior.motion_length(conditions[0], shown.fps)
    config = with_length(config, length)
    window = prior.format.frames
    frames = (
        loop_length(config, length, window, shown.fps) if config.loop else max(clip_frames(config, shown.fps), window)
    )
    count = max(round(prior.basis_functions * frames / window), LEAST_FUNCTIONS)
    if start is None:
        motion = drifting_start(body, config.start_speed if shown.travels else 0.0, frames, shown.fps)
    else:
        motion = observed_motion(start(shown.fps, frames), shown)
    parameters: MotionRepresentation
    if config.representation == "field":
        encoding = time_basis("cosine", frames, count, loop=config.loop, window=window)
        carried = given_trajectory(
            body.character.size,
            len(body.start_angles),
            travel=config.trajectory,
            start_speed=config.start_speed,
            frames=frames,
            fps=shown.fps,
            travels=shown.travels,
        )
        T_start = start_transforms(body.actor, subject)
        parameters = make_field(body.actor, T_start, encoding, carried, motion[1], seed=seed)
        shown = shown.with_free_splats()
        body = replace(body, actor=shown.actor)
    else:
        basis = time_basis(config.basis, frames, count, loop=config.loop, window=window)
        scale = lock_joints(body.scale, body.character.require_skeleton(), config.locked)
        parameters = JointMotion(basis, scale, *motion)
    target = None
    if video is not None:
        if frames != window:
            raise ConfigError(
                f"A fit to a video has its length, {window / shown.fps:.2f} s here; leave out the length of the clip."
            )
        with torch.no_grad():
            target = TargetLatent(prior.encode(video(prior))[None], ((0, 0),), prior.target_precision)
    return Problem(
        prior=prior,
        body=body,
        observer=shown,
        parameters=parameters,
        conditions=conditions,
        losses=bind_losses(losses, body),
        config=config,
        length=length,
        seed=seed,
        target=target,
        refines=start is not None,
    )


def observer_conditions(
    prior: VideoPrior[Any],
    observer: Observer,
    prompt: str,
    negative: str,
    *,
    seed: int | None,
    style: Mapping[str, float] | None = None,
) -> tuple[Any, ...]:
    """What the prior is conditioned on, for each view of the observer."""
    references = (Reference(observer.start_frame(v), seed, style or {}) for v in range(observer.views))
    return tuple(prior.condition(prompt, negative, reference=reference) for reference in references)


def clip_frames(config: MotionConfig, fps: float) -> int:
    """Number of frames of the length that was asked for, 0 for none; a loop's last pose is its first."""
    if config.seconds is None:
        return 0
    length = (config.seconds + sum(config.margins)) * fps
    return int(np.ceil(length - 1e-6)) + 1


def with_length(config: MotionConfig, length: MotionLength) -> MotionConfig:
    """The config with the motion's own length where none is given, and with margins only where the motion goes on.

    A motion that ends elsewhere than it began is made once, however long the clip is: its last pose is held.
    """
    if not length.repeats:
        config = replace(config, margins=(0.0, 0.0))
    if config.loop:
        return config
    if config.seconds is None:
        return replace(config, seconds=length.seconds) if config.natural_length else config
    if length.ends_elsewhere and length.seconds is not None:
        return replace(config, seconds=min(config.seconds, length.seconds))
    return config


def loop_length(config: MotionConfig, length: MotionLength, window: int, fps: float) -> int:
    """Frames of a loop: as many whole cycles as come nearest to what is asked for, or to the prior's video."""
    if config.seconds is None:
        cycle = window if length.cycle is None else length.cycle * fps
        return max(round(max(round(window / cycle), 1) * cycle), LEAST_LOOP_FRAMES)
    least = LEAST_LOOP_FRAMES / fps if length.cycle is None else LEAST_CYCLE_SHARE * length.cycle
    if config.seconds < least:
        told = "" if length.cycle is None else f"; one cycle of this motion takes {length.cycle:.2f} s"
        raise ConfigError(
            f"A loop of {config.seconds:g} s was asked for{told}. It takes {least:.2f} s or more; without a length it"
            " gets whole cycles of its own."
        )
    return max(round(config.seconds * fps), LEAST_LOOP_FRAMES)


def drifting_start(body: Body, speed: float, frames: int, fps: float) -> RootAndAngles:
    """The start pose in every frame, moving straight along +x at `speed` sizes per second (AKD 4.4)."""
    root = torch.zeros(frames, 6)
    root[:, 0] = speed * body.character.size / fps * torch.arange(frames)
    return root, body.start_angles.repeat(frames, 1, 1)


def observed_motion(clip: Clip, observer: Observer) -> RootAndAngles:
    """A clip as the observer's cameras see it: without its steady travel where they go along."""
    root = clip.root if observer.travels else remove_steady_travel(clip)[0]
    return torch.as_tensor(np.array(root)).float(), torch.as_tensor(np.array(clip.angles)).float()


def clip_of(problem: Problem, coefficients: Coefficients, name: str) -> Clip:
    """A motion of the skeleton as a clip, as it was optimised; a loop ends with its first pose.

    Of a deformation field it is the motion of joints that is nearest to it.
    """
    with torch.no_grad():
        root, angles = (x.double().numpy() for x in problem.parameters.nearest_joints(problem.body, coefficients))
    if problem.config.loop:
        root, angles = (np.concatenate([x, x[:1]]) for x in (root, angles))
    return Clip(name, problem.observer.fps, np.ascontiguousarray(root), np.ascontiguousarray(angles))
