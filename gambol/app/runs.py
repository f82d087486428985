"""Runs: folders that hold one result each, with settings that say what was asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambol.errors import AssetError
from gambol.files.formats import READABLE

SETTINGS = "settings.json"
FILMS = (".mp4", ".gif")


@dataclass(frozen=True)
class RunSettings:
    """What a run was asked for: the fields of `settings.json` that evaluation reads; others are left alone."""

    prompt: str = ""
    """The sentence."""
    character: str = ""
    """The character's name or file."""
    method: str = ""
    """What made the motion; rows of a table are compared by it."""
    seed: int = 0
    """Runs that differ in nothing else are repetitions."""
    motion: str = ""
    """The motion that the judge should recognise, where one is meant."""
    facing: str = ""
    """The file's axis that the character looks along, where it is known: the new clip may go another way."""
    prior: str = ""
    """What knew how things move."""


@dataclass(frozen=True)
class Run:
    """One result: a character file with its new clip last, a film, or both."""

    name: str
    settings: RunSettings
    model: Path | None
    film: Path | None


def find_run(path: str | Path) -> Run:
    """The run in a folder (one .glb, perhaps a film, perhaps settings), or a single character file or film."""
    path = Path(path)
    if path.is_dir():
        return _run_of_folder(path)
    if not path.exists():
        raise AssetError(f"There is no file or folder {path}.")
    suffix = path.suffix.lower()
    if suffix in FILMS:
        return Run(path.stem, RunSettings(character=path.stem), None, path)
    if suffix not in READABLE:
        allowed = ", ".join((*READABLE, *FILMS))
        raise AssetError(f"{path.name} is no run: give a folder with one .glb, or a file of {allowed}.")
    return Run(path.stem, RunSettings(character=path.stem), path, None)


def find_runs(path: str | Path) -> tuple[Run, ...]:
    """All runs of a folder: itself where it is one, else its folders that are runs and its films and characters."""
    path = Path(path)
    if not path.is_dir() or is_run(path):
        return (find_run(path),)
    inside = sorted(path.iterdir())
    runs = [find_run(p) for p in inside if (p.is_dir() and is_run(p)) or (p.suffix.lower() in (*FILMS, ".glb"))]
    if not runs:
        raise AssetError(f"{path} holds no runs: neither folders with one .glb each, nor films or .glb files.")
    return tuple(runs)


def is_run(folder: Path) -> bool:
    """A folder with settings or exactly one .glb, or with one film and no folders."""
    inside = list(folder.iterdir())
    kinds = [p.suffix.lower() for p in inside if p.is_file()]
    only_film = len([k for k in kinds if k in FILMS]) == 1 and not any(p.is_dir() for p in inside)
    return SETTINGS in (p.name for p in inside) or kinds.count(".glb") == 1 or only_film


def read_settings(folder: Path) -> RunSettings:
    """`settings.json` of a run; a folder without one is named by itself."""
    path = folder / SETTINGS
    if not path.is_file():
        return RunSettings(character=folder.name)
    try:
        told: Any = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise AssetError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(told, dict):
        raise AssetError(f"{path} must hold a JSON object with prompt, character, method and seed.")
    values: dict[str, Any] = {"character": folder.name}
    for name, kind in (
        ("prompt", str),
        ("character", str),
        ("method", str),
        ("seed", int),
        ("motion", str),
        ("facing", str),
        ("prior", str),
    ):
        given = told.get(name)
        if given is None:
            continue
        if not isinstance(given, kind) or isinstance(given, bool):
            raise AssetError(f"{path}: '{name}' is {given!r}; it must be a {'number' if kind is int else 'text'}.")
        values[name] = given
    return RunSettings(**values)


def _run_of_folder(folder: Path) -> Run:
    models = sorted(p for p in folder.glob("*.glb") if p.is_file())
    films = sorted(p for p in folder.iterdir() if p.suffix.lower() in FILMS and p.is_file())
    if len(models) > 1:
        names = ", ".join(p.name for p in models[:6])
        raise AssetError(f"{folder} holds {len(models)} .glb files ({names}); a run has one. Give the file itself.")
    if not models and not films:
        raise AssetError(f"{folder} is no run: it holds no .glb file.")
    # one picture format is enough: .mp4 before .gif
    film = min(films, key=lambda p: FILMS.index(p.suffix.lower()), default=None)
    return Run(folder.name, read_settings(folder), models[0] if models else None, film)
