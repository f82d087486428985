"""The optimisation (AKD eq. 8): one step is a function from one state to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.distill.body import Body
from gambol.distill.motion_variables import Coefficients, Motion, MotionCurves, lock_joints, time_curves
from gambol.distill.penalties import (
    ahead_penalty,
    cuboid_corners,
    ground_penalty,
    limit_penalty,
    paper_ground_penalty,
    paper_smooth_penalty,
    skate_penalty,
    smooth_penalty,
)
from gambol.distill.scenes import Scene, make_scene
from gambol.distill.settings import DistilSettings
from gambol.distill.state import State, adam
from gambol.errors import AssetError, GambolError
from gambol.motion.clip import Clip
from gambol.poses.score import pose_prior
from gambol.poses.space import PoseSpace, pose_space
from gambol.prior.embedded.sampling import mean_latent, sample_latent
from gambol.prior.embedded.stage import without_drift
from gambol.prior.score_distillation import draw_noise, gradient_at
from gambol.prior.video_prior import VideoPrior

KEPT = 6
"""Moments of the optimisation that a report shows."""
HELD = ("limits", "smooth", "ground", "skate", "ahead", "poses")
"""What penalties hold together: names in a `StepLog`."""
FARTHEST = 100.0
"""A motion that goes farther than this, radians or sizes, has diverged."""


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
    """The first phase's noise of a clip that is longer than a film, or a loop: no film can be fitted to. One row per
    frame of the clip where a latent has one per frame of the film."""
    corners: Float[Tensor, "bones 8 4"] | None
    """Of the bones' boxes, for AKD eq. 10."""
    target: Float[Tensor, "*latent"] | None = None
    """A film that was given to fit to."""
    poses: PoseSpace | None = None
    """The body's pose space, where it has a weight."""

    @property
    def frames(self) -> int:
        """Of the clip; the prior's window is `prior.format.frames`."""
        return len(self.curves.curves)


@dataclass(frozen=True)
class StepLog:
    """What one step saw; deterministic, so that a resumed run's log is the same."""

    step: int
    level: float
    """Of the noise."""
    prior: float
    """Mean squared gradient on the latent."""
    limits: float
    smooth: float
    ground: float
    skate: float
    ahead: float
    poses: float
    gradient: float
    """Norm of the gradient on the coefficients."""
    motion: float
    """Mean joint speed about the root, sizes per second."""

    @property
    def held(self) -> float:
        """The sum of the penalties."""
        return float(sum(getattr(self, name) for name in HELD))

    def as_json(self) -> dict[str, float]:
        """Plain data, short enough for one line."""
        return {name: float(f"{value:.6g}") if name != "step" else value for name, value in asdict(self).items()}


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
    frames = window if settings.seconds is None else max(round(settings.seconds * scene.fps), window)
    if settings.settling >= settings.steps and (frames != window or settings.loop):
        raise AssetError(
            f"A fit has the length of the film it fits to: {window / scene.fps:.2f} s here, not {settings.seconds:g} s."
            " Leave --seconds out, or use --method sds."
        )
    count = round(settings.frequencies * frames / window)
    motion = drifting(body, settings, frames, scene.fps) if start is None else on_stage(start(scene.fps, frames), scene)
    reach = lock_joints(body.reach, body.character.posable(), settings.locked)
    curves = MotionCurves(time_curves(settings.curves, frames, count, loop=settings.loop), reach, *motion)
    with torch.no_grad():
        still = scene.rest(0)[0].expand(window, -1, -1, -1)
        like = prior.encode(still)
        fixed = None
        if settings.settling and (frames != window or settings.loop):
            rows = frames if len(like) == window else len(like)
            shape = like[:1].expand(rows, *like.shape[1:])
            fixed = draw_noise(shape, torch.Generator().manual_seed(settings.seed))
        target = None if video is None else prior.encode(video(prior))
    conditions = tuple(scene.condition(prior, prompt, negative, side) for side in range(scene.sides))
    corners = cuboid_corners(body.character) if settings.penalties.paper_ground else None
    poses = pose_space(body.character, body.anatomy) if settings.pose_prior else None
    return Problem(prior, body, scene, prompt, settings, curves, conditions, fixed, corners, target, poses)


def drifting(body: Body, settings: DistilSettings, frames: int, fps: float) -> Motion:
    """The start: the first pose in every frame, with a straight constant drift along +x."""
    root = torch.zeros(frames, 6)
    root[:, 0] = settings.drift * body.character.size / fps * torch.arange(frames)
    return root, body.first_angles.repeat(frames, 1, 1)


def on_stage(clip: Clip, scene: Scene) -> Motion:
    """A clip as the cameras see it: without its steady way where they go along."""
    root = clip.root if scene.travels else without_drift(clip)[0]
    return torch.as_tensor(np.array(root)).float(), torch.as_tensor(np.array(clip.angles)).float()


def advance(problem: Problem, state: State) -> tuple[State, StepLog]:
    """One step: film a window of the motion, ask the prior, move the coefficients."""
    settings, scene, prior = problem.settings, problem.scene, problem.prior
    generator = torch.Generator()
    generator.set_state(state.noise)
    step, calls = state.step, 0
    settled = step >= settings.settling
    window = draw_window(problem, generator)
    if fits(problem, step) and state.target is None:
        state, calls = with_film(problem, state, generator)
    coefficients = (state.coefficients[0].detach().requires_grad_(), state.coefficients[1].detach().requires_grad_())
    root, angles = problem.curves.motion(coefficients)
    T = problem.body.actor.pose(root, angles)
    target, level = state.target if fits(problem, step) else None, 0.0
    if target is not None:
        side = step % len(target)
        z = prior.encode(scene.film(T[window], side))
        gradient = 2.0 * film_error(problem, z.detach() - target[side])
    else:
        side = step % scene.sides if settled else 0
        z = prior.encode(scene.film(T[window], side))
        guidance = settings.guidance_at(step)
        gradient = torch.zeros_like(z)
        for _ in range(settings.draws):
            noise = fixed_noise(problem, window) if not settled else None
            noise = draw_noise(z, generator) if noise is None else noise
            level = settings.levels.draw(step, generator)
            pull, _ = gradient_at(prior, z.detach(), problem.conditions[side], noise, level, guidance=guidance)
            gradient = gradient + pull / settings.draws
            calls += 1 if guidance == 1.0 else 2
    parts = penalties(problem, root, angles, T, step=step)
    scale = 1.0 / prior.format.frames if settings.per_frame else 1.0
    gradients = torch.autograd.grad((z * gradient).sum() * scale + sum(parts.values()), coefficients)
    done = step - settings.settling if settled else step
    moved, means, squares = adam(state, (gradients[0], gradients[1]), rate_at(problem, step), done + 1)
    if step + 1 == settings.settling:  # the second phase starts with moments of its own
        means, squares = problem.curves.zeros(), problem.curves.zeros()
    moved = (moved[0].detach(), moved[1].detach())
    check_sound(problem, moved, step)
    log = StepLog(
        step,
        level,
        float(gradient.square().mean()),
        **{name: float(part.detach()) for name, part in parts.items()},
        gradient=float(sum(g.square().sum() for g in gradients) ** 0.5),
        motion=motion_amount(problem, T),
    )
    evaluations = state.evaluations + calls
    after = State(step + 1, moved, means, squares, generator.get_state(), evaluations, target, state.kept)
    return keep_moment(problem, after), log


def fits(problem: Problem, step: int) -> bool:
    """Whether a film is fitted to in this step: one that was given, or in the first phase the prior's."""
    return problem.target is not None or (step < problem.settings.settling and problem.fixed is None)


def draw_window(problem: Problem, generator: torch.Generator) -> Int[Tensor, "window"]:
    """Which frames of the clip the prior sees in this step; a loop goes round."""
    window, frames = problem.prior.format.frames, problem.frames
    if problem.target is not None or (frames == window and not problem.settings.loop):
        return torch.arange(window)
    starts = frames if problem.settings.loop else frames - window + 1
    first = int(torch.randint(starts, (), generator=generator))
    return (first + torch.arange(window)) % frames


def fixed_noise(problem: Problem, window: Int[Tensor, "window"]) -> Float[Tensor, "*latent"] | None:
    """The first phase's noise of these frames; None where a latent's rows are no frames and the window moves."""
    if problem.fixed is None or len(problem.fixed) == problem.frames:
        return None if problem.fixed is None else problem.fixed[window]
    return problem.fixed if problem.frames == problem.prior.format.frames and not problem.settings.loop else None


def with_film(problem: Problem, state: State, generator: torch.Generator) -> tuple[State, int]:
    """The state with the films to fit to, and the calls for them: given, mean ones of all sides, or a sample."""
    settings, prior = problem.settings, problem.prior
    if problem.target is not None:
        return replace(state, target=problem.target[None]), 0
    guidance, calls = settings.film_guidance, settings.film_calls
    conditions = problem.conditions if settings.film == "mean" else problem.conditions[:1]
    ask = mean_latent if settings.film == "mean" else sample_latent
    films = [
        ask(prior, condition, generator, start=still_latent(problem, side), guidance=guidance, steps=calls)
        for side, condition in enumerate(conditions)
    ]
    return replace(state, target=torch.stack(films)), len(films) * calls * (1 if guidance == 1.0 else 2)


def film_error(problem: Problem, error: Float[Tensor, "*latent"]) -> Float[Tensor, "*latent"]:
    """What differs from the film that is fitted to; from a mean one as much as it is sure of."""
    mean = problem.target is None and problem.settings.film == "mean"
    return problem.prior.weigh(error) if mean else error


def still_latent(problem: Problem, side: int) -> Float[Tensor, "*latent"]:
    """The film of the rest pose."""
    with torch.no_grad():
        return problem.prior.encode(problem.scene.rest(side)[0].expand(problem.prior.format.frames, -1, -1, -1))


def penalties(
    problem: Problem,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    T_world_rest: Float[Tensor, "frames bones 4 4"],
    *,
    step: int = 0,
) -> dict[str, Tensor]:
    """The weighted penalties, ours and the paper's, by what they hold together; the step decides the poses' noise."""
    body, weights = problem.body, problem.settings.penalties
    found = dict.fromkeys(HELD, torch.zeros(()))
    if weights.limits:
        found["limits"] = weights.limits * limit_penalty(angles, body.limits)
    if weights.smooth:
        found["smooth"] = weights.smooth * smooth_penalty(root, angles, body.leg)
    if weights.paper_smooth:
        found["smooth"] = found["smooth"] + weights.paper_smooth * paper_smooth_penalty(root, angles)
    if weights.ground:
        below, lowest = ground_penalty(body.actor, T_world_rest, body.leg)
        floats = lowest.min().clamp_min(0.0).square()  # it touches the ground at least once
        found["ground"] = weights.ground * (below + floats)
    if weights.ahead and problem.fixed is None and not problem.settings.loop:
        found["ahead"] = weights.ahead * ahead_penalty(root - problem.curves.start_root)
    if problem.corners is not None:
        found["ground"] = found["ground"] + weights.paper_ground * paper_ground_penalty(problem.corners, T_world_rest)
    if weights.skate and problem.scene.travels:
        found["skate"] = weights.skate * skate_penalty(body.actor, T_world_rest, body.leg)
    if problem.poses is not None:
        generator = torch.Generator().manual_seed(problem.settings.seed * 1_000_003 + step)
        found["poses"] = problem.settings.pose_prior * pose_prior(problem.poses, root, angles, generator)
    return found


def rate_at(problem: Problem, step: int) -> float:
    """Adam's rate: each phase cools down by itself."""
    settings = problem.settings
    if step < settings.settling:
        return settings.rate * cooling(step / settings.settling)
    refining = settings.refining if settings.settling else 1.0
    return refining * settings.rate * cooling((step - settings.settling) / (settings.steps - settings.settling))


def cooling(part: float) -> float:
    """Full rate for 60 % of the steps, then down to 15 %."""
    return 1.0 if part < 0.6 else 1.0 - 0.85 * (part - 0.6) / 0.4


def motion_amount(problem: Problem, T_world_rest: Float[Tensor, "frames bones 4 4"]) -> float:
    """Mean joint speed about the root, sizes per second."""
    skeleton = problem.body.character.posable()
    heads = torch.as_tensor(skeleton.heads).float()
    T = T_world_rest.detach()
    places = torch.einsum("fbij,bj->fbi", T[..., :3, :3], heads) + T[..., :3, 3]
    places = places - places[:, :1]
    speeds = (places[1:] - places[:-1]).norm(dim=-1) * problem.scene.fps
    return float(speeds.mean()) / problem.body.character.size


def check_sound(problem: Problem, coefficients: Coefficients, step: int) -> None:
    """Refuse a motion that is not finite or runs away, before it replaces the last good one."""
    with torch.no_grad():
        root, angles = problem.curves.motion(coefficients)
    if not (torch.isfinite(root).all() and torch.isfinite(angles).all()):
        raise GambolError(f"The motion is not finite any more after step {step + 1}; the last good one is kept.")
    size = problem.body.character.size
    if angles.abs().max() > FARTHEST or (root[:, :3] - problem.curves.start_root[:, :3]).abs().max() > FARTHEST * size:
        raise GambolError(
            f"The motion runs away after step {step + 1}; the last good one is kept. Lower the rate or the guidance."
        )


def keep_moment(problem: Problem, state: State) -> State:
    """The state with this step remembered, if it is one of those that reports show."""
    shown = {round(k * problem.settings.steps / KEPT) for k in range(1, KEPT + 1)}
    return replace(state, kept=(*state.kept, (state.step, state.coefficients))) if state.step in shown else state


def clip_of(problem: Problem, coefficients: Coefficients, name: str | None = None) -> Clip:
    """A motion as a clip, as it was optimised; a loop ends with its first pose."""
    with torch.no_grad():
        root, angles = (x.double().numpy() for x in problem.curves.motion(coefficients))
    if problem.settings.loop:
        root, angles = (np.concatenate([x, x[:1]]) for x in (root, angles))
    return Clip(name or problem.prompt, problem.scene.fps, np.ascontiguousarray(root), np.ascontiguousarray(angles))


@torch.no_grad()
def final_loss(problem: Problem, coefficients: Coefficients) -> tuple[float, int]:
    """The prior's loss at fixed levels and noises plus all penalties, for ranking; and the network's evaluations."""
    prior, settings = problem.prior, problem.settings
    root, angles = problem.curves.motion(coefficients)
    T = problem.body.actor.pose(root, angles)
    generator = torch.Generator().manual_seed(12345)
    z = prior.encode(problem.scene.film(T[: prior.format.frames], 0))
    guidance = settings.guidance_at(settings.steps)
    total, levels = 0.0, (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    for level in levels:
        gradient, _ = gradient_at(prior, z, problem.conditions[0], draw_noise(z, generator), level, guidance=guidance)
        total += float(gradient.square().sum()) / len(levels) * (1.0 / prior.format.frames if settings.per_frame else 1)
    held = sum(float(x.detach()) for x in penalties(problem, root, angles, T).values())
    return 0.5 * total + held, len(levels) * (1 if guidance == 1.0 else 2)
