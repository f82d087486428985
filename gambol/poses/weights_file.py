"""Weights of a pose network as a file: shipped, or made by `gambol pose train`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch

from gambol.errors import AssetError
from gambol.files.atomic_write import replacing
from gambol.files.tensor_file import read_tensors, write_tensors
from gambol.poses.network import PoseNetwork, PoseNetworkShape

WEIGHTS = Path(__file__).parent / "weights" / "poses.safetensors"


def save_network(path: Path, network: PoseNetwork, facts: dict[str, str]) -> None:
    """Half precision, with the network's shape and facts about its training."""
    shape = {name: str(getattr(network.shape, name)) for name in PoseNetworkShape.__dataclass_fields__}
    arrays = {name: x.numpy().astype(np.float16) for name, x in network.state_dict().items()}
    with replacing(path) as temporary:
        write_tensors(temporary, arrays, {**facts, **shape})


def load_network(path: Path | None = None) -> PoseNetwork:
    """The shipped network, or another."""
    return _load(path or WEIGHTS)[0]


def network_facts(path: Path | None = None) -> dict[str, str]:
    """What the file says about the training."""
    return _load(path or WEIGHTS)[1]


@cache
def _load(path: Path) -> tuple[PoseNetwork, dict[str, str]]:
    if not path.is_file():
        raise AssetError(f"There are no pose weights at {path}; make some: gambol pose train POSES -o FOLDER")
    arrays, facts = read_tensors(path)
    try:
        shape = PoseNetworkShape(**{name: int(facts[name]) for name in PoseNetworkShape.__dataclass_fields__})
        network = PoseNetwork(shape)
        network.load_state_dict({name: torch.from_numpy(x.astype(np.float32)) for name, x in arrays.items()})
    except (KeyError, ValueError, RuntimeError) as error:
        raise AssetError(f"{path.name} holds no pose network: {str(error).splitlines()[0]}.") from error
    return network.eval().requires_grad_(False), facts
