"""Reading and writing .safetensors files: a JSON header with name, type, shape and place of each array, then the bytes.

The format is https://github.com/huggingface/safetensors#format; with this module the embedded models need no package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gambol.errors import AssetError

TYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1", "U8": "u1", "I32": "<i4", "I64": "<i8"}
"""The format's types that are used here, as numpy calls them."""


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Arrays and metadata of a file."""
    data = path.read_bytes()
    try:
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        metadata = header.pop("__metadata__", {})
        body = memoryview(data)[8 + size :]
        arrays = {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            arrays[name] = np.frombuffer(body[start:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(f"{path.name} is no readable .safetensors file ({error}); install Gambol again.") from error
    return arrays, metadata


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """The same arrays give the same bytes."""
    kinds = {np.dtype(kind): name for name, kind in TYPES.items()}
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    at = 0
    for name, array in arrays.items():
        header[name] = {
            "dtype": kinds[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)
