"""Tracking (AKD 4.5): search joint targets and an initial velocity whose simulation comes closest to a clip."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import AssetError, GambolError
from gambol.physics.chunk_function import ChunkFunction
from gambol.physics.newton_model import FREE
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
from gambol.physics.tracking_problem import Problem
from gambol.progress import Progress

FEW_FRAMES = 36
"""Losses are means over frames: clips shorter than this have larger gradients, which are clipped to a larger norm.
Those of longer clips come a longer way back through time, and stay as large."""


@dataclass(frozen=True)
class TrackConfig:
    """How the controls are searched."""

    iterations: int = 200
    """Steps of the optimiser."""
    knots: Literal["frame", "substep"] = "frame"
    """One target per frame, linear between (frame), or one per simulation step, as the paper has it."""
    learning_rate: float = 0.01
    """Of the targets, radians (Adam); falls by a cosine to a tenth."""
    velocity_rate: float = 0.05
    """The same of the initial velocity, m/s and rad/s."""
    chunk: int = 40
    """Substeps between two clippings of the gradient, about."""
    clip_norm: float | None = 1.0
    """Norm of gradients between chunks at most; FEW_FRAMES / frames times this for short clips. None: any."""
    smooth: float = 0.2
    """lambda_3 of eq. 13."""
    skate: float = 8.0
    """Weight of `loss_skate`; 0 is the paper's loss."""
    clear: float = 4.0
    """Weight of `loss_clear`; 0 is the paper's loss."""
    hover: float = 4.0
    """Weight of `loss_hover`; 0 is the paper's loss."""
    jerk: float = 1.0
    """Weight of `loss_jerk`; 0 is the paper's loss."""
    upright: float = 1.0
    """Scale of the upright torque."""
    anneal: bool = False
    """Let the upright torque fall to 0 over the first two thirds of the iterations."""
    patience: int = 40
    """Stop after so many iterations without a gain of a half per cent; 0: never."""
    spread: float = 0.0
    """Standard deviation of noise on the starting controls, radians: what seeds differ in."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.chunk < 1:
            raise AssetError("Tracking needs at least one iteration, and chunks of at least one substep.")
        if not (math.isfinite(self.upright) and self.upright >= 0):
            raise AssetError(f"The upright torque is scaled by {self.upright}; it must be 0 or more.")


DEFAULT_TRACK = TrackConfig()
PAPER_TRACK = TrackConfig(knots="substep", skate=0.0, clear=0.0, hover=0.0, jerk=0.0, patience=0)
"""The paper's: a target per simulation step, eq. 13 alone, 200 iterations."""


@dataclass(frozen=True)
class Solution:
    """The best controls of every copy."""

    controls: Float[Tensor, "knots copies joints 3"]
    rates: Float[Tensor, "copies rates"]
    losses: Float[Tensor, "copies"]
    upright: float
    """Scale of the upright torque that they were found with."""
    iterations: int
    history: tuple[float, ...]
    """Mean loss of each iteration."""


Checkpoint = Callable[[dict[str, Any]], None]


def expand_controls(controls: Float[Tensor, "knots copies joints 3"], problem: Problem) -> Float[Tensor, "steps slots"]:
    """Joint targets of every simulation step, in the simulator's order; knots per frame are joined linearly."""
    steps, frames = problem.time.per_frame, problem.frames
    if len(controls) == frames:
        at = (torch.arange((frames - 1) * steps) + 1.0) / steps
        left = at.floor().long().clamp(max=frames - 2)
        share = (at - left)[:, None, None, None]
        controls = torch.lerp(controls[left], controls[left + 1], share)
    free = controls.new_zeros(len(controls), controls.shape[1], FREE)
    return torch.cat([free, controls.flatten(2)], 2).flatten(1)


def simulate(
    simulator: Simulator,
    problem: Problem,
    controls: Float[Tensor, "knots copies joints 3"],
    rates: Float[Tensor, "copies rates"],
    *,
    clip_norm: float | None = None,
    every: Callable[[], None] | None = None,
) -> Float[Tensor, "frames copies bodies 7"]:
    """States at the frames; differentiable. `every` is called after each chunk."""
    time = problem.time
    targets = expand_controls(controls, problem).split(time.substeps)
    q = problem.start.flatten(0, 1)
    qd = torch.einsum("cbir,cr->cbi", problem.velocity_maps, rates).flatten(0, 1)
    states = [q]
    for k, target in enumerate(targets):
        q, qd = ChunkFunction.apply(simulator, clip_norm, q, qd, target)
        if every is not None:
            every()
        if (k + 1) % time.chunks == 0:
            states.append(q)
    return torch.stack(states).unflatten(1, (problem.copies, -1))


def start_controls(problem: Problem, config: TrackConfig) -> Float[Tensor, "knots copies joints 3"]:
    """The clip's own angles at the knots, with noise where seeds are to differ (copy 0 has none)."""
    angles = problem.angles
    if config.knots == "substep":
        steps = problem.time.per_frame
        at = (torch.arange((problem.frames - 1) * steps) + 1.0) / steps
        left = at.floor().long().clamp(max=problem.frames - 2)
        angles = torch.lerp(angles[left], angles[left + 1], (at - left)[:, None, None, None])
    generator = torch.Generator().manual_seed(config.seed)
    noise = torch.randn(1, *angles.shape[1:], generator=generator) * config.spread
    noise[:, 0] = 0.0
    return angles + noise


def total_loss(
    states: Float[Tensor, "frames copies bodies 7"],
    controls: Float[Tensor, "knots copies joints 3"],
    problem: Problem,
    config: TrackConfig,
) -> Float[Tensor, "copies"]:
    """Eq. 13 and our four terms."""
    body = problem.body
    loss = loss_track(states, problem.states, problem.lasting) + config.smooth * loss_smooth(controls)
    if config.jerk > 0:
        loss = loss + config.jerk * loss_jerk(states, problem.states, problem.lasting)
    if config.skate > 0 or config.clear > 0 or config.hover > 0:
        points = torch.as_tensor(body.points, dtype=torch.float32)
        places = point_places(states, points, torch.from_numpy(body.point_bodies))
        loss = loss + config.skate * loss_skate(places, problem.lasting, body.size)
        loss = loss + config.clear * loss_clear(places, problem.swinging, problem.lasting, body.size)
        loss = loss + config.hover * loss_hover(places, problem.places, problem.lasting)
    return loss


def optimise(
    problem: Problem,
    simulator: Simulator,
    *,
    config: TrackConfig = DEFAULT_TRACK,
    progress: Progress | None = None,
    resume: dict[str, Any] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Solution:
    """Adam on the controls and the initial velocities; the best iterate of each copy is kept.

    `checkpoint` is given everything that `resume` needs to go on as if there had been no stop.
    """
    controls = start_controls(problem, config).requires_grad_(True)
    rates = problem.rates.clone().requires_grad_(True)
    groups = [{"params": [controls], "lr": config.learning_rate}, {"params": [rates], "lr": config.velocity_rate}]
    adam = torch.optim.Adam(groups, betas=(0.9, 0.95))
    best = Solution(
        controls.detach().clone(), rates.detach().clone(), torch.full((problem.copies,), torch.inf), 0, 0, ()
    )
    clip_norm = None if config.clip_norm is None else config.clip_norm * max(FEW_FRAMES / problem.frames, 1.0)
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
        upright = config.upright * upright_share(i, config)
        simulator.set_upright(upright)
        adam.zero_grad()
        states = simulate(simulator, problem, controls, rates, clip_norm=clip_norm)
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
        adam.step()
        if progress is not None:
            progress(i + 1, config.iterations, f"tracking, loss {float(best.losses.mean()):.3f}")
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


def upright_share(iteration: int, config: TrackConfig) -> float:
    """1, or with annealing linearly from 1 to 0 over the first two thirds of the iterations."""
    return max(0.0, 1.0 - 1.5 * iteration / config.iterations) if config.anneal else 1.0


def _better(best: Solution, controls: Tensor, rates: Tensor, losses: Tensor, iteration: int) -> Solution:
    better = losses < best.losses
    return replace(
        best,
        controls=torch.where(better[None, :, None, None], controls, best.controls),
        rates=torch.where(better[:, None], rates, best.rates),
        losses=torch.where(better, losses, best.losses),
        iterations=iteration,
        history=(*best.history, float(losses.mean())),
    )
