"""A rig fitted to films from several sides through the renderer, in few steps: what a pose collection needs often."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.optimise import check_sound, cooling, penalties
from gambol.distill.problem import Problem, clip_of
from gambol.distill.state import BETAS
from gambol.motion.clip import Clip

REST = 0.1
"""Weight of the rest pose. Adam moves what the films do not show as far as what they show; this holds it."""

TURNS = 2
"""Every second frame is looked at in a step, the others in the next: the curves tie them together."""


def fit_films(problem: Problem, targets: Sequence[Float[Tensor, "*latent"]], *, steps: int, rate: float) -> Clip:
    """argmin mean_side |E(film(c)) - z_side|^2 / frames + penalties + REST |c|^2 over coefficients c, by Adam.

    Sides take turns, and so do frames.
    """
    coefficients = tuple(x.requires_grad_() for x in problem.curves.zeros())
    optimiser = torch.optim.Adam(coefficients, lr=rate, betas=BETAS)
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = rate * cooling(step / steps)
        root, angles = problem.curves.motion((coefficients[0], coefficients[1]))
        T = problem.body.actor.pose(root, angles)
        side = step % len(targets)
        seen = torch.arange(step // len(targets) % TURNS, len(T), TURNS)
        film = problem.prior.encode(problem.scene.film(T[seen], side))
        miss = (film - targets[side][seen]).square().sum() / len(seen)
        held = sum(penalties(problem, root, angles, T).values()) + REST * sum(x.square().sum() for x in coefficients)
        optimiser.zero_grad()
        (miss + held).backward()
        optimiser.step()
    found = (coefficients[0].detach(), coefficients[1].detach())
    check_sound(problem, found, steps)
    return clip_of(problem, found)
