"""The folder of a run: one process at a time, settings that tell what belongs together, states and logs that survive.

RUN/  NAME.glb  film.mp4  report.html  metrics.json  settings.json  log.jsonl  timings.json  checkpoints/  lock
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from gambol.distill.state import State, load_state, save_state
from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import replacing

SETTINGS, LOG, METRICS, TIMINGS, LOCK = "settings.json", "log.jsonl", "metrics.json", "timings.json", "lock"
FILM, REPORT, WATCH, PREVIEW = "film.mp4", "report.html", "watch.html", "preview.png"
CHECKPOINTS = "checkpoints"
OUTPUTS = "outputs"
"""The part of the settings that says which files are written, not what motion is in them."""


class RunInUse(GambolError):
    """Another process works on this run."""


@dataclass(frozen=True)
class RunFolder:
    """A run that this process owns."""

    path: Path
    fingerprint: str
    """Of everything that decides the result."""

    def state_path(self, variant: int) -> Path:
        """Where a variant's state is kept."""
        return self.path / CHECKPOINTS / f"{variant}.safetensors"

    def load(self, variant: int) -> State | None:
        """The variant's last state; None where it has not begun."""
        return load_state(self.state_path(variant), self.fingerprint)

    def save(self, variant: int, state: State, lines: list[dict[str, Any]]) -> None:
        """Log first, then the state: a log may be ahead of its state, never behind."""
        if lines:
            with replaced_errors(self.path / LOG), (self.path / LOG).open("a", encoding="utf-8") as log:
                log.writelines(json.dumps(line) + "\n" for line in lines)
                log.flush()
                os.fsync(log.fileno())
        save_state(self.state_path(variant), state, self.fingerprint)

    def trim_log(self, variant: int, step: int) -> None:
        """Drop what was logged after the state that a run goes on from."""
        path = self.path / LOG
        if not path.is_file():
            return
        kept = {
            (line["variant"], line["step"]): line
            for line in read_log(path)
            if line["variant"] < variant or (line["variant"] == variant and line["step"] < step)
        }
        write_text(path, "".join(json.dumps(line) + "\n" for line in kept.values()))

    def write_json(self, name: str, value: Any) -> Path:
        """Plain data, under its own name only when complete."""
        write_text(self.path / name, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        return self.path / name


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log; one that a kill cut short is left out."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        with suppress(ValueError):
            lines.append(json.loads(text))
    return lines


def write_text(path: Path, text: str) -> None:
    """Write a text file in one move."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replaced_errors(path: Path) -> Iterator[None]:
    """A full disk or a folder that may not be written, as a sentence."""
    try:
        yield
    except OSError as error:
        raise GambolError(f"{path} could not be written: {error.strerror or error}.") from error


@contextmanager
def open_run(path: Path, settings: dict[str, Any], *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Own the folder while the block runs. A folder with the same settings goes on; one with others is refused.

    `settings` is everything that decides the result; it is kept as settings.json. Its `outputs` may be other ones: the
    motion is the same. Where the block fails before the first state is saved, nothing of it stays.
    """
    if path.exists() and not path.is_dir():
        raise AssetError(f"{path} is a file; a run is written to a folder.")
    new = not path.exists()
    with replaced_errors(path):
        path.mkdir(parents=True, exist_ok=True)
    settings = json.loads(json.dumps(settings))
    fingerprint = hashlib.sha256(json.dumps(_deciding(settings), sort_keys=True).encode()).hexdigest()
    try:
        with locked(path / LOCK):
            known = _known_settings(path)
            if known is not None and _deciding(known) != _deciding(settings):
                if _has_begun(path) and not overwrite:
                    raise AssetError(_other_run(path, _deciding(known), _deciding(settings)))
                _clear(path, known)
                known = None
            if known != settings:
                write_text(path / SETTINGS, json.dumps(settings, indent=1, ensure_ascii=False) + "\n")
            _sweep(path)
            try:
                yield RunFolder(path, fingerprint)
            finally:
                if not _has_begun(path):
                    _clear(path, settings)
    finally:
        if new:
            _remove_if_empty(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that the system gives back when the process ends, however it ends."""
    with replaced_errors(path):
        file = path.open("a+")
    with file:
        if not _try_lock(file):
            file.seek(0)
            who = file.read().strip() or "unknown"
            raise RunInUse(
                f"{path.parent} is in use by another process (number {who}). Wait for it, or give another folder."
            )
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _try_lock(file: IO[str]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1000)  # what is locked cannot be read, so the number in front stays readable
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _deciding(settings: dict[str, Any]) -> dict[str, Any]:
    """What decides the motion."""
    return {key: value for key, value in settings.items() if key != OUTPUTS}


def _has_begun(path: Path) -> bool:
    """Whether there is a state or a result that could be lost."""
    return any((path / CHECKPOINTS).glob("*.safetensors")) or (path / METRICS).exists()


def _known_settings(path: Path) -> dict[str, Any] | None:
    if not (path / SETTINGS).is_file():
        inside = [p.name for p in path.iterdir() if p.name != LOCK]
        if inside:
            raise AssetError(
                f"{path} holds other things ({', '.join(sorted(inside)[:4])}) and no run. Give an empty or new folder."
            )
        return None
    try:
        known = json.loads((path / SETTINGS).read_text(encoding="utf-8"))
    except ValueError as error:
        raise AssetError(f"{path / SETTINGS} is no JSON ({error}). Remove the folder to start anew.") from error
    if not isinstance(known, dict) or "prompt" not in known:
        raise AssetError(f"{path / SETTINGS} was not written by a run of Gambol. Give an empty or new folder.")
    return known


def _other_run(path: Path, known: dict[str, Any], settings: dict[str, Any]) -> str:
    before, after = _flat(known), _flat(settings)
    differing = [key for key in after | before if before.get(key) != after.get(key)]
    first = differing[0]
    old, new = (json.dumps(values.get(first), ensure_ascii=False)[:60] for values in (before, after))
    others = f", and {len(differing) - 1} more" if len(differing) > 1 else ""
    return (
        f"{path} holds a run with another {first.split('.')[-1]} ({old}, now {new}{others}). "
        "Give another folder, or --overwrite to start anew."
    )


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings in settings by their whole names: prompt, finish.fps, settings.penalties.smooth."""
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
    if (path / CHECKPOINTS).is_dir():
        shutil.rmtree(path / CHECKPOINTS)


def _remove_if_empty(path: Path) -> None:
    """Take away a folder that holds nothing but a lock."""
    if path.is_dir() and {inside.name for inside in path.iterdir()} <= {LOCK}:
        shutil.rmtree(path, ignore_errors=True)


def _sweep(path: Path) -> None:
    """Remove what a killed process was just writing."""
    for folder in (path, path / CHECKPOINTS):
        for inside in folder.glob(".*") if folder.is_dir() else ():
            if inside.is_file():
                inside.unlink()
