"""The simulation against closed forms: fall, pendulum, spring, friction, energy; and against its numpy twin."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from physics_bodies import AS_IT_IS, arm, block, body_of, rest_state, walker

from gambol.motion.clip import Clip
from gambol.physics.forces_reference import ground_forces, joint_torques, upright_torque
from gambol.physics.generalised_coordinates import (
    body_transforms,
    joint_angles,
    joint_axes,
    states_from_transforms,
    transforms_from_states,
    velocity_map,
)
from gambol.physics.world import PhysicsWorld, gains

pytest.importorskip("newton")

from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.simulator import Simulator

DT = 1.0 / 1920.0
FREE_WORLD = PhysicsWorld(upright_stiffness=0.0)


def run(body, world, q, qd, targets, steps, *, chunk=40):
    """States of every substep."""
    simulator = Simulator(body, world, substeps=chunk, dt=DT)
    control = torch.zeros(chunk, simulator.slots)
    control[:, FREE_ROOT_SLOTS:] = targets
    states, twists = [], []
    for _ in range(steps // chunk):
        q, qd = simulator.forward(q, qd, control)
        passed = simulator.states()
        states.append(passed[0])
        twists.append(passed[1])
    return np.concatenate(states).astype(np.float64), np.concatenate(twists).astype(np.float64)


def test_a_thrown_block_falls_on_its_parabola_and_keeps_its_spin():
    skeleton, boxes = block()
    body, q = body_of(skeleton, boxes), rest_state(body_of(skeleton, boxes), skeleton)
    q[:, 1] += 3.0
    qd = torch.tensor([[1.0, 2.0, -0.5, 0.7, 0.0, 0.0]])  # spins about its long axis, a principal one
    states, twists = run(body, FREE_WORLD, q, qd, 0.0, 960)
    T = transforms_from_states(states)[:, 0]
    centre = T[:, :3, :3] @ body.centres[0] + T[:, :3, 3]
    start = transforms_from_states(q.double().numpy())[0]
    at = np.arange(1, 961) * DT
    meant = start[:3, :3] @ body.centres[0] + start[:3, 3] + at[:, None] * np.array([1.0, 2.0, -0.5])
    meant[:, 1] -= 0.5 * 9.81 * at * (at + DT)  # symplectic Euler: g t (t + dt) / 2
    assert np.abs(centre - meant).max() < 2e-4
    assert np.abs(twists[:, 0, 3:] - [0.7, 0.0, 0.0]).max() < 5e-4


def held(body):
    """The same body with a root that nothing moves."""
    return replace(body, masses=body.masses * [0.0, 1.0], inertias=body.inertias * np.array([0.0, 1.0])[:, None, None])


def turned_arm(body, skeleton, angle):
    """State of the arm at an angle about its x axis."""
    T = transforms_from_states(rest_state(body, skeleton).double().numpy())
    c, s = np.cos(angle), np.sin(angle)
    T[1, :3, :3] = T[1, :3, :3] @ np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return torch.as_tensor(states_from_transforms(T[None])[0], dtype=torch.float32)


def arm_angles(body, states):
    return joint_angles(body, transforms_from_states(states)[..., :3, :3])[:, 0]


STIFF = PhysicsWorld(upright_stiffness=0.0, attach_stiffness=4e4)
"""Joints that give way by less than a tenth of a millimetre under the arm."""


def test_a_hanging_bone_swings_with_the_period_of_a_physical_pendulum():
    skeleton, boxes = arm()
    body = held(body_of(skeleton, boxes))
    q = turned_arm(body, skeleton, 0.2)
    states, _ = run(body, replace(STIFF, joint_stiffness=0.0), q, torch.zeros(2, 6), 0.0, 9600)
    seen = arm_angles(body, states)[:, 0]
    at = np.flatnonzero((seen[:-1] > 0) & (seen[1:] <= 0))
    period = np.diff(at + seen[at] / (seen[at] - seen[at + 1])).mean() * DT
    reach = np.linalg.norm(body.centres[1])
    about_joint = body.inertias[1, 0, 0] + body.masses[1] * reach**2
    meant = 2.0 * np.pi * np.sqrt(about_joint / (body.masses[1] * 9.81 * reach)) * (1.0 + 0.2**2 / 16.0)
    assert len(at) >= 3
    assert period == pytest.approx(meant, rel=2e-3)


def test_a_sprung_joint_rests_where_its_torque_balances_gravity():
    skeleton, boxes = arm()
    body = held(body_of(skeleton, boxes))
    world = replace(STIFF, joint_stiffness=0.2, joint_damping=0.2)
    states, _ = run(body, world, rest_state(body, skeleton), torch.zeros(2, 6), torch.tensor([0.8, 0.0, 0.0]), 9600)
    angle = arm_angles(body, states)[-1]
    lever = body.masses[1] * 9.81 * np.linalg.norm(body.centres[1])
    # k (target - angle) = m g r sin(angle)
    assert gains(body, world).joint_ke * (0.8 - angle[0]) == pytest.approx(lever * np.sin(angle[0]), rel=2e-3)
    assert np.abs(angle[1:]).max() < 1e-4


@pytest.mark.parametrize("speed", [1.0, 2.5])
def test_a_sliding_block_stops_where_coulombs_law_says(speed):
    skeleton, boxes = block()
    body, world = body_of(skeleton, boxes), replace(FREE_WORLD, slip_speed=0.003, friction=0.4)
    q = rest_state(body, skeleton)
    q[:, 1] -= body.mass * 9.81 / 4.0 / gains(body, world).ground_ke  # as deep as four corners carry it
    qd = torch.zeros(1, 6)
    qd[0, 0] = speed
    states, twists = run(body, world, q, qd, 0.0, 1920 * 2)
    assert abs(twists[-1, 0, 0]) < 0.01
    way = states[-1, 0, 0] - float(q[0, 0])
    assert way == pytest.approx(speed**2 / (2.0 * 0.4 * 9.81), rel=0.03)


def test_friction_never_exceeds_coulombs_cone_and_the_ground_never_pulls():
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, clip=clip)
    rng = np.random.default_rng(0)
    states = np.tile(rest_state(body, skeleton).double().numpy(), (50, 1, 1))
    states[..., 1] += rng.uniform(-0.3, 0.05, (50, 1))
    force = ground_forces(body, gains(body, PhysicsWorld()), states, rng.normal(0.0, 3.0, (50, len(body), 6)))
    assert force[..., 1].max() > 0
    assert force[..., 1].min() >= 0.0
    assert (np.linalg.norm(force[..., [0, 2]], axis=-1) <= 0.8 * force[..., 1] * (1 + 1e-12)).all()


def energy(body, g, states, twists):
    """Kinetic, potential, and what the ground and the joints' attachments store, joules."""
    T = transforms_from_states(states)
    centres = np.einsum("sbij,bj->sbi", T[..., :3, :3], body.centres) + T[..., :3, 3]
    spin = np.einsum("sbji,sbj->sbi", T[..., :3, :3], twists[..., 3:])
    turning = 0.5 * np.einsum("sbi,bij,sbj->s", spin, body.inertias, spin)
    moving = 0.5 * (body.masses * (twists[..., :3] ** 2).sum(-1)).sum(-1)
    of = T[:, body.point_bodies]
    depth = np.maximum(-np.einsum("spj,pj->sp", of[..., 1, :3], body.points) - of[..., 1, 3], 0.0)
    joint = (T[:, body.parents[1:]] @ body.T_parent_joint[1:])[..., :3, 3] - T[:, 1:, :3, 3]
    stored = 0.5 * g.ground_ke * (depth**2).sum(-1) + 0.5 * g.attach_ke * (joint**2).sum((-1, -2))
    return turning + moving + stored + 9.81 * (body.masses * centres[..., 1]).sum(-1)


def test_a_limp_body_that_is_dropped_loses_energy_and_never_gains_any():
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, config=replace(AS_IT_IS, roundness=0.5, inertia_floor=1.5e-4), clip=clip)
    q = rest_state(body, skeleton)
    q[:, 1] += 0.3
    qd = torch.as_tensor(velocity_map(body, transforms_from_states(q.double().numpy())), dtype=torch.float32)
    rates = torch.zeros(qd.shape[-1])
    rates[0], rates[4] = 1.0, 0.5
    world = PhysicsWorld(joint_stiffness=0.0, upright_stiffness=0.0)
    states, twists = run(body, world, q, qd @ rates, 0.0, 3840)
    total = energy(body, gains(body, world), states, twists)
    assert np.diff(total[::40]).max() < 0.003 * (total[0] - total.min())
    assert total[-1] < total[0] - 0.5 * body.mass * 9.81 * 0.3


def test_the_kernels_push_as_their_readable_twins_say():
    """One substep changes momentum by exactly the wrench of gravity, ground, joints and upright torque."""
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, config=replace(AS_IT_IS, roundness=0.5, inertia_floor=1e-3), clip=clip)
    world, rng = PhysicsWorld(), np.random.default_rng(1)
    g = gains(body, world)
    T = transforms_from_states(rest_state(body, skeleton).double().numpy())
    T[:, 1, 3] -= 0.01
    rates = rng.normal(0.0, 1.0, 6 + 3 * (len(body) - 1))
    twist = velocity_map(body, T) @ rates
    states = states_from_transforms(T[None])[0]
    target = rng.normal(0.0, 0.3, (len(body) - 1, 3))
    simulator = Simulator(body, world, substeps=1, dt=DT)
    control = torch.zeros(1, simulator.slots)
    control[0, FREE_ROOT_SLOTS:] = torch.as_tensor(target.ravel())
    _, after = simulator.forward(torch.as_tensor(states).float(), torch.as_tensor(twist).float(), control)
    after = after.double().numpy()
    # linear momentum of the whole: inner forces cancel
    ground = ground_forces(body, g, states, twist)
    pushed = (body.masses[:, None] * (after[:, :3] - twist[:, :3])).sum(0) / DT
    np.testing.assert_allclose(pushed, ground.sum(0) - [0.0, body.mass * 9.81, 0.0], rtol=2e-3, atol=0.5)
    # angular momentum of the leaves: their joint's torque, the joint holds no error yet
    tau, _ = joint_torques(body, g, states, twist, target)
    axes = joint_axes(body, T[:, :3, :3])
    at = T[body.point_bodies]
    arms = np.einsum("pij,pj->pi", at[:, :3, :3], body.points - body.centres[body.point_bodies])
    wrench = np.zeros((len(body), 3))
    np.add.at(wrench, body.point_bodies, np.cross(arms, ground))
    turned = np.einsum("jil,jl->ji", axes, tau)
    np.add.at(wrench, np.arange(1, len(body)), turned)
    np.subtract.at(wrench, body.parents[1:], turned)
    wrench[0] += upright_torque(body, g, states, twist)
    for i in range(len(body)):
        R, spin = T[i, :3, :3], T[i, :3, :3].T @ twist[i, 3:]
        change = R @ (body.inertias[i] @ (R.T @ (after[i, 3:] - twist[i, 3:])))
        gyroscopic = R @ np.cross(spin, body.inertias[i] @ spin)
        np.testing.assert_allclose(change / DT + gyroscopic, wrench[i], rtol=5e-3, atol=0.3)


def test_a_joint_velocity_moves_bodies_as_the_map_says():
    """The map of the initial velocity against differences of forward kinematics."""
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, clip=clip)
    rng = np.random.default_rng(2)
    joints = len(skeleton) - 1
    root, angles = rng.normal(0, 0.2, 6), rng.normal(0, 0.3, (joints, 3))

    def pose(root, angles):
        T = body_transforms(body, skeleton, Clip("x", 24.0, root[None], angles[None]))[0]
        return T, np.einsum("bij,bj->bi", T[:, :3, :3], body.centres) + T[:, :3, 3]

    way, swing, h = rng.normal(0, 1, 3), rng.normal(0, 1, (joints, 3)), 1e-6
    step = np.concatenate([way, np.zeros(3)])
    low, high = pose(root - h * step, angles - h * swing), pose(root + h * step, angles + h * swing)
    T = pose(root, angles)[0]
    around = joint_angles(body, np.stack([low[0], high[0]])[..., :3, :3])
    rates = np.concatenate([way, np.zeros(3), ((around[1] - around[0]) / (2 * h)).ravel()])
    np.testing.assert_allclose((velocity_map(body, T) @ rates)[:, :3], (high[1] - low[1]) / (2 * h), atol=1e-6)
