"""The project folder: the only place that the server reads and writes for its clients.

PROJECT/  document.json  server.json  characters/ID/  jobs/ID/  uploads/ID/
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath
from typing import Any

from gambol.errors import GambolError
from gambol.files.atomic_write import write_text

ID = re.compile(r"[a-z]+-[0-9a-z-]{6,40}")
"""What ids of characters, jobs and poses look like."""
MOST_NAME_LETTERS = 120
"""Longest name of an uploaded file."""
DEEPEST_NAME = 6
"""Most folders in the name of an uploaded file."""
RECORDS = {"characters": "character.json", "jobs": "job.json"}
"""Folders of records, and the file that each record is in."""


class RequestRefused(GambolError):
    """A client asked for something that it cannot have; `status` is the HTTP status."""

    def __init__(self, text: str, status: int = 400, field: str | None = None):
        super().__init__(text)
        self.status, self.field = status, field


def now() -> str:
    """The time as records have it."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id(prefix: str) -> str:
    """An id that sorts by time and cannot be guessed."""
    return f"{prefix}-{datetime.now(timezone.utc):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


@dataclass(frozen=True)
class Project:
    """A project folder."""

    path: Path
    """The folder, absolute."""

    def open(self) -> Project:
        """Make the folder where it is missing; one that holds other things is refused."""
        if self.path.exists() and not self.path.is_dir():
            raise GambolError(f"{self.path} is a file; a project is a folder.")
        known = {"characters", "jobs", "uploads", "document.json", "server.json", "server.lock", "workers.log"}
        strange = [p.name for p in self.path.iterdir() if p.name not in known] if self.path.is_dir() else []
        if strange and not (self.path / "jobs").is_dir():
            inside = ", ".join(sorted(strange)[:4])
            raise GambolError(f"{self.path} holds other things ({inside}) and no project. Give an empty or new folder.")
        for name in ("characters", "jobs", "uploads"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        return self

    def folder(self, kind: str, identity: str) -> Path:
        """The folder of a character, a job or an upload; the id is checked, the folder need not exist."""
        if not ID.fullmatch(identity):
            raise RequestRefused(f"'{identity[:60]}' is no id of this project.", 404)
        return self.path / kind / identity

    def relative(self, path: Path) -> str:
        """A path as tasks and commands have it: from the project folder on."""
        return path.relative_to(self.path).as_posix()

    def inside(self, folder: Path, name: str) -> Path:
        """A file of a folder by the name that a client gave; refused where it lies anywhere else."""
        path = folder / checked_name(name)
        if not path.resolve().is_relative_to(folder.resolve()):
            raise RequestRefused(f"'{name[:60]}' lies outside its folder.", 404)
        return path

    def refuse_outside(self, name: str, field: str) -> None:
        """Refuse a path in a request that does not lead to a file of the project."""
        path = Path(name)
        inside = not path.is_absolute() and (self.path / path).resolve().is_relative_to(self.path.resolve())
        if not inside or not (self.path / path).is_file():
            text = f"{field} names '{name[:80]}', which is no file of the project; upload it first."
            raise RequestRefused(text, 400, field)

    def write_record(self, kind: str, record: dict[str, Any]) -> None:
        """Write the record of a character or a job."""
        target = self.folder(kind, record["id"]) / RECORDS[kind]
        write_text(target, json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n")

    def records(self, kind: str) -> Iterator[dict[str, Any]]:
        """All records of a kind, the oldest first; a folder without one is left out."""
        for folder in sorted((self.path / kind).iterdir()):
            with suppress(OSError, ValueError):
                yield json.loads((folder / RECORDS[kind]).read_text(encoding="utf-8"))

    def remove(self, kind: str, identity: str) -> None:
        """Remove the folder of a character, job or upload."""
        shutil.rmtree(self.folder(kind, identity), ignore_errors=True)


def checked_name(name: str) -> PurePosixPath:
    """A file's name, perhaps below folders; refused where it could lead anywhere else or hide."""
    parts = name.split("/")
    bad = any(part in ("", ".", "..") or part.startswith(".") or "\\" in part or ":" in part for part in parts)
    odd = any(ord(letter) < 32 or letter == "\x7f" for letter in name)
    if bad or odd or len(name) > MOST_NAME_LETTERS or len(parts) > DEEPEST_NAME:
        raise RequestRefused(f"'{name[:60]}' cannot be used as a file's name; give one such as fox.glb.")
    return PurePosixPath(name)


@contextmanager
def locked_project(project: Project) -> Iterator[None]:
    """Hold the project while a server runs on it; the system lets go of it however the server ends."""
    from filelock import FileLock, Timeout

    lock = FileLock(project.path / "server.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        known = read_server_file(project.path)
        where = f" It answers at {known['url']}." if known else ""
        text = f"Another server already works on {project.path}.{where} Use it, or give another --project."
        raise GambolError(text) from error
    try:
        yield
    finally:
        lock.release()


def read_server_file(folder: Path) -> dict[str, Any] | None:
    """Address, token and process of the server of a project, where one wrote them."""
    with suppress(OSError, ValueError):
        return json.loads((folder / "server.json").read_text(encoding="utf-8"))
    return None
