"""The adapter to gsplat, with gsplat's function replaced by brute force behind its true signature and shape checks."""

import sys
import types
from typing import Literal, Optional

import pytest
import torch
from raster_reference import blob, brute_force, gradients, relative
from torch import Tensor

from gambol.errors import MissingExtra
from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.rasterise import rasterise, rasterise_skinned


def rasterization(
    means: Tensor,
    quats: Tensor,
    scales: Tensor,
    opacities: Tensor,
    colors: Tensor,
    viewmats: Tensor,
    Ks: Tensor,
    width: int,
    height: int,
    near_plane: float = 0.01,
    far_plane: float = 1e10,
    radius_clip: float = 0.0,
    eps2d: float = 0.3,
    sh_degree: Optional[int] = None,  # noqa: UP045
    packed: bool = True,
    tile_size: int = 16,
    backgrounds: Optional[Tensor] = None,  # noqa: UP045
    render_mode: Literal["RGB", "D", "ED", "RGB+D", "RGB+ED"] = "RGB",
    sparse_grad: bool = False,
    absgrad: bool = False,
    rasterize_mode: Literal["classic", "antialiased"] = "classic",
    channel_chunk: int = 32,
    distributed: bool = False,
    camera_model: Literal["pinhole", "ortho", "fisheye", "ftheta"] = "pinhole",
    segmented: bool = False,
    covars: Optional[Tensor] = None,  # noqa: UP045
    with_ut: bool = False,
    with_eval3d: bool = False,
):
    """gsplat 1.5.3 as its documentation has it: a batch of scenes, each with C cameras; here C = 1."""
    batch, N, C = means.shape[:-2], means.shape[-2], viewmats.shape[-3]
    assert means.shape == (*batch, N, 3)
    assert covars is not None
    assert covars.shape == (*batch, N, 3, 3)
    assert opacities.shape == (*batch, N)
    assert colors.shape == (*batch, N, 3)
    assert viewmats.shape == (*batch, C, 4, 4)
    assert Ks.shape == (*batch, C, 3, 3)
    assert (near_plane, eps2d, rasterize_mode, camera_model) == (0.01, 0.3, "classic", "pinhole")
    assert render_mode == "RGB+D"
    assert sh_degree is None
    assert backgrounds is None
    assert C == 1
    assert len(batch) == 1
    assert all(x.dtype == means.dtype for x in (covars, opacities, colors, viewmats, Ks))
    upper = torch.triu(covars)  # only the upper triangle is read
    covars = upper + torch.triu(covars, 1).mT
    K = Ks[:, 0]
    assert torch.equal(K[:, 0, 0], K[:, 1, 1])
    assert not K[:, [0, 1, 2, 2], [1, 0, 0, 1]].any()
    assert torch.equal(K[:, :2, 2], K.new_tensor([width / 2, height / 2]).expand(len(K), 2))
    assert (K[:, 2, 2] == 1).all()
    cameras = PinholeCameras(viewmats[:, 0].double(), K[:, 0, 0].double(), width, height)
    picture, _ = brute_force(means.double(), covars.double(), colors.double(), opacities.double(), cameras)
    pixels = torch.cat([picture.rgb.movedim(1, -1), picture.depth[..., None]], -1)
    return pixels[:, None].to(means.dtype), picture.alpha[:, None, ..., None].to(means.dtype), {}


@pytest.fixture
def gsplat(monkeypatch):
    module = types.ModuleType("gsplat")
    module.rasterization = rasterization
    monkeypatch.setitem(sys.modules, "gsplat", module)


def test_pictures_and_gradients_through_the_adapter_are_those_of_the_twin(gsplat):
    scene = blob(3, 60, 21, 14, size=0.05)
    results = []
    for backend in ("cuda", "torch"):
        leaves, cameras = scene.leaves(torch.float64)
        picture = rasterise(*leaves[:4], cameras, backend=backend)
        results.append((picture, gradients(picture, leaves, torch.ones(3, 14, 21))))
    (found, g), (true, w) = results
    for part in ("rgb", "alpha", "depth"):
        torch.testing.assert_close(getattr(found, part), getattr(true, part), atol=1e-12, rtol=0)
    assert all(relative(a, b) < 1e-10 for a, b in zip(g, w, strict=True))


def test_opacities_per_frame_reach_gsplat(gsplat):
    scene = blob(2, 30, 16, 12, size=0.05)
    opacities = torch.full((2, 30), 0.7)
    opacities[1] = 0.0
    picture = rasterise(scene.centres, scene.covariances, scene.colours, opacities, scene.cameras, backend="cuda")
    assert picture.alpha[0].any()
    assert not picture.alpha[1].any()


def test_splats_on_bones_go_through_gsplat_after_skinning(gsplat):
    scene = blob(2, 40, 16, 12, size=0.05)
    rest = (scene.centres[0], scene.covariances[0], scene.colours[0], scene.opacities[0])
    bones = torch.eye(4).repeat(2, 3, 1, 1)
    bones[:, :, 0, 3] = torch.tensor([0.0, 0.1, -0.1])
    rig = (torch.arange(40)[:, None] % 3, torch.ones(40, 1), bones.requires_grad_())
    found = rasterise_skinned(*rest, *rig, scene.cameras, backend="cuda")
    fused = rasterise_skinned(*rest, *rig, scene.cameras, backend="cpu")
    torch.testing.assert_close(found.rgb, fused.rgb, atol=3e-6, rtol=0)
    (g,) = torch.autograd.grad(found.rgb.square().sum(), bones)
    (w,) = torch.autograd.grad(fused.rgb.square().sum(), bones)
    assert relative(g, w) < 1e-4


def test_without_gsplat_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gsplat", None)
    scene = blob(1, 3, 8, 8)
    with pytest.raises(MissingExtra, match=r"pip install 'gambol\[cuda\]'"):
        rasterise(scene.centres, scene.covariances, scene.colours, scene.opacities, scene.cameras, backend="cuda")
