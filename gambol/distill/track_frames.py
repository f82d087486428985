"""A first guess for a fit to pictures: every frame's pose is found from the one before, as a body is tracked.

All frames at once start from one pose, and a leg that has swung far is pulled to where another leg is. From frame to
frame it moves little.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.video_prior import TargetLatent
from gambol.distill.joint_motion import JointMotion
from gambol.distill.lbfgs import init_lbfgs, lbfgs_step
from gambol.distill.losses.joint_limits import limit_excess
from gambol.distill.motion_parameters import RootAndAngles
from gambol.distill.problem import Problem

TRACKING_STEPS = 24
"""Steps of L-BFGS for each frame."""
TRACKING_FIRST_STEP = 0.03
"""Length of the first step: mean displacement of the surface, in leg lengths."""
TRACKING_LIMITS = 40.0
"""Weight of angles beyond their limits."""
TRACKING_STILLNESS = 40.0
"""Weight of the surface's mean squared displacement from the guess, square leg lengths: what is not seen stays."""


def track_frames(problem: Problem, target: TargetLatent) -> RootAndAngles:
    """Root and angles of all frames of the first target, each frame's latent being that of its picture alone."""
    assert isinstance(problem.parameters, JointMotion)
    assert problem.whitening is not None
    poses: list[Tensor] = []
    for latent in target.latents[0]:
        still = poses[-1] if poses else torch.zeros(len(problem.whitening))
        guesses = [still] + ([2.0 * poses[-1] - poses[-2]] if len(poses) > 1 else [])
        with torch.no_grad():
            losses = [float(frame_loss(problem, latent, guess, guess)) for guess in guesses]
        poses.append(track_frame(problem, latent, guesses[losses.index(min(losses))]))
    return whitened_motion(problem, torch.stack(poses))


def track_frame(problem: Problem, latent: Float[Tensor, "numbers"], guess: Float[Tensor, "own"]) -> Tensor:
    """The pose near a guess whose render comes nearest to a latent, in whitened coordinates."""
    state = init_lbfgs(guess)
    for _ in range(TRACKING_STEPS):
        trial = state.trial.detach().requires_grad_()
        loss = frame_loss(problem, latent, trial, guess)
        (gradient,) = torch.autograd.grad(loss, trial)
        state = lbfgs_step(state, float(loss.detach()), gradient, first_step=TRACKING_FIRST_STEP)
    return state.point


def frame_loss(
    problem: Problem, latent: Float[Tensor, "numbers"], pose: Float[Tensor, "own"], guess: Float[Tensor, "own"]
) -> Float[Tensor, ""]:
    """|z - latent|^2 of one frame, angles beyond their limits, and the distance from the guess."""
    root, angles = whitened_motion(problem, pose[None])
    z = problem.prior.encode(problem.observer.render(problem.body.actor.pose(root, angles), 0))[0]
    limits = TRACKING_LIMITS * limit_excess(angles, problem.body.limits)
    return (z - latent).square().sum() + limits + TRACKING_STILLNESS * (pose - guess).square().sum()


def whitened_motion(problem: Problem, poses: Float[Tensor, "frames own"]) -> RootAndAngles:
    """Root and angles of poses in coordinates in which every direction moves the surface alike, from the start pose."""
    parameters = problem.parameters
    assert isinstance(parameters, JointMotion)
    moved = poses @ problem.whitening.T  # type: ignore[union-attr]
    angles = moved[:, 6:].unflatten(1, (-1, 3))
    return (
        parameters.start_root[:1] + parameters.scale.root * moved[:, :6],
        parameters.start_angles[:1] + parameters.scale.angles * angles,
    )
