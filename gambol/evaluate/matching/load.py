"""The weights of a text-motion matching model as a file."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from gambol.errors import AssetError, MissingPart
from gambol.evaluate.matching.network import MatchingNetwork, MatchingShape
from gambol.files.atomic_write import replacing
from gambol.files.tensors import read_tensors, write_tensors

MATCHING_WEIGHTS = Path(__file__).parent / "weights" / "matching.safetensors"
"""The shipped weights."""


@dataclass(frozen=True)
class MatchingModel:
    """A matching network with what its file says of it."""

    network: MatchingNetwork
    """The network, in evaluation mode."""
    slope: float
    """a of the score 1 / (1 + exp(-(a cosine + b)))."""
    offset: float
    """b of that score."""
    metadata: dict[str, str]
    """Data and settings of the training."""

    def score(self, cosine: float) -> float:
        """Probability that text and motion belong together, where half of the pairs do: logistic in the cosine."""
        return float(1.0 / (1.0 + np.exp(-(self.slope * cosine + self.offset))))


def file_fingerprint(path: Path) -> str:
    """The first 16 hexadecimal digits of a file's SHA-256: names the text encoder that weights were trained with."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def save_matching(
    path: Path, network: MatchingNetwork, *, slope: float, offset: float, text_encoder: str, metadata: dict[str, str]
) -> None:
    """Write a matching network in half precision; `text_encoder` is the fingerprint of the encoder's weights."""
    arrays = {name: x.detach().numpy().astype(np.float16) for name, x in network.state_dict().items()}
    own = {"slope": repr(slope), "offset": repr(offset), "text_encoder": text_encoder}
    shape = {name: str(value) for name, value in asdict(network.shape).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        write_tensors(temporary, arrays, {**metadata, **own, **shape})


@cache
def load_matching(text_encoder: str, path: Path = MATCHING_WEIGHTS) -> MatchingModel:
    """Read a matching model, by default the shipped one; `text_encoder` is the fingerprint of the encoder in use."""
    model = read_matching(path)
    if model.metadata.get("text_encoder") != text_encoder:
        raise MissingPart(
            f"The weights {path.name} were trained with another text encoder. "
            "Train them again: python -m gambol.training.matching.recipe --help"
        )
    return model


def read_matching(path: Path) -> MatchingModel:
    """Read a matching model, whichever text encoder it belongs to."""
    if not path.is_file():
        raise MissingPart(
            f"There are no text-motion matching weights at {path.name}. "
            "Make some: python -m gambol.training.matching.recipe --help"
        )
    arrays, metadata = read_tensors(path)
    try:
        shape = MatchingShape(**{name: int(metadata[name]) for name in asdict(MatchingShape())})
        network = MatchingNetwork(shape)
        network.load_state_dict({name: torch.from_numpy(x.astype(np.float32)) for name, x in arrays.items()})
        slope, offset = float(metadata["slope"]), float(metadata["offset"])
    except (KeyError, ValueError, RuntimeError) as error:
        raise AssetError(f"{path.name} holds no matching network: {str(error).splitlines()[0]}.") from error
    return MatchingModel(network.eval().requires_grad_(False), slope, offset, metadata)
