import numpy as np
import pytest
import torch
from scipy.spatial.transform import Rotation

from gambol.character.transforms import compose_trs, decompose_trs, matrix_from_quaternion, quaternion_from_matrix
from gambol.motion.joint_rotations import matrix_from_angles
from gambol.motion.rotations import (
    angles_from_matrix,
    continuous_angles,
    continuous_quaternions,
    rotation_angle,
)
from gambol.motion.skinning_reference import axis_rotation

rng = np.random.default_rng(7)


def test_compound_joint_is_the_product_of_three_axis_rotations():
    angles = rng.uniform(-np.pi, np.pi, (200, 3))
    found = matrix_from_angles(torch.from_numpy(angles)).numpy()
    meant = np.stack([axis_rotation(0, a) @ axis_rotation(1, b) @ axis_rotation(2, c) for a, b, c in angles])
    np.testing.assert_allclose(found, meant, atol=1e-14)
    np.testing.assert_allclose(found, Rotation.from_euler("XYZ", angles).as_matrix(), atol=1e-14)


def test_rotation_gradient_passes_gradcheck():
    angles = torch.from_numpy(rng.uniform(-2, 2, (4, 3))).requires_grad_()
    assert torch.autograd.gradcheck(matrix_from_angles, angles)


@pytest.mark.parametrize("b", [0.0, 1.0, np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-8, -np.pi / 2 + 1e-5])
def test_angles_come_back_also_at_gimbal_lock(b):
    angles = np.stack([rng.uniform(-3, 3, 100), np.full(100, b), rng.uniform(-3, 3, 100)], -1)
    R = matrix_from_angles(torch.from_numpy(angles)).numpy()
    again = matrix_from_angles(torch.from_numpy(angles_from_matrix(R))).numpy()
    assert rotation_angle(np.swapaxes(R, -1, -2) @ again).max() < 1e-7


def test_continuous_angles_have_no_jumps_where_the_motion_has_none():
    time = np.linspace(0, 6, 400)[:, None]
    smooth = np.stack([4.0 * time, 2.2 * np.sin(time), -3.0 * time], -1)  # b passes 90 degrees several times
    R = matrix_from_angles(torch.from_numpy(smooth)).numpy()
    found = continuous_angles(R)
    assert np.abs(np.diff(found, axis=0)).max() < 0.2
    again = matrix_from_angles(torch.from_numpy(found)).numpy()
    np.testing.assert_allclose(again, R, atol=1e-9)


def test_quaternions_against_scipy_and_with_continuous_signs():
    R = Rotation.random(300, random_state=1)
    wxyz = quaternion_from_matrix(R.as_matrix())
    meant = R.as_quat()[:, [3, 0, 1, 2]]
    np.testing.assert_allclose(wxyz * np.sign((wxyz * meant).sum(1, keepdims=True)), meant, atol=1e-12)
    np.testing.assert_allclose(matrix_from_quaternion(3.0 * wxyz), R.as_matrix(), atol=1e-12)
    flipped = wxyz * rng.choice([-1, 1], (300, 1))
    steady = continuous_quaternions(flipped)
    assert ((steady[1:] * steady[:-1]).sum(1) >= 0).all()
    np.testing.assert_allclose(matrix_from_quaternion(steady), R.as_matrix(), atol=1e-12)


def test_trs_taken_apart_and_put_together_with_mirrors():
    translations, scales = rng.normal(size=(50, 3)), rng.uniform(0.1, 3.0, (50, 3))
    scales[::2, 0] *= -1
    wxyz = Rotation.random(50, random_state=2).as_quat()[:, [3, 0, 1, 2]]
    T = compose_trs(translations, wxyz, scales)
    np.testing.assert_allclose(compose_trs(*decompose_trs(T)), T, atol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.5, 3.0, np.pi])
def test_rotation_angle_is_exact_from_tiny_to_half_a_turn(angle):
    assert rotation_angle(axis_rotation(1, angle)[None])[0] == pytest.approx(angle, rel=1e-6, abs=1e-15)


def test_angles_do_not_depend_on_where_the_matrices_lie_in_memory():
    R = matrix_from_angles(torch.from_numpy(np.random.default_rng(4).uniform(-1.0, 1.0, (21, 30, 3)))).numpy()
    expected = angles_from_matrix(R).tobytes()
    kept = []
    for size in range(1, 400):
        kept.append(np.zeros(size))  # the next arrays are allocated elsewhere
        assert angles_from_matrix(R.copy()).tobytes() == expected
