"""The weights of a pose network as a file: the shipped ones, or those that `gambol pose train` wrote."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch

from gambol.errors import AssetError
from gambol.files.atomic_write import replacing
from gambol.files.tensors import read_tensors, write_tensors
from gambol.poses.network import PoseNetwork, PoseNetworkShape

POSE_WEIGHTS = Path(__file__).parent / "weights" / "poses.safetensors"
"""The shipped weights."""
SHAPE_KEYS = {"width": "width", "depth": "depth", "heads": "heads", "widening": "widening", "conditioned": "told"}
"""Fields of `PoseNetworkShape` and their keys in the file's metadata."""


def save_pose_network(path: Path, network: PoseNetwork, metadata: dict[str, str]) -> None:
    """Write a network's weights in half precision, with its shape and metadata about its training."""
    shape = {key: str(getattr(network.shape, name)) for name, key in SHAPE_KEYS.items()}
    arrays = {name: x.numpy().astype(np.float16) for name, x in network.state_dict().items()}
    with replacing(path) as temporary:
        write_tensors(temporary, arrays, {**metadata, **shape})


def load_pose_network(path: Path | None = None) -> PoseNetwork:
    """Read a pose network, by default the shipped one; it is in evaluation mode and needs no gradients."""
    return _load(path or POSE_WEIGHTS)[0]


def pose_network_metadata(path: Path | None = None) -> dict[str, str]:
    """Read the metadata about the training of a pose network, by default the shipped one."""
    return _load(path or POSE_WEIGHTS)[1]


@cache
def _load(path: Path) -> tuple[PoseNetwork, dict[str, str]]:
    if not path.is_file():
        raise AssetError(f"There are no pose weights at {path}; make some: gambol pose train POSES -o FOLDER")
    arrays, metadata = read_tensors(path)
    try:
        shape = PoseNetworkShape(**{name: int(metadata[key]) for name, key in SHAPE_KEYS.items()})
        network = PoseNetwork(shape)
        network.load_state_dict({name: torch.from_numpy(x.astype(np.float32)) for name, x in arrays.items()})
    except (KeyError, ValueError, RuntimeError) as error:
        raise AssetError(f"{path.name} holds no pose network: {str(error).splitlines()[0]}.") from error
    return network.eval().requires_grad_(False), metadata
