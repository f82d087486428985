"""The optimisations of a variant: one for each action of a sequence, and one for a loop that is written beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from gambol.app.animate_plan import AnimatePlan, leads_elsewhere, resolve
from gambol.app.animate_request import AnimateRequest
from gambol.app.given_motion import read_video_for, start_clip_frames
from gambol.app.planned_segments import PlannedSegment, share_seconds, whole_length
from gambol.app.run_folder import RunFolder
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.constraints import Constraint
from gambol.distill.method import StepLog
from gambol.distill.problem import Problem, make_problem
from gambol.distill.run_methods import run_methods, total_steps
from gambol.distill.state import State, initial_state
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.join_clips import JOINING_MARGIN
from gambol.progress import Progress, StopWork
from gambol.render.observer import Subject

CHECKPOINT_STEPS = 10
"""Steps between two checkpoints."""


@dataclass(frozen=True)
class SegmentTask:
    """One action of a variant, ready to be optimised."""

    segment: PlannedSegment
    """The action."""
    plan: AnimatePlan
    """How it is made."""
    problem: Problem
    """The optimisation problem."""


@dataclass(frozen=True)
class SegmentRun:
    """One action as it was optimised."""

    segment: PlannedSegment
    """The action."""
    problem: Problem
    """The optimisation problem."""
    state: State
    """The optimisation's last state."""


@dataclass(frozen=True)
class StepReport:
    """One step of a run, for those who watch it."""

    variant: int
    """Number of the variant."""
    segment: int
    """Number of the action."""
    problem: Problem
    """The optimisation problem."""
    state: State
    """The state after the step."""
    log: StepLog
    """Losses and other numbers of the step."""
    saved: bool
    """Whether a checkpoint was written."""


AfterStep = Callable[[StepReport], None]
"""Called after every step; may raise `StopWork`, which ends the run with its last step saved."""


@dataclass(frozen=True)
class CheckpointWriter:
    """Where a run keeps the states of one of its optimisations."""

    folder: RunFolder | None
    """The run folder; None keeps nothing."""
    variant: int
    """Number of the variant."""
    segment: int
    """Number of the action."""
    several: bool
    """Whether the variant has more than one optimisation; log lines then name theirs."""
    after: AfterStep | None = None
    """Called after every step."""

    @property
    def place(self) -> dict[str, int]:
        """The numbers that say where a log line belongs."""
        return {"variant": self.variant} | ({"segment": self.segment} if self.several else {})


def variant_tasks(
    asset: Asset,
    subject: Subject,
    prior: VideoPrior[Any],
    request: AnimateRequest,
    plan: AnimatePlan,
    segments: Sequence[PlannedSegment],
    seed: int,
) -> tuple[SegmentTask, ...]:
    """The optimisations of one seed, their lengths chosen: those of all segments, then that of an exported loop."""
    made = []
    for i, segment in enumerate(segments):
        margins = (JOINING_MARGIN * (i > 0), JOINING_MARGIN * (i + 1 < len(segments)))
        motion = plan.motion
        if len(segments) > 1:
            motion = replace(motion, seconds=segment.seconds, margins=margins)
        elif segment.seconds is not None:
            motion = replace(motion, seconds=segment.seconds)
        losses = plan.losses
        if len(segments) > 1:  # constraints speak of the whole clip's time; they are met by its last projection
            losses = tuple(loss for loss in losses if not isinstance(loss, Constraint))
        own = replace(plan, motion=motion, losses=losses)
        made.append(SegmentTask(segment, own, segment_problem(asset, subject, prior, request, own, segment, seed)))
    if len(segments) > 1:
        made = [*with_shared_length(asset, subject, prior, request, made, seed)]
    if "loop" in request.exports:
        segment = replace(segments[0], loop=True, seconds=None)
        kept = tuple(one for one in request.constraints if not leads_elsewhere(one))
        alone = replace(request, exports=(), seconds=None, segments=(), travel=None, constraints=kept)
        cyclic = resolve(replace(alone, loop=True), prior)
        made.append(
            SegmentTask(segment, cyclic, segment_problem(asset, subject, prior, request, cyclic, segment, seed))
        )
    return tuple(made)


def with_shared_length(
    asset: Asset,
    subject: Subject,
    prior: VideoPrior[Any],
    request: AnimateRequest,
    tasks: Sequence[SegmentTask],
    seed: int,
) -> list[SegmentTask]:
    """The tasks with the seconds of each segment chosen."""
    usual = prior.format.frames / tasks[0].problem.observer.fps
    lengths = [task.problem.length for task in tasks]
    seconds = share_seconds([task.segment for task in tasks], lengths, usual, whole_length(request))
    chosen = []
    for task, length in zip(tasks, seconds, strict=True):
        segment, plan = replace(task.segment, seconds=length), task.plan
        problem = task.problem
        if task.problem.config.seconds != length:
            plan = replace(plan, motion=replace(plan.motion, seconds=length))
            problem = segment_problem(asset, subject, prior, request, plan, segment, seed)
        chosen.append(SegmentTask(segment, plan, problem))
    return chosen


def segment_problem(
    asset: Asset,
    subject: Subject,
    prior: VideoPrior[Any],
    request: AnimateRequest,
    plan: AnimatePlan,
    segment: PlannedSegment,
    seed: int,
) -> Problem:
    """The optimisation problem of one action and seed."""
    start: Callable[[float, int], Clip] | None = None
    video: Callable[[VideoPrior[Any]], Tensor] | None = None
    if (path := request.video) is not None:
        video = lambda prior: read_video_for(path, prior)  # noqa: E731
    if (name := request.start_clip) is not None:
        start = lambda fps, frames: start_clip_frames(asset, name, fps, frames)  # noqa: E731
    return make_problem(
        prior,
        subject,
        segment.prompt,
        losses=plan.losses,
        config=plan.motion,
        observer=plan.observer,
        negative=request.negative,
        style=segment.style,
        seed=seed if segment.seed is None else segment.seed + seed - request.seed,
        open_phase=plan.open_phase,
        start=start,
        video=video,
    )


def run_segment(task: SegmentTask, writer: CheckpointWriter, progress: Progress | None) -> tuple[State, bool]:
    """Take all steps of one optimisation, from its last checkpoint; True where the user stopped it first."""
    problem, folder = task.problem, writer.folder
    state = folder.load(writer.variant, writer.segment) if folder is not None else None
    state = state or initial_state(problem.parameters, problem.seed)
    if folder is not None:
        folder.trim_log(writer.variant, state.step, segment=writer.segment)
    lines: list[dict[str, Any]] = []
    last, steps = state, total_steps(task.plan.methods)

    def after_step(state: State, log: StepLog) -> None:
        nonlocal last
        last = state
        lines.append({**writer.place, **log})
        due = folder is not None and (state.step % CHECKPOINT_STEPS == 0 or state.step == steps)
        if due and folder is not None:
            folder.save(writer.variant, state, lines, segment=writer.segment)
            lines.clear()
        if writer.after is not None:
            writer.after(StepReport(writer.variant, writer.segment, problem, state, log, due))

    try:
        return run_methods(problem, task.plan.methods, state, after_step=after_step, progress=progress), False
    except (KeyboardInterrupt, StopWork) as stop:
        if last.step and folder is not None and lines:
            done = [line for line in lines if line["step"] < last.step]
            folder.save(writer.variant, last, done, segment=writer.segment)
        if last.step == 0 or isinstance(stop, StopWork):
            raise
        return last, True
