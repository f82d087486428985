"""The interface of text-to-3D: words become a file with a bare mesh."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path


class MeshGenerator(ABC):
    """Makes a mesh of what words describe. The mesh needs no skeleton; y is up, the direction does not matter."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """What tells this generator from others: characters of another identity are made anew."""

    @abstractmethod
    def generate(self, words: str, folder: Path, *, seed: int) -> Path:
        """Make the mesh and return its file in the folder: .glb, .gltf, .obj, .ply, .stl or .off."""
