"""Tracking by gradient (AKD 4.5): optimise joint targets and initial velocity so that the simulation follows a clip."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError, GambolError
from gambol.physics.clipped_chunk import ChunkFunction
from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.simulator import Simulator
from gambol.physics.track_losses import (
    loss_clear,
    loss_hover,
    loss_jerk,
    loss_skate,
    loss_smooth,
    loss_track,
    point_places,
)
from gambol.physics.tracking_problem import TrackingProblem
from gambol.progress import Progress

CLIP_NORM_FRAMES = 36
"""Clips shorter than this have their gradients clipped to a larger norm, frames.

Losses are means over frames, so short clips have larger gradients. Those of longer clips accumulate over more steps
back through time and stay as large."""


@dataclass(frozen=True)
class TrackConfig:
    """Settings of the optimisation of the controls."""

    iterations: int = 200
    """Largest number of optimiser steps."""
    knots: Literal["frame", "substep"] = "frame"
    """frame: one target per frame, linear in between; substep: one per simulation step, as in the paper."""
    learning_rate: float = 0.01
    """Adam's learning rate of the targets, radians; falls by a cosine to a tenth."""
    velocity_rate: float = 0.05
    """Adam's learning rate of the initial velocity, m/s and rad/s; falls by a cosine to a tenth."""
    chunk: int = 40
    """Approximate number of substeps between two clippings of the gradient."""
    clip_norm: float | None = 1.0
    """Largest norm of gradients between chunks; CLIP_NORM_FRAMES / frames times it for short clips. None: no limit."""
    smooth: float = 0.2
    """Weight of `loss_smooth` (lambda_3 of eq. 13)."""
    skate: float = 8.0
    """Weight of `loss_skate`; 0 is the paper's loss."""
    clear: float = 4.0
    """Weight of `loss_clear`; 0 is the paper's loss."""
    hover: float = 4.0
    """Weight of `loss_hover`; 0 is the paper's loss."""
    jerk: float = 1.0
    """Weight of `loss_jerk`; 0 is the paper's loss."""
    upright: float = 1.0
    """Scale of the upright torque; 0 switches it off."""
    anneal: bool = False
    """Lower the upright torque linearly to 0 over the first two thirds of the iterations."""
    patience: int = 40
    """Stop after this many iterations without an improvement of 0.5 %; 0: never."""
    spread: float = 0.0
    """Standard deviation of noise on the initial controls, radians; it makes several starts differ."""
    seed: int = 0
    """Random seed of that noise, and of the search by sampling."""
    window: float | None = None
    """Length of the windows that a clip is tracked in, seconds. None: 2 s by gradient, 8 frames by sampling."""
    look_ahead: float | None = None
    """Part at the end of each window that the next one searches again, seconds. None: a quarter of the window by
    gradient, half of it by sampling."""

    def __post_init__(self) -> None:
        for name, seconds in (("window", self.window), ("look-ahead", self.look_ahead)):
            if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
                raise ConfigError(f"The {name} of tracking is {seconds} s; it must be 0 or more, as 2 and 0.5 are.")
        if self.window is not None and self.look_ahead is not None and self.look_ahead >= self.window:
            raise ConfigError(
                f"A window of {self.window:g} s cannot look {self.look_ahead:g} s ahead; give a shorter look-ahead."
            )
        if self.iterations < 1 or self.chunk < 1:
            raise ConfigError("Tracking needs at least one iteration, and chunks of at least one substep.")
        if not (math.isfinite(self.upright) and self.upright >= 0):
            raise ConfigError(f"The upright torque is scaled by {self.upright}; it must be 0 or more.")


DEFAULT_TRACK = TrackConfig()
"""One target per frame, and losses against sliding, dragging and hovering feet and jerk."""
PAPER_TRACK = TrackConfig(knots="substep", skate=0.0, clear=0.0, hover=0.0, jerk=0.0, patience=0)
"""Settings of the paper: a target per simulation step, eq. 13 alone, 200 iterations."""


@dataclass(frozen=True)
class TrackingSolution:
    """The best controls of every copy."""

    controls: Float[Tensor, "knots copies joints 3"]
    """Joint targets at the knots, radians."""
    rates: Float[Tensor, "copies rates"]
    """Initial velocity in generalised coordinates, m/s and rad/s."""
    losses: Float[Tensor, "copies"]
    """Total loss of each copy."""
    upright: float
    """Scale of the upright torque that the controls were found with."""
    iterations: int
    """Optimiser steps that were taken."""
    history: tuple[float, ...]
    """Mean loss over the copies in each iteration."""


Checkpoint = Callable[[dict[str, Any]], None]
"""Called with the whole state of the optimisation after each iteration."""


def at_every_step(
    angles: Float[Tensor, "frames copies joints 3"], problem: TrackingProblem
) -> Float[Tensor, "steps copies joints 3"]:
    """Angles at the end of every simulation step, linear between the frames.

    Computed so that each number is the same to the bit wherever its frame is in the clip.
    """
    per_frame = problem.time.per_frame
    step = torch.arange((problem.frames - 1) * per_frame)
    left = step // per_frame
    share = ((step % per_frame + 1) / per_frame)[:, None, None, None]
    return (1.0 - share) * angles[left] + share * angles[left + 1]


def expand_controls(
    controls: Float[Tensor, "knots copies joints 3"], problem: TrackingProblem
) -> Float[Tensor, "steps slots"]:
    """Joint targets of every simulation step, in the simulator's order; linear between knots."""
    if len(controls) == problem.frames:
        controls = at_every_step(controls, problem)
    free = controls.new_zeros(len(controls), controls.shape[1], FREE_ROOT_SLOTS)
    return torch.cat([free, controls.flatten(2)], 2).flatten(1)


def simulate(
    simulator: Simulator,
    problem: TrackingProblem,
    controls: Float[Tensor, "knots copies joints 3"],
    rates: Float[Tensor, "copies rates"],
    *,
    clip_norm: float | None = None,
    every: Callable[[], None] | None = None,
) -> tuple[Float[Tensor, "frames copies bodies 7"], Float[Tensor, "frames copies bodies 6"]]:
    """Simulate the controls; returns states and twists at the frames, differentiable.

    A problem with a carried state begins in that state, and `rates` have no effect. `every` is called after each chunk.
    """
    time = problem.time
    targets = expand_controls(controls, problem).split(time.substeps)
    q = problem.start.flatten(0, 1)
    qd = start_twists(problem, rates).flatten(0, 1)
    states, twists = [q], [qd]
    for k, target in enumerate(targets):
        q, qd = ChunkFunction.apply(simulator, clip_norm, q, qd, target)
        if every is not None:
            every()
        if (k + 1) % time.chunks == 0:
            states.append(q)
            twists.append(qd)
    found, velocities = (torch.stack(values).unflatten(1, (problem.copies, -1)) for values in (states, twists))
    return found, velocities


def start_twists(problem: TrackingProblem, rates: Float[Tensor, "copies rates"]) -> Float[Tensor, "copies bodies 6"]:
    """Twists of the bodies at the start: those of the carried state, else those of the initial velocity `rates`."""
    if problem.carried is not None:
        return problem.carried.twists
    return torch.einsum("cbir,cr->cbi", problem.velocity_maps, rates)


def start_controls(problem: TrackingProblem, config: TrackConfig) -> Float[Tensor, "knots copies joints 3"]:
    """Initial controls: the clip's own angles at the knots, plus noise of `config.spread` except for copy 0.

    Those of a carried state begin with what the window before found for these frames (`CarriedState.guess`).
    """
    angles, carried = problem.angles, problem.carried
    if config.knots == "substep":
        angles = at_every_step(angles, problem)
    generator = torch.Generator().manual_seed(config.seed)
    noise = torch.randn(1, *angles.shape[1:], generator=generator) * config.spread
    noise[:, 0] = 0.0
    if carried is not None:
        angles = torch.cat([carried.guess, angles[len(carried.guess) :]])
    controls = angles + noise
    if carried is not None and config.knots == "frame":
        controls = torch.cat([carried.guess[:1], controls[1:]])  # the target at which the window before ended
    return controls


def total_loss(
    states: Float[Tensor, "frames copies bodies 7"],
    controls: Float[Tensor, "knots copies joints 3"],
    problem: TrackingProblem,
    config: TrackConfig,
) -> Float[Tensor, "copies"]:
    """Weighted sum of all losses of each copy: eq. 13 and the four terms that the paper does not have.

    With a carried state, second and third differences go on over the start of the window.
    """
    body, carried = problem.body, problem.carried
    along, steered, targets, valid = states, controls, problem.states, problem.valid
    if carried is not None:
        along, targets = torch.cat([carried.past_states, states]), torch.cat([carried.past_targets, targets])
        steered = torch.cat([carried.past_controls, controls])
        valid = torch.cat([valid[:1].expand(len(carried.past_states), -1), valid])
    loss = loss_track(states, problem.states, problem.valid) + config.smooth * loss_smooth(steered)
    if config.jerk > 0:
        loss = loss + config.jerk * loss_jerk(along, targets, valid)
    if config.skate > 0 or config.clear > 0 or config.hover > 0:
        points = torch.as_tensor(body.points, dtype=torch.float32)
        places = point_places(states, points, torch.from_numpy(body.point_bodies))
        loss = loss + config.skate * loss_skate(places, problem.valid, body.size)
        loss = loss + config.clear * loss_clear(places, problem.swinging, problem.valid, body.size)
        loss = loss + config.hover * loss_hover(places, problem.places, problem.valid)
    return loss


def optimise_controls(
    problem: TrackingProblem,
    simulator: Simulator,
    *,
    config: TrackConfig = DEFAULT_TRACK,
    progress: Progress | None = None,
    resume: dict[str, Any] | None = None,
    checkpoint: Checkpoint | None = None,
) -> TrackingSolution:
    """Optimise the controls and the initial velocities with Adam; returns the best iterate of each copy.

    `checkpoint` is called with everything that `resume` needs to continue as if there had been no stop.
    """
    controls = start_controls(problem, config).requires_grad_(True)
    rates = problem.rates.clone().requires_grad_(True)
    groups = [{"params": [controls], "lr": config.learning_rate}, {"params": [rates], "lr": config.velocity_rate}]
    adam = torch.optim.Adam(groups, betas=(0.9, 0.95))
    best = TrackingSolution(
        controls.detach().clone(), rates.detach().clone(), torch.full((problem.copies,), torch.inf), 0, 0, ()
    )
    clip_norm = None if config.clip_norm is None else config.clip_norm * max(CLIP_NORM_FRAMES / problem.frames, 1.0)
    first, best_at, mark = 0, 0, math.inf
    if resume is not None:
        first, best, best_at, mark = resume["iteration"], resume["best"], resume["best_at"], resume["mark"]
        with torch.no_grad():
            controls.copy_(resume["controls"])
            rates.copy_(resume["rates"])
        adam.load_state_dict(resume["adam"])
    for i in range(first, config.iterations):
        falling = 0.1 + 0.9 * 0.5 * (1.0 + math.cos(math.pi * i / config.iterations))
        adam.param_groups[0]["lr"] = config.learning_rate * falling
        adam.param_groups[1]["lr"] = config.velocity_rate * falling
        upright = config.upright * upright_scale(i, config)
        simulator.set_upright(upright)
        adam.zero_grad()
        states, _ = simulate(simulator, problem, controls, rates, clip_norm=clip_norm)
        losses = total_loss(states, controls, problem, config)
        # a copy that has blown up must not take the others along
        torch.where(losses.isfinite(), losses, losses.detach() * 0.0).nan_to_num().sum().backward()
        found = losses.detach().nan_to_num(torch.inf, torch.inf, torch.inf)
        if upright != best.upright:  # annealed: what was reached with more help does not count
            best = replace(best, losses=torch.full_like(found, torch.inf), upright=upright)
            best_at, mark = i, math.inf
        best = _better(best, controls.detach(), rates.detach(), found, i + 1)
        if float(best.losses.mean()) < 0.995 * mark:
            mark, best_at = float(best.losses.mean()), i
        for values in (controls, rates):
            if values.grad is not None:
                values.grad.nan_to_num_(0.0, 0.0, 0.0)
        if problem.carried is not None and config.knots == "frame" and controls.grad is not None:
            controls.grad[0] = 0.0
        adam.step()
        if progress is not None:
            progress(i + 1, config.iterations, f"tracking the clip, loss {float(best.losses.mean()):.3f}")
        if checkpoint is not None:
            checkpoint(
                {
                    "iteration": i + 1,
                    "best": best,
                    "best_at": best_at,
                    "mark": mark,
                    "controls": controls.detach().clone(),
                    "rates": rates.detach().clone(),
                    "adam": adam.state_dict(),
                }
            )
        if config.patience and i - best_at >= config.patience:
            break
    if not torch.isfinite(best.losses).all():
        raise GambolError(
            "The simulation of this clip is unstable from the start. Lower the step (half of it often helps), "
            "or keep the inertia floor on."
        )
    simulator.set_upright(best.upright)
    return best


def upright_scale(iteration: int, config: TrackConfig) -> float:
    """Factor of the upright torque: 1, or with annealing linear from 1 to 0 over two thirds of the iterations."""
    return max(0.0, 1.0 - 1.5 * iteration / config.iterations) if config.anneal else 1.0


def _better(
    best: TrackingSolution, controls: Tensor, rates: Tensor, losses: Tensor, iteration: int
) -> TrackingSolution:
    better = losses < best.losses
    return replace(
        best,
        controls=torch.where(better[None, :, None, None], controls, best.controls),
        rates=torch.where(better[:, None], rates, best.rates),
        losses=torch.where(better, losses, best.losses),
        iterations=iteration,
        history=(*best.history, float(losses.mean())),
    )
