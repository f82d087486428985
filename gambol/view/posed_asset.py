"""An asset in motion, ready to be drawn: the rest pose, one of its clips as it is, or the clip on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.errors import MissingPart
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.feet.foot_correction import clip_with_feet
from gambol.motion.feet.planting import PlantConfig, plant_feet
from gambol.motion.feet.travel import restore_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_motion import bone_displacements, node_clip_vertices
from gambol.motion.skinning import blend_transforms, skin_points, weight_matrix


@dataclass(frozen=True)
class Poses:
    """The poses of a film."""

    name: str
    """Of the clip; empty for the rest pose."""
    times: Float[ndarray, "frames"]
    """Seconds from the start."""
    T_world_rest: Float[ndarray, "frames bones 4 4"] | None
    """Where each bone carries the rest surface; None without a skeleton."""
    node_clip: NodeClip | None
    """The file's own clip, if that is what is shown."""

    def __len__(self) -> int:
        return len(self.times)


def pose_asset(asset: Asset, clip: str | None, fps: float, *, travel: bool = False) -> Poses:
    """The rest pose, or a clip of the asset; `travel` puts it on the ground (`clip_on_ground`)."""
    skeleton = asset.character.skeleton
    if clip is None:
        rest = np.tile(np.eye(4), (1, len(skeleton), 1, 1)) if skeleton else None
        return Poses("", np.zeros(1), rest, None)
    node_clip = asset.clip(clip)
    if travel:
        moved = clip_on_ground(asset.character, node_clip, fps)
        T = pose_clip(asset.character.require_skeleton(), moved) @ rigid_inverse(
            asset.character.require_skeleton().T_world_rest
        )
        return Poses(node_clip.name, moved.times, T, None)
    times = node_clip.frame_times(fps)
    moved_by = bone_displacements(asset.character, node_clip, times) if skeleton else None
    return Poses(node_clip.name, times - times[0], moved_by, node_clip)


def clip_on_ground(character: Character, node_clip: NodeClip, fps: float) -> Clip:
    """A file's clip with the way that its artist left out, the standing feet locked to y = 0."""
    anatomy = find_anatomy(character)
    clip = restore_travel(character, clip_with_feet(character, node_clip, anatomy, fps=fps), anatomy, ground=True)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return clip
    return plant_feet(character, clip, anatomy, config=PlantConfig(ground=0.0))


def posed_vertices(character: Character, poses: Poses) -> Float[ndarray, "frames vertices 3"]:
    """The surface in every frame: as the file's own nodes move it, else as the bones do."""
    if character.mesh is None:
        verb = f"gambol rig MESH --skeleton {character.name} -o OUT.glb"
        raise MissingPart(f"{character.name} has a skeleton but no mesh to draw. Give it a mesh: {verb}")
    if poses.node_clip is not None:
        return node_clip_vertices(character, poses.node_clip, poses.node_clip.start + poses.times)
    if poses.T_world_rest is None or not poses.name:
        return character.mesh.vertices[None]
    mesh, _, weights = character.require_skin()
    blended = blend_transforms(weight_matrix(weights, dtype=torch.float64), torch.from_numpy(poses.T_world_rest))
    return skin_points(blended, torch.from_numpy(mesh.vertices)).numpy()


def posed_segments(character: Character, poses: Poses) -> Float[ndarray, "frames segments 2 3"]:
    """Head and tail of each bone segment in every frame."""
    segments = character.require_skeleton().segments
    assert poses.T_world_rest is not None
    ends = np.stack([segments.heads, segments.tails], 1)
    moved = poses.T_world_rest[:, segments.bones]
    return np.einsum("fsij,skj->fski", moved[..., :3, :3], ends) + moved[:, :, None, :3, 3]
