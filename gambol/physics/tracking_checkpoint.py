"""The file from which tracking goes on after a stop: what finished windows found, and the state within one."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gambol.files.atomic_write import replacing
from gambol.physics.tracking_problem import TrackingProblem

if TYPE_CHECKING:
    from gambol.physics.track_windows import WindowedSearch


class TrackingCheckpoint:
    """A file with the state of tracking, replaced after each window and every `INTERVAL` iterations within one.

    Without a path nothing is read or written. It also counts the CPU time of a job over all its runs.
    """

    INTERVAL = 10
    """Iterations between two writes within a window."""

    def __init__(self, path: Path | None, fingerprint: str):
        self.path, self.fingerprint = path, fingerprint
        self._earlier, self._start = 0.0, time.process_time()

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of this process since the start, and those of the runs that were stopped before."""
        return self._earlier + time.process_time() - self._start

    def read(self) -> dict[str, Any]:
        """Read what finished windows found (`windows`) and the state within the next one (`within`).

        Both are None where there is no file of the same job.
        """
        nothing = {"windows": None, "within": None}
        if self.path is None or not self.path.is_file():
            return nothing
        from gambol.physics.gradient_tracking import TrackingSolution
        from gambol.physics.track_windows import WindowedSearch

        try:
            with torch.serialization.safe_globals([TrackingSolution, WindowedSearch]):
                saved = torch.load(self.path, weights_only=True)
        except Exception:
            return nothing  # a damaged or foreign file: start again
        if not isinstance(saved, dict) or saved.get("fingerprint") != self.fingerprint:
            return nothing
        self._earlier = saved["cpu_seconds"]
        return {"windows": saved["windows"], "within": saved["within"]}

    def write_within(self, windows: WindowedSearch | None, state: dict[str, Any]) -> None:
        """Write the state within a window if its iteration is a multiple of `INTERVAL`."""
        if state["iteration"] % self.INTERVAL == 0:
            self.write(windows, state)

    def write(self, windows: WindowedSearch | None, within: dict[str, Any] | None) -> None:
        """Write what finished windows found, and the state within the next one."""
        if self.path is None:
            return
        with replacing(self.path) as temporary, temporary.open("wb") as file:
            torch.save(
                {
                    "windows": windows,
                    "within": within,
                    "cpu_seconds": self.cpu_seconds,
                    "fingerprint": self.fingerprint,
                },
                file,
            )


def tracking_fingerprint(problem: TrackingProblem, *settings: object) -> str:
    """Digest of clips, body, world and settings; a checkpoint is resumed only where it is the same."""
    digest = hashlib.sha256(repr((settings, problem.world, problem.names, problem.time)).encode())
    for values in (problem.states, problem.angles, problem.rates):
        digest.update(values.numpy().tobytes())
    for array in (problem.body.masses, problem.body.inertias, problem.body.points):
        digest.update(array.tobytes())
    return digest.hexdigest()
