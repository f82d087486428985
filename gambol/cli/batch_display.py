"""How `gambol batch` shows its progress: one table on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gambol.progress import LINE_INTERVAL_SECONDS, clock_time

if TYPE_CHECKING:
    from gambol.app.batch_status import BatchStatus, Report


@contextmanager
def batch_display() -> Iterator[Report]:
    """Show every status that is reported on stderr while the block runs."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield PlainLines().report
        return
    from rich.live import Live

    with Live(console=console, refresh_per_second=4, transient=True) as live:
        yield lambda status: live.update(status_table(status))


class PlainLines:
    """A line when the status changes, at most one every few seconds."""

    def __init__(self) -> None:
        self._last_line, self._last_text = time.monotonic(), ""

    def report(self, status: BatchStatus) -> None:
        """Take a status."""
        text = status_line(status)
        if time.monotonic() - self._last_line >= LINE_INTERVAL_SECONDS and text != self._last_text:
            self._last_line, self._last_text = time.monotonic(), text
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def status_cells(status: BatchStatus) -> dict[str, str]:
    """What is told of a status, by headings."""
    rate, left = status.jobs_per_hour, status.seconds_left
    return {
        "queued": str(status.queued),
        "running": str(status.running),
        "done": str(status.done + status.skipped),
        "failed": str(status.failed),
        "left": "-" if left is None else clock_time(left),
        "jobs/hour": "-" if rate is None else f"{rate:.0f}" if rate >= 10 else f"{rate:.1f}",
    }


def status_line(status: BatchStatus) -> str:
    """A status as a plain line."""
    cells = status_cells(status)
    counts = ", ".join(f"{cells[name]} {name}" for name in ("queued", "running", "done", "failed"))
    told = [counts, f"{cells['jobs/hour']} jobs/hour", f"about {cells['left']} left"]
    if status.jobs_per_hour is None:
        told = [counts]
    return ", ".join([*told, *([status.waiting_for] if status.waiting_for else [])])


def status_table(status: BatchStatus) -> Any:
    """A status as a table, and below it what happened last."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    cells = status_cells(status)
    table = Table(*(f"[bold]{name}[/]" for name in cells), box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    table.add_row(*cells.values())
    return Group(table, Text(status.waiting_for or status.last, style="dim", no_wrap=True, overflow="ellipsis"))
