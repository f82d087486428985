"""A rig fitted to a film through the renderer, in few steps: what a pose collection needs hundreds of times."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.optimise import Problem, check_sound, clip_of, cooling, penalties
from gambol.distill.state import BETAS
from gambol.motion.clip import Clip

REST = 0.3
"""Weight of the rest pose. Adam moves what the film does not show as far as what it shows; this holds it."""

TURNS = 2
"""Every second frame is looked at in a step, the others in the next: the curves tie them together."""


def fit_film(problem: Problem, target: Float[Tensor, "*latent"], *, steps: int, rate: float) -> Clip:
    """argmin |E(film(c)) - z|^2 / frames + penalties + REST |c|^2 over the curves' coefficients c, by Adam."""
    coefficients = tuple(x.requires_grad_() for x in problem.curves.zeros())
    optimiser = torch.optim.Adam(coefficients, lr=rate, betas=BETAS)
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = rate * cooling(step / steps)
        root, angles = problem.curves.motion((coefficients[0], coefficients[1]))
        T = problem.body.actor.pose(root, angles)
        seen = torch.arange(step % TURNS, len(T), TURNS)
        miss = (problem.prior.encode(problem.scene.film(T[seen], 0)) - target[seen]).square().sum() / len(seen)
        held = sum(penalties(problem, root, angles, T).values()) + REST * sum(x.square().sum() for x in coefficients)
        optimiser.zero_grad()
        (miss + held).backward()
        optimiser.step()
    found = (coefficients[0].detach(), coefficients[1].detach())
    check_sound(problem, found, steps)
    return clip_of(problem, found)
