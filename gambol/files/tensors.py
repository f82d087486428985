"""Named arrays with text metadata as .safetensors files, through the `safetensors` library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gambol.errors import AssetError

METADATA_KEY = "metadata"
"""The one metadata entry that is written: all of it as JSON, because the library shuffles several entries."""


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read the arrays and the metadata of a file; one that cannot be read raises `AssetError`."""
    try:
        with safe_open(path, "numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no mapping)
            metadata = dict(file.metadata() or {})
    except (SafetensorError, OSError) as error:
        raise AssetError(
            f"{path.name} is no readable .safetensors file ({error}); copy, make or install it again."
        ) from error
    return arrays, json.loads(metadata[METADATA_KEY]) if set(metadata) == {METADATA_KEY} else metadata


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Write arrays and metadata; the same contents give the same bytes."""
    dense = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}
    path.write_bytes(save(dense, {METADATA_KEY: json.dumps(dict(metadata), sort_keys=True)}))
