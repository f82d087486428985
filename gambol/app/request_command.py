"""A request as a command line that gives the same bytes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from gambol.app.animate_request import AnimateFileRequest, AnimateRequest

PLAIN_OPTIONS = (
    "negative",
    "name",
    "preset",
    "method",
    "steps",
    "guidance",
    "seed",
    "variants",
    "seconds",
    "start_clip",
    "basis",
    "smoothness",
    "ground",
    "skate",
    "pose_prior",
    "fps",
    "loop",
    "in_place",
)
"""Fields of a request that have an option of one word with the same meaning."""


def animate_command(request: AnimateFileRequest, output: Path, request_file: Path) -> str:
    """The command for a motion; a request that is more than a sentence with options is read from `request_file`."""
    asked, words = request.request, ["gambol", "animate"]
    words += [str(request.file)] if request.file is not None else []
    changed = changed_fields(asked)
    if set(changed) <= {"prompt", *PLAIN_OPTIONS} and isinstance(asked.method, str | None):
        words.append(asked.prompt)
        words += option_words({name: value for name, value in changed.items() if name != "prompt"})
    else:
        words += ["--request", str(request_file)]
    outputs, chosen = request.outputs, {"prior": request.prior, "character": request.character, "scale": request.scale}
    words += option_words({name: value for name, value in chosen.items() if value is not None})
    words += [f"--facing={request.facing}"] if request.facing is not None else []
    words += ["--keys", "reduce"] if outputs.reduce_keys else []
    words += ["--fbx"] if outputs.fbx else []
    words += [] if outputs.film else ["--no-film"]
    words += ["--root-bone", outputs.root_bone] if outputs.root_bone != "hips" else []
    return join_command([*words, "-o", str(output)])


def changed_fields(request: AnimateRequest) -> dict[str, Any]:
    """Fields of a request that are not at their defaults."""
    made = {f.name: f.default_factory() if f.default_factory is not MISSING else f.default for f in fields(request)}
    return {name: getattr(request, name) for name, value in made.items() if getattr(request, name) != value}


def option_words(options: dict[str, Any]) -> list[str]:
    """Options as words: `--steps 20`, `--loop`, `--no-film`; None and () are left out."""
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, list | tuple):
            words += [f"--{flag}", *map(str, value)] if value else []
        elif value is not None:
            words += [f"--{flag}", str(value)]
    return words


def join_command(words: Sequence[str]) -> str:
    """Words as one line for a shell."""
    return shlex.join(words)
