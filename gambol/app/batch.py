"""`gambol batch`: many requests become many run folders, on the processes of this machine or on a Ray cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gambol.app.animate_request import AnimateFileRequest
from gambol.app.batch_folder import BatchFolder, FileDigests, JobRecord, job_hash
from gambol.app.batch_jobs import BatchJob, make_jobs, product_rows, read_jobs
from gambol.app.batch_needs import JobNeeds, PriorKey, needs_of, prior_key
from gambol.app.batch_pages import LivePages
from gambol.app.batch_status import BatchStatus, Report
from gambol.app.batch_worker import WorkerJob
from gambol.errors import AssetError, ConfigError
from gambol.render.memory_budget import parse_bytes
from gambol.scale.choose_executor import LOCAL, open_executor
from gambol.scale.executor import Executor, Needs
from gambol.scale.schedule import Event, Policy, Task, TaskGroup, run_tasks
from gambol.scale.shared_folder import DiskFolder, open_shared_folder, put_input

DEFAULT_ATTEMPTS = 3
"""Workers that a job may lose without writing a checkpoint before it counts as failed."""
SEVERAL_FILES = (".gltf", ".obj")
"""Suffixes of files that refer to others, which nodes without a shared disk would not have."""


@dataclass(frozen=True)
class BatchReport:
    """What a batch came to."""

    output: str
    """The batch's folder."""
    records: tuple[JobRecord, ...]
    """All jobs in their order."""
    status: BatchStatus
    """How many of them are done, skipped and failed."""
    notes: tuple[str, ...] = ()
    """Sentences for people."""

    @property
    def failed(self) -> tuple[JobRecord, ...]:
        """The jobs that failed."""
        return tuple(record for record in self.records if record.status == "failed")


def batch(
    jobs: str | Path | Sequence[AnimateFileRequest | Mapping[str, Any]] | None = None,
    output: str | Path = "",
    *,
    characters: str | Path | Sequence[str | Path] = (),
    prompts: str | Path | Sequence[str] = (),
    seeds: int = 1,
    settings: Mapping[str, Any] | None = None,
    address: str = LOCAL,
    workers: int | None = None,
    cpus_per_job: float | None = None,
    gpus_per_job: float | None = None,
    memory_per_job: str | int | None = None,
    timeout: float | None = None,
    attempts: int = DEFAULT_ATTEMPTS,
    max_failures: int | None = None,
    report: Report | None = None,
) -> BatchReport:
    """Run many requests, each in a run folder of its own; the same call again does what is left to do.

    Args:
        jobs: A .csv or .jsonl file with a request per row, or the requests themselves; or give characters and prompts.
        output: Folder of the batch, or an address of fsspec such as s3://bucket/folder.
        characters: Files, folders or patterns such as 'folder/*.glb': every character does every prompt.
        prompts: A file with one sentence per line, or the sentences.
        seeds: With characters: number of seeds of each, from 0 on.
        settings: Values of fields that the jobs leave open, such as {"seconds": 4, "prior": "wan2.1-1.3b"}.
        address: local: processes of this machine; auto: the Ray cluster that this machine belongs to, or else local;
            HOST:PORT or ray://HOST:PORT: a Ray cluster; here: this very process.
        workers: Most jobs at a time. Default: as many as find room.
        cpus_per_job: Cores and threads of each job. Default: 1.
        gpus_per_job: GPUs of each job, or a fraction of one. Default: 1 for large models, 0 for the embedded prior.
        memory_per_job: Memory that each job reserves and may not pass, such as 4GB. Default: what the prior needs.
        timeout: Seconds after which a job is ended and counts as failed. Default: never.
        attempts: Workers that a job may lose without writing a checkpoint before it counts as failed.
        max_failures: Failed jobs after which no further ones are started. Default: all jobs are tried.
        report: Called with every new status.
    """
    _check_numbers(seeds=seeds, workers=workers, attempts=attempts, max_failures=max_failures)
    _check_amounts(cpus_per_job=cpus_per_job, gpus_per_job=gpus_per_job, timeout=timeout)
    memory = parse_bytes(memory_per_job) if isinstance(memory_per_job, str) else memory_per_job
    found = find_jobs(jobs, characters, prompts, seeds, settings)
    if not str(output):
        raise ConfigError("output is empty; it takes the folder of the batch.")
    folder = BatchFolder(open_shared_folder(str(output)))
    needs = JobNeeds(cpus_per_job, gpus_per_job, memory)
    cpus = None if workers is None else workers * (1.0 if cpus_per_job is None else cpus_per_job)
    policy = Policy(workers, attempts, timeout, max_failures, folder.progress_of)
    with folder.only_me():
        run = BatchRun(folder, found, needs, report)
        if not run.waiting:
            return run.finish()
        run.check_inputs()
        with open_executor(address, cpus=cpus) as executor:
            return run.work(executor, policy)


def find_jobs(
    jobs: str | Path | Sequence[AnimateFileRequest | Mapping[str, Any]] | None,
    characters: str | Path | Sequence[str | Path],
    prompts: str | Path | Sequence[str],
    seeds: int,
    settings: Mapping[str, Any] | None,
) -> list[BatchJob]:
    """The jobs of a file, of a list, or of characters and prompts."""
    characters = [characters] if isinstance(characters, str | Path) else list(characters)
    if (jobs is None) != bool(characters):
        raise ConfigError("A batch takes either a file of jobs, or characters and prompts: one of both, not both.")
    if jobs is None:
        given = Path(prompts) if isinstance(prompts, str | Path) else prompts
        return make_jobs(product_rows(characters, given, seeds), settings)
    if prompts or seeds != 1:
        raise ConfigError("prompts and seeds go with characters; a file of jobs has its own.")
    if isinstance(jobs, str | Path):
        return read_jobs(Path(jobs), settings)
    return make_jobs([(f"job {i + 1}", job) for i, job in enumerate(jobs)], settings)


class BatchRun:
    """One command's work on a batch: what there is to do, what became of it, and the pages that show it."""

    def __init__(
        self, folder: BatchFolder, jobs: Sequence[BatchJob], given: JobNeeds, report: Report | None = None
    ) -> None:
        self.folder, self.given, self.report = folder, given, report
        self.digest = FileDigests()
        self.jobs = {job.run: job for job in jobs}
        self.records: dict[str, JobRecord] = {}
        self.notes: list[str] = []
        known = folder.read_all()
        there = folder.with_results(known)
        for job in jobs:
            self.records[job.run] = self._first_record(job, known.get(job.run) if job.run in there else None)
        self.waiting = [run for run, record in self.records.items() if record.status != "done"]
        skipped = len(self.records) - len(self.waiting)
        self.status = BatchStatus(len(self.records), skipped=skipped)
        self.pages = LivePages(folder, self.records)

    def _first_record(self, job: BatchJob, known: JobRecord | None) -> JobRecord:
        """The record of a job that is done already, or one that begins anew."""
        asked, digest = job.request.request, job_hash(job.request, self.digest)
        if known is not None and known.status == "done" and known.hash == digest:
            return known
        return JobRecord(
            run=job.run,
            character="" if job.request.file is None else job.request.file.name,
            prompt=asked.title,
            seed=asked.seed,
            prior=prior_key(job.request).short_name,
            hash=digest,
        )

    def check_inputs(self) -> None:
        """Refuse files that workers without a shared disk could not read."""
        if isinstance(self.folder.shared, DiskFolder):
            return
        for run in self.waiting:
            file = self.jobs[run].request.file
            if file is not None and file.suffix.lower() in SEVERAL_FILES:
                raise AssetError(
                    f"{file} refers to other files, and nodes without a shared disk have only the file itself. "
                    "Convert it first: gambol convert FILE -o FILE.glb"
                )

    def work(self, executor: Executor, policy: Policy) -> BatchReport:
        """Run all jobs that are waiting."""
        began: float | None = None
        self._tell()
        try:
            for event in run_tasks(executor, self.groups(), policy):
                if event.kind == "started" and began is None:
                    began = time.monotonic()
                self._take(event)
                ended = policy.max_failures is not None and self.status.failed >= policy.max_failures
                seconds = 0.0 if began is None else time.monotonic() - began
                self.status = replace(self.status, seconds=seconds, stopped=ended)
                self._tell()
        finally:
            self.finish()
        return self.finish()

    def groups(self) -> list[TaskGroup]:
        """The jobs by what their workers have to hold; those that need GPUs come first."""
        runs: dict[PriorKey, list[str]] = {}
        for run in self.waiting:
            runs.setdefault(prior_key(self.jobs[run].request), []).append(run)
        groups = []
        for key, inside in runs.items():
            needs, note = needs_of(key, self.given)
            self.notes += [note] if note else []
            groups.append(TaskGroup(key.title, self._tasks(inside, needs), needs))
        return sorted(groups, key=lambda group: -group.needs.gpus)

    def finish(self) -> BatchReport:
        """Write the pages a last time."""
        self.pages.write(live=False)
        return BatchReport(self.folder.shared.address, tuple(self.records.values()), self.status, tuple(self.notes))

    def _tasks(self, runs: Sequence[str], needs: Needs) -> Iterator[Task]:
        """The tasks of a group, made when they are asked for."""
        for run in runs:
            job = self.jobs[run]
            inputs = () if isinstance(self.folder.shared, DiskFolder) else self._put_inputs(job.request)
            worker_job = WorkerJob(self.records[run], job.request, self.folder.shared.address, inputs, needs.gpus)
            yield Task(run, worker_job)

    def _put_inputs(self, request: AnimateFileRequest) -> tuple[tuple[str, str, str], ...]:
        """Put a job's files into the batch's folder, for nodes that share no disk with this one."""
        prior = request.prior if request.prior is not None and request.prior.endswith(".safetensors") else None
        files = {"file": request.file, "video": request.request.video, "prior": None if prior is None else Path(prior)}
        found = []
        for field, path in files.items():
            if path is not None:
                put_input(self.folder.shared, path, self.digest(path))
                found.append((field, self.digest(path), path.name))
        return tuple(found)

    def _take(self, event: Event) -> None:
        """Bring records and status up to date."""
        status = replace(self.status, waiting_for=event.why if event.kind == "tick" else "")
        if event.kind == "tick":
            self.status = status
            return
        record = replace(self.records[event.task], place=event.place, attempts=event.attempt)
        if event.kind == "started":
            record = replace(record, status="running")
            status = replace(status, running=status.running + 1)
        elif event.kind == "done":
            record = replace(event.value, attempts=event.attempt)
            status = replace(status, running=status.running - 1, done=status.done + 1, last=f"{event.task} is done")
        elif event.kind == "lost":
            record = replace(record, status="queued")
            last = f"{event.task} lost its worker, because {event.why}; it is tried again"
            status = replace(status, running=status.running - 1, lost=status.lost + 1, last=last)
        else:
            seconds = round(event.seconds, 3)
            record = replace(record, status="failed", error=event.why, trace=event.trace, seconds=seconds)
            self.folder.write(record)
            last = f"{event.task} failed: {event.why}"
            status = replace(status, running=status.running - 1, failed=status.failed + 1, last=last)
        self.records[event.task] = record
        self.status = status

    def _tell(self) -> None:
        self.pages.update()
        if self.report is not None:
            self.report(self.status)


def _check_numbers(**given: int | None) -> None:
    for name, value in given.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise ConfigError(f"{name} is {value!r}; it takes a whole number of 1 or more.")


def _check_amounts(**given: float | None) -> None:
    for name, value in given.items():
        least = 0.0 if name == "gpus_per_job" else 1e-3
        if value is not None and not least <= value < float("inf"):
            raise ConfigError(f"{name} is {value!r}; it takes a number above 0.")
