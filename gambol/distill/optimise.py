"""The optimisation (AKD eq. 8): one step is a function from one state to the next."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.diffusion.samplers import mean_latent, sample_latent
from gambol.diffusion.score_distillation import draw_noise, gradient_at
from gambol.distill.lbfgs import first_search, look
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.penalties import (
    Limits,
    ahead_penalty,
    ground_penalty,
    limit_penalty,
    paper_ground_penalty,
    paper_smooth_penalty,
    skate_penalty,
    smooth_penalty,
)
from gambol.distill.problem import Problem, still_latent
from gambol.distill.state import State, adam
from gambol.distill.surface_metric import to_pair
from gambol.distill.windows import next_manner
from gambol.errors import GambolError
from gambol.poses.score import pose_prior_loss
from gambol.priors.embedded.prior import EmbeddedPrior

KEPT = 6
"""Moments of the optimisation that a report shows."""
HELD = ("limits", "smooth", "ground", "skate", "ahead", "poses")
"""What penalties hold together: names in a `StepLog`."""
FIRST_STEP = 0.05
"""How far a fit goes first, leg lengths of the surface."""
FARTHEST = 100.0
"""A motion that goes farther than this, radians or sizes, has diverged."""


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

    def as_json(self) -> dict[str, int | float]:
        """Plain data, short enough for one line."""
        return {name: float(f"{value:.6g}") if name != "step" else value for name, value in asdict(self).items()}


def advance(problem: Problem, state: State) -> tuple[State, StepLog]:
    """One step: towards the film that is fitted to, or as the prior's score says."""
    generator = torch.Generator()
    generator.set_state(state.noise)
    if not fits(problem, state.step):
        return follow_score(problem, state, generator)
    calls = 0
    if state.target is None:
        state, calls = with_film(problem, state, generator)
    state = replace(state, noise=generator.get_state(), evaluations=state.evaluations + calls)
    return fit_film(problem, state)


def fit_film(problem: Problem, state: State) -> tuple[State, StepLog]:
    """Look at the distance to the films of all sides, and find where to look next (`quasi_newton`)."""
    settings, scene, prior, step = problem.settings, problem.scene, problem.prior, state.step
    assert state.target is not None
    curves = problem.curves.curves.shape[1]
    search = state.search or first_search(torch.zeros(curves * len(problem.whitening)))
    tried = search.trial.unflatten(0, (curves, -1)).requires_grad_()
    root, angles = problem.curves.motion(to_pair(tried @ problem.whitening.T))
    T = problem.body.actor.pose(root, angles)
    share = (1.0 / prior.format.frames if settings.per_frame else 1.0) / len(state.target)
    distance, pulled, pulls = 0.0, torch.zeros(()), 0.0
    later = {first: window_poses(problem, root, angles, first) for first in dict(problem.films) if first}
    for (first, side), target in zip(problem.films, state.target, strict=True):
        z = prior.encode(scene.film(later[first] if first else T[: prior.format.frames], side))
        error = z.detach() - target
        weighed = film_error(problem, error)
        distance += share * float((error * weighed).sum())
        pulled = pulled + share * (z * 2.0 * weighed).sum()
        pulls += float((2.0 * weighed).square().mean()) / len(state.target)
    parts = penalties(problem, root, angles, T)
    held = sum(parts.values(), torch.zeros(()))
    (gradient,) = torch.autograd.grad(pulled + held, tried)
    search = look(search, distance + float(held.detach()), gradient.flatten(), first_step=FIRST_STEP)
    if not np.isfinite(search.loss):
        raise GambolError(f"The distance to the film is not finite in step {step + 1}; check film and prior.")
    moved = to_pair(search.point.unflatten(0, (curves, -1)) @ problem.whitening.T)
    check_sound(problem, moved, step)
    ends = not fits(problem, step + 1)
    after = replace(state, step=step + 1, coefficients=moved, search=None if ends else search)
    if ends:
        after = replace(after, target=None)
    return keep_moment(problem, after), step_log(problem, step, 0.0, pulls, parts, float(gradient.norm()), T)


def window_poses(
    problem: Problem,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    first: int,
) -> Float[Tensor, "window bones 4 4"]:
    """The poses of a later window, turned so that the body looks ahead at first, as all films begin."""
    window = slice(first, first + problem.prior.format.frames)
    turn = torch.zeros_like(root[first])
    turn[3] = 1.0
    return problem.body.actor.pose(root[window] - turn * root[first, 3], angles[window])


def follow_score(problem: Problem, state: State, generator: torch.Generator) -> tuple[State, StepLog]:
    """Film a window of the motion, ask the prior, move the coefficients as Adam does.

    Where a clip is refined, the score of the clip as it was, with the same noise and no sentence, is taken off (delta
    denoising score): what the prior would change in any film, such as its amplitude, is not asked for.
    """
    settings, scene, prior, step = problem.settings, problem.scene, problem.prior, state.step
    settled, calls, level = step >= settings.settling, 0, 0.0
    window = draw_window(problem, generator)
    coefficients = (state.coefficients[0].detach().requires_grad_(), state.coefficients[1].detach().requires_grad_())
    root, angles = problem.curves.motion(coefficients)
    T = problem.body.actor.pose(root, angles)
    side = step % scene.sides if settled else 0
    z = prior.encode(scene.film(T[window], side))
    guidance, told = settings.guidance_at(step), problem.conditions[side]
    before = clip_latent(problem, window, side) if problem.refines else None
    gradient = torch.zeros_like(z)
    for _ in range(settings.draws):
        noise = fixed_noise(problem, window) if not settled else None
        noise = draw_noise(z, generator) if noise is None else noise
        level = settings.levels.draw(step, generator)
        pull, _ = gradient_at(prior, z.detach(), told, noise, level, guidance=guidance)
        calls += 1 if guidance == 1.0 else 2
        if before is not None:
            pull, calls = pull - gradient_at(prior, before, told, noise, level, guidance=0.0)[0], calls + 2
        gradient = gradient + pull / settings.draws
    parts = penalties(problem, root, angles, T, step=step)
    scale = 1.0 / prior.format.frames if settings.per_frame else 1.0
    gradients = torch.autograd.grad((z * gradient).sum() * scale + sum(parts.values()), coefficients)
    done = step - settings.settling if settled else step
    moved, means, squares = adam(state, (gradients[0], gradients[1]), rate_at(problem, step), done + 1)
    if step + 1 == settings.settling:  # the second phase starts with moments of its own
        means, squares = problem.curves.zeros(), problem.curves.zeros()
    moved = (moved[0].detach(), moved[1].detach())
    check_sound(problem, moved, step)
    norm = float(sum(g.square().sum() for g in gradients) ** 0.5)
    after = State(step + 1, moved, means, squares, generator.get_state(), state.evaluations + calls, kept=state.kept)
    return keep_moment(problem, after), step_log(problem, step, level, float(gradient.square().mean()), parts, norm, T)


@torch.no_grad()
def clip_latent(problem: Problem, window: Int[Tensor, "window"], side: int) -> Float[Tensor, "*latent"]:
    """The film of the clip that is refined, as it was."""
    T = problem.body.actor.pose(problem.curves.start_root, problem.curves.start_angles)
    return problem.prior.encode(problem.scene.film(T[window], side))


def step_log(
    problem: Problem, step: int, level: float, pull: float, parts: dict[str, Tensor], gradient: float, T: Tensor
) -> StepLog:
    """What a step saw."""
    held = {name: float(part.detach()) for name, part in parts.items()}
    return StepLog(step, level, pull, **held, gradient=gradient, motion=motion_amount(problem, T))


def fits(problem: Problem, step: int) -> bool:
    """Whether a film is fitted to in this step: one that was given, or in the first phase the prior's."""
    return problem.target is not None or (step < problem.settings.settling and problem.fixed is None)


def draw_window(problem: Problem, generator: torch.Generator) -> Int[Tensor, "window"]:
    """Which frames of the clip the prior sees in this step; a loop goes round.

    Starts are drawn from half a window before the clip to half a window too late and then moved into it: else hardly
    any step would see the first and last frames.
    """
    window, frames = problem.prior.format.frames, problem.frames
    if problem.target is not None or (frames == window and not problem.settings.loop):
        return torch.arange(window)
    if problem.settings.loop:
        first = int(torch.randint(frames, (), generator=generator))
    else:
        last = frames - window
        first = int(torch.randint(last + window + 1, (), generator=generator)) - window // 2
        first = min(max(first, 0), last)
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
    if settings.film == "mean":
        return mean_films(problem, state, generator)
    guidance, calls = settings.film_guidance, settings.film_calls
    still = still_latent(problem, 0)
    film = sample_latent(prior, problem.conditions[0], generator, start=still, guidance=guidance, steps=calls)
    return replace(state, target=film[None]), calls * (1 if guidance == 1.0 else 2)


def mean_films(problem: Problem, state: State, generator: torch.Generator) -> tuple[State, int]:
    """The mean films of all windows and sides, as lively as single ones are; and the calls for them."""
    prior, manner = problem.prior, getattr(problem.scene, "manner", None)
    guidance, stills = problem.settings.film_guidance, [still_latent(problem, s) for s in range(problem.scene.sides)]
    each = problem.settings.film_calls * (1 if guidance == 1.0 else 2)
    films, calls, begun = [], 0, 0
    for first, side in problem.films:
        condition = problem.conditions[side]
        if first and manner is not None and isinstance(prior, EmbeddedPrior):
            if first != begun:
                front = prior.in_manner(problem.conditions[0], manner)
                film, overlap = mean_of(problem, front, stills[0], generator), begun + prior.format.frames - first
                manner, tried = next_manner(prior, front, manner, film, overlap, guidance=guidance)
                calls, begun = calls + each + tried, first
            condition = prior.in_manner(condition, manner)
        films.append(prior.typical(mean_of(problem, condition, stills[side], generator), stills[side]))
        calls += each
    return replace(state, target=torch.stack(films)), calls


def mean_of(
    problem: Problem, condition: Any, still: Float[Tensor, "*latent"], generator: torch.Generator
) -> Float[Tensor, "*latent"]:
    """The mean film that the settings ask for."""
    guidance, calls = problem.settings.film_guidance, problem.settings.film_calls
    return mean_latent(problem.prior, condition, generator, start=still, guidance=guidance, steps=calls)


def film_error(problem: Problem, error: Float[Tensor, "*latent"]) -> Float[Tensor, "*latent"]:
    """What differs from the film that is fitted to, as much as the film is sure of.

    The embedded prior's mean film is blurred where it knows nothing, and a film that it draws is no surer. A sample of
    a large model counts as it is.
    """
    return problem.prior.weigh(error) if problem.settings.film == "mean" else error


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
    found, limits, new_root, new_angles = dict.fromkeys(HELD, torch.zeros(())), body.limits, root, angles
    if problem.refines:
        start = problem.curves.start_angles
        limits = Limits(torch.minimum(limits.low, start.amin(0)), torch.maximum(limits.high, start.amax(0)))
        new_root, new_angles = root - problem.curves.start_root, angles - start
    if weights.limits:
        found["limits"] = weights.limits * limit_penalty(angles, limits)
    if weights.smooth:
        found["smooth"] = weights.smooth * smooth_penalty(new_root, new_angles, body.leg)
    if weights.paper_smooth:
        found["smooth"] = found["smooth"] + weights.paper_smooth * paper_smooth_penalty(new_root, new_angles)
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
        found["poses"] = problem.settings.pose_prior * pose_prior_loss(problem.poses, root, angles, generator)
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
    skeleton = problem.body.character.require_skeleton()
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
            f"The motion runs away after step {step + 1}; the last good one is kept."
            " Lower --guidance, or try another --seed."
        )


def keep_moment(problem: Problem, state: State) -> State:
    """The state with this step remembered, if it is one of those that reports show."""
    shown = {round(k * problem.settings.steps / KEPT) for k in range(1, KEPT + 1)}
    return replace(state, kept=(*state.kept, (state.step, state.coefficients))) if state.step in shown else state


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
