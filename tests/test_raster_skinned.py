"""Splats on bones: the fused way against skinning in float64 and brute force, for bones and cameras."""

import pytest
import torch
from raster_reference import blob, brute_force, gradients, relative

from gambol.motion.skinning import skin_covariances, skin_points
from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.rasterise import blend_bone_transforms, rasterise, rasterise_skinned


def rig(splats, bones, influences, frames, *, seed=0, padded=0):
    """Bones that turn, shift and shear a little; weights that sum to 1, the last `padded` of them zero."""
    g = torch.Generator().manual_seed(seed)
    index = torch.randint(0, bones, (splats, influences), generator=g)
    weight = torch.rand(splats, influences, generator=g, dtype=torch.float64)
    if padded:
        weight[:, -padded:] = 0.0
        index[:, -padded:] = 0
    transforms = torch.eye(4, dtype=torch.float64).repeat(frames, bones, 1, 1)
    transforms[:, :, :3] += 0.05 * torch.randn(frames, bones, 3, 4, generator=g, dtype=torch.float64)
    return index, (weight / weight.sum(1, keepdim=True)).float(), transforms.float()


def compare(influences, *, frames=2, splats=300, bones=7, padded=0, opacities=None):
    scene = blob(frames, splats, 30, 23, size=0.05)
    index, weight, transforms = rig(splats, bones, influences, frames, padded=padded)
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    if opacities is not None:
        rest = (*rest[:3], opacities)

    def leaves(dtype):
        own = [x.to(dtype).clone().requires_grad_() for x in (transforms, scene.cameras.T_camera_world)]
        cameras = PinholeCameras(own[1], scene.cameras.focal.to(dtype), 30, 23)
        return own, cameras

    own, cameras = leaves(torch.float64)
    blended = blend_bone_transforms(index, weight.double(), own[0])
    placed = (skin_points(blended, rest[0].double()), skin_covariances(blended, rest[1].double()))
    look = (rest[2].double()[None], rest[3].double() if rest[3].dim() == 2 else rest[3].double()[None])
    true, decided = brute_force(*placed, *look, cameras)
    want = gradients(true, own, decided)

    own, cameras = leaves(torch.float32)
    fused = rasterise_skinned(*rest, index, weight, own[0], cameras)
    assert type(fused.rgb.grad_fn).__name__ == "_SkinnedSplatsBackward"
    found = gradients(fused, own, decided)
    off = (fused.rgb.detach() - true.rgb.detach()).abs() * decided[:, None]
    assert float(off.max()) <= 2e-6
    for g, w in zip(found, want, strict=True):
        assert relative(g, w) <= 1e-5
    assert want[0].norm() > 1
    assert want[1].norm() > 1

    own, cameras = leaves(torch.float32)
    blended = blend_bone_transforms(index, weight, own[0])
    placed = (skin_points(blended, rest[0]), skin_covariances(blended, rest[1]))
    apart = rasterise(*placed, *(x.float() for x in look), cameras)
    for g, w in zip(found, gradients(apart, own, decided), strict=True):
        assert relative(g, w) <= 1e-4
    assert not found[0][:, :, 3].any()


@pytest.mark.parametrize("influences", [1, 2, 4, 8])
def test_fused_and_separate_gradients_of_bones_and_cameras_agree_with_brute_force(influences):
    compare(influences)


def test_weights_padded_with_zeros():
    compare(6, padded=3)


def test_one_frame_and_a_count_that_fills_no_block():
    compare(3, frames=1, splats=21, bones=2)


def test_opacities_that_hide_splats_in_some_frames():
    opacities = torch.full((2, 300), 0.8)
    opacities[1, ::3] = 0.0
    compare(4, opacities=opacities)


def test_weights_need_not_sum_to_one():
    """The camera's translation is added once, however the weights sum."""
    scene = blob(1, 50, 20, 20, size=0.05)
    index, weight, transforms = rig(50, 3, 2, 1)
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    fused = rasterise_skinned(*rest, index, 0.9 * weight, transforms, scene.cameras)
    twin = rasterise_skinned(*rest, index, 0.9 * weight, transforms, scene.cameras, backend="torch")
    torch.testing.assert_close(fused.rgb, twin.rgb, atol=5e-6, rtol=0)


def test_a_following_camera_sees_no_travel():
    """Root and camera move together: the picture stays, and so the two gradients cancel."""
    scene = blob(1, 200, 24, 24)
    index, weight, transforms = rig(200, 4, 2, 1)
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    step = torch.zeros(3, requires_grad=True)
    move = torch.eye(4) + torch.nn.functional.pad(step[:, None], (3, 0, 0, 1))
    back = torch.eye(4) - torch.nn.functional.pad(step[:, None], (3, 0, 0, 1))
    T = scene.cameras.T_camera_world @ back
    cameras = PinholeCameras(T, scene.cameras.focal, 24, 24)
    picture = rasterise_skinned(*rest, index, weight, move @ transforms, cameras)
    factors = torch.randn(picture.rgb.shape, generator=torch.Generator().manual_seed(2))
    (both,) = torch.autograd.grad((picture.rgb * factors).sum(), step)
    alone = rasterise_skinned(*rest, index, weight, move @ transforms, scene.cameras)
    (root_only,) = torch.autograd.grad((alone.rgb * factors).sum(), step)
    assert both.norm() < 1e-4 * root_only.norm()


def test_the_splats_own_numbers_get_gradients_too():
    scene = blob(2, 60, 20, 18, size=0.05)
    index, weight, transforms = rig(60, 3, 2, 2)

    def run(dtype, backend):
        rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0], transforms)
        own = [x.to(dtype).clone().requires_grad_() for x in rest]
        T, focal = scene.cameras.T_camera_world.to(dtype), scene.cameras.focal.to(dtype)
        cameras = PinholeCameras(T, focal, 20, 18)
        picture = rasterise_skinned(*own[:4], index, weight.to(dtype), own[4], cameras, backend=backend)
        return gradients(picture, own, torch.ones(2, 18, 20))

    for found, want in zip(run(torch.float32, "cpu"), run(torch.float64, "torch"), strict=True):
        assert relative(found, want) <= 2e-5
