"""A page that shows a run while it is running, kept up to date by a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jaxtyping import UInt8
from numpy import ndarray

from gambol.app.run_folder import LOG, PREVIEW, REPORT, WATCH, read_log
from gambol.app.segment_runs import StepReport
from gambol.errors import GambolError
from gambol.files.atomic_write import write_text
from gambol.render.video_file import write_png
from gambol.view.page_parts import content_policy, fill_template, page_piece
from gambol.view.run_film import iteration_strips
from gambol.view.run_page import image_figure, log_curves

SECONDS = 2.0
"""Between two looks."""


@contextmanager
def watching(folder: Path) -> Iterator[Path]:
    """Keep the page up to date while the block runs; gives its path. The other process ends when this one does."""
    command, quiet = [sys.executable, "-m", "gambol.app.watch_page", str(folder)], subprocess.DEVNULL
    # in a group of its own: Ctrl-C is for the run, and the page has to tell its end
    alone = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True, creationflags=alone
    )
    try:
        yield folder / WATCH
    finally:
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)


def write_preview(folder: Path, report: StepReport) -> None:
    """What the prior is shown of the motion now; written as often as checkpoints are."""
    if report.saved:
        write_png(folder / PREVIEW, seen_by_prior(report))


def seen_by_prior(report: StepReport) -> UInt8[ndarray, "height width 3"]:
    """A strip of pictures of what the prior is shown of the motion now."""
    return iteration_strips(report.problem, [(f"step {report.state.step}", report.state.coefficients)])


def write_watch_page(folder: Path, *, live: bool) -> None:
    """The page; while the run is live it loads itself again."""
    log = read_log(folder / LOG)
    style = page_piece("pages", "pages.css") + page_piece("pages", "run.css")
    preview = folder / PREVIEW
    step = f"Variant {log[-1]['variant']}, step {log[-1]['step'] + 1}." if log else "The first steps are on their way."
    fields = {
        "policy": content_policy("", style),
        "refresh": f'<meta http-equiv="refresh" content="{SECONDS:g}">' if live else "",
        "style": style,
        "state": "The run is in progress." if live else f'The run has ended: <a href="{REPORT}">report</a>.',
        "step": step,
        "preview": image_figure(preview.read_bytes()) if preview.is_file() else "",
        "curves": log_curves(log),
    }
    write_text(folder / WATCH, fill_template(page_piece("pages", "watch.html"), fields))


def main(folder: Path) -> None:
    """Write the page again and again until standard input ends, which it does when the run's process ends."""
    ended = threading.Event()

    def wait() -> None:
        sys.stdin.buffer.read()
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    live = True
    while live:
        live = not ended.wait(SECONDS)
        with suppress(GambolError, OSError):
            write_watch_page(folder, live=live)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
