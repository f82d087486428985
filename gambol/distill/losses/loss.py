"""The interface of losses, and the motion that they are given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from gambol.distill.motion_representation import RepresentationName
from gambol.distill.optimised_body import Body
from gambol.errors import ConfigError


@dataclass(frozen=True)
class Motion:
    """A motion under optimisation: all frames, differentiable."""

    root: Float[Tensor, "frames 6"]
    """Position (m) and angles (heading, roll, pitch; rad) of the root."""
    angles: Float[Tensor, "frames joints 3"]
    """Angles of all other joints, radians."""
    T_world_rest: Float[Tensor, "frames movers 4 4"]
    """Transforms of what moves the splats of `body.actor`: the skinning transforms of all bones, which carry points of
    the rest pose into the world; of a deformation field one transform for each splat."""
    body: Body
    """The character."""
    fps: float
    """Frames per second."""
    start_root: Float[Tensor, "frames 6"]
    """Root of the motion that the optimisation started from."""
    start_angles: Float[Tensor, "frames joints 3"]
    """Joint angles of the motion that the optimisation started from."""
    refines: bool = False
    """A given clip is changed: smoothness and limits count for what is new, not for what the clip has."""
    travels: bool = True
    """The root's travel is part of the motion; else the prior's cameras go along, and travel is found afterwards."""
    seed: int = 0
    """Seed of the run, for losses that draw noise."""
    step: int = 0
    """Optimiser step, for losses that draw noise; always 0 in a `VideoFit`, which needs the same loss in every step."""


class Loss(ABC):
    """One term of the objective. Subclass it, give it a `name`, and put it in the list of losses."""

    name: str
    """Name in logs and reports; unique in a list of losses."""
    weight: float
    """Factor of this term in the objective."""
    needs_travel: bool = False
    """Whether the loss makes sense only where the root's travel is part of the motion."""

    needs_ground: bool = False
    """Whether the loss is left out of motions in the air."""
    representations: ClassVar[tuple[RepresentationName, ...]] = ("joints",)
    """What may move: the loss reads joint angles or bones, free splats, or works with both."""

    @abstractmethod
    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """The unweighted loss, a scalar tensor; differentiable in the motion."""

    def bind(self, body: Body) -> Loss:
        """The loss with what it needs of a body computed once; called before the first step."""
        return self


def bind_losses(losses: Iterable[Loss], body: Body) -> tuple[Loss, ...]:
    """The losses that count, bound to a body; weights and names are checked."""
    bound = tuple(loss.bind(body) for loss in losses if loss.weight != 0)
    names = [loss.name for loss in bound]
    for loss in bound:
        if not 0 < loss.weight < float("inf"):
            raise ConfigError(f"The loss '{loss.name}' has weight {loss.weight}; it must be 0 or more, and finite.")
        if names.count(loss.name) > 1:
            raise ConfigError(f"Two losses are called '{loss.name}'; give each its own name.")
    return bound


def weighted_losses(losses: Iterable[Loss], motion: Motion) -> dict[str, Tensor]:
    """weight * loss of every loss, by name; 0 for one that needs travel where the motion has none."""
    counts = {loss.name: motion.travels or not loss.needs_travel for loss in losses}
    none = motion.root.new_zeros(())
    return {loss.name: loss.weight * loss(motion) if counts[loss.name] else none for loss in losses}
