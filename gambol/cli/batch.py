"""The verb `batch`: many requests, each in a run folder of its own, on this machine or on a Ray cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import tyro

from gambol.app.check_arguments import check_existing_file
from gambol.cli.arguments import ArgumentCheck, options_of
from gambol.cli.batch_display import batch_display
from gambol.cli.console import escape, say
from gambol.errors import ConfigError, GambolError

MOST_LISTED = 20
"""Most failed jobs that are listed."""
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds of the units of a time limit."""


class JobsFailed(GambolError):
    """Some jobs of a batch failed; the others are done."""


@options_of(
    "gambol.app.batch.batch",
    without=("report", "settings"),
    characters=Annotated[tuple[str, ...], tyro.conf.arg(metavar="PATTERN ...")],
    memory_per_job=Annotated[str | None, tyro.conf.arg(metavar="BYTES")],
    address="local|auto|ADDRESS",
)
def batch(
    jobs: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[JOBS]")] = None,
    /,
    *,
    output: Annotated[str, tyro.conf.arg(aliases=["-o"], metavar="OUT")],
    prompts: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_existing_file)] = None,
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE ...")] = (),
    timeout: Annotated[str | None, tyro.conf.arg(metavar="SECONDS|30m|2h")] = None,
    **options: Any,
) -> None:
    """Animate many characters with many sentences, each in a run folder of its own.

    gambol batch jobs.csv -o OUT

    gambol batch --characters 'folder/*.glb' --prompts prompts.txt --seeds 3 -o OUT

    Writes OUT/: a run folder per job, summary.csv and gallery.html, which stay up to date. The same command again skips
    what is finished, resumes what is not, and makes anew what has changed.

    Args:
        jobs: A .csv or .jsonl file with one request per row (docs/batch.md).
        output: Folder of the batch, or an address such as s3://bucket/folder where nodes share no disk.
        set: Values of fields that the jobs leave open: seconds=4 prior=wan2.1-1.3b film=no.
        prompts: With --characters: a file with one sentence per line.
        timeout: Time after which a job is ended and counts as failed. Default: never.
    """
    from gambol.app.batch import batch as run_batch
    from gambol.app.batch_jobs import parse_settings

    with batch_display() as report:
        done = run_batch(
            jobs,
            output,
            prompts=() if prompts is None else prompts,
            settings=parse_settings(set),
            timeout=None if timeout is None else parse_seconds(timeout),
            report=report,
            **options,
        )
    status = done.status
    for note in done.notes:
        say(escape(note))
    left = f", {status.queued} not started" if status.queued else ""
    skipped = f", {status.skipped} finished before" if status.skipped else ""
    say(f"{status.done} of {status.total} jobs done{skipped}, {status.failed} failed{left}")
    say(f"[green]wrote[/] {escape(done.output)}/summary.csv, {escape(done.output)}/gallery.html")
    if done.failed:
        listed = [f"  {record.run}: {record.error}" for record in done.failed[:MOST_LISTED]]
        more = f"\n  and {len(done.failed) - MOST_LISTED} more in summary.csv" if len(done.failed) > MOST_LISTED else ""
        raise JobsFailed(
            f"{len(done.failed)} jobs failed; the same command tries them again.\n" + "\n".join(listed) + more
        )


def parse_seconds(text: str) -> float:
    """Seconds of a time such as 90, 90s, 30m or 2h."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    try:
        seconds = float(number) * UNITS[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigError(f"The time limit is '{text}'; write it as seconds, or as 30m or 2h.")
    return seconds
