"""A folder that all workers see: on a shared disk, or at an address of fsspec such as s3://bucket/folder.

On a shared disk work is done in the folder itself. Elsewhere it is done in a folder of the worker's own disk, which is
fetched before and saved after every checkpoint; what is saved appears all at once, file by file.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambol.errors import AssetError
from gambol.files.atomic_write import replacing

SAVE_SECONDS = 30.0
"""Shortest time between two savings of a folder that is not on a shared disk, seconds."""
OWN_FILES = ("lock", "lock.pid")
"""Files of a work folder that mean nothing elsewhere."""


@dataclass(frozen=True)
class Workspace:
    """A folder to work in."""

    path: Path
    """Where it is."""
    save: Callable[[bool], None]
    """Make what is in it visible to all; with False only if the last time was a while ago."""


class SharedFolder(ABC):
    """Files by names with slashes, below one address."""

    address: str
    """Where it is, as `open_shared_folder` takes it."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """The contents of a file; None where there is none."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file, all or nothing."""

    @abstractmethod
    def names(self, folder: str = "") -> set[str]:
        """Names directly in a folder; none where there is no such folder."""

    @abstractmethod
    def existing(self, names: Iterable[str]) -> set[str]:
        """Those of the names that are files."""

    @abstractmethod
    def state(self, folder: str) -> Hashable:
        """Something that is another after every change of the files below a folder."""

    @abstractmethod
    def workspace(self, folder: str, *, keep: bool) -> Any:
        """Context of a `Workspace` with what the folder holds; without `keep` it may be empty."""

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        """The contents of those files that there are."""
        found = {name: self.read(name) for name in names}
        return {name: data for name, data in found.items() if data is not None}


class DiskFolder(SharedFolder):
    """A folder of a disk that all workers have."""

    def __init__(self, path: Path) -> None:
        self.path, self.address = path, str(path)

    def read(self, name: str) -> bytes | None:
        """The contents of a file."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Write under a temporary name, then rename."""
        with replacing(self.path / name) as temporary:
            temporary.write_bytes(data)

    def names(self, folder: str = "") -> set[str]:
        """Names directly in a folder."""
        inside = self.path / folder
        return {path.name for path in inside.iterdir()} if inside.is_dir() else set()

    def existing(self, names: Iterable[str]) -> set[str]:
        """Those of the names that are files."""
        return {name for name in names if (self.path / name).is_file()}

    def state(self, folder: str) -> Hashable:
        """Name, size and time of every file."""
        found = []
        for path in sorted((self.path / folder).rglob("*")):
            try:
                told = path.stat()
            except FileNotFoundError:
                continue
            if path.is_file():
                found.append((path.name, told.st_size, told.st_mtime_ns))
        return tuple(found)

    @contextmanager
    def workspace(self, folder: str, *, keep: bool) -> Iterator[Workspace]:
        """The folder itself."""
        yield Workspace(self.path / folder, lambda now: None)


class RemoteFolder(SharedFolder):
    """A folder at an address of fsspec."""

    def __init__(self, address: str, *, save_seconds: float = SAVE_SECONDS) -> None:
        import fsspec

        self.address, self.save_seconds = address.rstrip("/"), save_seconds
        try:
            self.files, root = fsspec.core.url_to_fs(self.address)
        except (ImportError, ValueError) as error:
            raise AssetError(f"{address} cannot be opened: {error}.") from error
        self.root = root.rstrip("/")

    def read(self, name: str) -> bytes | None:
        """The contents of a file."""
        try:
            return bytes(self.files.cat_file(self._path(name)))
        except FileNotFoundError:
            return None

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        """The contents of those files that there are, fetched side by side."""
        paths = {self._path(name): name for name in names}
        found = self.files.cat(list(paths), on_error="omit") if paths else {}
        return {paths[path]: bytes(data) for path, data in found.items()}

    def write(self, name: str, data: bytes) -> None:
        """Write in one transaction."""
        path = self._path(name)
        self.files.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        with self.files.transaction, self.files.open(path, "wb") as file:
            file.write(data)

    def names(self, folder: str = "") -> set[str]:
        """Names directly in a folder."""
        self.files.invalidate_cache()
        try:
            inside = self.files.ls(self._path(folder), detail=False)
        except FileNotFoundError:
            return set()
        return {path.rstrip("/").rsplit("/", 1)[-1] for path in inside}

    def existing(self, names: Iterable[str]) -> set[str]:
        """Those of the names that are files, by one listing."""
        return set(names) & set(self.below(""))

    def state(self, folder: str) -> Hashable:
        """What the file system knows of every file."""
        return tuple(sorted((path, str(sorted(map(str, told.items())))) for path, told in self._find(folder).items()))

    @contextmanager
    def workspace(self, folder: str, *, keep: bool) -> Iterator[Workspace]:
        """A folder of this machine's disk, which is removed afterwards."""
        own = Path(tempfile.mkdtemp(prefix="gambol-"))
        try:
            mirror = _Mirror(self, folder, own / "run")
            if keep:
                mirror.fetch()
            yield Workspace(own / "run", mirror.save)
        finally:
            shutil.rmtree(own, ignore_errors=True)

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.files.rm_file(self._path(name))

    def below(self, folder: str) -> list[str]:
        """Names of all files below a folder, relative to it."""
        start = self._path(folder) + "/"
        return [path[path.index(start) + len(start) :] for path in self._find(folder)]

    def _find(self, folder: str) -> dict[str, Any]:
        self.files.invalidate_cache()
        try:
            return dict(self.files.find(self._path(folder), detail=True))
        except FileNotFoundError:
            return {}

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}".rstrip("/")


@dataclass
class _Mirror:
    """A folder of this disk and its image elsewhere."""

    folder: RemoteFolder
    name: str
    own: Path
    saved: dict[str, tuple[int, int]] = field(default_factory=dict)
    last: float = 0.0

    def fetch(self) -> None:
        for name in self.folder.below(self.name):
            data = self.folder.read(f"{self.name}/{name}")
            if data is not None:
                (self.own / name).parent.mkdir(parents=True, exist_ok=True)
                (self.own / name).write_bytes(data)
        self.saved = self._files()

    def save(self, now: bool) -> None:
        if not now and time.monotonic() - self.last < self.folder.save_seconds:
            return
        files = self._files()
        # checkpoints last: a log may be ahead of its state, never behind
        for name in sorted(files, key=lambda name: ("/" in name, name)):
            if self.saved.get(name) != files[name]:
                self.folder.write(f"{self.name}/{name}", (self.own / name).read_bytes())
        for name in self.folder.below(self.name):
            if name not in files:
                self.folder.remove(f"{self.name}/{name}")
        self.saved, self.last = files, time.monotonic()

    def _files(self) -> dict[str, tuple[int, int]]:
        paths = [path for path in self.own.rglob("*") if path.is_file() and path.name[0] != "."]
        told = {path.relative_to(self.own).as_posix(): path.stat() for path in paths if path.name not in OWN_FILES}
        return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in told.items()}


def open_shared_folder(address: str) -> SharedFolder:
    """The folder at a path, or at an address with :// of fsspec."""
    if "://" not in address:
        path = Path(address)
        if path.is_file():
            raise AssetError(f"{address} is a file; give a folder.")
        return DiskFolder(path.absolute())
    return RemoteFolder(address)


def fetch_input(folder: SharedFolder, digest: str, name: str) -> Path:
    """A file that `put_input` put into a folder, on this machine's disk; fetched once."""
    here = Path(tempfile.gettempdir()) / "gambol-inputs" / digest / name
    if not here.is_file() or hashlib.sha256(here.read_bytes()).hexdigest() != digest:
        data = folder.read(f"inputs/{digest}/{name}")
        if data is None or hashlib.sha256(data).hexdigest() != digest:
            raise AssetError(f"{folder.address}/inputs/{digest}/{name} is missing or not what it was.")
        with replacing(here) as temporary:
            temporary.write_bytes(data)
    return here


def put_input(folder: SharedFolder, path: Path, digest: str) -> None:
    """Put a file where workers find it by its digest; a file that is there already is left alone."""
    if path.name not in folder.names(f"inputs/{digest}"):
        folder.write(f"inputs/{digest}/{path.name}", path.read_bytes())
