"""An actor: splats bound to a skeleton, with the outline that cameras frame and the splats that cast the shadow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.character import Character
from gambol.character.compile_kernel import kernel
from gambol.character.skeleton import Skeleton
from gambol.errors import AssetError, MissingPart
from gambol.motion.clip import Clip
from gambol.motion.kinematics import RestPose, forward_kinematics, rest_pose, skinning_transforms
from gambol.motion.skinning import blend_transforms, skin_points
from gambol.splats.skinned_splats import SkinnedSplats

MAX_SHADOW_SPLATS = 2000
"""Most splats that cast a shadow; where there are more, each caster stands for its neighbours too."""


@dataclass(frozen=True)
class Outline:
    """The outermost splats of an actor as one matrix: skinning (AKD eq. 5) is linear in the bones' transforms."""

    rows: Float[Tensor, "points bones*4"]
    """w_b (x, 1) of each point, for the bones that move any of them."""
    bones: Int[Tensor, "bones"]
    """Indices of these bones."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Actor:
    """Splats, the skeleton that moves them, and the character's size."""

    splats: SkinnedSplats
    """The splats at rest, bound to the skeleton's bones."""
    skeleton: Skeleton | None
    """The motion skeleton; None for splats that stand still or move as one."""
    size: float
    """Longest side of the character's rest bounding box, metres."""
    groups: Int[ndarray, "splats"] | None = None
    """Which splats are framed together by the outline; None takes those of one bone."""

    def __post_init__(self) -> None:
        if self.skeleton is not None and self.splats.bone_count != len(self.skeleton):
            raise AssetError(
                f"The splats are bound to {self.splats.bone_count} bones, but the skeleton has {len(self.skeleton)}."
            )
        if not len(self.splats):
            raise AssetError("There are no splats to render. Make some: gambol splat FILE -o OUT.ply")

    @cached_property
    def rest(self) -> RestPose:
        """The rest pose, as forward kinematics needs it."""
        if self.skeleton is None:
            raise MissingPart("These splats have no skeleton, so no clip can move them.")
        return rest_pose(self.skeleton, dtype=self.splats.centres.dtype, device=str(self.splats.centres.device))

    @cached_property
    def outline(self) -> Outline:
        """The outermost splats of each bone in 26 directions, whose bounding box is about that of all splats."""
        splats = self.splats
        centres = splats.centres.double().cpu().numpy()
        bones = splats.skin.dominant() if self.groups is None else self.groups
        steps = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1]), -1).reshape(-1, 3)
        directions = steps[np.abs(steps).any(1)]
        members = [np.flatnonzero(bones == bone) for bone in np.unique(bones)]
        farthest = np.unique(np.concatenate([own[(centres[own] @ directions.T).argmax(0)] for own in members]))
        own = splats.skin.bones[farthest]
        used, columns = np.unique(own, return_inverse=True)
        weights = np.zeros((len(farthest), len(used)))
        np.add.at(weights, (np.arange(len(own))[:, None], columns.reshape(own.shape)), splats.skin.weights[farthest])
        places = np.concatenate([centres[farthest], np.ones((len(farthest), 1))], 1)
        rows = (weights[:, :, None] * places[:, None]).reshape(len(farthest), -1)
        return Outline(torch.as_tensor(rows).to(splats.centres), torch.as_tensor(used).to(splats.bones))

    @cached_property
    def shadow_casters(self) -> tuple[SkinnedSplats, Float[ndarray, "casters"]]:
        """Every n-th splat, and the radius of the disc that casts its shadow: 2 sqrt(n) standard deviations, metres."""
        step = -(-len(self.splats) // MAX_SHADOW_SPLATS)
        casters = self.splats.subset(torch.arange(0, len(self.splats), step))
        widest = torch.linalg.eigvalsh(casters.covariances.double())[:, -1].clamp_min(0.0).sqrt()
        return casters, (2.0 * np.sqrt(step) * widest.cpu().numpy()).clip(max=0.1 * self.size)

    def pose(
        self, root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]
    ) -> Float[Tensor, "frames bones 4 4"]:
        """Skinning transforms T_world_bone * inverse bind of a motion's root and joint angles; differentiable."""
        return skinning_transforms(self.rest, forward_kinematics(self.rest, root, angles))

    def pose_clip(self, clip: Clip) -> Float[Tensor, "frames bones 4 4"]:
        """Skinning transforms of a clip's frames."""
        if self.skeleton is not None:
            clip.check_fits(self.skeleton)
        return self.pose(*(torch.as_tensor(x).to(self.splats.centres) for x in (clip.root, clip.angles)))


def make_actor(character: Character, splats: SkinnedSplats) -> Actor:
    """Bind splats and character together as an actor."""
    return Actor(splats, character.skeleton if splats.bone_count > 1 or character.weights else None, character.size)


def outline_points(actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"]) -> Float[Tensor, "frames points 3"]:
    """World positions of the outline splats (`Actor.outline`) in every frame, metres; differentiable."""
    outline, frames = actor.outline, len(T_world_rest)
    columns = T_world_rest[:, outline.bones, :3].permute(1, 3, 0, 2).reshape(-1, 3 * frames)
    return (outline.rows @ columns).reshape(-1, frames, 3).transpose(0, 1)


def splat_centres(
    splats: SkinnedSplats, T_world_rest: Float[Tensor, "frames bones 4 4"], axes: tuple[int, ...] = (0, 1, 2)
) -> Float[Tensor, "frames splats axes"]:
    """World coordinates `axes` of the splats' centres in every frame (AKD eq. 5), metres; fast, without gradient."""
    T = T_world_rest.detach()
    if T.device.type != "cpu":
        return skin_points(blend_transforms(splats.weight_matrix, T), splats.centres)[..., list(axes)]
    places = torch.empty(len(T), len(splats), len(axes))
    arrays = [x.detach().numpy() for x in (splats.centres, splats.bones, splats.weights)]
    for k, axis in enumerate(axes):
        skin_axis(*arrays, T[:, :, axis].contiguous().numpy(), places[..., k].numpy())
    return places


@kernel
def skin_axis(centres, bones, weights, rows, places):
    """sum_k w_k (r_k . x + t_k) with [r_k | t_k] one row of each bone's transform."""
    for frame in range(len(rows)):
        for i in range(len(centres)):
            x, y, z = centres[i]
            total = 0.0
            for k in range(bones.shape[1]):
                if weights[i, k] > 0.0:
                    row = rows[frame, bones[i, k]]
                    total += weights[i, k] * (row[0] * x + row[1] * y + row[2] * z + row[3])
            places[frame, i] = total
