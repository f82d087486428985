"""The format of a batch's folder, and the only code that knows it.

OUT/  NAME/ (a run folder for each job)  jobs/NAME.json  summary.csv  gallery.html  lock
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from gambol import __version__
from gambol.app.animate_request import AnimateFileRequest
from gambol.app.batch_needs import prior_name
from gambol.app.plain_data import plain_data
from gambol.app.request_json import request_data
from gambol.app.run_folder import CHECKPOINTS, FILM, METRICS, REPORT, locked
from gambol.errors import AssetError
from gambol.priors.check_prior_name import EMBEDDED, EMBEDDED_WEIGHTS, is_embedded
from gambol.scale.shared_folder import DiskFolder, SharedFolder

RECORD_SCHEMA = 1
"""Version of the files in `jobs/`; another one makes all jobs anew."""
SUMMARY, GALLERY = "summary.csv", "gallery.html"
"""The table and the page of all jobs."""
JOB_RECORDS = "jobs"
"""Folder with one record per job."""
JobStatus = Literal["queued", "running", "done", "failed"]
"""Where a job is."""


@dataclass(frozen=True)
class JobRecord:
    """What is known of a job; a row of the summary."""

    run: str
    """Name of the run folder."""
    status: JobStatus = "queued"
    """Where the job is; a job whose worker is gone stays at running."""
    character: str = ""
    """Name of the character's file."""
    prompt: str = ""
    """The sentence."""
    seed: int = 0
    """Seed of the request."""
    prior: str = ""
    """Name of the prior."""
    motion: str = ""
    """What the recogniser sees in the clip."""
    confidence: float | None = None
    """How sure it is, 0 to 1."""
    motion_amount: float | None = None
    """Mean speed of the joints relative to the body's centre, sizes per second."""
    speed: float | None = None
    """Speed over the ground, m/s."""
    foot_skate: float | None = None
    """Speed of standing feet, sizes per second."""
    penetration: float | None = None
    """Largest depth below the ground, sizes."""
    floating: float | None = None
    """Mean height above the ground, sizes."""
    clip_seconds: float | None = None
    """Length of the clip."""
    evaluations: int | None = None
    """Evaluations of the prior's network."""
    seconds: float | None = None
    """Wall-clock seconds of the last attempt."""
    attempts: int = 0
    """Attempts in the last command that worked on it."""
    place: str = ""
    """Host and process of the last attempt."""
    model: str = ""
    """Path of the character file with the new clip, relative to the batch's folder."""
    film: str = ""
    """Path of the film; empty where there is none."""
    report: str = ""
    """Path of the report; empty where there is none."""
    error: str = ""
    """Why it failed."""
    notes: tuple[str, ...] = ()
    """Sentences of the run for people."""
    trace: str = ""
    """Traceback of an error that should not happen."""
    hash: str = ""
    """Digest of everything that decides the result."""


SUMMARY_COLUMNS = tuple(f.name for f in fields(JobRecord) if f.name not in ("notes", "trace", "hash"))
"""Columns of summary.csv."""


@dataclass(frozen=True)
class BatchFolder:
    """The folder of a batch, on a disk or at an address of fsspec."""

    shared: SharedFolder
    """The folder."""

    def read(self, run: str) -> JobRecord | None:
        """The record of a job; None where there is none that this version can use."""
        data = self.shared.read(f"{JOB_RECORDS}/{run}.json")
        return None if data is None else _record(data)

    def read_all(self) -> dict[str, JobRecord]:
        """All records by the names of their runs."""
        names = [f"{JOB_RECORDS}/{name}" for name in self.shared.names(JOB_RECORDS) if name.endswith(".json")]
        found = {name: _record(data) for name, data in self.shared.read_all(names).items()}
        return {record.run: record for record in found.values() if record is not None}

    def write(self, record: JobRecord) -> None:
        """Write the record of a job."""
        text = json.dumps({"schema": RECORD_SCHEMA, **asdict(record)}, indent=1, ensure_ascii=False) + "\n"
        self.shared.write(f"{JOB_RECORDS}/{record.run}.json", text.encode())

    def with_results(self, runs: Iterable[str]) -> set[str]:
        """Those of the runs whose results are there."""
        return {name.partition("/")[0] for name in self.shared.existing(f"{run}/{METRICS}" for run in runs)}

    def progress_of(self, run: str) -> Hashable:
        """Something that is another after every checkpoint of a run."""
        return self.shared.state(f"{run}/{CHECKPOINTS}")

    def write_summary(self, records: Iterable[JobRecord]) -> None:
        """Write summary.csv, a row per job."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(SUMMARY_COLUMNS)
        for record in records:
            values = (getattr(record, name) for name in SUMMARY_COLUMNS)
            table.writerow([f"{v:.6g}" if isinstance(v, float) else "" if v is None else _cell(v) for v in values])
        self.shared.write(SUMMARY, text.getvalue().encode())

    @contextmanager
    def only_me(self) -> Iterator[None]:
        """Refuse a second command on the same folder; where nodes share no disk this cannot be known."""
        if not isinstance(self.shared, DiskFolder):
            yield
            return
        self.shared.path.mkdir(parents=True, exist_ok=True)
        with locked(self.shared.path / "lock"):
            yield


def results_of(run: str, written: Iterable[Path]) -> dict[str, str]:
    """Paths of a run's files relative to the batch's folder, as a record has them."""
    names = {path.name for path in written}
    model = next((path.name for path in written if path.suffix == ".glb"), "")
    shown = {"model": model, "film": FILM, "report": REPORT}
    return {what: f"{run}/{name}" for what, name in shown.items() if name in names}


class FileDigests:
    """Digests of files, each read once."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}
        self._lock = threading.Lock()

    def __call__(self, path: Path) -> str:
        """SHA-256 of a file."""
        with self._lock:
            if path not in self._known:
                try:
                    self._known[path] = hashlib.sha256(path.read_bytes()).hexdigest()
                except OSError as error:
                    raise AssetError(f"{path} cannot be read: {error.strerror or error}.") from error
            return self._known[path]


def job_hash(request: AnimateFileRequest, digest: Callable[[Path], str]) -> str:
    """Digest of everything that decides a job's files: request, contents of the files that it reads, prior, version."""
    asked = request_data(request.request)
    if request.request.video is not None:
        asked["video"] = digest(request.request.video)
    prior = prior_name(request)
    file: dict[str, Any] = {} if request.file is None else {"name": request.file.name, "digest": digest(request.file)}
    others = {f.name: getattr(request, f.name) for f in fields(request) if f.name not in ("request", "file", "prior")}
    settings = {"version": __version__, "request": asked, "file": file, "prior": prior_identity(prior, digest)}
    text = json.dumps({**settings, **plain_data(others)}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def prior_identity(name: str, digest: Callable[[Path], str]) -> str:
    """The name of a prior, and a digest of its weights where they are one file."""
    if not is_embedded(name):
        return name
    return f"{Path(name).name} {digest(EMBEDDED_WEIGHTS if name == EMBEDDED else Path(name))}"


def _record(data: bytes) -> JobRecord | None:
    try:
        found: Mapping[str, Any] = json.loads(data)
        known = {f.name: found[f.name] for f in fields(JobRecord) if f.name in found}
        if found.get("schema") != RECORD_SCHEMA:
            return None
        return JobRecord(**{**known, "notes": tuple(known.get("notes", ()))})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _cell(value: Any) -> Any:
    """A value of the table; a text that a spreadsheet would take for a formula is marked as text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "@") else value
