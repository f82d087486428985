"""The gradient of the simulation: against finite differences, over chunks, captured and not, twice."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from physics_bodies import AS_IT_IS, body_of, walker

from gambol.physics.forces_reference import ground_forces
from gambol.physics.generalised_coordinates import transforms_from_states
from gambol.physics.tracking_problem import make_tracking_problem
from gambol.physics.world import PhysicsWorld, gains

pytest.importorskip("newton")

from gambol.physics.clipped_chunk import ChunkFunction, clip_chunk
from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.simulator import Simulator

FLOORED = replace(AS_IT_IS, roundness=0.5, inertia_floor=1.5e-4)
DT = 1.0 / 1920.0


class Fall:
    """The walker, `height` above the ground, under targets that change over `steps` substeps; a linear functional."""

    def __init__(
        self, height: float, steps: int, chunk: int, *, captured: bool = True, world: PhysicsWorld | None = None
    ):
        skeleton, boxes, clip = walker()
        self.world = world or PhysicsWorld()
        self.body = body_of(skeleton, boxes, config=FLOORED, clip=clip)
        problem = make_tracking_problem(self.body, skeleton, (clip,), self.world)
        self.simulator = Simulator(self.body, self.world, substeps=chunk, dt=DT, captured=captured)
        self.q = problem.start[0].clone()
        self.q[:, 1] += height
        self.qd = torch.einsum("bir,r->bi", problem.velocity_maps[0], problem.rates[0])
        generator = torch.Generator().manual_seed(0)
        self.targets = torch.zeros(steps, self.simulator.slots)
        knots = 0.3 * torch.randn(2, self.simulator.slots - FREE_ROOT_SLOTS, generator=generator)
        self.targets[:, FREE_ROOT_SLOTS:] = torch.lerp(knots[0], knots[1], torch.linspace(0, 1, steps)[:, None])
        self.direction = torch.zeros_like(self.targets)
        self.direction[:, FREE_ROOT_SLOTS:] = torch.randn(
            1, self.simulator.slots - FREE_ROOT_SLOTS, generator=generator
        )
        self.weights = torch.randn(self.q.shape, generator=generator)
        self.weights_qd = 0.03 * torch.randn(self.qd.shape, generator=generator)

    def value(self, targets: torch.Tensor, *, clip_norm: float | None = None) -> torch.Tensor:
        q, qd = self.q, self.qd
        for chunk in targets.split(self.simulator.substeps):
            q, qd = ChunkFunction.apply(self.simulator, clip_norm, q, qd, chunk)
        return (self.weights * q).sum(dtype=torch.float64) + (self.weights_qd * qd).sum(dtype=torch.float64)

    def gradient(self, *, clip_norm: float | None = None) -> torch.Tensor:
        targets = self.targets.clone().requires_grad_(True)
        self.value(targets, clip_norm=clip_norm).backward()
        assert targets.grad is not None
        return targets.grad

    def slopes(self, h: float) -> tuple[float, float]:
        """Along the direction: by the tape, and by central differences (Richardson: 4/3 of h less 1/3 of 2 h)."""
        taped = float((self.gradient() * self.direction).sum(dtype=torch.float64))
        with torch.no_grad():
            near, far = (
                float(self.value(self.targets + s * self.direction) - self.value(self.targets - s * self.direction))
                / (2 * s)
                for s in (h, 2 * h)
            )
        return taped, (4.0 * near - far) / 3.0


def test_the_tape_agrees_with_finite_differences_without_contact():
    taped, differences = Fall(5.0, 500, 50).slopes(1e-2)
    assert taped == pytest.approx(differences, rel=1e-3)


@pytest.mark.parametrize("height", [0.02, 0.05, 0.08, 0.1, 0.15, 0.2])
def test_the_tape_agrees_with_finite_differences_through_an_impact_at_the_default_step(height):
    """It falls onto its feet in 0.1 to 0.2 of 0.25 seconds. Steps are small, for points touch and leave all the time;
    sixteen directions, since the slope along one of them may be next to nothing."""
    fall = Fall(height, 480, 40)
    gradient, generator, slopes = fall.gradient(), torch.Generator().manual_seed(1), []
    for _ in range(16):
        along = torch.zeros_like(fall.targets)
        along[:, FREE_ROOT_SLOTS:] = torch.randn(1, fall.simulator.slots - FREE_ROOT_SLOTS, generator=generator)
        with torch.no_grad():
            ahead, behind = (float(fall.value(fall.targets + s * along)) for s in (1.5e-4, -1.5e-4))
        slopes.append((float((gradient * along).sum(dtype=torch.float64)), (ahead - behind) / 3e-4))
    taped, differences = np.array(slopes).T
    assert np.linalg.norm(taped - differences) <= 0.05 * np.linalg.norm(differences)


@pytest.mark.parametrize("load", [1.0, 30.0])
def test_friction_under_any_load_slows_a_foot_without_throwing_it_back(load):
    """One step of the default length takes slip away from a pressed point, and never turns it around by more."""
    fall = Fall(0.0, 40, 1)
    body, g = fall.body, gains(fall.body, fall.world)
    T = transforms_from_states(fall.q.double().numpy())
    low = np.einsum("pj,pj->p", T[body.point_bodies][:, 1, :3], body.points) + T[body.point_bodies][:, 1, 3]
    point = int(low.argmin())
    foot = int(body.point_bodies[point])
    arm = T[foot, :3, :3] @ (body.points[point] - body.centres[foot])
    R = T[foot, :3, :3]
    inverse = R @ np.linalg.inv(body.inertias[foot]) @ R.T
    deep = fall.q.double().numpy().copy()
    deep[:, 1] -= low[point] + load * body.mass * 9.81 / g.ground_ke / 4.0
    for slip in (np.array([0.02, 0.0, 0.0]), np.array([0.0, 0.0, 0.02])):
        twists = np.zeros((len(body), 6))
        twists[foot, :3] = slip
        force = ground_forces(body, g, deep, twists)[point] * [1.0, 0.0, 1.0]
        after = slip + fall.world.step * (force / body.masses[foot] + np.cross(inverse @ np.cross(arm, force), arm))
        assert 0.0 < after @ slip < slip @ slip


def test_the_gradient_does_not_depend_on_the_length_of_chunks():
    whole, short = (Fall(0.05, 240, chunk).gradient() for chunk in (240, 24))
    assert float(whole.norm()) > 0
    torch.testing.assert_close(short, whole, rtol=1e-4, atol=1e-5 * float(whole.abs().max()))


def test_captured_and_uncaptured_are_equal_bit_for_bit_and_backward_twice_is_too():
    captured, plain = Fall(0.02, 80, 40), Fall(0.02, 80, 40, captured=False)
    with torch.no_grad():
        assert float(captured.value(captured.targets)) == float(plain.value(plain.targets))
    first, again, other = captured.gradient(), captured.gradient(), plain.gradient()
    assert torch.equal(first, again)
    assert torch.equal(first, other)


def test_clipping_shortens_each_copy_alone_and_silences_what_is_not_finite():
    gq, gqd, gt = torch.zeros(4, 7), torch.zeros(4, 6), torch.zeros(3, 20)
    gq[0, 0], gqd[1, 2] = 30.0, 40.0  # copy 0: norm 50
    gq[2, 1] = 0.5  # copy 1: shorter than 1
    gt[1, 3], gt[2, 12] = 8.0, float("nan")
    q, qd, t = clip_chunk(gq, gqd, gt, 1.0, 2)
    assert q[0, 0] == pytest.approx(0.6)
    assert qd[1, 2] == pytest.approx(0.8)
    assert q[2, 1] == 0.5
    assert t[1, 3] == pytest.approx(1.0)
    assert torch.isfinite(t).all()


def test_copies_side_by_side_move_as_one_alone():
    fall = Fall(0.02, 40, 40)
    both = Simulator(fall.body, fall.world, substeps=40, dt=DT, copies=2)
    other = fall.q.clone()
    other[:, 1] += 0.4
    q, qd = both.forward(torch.cat([other, fall.q]), torch.cat([fall.qd, fall.qd]), fall.targets.repeat(1, 2))
    alone = fall.simulator.forward(fall.q, fall.qd, fall.targets)
    np.testing.assert_allclose(q[len(fall.q) :].numpy(), alone[0].numpy(), atol=1e-6)
    np.testing.assert_allclose(qd[len(fall.q) :].numpy(), alone[1].numpy(), atol=1e-4)
