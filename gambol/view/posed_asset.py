"""The poses of an asset that are drawn: the rest pose, a clip as it is, or a clip with its travel restored."""

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
from gambol.motion.feet import travel
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.foot_lock import FootLockConfig, lock_feet
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import bone_displacements, node_clip_vertices, nodes_from_clip
from gambol.motion.skinning import blend_transforms, skin_points, weight_matrix


@dataclass(frozen=True)
class PoseSequence:
    """Poses of a character, one per frame."""

    name: str
    """Name of the clip; empty for the rest pose."""
    times: Float[ndarray, "frames"]
    """Time of each frame from the start of the clip, seconds."""
    T_world_rest: Float[ndarray, "frames bones 4 4"] | None
    """Skinning transforms of the bones (T_world_bone * inverse bind); None without a skeleton."""
    node_clip: NodeClip | None = None
    """The file's own clip, where that is what is shown: its nodes may move more than the bones."""

    def __len__(self) -> int:
        return len(self.times)


def pose_asset(asset: Asset, clip: str | Clip | None, fps: float, *, restore_travel: bool = False) -> PoseSequence:
    """Pose an asset by one of its clips (name or number) or a new clip, at `fps` frames per second; None is at rest.

    `restore_travel` gives a clip that walks in place its travel over the ground back (`clip_on_ground`).
    """
    skeleton = asset.character.skeleton
    if clip is None:
        return PoseSequence("", np.zeros(1), np.tile(np.eye(4), (1, len(skeleton), 1, 1)) if skeleton else None)
    node_clip = nodes_from_clip(asset.character, clip) if isinstance(clip, Clip) else asset.clip(clip)
    if restore_travel:
        return pose_by_clip(asset.character, clip_on_ground(asset.character, node_clip, fps), name=node_clip.name)
    times = node_clip.frame_times(fps)
    moved_by = bone_displacements(asset.character, node_clip, times) if skeleton else None
    return PoseSequence(node_clip.name, times - times[0], moved_by, node_clip)


def pose_by_clip(character: Character, clip: Clip, *, name: str | None = None) -> PoseSequence:
    """The poses of a clip's frames, named as the clip by default."""
    skeleton = character.require_skeleton()
    T_world_rest = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    return PoseSequence(name or clip.name or "clip", clip.times, T_world_rest)


def clip_on_ground(character: Character, node_clip: NodeClip, fps: float) -> Clip:
    """A clip with its root motion over the ground restored and its standing feet locked to y = 0."""
    anatomy = find_anatomy(character)
    clip = travel.restore_travel(
        character, clip_with_feet(character, node_clip, anatomy, fps=fps), anatomy, ground=True
    )
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return clip
    return lock_feet(character, clip, anatomy, config=FootLockConfig(ground=0.0))


def posed_vertices(character: Character, poses: PoseSequence) -> Float[ndarray, "frames vertices 3"]:
    """Vertices of the mesh in every frame, metres: moved by the file's own nodes, else by the bones."""
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


def posed_segments(character: Character, poses: PoseSequence) -> Float[ndarray, "frames segments 2 3"]:
    """Head and tail of each bone segment in every frame, metres."""
    segments = character.require_skeleton().segments
    assert poses.T_world_rest is not None
    ends = np.stack([segments.heads, segments.tails], 1)
    moved = poses.T_world_rest[:, segments.bones]
    return np.einsum("fsij,skj->fski", moved[..., :3, :3], ends) + moved[:, :, None, :3, 3]
