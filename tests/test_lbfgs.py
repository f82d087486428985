"""The fit's search: against closed forms, and through interruptions."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from distillation_setup import body_of, subject_of

from gambol.distill.lbfgs import HISTORY, LBFGS, init_lbfgs, inverse_hessian, lbfgs_step
from gambol.distill.motion_parameters import lock_joints
from gambol.distill.surface_metric import METRIC_DAMPING, surface_metric, to_pair, to_vector, whitening
from gambol.render.raster.rasterise import blend_bone_transforms


def minimise(loss, start: torch.Tensor, steps: int) -> LBFGS:
    search = init_lbfgs(start)
    for _ in range(steps):
        x = search.trial.requires_grad_()
        value = loss(x)
        (gradient,) = torch.autograd.grad(value, x)
        search = lbfgs_step(search, float(value.detach()), gradient, first_step=0.1)
    return search


def bowl(n: int = 30, worst: float = 1e4):
    """0.5 (x - m)^T A (x - m) of a known minimum and condition number."""
    generator = torch.Generator().manual_seed(0)
    Q = torch.linalg.qr(torch.randn(n, n, generator=generator, dtype=torch.float64))[0]
    A = Q @ torch.diag(torch.logspace(0, np.log10(worst), n, dtype=torch.float64)) @ Q.T
    middle = torch.randn(n, generator=generator, dtype=torch.float64)
    return (lambda x: 0.5 * (x - middle) @ A @ (x - middle)), middle


def test_it_finds_the_bottom_of_a_narrow_bowl():
    loss, middle = bowl()
    found = minimise(loss, torch.zeros(30, dtype=torch.float64), 400)
    assert float((found.point - middle).norm()) < 1e-3
    straight, rate = torch.zeros(30, dtype=torch.float64), 1e-4  # 1 / the largest curvature: the best fixed rate
    for _ in range(400):
        x = straight.clone().requires_grad_()
        straight = straight - rate * torch.autograd.grad(loss(x), x)[0]
    assert loss(found.point) < 1e-3 * loss(straight)


def test_it_follows_rosenbrocks_valley():
    def valley(x):
        return (100.0 * (x[1:] - x[:-1].square()).square() + (1.0 - x[:-1]).square()).sum()

    found = minimise(valley, torch.tensor([-1.2, 1.0], dtype=torch.float64), 100)
    assert torch.allclose(found.point, torch.ones(2, dtype=torch.float64), atol=1e-4)


def test_the_loss_never_grows_and_nan_is_never_taken():
    def cliff(x):
        value = (x - 3.0).square().sum()
        return torch.where(value < 4.0, torch.nan, value)  # a forbidden place around the minimum

    search, losses = init_lbfgs(torch.zeros(2)), []
    for _ in range(60):
        x = search.trial.requires_grad_()
        value = cliff(x)
        search = lbfgs_step(
            search, float(value.detach()), torch.autograd.grad(value, x)[0].nan_to_num(), first_step=1.0
        )
        losses.append(search.loss)
    assert all(b <= a for a, b in pairwise(losses))
    assert np.isfinite(losses).all()
    assert losses[-1] < losses[0]


def test_with_as_many_pairs_as_numbers_the_curvature_is_exact():
    n = 6
    A = torch.diag(torch.arange(1.0, n + 1, dtype=torch.float64))
    s = torch.eye(n, dtype=torch.float64)
    search = replace(init_lbfgs(torch.zeros(n, dtype=torch.float64)), history_steps=s, history_changes=s @ A)
    g = torch.arange(1.0, n + 1, dtype=torch.float64) ** 2
    assert n <= HISTORY
    assert torch.allclose(inverse_hessian(search, g), torch.linalg.solve(A, g))


@pytest.fixture(scope="module")
def body():
    return body_of(subject_of("fox"))


def surface(body, numbers):
    T = body.actor.pose(numbers[None, :6], numbers[6:].reshape(1, -1, 3))
    splats = body.actor.splats
    blended = blend_bone_transforms(splats.bones, splats.weights, T)[0]
    return torch.einsum("nij,nj->ni", blended[..., :3], splats.centres) + blended[..., 3]


def test_the_metric_is_how_far_the_surface_moves(body):
    G = surface_metric(body, body.scale)
    first = torch.cat([torch.zeros(6), body.start_angles.flatten()])
    scales = torch.cat([body.scale.root, body.scale.angles.flatten()])
    step = 1e-2 * torch.randn(len(first), generator=torch.Generator().manual_seed(1))
    moved = (surface(body, first + scales * step) - surface(body, first)) / body.leg
    assert float(step @ G @ step) == pytest.approx(float(moved.square().sum(1).mean()), rel=0.05)
    ahead = float(G[0, 0])  # the root's x moves all splats by its reach
    assert ahead == pytest.approx((float(body.scale.root[0]) / body.leg) ** 2, rel=1e-3)


def test_whitened_coordinates_move_the_surface_alike(body):
    G = surface_metric(body, body.scale)
    W = whitening(G)
    damped = G + METRIC_DAMPING * G.diagonal().mean() * torch.eye(len(G))
    assert torch.allclose(W.T @ damped @ W, torch.eye(len(G)), atol=1e-3)
    pair = (torch.randn(4, 6), torch.randn(4, 7, 3))
    assert all(torch.equal(a, b) for a, b in zip(to_pair(to_vector(pair)), pair, strict=True))


def test_numbers_that_move_nothing_have_finite_coordinates_too(body):
    name = body.character.require_skeleton().names[3]
    scale = lock_joints(body.scale, body.character.require_skeleton(), (name,))
    W = whitening(surface_metric(body, scale))
    G = surface_metric(body, scale)
    assert not G[6 + 6 : 6 + 9].any()  # the third joint's three angles
    assert torch.isfinite(W).all()
