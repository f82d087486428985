"""The rasteriser as a good citizen: same bytes whatever the threads, no leaks, clear errors, no cache needed."""

import dataclasses
import gc

import numpy as np
import pytest
import torch
from raster_reference import blob, gradients, relative

from gambol.errors import ConfigError
from gambol.render.camera_batch import PinholeCameras, pinhole_cameras
from gambol.render.cameras import look_at, orbit_camera
from gambol.render.raster.rasterise import rasterise, rasterise_skinned


def draw(scene, **changed):
    return rasterise(**{**own(scene), **changed})


def own(scene):
    return {field.name: getattr(scene, field.name) for field in dataclasses.fields(scene)}


def picture_and_gradients(scene):
    leaves, cameras = scene.leaves(torch.float32)
    picture = rasterise(*leaves[:4], cameras)
    found = gradients(picture, leaves, torch.ones_like(picture.alpha, dtype=torch.bool))
    return [x.detach().numpy().tobytes() for x in (picture.rgb, picture.alpha, picture.depth, *found)]


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def test_same_bytes_every_time_and_for_any_number_of_threads(threads):
    scene = blob(5, 400, 30, 26)
    threads(1)
    alone = picture_and_gradients(scene)
    assert picture_and_gradients(scene) == alone
    for count in (2, 3, 8):
        threads(count)
        assert picture_and_gradients(scene) == alone


def test_a_frame_is_drawn_the_same_alone_as_among_others():
    scene = blob(4, 200, 22, 18)
    together = draw(scene)
    for f in range(4):
        T, focal = scene.cameras.T_camera_world[f : f + 1], scene.cameras.focal[f : f + 1]
        alone = draw(
            scene,
            centres=scene.centres[f : f + 1],
            covariances=scene.covariances[f : f + 1],
            cameras=PinholeCameras(T, focal, 22, 18),
        )
        assert torch.equal(alone.rgb[0], together.rgb[f])
    assert not torch.equal(together.rgb[0], together.rgb[1])


def test_strided_and_wider_inputs_give_the_same_picture():
    scene = blob(2, 100, 20, 20)
    plain = draw(scene)
    strided = draw(scene, centres=scene.centres.transpose(0, 1).contiguous().transpose(0, 1))
    assert torch.equal(plain.rgb, strided.rgb)
    wide = draw(scene, centres=scene.centres.double(), covariances=scene.covariances.double())
    assert torch.equal(plain.rgb, wide.rgb)


def test_gradients_that_a_loss_does_not_use_count_as_zero():
    scene = blob(1, 80, 20, 20)
    results = []
    for backend, dtype in (("cpu", torch.float32), ("torch", torch.float64)):
        leaves, cameras = scene.leaves(dtype)
        picture = rasterise(*leaves[:4], cameras, backend=backend)
        results.append(torch.autograd.grad(picture.depth.square().sum(), leaves, materialize_grads=True))
    assert all(relative(g, w) < 1e-5 for g, w in zip(*results, strict=True))


def test_no_memory_is_kept_between_calls():
    from numba.core.runtime import _nrt_python, rtsys

    scene = blob(2, 300, 30, 30)
    picture_and_gradients(scene)
    gc.collect()
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(5):
        picture_and_gradients(scene)
    gc.collect()
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc > before.alloc
    assert after.alloc - before.alloc == after.free - before.free


def test_inputs_changed_before_the_backward_pass_are_noticed():
    scene = blob(1, 20, 10, 10)
    leaves, cameras = scene.leaves(torch.float32)
    picture = rasterise(*leaves[:4], cameras)
    with torch.no_grad():
        leaves[0].add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        picture.rgb.sum().backward()


@pytest.mark.parametrize("name", ["centres", "covariances", "colours", "opacities"])
@pytest.mark.parametrize("backend", ["cpu", "torch"])
def test_nan_is_refused_with_the_name_of_what_has_it(name, backend):
    scene = blob(1, 20, 10, 10)
    broken = getattr(scene, name).clone()
    broken.view(-1)[3] = float("nan")
    with pytest.raises(ConfigError, match=f"The {name} to draw contain NaN"):
        draw(scene, **{name: broken}, backend=backend)


def test_infinite_bone_transforms_are_refused():
    scene = blob(1, 20, 10, 10)
    bones = torch.eye(4).repeat(1, 2, 1, 1)
    bones[0, 1, 0, 3] = float("inf")
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    with pytest.raises(ConfigError, match="bone transforms to draw contain NaN or infinity"):
        rasterise_skinned(*rest, torch.zeros(20, 1, dtype=torch.long), torch.ones(20, 1), bones, scene.cameras)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"centres": torch.zeros(1, 20, 2)}, r"centres have the shape \[1, 20, 2\]; it must be \[1, 20, 3\]"),
        ({"covariances": torch.zeros(1, 20, 6)}, r"covariances have the shape \[1, 20, 6\]"),
        ({"colours": torch.zeros(3, 20, 3)}, r"colours have the shape \[3, 20, 3\]"),
        ({"opacities": torch.zeros(20)}, r"opacities have the shape \[20\]; it must be \[1, 20\]"),
        ({"backend": "gpu"}, "The backend is 'gpu'; choose one of auto, cpu, cuda, torch"),
    ],
)
def test_wrong_inputs_are_refused_with_a_sentence(changed, says):
    with pytest.raises(ConfigError, match=says):
        draw(blob(1, 20, 10, 10), **changed)


@pytest.mark.parametrize("bone", [2, -1])
def test_a_bone_that_does_not_exist_is_refused(bone):
    scene = blob(1, 20, 10, 10)
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    index = torch.zeros(20, 1, dtype=torch.long)
    index[7] = bone
    with pytest.raises(ConfigError, match=r"bones are numbered from 0 to 1"):
        rasterise_skinned(*rest, index, torch.ones(20, 1), torch.eye(4).repeat(1, 2, 1, 1), scene.cameras)


def test_single_cameras_become_a_batch_that_projects_alike():
    singles = [orbit_camera([0, 0.5, 0], 3.0, a, 0.2, width=40, height=30) for a in (0.1, 0.9)]
    batch = pinhole_cameras(singles, dtype=torch.float64)
    assert len(batch) == 2
    points = np.random.default_rng(0).normal(size=(5, 3)) * 0.3
    for f, camera in enumerate(singles):
        pixels, _ = camera.project(points)
        at = batch.T_camera_world[f] @ torch.cat([torch.tensor(points), torch.ones(5, 1)], 1).T
        mine = batch.focal[f] * at[:2] / at[2] + torch.tensor([[20.0], [15.0]])
        np.testing.assert_allclose(mine.T.numpy(), pixels, atol=1e-9)
    with pytest.raises(ConfigError, match="one picture size"):
        pinhole_cameras([singles[0], look_at([0, 0, 3], [0, 0, 0], width=41, height=30)])


def test_kernels_work_where_no_cache_can_be_written(monkeypatch):
    from numba.core.dispatcher import Dispatcher

    from gambol.render.raster.simd_lanes import load_vector, raster_kernel, store_vector

    def refuse(self):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(Dispatcher, "enable_caching", refuse)

    @raster_kernel()
    def twice(x, y):
        store_vector(y, 0, load_vector(x, 0) + load_vector(x, 0))

    x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    twice(x, y)
    assert np.array_equal(y, 2 * x)


@pytest.mark.slow
def test_a_hundred_thousand_splats_are_those_of_the_twin_in_float64():
    scene = blob(1, 100_000, 150, 130, size=0.01)
    results = []
    for backend, dtype in (("cpu", torch.float32), ("torch", torch.float64)):
        leaves, cameras = scene.leaves(dtype)
        picture = rasterise(*leaves[:4], cameras, backend=backend)
        results.append((picture.rgb, gradients(picture, leaves, torch.ones_like(picture.alpha, dtype=torch.bool))))
    (found, g), (true, w) = results
    off = (found.double() - true).abs().amax(1)
    assert off.median() < 2e-7
    assert float((off > 2e-6).float().mean()) < 0.01
    assert all(relative(a, b) < 1e-3 for a, b in zip(g, w, strict=True))
