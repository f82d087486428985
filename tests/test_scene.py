"""The scene around the splats: filtered ground with gradients, shadow, the camera that follows, views."""

import numpy as np
import pytest
import torch

from gambol.character.colour import linear_to_srgb
from gambol.errors import ConfigError
from gambol.render.camera_batch import PinholeCameras, pinhole_cameras
from gambol.render.cameras import look_at, orbit_camera
from gambol.render.follow_camera import (
    VIEWS,
    FollowConfig,
    View,
    eye_offset,
    follow_camera_list,
    follow_camera_path,
    follow_cameras,
    smooth_camera_path,
    view_named,
)
from gambol.render.ground.checkerboard import Checkerboard, draw_ground
from gambol.render.ground.draw_ground import camera_rays, cast_torch, draw_ground_frames, linear_to_srgb_torch
from gambol.render.ground.kernels import NO_SHADOW, Shadow, cast_ground, cast_ground_back, square_mean
from gambol.render.ground.shadow import cast_splat_shadows

WIDTH, HEIGHT = 37, 29


def tilted_cameras():
    """Cameras with roll, above the ground, some with the horizon in view."""
    return [
        look_at(
            [1 + 0.1 * i, 0.7 + 0.1 * i, 3],
            [0.1 * i, 0.93 - 0.2 * i, 0],
            up=(0.1 * i, 1, 0.1),
            width=WIDTH,
            height=HEIGHT,
        )
        for i in range(4)
    ]


def patches():
    return [Shadow(np.array([-1.0, -1.0]), 0.05, np.random.default_rng(i).uniform(0, 0.7, (40, 50))) for i in range(4)]


# --- ground --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("haze", [0.0, 6.0])
@pytest.mark.parametrize("shaded", [False, True])
def test_the_layer_shows_the_pixels_of_the_mesh_films_ground(haze, shaded):
    ground, cameras = Checkerboard(haze=haze), tilted_cameras()
    shadows = patches() if shaded else [NO_SHADOW] * 4
    layer = draw_ground_frames(ground, pinhole_cameras(cameras, dtype=torch.float64), 1.0, shadows)
    for picture, camera, shadow in zip(layer, cameras, shadows, strict=True):
        exact = linear_to_srgb(draw_ground(ground, camera, 1.0, shadow))
        np.testing.assert_allclose(picture.permute(1, 2, 0).numpy(), exact, atol=1e-6)


@pytest.mark.parametrize("haze", [0.0, 6.0])
def test_the_fast_ground_agrees_with_its_torch_twin_in_pixels_and_gradients(haze):
    ground = Checkerboard(haze=haze)
    plain = pinhole_cameras(tilted_cameras(), dtype=torch.float64)
    T = plain.T_camera_world.clone().requires_grad_()
    cameras = PinholeCameras(T, plain.focal, WIDTH, HEIGHT)
    fast = draw_ground_frames(ground, cameras, 1.0, patches())
    twin = linear_to_srgb_torch(cast_torch(camera_rays(cameras), ground.table(1.0), WIDTH, HEIGHT, patches()))
    assert (fast - twin).abs().max() < 1e-7
    weights = torch.randn(fast.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    by_fast, by_twin = (torch.autograd.grad((x * weights).sum(), T)[0] for x in (fast, twin))
    assert (by_fast - by_twin).norm() < 1e-4 * by_twin.norm()


@pytest.mark.parametrize("haze", [0.0, 6.0])
def test_the_grounds_gradient_is_the_slope_of_its_pixels(haze):
    """Central differences by each of the twelve numbers of the rays; far squares have edges within any step."""
    table = Checkerboard(haze=haze).table(1.0)
    rays = camera_rays(pinhole_cameras(tilted_cameras(), dtype=torch.float64))[2].numpy()
    weights = np.random.default_rng(0).normal(size=(3, HEIGHT, WIDTH))
    found = cast_ground_back(weights, *rays, table, NO_SHADOW)
    steps = {0: 1e-7, 1: 1e-7, 2: 1e-9, 3: 1e-9}
    for row, step in steps.items():
        for k in range(3):
            sums = []
            for sign in (1, -1):
                moved, image = rays.copy(), np.empty((3, HEIGHT, WIDTH))
                moved[row, k] += sign * step
                cast_ground(image, *moved, table, NO_SHADOW)
                sums.append((image * weights).sum())
            assert found[row, k] == pytest.approx((sums[0] - sums[1]) / (2 * step), rel=5e-3, abs=1e-3)


def test_square_wave_means_know_their_slopes():
    for x, w in np.random.default_rng(2).uniform([-3, 0.05], [3, 3.5], (50, 2)):
        _, by_x, by_w = square_mean(x, w)
        assert by_x == pytest.approx((square_mean(x + 1e-7, w)[0] - square_mean(x - 1e-7, w)[0]) / 2e-7, abs=1e-5)
        assert by_w == pytest.approx((square_mean(x, w + 1e-7)[0] - square_mean(x, w - 1e-7)[0]) / 2e-7, abs=1e-5)


def test_every_step_over_the_ground_is_seen():
    """A hard checkerboard would not change at all under most small steps; the filtered one always has a slope."""
    for azimuth in (0.0, 0.4, 1.2):
        camera = pinhole_cameras([orbit_camera([0.0, 0.5, 0.0], 4.0, azimuth, 0.2, width=64, height=64)])
        T = camera.T_camera_world.clone().requires_grad_()
        seen = draw_ground_frames(Checkerboard(), PinholeCameras(T, camera.focal, 64, 64), 1.0)
        weights = torch.randn(seen.shape, generator=torch.Generator().manual_seed(1))
        (by_T,) = torch.autograd.grad((seen * weights).sum(), T)
        along = T.detach()[0, :3, :3].T @ by_T[0, :3, 3]
        assert along[0].abs() > 0.1
        assert along[2].abs() > 0.1


def test_from_below_the_layer_is_sky_without_gradient_by_place():
    camera = pinhole_cameras([orbit_camera([0.0, 0.0, 0.0], 5.0, 0.0, -0.3, width=16, height=16)])
    T = camera.T_camera_world.clone().requires_grad_()
    seen = draw_ground_frames(Checkerboard(), PinholeCameras(T, camera.focal, 16, 16), 1.0)
    (by_T,) = torch.autograd.grad(seen.sum(), T)
    assert torch.isfinite(seen).all()
    assert (by_T[0, :3, 3] == 0).all()


# --- shadow --------------------------------------------------------------------------------------------------------


def test_splat_shadows_follow_their_formula():
    ground = Checkerboard(shadow_strength=0.6, shadow_falloff=3.0, shadow_blur=0.02)
    x, z = np.meshgrid(np.linspace(-1, 1, 30), np.linspace(-0.5, 0.5, 15))
    plate = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], 1)
    heights = np.array([0.0, 0.3, 1.0, -0.2])
    points = (plate + heights[:, None, None] * [0, 1, 0] + np.arange(4)[:, None, None] * [0.5, 0, 0]).astype(np.float32)
    shadows = cast_splat_shadows(ground, points, np.full(x.size, 0.06), 2.0)
    for i, (height, shadow) in enumerate(zip(heights, shadows, strict=True)):
        row, column = np.round((np.array([0.0, 0.5 * i]) - shadow.origin[::-1]) / shadow.cell).astype(int)
        expected = 0.6 * np.exp(-3.0 / 2.0 * height) if height >= 0 else 0.0
        assert shadow.darkness[row, column] == pytest.approx(expected, rel=1e-5)
        assert max(shadow.darkness[0].max(), shadow.darkness[:, -1].max()) < 1e-3, "nothing above, no shadow"
        np.testing.assert_allclose(shadow.origin / shadow.cell, np.round(shadow.origin / shadow.cell), atol=1e-9)
    assert cast_splat_shadows(Checkerboard(shadow_strength=0.0), points, np.full(x.size, 0.06), 2.0) == [NO_SHADOW] * 4


def test_far_flung_splats_cast_shadows_within_the_grid():
    points = np.array([[[0.0, 0.1, 0.0], [300.0, 0.1, -40.0]]], np.float32)
    (shadow,) = cast_splat_shadows(Checkerboard(), points, np.array([0.02, 0.02]), 1.0)
    assert max(shadow.darkness.shape) <= 520
    assert shadow.darkness.max() > 0


# --- camera --------------------------------------------------------------------------------------------------------


def shaken_walk(frames=40):
    rng = np.random.default_rng(1)
    body = rng.normal(size=(30, 3)) * 0.4 + [0, 1, 0]
    steps = np.arange(frames)[:, None] * [0.1, 0, -0.03]
    jump = [0, 1, 0] * np.sin(np.arange(frames))[:, None, None]
    return body, steps, body + steps[:, None] + rng.normal(size=(frames, 1, 3)) * 0.1 + jump


def test_following_keeps_steady_travel_and_all_points_in_view():
    body, steps, shaken = shaken_walk()
    view, config = View("", 0.5, 0.2), FollowConfig(margin=0.1)
    cameras = follow_camera_list(body + steps[:, None], view, 60, 40)
    np.testing.assert_allclose([c.eye - cameras[0].eye for c in cameras], steps, atol=1e-9)
    cameras = follow_camera_list(shaken, view, 60, 40, config=config)
    eyes = np.array([c.eye for c in cameras])
    assert np.ptp(eyes[:, 1]) < 1e-12, "a jump is seen as a jump"
    centres = 0.5 * (shaken.min(1) + shaken.max(1))
    assert np.abs(np.diff(eyes[:, 0], 2)).max() < 0.1 * np.abs(np.diff(centres[:, 0], 2)).max()
    for camera, points in zip(cameras, shaken, strict=True):
        pixels, _ = camera.project(points)
        assert (np.abs(pixels - [30, 20]) <= 0.9 * np.array([30, 20]) + 1e-9).all()
    tensors = follow_cameras(torch.from_numpy(shaken), view, 60, 40, config=config)
    np.testing.assert_allclose(tensors.T_camera_world, [c.T_camera_world for c in cameras], atol=1e-9)
    np.testing.assert_allclose(tensors.focal, [c.fx for c in cameras])
    rising = follow_camera_list(shaken, view, 60, 40, config=FollowConfig(vertical=True))
    assert np.ptp([c.eye[1] for c in rising]) > 0.01


def test_smoothing_dampens_by_the_gaussian_without_lag():
    # a wave of angular frequency w passes a Gaussian of deviation s with the factor exp(-(w s)^2 / 2)
    wave = torch.sin(0.3 * torch.arange(400, dtype=torch.float64))[:, None].expand(400, 3)
    found = smooth_camera_path(wave, 4.0)
    assert (found - wave * np.exp(-0.72)).abs()[100:-100].max() < 2e-4
    pulse = torch.zeros(81, 1, dtype=torch.float64)
    pulse[40] = 1.0
    np.testing.assert_allclose(smooth_camera_path(pulse, 5.0), smooth_camera_path(pulse, 5.0).flip(0), atol=1e-12)


@pytest.mark.parametrize("frames", [1, 2, 3, 24])
def test_short_clips_are_followed_too(frames):
    line = torch.arange(frames, dtype=torch.float64)[:, None] * torch.tensor([[0.3, 0.0, -0.2]], dtype=torch.float64)
    np.testing.assert_allclose(smooth_camera_path(line, 12.0), line, atol=1e-9)


def test_the_cameras_gradient_is_the_slope_of_its_path():
    _, _, shaken = shaken_walk(12)
    points = torch.from_numpy(shaken)
    config, view = FollowConfig(smoothing=2.0), View("", 0.4, 0.3)
    offset = eye_offset(points, view, 32, 32, config=config)

    def measure(moved):
        T = follow_cameras(moved, view, 32, 32, config=config, offset=offset).T_camera_world
        return (T * torch.linspace(-1, 1, T.numel(), dtype=T.dtype).reshape(T.shape).sin()).sum()

    tracked = points.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(measure(tracked), tracked)
    direction = torch.randn(points.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    slope = (measure(points + 1e-6 * direction) - measure(points - 1e-6 * direction)) / 2e-6
    assert (gradient * direction).sum() == pytest.approx(float(slope), rel=1e-6)
    assert gradient[..., 1].abs().max() == 0, "height is not followed"
    assert follow_camera_path(points, config).shape == (12, 3)


def test_a_given_offset_keeps_the_distance():
    body, _, shaken = shaken_walk()
    view = View("", 0.0, 0.1)
    offset = eye_offset(torch.from_numpy(body[None]), view, 32, 32, config=FollowConfig())
    cameras = follow_cameras(torch.from_numpy(shaken), view, 32, 32, offset=offset)
    eyes = -(cameras.T_camera_world[:, :3, :3].mT @ cameras.T_camera_world[:, :3, 3:]).squeeze(-1)
    np.testing.assert_allclose(
        eyes - follow_camera_path(torch.from_numpy(shaken), FollowConfig()), offset[None].repeat(40, 0)
    )


def test_views_are_found_by_name():
    assert all(view_named(view.name) is view for view in VIEWS)
    with pytest.raises(ConfigError, match="no view 'below'"):
        view_named("below")


def test_nothing_cannot_be_followed():
    for points in (np.zeros((0, 3, 3)), np.zeros((3, 0, 3))):
        with pytest.raises(ConfigError, match="at least one frame"):
            follow_camera_list(points, View("", 0.0, 0.0), 16, 16)
        with pytest.raises(ConfigError, match="at least one frame"):
            follow_cameras(torch.from_numpy(points), View("", 0.0, 0.0), 16, 16)
