"""A motion as the page receives it: keys of the file's nodes as 32-bit floats behind a JSON header."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.errors import AssetError
from gambol.motion.clip import Clip
from gambol.motion.node_clip_conversion import nodes_from_clip

HEADER_LENGTH = struct.Struct("<I")
"""Length of the header, a little-endian number in front of it."""
GLTF_QUATERNION = [1, 2, 3, 0]
"""Order of a wxyz quaternion's numbers in glTF: xyzw."""


def motion_message(character: Character, clip: Clip, **header: Any) -> bytes:
    """A clip as local transforms of the file's nodes, one row per frame for each channel that differs from rest.

    The header says for each channel which node and property it moves; quaternions are xyzw as in glTF.
    """
    keys = nodes_from_clip(character, clip)
    frames = len(clip)
    channels, values = [], []
    for channel in keys.channels:
        numbers = channel.values[:, GLTF_QUATERNION] if channel.path == "rotation" else channel.values
        if len(numbers) != frames:
            numbers = np.repeat(numbers[:1], frames, axis=0)
        channels.append([int(channel.node), channel.path])
        values.append(np.ascontiguousarray(numbers, dtype="<f4").ravel())
    told = {"type": "motion", **header, "fps": clip.fps, "frames": frames, "channels": channels}
    text = json.dumps(told, ensure_ascii=False).encode()
    text += b" " * (-(len(text) + HEADER_LENGTH.size) % 4)
    return HEADER_LENGTH.pack(len(text)) + text + b"".join(row.tobytes() for row in values)


def read_motion_message(message: bytes) -> tuple[dict[str, Any], list[Float[ndarray, "frames width"]]]:
    """Header and values of each channel of a message; the inverse of `motion_message`."""
    if len(message) < HEADER_LENGTH.size:
        raise AssetError("This is no motion message: it is too short.")
    (length,) = HEADER_LENGTH.unpack_from(message)
    header = json.loads(message[HEADER_LENGTH.size : HEADER_LENGTH.size + length])
    numbers, place, rows = np.frombuffer(message, "<f4", offset=HEADER_LENGTH.size + length), 0, []
    for _, path in header["channels"]:
        width = 4 if path == "rotation" else 3
        rows.append(numbers[place : place + width * header["frames"]].reshape(-1, width))
        place += width * header["frames"]
    return header, rows
