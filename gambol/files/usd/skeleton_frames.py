"""A file's node tree as a UsdSkel skeleton: joints without scale, where they are at bind, at rest and in clips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import NodeTree, Scene
from gambol.character.transforms import decompose_trs
from gambol.motion.node_clip import NodeClip
from gambol.motion.rotations import continuous_quaternions

CURVE_FPS = 60.0
"""Samples per second of curves that are no straight lines between their keys."""
LEAST_JOINT_SCALE = 1e-9
"""A smaller scale of a joint counts as none: it cannot be divided by."""


@dataclass(frozen=True)
class JointFrames:
    """Nodes of a file as joints whose frames have no scale at rest.

    A joint's frame is W' = W D with W the node's transform in the world and D = 1 / (scale of W at rest). Skinning is
    the same with W' and the bind transforms B D as with W and B, for any constant D; and UsdSkel keeps scales in half
    precision, which a scale of 1 does not suffer from.
    """

    nodes: NodeTree
    """The file's nodes."""
    unscale: Float[ndarray, "nodes 3"]
    """Diagonal of D for each node."""

    def in_world(self, T_world_node: Float[ndarray, "*frames nodes 4 4"]) -> Float[ndarray, "*frames nodes 4 4"]:
        """W' = W D."""
        result = np.array(T_world_node)
        result[..., :3, :3] *= self.unscale[:, None, :]
        return result

    def local(self, T_world_node: Float[ndarray, "*frames nodes 4 4"]) -> Float[ndarray, "*frames nodes 4 4"]:
        """Transform of each joint in its parent: L' = W'_parent^-1 W'."""
        world, parents = self.in_world(T_world_node), self.nodes.parents
        below = np.flatnonzero(parents >= 0)
        result = world.copy()
        result[..., below, :, :] = np.linalg.inv(world[..., parents[below], :, :]) @ world[..., below, :, :]
        return result

    def bind(self, scene: Scene, skin: int | None) -> Float[ndarray, "nodes 4 4"]:
        """Where each joint was when a skin was bound; joints that it does not use are where they rest."""
        T = np.array(self.nodes.T_world_node)
        if skin is not None:
            bound = scene.skins[skin]
            T[bound.joints] = np.linalg.inv(bound.inverse_binds)
        return self.in_world(T)


@dataclass(frozen=True)
class SampledClip:
    """A clip as UsdSkel holds it: translation, rotation and scale of joints over time."""

    name: str
    """Name of the clip."""
    times: Float[ndarray, "frames"]
    """Time of each sample, seconds."""
    joints: tuple[int, ...]
    """Nodes that move."""
    translations: Float[ndarray, "frames joints 3"]
    """Translations, file units."""
    rotations_wxyz: Float[ndarray, "frames joints 4"]
    """Unit quaternions, each next to the one before."""
    scales: Float[ndarray, "frames joints 3"]
    """Scale factors, 1 where the file does not animate them."""


def joint_frames(nodes: NodeTree) -> JointFrames:
    """The frames of a file's nodes."""
    lengths = np.linalg.norm(nodes.T_world_node[:, :3, :3], axis=1)
    return JointFrames(nodes, 1.0 / np.where(lengths > LEAST_JOINT_SCALE, lengths, 1.0))


def sample_clip(frames: JointFrames, clip: NodeClip) -> SampledClip:
    """A clip at all times at which a node has a key; between cubic keys also 60 times a second."""
    times = clip.key_times()
    if any(c.interpolation == "CUBICSPLINE" for c in clip.channels):
        times = np.unique(np.concatenate([times, clip.frame_times(CURVE_FPS)]))
    moved = tuple(sorted({c.node for c in clip.channels if c.path != "weights"}))
    local = frames.local(clip.sample(frames.nodes, times))[:, list(moved)]
    translations, rotations, scales = decompose_trs(local)
    scales = np.where(np.abs(scales - 1.0) < 1e-5, 1.0, scales)
    return SampledClip(clip.name, times, moved, translations, continuous_quaternions(rotations), scales)
