"""Skinned splats in 3DGS .ply files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.transforms import quaternion_from_matrix
from gambol.errors import AssetError
from gambol.files.splat_ply import SplatArrays, read_splat_ply, write_splat_ply
from gambol.files.splat_sequence import SplatSequence
from gambol.splats.binding import single_bone_weights
from gambol.splats.covariance import axes_from_covariance, covariance_from_axes, rotation_from_wxyz
from gambol.splats.skinned_splats import SkinnedSplats

OPACITY_MARGIN = 1e-6
"""Opacities are kept this far from 0 and 1 in files, because viewers expect finite logits."""


def write_splats(splats: SkinnedSplats, target: str | Path) -> Path:
    """Write the splats at rest as a 3DGS .ply, which other viewers show; bone weights are extra fields."""
    wxyz, scales = axes_from_covariance(splats.covariances)
    opacities = splats.opacities.detach().cpu().double().clamp(OPACITY_MARGIN, 1.0 - OPACITY_MARGIN)
    bound = splats.bone_count > 1
    arrays = SplatArrays(
        splats.centres.detach().cpu().numpy(),
        splats.harmonics.detach().cpu().numpy(),
        torch.logit(opacities).float().numpy(),
        torch.log(scales).cpu().numpy(),
        wxyz.cpu().numpy(),
        splats.bones.cpu().numpy() if bound else None,
        splats.weights.cpu().numpy() if bound else None,
        splats.bone_count,
    )
    return write_splat_ply(arrays, target)


def splat_sequence(
    splats: SkinnedSplats, T_world_rest: Float[Tensor, "frames splats 4 4"], fps: float
) -> SplatSequence:
    """Splats that one rigid transform each moves in every frame; colours are those of degree 0."""
    wxyz, scales = axes_from_covariance(splats.covariances)
    centres, T = splats.centres.detach().cpu(), T_world_rest.detach().cpu()
    R = T[..., :3, :3] @ rotation_from_wxyz(wxyz.cpu())
    return SplatSequence(
        fps,
        ((T[..., :3, :3] @ centres[:, :, None])[..., 0] + T[..., :3, 3]).numpy(),
        quaternion_from_matrix(R.double().numpy()),
        scales.cpu().numpy(),
        splats.opacities.detach().cpu().double().clamp(OPACITY_MARGIN, 1.0 - OPACITY_MARGIN).numpy(),
        splats.harmonics[:, 0].detach().cpu().numpy(),
    )


def read_splats(path: str | Path) -> SkinnedSplats:
    """Read a 3DGS .ply; splats without bone weights get one bone (`binding.bind_splats` binds them to others)."""
    arrays = read_splat_ply(path)
    scales = torch.from_numpy(arrays.log_scales).double().exp()
    R = rotation_from_wxyz(torch.from_numpy(arrays.rotations_wxyz).double())
    loose = single_bone_weights(len(arrays))
    try:
        return SkinnedSplats(
            torch.from_numpy(arrays.positions),
            covariance_from_axes(R, scales).float(),
            torch.from_numpy(arrays.opacity_logits).sigmoid(),
            torch.from_numpy(np.ascontiguousarray(arrays.harmonics)),
            torch.from_numpy(loose.bones if arrays.bones is None else arrays.bones),
            torch.from_numpy(loose.weights if arrays.weights is None else arrays.weights),
            arrays.bone_count,
        )
    except AssetError as error:
        raise AssetError(f"{Path(path).name}: {error}") from error
