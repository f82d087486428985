"""From the optimised actions of a variant to the clips that are written: joined, in place or looping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.app.animate_plan import AnimatePlan
from gambol.app.animate_request import AnimateRequest, ClipVariant
from gambol.app.segment_runs import SegmentRun
from gambol.distill.constraints import Constraint, project_clip
from gambol.distill.joint_motion import JointMotion
from gambol.distill.losses.loss import bind_losses
from gambol.distill.post_processing import (
    GroundedClip,
    PostProcessing,
    finish_clip,
    first_seconds,
    ground_clip,
    post_process,
)
from gambol.distill.problem import Problem, clip_of
from gambol.motion.chosen_travel import path_length
from gambol.motion.clip import Clip
from gambol.motion.feet.travel import remove_travel
from gambol.motion.join_clips import JOINING_MARGIN, Piece, hold_ends, join_pieces


@dataclass(frozen=True)
class NamedSpan:
    """One action of a clip."""

    name: str
    """The sentence of the action."""
    start: float
    """Time at which it starts, seconds; at the middle of the blend with the one before."""


@dataclass(frozen=True)
class FinishedClip:
    """A clip as it is written, and what engines want to know of it."""

    clip: Clip
    """The clip."""
    variant: ClipVariant
    """Whether it travels, stays on the spot or loops."""
    speed: float
    """Speed over the ground, also of a clip that stays on the spot, metres per second."""
    stride_seconds: float | None = None
    """Time of one cycle; None where nothing repeats."""
    spans: tuple[NamedSpan, ...] = ()
    """The actions one after the other."""

    def extras(self, scale: float) -> dict[str, object]:
        """What is written beside the animation, in metres of a file with `scale` metres per unit."""
        speed = self.speed / scale
        told: dict[str, object] = {"variant": self.variant, "speed": round(speed, 5)}
        if self.stride_seconds is not None:
            told["stride"] = {"metres": round(speed * self.stride_seconds, 5), "seconds": round(self.stride_seconds, 5)}
        if len(self.spans) > 1:
            told["segments"] = [{"name": span.name, "start": round(span.start, 4)} for span in self.spans]
        return told


def finished_clips(runs: Sequence[SegmentRun], request: AnimateRequest, plan: AnimatePlan) -> tuple[FinishedClip, ...]:
    """All clips of a variant, the one that film and report show last."""
    wanted = request.exports or (("in-place",) if request.in_place else ("loop",) if request.loop else ("root-motion",))
    name = clip_name(request)
    found: dict[ClipVariant, FinishedClip] = {}
    spans: tuple[NamedSpan, ...] = ()
    segments = [run for run in runs if not run.segment.loop]
    post = replace(post_of(segments[0].problem, plan), in_place=False)
    if request.loop:
        clip = finished_loop(segments[0], name, post)
    elif len(segments) == 1:
        clip = finished_clip(segments[0], name, post)
    else:
        clip, spans = joined_clip(segments, name, post)
    speed, stride = clip_speed(clip), stride_of(segments, clip, plan)
    main: ClipVariant = "loop" if request.loop else "root-motion"
    if request.in_place:  # constraints hold in the clip that is written
        clip = project(remove_travel(clip), segments, plan, loop=request.loop)
        found["in-place"] = FinishedClip(clip, "in-place", speed, stride, spans)
    else:
        clip = project(clip, segments, plan, loop=request.loop)
        found[main] = FinishedClip(clip, main, speed, stride, spans)
        found["in-place"] = FinishedClip(remove_travel(clip), "in-place", speed, stride, spans)
    for run in runs:
        if run.segment.loop:
            free = replace(post, travel=None)
            cycle = project(finished_loop(run, name, free), [run], plan, loop=True)
            found["loop"] = FinishedClip(cycle, "loop", clip_speed(cycle), stride_of([run], cycle, plan))
    kinds = [kind if kind in found else main for kind in ("loop", "in-place", "root-motion") if kind in wanted]
    several = len(kinds) > 1
    clips = [found[kind] for kind in dict.fromkeys(kinds)]
    return tuple(
        replace(made, clip=replace(made.clip, name=variant_name(name, made.variant, main, several=several)))
        for made in clips
    )


def variant_name(name: str, variant: ClipVariant, main: ClipVariant, *, several: bool) -> str:
    """Name of one of several clips: the main one has the name that was asked for, the others say what they are."""
    return name if not several or variant == main else f"{name} {variant.replace('-', ' ')}"


def clip_name(request: AnimateRequest) -> str:
    """The name of the new clip: the one asked for, or the sentence."""
    return " ".join((request.name or request.title).split())[:80] or "motion"


def post_of(problem: Problem, plan: AnimatePlan) -> PostProcessing:
    """The post-processing of a problem; a body whose root is locked goes nowhere."""
    parameters = problem.parameters
    locked = isinstance(parameters, JointMotion) and float(parameters.scale.root.abs().max()) == 0.0
    return replace(plan.post, root_travel=plan.post.root_travel and not locked)


def finished_clip(run: SegmentRun, name: str, post: PostProcessing) -> Clip:
    """The clip of a single action: post-processed, in its length; constraints are met later."""
    problem, body = run.problem, run.problem.body
    clip = clip_of(problem, run.state.coefficients, name)
    clip = post_process(body.character, clip, body.anatomy, post, travels=problem.observer.travels, loop=False)
    clip = first_seconds(clip, problem.config.seconds)
    if run.segment.seconds is not None and problem.length.ends_elsewhere:
        missing = round((run.segment.seconds - clip.duration) * clip.fps)
        clip = hold_ends(clip, None, before=0, after=missing)[0] if missing > 0 else clip
    return clip


def finished_loop(run: SegmentRun, name: str, post: PostProcessing) -> Clip:
    """A seamless cycle."""
    problem, body = run.problem, run.problem.body
    clip = clip_of(problem, run.state.coefficients, name)
    return post_process(body.character, clip, body.anatomy, post, travels=problem.observer.travels, loop=True)


def project(clip: Clip, runs: Sequence[SegmentRun], plan: AnimatePlan, *, loop: bool) -> Clip:
    """The clip with its constraints met exactly."""
    body = runs[0].problem.body
    losses = runs[0].problem.losses
    if len(runs) > 1:
        losses = bind_losses([loss for loss in plan.losses if isinstance(loss, Constraint)], body)
    return project_clip(clip, body, losses, loop=loop)


def joined_clip(runs: Sequence[SegmentRun], name: str, post: PostProcessing) -> tuple[Clip, tuple[NamedSpan, ...]]:
    """Actions one after the other as one clip, finished as a whole: feet are locked across the blends."""
    body = runs[0].problem.body
    pieces = [segment_piece(run, post, first=i == 0, last=i + 1 == len(runs)) for i, run in enumerate(runs)]
    joined = join_pieces(pieces, name)
    clip = finish_clip(body.character, GroundedClip(joined.clip, joined.stances), body.anatomy, post)
    ratio = clip.duration / max(joined.clip.duration, 1e-9)  # a speed that is asked for changes the time
    starts = [0.0, *(cut / joined.clip.fps * ratio for cut in joined.cuts)]
    spans = tuple(NamedSpan(run.segment.prompt, start) for run, start in zip(runs, starts, strict=True))
    return clip, spans


def segment_piece(run: SegmentRun, post: PostProcessing, *, first: bool, last: bool) -> Piece:
    """One action on its way over the ground, with the margins in which it is joined to its neighbours."""
    problem, body = run.problem, run.problem.body
    made = ground_clip(
        body.character,
        clip_of(problem, run.state.coefficients, run.segment.prompt),
        body.anatomy,
        post,
        travels=problem.observer.travels,
    )
    clip, stances, fps = made.clip, made.stances, made.clip.fps
    seconds = run.segment.seconds or clip.duration
    start = round(problem.config.margins[0] * fps) if problem.length.repeats else 0
    length = min(seconds, problem.config.seconds or seconds)
    end = min(start + round(length * fps), len(clip) - 1)
    margin = round(JOINING_MARGIN * fps)
    keep = end + 1 if not problem.length.repeats else min(end + 1 + margin, len(clip))
    clip = replace(clip, root=clip.root[:keep], angles=clip.angles[:keep])
    stances = None if stances is None else replace(stances, standing=stances.standing[:, : keep - 1])
    before = 0 if first else max(margin - start, 0)
    rest = max(round((seconds - length) * fps), 0)
    after = rest + (0 if last else max(margin - (len(clip) - 1 - end), 0))
    clip, stances = hold_ends(clip, stances, before=before, after=after)
    return Piece(clip, stances, start + before, end + before + rest)


def clip_speed(clip: Clip) -> float:
    """Mean speed over the ground, metres per second."""
    return path_length(clip) / clip.duration if clip.duration > 0 else 0.0


def stride_of(runs: Sequence[SegmentRun], clip: Clip, plan: AnimatePlan) -> float | None:
    """Seconds of one cycle of a clip of one action; None for sequences and for motions that happen once."""
    length, problem = runs[0].problem.length, runs[0].problem
    if len(runs) > 1 or length.cycle is None or not length.repeats:
        return None
    if problem.config.loop:
        cycles = max(round(problem.parameters.frames / (length.cycle * problem.observer.fps)), 1)
        return clip.duration / cycles
    played = clip.duration / (problem.config.seconds or clip.duration) if isinstance(plan.post.travel, float) else 1.0
    return length.cycle * played
