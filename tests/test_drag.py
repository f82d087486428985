"""Dragging a pose: the step is the minimum of its problem, pins hold, and coming back ends where it began."""

import numpy as np
import torch
from pose_bodies import random_poses, rig_of, space_of

from gambol.poses.drag import DRAG_PRECISION, drag_step, move_drag, release_drag, start_drag
from gambol.poses.inverse_kinematics import (
    HANDLE_REACHED,
    find_handles,
    handle_errors,
    handle_jacobian,
    handle_positions,
)
from gambol.poses.pose_violations import find_violations


def place_of(rig, x, name):
    """Where a joint is, metres."""
    return (rig.size * handle_positions(rig, x, find_handles(rig, {name: (0.0, 0.0, 0.0)}))[0, 0]).numpy()


def paw(rig):
    """Name of a bone at the end of a front leg."""
    return rig.skeleton.names[max(range(len(rig)), key=lambda b: rig.contacts[b] * (1.0 + rig.skeleton.heads[b, 0]))]


def test_a_step_minimises_the_linear_problem_like_its_slow_twin():
    rig = rig_of("fox")
    x, start = random_poses(len(rig), 1, size=0.4), random_poses(len(rig), 1, seed=1, size=0.4)
    handles = find_handles(rig, {paw(rig): (0.4, 0.3, 0.1), rig.skeleton.names[-1]: (-0.2, 0.6, 0.0)})
    J, positions = handle_jacobian(rig, x, handles)
    step = drag_step(start - x, J, handles.targets - positions).double().flatten()
    J, b = J.double(), (start - x).double().flatten()
    e = (handles.targets - positions).double().flatten()
    rows = torch.cat([torch.eye(len(b), dtype=torch.float64), J / DRAG_PRECISION])
    slow = torch.linalg.lstsq(rows, torch.cat([b, e / DRAG_PRECISION])).solution
    assert torch.allclose(step, slow, atol=2e-3)


def test_a_drag_without_a_pull_stays_where_it_is():
    rig = rig_of("fox")
    drag = start_drag(torch.zeros(1, len(rig), 3))
    name = paw(rig)
    moved = move_drag(rig, drag, find_handles(rig, {name: place_of(rig, drag.x, name)}))
    assert float(moved.x.abs().max()) < 1e-3


def test_the_handle_follows_the_pins_hold_and_the_way_back_ends_at_the_start():
    rig = rig_of("fox")
    drag, name = start_drag(torch.zeros(1, len(rig), 3)), paw(rig)
    others = [rig.skeleton.names[b] for b in np.flatnonzero(rig.contacts) if rig.skeleton.names[b] != name]
    pins = {other: place_of(rig, drag.x, other) for other in others}
    home = place_of(rig, drag.x, name)
    away = rig.size * np.array([0.08, 0.15, 0.0])
    path = [*np.linspace(0.0, 1.0, 8), *np.linspace(1.0, 0.0, 8), 0.0, 0.0, 0.0, 0.0]
    for k, share in enumerate(path):
        handles = find_handles(rig, {**pins, name: home + share * away})
        drag = move_drag(rig, drag, handles)
        assert float(handle_errors(rig, drag.x, handles).norm(dim=-1).max()) < HANDLE_REACHED, k
    assert float(drag.x.abs().max()) < 0.05


def test_what_is_far_out_of_reach_is_followed_as_far_as_the_body_goes_and_stays_finite():
    rig = rig_of("human")
    drag, name = start_drag(torch.zeros(1, len(rig), 3)), "Hand.L"
    handles = find_handles(rig, {name: (50.0, 0.2, -30.0)})
    before = float(handle_errors(rig, drag.x, handles).norm())
    for _ in range(12):
        drag = move_drag(rig, drag, handles)
    assert bool(drag.x.isfinite().all())
    assert float(handle_errors(rig, drag.x, handles).norm()) < before
    reach = np.linalg.norm(place_of(rig, drag.x, name) - place_of(rig, torch.zeros_like(drag.x), name))
    assert reach < 2.0 * rig.size


def test_validators_act_where_the_handles_leave_them_freedom():
    rig = rig_of("fox")
    bent = random_poses(len(rig), 1, seed=3, size=2.5)
    name = paw(rig)
    handles = find_handles(rig, {name: place_of(rig, bent, name)})
    drag = start_drag(bent)
    energy = float(find_violations(rig, bent).energy())
    assert energy > 0
    for _ in range(10):
        drag = move_drag(rig, drag, handles)
    assert float(find_violations(rig, drag.x).energy()) < energy
    assert float(handle_errors(rig, drag.x, handles).norm()) < HANDLE_REACHED


def test_letting_go_projects_the_pose_with_its_handles_at_their_targets():
    space = space_of("fox")
    drag, name = start_drag(torch.zeros(1, len(space.rig), 3)), paw(space.rig)
    target = place_of(space.rig, drag.x, name) + space.rig.size * np.array([0.05, 0.1, 0.0])
    handles = find_handles(space.rig, {name: target})
    drag = move_drag(space.rig, drag, handles)
    assert release_drag(space, drag, handles).reached
