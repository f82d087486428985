"""How a broken file must be refused: one sentence that names the file and the thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mutations import load_fully

from gambol.errors import AssetError


def refuse(path: Path, match: str) -> str:
    """Load the file, expect one sentence that names it, and return the sentence."""
    with pytest.raises(AssetError) as caught:
        load_fully(path)
    message = str(caught.value)
    assert path.name in message
    assert re.search(match, message), message
    assert "\n" not in message
    assert message.endswith(".")
    assert len(message) < 300
    assert caught.value.exit_code == 2
    return message


def write(folder: Path, data: bytes, name: str = "bad.glb") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
