"""What is measured on a deformation field: points of the body go where the field carries them, not where bones do."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.distill.field_motion import DeformationField
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.post_processing import first_seconds
from gambol.distill.problem import Problem, clip_of
from gambol.evaluate.observation import Observation, observe_carried


def observe_field(problem: Problem, coefficients: Coefficients, name: str = "field") -> Observation:
    """The finished motion of a field for all metrics, at the frame rate at which it was optimised."""
    field = problem.parameters
    assert isinstance(field, DeformationField)
    body, loop = problem.body, problem.config.loop

    def carry(points: ndarray, bones: ndarray, weights: ndarray) -> ndarray:
        moved = carry_points(field.finished, coefficients, points, bones, weights)
        return np.concatenate([moved, moved[:1]]) if loop else moved[: shown_frames(problem)]

    clip = first_seconds(clip_of(problem, coefficients, name), None if loop else problem.config.seconds)
    return observe_carried(body.character, body.anatomy, clip, carry)


def shown_frames(problem: Problem) -> int:
    """Frames of the length that was asked for; a window of the prior may be longer."""
    seconds, frames = problem.config.seconds, problem.parameters.frames
    if seconds is None or problem.config.loop:
        return frames
    return min(max(round(seconds * problem.observer.fps) + 1, 2), frames)


def carry_points(
    field: DeformationField,
    coefficients: Coefficients,
    points: Float[ndarray, "points 3"],
    bones: Int[ndarray, "points influences"],
    weights: Float[ndarray, "points influences"],
) -> Float[ndarray, "frames points 3"]:
    """Where a field carries points of the rest pose, which their bones bring to the start pose."""
    with torch.no_grad():
        at, of, share = (torch.as_tensor(np.ascontiguousarray(x)) for x in (points, bones, weights))
        start = field.start_points(at.float(), of.long(), share.float())
        T = field.at(start, coefficients)
        moved = (T[..., :3, :3] @ start[:, :, None])[..., 0] + T[..., :3, 3]
    return moved.double().numpy()
