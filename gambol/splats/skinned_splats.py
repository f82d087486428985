"""Gaussians bound to bones: their data, their deformation by bones (AKD eq. 2), their colour from a viewpoint."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gambol.character.weights import SkinWeights
from gambol.errors import AssetError, ConfigError
from gambol.motion.skinning import blend_transforms, skin_covariances, skin_points, weight_matrix
from gambol.splats.harmonics import colours_from_harmonics, rotate_harmonics

HARMONICS_COUNTS = (1, 4, 9, 16)
"""Numbers of harmonics per colour channel: degree 0, 1, 2, 3."""


@dataclass(frozen=True)
class SkinnedSplats:
    """Gaussians at rest in Gambol's world (metres, y up, facing +x), each moved by a few bones.

    Colours are sRGB values as a screen shows them, so splats are blended in that space, as in 3DGS.
    """

    centres: Float[Tensor, "splats 3"]
    """Centres at rest, metres."""
    covariances: Float[Tensor, "splats 3 3"]
    """Covariances at rest, square metres."""
    opacities: Float[Tensor, "splats"]
    """Opacities, 0 to 1."""
    harmonics: Float[Tensor, "splats coefficients 3"]
    """Spherical-harmonics coefficients of the colour, degree 0 to 3 (see `harmonics`)."""
    bones: Int[Tensor, "splats influences"]
    """Indices of the bones that move each splat."""
    weights: Float[Tensor, "splats influences"]
    """Skin weights of these bones; rows sum to 1, unused slots have weight 0 and bone 0."""
    bone_count: int
    """Number of bones of the skeleton; 1 for splats without a skeleton, which move as one."""

    def __post_init__(self) -> None:
        count = len(self.centres)
        wanted = {"centres": (count, 3), "covariances": (count, 3, 3), "opacities": (count,)}
        wanted |= {"harmonics": (count, self.harmonics.shape[1], 3), "weights": tuple(self.bones.shape)}
        for name, shape in wanted.items():
            given = tuple(getattr(self, name).shape)
            if given != shape:
                raise AssetError(f"{count} splats need {name} of shape {shape}; given is {given}.")
            if not bool(torch.isfinite(getattr(self, name)).all()):
                raise AssetError(f"Splats have {name} that are not finite.")
        if self.harmonics.shape[1] not in HARMONICS_COUNTS:
            raise AssetError(f"Splats have {self.harmonics.shape[1]} harmonics; allowed are 1, 4, 9 or 16.")
        if self.bones.dim() != 2 or not self.bones.shape[1] or len(self.bones) != count:
            raise AssetError(f"{count} splats need a row of bones each; given are {len(self.bones)}.")
        if count:
            _check_values(self)

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def degree(self) -> int:
        """Degree of the harmonics; at 0 the colour does not depend on the view."""
        return HARMONICS_COUNTS.index(self.harmonics.shape[1])

    @cached_property
    def skin(self) -> SkinWeights:
        """The skin weights in the form that meshes have."""
        return SkinWeights(self.bones.cpu().numpy(), self.weights.cpu().numpy(), self.bone_count)

    @cached_property
    def weight_matrix(self) -> Tensor:
        """The skin weights as a sparse [splats, bones] tensor."""
        return weight_matrix(self.skin, dtype=self.centres.dtype, device=str(self.centres.device))

    def to(self, device: str | torch.device) -> SkinnedSplats:
        """The splats on another device."""
        moved = {name: tensor.to(device) for name, tensor in _tensors(self).items()}
        return SkinnedSplats(**moved, bone_count=self.bone_count)

    def subset(self, chosen: Int[Tensor, "chosen"] | Bool[Tensor, "splats"]) -> SkinnedSplats:
        """Some of the splats."""
        picked = {name: tensor[chosen] for name, tensor in _tensors(self).items()}
        return SkinnedSplats(**picked, bone_count=self.bone_count)


def deform(
    splats: SkinnedSplats, T_world_rest: Float[Tensor, "*frames bones 4 4"]
) -> tuple[Float[Tensor, "*frames splats 3"], Float[Tensor, "*frames splats 3 3"]]:
    """Deform splats by bones: centres phi(x) = sum_i w_i (R_i x + T_i), covariances J S J^T, J = sum_i w_i R_i (eq. 2).

    `T_world_rest` are the bones' skinning transforms, T_world_bone * inverse bind (`kinematics.skinning_transforms`).
    """
    blended = blend_transforms(splats.weight_matrix, T_world_rest)
    return skin_points(blended, splats.centres), skin_covariances(blended, splats.covariances)


def splat_colours(
    splats: SkinnedSplats,
    eyes: Float[Tensor, "frames 3"],
    T_world_rest: Float[Tensor, "frames bones 4 4"] | None = None,
) -> Float[Tensor, "splats 3"] | Float[Tensor, "frames splats 3"]:
    """Colours of the splats from viewpoints, one per frame; [splats, 3] where they do not depend on the view.

    The direction d from the eye is rotated back into the rest frame by the splat's own rotation: J^T d, normalised.
    """
    if splats.degree == 0:
        return colours_from_harmonics(splats.harmonics)
    if T_world_rest is None:
        away = splats.centres - eyes[:, None]
    else:
        blended = blend_transforms(splats.weight_matrix, T_world_rest)
        world = skin_points(blended, splats.centres) - eyes[:, None]
        away = (blended[..., :3].transpose(-1, -2) @ world.unsqueeze(-1)).squeeze(-1)
    return colours_from_harmonics(splats.harmonics, torch.nn.functional.normalize(away, dim=-1))


def transform_splats(splats: SkinnedSplats, T: Float[Tensor, "4 4"]) -> SkinnedSplats:
    """The splats translated, rotated and uniformly scaled by T, with their harmonics; skin weights stay."""
    A = T[:3, :3].to(splats.centres)
    scale = torch.linalg.det(A).abs() ** (1.0 / 3.0)
    if not bool(scale > 0) or not torch.allclose(A @ A.T, scale**2 * torch.eye(3).to(A), atol=float(1e-4 * scale**2)):
        raise ConfigError(
            "Splats can be translated, rotated and uniformly scaled; the given transform does something else."
        )
    if float(torch.linalg.det(A)) < 0:
        raise ConfigError("Splats cannot be mirrored: the given transform has a negative determinant.")
    return replace(
        splats,
        centres=splats.centres @ A.T + T[:3, 3].to(A),
        covariances=A @ splats.covariances @ A.T,
        harmonics=rotate_harmonics(splats.harmonics, A / scale),
    )


def _check_values(splats: SkinnedSplats) -> None:
    S, bones, weights = splats.covariances, splats.bones, splats.weights
    largest = S.abs().amax((-1, -2), keepdim=True)
    if bool(((S - S.transpose(-1, -2)).abs() > 1e-5 * largest).any()):
        raise AssetError("Splats have covariances that are not symmetric.")
    diagonal = S.diagonal(dim1=-2, dim2=-1)
    products = diagonal[:, [0, 0, 1]] * diagonal[:, [1, 2, 2]]
    minors = products - torch.stack([S[:, 0, 1], S[:, 0, 2], S[:, 1, 2]], -1) ** 2
    scale = largest[:, 0]
    if bool((diagonal < 0).any() or (minors < -1e-5 * scale**2).any()):
        raise AssetError("Splats have covariances that are not positive: a Gaussian cannot be less than flat.")
    if bool((splats.opacities < 0).any() or (splats.opacities > 1).any()):
        raise AssetError("Splats have opacities outside 0 to 1.")
    if int(bones.min()) < 0 or int(bones.max()) >= splats.bone_count:
        raise AssetError(f"Splats name bone {int(bones.max())} of {splats.bone_count}.")
    if bool((weights < 0).any() or ((weights.sum(1) - 1.0).abs() > 1e-4).any()):
        raise AssetError("Splats need weights that are not negative and sum to 1 in every row.")


def _tensors(splats: SkinnedSplats) -> dict[str, Tensor]:
    return {f.name: getattr(splats, f.name) for f in fields(splats) if f.name != "bone_count"}
