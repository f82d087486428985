"""Where a batch is: how many jobs are queued, running, done and failed, how fast it goes, how long it will take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class BatchStatus:
    """A moment of a batch."""

    total: int
    """All jobs."""
    skipped: int = 0
    """Jobs that were finished before."""
    running: int = 0
    """Jobs that workers are at."""
    done: int = 0
    """Jobs that were finished by this command."""
    failed: int = 0
    """Jobs that failed."""
    lost: int = 0
    """Workers that were lost; their jobs are tried again."""
    seconds: float = 0.0
    """Time since the first job was started."""
    last: str = ""
    """What happened last."""
    waiting_for: str = ""
    """What is missing while no worker finds a place."""
    stopped: bool = False
    """No further jobs are started, because too many have failed."""

    @property
    def queued(self) -> int:
        """Jobs that are still to be started."""
        return self.total - self.skipped - self.running - self.done - self.failed

    @property
    def jobs_per_hour(self) -> float | None:
        """Jobs that end per hour; None before the first has ended."""
        ended = self.done + self.failed
        return 3600.0 * ended / self.seconds if ended and self.seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Time that the remaining jobs will take at this speed; running ones count half."""
        rate = self.jobs_per_hour
        return None if rate is None else 3600.0 * (self.queued + 0.5 * self.running) / rate


Report = Callable[[BatchStatus], None]
"""Called whenever a batch has a new status."""
