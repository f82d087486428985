"""Progress of long work on stderr: a bar on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Progress = Callable[[int, int, str], None]
"""Called by long work with (steps done, steps in total, what is being done and the numbers that matter)."""
LINE_INTERVAL_SECONDS = 5.0
"""Time between two plain lines of progress."""


class StopWork(BaseException):
    """Raised by a function that is told of progress to end long work at this point; what was saved stays."""


Item = TypeVar("Item")
"""What a command works through, one at a time."""


def reported(items: Sequence[Item], progress: Progress | None, describe: Callable[[Item], str]) -> Iterator[Item]:
    """Yield the items one by one, and report each before it is worked on."""
    for done, item in enumerate(items):
        if progress is not None:
            progress(done, len(items), describe(item))
        yield item


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show progress on stderr while the block runs; nothing is shown until something is reported."""
    from rich.console import Console

    console = Console(stderr=True)
    with _rich_bar(console) if console.is_terminal else _plain_lines() as report:
        yield report


class StageClock:
    """Tells how long a stage of long work has run and what is left of it.

    The remaining time is the mean time per step since the stage began, times the steps left; a stage begins where the
    total changes or the count starts again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._done, self._total, self._first_done, self._start = 0, -1, 0, clock()

    def report(self, done: int, total: int) -> bool:
        """Take a progress report; True where a new stage begins."""
        begins = total != self._total or done < self._done
        if begins:
            self._start, self._first_done = self._clock(), done
        self._done, self._total = done, total
        return begins

    @property
    def elapsed(self) -> float:
        """Seconds since the stage began."""
        return self._clock() - self._start

    @property
    def remaining(self) -> float | None:
        """Seconds that are left; None before the first step of the stage and after the last."""
        steps = self._done - self._first_done
        return self.elapsed / steps * (self._total - self._done) if steps > 0 and self._done < self._total else None


class ProgressLines:
    """Turns progress reports into plain lines, at most one every `interval` seconds.

    Work that is over within one interval writes nothing. The remaining time is that of `StageClock`.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        *,
        clock: Callable[[], float] = time.monotonic,
        interval: float = LINE_INTERVAL_SECONDS,
    ):
        self._write, self._clock, self._interval = write, clock, interval
        self._last_line = clock()
        self._lock = threading.Lock()
        self._stage = StageClock(clock)
        self._what: str | None = None
        self._done = self._total = 0
        self._stage_shown = False

    def report(self, done: int, total: int, what: str) -> None:
        """Take a progress report, and write a line if one is due or if a stage that was shown is complete."""
        with self._lock:
            if self._stage.report(done, total):
                self._stage_shown = False
            self._done, self._total, self._what = done, total, what
            self._write_line(due=self._stage_shown and done >= total)

    def repeat(self) -> None:
        """Write the last report again if a line is due: a long step must not look like a process that hangs."""
        with self._lock:
            if self._what is not None and self._done < self._total:
                self._write_line(due=False)

    def _write_line(self, *, due: bool) -> None:
        now = self._clock()
        if not due and now - self._last_line < self._interval:
            return
        self._last_line, self._stage_shown = now, True
        line = f"{self._what}: {self._done}/{self._total}, {clock_time(self._stage.elapsed)} elapsed"
        if (remaining := self._stage.remaining) is not None:
            line += f", about {clock_time(remaining)} left"
        self._write(line + "\n")


def peak_memory() -> int | None:
    """Return the most memory that this process has held, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if platform.system() == "Darwin" else 1024 * most


@contextmanager
def _rich_bar(console: object) -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with RichProgress(*columns, console=console, transient=True) as rich_bar:  # type: ignore[arg-type]
        task = rich_bar.add_task("", total=None, visible=False)

        def report(done: int, total: int, what: str) -> None:
            rich_bar.update(task, completed=done, total=total, description=what, visible=True)

        yield report


@contextmanager
def _plain_lines() -> Iterator[Progress]:
    def write(line: str) -> None:
        sys.stderr.write(line)
        sys.stderr.flush()

    lines, finished = ProgressLines(write, interval=LINE_INTERVAL_SECONDS), threading.Event()

    def keep_alive() -> None:
        while not finished.wait(1.0):
            lines.repeat()

    thread = threading.Thread(target=keep_alive, daemon=True)
    thread.start()
    try:
        yield lines.report
    finally:
        finished.set()
        thread.join()


def clock_time(seconds: float) -> str:
    """Format a duration as minutes and seconds, 3:07, or with hours, 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
