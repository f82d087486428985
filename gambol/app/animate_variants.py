"""A sentence becomes a clip: several variants, each resumable, the best of them finished."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.app.run_folder import RunFolder
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.body import Body, make_body
from gambol.distill.distil import run_steps
from gambol.distill.optimise import StepLog, final_loss
from gambol.distill.post_processing import (
    DEFAULT_POST_PROCESSING,
    PostProcessing,
    first_seconds,
    post_process,
    resample,
)
from gambol.distill.problem import Problem, clip_of, make_problem
from gambol.distill.settings import SKETCH, DistilSettings
from gambol.distill.state import State, first_state
from gambol.errors import AssetError
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.node_motion import clip_from_nodes
from gambol.motion.root_trajectory import loop_frames
from gambol.progress import Progress

EVERY = 10
"""Steps between two saved states."""
OTHER_SHAPE = 0.1
"""How much wider or higher a given film may be than the prior's, as a logarithm."""
Saved = Callable[[Problem, State], None]


@dataclass(frozen=True)
class Wish:
    """What is asked for."""

    prompt: str
    settings: DistilSettings = SKETCH
    finish: PostProcessing = DEFAULT_POST_PROCESSING
    negative: str = ""
    variants: int = 1
    start_clip: str | None = None
    """A clip of the file to refine, in place of the rest pose."""
    video: Path | None = None
    """A film to fit to."""
    fps: float | None = None
    """Frames per second that the prior's film counts as; None: the prior's own, for this body."""

    def __post_init__(self) -> None:
        if not 1 <= self.variants <= 100:
            raise AssetError(f"{self.variants} variants were asked for; allowed is 1 to 100.")
        if len(self.prompt) > 2000:
            raise AssetError(f"The sentence has {len(self.prompt)} letters; at most 2000 are read.")
        if self.fps is not None and not 1 <= self.fps <= 240:
            raise AssetError(f"The prior's film is to have {self.fps:g} frames per second; allowed is 1 to 240.")


@dataclass(frozen=True)
class Variant:
    """One seed's motion."""

    seed: int
    state: State
    clip: Clip
    """Finished."""
    loss: float
    """The prior's and the penalties', at fixed noises: what variants are ranked by."""


@dataclass(frozen=True)
class Animated:
    """All variants, the best first."""

    variants: tuple[Variant, ...]
    evaluations: int
    """Of the prior's network, in all."""
    problem: Problem
    """Of the best."""
    stopped: bool = False
    """Ctrl-C came before the end; the motion is what was there."""

    @property
    def clip(self) -> Clip:
        """The best variant's."""
        return self.variants[0].clip


def animate_asset(
    asset: Asset,
    prior: VideoPrior[Any],
    wish: Wish,
    *,
    folder: RunFolder | None = None,
    saved: Saved | None = None,
    progress: Progress | None = None,
) -> Animated:
    """Distil and finish; with a folder, what is there goes on and what is new is kept there, and `saved` is called."""
    character = asset.character
    picture = min(prior.format.height, prior.format.width)
    body = make_body(character, find_anatomy(character), splats=wish.settings.splats, picture=picture)
    found: list[tuple[Problem, Variant]] = []
    evaluations, stopped = 0, False
    wish = as_long_as_its_clip(asset, wish)
    for number in range(wish.variants):
        try:
            problem = problem_of(asset, body, prior, wish, wish.settings.seed + number)
            shown = _of_all(progress, number, wish.variants)
            state, stopped = run_variant(problem, number, folder, saved, shown)
            loss, calls = final_loss(problem, state.coefficients) if wish.variants > 1 else (0.0, 0)
        except KeyboardInterrupt:
            if not found:
                raise
            stopped = True
            break
        evaluations += state.evaluations + calls
        found.append((problem, Variant(problem.settings.seed, state, finished(problem, state, wish), loss)))
        if stopped:
            break
    found.sort(key=lambda pair: pair[1].loss)
    return Animated(tuple(variant for _, variant in found), evaluations, found[0][0], stopped)


def _of_all(progress: Progress | None, number: int, variants: int) -> Progress | None:
    """The progress of one of several variants as that of all."""
    if progress is None or variants == 1:
        return progress

    def report(done: int, total: int, what: str) -> None:
        progress(number * total + done, variants * total, f"variant {number + 1} of {variants}: {what}")

    return report


def as_long_as_its_clip(asset: Asset, wish: Wish) -> Wish:
    """A clip that is refined keeps its length, where no other is asked for."""
    if wish.start_clip is None or wish.settings.seconds is not None or wish.settings.loop:
        return wish
    seconds = max(asset.clip(wish.start_clip).duration, 1.0 / wish.finish.fps)
    return replace(wish, settings=replace(wish.settings, seconds=seconds))


def problem_of(asset: Asset, body: Body, prior: VideoPrior[Any], wish: Wish, seed: int) -> Problem:
    """The problem of one seed."""
    video: Callable[[VideoPrior[Any]], Tensor] | None = None
    if wish.video is not None:
        path = wish.video
        video = lambda prior: video_for(path, prior)  # noqa: E731
    start = None
    if wish.start_clip is not None:
        name = wish.start_clip
        start = lambda fps, frames: part_of_clip(asset, name, fps, frames)  # noqa: E731
    settings = replace(wish.settings, seed=seed)
    return make_problem(
        prior, body, wish.prompt, settings, negative=wish.negative, fps=wish.fps, start=start, video=video
    )


def run_variant(
    problem: Problem, number: int, folder: RunFolder | None, saved: Saved | None, progress: Progress | None
) -> tuple[State, bool]:
    """All steps of one variant, from where its folder says; True where Ctrl-C came first."""
    state = folder.load(number) if folder is not None else None
    state = state or first_state(problem.curves, problem.settings.seed)
    if folder is not None:
        folder.trim_log(number, state.step)
    lines: list[dict[str, Any]] = []
    last = state

    def after(state: State, log: StepLog) -> None:
        nonlocal last
        last = state
        lines.append({"variant": number, **log.as_json()})
        if folder is not None and (state.step % EVERY == 0 or state.step == problem.settings.steps):
            folder.save(number, state, lines)
            lines.clear()
            if saved is not None:
                saved(problem, state)

    try:
        return run_steps(problem, state, after=after, progress=progress), False
    except KeyboardInterrupt:
        if last.step == 0:
            raise
        if folder is not None and lines:
            logged = [line for line in lines if line["step"] < last.step]
            folder.save(number, last, logged)
        return last, True


def finished(problem: Problem, state: State, wish: Wish) -> Clip:
    """The clip as it is written; knees are held where limits were, but not those of a clip that is refined.

    A body whose root is locked goes nowhere.
    """
    finish, limited = wish.finish, wish.settings.penalties.limits > 0 and wish.start_clip is None
    held = float(problem.curves.reach.root.abs().max()) == 0.0
    root_travel = finish.root_travel and wish.settings.follow_feet and not held
    config = replace(finish, root_travel=root_travel, limit_leg_joints=finish.limit_leg_joints and limited)
    clip = clip_of(problem, state.coefficients, clip_name(wish.prompt))
    character, anatomy = problem.body.character, problem.body.anatomy
    clip = post_process(character, clip, anatomy, config, travels=problem.scene.travels, loop=wish.settings.loop)
    return clip if wish.settings.loop else first_seconds(clip, wish.settings.seconds)


def clip_name(prompt: str) -> str:
    """The sentence, as the name of a clip."""
    return " ".join(prompt.split())[:80] or "motion"


def part_of_clip(asset: Asset, name: str, fps: float, frames: int) -> Clip:
    """The first frames of a file's clip at this rate; a shorter loop goes round, another clip holds its last pose."""
    clip, _ = clip_from_nodes(asset.character, asset.clip(name), fps=60.0)
    cycle = loop_frames(clip)
    clip = resample(clip, fps)
    which = np.minimum(np.arange(frames), len(clip) - 1)
    if cycle is not None:
        which = np.arange(frames) % max(round(cycle / 60.0 * fps), 1)
        which = np.minimum(which, len(clip) - 1)
    return replace(clip, root=clip.root[which], angles=clip.angles[which])


def video_for(path: Path, prior: VideoPrior[Any]) -> Float[Tensor, "frames 3 height width"]:
    """A film in the prior's format: its frames evenly chosen, its pictures scaled. One of another shape is refused."""
    from gambol.render.video_file import read_film

    frames, _ = read_film(path)
    wanted, (height, width) = prior.format, frames.shape[1:3]
    if abs(np.log(width / height * wanted.height / wanted.width)) > OTHER_SHAPE:
        raise AssetError(
            f"{path.name} is {width} x {height} pixels; the prior's films have the shape {wanted.width} x"
            f" {wanted.height}. Give a film that looks as they do: gambol prior sample makes one."
        )
    chosen = np.linspace(0, len(frames) - 1, wanted.frames).round().astype(int)
    pixels = torch.from_numpy(np.ascontiguousarray(frames[chosen])).permute(0, 3, 1, 2).float() / 255.0
    size = (wanted.height, wanted.width)
    return torch.nn.functional.interpolate(pixels, size, mode="bilinear", antialias=True, align_corners=False)
