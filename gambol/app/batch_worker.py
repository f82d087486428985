"""What a worker does with a job of a batch: hold the prior, run the job in its run folder, record the result."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gambol.app.animate_request import AnimateFileRequest
from gambol.app.batch_folder import BatchFolder, JobRecord, results_of
from gambol.app.batch_needs import PriorKey, estimate_key, prior_key
from gambol.app.run_folder import RunInUse
from gambol.errors import GambolError
from gambol.priors.check_prior_name import is_embedded
from gambol.scale.shared_folder import fetch_input, open_shared_folder
from gambol.scale.worker_limits import place_name

LOCK_SECONDS = 60.0
"""How long a worker waits for a run folder that another process still holds, which is perhaps just ending."""


@dataclass(frozen=True)
class WorkerJob:
    """A job as it is sent to a worker."""

    record: JobRecord
    """What is known of the job before it runs."""
    request: AnimateFileRequest
    """What is asked for."""
    output: str
    """The batch's folder."""
    inputs: tuple[tuple[str, str, str], ...] = ()
    """Files that are fetched from the batch's folder: field of the request, digest, name."""
    gpus: float = 0.0
    """The share of a GPU that the job has."""

    def __call__(self) -> JobRecord:
        """Run the job, unless its results are there; returns its record, which is written too."""
        folder = BatchFolder(open_shared_folder(self.output))
        run = self.record.run
        known = folder.read(run)
        same = known is not None and known.hash == self.record.hash
        if known is not None and same and known.status == "done" and folder.with_results([run]):
            return known
        running = replace(self.record, status="running", place=place_name())
        folder.write(running)
        began = time.monotonic()
        with folder.shared.workspace(run, keep=same) as work:
            done = self._animate(work.path, work.save, running, overwrite=known is not None)
            work.save(True)
        done = replace(done, seconds=round(time.monotonic() - began, 3))
        folder.write(done)
        return done

    def _animate(self, path: Path, save: Any, record: JobRecord, *, overwrite: bool) -> JobRecord:
        from gambol.app.animate import animate_file

        request, gpus = self._with_inputs(), self.gpus
        waited = time.monotonic()
        while True:
            try:
                report = animate_file(
                    request,
                    path,
                    overwrite=overwrite,
                    load_prior=lambda source, options: _HELD.prior(prior_key(request), source, options, gpus),
                    after_step=lambda step: save(False) if step.saved else None,
                )
            except RunInUse:
                if time.monotonic() - waited > LOCK_SECONDS:
                    raise
                time.sleep(0.5)
            else:
                break
        if report.animated.stopped:  # Ctrl-C in this very process
            raise KeyboardInterrupt
        found, files = report.metrics, results_of(record.run, report.written)
        return replace(
            record,
            status="done",
            motion=found.motion,
            confidence=round(found.confidence, 4),
            motion_amount=round(found.motion_amount, 4),
            speed=round(found.speed, 4),
            foot_skate=None if found.foot_skate_sizes is None else round(found.foot_skate_sizes, 5),
            penetration=round(found.penetration_max, 5),
            floating=round(found.float_mean, 5),
            clip_seconds=round(found.seconds, 3),
            evaluations=report.animated.evaluations,
            notes=tuple(note for note in report.notes if not note.startswith("Resumed after")),
            model=files.get("model", ""),
            film=files.get("film", ""),
            report=files.get("report", ""),
        )

    def _with_inputs(self) -> AnimateFileRequest:
        """The request with its files on this machine's disk."""
        request, shared = self.request, open_shared_folder(self.output)
        for field, digest, name in self.inputs:
            path = fetch_input(shared, digest, name)
            if field == "video":
                request = replace(request, request=replace(request.request, video=path))
            elif field == "file":
                request = replace(request, file=path)
            else:
                request = replace(request, prior=str(path))
        return request


class HeldPrior:
    """The prior that this worker holds; another one takes its place."""

    def __init__(self) -> None:
        self._key: PriorKey | None = None
        self._prior: Any = None

    def prior(self, key: PriorKey, source: Any, options: Any, gpus: float) -> Any:
        """The prior of a job, loaded once for all jobs that need the same."""
        if key != self._key:
            self._key = self._prior = None  # the old one is gone before the new one is loaded
            if 0 < gpus < 1:
                check_gpu_share(key, gpus)
            self._prior = source.load(options)
            self._key = key
        return self._prior


def check_gpu_share(key: PriorKey, gpus: float) -> None:
    """Refuse a share of this worker's GPU that is too small for its prior, by the estimate of `gambol doctor`."""
    import torch

    if is_embedded(key.name) or not torch.cuda.is_available():
        return
    need = estimate_key(key, "cuda").peak
    share = gpus * torch.cuda.get_device_properties(0).total_memory
    if need > share:
        raise GambolError(
            f"{key.title} needs {need / 1e9:.1f} GB of a GPU, and {gpus:g} of this one is {share / 1e9:.1f} GB. "
            "Give a larger --gpus-per-job."
        )


_HELD = HeldPrior()
