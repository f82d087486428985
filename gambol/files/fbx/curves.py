"""Keys of a clip as FBX has them: one curve per number, rotations as Euler angles.

Between keys FBX interpolates angles, glTF takes the shortest arc, and importers make straight lines of held values. So
rotations, splines and steps get further keys, one per frame of the clip's own rate; everything else keeps the file's
keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import NodeTree
from gambol.errors import AssetError
from gambol.motion.frame_rate import clip_frame_rate
from gambol.motion.node_clip import MAX_SAMPLED_FRAMES, NodeChannel, NodeClip

FBX_TICKS = 46_186_158_000
"""FBX time units per second."""


@dataclass(frozen=True)
class FbxCurves:
    """Keys of one property of one node."""

    node: int
    """Index of the scene's node."""
    path: str
    """translation, rotation, scale or weights."""
    times: Float[ndarray, "keys"]
    """Seconds."""
    values: Float[ndarray, "keys width"]
    """File units; rotations are Euler angles in degrees, weights shares."""


def clip_curves(nodes: NodeTree, clip: NodeClip, still: list[tuple[int, str, ndarray]]) -> list[FbxCurves]:
    """Curves of a clip; what is in `still` (node, property, value) and not moved by the clip gets one key."""
    rate = clip_frame_rate(clip.key_times())
    curves = []
    for channel in clip.channels:
        if channel.node in nodes.matrices and channel.path != "weights":
            continue
        times = channel_times(channel, rate)
        values = channel.sample(times)
        if channel.path == "rotation":
            values = euler_degrees(values)
        curves.append(FbxCurves(channel.node, channel.path, times, values))
    moved, start = {(c.node, c.path) for c in curves}, np.array([clip.start])
    rest = [FbxCurves(node, path, start, value[None]) for node, path, value in still if (node, path) not in moved]
    return curves + (rest if curves else [])


def channel_times(channel: NodeChannel, rate: float) -> Float[ndarray, "keys"]:
    """Key times, with every gap that FBX would interpolate otherwise cut into the fewest steps of at most a frame."""
    times = np.unique(channel.times)
    if channel.interpolation == "LINEAR" and channel.path != "rotation":
        return times
    at_keys = channel.sample(times)
    moves = (np.abs(np.diff(at_keys, axis=0)) > 1e-7).any(1) | (channel.interpolation == "CUBICSPLINE")
    steps = np.where(moves, np.maximum(np.ceil(np.diff(times) * rate - 0.02), 1.0), 1.0)
    if steps.sum() > MAX_SAMPLED_FRAMES:
        raise AssetError(f"A clip has {steps.sum():g} frames at {rate:g} per second; at most {MAX_SAMPLED_FRAMES}.")
    gaps = zip(times[:-1], times[1:], steps.astype(int), strict=True)
    return np.concatenate([*(np.linspace(a, b, n, endpoint=False) for a, b, n in gaps), times[-1:]])


def euler_degrees(rotations_wxyz: Float[ndarray, "keys 4"]) -> Float[ndarray, "keys 3"]:
    """Euler angles with R = R_z R_y R_x, each row the one of all that mean the same nearest to the row before it.

    (x, y, z) is the same rotation as (x + 180, 180 - y, z + 180), and every angle may be changed by 360.
    """
    from scipy.spatial.transform import Rotation

    length = np.linalg.norm(rotations_wxyz, axis=1, keepdims=True)
    unit = np.where(length > 1e-12, rotations_wxyz, [1.0, 0.0, 0.0, 0.0])
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of a gimbal lock; its answer is still right
        angles = Rotation.from_quat(unit[:, [1, 2, 3, 0]]).as_euler("xyz", degrees=True)
    for i in range(1, len(angles)):
        x, y, z = angles[i]
        both = np.array([[x, y, z], [x + 180.0, 180.0 - y, z + 180.0]])
        both -= 360.0 * np.round((both - angles[i - 1]) / 360.0)
        angles[i] = both[np.abs(both - angles[i - 1]).sum(1).argmin()]
    return angles


def still_values(
    nodes: NodeTree, clips: tuple[NodeClip, ...], bones: set[int], morphs: dict[int, ndarray]
) -> list[tuple[int, str, ndarray]]:
    """Where everything rests that some clip moves, and every bone: (node, property, value).

    A clip keys all of it, so that nothing stays where the clip before it left it.
    """
    moved = {(c.node, c.path) for clip in clips for c in clip.channels}
    moved |= {(bone, path) for bone in bones for path in ("translation", "rotation", "scale")}
    rest: list[tuple[int, str, ndarray]] = []
    for node, path in sorted(moved):
        if path == "weights" and node in morphs:
            rest.append((node, path, morphs[node]))
        elif path == "rotation":
            rest.append((node, path, euler_degrees(nodes.rotations_wxyz[node : node + 1])[0]))
        elif path in ("translation", "scale"):
            rest.append((node, path, (nodes.translations if path == "translation" else nodes.scales)[node]))
    return rest


def file_frame_rate(clips: tuple[NodeClip, ...]) -> int:
    """The highest frame rate of the clips: a file has one, and importers sample all of its clips at it."""
    return max((clip_frame_rate(clip.key_times()) for clip in clips if clip.channels), default=30)
