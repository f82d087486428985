"""Runs jobs that make training data on the executors of `gambol.scale`: local processes or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gambol.errors import GambolError
from gambol.progress import Progress
from gambol.scale.choose_executor import LOCAL, open_executor
from gambol.scale.schedule import Policy, Task, TaskGroup, run_tasks

Result = TypeVar("Result")


def run_jobs(
    jobs: Sequence[Callable[[], Result]],
    processes: int,
    *,
    address: str = LOCAL,
    progress: Progress | None = None,
    what: str = "",
) -> list[Result]:
    """Run all jobs on `processes` workers of one thread each, and return their results in order.

    `what` labels the progress. A job whose worker is lost is run again; the first job that fails ends the others.
    """
    found: dict[int, Result] = {}
    tasks = [Task(str(i), job) for i, job in enumerate(jobs)]
    with open_executor(address, cpus=processes) as executor:
        for event in run_tasks(executor, [TaskGroup(what, tasks)], Policy(workers=processes)):
            if event.kind == "failed":
                raise RuntimeError(event.trace) if event.trace else GambolError(event.why)
            if event.kind == "done":
                found[int(event.task)] = event.value
                if progress is not None:
                    progress(len(found), len(jobs), what)
    return [found[i] for i in range(len(jobs))]
