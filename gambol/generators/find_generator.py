"""Which generator a name stands for."""

from __future__ import annotations

from pathlib import Path

from gambol.generators.generator_name import COMMAND_PREFIX, check_generator_name
from gambol.generators.mesh_generator import MeshGenerator


def find_generator(name: str) -> MeshGenerator:
    """The generator of a name (`check_generator_name`); nothing is loaded before it is used."""
    check_generator_name(name)
    if name.startswith(COMMAND_PREFIX):
        from gambol.generators.command import CommandGenerator

        return CommandGenerator(name)
    from gambol.generators.shap_e import ShapEGenerator

    folder = name.partition(":")[2]
    return ShapEGenerator(Path(folder) if folder else None)
