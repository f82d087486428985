"""Any program that writes a mesh, as a generator: TRELLIS, Hunyuan3D, Tet-Splatting, a script of one's own."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import GambolError
from gambol.files.formats import MESH_SUFFIXES
from gambol.generators.generator_name import split_command
from gambol.generators.mesh_generator import MeshGenerator

LAST_LINES = 3
"""Lines of what the program wrote that an error shows."""


@dataclass(frozen=True)
class CommandGenerator(MeshGenerator):
    """A program that is called with the words and the file to write."""

    command: str
    """`command:` and the program with its arguments; {prompt}, {output} and {seed} are filled in."""

    @property
    def identity(self) -> str:
        """The command."""
        return self.command

    def generate(self, words: str, folder: Path, *, seed: int) -> Path:
        """Run the program and return the mesh that it wrote; the program is not run by a shell."""
        output = folder / "mesh.glb"
        fields = {"{prompt}": words, "{output}": str(output), "{seed}": str(seed)}
        parts = split_command(self.command)
        for field, value in fields.items():
            parts = [part.replace(field, value) for part in parts]
        try:
            done = subprocess.run(parts, capture_output=True, text=True, check=False)
        except OSError as error:
            raise GambolError(f"The generator {parts[0]!r} could not be run: {error.strerror or error}.") from error
        if done.returncode != 0:
            raise GambolError(f"The generator {parts[0]!r} failed (exit {done.returncode}). {_told(done)}")
        for path in (output, *(output.with_suffix(suffix) for suffix in (*MESH_SUFFIXES, ".gltf"))):
            if path.is_file():
                return path
        raise GambolError(
            f"The generator {parts[0]!r} ended without writing {output.name} (or another mesh of that name)."
            f" {_told(done)}"
        )


def _told(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()[-LAST_LINES:]
    return f"It said: {' / '.join(lines)}" if lines else "It said nothing."
