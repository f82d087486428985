"""Names of generators, checked without a heavy library, so that a mistyped one is reported at once."""

from __future__ import annotations

import shlex
from pathlib import Path

from gambol.errors import ConfigError

SHAP_E = "shap-e"
"""Name of the text-to-3D model that diffusers runs; with a colon and a folder, its weights in that folder."""
SHAP_E_REPOSITORY = "openai/shap-e"
"""Repository of its weights on the hub."""
COMMAND_PREFIX = "command:"
"""Prefix of a program that writes a mesh."""
OUTPUT_FIELD, PROMPT_FIELD = "{output}", "{prompt}"
"""What a command must hold: the file that it writes, and the words."""


def check_generator_name(name: str) -> None:
    """Raise `ConfigError` unless a name stands for a generator: shap-e, shap-e:FOLDER or command:PROGRAM."""
    if name.startswith(COMMAND_PREFIX):
        split_command(name)
        return
    model, _, folder = name.partition(":")
    if model != SHAP_E:
        raise ConfigError(
            f"There is no generator '{name}'; there are {SHAP_E}, {SHAP_E}:FOLDER with its weights, and"
            f' {COMMAND_PREFIX}"PROGRAM {PROMPT_FIELD} {OUTPUT_FIELD}" for any program that writes a mesh.'
        )
    if folder and not (Path(folder) / "model_index.json").is_file():
        raise ConfigError(f"{folder} has no model_index.json; {SHAP_E}: takes a folder that diffusers wrote.")


def split_command(name: str) -> list[str]:
    """The program and its arguments of a name that starts with `COMMAND_PREFIX`."""
    text = name[len(COMMAND_PREFIX) :]
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"The generator's command {text!r} cannot be split into words: {error}.") from error
    missing = [field for field in (PROMPT_FIELD, OUTPUT_FIELD) if not any(field in part for part in parts)]
    if not parts or missing:
        raise ConfigError(
            f"The generator's command {text!r} has no {' and no '.join(missing)}; the words stand in place of"
            f" {PROMPT_FIELD}, the file to write in place of {OUTPUT_FIELD}, a number in place of {{seed}}."
        )
    return parts
