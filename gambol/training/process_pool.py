"""Runs jobs in several processes of one thread each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

import torch

from gambol.progress import Progress

Result = TypeVar("Result")


def run_jobs(
    jobs: Sequence[Callable[[], Result]], processes: int, *, progress: Progress | None = None, what: str = ""
) -> list[Result]:
    """Run all jobs in `processes` processes and return their results in order; `what` labels the progress."""
    found = []
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_use_one_thread) as pool:
        for i, future in enumerate([pool.submit(job) for job in jobs]):
            found.append(future.result())
            if progress is not None:
                progress(i + 1, len(jobs), what)
    return found


def _use_one_thread() -> None:
    torch.set_num_threads(1)
