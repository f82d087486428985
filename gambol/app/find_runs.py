"""Find the runs that a user points at: folders of `gambol animate`, folders with one .glb, films, character files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gambol.app.run_folder import SETTINGS, RunSettings, read_settings
from gambol.errors import AssetError
from gambol.files.formats import FILM_SUFFIXES, READABLE


@dataclass(frozen=True)
class Run:
    """One result: a character file with its new clip last, a film, or both."""

    name: str
    """Name of the folder, or of the file without its suffix."""
    settings: RunSettings
    """What the run was asked for."""
    model: Path | None
    """The character file."""
    film: Path | None
    """The film."""


def find_run(path: str | Path) -> Run:
    """Find the run in a folder (one .glb, perhaps a film and settings); a single character file or film is one too."""
    path = Path(path)
    if path.is_dir():
        return _run_of_folder(path)
    if not path.exists():
        raise AssetError(f"There is no file or folder {path}.")
    suffix = path.suffix.lower()
    if suffix in FILM_SUFFIXES:
        return Run(path.stem, RunSettings(character=path.stem), None, path)
    if suffix not in READABLE:
        allowed = ", ".join((*READABLE, *FILM_SUFFIXES))
        raise AssetError(f"{path.name} is no run: give a folder with one .glb, or a file of {allowed}.")
    return Run(path.stem, RunSettings(character=path.stem), path, None)


def find_runs(path: str | Path) -> tuple[Run, ...]:
    """Find all runs of a folder: itself where it is one, else the runs, films and .glb files in it, sorted by name."""
    path = Path(path)
    if not path.is_dir() or is_run(path):
        return (find_run(path),)
    inside = sorted(path.iterdir())
    runs = [find_run(p) for p in inside if (p.is_dir() and is_run(p)) or (p.suffix.lower() in (*FILM_SUFFIXES, ".glb"))]
    if not runs:
        raise AssetError(f"{path} holds no runs: neither folders with one .glb each, nor films or .glb files.")
    return tuple(runs)


def is_run(folder: Path) -> bool:
    """Whether a folder is a run: it has settings or exactly one .glb, or one film and no folders."""
    inside = list(folder.iterdir())
    kinds = [p.suffix.lower() for p in inside if p.is_file()]
    only_film = len([k for k in kinds if k in FILM_SUFFIXES]) == 1 and not any(p.is_dir() for p in inside)
    return SETTINGS in (p.name for p in inside) or kinds.count(".glb") == 1 or only_film


def _run_of_folder(folder: Path) -> Run:
    models = sorted(p for p in folder.glob("*.glb") if p.is_file())
    films = sorted(p for p in folder.iterdir() if p.suffix.lower() in FILM_SUFFIXES and p.is_file())
    if len(models) > 1:
        names = ", ".join(p.name for p in models[:6])
        raise AssetError(f"{folder} holds {len(models)} .glb files ({names}); a run has one. Give the file itself.")
    if not models and not films:
        raise AssetError(f"{folder} is no run: it holds no .glb file.")
    film = min(films, key=lambda p: FILM_SUFFIXES.index(p.suffix.lower()), default=None)
    return Run(folder.name, read_settings(folder), models[0] if models else None, film)
