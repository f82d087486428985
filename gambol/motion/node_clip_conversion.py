"""Between a file's nodes and the motion skeleton: node clips to clips, clips to node clips."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Binding, Character
from gambol.character.scene import pose_parts
from gambol.character.transforms import compose_trs, decompose_trs, nearest_rotation, rigid_inverse
from gambol.errors import MissingPart
from gambol.motion.clip import Clip, clip_from_matrices
from gambol.motion.node_clip import NodeChannel, NodeClip, NodeProperty
from gambol.motion.root_bone import RootBone
from gambol.motion.root_trajectory import SWAY_SECONDS, ground_path, loop_frames, smooth_path
from gambol.motion.rotations import continuous_quaternions

REST_TRANSLATION_TOLERANCE = 1e-5
"""A translation that stays within this of the node's rest value is not keyed, sizes."""
REST_SCALE_TOLERANCE = 1e-4
"""A scale that stays within this share of its largest value from the node's rest value is not keyed."""


def bone_displacements(
    character: Character, clip: NodeClip, times: Float[ndarray, "frames"]
) -> Float[ndarray, "frames bones 4 4"]:
    """World transform of each bone from its bind pose in a file's own clip: D = N G(node) T_bind^-1 N^-1."""
    binding = _binding(character)
    T_file_node = clip.sample(character.scene.nodes, times)[:, binding.bone_nodes]
    place = character.placement
    return place.T_world_file @ T_file_node @ np.linalg.inv(binding.T_file_bind) @ place.T_file_world


def clip_from_nodes(character: Character, node_clip: NodeClip, *, fps: float = 30.0) -> tuple[Clip, float]:
    """Convert a file's clip to root transform and joint angles; also returns the largest miss of a joint, metres.

    Each bone takes the file's global rotation; positions follow from the chain, so translated and scaled joints of the
    file are the error.
    """
    from gambol.motion.kinematics import pose_clip

    skeleton = character.require_skeleton()
    displaced = bone_displacements(character, node_clip, node_clip.frame_times(fps))
    R_world = nearest_rotation(displaced[..., :3, :3]) @ skeleton.T_world_rest[:, :3, :3]
    joint = np.swapaxes(skeleton.T_parent_rest[:, :3, :3], -1, -2) @ skeleton.local_rotations(R_world)
    heads = np.einsum("fbij,bj->fbi", displaced[..., :3, :3], skeleton.heads) + displaced[..., :3, 3]
    clip, _ = clip_from_matrices(node_clip.name, fps, heads[:, 0] - skeleton.heads[0], joint)
    gaps = np.linalg.norm(pose_clip(skeleton, clip)[..., :3, 3] - heads, axis=-1)
    return clip, float(gaps.max())


def nodes_from_clip(character: Character, clip: Clip, *, root_bone: RootBone = "hips") -> NodeClip:
    """Convert a clip to keys of the file's own nodes: the inverse of `clip_from_nodes`.

    Every bone's node is put where the bone is, G(node) = N^-1 D N T_bind; its local transform is taken apart into
    translation, rotation, scale below whatever its parent in the file does, and only what differs from the node's rest
    values is keyed. With `root_bone` root the topmost joint above the hips carries travel over the ground and heading;
    what hangs on it goes along, and the hips keep the rest.
    """
    from gambol.motion.kinematics import pose_clip

    binding, skeleton, nodes = _binding(character), character.require_skeleton(), character.scene.nodes
    displaced = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    place = character.placement
    in_file = place.T_file_world @ displaced @ place.T_world_file
    targets = dict(zip(map(int, binding.bone_nodes), np.moveaxis(in_file @ binding.T_file_bind, 1, 0), strict=True))
    targets |= {node: in_file[:, 0] @ bind for node, bind in binding.riders.items()}
    if root_bone == "root":
        carrier = root_carrier(character)
        travel = place.T_file_world @ ground_transforms(clip) @ place.T_world_file
        targets |= {} if carrier is None else {carrier: travel @ nodes.T_world_node[carrier]}
    size = character.size / place.scale
    world: dict[int, ndarray] = {}
    channels: list[NodeChannel] = []
    for node in np.concatenate(nodes.levels):
        parent = int(nodes.parents[node])
        above = world[parent] if parent >= 0 else np.eye(4)
        if int(node) not in targets:
            world[int(node)] = above @ nodes.T_parent_node[node]
            continue
        translations, rotations, scales = decompose_trs(np.linalg.inv(above) @ targets[int(node)])
        unit = max(float(np.linalg.norm(above[..., :3, :3], axis=(-2, -1)).max()) / np.sqrt(3.0), 1e-30)
        translations = _settled(translations, nodes.translations[node], REST_TRANSLATION_TOLERANCE * size / unit)
        scales = _settled(scales, nodes.scales[node], REST_SCALE_TOLERANCE * float(np.abs(scales).max()))
        # what is not keyed must not be moved either, or the children would inherit the difference
        world[int(node)] = above @ compose_trs(translations, rotations, scales)
        channels.append(NodeChannel(int(node), "rotation", clip.times, continuous_quaternions(rotations)))
        channels += _keyed(int(node), "translation", clip.times, translations, nodes.translations[node])
        channels += _keyed(int(node), "scale", clip.times, scales, nodes.scales[node])
    return NodeClip(clip.name, tuple(channels))


def root_carrier(character: Character) -> int | None:
    """The node that carries root motion: the highest joint of a skin above the hips, or the node that holds the hips.

    None where the hips are the file's root themselves.
    """
    binding, nodes = _binding(character), character.scene.nodes
    hips = int(binding.bone_nodes[0])
    above, node = [], int(nodes.parents[hips])
    while node >= 0:
        above.append(node)
        node = int(nodes.parents[node])
    joints = set(character.scene.joint_nodes.tolist())
    skinned = [node for node in above if node in joints]
    found = skinned[-1:] or above[:1]
    return found[0] if found else None


def ground_transforms(clip: Clip) -> Float[ndarray, "frames 4 4"]:
    """Turn about the vertical by the smooth heading and shift along the smooth path, in every frame.

    A body at the origin that looks ahead is carried to where the clip's body is; a loop goes at a steady speed.
    """
    if loop_frames(clip) is not None:
        path, headings = ground_path(clip), np.zeros(len(clip))
    else:
        path = ground_path(clip)
        headings = smooth_path(clip.root[:, 3], SWAY_SECONDS * clip.fps)
    T = np.tile(np.eye(4), (len(clip), 1, 1))
    T[:, 0, 0] = T[:, 2, 2] = np.cos(headings)
    T[:, 0, 2], T[:, 2, 0] = np.sin(headings), -np.sin(headings)
    T[:, [0, 2], 3] = path - path[0]
    return T


def _settled(
    values: Float[ndarray, "frames 3"], rest: Float[ndarray, "3"], tolerance: float
) -> Float[ndarray, "frames 3"]:
    """The rest value, or the first value, in every frame where all frames are within `tolerance` of it."""
    for still in (rest, values[0]):
        if np.abs(values - still).max() <= tolerance:
            return np.broadcast_to(still, values.shape)
    return values


def _keyed(node: int, path: NodeProperty, times: ndarray, values: ndarray, rest: ndarray) -> list[NodeChannel]:
    """No channel where the node rests, one key where it stands still elsewhere, all keys where it moves."""
    if (values == rest).all():
        return []
    keys = 1 if (values == values[0]).all() else len(times)
    return [NodeChannel(node, path, times[:keys], values[:keys])]


def node_clip_vertices(
    character: Character, clip: NodeClip, times: Float[ndarray, "frames"]
) -> Float[ndarray, "frames vertices 3"]:
    """The character's surface as the file's own nodes move it, exactly, in the world."""
    left_out = set(character.binding.loose_parts) if character.binding else set()
    T_file_node = clip.sample(character.scene.nodes, times)
    frames = []
    for T, time in zip(T_file_node, times, strict=True):
        posed = pose_parts(character.scene, T, clip.sample_morphs(float(time)))
        frames.append(np.concatenate([points for i, points in enumerate(posed) if i not in left_out]))
    vertices = np.stack(frames)
    T_world_file = character.placement.T_world_file
    return vertices @ T_world_file[:3, :3].T + T_world_file[:3, 3]


def _binding(character: Character) -> Binding:
    if character.binding is None:
        raise MissingPart(f"{character.name} has no skeleton. Make one: gambol rig {character.name} -o OUT.glb")
    return character.binding
