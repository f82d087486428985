"""The one progress bar: count, ETA and the numbers that matter, on stderr."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int, str], None]
"""Called by long work with (done, total, what matters now)."""


@contextmanager
def bar() -> Iterator[Progress]:
    """A rich bar that shows itself only while there is something to wait for."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as rich_bar:
        task = rich_bar.add_task("", total=None, visible=False)

        def report(done: int, total: int, what: str) -> None:
            rich_bar.update(task, completed=done, total=total, description=what, visible=True)

        yield report


def peak_memory() -> int | None:
    """Most memory that this process held, bytes; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if platform.system() == "Darwin" else 1024 * most
