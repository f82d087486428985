"""Read Biovision hierarchies (.bvh): joints with offsets, and one row of Euler angles and positions per frame."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import Scene, Skin, translated_nodes
from gambol.errors import AssetError
from gambol.files.formats import MAX_CLIP_SECONDS
from gambol.files.gltf.container import read_bytes
from gambol.motion.node_clip import NodeChannel, NodeClip
from gambol.motion.rotations import continuous_quaternions

AXIS_NAMES = "xyz"
"""First letters of channel names, in the order of the coordinates."""
MAX_BVH_JOINTS = 10_000
"""Largest number of joints that is read."""
MAX_BVH_NUMBER = 1e9
"""Largest offset, position or angle that is read; the file's units, degrees for angles."""
MOTION_PATTERN = re.compile(r"^[ \t]*MOTION[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""The line that begins the frames."""
MOTION_HEADER_PATTERN = re.compile(r"\s*Frames\s*:\s*(\S+)\s+Frame\s+Time\s*:\s*(\S+)", re.IGNORECASE)
"""Number of frames and seconds per frame."""


@dataclass
class _Joint:
    """One `ROOT`, `JOINT` or `End Site` block while it is being read."""

    name: str
    parent: int
    is_end: bool
    offset: Float[ndarray, "3"] | None = None
    channels: tuple[str, ...] = ()
    """Lower case, in the file's order: "xposition", "zrotation", ..."""


def read_bvh(path: Path) -> tuple[Scene, tuple[NodeClip, ...], tuple[str, ...]]:
    """Read scene, clip (named after the file) and warnings of a .bvh file, in the file's units and axes.

    Every joint is a node and a joint of one skin that binds nothing; an `End Site` is a node that is no joint. A
    joint's local transform is T(position) R_1 R_2 R_3, the rotations in the order of its channels. Where a joint has
    position channels they take the place of its OFFSET, as in Blender and in the files that have them on every joint;
    an axis without a channel keeps the OFFSET.
    """
    text = _decode(read_bytes(path), path.name)
    motion = MOTION_PATTERN.search(text)
    joints = _read_hierarchy(text[: motion.start()] if motion else text, path.name)
    if motion is None:
        raise AssetError(f"{path.name} has no MOTION section; the file looks truncated.")
    frame_time, frames = _read_motion(text[motion.end() :], sum(len(j.channels) for j in joints), path.name)
    scene = _scene(joints, path.stem)
    if len(frames) == 0:
        return scene, (), (f"{path.name} has no frames, so it holds a skeleton and no clip.",)
    return scene, (NodeClip(path.stem, _channels(joints, frames, frame_time)),), ()


def _decode(data: bytes, name: str) -> str:
    if b"\0" in data or not data.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].upper().startswith(b"HIERARCHY"):
        raise AssetError(f"{name} is not a BVH file: it does not start with HIERARCHY.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r", "\n")


def _read_hierarchy(text: str, name: str) -> list[_Joint]:
    """List the blocks in the file's order, parents before children."""
    joints: list[_Joint] = []
    inside: list[int] = []
    brace_is_due = False
    for line in re.sub(r"([{}])", r"\n\1\n", text).split("\n"):
        words = line.split()
        if not words:
            continue
        keyword = words[0].upper()
        if brace_is_due != (keyword == "{"):
            due = f"a '{{' after '{joints[-1].name}'" if brace_is_due else "a joint"
            raise AssetError(f"{name}: expected {due}, found {line.strip()[:40]!r}.")
        brace_is_due = False
        if keyword in ("ROOT", "JOINT", "END"):
            joints.append(_open_joint(joints, inside, keyword, words[1:], name))
            inside.append(len(joints) - 1)
            brace_is_due = True
        elif keyword == "}" and inside:
            closed = joints[inside.pop()]
            if closed.offset is None:
                raise AssetError(f"{name}: '{closed.name}' has no OFFSET.")
        elif keyword == "OFFSET" and inside:
            joint = joints[inside[-1]]
            joint.offset = _numbers(words[1:], 3, f"{name}: the OFFSET of '{joint.name}'")
        elif keyword == "CHANNELS" and inside:
            joint = joints[inside[-1]]
            joint.channels = _channel_names(words[1:], joint, name)
        elif keyword not in ("HIERARCHY", "{"):
            raise AssetError(f"{name}: {line.strip()[:40]!r} does not belong where it stands in a BVH hierarchy.")
    if inside or brace_is_due:
        raise AssetError(f"{name}: the block of '{joints[inside[-1]].name}' is not closed; the file looks truncated.")
    if not joints:
        raise AssetError(f"{name} has no joints.")
    return joints


def _open_joint(joints: list[_Joint], inside: list[int], keyword: str, words: list[str], name: str) -> _Joint:
    if len(joints) >= MAX_BVH_JOINTS:
        raise AssetError(f"{name} has more than {MAX_BVH_JOINTS} joints; it looks broken.")
    if (keyword == "ROOT") == bool(inside):
        where = "inside" if inside else "outside"
        raise AssetError(
            f"{name}: {keyword} {' '.join(words)[:40]!r} stands {where} a joint; only a ROOT stands alone."
        )
    parent = inside[-1] if inside else -1
    if parent >= 0 and joints[parent].is_end:
        raise AssetError(f"{name}: '{joints[parent].name}' has a block inside it; an End Site has none.")
    if keyword == "END":
        return _Joint(f"{joints[parent].name}_end", parent, True)
    if not words:
        raise AssetError(f"{name}: a {keyword} has no name.")
    return _Joint("_".join(words), parent, False)


def _channel_names(words: list[str], joint: _Joint, name: str) -> tuple[str, ...]:
    what = f"{name}: '{joint.name}'"
    if joint.is_end or joint.channels:
        raise AssetError(f"{what} has {'CHANNELS twice' if joint.channels else 'CHANNELS, but is an End Site'}.")
    if not words or words[0] != str(len(words) - 1):
        raise AssetError(f"{what} announces {''.join(words[:1])[:20]!r} channels and names {max(len(words) - 1, 0)}.")
    channels = tuple(w.lower() for w in words[1:])
    for i, channel in enumerate(channels):
        if not re.fullmatch("[xyz](position|rotation)", channel):
            raise AssetError(f"{what} has a channel {channel[:40]!r}; allowed are Xposition, ... and Zrotation.")
        if channel in channels[:i]:
            raise AssetError(f"{what} has the channel {channel!r} twice.")
    return channels


def _numbers(words: list[str], count: int, what: str) -> Float[ndarray, "count"]:
    if len(words) != count:
        raise AssetError(f"{what} has {len(words)} numbers instead of {count}.")
    try:
        if any("_" in word for word in words):  # Python's float reads 1_0 as 10
            raise ValueError("it has an underscore")
        values = np.array(words, dtype=np.float64)
    except ValueError as error:
        raise AssetError(f"{what} is not a number ({str(error)[:80]}).") from error
    if not (np.abs(values) <= MAX_BVH_NUMBER).all():
        raise AssetError(f"{what} is not finite or beyond {MAX_BVH_NUMBER:g}.")
    return values


def _read_motion(text: str, width: int, name: str) -> tuple[float, Float[ndarray, "frames channels"]]:
    """Read the frame time in seconds, and one row of numbers per frame."""
    header = MOTION_HEADER_PATTERN.match(text)
    if header is None:
        raise AssetError(f"{name}: MOTION is not followed by 'Frames:' and 'Frame Time:'; the file looks truncated.")
    if not re.fullmatch("[0-9]{1,12}", header[1]):
        raise AssetError(f"{name}: the number of frames is {header[1][:20]!r}; it must be a whole number.")
    count, frame_time = int(header[1]), float(_numbers([header[2]], 1, f"{name}: the frame time")[0])
    if frame_time <= 0 or count * frame_time > MAX_CLIP_SECONDS:
        allowed = f"allowed is a frame time above 0 and {MAX_CLIP_SECONDS:g} s in all"
        raise AssetError(f"{name} has {count} frames of {frame_time:g} s each; {allowed}.")
    words = text[header.end() :].split()
    if len(words) != count * width:
        needed = f"{count} frames of {width} channels need {count * width}"
        raise AssetError(f"{name} has {len(words)} numbers, but {needed}; it is truncated or its counts are wrong.")
    return frame_time, _numbers(words, count * width, f"{name}: the motion").reshape(count, width)


def _scene(joints: list[_Joint], name: str) -> Scene:
    """The joints at rest, standing: files put the hips at the origin and let the frames carry them above the ground."""
    parents, offsets = np.array([j.parent for j in joints]), np.array([j.offset for j in joints])
    nodes = translated_nodes(tuple(j.name for j in joints), parents, offsets)
    if "yposition" in joints[0].channels:
        offsets[parents < 0, 1] -= min(float(nodes.T_world_node[:, 1, 3].min()), 0.0)
        nodes = replace(nodes, translations=offsets)
    bones = np.flatnonzero([not j.is_end for j in joints])
    inverse_binds = nodes.T_world_node[bones].copy()
    inverse_binds[:, :3, 3] *= -1.0
    return Scene(nodes, skins=(Skin(name, bones, inverse_binds),))


def _channels(
    joints: list[_Joint], frames: Float[ndarray, "frames channels"], frame_time: float
) -> tuple[NodeChannel, ...]:
    times = np.arange(len(frames)) * frame_time
    result, first = [], 0
    for node, joint in enumerate(joints):
        columns = {channel: frames[:, first + i] for i, channel in enumerate(joint.channels)}
        first += len(joint.channels)
        moves = {AXIS_NAMES.index(c[0]): values for c, values in columns.items() if c.endswith("position")}
        turns = [(AXIS_NAMES.index(c[0]), values) for c, values in columns.items() if c.endswith("rotation")]
        if moves:
            positions = np.tile(np.asarray(joint.offset), (len(frames), 1))
            for axis, values in moves.items():
                positions[:, axis] = values
            result.append(NodeChannel(node, "translation", times, positions))
        if turns:
            result.append(NodeChannel(node, "rotation", times, continuous_quaternions(_quaternions(turns))))
    return tuple(result)


def _quaternions(turns: list[tuple[int, Float[ndarray, "frames"]]]) -> Float[ndarray, "frames 4"]:
    """Multiply turns about axes: q = q_1 q_2 ..., with q_i = cos(a_i / 2) + sin(a_i / 2) e_i, a_i in degrees."""
    q = np.tile([1.0, 0.0, 0.0, 0.0], (len(turns[0][1]), 1))
    for axis, degrees in turns:
        half = np.radians(degrees)[:, None] / 2
        w, x, y, z = q.T
        q_times_axis = ((-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w))[axis]
        q = np.cos(half) * q + np.sin(half) * np.stack(q_times_axis, axis=1)
    return q
