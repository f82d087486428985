"""A sentence becomes clips of a loaded character: several variants, each resumable, the best of them first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gambol.app.animate_plan import AnimatePlan, resolve
from gambol.app.animate_request import AnimateRequest
from gambol.app.finished_clips import FinishedClip, finished_clips
from gambol.app.found_constraints import find_constraints
from gambol.app.planned_segments import PlannedSegment, check_loop, plan_segments
from gambol.app.run_folder import RunFolder
from gambol.app.segment_runs import (
    AfterStep,
    CheckpointWriter,
    SegmentRun,
    SegmentTask,
    run_segment,
    variant_tasks,
)
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.motion_parameters import find_locked_joint
from gambol.distill.optimised_body import make_subject
from gambol.distill.problem import Problem
from gambol.distill.run_methods import ranking_loss, total_steps
from gambol.distill.state import State
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.progress import Progress


@dataclass(frozen=True)
class Variant:
    """The motion of one seed."""

    seed: int
    """Its seed."""
    runs: tuple[SegmentRun, ...]
    """Its actions as they were optimised, and the loop that is written beside them."""
    clips: tuple[FinishedClip, ...]
    """The clips after post-processing; film and report show the last one."""
    loss: float
    """The prior's loss at fixed noises plus all other losses, by which variants are ranked; 0 for a single variant."""

    @property
    def clip(self) -> Clip:
        """The clip that film and report show."""
        return self.clips[-1].clip

    @property
    def state(self) -> State:
        """The last state of the first optimisation."""
        return self.runs[0].state


@dataclass(frozen=True)
class Animated:
    """All variants of a request, the best first."""

    variants: tuple[Variant, ...]
    """The variants, ranked by their loss."""
    evaluations: int
    """Evaluations of the prior's network in all variants."""
    plan: AnimatePlan
    """The request as it was resolved."""
    segments: tuple[PlannedSegment, ...]
    """The actions, one after the other."""
    tasks: int
    """Optimisations of each variant."""
    stopped: bool = False
    """The user stopped the run early; the motion is what was there."""

    @property
    def problem(self) -> Problem:
        """The first optimisation problem of the best variant."""
        return self.variants[0].runs[0].problem

    @property
    def clip(self) -> Clip:
        """The best variant's clip."""
        return self.variants[0].clip

    @property
    def clips(self) -> tuple[FinishedClip, ...]:
        """All clips of the best variant."""
        return self.variants[0].clips


def animate_character(
    asset: Asset,
    prior: VideoPrior[Any],
    request: AnimateRequest,
    *,
    folder: RunFolder | None = None,
    after_step: AfterStep | None = None,
    progress: Progress | None = None,
) -> Animated:
    """Optimise and post-process all variants; with a folder, the run resumes from its checkpoints."""
    request = replace(request, constraints=find_constraints(asset, request.constraints, seconds=request.seconds))
    plan = keep_clip_length(asset, request, resolve(request, prior))
    segments = plan_segments(request, prior)
    if len(segments) == 1:
        check_loop(request, prior.read_prompt(segments[0].prompt).motion)
    subject = make_subject(asset.character)
    found: list[Variant] = []
    evaluations, stopped, count = 0, False, 1
    for number in range(request.variants):
        seed, runs = request.seed + number, []
        try:
            tasks = variant_tasks(asset, subject, prior, request, plan, segments, seed)
            count, loss = len(tasks), 0.0
            for i, task in enumerate(tasks):
                writer = CheckpointWriter(folder, number, i, len(tasks) > 1, after_step)
                shown = _progress_of_all(progress, (number, request.variants), (i, tasks))
                state, stopped = run_segment(task, writer, shown)
                runs.append(SegmentRun(task.segment, task.problem, state))
                evaluations += state.evaluations
                if request.variants > 1:
                    more, calls = _ranking(task, state)
                    loss, evaluations = loss + more, evaluations + calls
                if stopped:
                    break
        except KeyboardInterrupt:
            if not found and not runs:
                raise
            stopped = True
        if runs and (not stopped or not found):
            found.append(Variant(seed, tuple(runs), finished_clips(runs, request, plan), loss))
        if stopped:
            break
    found.sort(key=lambda variant: variant.loss)
    return Animated(tuple(found), evaluations, plan, segments, count, stopped)


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


def _ranking(task: SegmentTask, state: State) -> tuple[float, int]:
    guidance, per_frame = task.plan.ranking_guidance, task.plan.per_frame
    return ranking_loss(task.problem, state.coefficients, guidance=guidance, per_frame=per_frame)


def _progress_of_all(
    progress: Progress | None, variant: tuple[int, int], task: tuple[int, tuple[SegmentTask, ...]]
) -> Progress | None:
    """The progress of one optimisation of several, counted over all of them."""
    (number, variants), (index, tasks) = variant, task
    if progress is None or (variants == 1 and len(tasks) == 1):
        return progress
    steps = [total_steps(one.plan.methods) for one in tasks]
    before, whole = number * sum(steps) + sum(steps[:index]), variants * sum(steps)
    names = [f"variant {number + 1} of {variants}"] if variants > 1 else []
    if len(tasks) > 1:
        names.append("loop" if tasks[index].segment.loop else tasks[index].segment.prompt)

    def report(done: int, total: int, what: str) -> None:
        progress(before + done, whole, f"{', '.join(names)}: {what}")

    return report
