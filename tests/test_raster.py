"""The rasteriser against brute force in float64: pictures and every gradient, in all the awkward places."""

import dataclasses

import pytest
import torch
from raster_reference import Scene, blob, brute_force, gradients, relative

from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.rasterise import rasterise

IMAGE_ERROR, GRADIENT_ERROR = 2e-6, 1e-5
NAMES = ("centres", "covariances", "colours", "opacities", "T_camera_world")


def agree(scene: Scene, *, backend="cpu", dtype=torch.float32, image=IMAGE_ERROR, gradient=GRADIENT_ERROR):
    leaves, cameras = scene.leaves(torch.float64)
    true, decided = brute_force(*leaves[:4], cameras)
    true_gradients = gradients(true, leaves, decided)
    leaves, cameras = scene.leaves(dtype)
    picture = rasterise(*leaves[:4], cameras, backend=backend)
    far = max(1.0, float(scene.centres.abs().max()) + 4.0 if scene.centres.numel() else 1.0)
    for part, scale in (("rgb", 1.0), ("alpha", 1.0), ("depth", far)):
        off = (getattr(picture, part).double() - getattr(true, part)).abs()
        off = torch.where(decided[:, None] if part == "rgb" else decided, off, 0.0)
        assert float(off.detach().max()) <= image * scale, part
    for name, found, want in zip(NAMES, gradients(picture, leaves, decided), true_gradients, strict=True):
        if name == "covariances":
            assert torch.equal(found, found.mT)
            want = (want + want.mT) / 2
        assert relative(found, want) <= gradient, name
    assert decided.float().mean() > 0.9
    return true, true_gradients


@pytest.mark.parametrize(("splats", "width", "height"), [(1, 16, 16), (1000, 33, 22), (1000, 37, 50), (5000, 47, 39)])
def test_pictures_and_gradients_are_those_of_brute_force(splats, width, height):
    true, _ = agree(blob(2 if splats < 5000 else 1, splats, width, height))
    assert true.alpha.max() > 0.3


def test_the_torch_twin_is_brute_force_in_float64():
    agree(blob(2, 300, 33, 22), backend="torch", dtype=torch.float64, image=1e-12, gradient=1e-10)


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (4, 4), (5, 4), (129, 2)])
def test_any_picture_size(size):
    agree(blob(1, 40, *size, size=0.1))


@pytest.mark.parametrize("backend", ["cpu", "torch"])
def test_no_splats_and_no_frames(backend):
    picture = rasterise(
        *(torch.zeros(2, 0, *s) for s in ((3,), (3, 3), (3,), ())), cameras_of(2, 7, 5), backend=backend
    )
    assert picture.rgb.shape == (2, 3, 5, 7)
    assert not picture.rgb.any()
    assert not picture.alpha.any()
    assert not picture.depth.any()
    nothing = rasterise(
        *(torch.zeros(0, 9, *s) for s in ((3,), (3, 3), (3,), ())), cameras_of(0, 7, 5), backend=backend
    )
    assert nothing.rgb.shape == (0, 3, 5, 7)


def cameras_of(frames, width, height, focal=20.0):
    return PinholeCameras(torch.eye(4).repeat(frames, 1, 1), torch.full((frames,), focal), width, height)


def test_one_round_splat_has_the_closed_form():
    z, focal, opacity, sigma = 2.0, 20.0, 0.8, 0.15
    picture = rasterise(
        torch.tensor([[[0.05, -0.02, z]]]),
        sigma**2 * torch.eye(3)[None, None],
        torch.tensor([[[0.2, 0.5, 0.9]]]),
        torch.tensor([[opacity]]),
        cameras_of(1, 12, 10),
    )
    x, y = torch.meshgrid(torch.arange(12) + 0.5, torch.arange(10) + 0.5, indexing="xy")
    u, v = focal * 0.05 / z + 6, focal * -0.02 / z + 5
    slope = torch.tensor([0.05 / z, -0.02 / z])
    C = (focal / z * sigma) ** 2 * (torch.eye(2) + slope[:, None] * slope) + 0.3 * torch.eye(2)
    d = torch.stack([x - u, y - v], -1)
    alpha = opacity * torch.exp(-0.5 * (d @ torch.linalg.inv(C) * d).sum(-1))
    alpha = torch.where(alpha >= 1 / 255, alpha, 0.0)
    torch.testing.assert_close(picture.alpha[0], alpha, atol=1e-6, rtol=0)
    torch.testing.assert_close(picture.rgb[0, 2], 0.9 * alpha, atol=1e-6, rtol=0)
    torch.testing.assert_close(picture.depth[0], z * alpha, atol=2e-6, rtol=0)


def test_splats_across_the_edge_of_the_picture_and_far_outside():
    """Near and wide: many are cut by the edge, many have J held at 1.3 half pictures, some are behind the camera."""
    scene = blob(2, 400, 30, 22, spread=1.5, size=0.3, distance=1.0)
    leaves, cameras = scene.leaves(torch.float64)
    at = leaves[0] @ cameras.T_camera_world[:, :3, :3].mT + cameras.T_camera_world[:, None, :3, 3]
    slopes = at[..., :2] / at[..., 2:] * cameras.focal[:, None, None] / torch.tensor([15.0, 11.0])
    assert ((slopes.abs() > 1.3).any(-1) & (at[..., 2] > 0.01)).float().mean() > 0.2
    assert (at[..., 2] < 0).float().mean() > 0.1
    true, _ = agree(scene)
    assert true.alpha.mean() > 0.5


def test_splats_behind_the_camera_show_nothing_and_get_no_gradient():
    scene = blob(1, 50, 16, 16, distance=-3.0)
    true, found = agree(scene)
    assert not true.alpha.any()
    assert not any(g.any() for g in found)


def test_hidden_splats_are_as_if_they_were_not_there():
    """Opacity 0 in one frame (under the ground) hides a splat there, and there only."""
    scene = blob(3, 200, 24, 24)
    opacities = scene.opacities.repeat(3, 1)
    opacities[1, ::2] = 0.0
    scene = dataclasses.replace(scene, opacities=opacities)
    agree(scene)
    picture = rasterise(scene.centres, scene.covariances, scene.colours, opacities, scene.cameras)
    some = rasterise(
        scene.centres[:, 1::2].contiguous(),
        scene.covariances[:, 1::2].contiguous(),
        scene.colours[:, 1::2].contiguous(),
        opacities[:, 1::2].contiguous(),
        scene.cameras,
    )
    assert torch.equal(picture.rgb[1], some.rgb[1])
    assert not torch.equal(picture.rgb[0], some.rgb[0])


def test_opaque_layers_are_cut_at_the_largest_alpha_and_end_the_pixel():
    """Opacity 1 and wide splats: alpha is held at 0.999 and the third layer would bring T to 1e-9."""
    count = 12
    scene = blob(1, count, 20, 20, size=0.0, opaque=1.0)
    covariances = torch.eye(3).expand(1, count, 3, 3) * torch.linspace(0.05, 40.0, count)[:, None, None]
    scene = dataclasses.replace(scene, covariances=covariances.contiguous())
    true, _ = agree(scene)
    assert (true.alpha > 0.9985).any()
    assert (true.alpha <= 0.9999).all()


@pytest.mark.parametrize("flat", [1, 2, 3])
def test_flat_splats(flat):
    """Covariances with one, two or three zero eigenvalues: discs, needles, points."""
    scene = blob(2, 300, 33, 22)
    values, axes = torch.linalg.eigh(scene.covariances.double())
    values[..., :flat] = 0.0
    covariances = axes @ torch.diag_embed(values) @ axes.mT
    agree(dataclasses.replace(scene, covariances=((covariances + covariances.mT) / 2).float()))


def test_colours_and_opacities_per_frame():
    scene = blob(3, 200, 24, 20)
    g = torch.Generator().manual_seed(9)
    agree(
        dataclasses.replace(
            scene,
            colours=torch.rand(3, 200, 3, generator=g),
            opacities=0.3 + 0.6 * torch.rand(3, 200, generator=g),
        )
    )


def test_gradients_are_finite_differences():
    """In float64 by the twin; that the fast one has the twin's gradients is proven above."""
    scene = blob(1, 12, 9, 8, size=0.2)
    leaves, cameras = scene.leaves(torch.float64)
    _true, decided = brute_force(*leaves[:4], cameras)

    def loss(*inputs):
        moved = PinholeCameras(inputs[4], cameras.focal, cameras.width, cameras.height)
        picture = rasterise(*inputs[:4], moved, backend="torch")
        return torch.cat([(x * decided).reshape(-1) for x in (picture.alpha, picture.depth, picture.rgb[:, 1])]).sum()

    found = torch.autograd.grad(loss(*leaves), leaves)
    for k, leaf in enumerate(leaves):
        direction = torch.randn(leaf.shape, generator=torch.Generator().manual_seed(k), dtype=torch.float64)
        direction = direction + direction.mT if k == 1 else direction
        if k == 4:
            direction[:, 3] = 0.0
        step = 1e-6 * direction
        ahead, behind = ([x + s * step if i == k else x for i, x in enumerate(leaves)] for s in (1, -1))
        with torch.no_grad():
            slope = float(loss(*ahead) - loss(*behind)) / 2e-6
        assert slope == pytest.approx(float((found[k] * direction).sum()), rel=1e-5)
