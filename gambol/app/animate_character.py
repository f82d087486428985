"""A sentence becomes a clip of a loaded character: several variants, each resumable, the best of them first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.app.animate_request import AnimatePlan, AnimateRequest, resolve
from gambol.app.found_constraints import find_constraints
from gambol.app.run_folder import RunFolder
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.constraints import project_clip
from gambol.distill.method import StepLog
from gambol.distill.motion_parameters import find_locked_joint
from gambol.distill.optimised_body import make_subject
from gambol.distill.post_processing import first_seconds, post_process, resample
from gambol.distill.problem import Problem, clip_of, make_problem
from gambol.distill.run_methods import ranking_loss, run_methods, total_steps
from gambol.distill.state import State, initial_state
from gambol.errors import ConfigError
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.root_trajectory import loop_frames
from gambol.progress import Progress
from gambol.render.observer import Subject

CHECKPOINT_STEPS = 10
"""Steps between two checkpoints."""
ASPECT_TOLERANCE = 0.1
"""How much wider or higher a given video may be than the prior's, as a logarithm."""
AfterCheckpoint = Callable[[Problem, State], None]
"""Called after every checkpoint."""


@dataclass(frozen=True)
class Variant:
    """The motion of one seed."""

    seed: int
    """Its seed."""
    state: State
    """The optimisation's last state."""
    clip: Clip
    """The clip after post-processing."""
    loss: float
    """The prior's loss at fixed noises plus all other losses, by which variants are ranked; 0 for a single variant."""


@dataclass(frozen=True)
class Animated:
    """All variants of a request, the best first."""

    variants: tuple[Variant, ...]
    """The variants, ranked by their loss."""
    evaluations: int
    """Evaluations of the prior's network in all variants."""
    problem: Problem
    """The optimisation problem of the best variant."""
    plan: AnimatePlan
    """The request as it was resolved."""
    stopped: bool = False
    """The user stopped the run early; the motion is what was there."""

    @property
    def clip(self) -> Clip:
        """The best variant's clip."""
        return self.variants[0].clip


def animate_character(
    asset: Asset,
    prior: VideoPrior[Any],
    request: AnimateRequest,
    *,
    folder: RunFolder | None = None,
    after_checkpoint: AfterCheckpoint | None = None,
    progress: Progress | None = None,
) -> Animated:
    """Optimise and post-process all variants; with a folder, the run resumes from its checkpoints."""
    request = replace(request, constraints=find_constraints(asset, request.constraints, seconds=request.seconds))
    plan = keep_clip_length(asset, request, resolve(request, prior))
    subject = make_subject(asset.character)
    found: list[tuple[Problem, Variant]] = []
    evaluations, stopped = 0, False
    for number in range(request.variants):
        try:
            seed = request.seed + number
            problem = variant_problem(asset, subject, prior, request, plan, seed)
            shown = _progress_of_all(progress, number, request.variants)
            state, stopped = run_variant(problem, plan, number, folder, after_checkpoint, shown)
            loss, calls = 0.0, 0
            if request.variants > 1:
                guidance, per_frame = plan.ranking_guidance, plan.per_frame
                loss, calls = ranking_loss(problem, state.coefficients, guidance=guidance, per_frame=per_frame)
        except KeyboardInterrupt:
            if not found:
                raise
            stopped = True
            break
        evaluations += state.evaluations + calls
        found.append((problem, Variant(seed, state, finished_clip(problem, state, request, plan), loss)))
        if stopped:
            break
    found.sort(key=lambda pair: pair[1].loss)
    return Animated(tuple(variant for _, variant in found), evaluations, found[0][0], plan, stopped)


def check_names(request: AnimateRequest, asset: Asset) -> None:
    """Refuse a start clip, locked joints or constraints that the character cannot have."""
    find_constraints(asset, request.constraints, seconds=request.seconds)
    if request.start_clip is not None:
        asset.clip(request.start_clip)
    skeleton = asset.character.require_skeleton()
    for name in request.lock:
        find_locked_joint(skeleton, name)


def keep_clip_length(asset: Asset, request: AnimateRequest, plan: AnimatePlan) -> AnimatePlan:
    """A clip that is refined keeps its length, where no other is asked for."""
    if request.start_clip is None or plan.motion.seconds is not None or plan.motion.loop:
        return plan
    seconds = max(asset.clip(request.start_clip).duration, 1.0 / plan.post.fps)
    return replace(plan, motion=replace(plan.motion, seconds=seconds))


def variant_problem(
    asset: Asset, subject: Subject, prior: VideoPrior[Any], request: AnimateRequest, plan: AnimatePlan, seed: int
) -> Problem:
    """The optimisation problem of one seed."""
    start: Callable[[float, int], Clip] | None = None
    video: Callable[[VideoPrior[Any]], Tensor] | None = None
    if (path := request.video) is not None:
        video = lambda prior: read_video_for(path, prior)  # noqa: E731
    if (name := request.start_clip) is not None:
        start = lambda fps, frames: start_clip_frames(asset, name, fps, frames)  # noqa: E731
    return make_problem(
        prior,
        subject,
        request.prompt,
        losses=plan.losses,
        config=plan.motion,
        observer=plan.observer,
        negative=request.negative,
        seed=seed,
        open_phase=plan.open_phase,
        start=start,
        video=video,
    )


def run_variant(
    problem: Problem,
    plan: AnimatePlan,
    number: int,
    folder: RunFolder | None,
    after_checkpoint: AfterCheckpoint | None,
    progress: Progress | None,
) -> tuple[State, bool]:
    """Take all steps of one variant, from its last checkpoint; True where the user stopped it first."""
    state = folder.load(number) if folder is not None else None
    state = state or initial_state(problem.parameters, problem.seed)
    if folder is not None:
        folder.trim_log(number, state.step)
    lines: list[dict[str, Any]] = []
    last, steps = state, total_steps(plan.methods)

    def after_step(state: State, log: StepLog) -> None:
        nonlocal last
        last = state
        lines.append({"variant": number, **log})
        if folder is not None and (state.step % CHECKPOINT_STEPS == 0 or state.step == steps):
            folder.save(number, state, lines)
            lines.clear()
            if after_checkpoint is not None:
                after_checkpoint(problem, state)

    try:
        return run_methods(problem, plan.methods, state, after_step=after_step, progress=progress), False
    except KeyboardInterrupt:
        if last.step == 0:
            raise
        if folder is not None and lines:
            folder.save(number, last, [line for line in lines if line["step"] < last.step])
        return last, True


def finished_clip(problem: Problem, state: State, request: AnimateRequest, plan: AnimatePlan) -> Clip:
    """The clip as it is written: post-processed, constraints met exactly. A body whose root is locked goes nowhere."""
    locked = float(problem.parameters.scale.root.abs().max()) == 0.0
    post = replace(plan.post, root_travel=plan.post.root_travel and not locked)
    clip = clip_of(problem, state.coefficients, clip_name(request))
    body, loop = problem.body, plan.motion.loop
    clip = post_process(body.character, clip, body.anatomy, post, travels=problem.observer.travels, loop=loop)
    clip = clip if loop else first_seconds(clip, plan.motion.seconds)
    return project_clip(clip, body, problem.losses)


def clip_name(request: AnimateRequest) -> str:
    """The name of the new clip: the one asked for, or the sentence."""
    return " ".join((request.name or request.prompt).split())[:80] or "motion"


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


def read_video_for(path: Path, prior: VideoPrior[Any]) -> Float[Tensor, "frames 3 height width"]:
    """A video file in the prior's format: frames evenly chosen, pictures scaled. Another aspect ratio is refused."""
    if not prior.sees_pictures:
        raise ConfigError(
            f"{path.name} is a video, but this prior sees films of body parts, not pictures. Videos are fitted with a"
            " large model: --prior wan2.1-1.3b, for example."
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


def _progress_of_all(progress: Progress | None, number: int, variants: int) -> Progress | None:
    """The progress of one of several variants, counted over all of them."""
    if progress is None or variants == 1:
        return progress

    def report(done: int, total: int, what: str) -> None:
        progress(number * total + done, variants * total, f"variant {number + 1} of {variants}: {what}")

    return report
