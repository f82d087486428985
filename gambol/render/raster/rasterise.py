"""Rasterise splats: in world coordinates, or skinned to bones; with one of three backends."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.errors import ConfigError
from gambol.motion.skinning import skin_covariances, skin_points
from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.picture import Picture

Backend = Literal["auto", "cpu", "cuda", "torch"]
"""`cpu`: Numba kernels in float32; `cuda`: gsplat; `torch`: slow, any device and precision; `auto`: by device."""


def rasterise(
    centres: Float[Tensor, "frames splats 3"],
    covariances: Float[Tensor, "frames splats 3 3"],
    colours: Float[Tensor, "colour_frames splats 3"],
    opacities: Float[Tensor, "opacity_frames splats"],
    cameras: PinholeCameras,
    *,
    backend: Backend = "auto",
) -> Picture:
    """Rasterise splats given in world coordinates, without a background; `torch_reference` has the equations.

    Colours and opacities are given per frame, or once for all frames (one row). Differentiable with respect to all four
    and the cameras' `T_camera_world`. Covariances are symmetric and may be singular; their gradient is symmetric.
    """
    frames, splats = len(cameras), centres.shape[1] if centres.dim() == 3 else -1
    _check_shape("centres", centres, (frames, splats, 3))
    _check_shape("covariances", covariances, (frames, splats, 3, 3))
    _check_look(colours, opacities, frames, splats)
    backend = _choose(backend, centres)
    _check_finite(centres=centres, covariances=covariances, colours=colours, opacities=opacities, cameras=cameras)
    if backend == "cpu":
        from gambol.render.raster.cpu import rasterise_world_cpu

        return rasterise_world_cpu(centres, covariances, colours, opacities, cameras)
    if backend == "cuda":
        from gambol.render.raster.gsplat import rasterise_gsplat

        return rasterise_gsplat(centres, covariances, colours, opacities, cameras)
    from gambol.render.raster.torch_reference import rasterise_torch

    return rasterise_torch(centres, covariances, colours, opacities, cameras)


def rasterise_skinned(
    centres: Float[Tensor, "splats 3"],
    covariances: Float[Tensor, "splats 3 3"],
    colours: Float[Tensor, "*colour_frames splats 3"],
    opacities: Float[Tensor, "*opacity_frames splats"],
    bone_index: Int[Tensor, "splats influences"],
    bone_weight: Float[Tensor, "splats influences"],
    bone_transforms: Float[Tensor, "frames bones 4 4"],
    cameras: PinholeCameras,
    *,
    backend: Backend = "auto",
) -> Picture:
    """Rasterise skinned splats: centre sum_k w_k T_k x, covariance J S J^T, J = sum_k w_k R_k (AKD eq. 2 and 5).

    `bone_transforms` are T_world_bone times the inverse bind. Differentiable with respect to them and the cameras'
    `T_camera_world`; on the CPU, skinning and rasterising are one fused step. Where the splats themselves require a
    gradient, they are separate steps.
    """
    frames, splats = len(cameras), len(centres)
    _check_shape("centres", centres, (splats, 3))
    _check_shape("covariances", covariances, (splats, 3, 3))
    _check_shape("bone transforms", bone_transforms, (frames, bone_transforms.shape[1], 4, 4))
    _check_bones(bone_index, bone_weight, splats, bone_transforms.shape[1])
    colours = colours if colours.dim() == 3 else colours[None]
    opacities = opacities if opacities.dim() == 2 else opacities[None]
    backend = _choose(backend, centres)
    own = (centres, covariances, colours, opacities, bone_weight)
    if backend == "cpu" and not (torch.is_grad_enabled() and any(x.requires_grad for x in own)):
        from gambol.render.raster.cpu import rasterise_skinned_cpu

        _check_look(colours, opacities, frames, splats)
        _check_finite(
            centres=centres,
            covariances=covariances,
            colours=colours,
            opacities=opacities,
            weights=bone_weight,
            bone_transforms=bone_transforms,
            cameras=cameras,
        )
        return rasterise_skinned_cpu(*own[:4], bone_index, bone_weight, bone_transforms, cameras)
    blended = blend_bone_transforms(bone_index, bone_weight, bone_transforms)
    placed, shapes = skin_points(blended, centres), skin_covariances(blended, covariances)
    return rasterise(placed, shapes, colours, opacities, cameras, backend=backend)


def blend_bone_transforms(
    bone_index: Int[Tensor, "splats influences"],
    bone_weight: Float[Tensor, "splats influences"],
    bone_transforms: Float[Tensor, "frames bones 4 4"],
) -> Float[Tensor, "frames splats 3 4"]:
    """Blended skinning transforms sum_k w_k [R_k | T_k] of every splat."""
    weights = bone_weight.new_zeros(len(bone_weight), bone_transforms.shape[1])
    weights = weights.scatter_add(1, bone_index.long(), bone_weight)
    return torch.einsum("nb,fbij->fnij", weights, bone_transforms[:, :, :3])


def _choose(backend: Backend, centres: Tensor) -> Backend:
    if backend not in get_args(Backend):
        raise ConfigError(f"The backend is '{backend}'; choose one of {', '.join(get_args(Backend))}.")
    device = centres.device.type
    if backend == "cpu" and device != "cpu":
        raise ConfigError(
            f"The splats are on '{device}', which the backend 'cpu' cannot draw; use 'auto' or move them."
        )
    if backend != "auto":
        return backend
    known: dict[str, Backend] = {"cpu": "cpu", "cuda": "cuda"}
    return known.get(device, "torch")


def _check_shape(name: str, given: Tensor, wanted: tuple[int, ...]) -> None:
    if tuple(given.shape) != wanted:
        raise ConfigError(f"The splats' {name} have the shape {list(given.shape)}; it must be {list(wanted)}.")


def _check_look(colours: Tensor, opacities: Tensor, frames: int, splats: int) -> None:
    for name, given, rest in (("colours", colours, (splats, 3)), ("opacities", opacities, (splats,))):
        if tuple(given.shape) not in ((frames, *rest), (1, *rest)):
            raise ConfigError(
                f"The splats' {name} have the shape {list(given.shape)}; "
                f"it must be {[frames, *rest]}, or {[1, *rest]} for all frames."
            )


def _check_bones(bone_index: Tensor, bone_weight: Tensor, splats: int, bones: int) -> None:
    _check_shape("bone weights", bone_weight, (splats, bone_weight.shape[-1]))
    _check_shape("bone numbers", bone_index, tuple(bone_weight.shape))
    if bone_index.numel() and (int(bone_index.min()) < 0 or int(bone_index.max()) >= bones):
        raise ConfigError(
            f"A splat is bound to bone {int(bone_index.max())}, but bones are numbered from 0 to {bones - 1}."
        )


def _check_finite(cameras: PinholeCameras, **given: Tensor) -> None:
    """Check one sum per tensor, which a NaN or infinity anywhere spoils; by NumPy, which starts no threads."""
    given = {**given, "cameras": cameras.T_camera_world, "focal lengths": cameras.focal}
    if given["cameras"].device.type == "cpu":
        finite = all(np.isfinite(x.detach().numpy().sum()) for x in given.values())
    else:
        finite = bool(torch.stack([x.detach().sum().double() for x in given.values()]).isfinite().all())
    if not finite:
        wrong = [name.replace("_", " ") for name, x in given.items() if not bool(torch.isfinite(x).all())]
        raise ConfigError(
            f"The {' and '.join(wrong)} to draw contain NaN or infinity; look for the step that made them so."
        )
