"""Where the tests find real characters: the folder that GAMBOL_DATA names; without it they are skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ["GAMBOL_DATA"]) if os.environ.get("GAMBOL_DATA") else None
needs_data = pytest.mark.skipif(
    DATA is None or not DATA.is_dir(), reason="set GAMBOL_DATA to the folder with the real characters"
)


def characters(pattern: str = "**/*.gl*") -> list[Path]:
    """Real .glb and .gltf characters by pattern, sorted; none where the data is absent."""
    return sorted((DATA / "characters").glob(pattern)) if DATA is not None and DATA.is_dir() else []


def character_ids(paths: list[Path]) -> list[str]:
    """Names for parametrised tests that do not show where the data lies."""
    return [p.stem for p in paths]
