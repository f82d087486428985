"""The format of a run folder, and the only code that knows it: file names, settings, log, checkpoints and lock.

RUN/  NAME.glb  film.mp4  report.html  metrics.json  settings.json  log.jsonl  timings.json  checkpoints/  lock
and splats/0000.ply, ..., splats.glb of a run with a deformation field.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import write_text

if TYPE_CHECKING:  # finding a run needs no torch
    from gambol.distill.state import State

SETTINGS = "settings.json"
"""Everything that decides the result (`RunSettings` and more), and `OUTPUTS`."""
LOG = "log.jsonl"
"""One JSON object per optimiser step, with `variant`, `segment` where there are several, `step` and the losses."""
METRICS = "metrics.json"
"""Numbers of the finished clip; present once a run has a result."""
TIMINGS = "timings.json"
"""Wall-clock and CPU seconds of each part of the run."""
FILM, REPORT = "film.mp4", "report.html"
"""The film of the result, and the report page."""
WATCH, PREVIEW = "watch.html", "preview.png"
"""The page that shows a running optimisation, and the picture on it."""
CHECKPOINTS = "checkpoints"
"""Folder with one state per variant and segment."""
SPLATS, SPLATS_FILE = "splats", "splats.glb"
"""Folder with the splats of every frame, where a deformation field moves them, and the file with all frames in it."""
LOCK, LOCK_OWNER = "lock", "lock.pid"
"""The lock file, and the number of the process that holds it."""
OUTPUTS = "outputs"
"""Key of the settings that say which files are written, not what motion is in them."""


@dataclass(frozen=True)
class RunSettings:
    """The keys of `settings.json` that other verbs read; a run writes more, which they ignore."""

    prompt: str = ""
    """The sentence that the motion was asked for with."""
    character: str = ""
    """Name or file of the character."""
    method: str = ""
    """What made the motion; tables have one row for each method."""
    seed: int = 0
    """Random seed; runs that differ in nothing else are repetitions."""
    motion: str = ""
    """Name of the motion that the recogniser should find; empty where none is known."""
    facing: str = ""
    """Axis of the file that the character faces along, such as "+z"; empty: guess it from the file."""
    prior: str = ""
    """Name of the video prior."""


class RunInUse(GambolError):
    """Another process holds the lock of this run folder."""


@dataclass(frozen=True)
class RunFolder:
    """A run folder that this process has locked."""

    path: Path
    """The folder."""
    fingerprint: str
    """SHA-256 of the settings that decide the result; a checkpoint with another one is not loaded."""

    def state_path(self, variant: int, segment: int = 0) -> Path:
        """Path of the checkpoint of a variant, and of one of its further segments."""
        return self.path / CHECKPOINTS / f"{variant}{f'-{segment}' if segment else ''}.safetensors"

    def load(self, variant: int, segment: int = 0) -> State | None:
        """Load the last saved state of a variant's segment; None where there is none yet."""
        from gambol.distill.state import load_state

        return load_state(self.state_path(variant, segment), self.fingerprint)

    def steps_done(self) -> int:
        """Steps that all saved states took together."""
        from gambol.distill.state import load_state

        paths = sorted((self.path / CHECKPOINTS).glob("*.safetensors"))
        states = [load_state(path, self.fingerprint) for path in paths]
        return sum(state.step for state in states if state is not None)

    def save(self, variant: int, state: State, lines: list[dict[str, Any]], *, segment: int = 0) -> None:
        """Append log lines, then save the state. In this order: a log may be ahead of its state, never behind."""
        from gambol.distill.state import save_state

        if lines:
            with replaced_errors(self.path / LOG), (self.path / LOG).open("a", encoding="utf-8") as log:
                log.writelines(json.dumps(line) + "\n" for line in lines)
                log.flush()
                os.fsync(log.fileno())
        save_state(self.state_path(variant, segment), state, self.fingerprint)

    def trim_log(self, variant: int, step: int, *, segment: int = 0) -> None:
        """Remove the lines of one optimisation that were written after the checkpoint that it resumes from."""
        path = self.path / LOG
        if not path.is_file():
            return
        kept = {}
        for line in self.log():
            run = (line["variant"], line.get("segment", 0))
            if run != (variant, segment) or line["step"] < step:
                kept[(*run, line["step"])] = line
        write_text(path, "".join(json.dumps(line) + "\n" for line in kept.values()))

    def log(self) -> list[dict[str, Any]]:
        """All lines of the log."""
        return read_log(self.path / LOG)

    def write_json(self, name: str, value: Any) -> Path:
        """Write plain data as a JSON file of the folder, in one move."""
        write_text(self.path / name, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        return self.path / name


def read_log(path: Path) -> list[dict[str, Any]]:
    """Lines of a log file; a last line that was cut short by a kill is left out. No file has no lines."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        with suppress(ValueError):
            lines.append(json.loads(text))
    return lines


@contextmanager
def replaced_errors(path: Path) -> Iterator[None]:
    """Turn an OSError (full disk, missing permission) into a GambolError that names the file."""
    try:
        yield
    except OSError as error:
        raise GambolError(f"{path} could not be written: {error.strerror or error}.") from error


@contextmanager
def open_run(path: Path, settings: dict[str, Any], *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Lock a run folder while the block runs; a folder with the same settings is resumed, one with others is refused.

    `settings` is everything that decides the result; it is written as settings.json. Its `outputs` may differ from
    those of the folder, since they do not change the motion. Where the block fails before the first state is saved, the
    folder is left as it was.
    """
    if path.exists() and not path.is_dir():
        raise AssetError(f"{path} is a file; a run is written to a folder.")
    new = not path.exists()
    with replaced_errors(path):
        path.mkdir(parents=True, exist_ok=True)
    settings = json.loads(json.dumps(settings))
    try:
        with locked(path / LOCK):
            known = known_settings(path)
            if known is not None and deciding_settings(known) != deciding_settings(settings):
                if _has_begun(path) and not overwrite:
                    raise AssetError(_other_run(path, deciding_settings(known), deciding_settings(settings)))
                _clear(path, known)
                known = None
            if known != settings:
                write_text(path / SETTINGS, json.dumps(settings, indent=1, ensure_ascii=False) + "\n")
            _sweep(path)
            try:
                yield RunFolder(path, fingerprint(settings))
            finally:
                if not _has_begun(path):
                    _clear(path, settings)
    finally:
        if new:
            _remove_if_empty(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file that the operating system releases when the process ends, however it ends."""
    owner, lock = path.with_name(LOCK_OWNER), FileLock(path)
    with replaced_errors(path):
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            number = owner.read_text(encoding="utf-8").strip() if owner.is_file() else "unknown"
            raise RunInUse(
                f"{path.parent} is in use by another process (number {number}). Wait for it, or give another folder."
            ) from error
    try:
        with replaced_errors(owner):
            owner.write_text(str(os.getpid()), encoding="utf-8")
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()


def read_settings(folder: Path) -> RunSettings:
    """Read `settings.json` of a run; without one, the folder's name is taken as the character."""
    values: dict[str, Any] = {"character": folder.name}
    if not (folder / SETTINGS).is_file():
        return RunSettings(**values)
    path, found = folder / SETTINGS, _read_json(folder / SETTINGS)
    if not isinstance(found, dict):
        raise AssetError(f"{path} must hold a JSON object with prompt, character, method and seed.")
    for key in fields(RunSettings):
        given, kind = found.get(key.name), type(key.default)
        if given is None:
            continue
        if not isinstance(given, kind) or isinstance(given, bool):
            raise AssetError(f"{path}: '{key.name}' is {given!r}; it must be a {'number' if kind is int else 'text'}.")
        values[key.name] = given
    return RunSettings(**values)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise AssetError(f"{path} cannot be read as JSON: {error}.") from error


def fingerprint(settings: dict[str, Any]) -> str:
    """SHA-256 of the settings that decide the result."""
    return hashlib.sha256(json.dumps(deciding_settings(settings), sort_keys=True).encode()).hexdigest()


def deciding_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings without those of the outputs: what decides the motion."""
    return {key: value for key, value in settings.items() if key != OUTPUTS}


def _has_begun(path: Path) -> bool:
    """Whether there is a state or a result that could be lost."""
    return any((path / CHECKPOINTS).glob("*.safetensors")) or (path / METRICS).exists()


def known_settings(path: Path) -> dict[str, Any] | None:
    """The settings that a folder holds, None for an empty one; refused where it holds other things."""
    if not (path / SETTINGS).is_file():
        inside = [p.name for p in path.iterdir() if p.name not in (LOCK, LOCK_OWNER)]
        if inside:
            raise AssetError(
                f"{path} holds other things ({', '.join(sorted(inside)[:4])}) and no run. Give an empty or new folder."
            )
        return None
    known = _read_json(path / SETTINGS)
    if not isinstance(known, dict) or "prompt" not in known:
        raise AssetError(f"{path / SETTINGS} was not written by a run of Gambol. Give an empty or new folder.")
    return known


def _other_run(path: Path, known: dict[str, Any], settings: dict[str, Any]) -> str:
    before, after = _flat(known), _flat(settings)
    differing = [key for key in after | before if before.get(key) != after.get(key)]
    # what the user asked for is said first, in the user's words: the plan and its methods follow from it
    asked = [key for key in differing if key.startswith("request.")]
    first = next((key for key in ("prompt", "file", "prior", *asked) if key in differing), differing[0])
    old, new = (_said(values.get(first)) for values in (before, after))
    what = f"{first.split('.')[-1].removeprefix('named_')} was {old} and is now {new}"
    what = "the character file is another one" if first == "file" else what
    return f"{path} holds a run with other settings: {what}. Give another folder, or --overwrite to start again."


def _said(value: Any) -> str:
    """A setting as a message shows it."""
    return "not given" if value is None else json.dumps(value, ensure_ascii=False)[:60]


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """Nested settings by their whole names: prompt, finish.fps, settings.penalties.smooth."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        found |= {f"{key}.{k}": v for k, v in _flat(value).items()} if isinstance(value, dict) else {key: value}
    return found


def _clear(path: Path, settings: dict[str, Any]) -> None:
    """Remove the run with these settings: only files that it writes itself."""
    model = Path(str(settings.get("character", "")))
    names = [SETTINGS, LOG, METRICS, TIMINGS, FILM, REPORT, WATCH, PREVIEW]
    names += [f"{model.stem}{suffix}" for suffix in (".glb", ".fbx") if model.stem]
    for name in names:
        (path / name).unlink(missing_ok=True)
    for folder in (CHECKPOINTS, SPLATS):
        if (path / folder).is_dir():
            shutil.rmtree(path / folder)


def _remove_if_empty(path: Path) -> None:
    """Remove a folder that holds nothing but a lock."""
    if path.is_dir() and {inside.name for inside in path.iterdir()} <= {LOCK, LOCK_OWNER}:
        shutil.rmtree(path, ignore_errors=True)


def _sweep(path: Path) -> None:
    """Remove the temporary files that a killed process left behind."""
    for folder in (path, path / CHECKPOINTS):
        for inside in folder.glob(".*") if folder.is_dir() else ():
            if inside.is_file():
                inside.unlink()
