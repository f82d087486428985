"""The splat rasteriser on CUDA: gsplat, whose conventions the other backends follow."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import MissingExtra
from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.picture import Picture
from gambol.render.raster.torch_reference import LOW_PASS_VARIANCE, SPLAT_NEAR_PLANE


def rasterise_gsplat(
    centres: Float[Tensor, "frames splats 3"],
    covariances: Float[Tensor, "frames splats 3 3"],
    colours: Float[Tensor, "colour_frames splats 3"],
    opacities: Float[Tensor, "opacity_frames splats"],
    cameras: PinholeCameras,
) -> Picture:
    """Rasterise all frames in one call of gsplat: each frame is a scene of its batch with one camera.

    gsplat reads the upper triangle of a covariance, so the mean with its transpose is given: the gradient is symmetric.
    """
    try:
        from gsplat import rasterization
    except ImportError as error:
        raise MissingExtra("Drawing splats on a GPU", "cuda") from error
    frames, splats = centres.shape[:2]
    matrices = centres.new_zeros(frames, 1, 3, 3)
    matrices[..., 0, 0] = matrices[..., 1, 1] = cameras.focal[:, None].to(centres)
    matrices[..., 0, 2], matrices[..., 1, 2], matrices[..., 2, 2] = cameras.width / 2, cameras.height / 2, 1.0
    pixels, alpha, _ = rasterization(
        means=centres,
        quats=None,
        scales=None,
        opacities=opacities.expand(frames, splats),
        colors=colours.expand(frames, splats, 3),
        viewmats=cameras.T_camera_world[:, None].to(centres),
        Ks=matrices,
        width=cameras.width,
        height=cameras.height,
        near_plane=SPLAT_NEAR_PLANE,
        eps2d=LOW_PASS_VARIANCE,
        packed=False,
        render_mode="RGB+D",
        covars=torch.lerp(covariances, covariances.mT, 0.5),
    )
    pixels = pixels[:, 0].movedim(-1, 1)
    return Picture(pixels[:, :3], alpha[:, 0, ..., 0], pixels[:, 3])
