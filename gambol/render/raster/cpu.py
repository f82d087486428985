"""The splat rasteriser on the CPU: Numba kernels with hand-written derivatives behind torch's autograd.

Splats in world coordinates get gradients for all inputs. Skinned splats are skinned, projected and rasterised in one
step, with gradients for bones and camera only, which is what distillation needs. Each frame is drawn by one thread into
its own buffers, so the result does not depend on the number of threads, which is torch's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.draw_frame import (
    draw_skinned_frame,
    draw_world_frame,
    skinned_frame_gradients,
    world_frame_gradients,
)
from gambol.render.raster.picture import Picture
from gambol.render.raster.projection import RECORD_SIZE
from gambol.render.raster.torch_reference import JACOBIAN_EXTENT


def rasterise_world_cpu(
    centres: Float[Tensor, "frames splats 3"],
    covariances: Float[Tensor, "frames splats 3 3"],
    colours: Float[Tensor, "colour_frames splats 3"],
    opacities: Float[Tensor, "opacity_frames splats"],
    cameras: PinholeCameras,
) -> Picture:
    """Rasterise splats in world coordinates; see `rasterise.rasterise`."""
    camera = cameras.T_camera_world[:, :3].reshape(len(cameras), 12)
    inputs = (camera, centres, covariances.reshape(*centres.shape[:2], 9), colours, opacities)
    return Picture(*_WorldSplats.apply(cameras, *(x.float().contiguous() for x in inputs)))


def rasterise_skinned_cpu(
    centres: Float[Tensor, "splats 3"],
    covariances: Float[Tensor, "splats 3 3"],
    colours: Float[Tensor, "colour_frames splats 3"],
    opacities: Float[Tensor, "opacity_frames splats"],
    bone_index: Int[Tensor, "splats influences"],
    bone_weight: Float[Tensor, "splats influences"],
    bone_transforms: Float[Tensor, "frames bones 4 4"],
    cameras: PinholeCameras,
) -> Picture:
    """Rasterise skinned splats; differentiable with respect to bone transforms and cameras only."""
    camera, bones = cameras.T_camera_world[:, :3].float(), bone_transforms[:, :, :3].float()
    once = (x.float()[None] for x in (bone_weight, centres, covariances.reshape(-1, 9)))
    return Picture(
        *_SkinnedSplats.apply(cameras, camera, bones, bone_index.int()[None], *once, colours.float(), opacities.float())
    )


class _WorldSplats(torch.autograd.Function):
    """Inputs: camera, centres and covariances per frame; colours and opacities per frame or once."""

    @staticmethod
    def forward(ctx: Any, cameras: PinholeCameras, *inputs: Tensor) -> Any:
        camera, centres, covariances, colours, opacities = inputs
        ctx.save_for_backward(*inputs)
        ctx.view, picture = camera_intrinsics(cameras), _canvas(cameras)
        tables = (camera, centres, covariances, ctx.view, colours, opacities.log2(), *picture)
        ctx.drawn = _each_frame(draw_world_frame, len(cameras), tables)
        ctx.sizes = [x.shape for x in picture]
        ctx.set_materialize_grads(False)
        return picture

    @staticmethod
    def backward(ctx: Any, *of_picture: Tensor | None) -> Any:
        camera, centres, covariances, colours, opacities = ctx.saved_tensors
        frames = len(camera)
        of_inputs = [_zeros(frames, *x.shape[1:]) for x in ctx.saved_tensors]
        tables = (*_gradients(ctx, of_picture), camera, centres, covariances, ctx.view, opacities, *of_inputs)
        _each_frame(world_frame_gradients, frames, tables, ctx.drawn)
        for i, shared in ((3, colours), (4, opacities)):
            of_inputs[i] = of_inputs[i].sum_to_size(shared.shape)
        return None, *of_inputs


class _SkinnedSplats(torch.autograd.Function):
    """Inputs: camera and bones per frame; the splats' own numbers once, which get no gradient.

    The camera's rotation is multiplied into the bones, by NumPy: so small a product is no work for torch's threads.
    """

    @staticmethod
    def forward(ctx: Any, cameras: PinholeCameras, *inputs: Tensor) -> Any:
        camera, bones, *carried, colours, opacities = inputs
        turned = np.zeros((*bones.shape[:2], RECORD_SIZE), np.float32)
        turned[..., :12] = (camera.numpy()[:, None, :, :3] @ bones.numpy()).reshape(*bones.shape[:2], 12)
        ctx.save_for_backward(camera, bones, torch.from_numpy(turned), *carried)
        ctx.view, picture = camera_intrinsics(cameras), _canvas(cameras)
        tables = (torch.from_numpy(turned), camera[:, :, 3], *carried, ctx.view, colours, opacities.log2(), *picture)
        ctx.drawn = _each_frame(draw_skinned_frame, len(cameras), tables)
        ctx.sizes = [x.shape for x in picture]
        ctx.set_materialize_grads(False)
        return picture

    @staticmethod
    def backward(ctx: Any, *of_picture: Tensor | None) -> Any:
        camera, bones, turned, *carried = ctx.saved_tensors
        of_turned, of_shift = _zeros(*turned.shape), _zeros(len(camera), 3)
        tables = (*_gradients(ctx, of_picture), turned, camera[:, :, 3], *carried, ctx.view, of_turned, of_shift)
        drawn = [(*frame, of_picture[2] is not None) for frame in ctx.drawn]
        _each_frame(skinned_frame_gradients, len(camera), tables, drawn)
        G = of_turned.numpy()[..., :12].reshape(bones.shape)
        of_bones = camera.numpy()[:, None, :, :3].swapaxes(-1, -2) @ G
        of_rotation = (G @ bones.numpy().swapaxes(-1, -2)).sum(1)
        of_camera = np.concatenate([of_rotation, of_shift.numpy()[..., None]], -1)
        return None, torch.from_numpy(of_camera), torch.from_numpy(of_bones), *(None for _ in range(6))


def _each_frame(
    work: Callable[..., Any], frames: int, tables: Sequence[Tensor], drawn: Sequence[tuple] | None = None
) -> list[Any]:
    """Call work(*drawn[frame], a row of each table) for every frame, in as many threads as torch uses.

    A table with one row serves all frames.
    """
    arrays = [x.detach().contiguous().expand(frames, *x.shape[1:]).numpy() for x in tables]

    def one(frame: int) -> Any:
        return work(*(drawn[frame] if drawn else ()), *(x[frame] for x in arrays))

    threads = min(frames, torch.get_num_threads())
    if threads < 2:
        return [one(frame) for frame in range(frames)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(frames)))


def _canvas(cameras: PinholeCameras) -> tuple[Tensor, Tensor, Tensor]:
    """Uninitialised rgb, alpha and depth."""
    size = (len(cameras), cameras.height, cameras.width)
    return torch.empty(size[0], 3, *size[1:]), torch.empty(size), torch.empty(size)


def _gradients(ctx: Any, of_picture: Sequence[Tensor | None]) -> list[Tensor]:
    """The gradients of rgb, alpha and depth; zeros for those that the loss does not use."""
    return [_zeros(*size) if x is None else x for x, size in zip(of_picture, ctx.sizes, strict=True)]


def _zeros(*shape: int) -> Tensor:
    """Zeros from NumPy, which leaves the zeroing to the system, page by page as they are touched."""
    return torch.from_numpy(np.zeros(shape, np.float32))


def camera_intrinsics(cameras: PinholeCameras) -> Float[Tensor, "frames 5"]:
    """Per frame: focal length, half width and half height in pixels, and the slopes x/z, y/z at which J is clamped."""
    focal = cameras.focal.float()
    half_width, half_height = torch.full_like(focal, cameras.width / 2), torch.full_like(focal, cameras.height / 2)
    return torch.stack(
        [focal, half_width, half_height, JACOBIAN_EXTENT * half_width / focal, JACOBIAN_EXTENT * half_height / focal],
        -1,
    )
