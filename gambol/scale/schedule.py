"""Keeps workers busy with tasks: groups, retries of tasks whose worker was lost, time limits, an end after failures.

Everything is decided here and nothing is run here, so that it holds for every executor alike.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gambol.errors import ConfigError, GambolError
from gambol.scale.executor import Answered, Call, CallError, Executor, Lost, Needs, Notice, Ready

TICK_SECONDS = 1.0
"""Longest time between two events, seconds."""
STARTS = 3
"""Times in a row that workers of a group may be lost before they are ready."""
SHORTAGE_SECONDS = 20.0
"""Time without any worker after which it is said what is missing, seconds."""


@dataclass(frozen=True)
class Task:
    """Something that a worker runs."""

    name: str
    """Its name, unique among all tasks."""
    call: Call
    """The function."""


@dataclass(frozen=True)
class TaskGroup:
    """Tasks that the same workers can run one after the other, because they need the same things."""

    name: str
    """What the tasks share, such as the prior that their workers hold."""
    tasks: Iterable[Task]
    """The tasks in order; they are taken from the iterable as they are needed."""
    needs: Needs = field(default_factory=Needs)
    """What each worker needs."""


@dataclass(frozen=True)
class Policy:
    """When to give up."""

    workers: int | None = None
    """Most workers at a time; None: as many as find a place."""
    attempts: int = 3
    """Workers that a task may lose without getting further before it counts as failed."""
    timeout: float | None = None
    """Seconds after which a task is ended; None: never."""
    max_failures: int | None = None
    """Failed tasks after which no further ones are started; None: all are tried."""
    progress_of: Callable[[str], Hashable] | None = None
    """What of a task, given by name, has been saved so far: a lost worker is no failed attempt where this changed."""


@dataclass(frozen=True)
class Event:
    """What happened to a task, or that nothing has for a while."""

    kind: Literal["started", "done", "failed", "lost", "tick"]
    """lost: its worker is gone, and the task will be tried again."""
    task: str = ""
    """The task's name."""
    value: Any = None
    """What the task returned."""
    why: str = ""
    """Why it failed, or why its worker was lost; of a tick: what is missing while no worker has a place."""
    trace: str = ""
    """The traceback of an exception that is not a `GambolError`."""
    place: str = ""
    """Where it ran."""
    seconds: float = 0.0
    """How long it ran."""
    attempt: int = 1
    """Which attempt this was, counted from 1."""


@dataclass
class _Running:
    task: Task
    worker: str
    began: float
    place: str


@dataclass
class _Group:
    """A group's workers and what they have still to do."""

    source: TaskGroup
    tasks: Iterator[Task]
    again: deque[Task] = field(default_factory=deque)
    pending: set[str] = field(default_factory=set)
    idle: deque[str] = field(default_factory=deque)
    running: dict[str, _Running] = field(default_factory=dict)
    ahead: deque[Task] = field(default_factory=deque)
    failed_starts: int = 0
    waiting_since: float = 0.0

    @property
    def workers(self) -> int:
        return len(self.pending) + len(self.idle) + len(self.running)

    def look_ahead(self, count: int) -> int:
        """How many tasks are there to be started, counted up to `count`."""
        while len(self.again) + len(self.ahead) < count:
            task = next(self.tasks, None)
            if task is None:
                break
            self.ahead.append(task)
        return len(self.again) + len(self.ahead)

    def take(self) -> Task:
        return self.again.popleft() if self.again else self.ahead.popleft()


@dataclass
class _Losses:
    """Lost workers of a task since it last got further."""

    count: int = 0
    mark: Hashable = None
    total: int = 0


def run_tasks(
    executor: Executor,
    groups: Sequence[TaskGroup],
    policy: Policy | None = None,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Event]:
    """Run all tasks and tell what happens to them; every task ends with one event `done` or `failed`.

    Where the policy ends the run early, tasks that were not started have no event. Workers are asked for as long as
    some of those asked for find a place: at most as many are waiting as have one. Where the iterator is closed early,
    all workers are stopped.
    """
    yield from _Schedule(executor, groups, policy or Policy(), clock).run()


class _Schedule:
    def __init__(
        self, executor: Executor, groups: Sequence[TaskGroup], policy: Policy, clock: Callable[[], float]
    ) -> None:
        self.executor, self.policy, self.clock = executor, policy, clock
        self.groups = [_Group(group, iter(group.tasks), waiting_since=clock()) for group in groups]
        self.group_of: dict[str, _Group] = {}
        self.places: dict[str, str] = {}
        self.tasks_of_worker: dict[str, int] = {}
        self.losses: dict[str, _Losses] = {}
        self.failures = 0

    def run(self) -> Iterator[Event]:
        for group in self.groups:
            shortage = self.executor.shortage(group.source.needs)
            if shortage and not self.executor.elastic and group.look_ahead(1):
                raise ConfigError(shortage)
        try:
            while True:
                yield from self._assign()
                if not any(group.workers for group in self.groups):
                    return
                notices = self.executor.wait(self._patience())
                for notice in notices:
                    yield from self._take(notice)
                yield from self._end_slow_tasks()
                if not notices:
                    yield Event("tick", why=self._shortage())
        finally:
            for worker in list(self.group_of):
                self._stop(worker)

    def _assign(self) -> Iterator[Event]:
        """Give idle workers tasks, ask for more workers, stop those that nothing is left for."""
        for group in self.groups:
            ended = self.policy.max_failures is not None and self.failures >= self.policy.max_failures
            waiting = 0 if ended else group.look_ahead(group.workers + 1)
            while waiting and group.idle:
                yield self._send(group, group.idle.popleft(), group.take())
                waiting = group.look_ahead(group.workers + 1)
            for worker in list(group.idle):
                self._stop(worker)
            for worker in list(group.pending)[waiting:]:
                self._stop(worker)
            allowed = max(len(group.running), 1)
            while len(group.pending) < min(waiting, allowed) and self._more_workers():
                worker = self.executor.start(group.source.needs)
                group.pending.add(worker)
                self.group_of[worker] = group

    def _more_workers(self) -> bool:
        return self.policy.workers is None or len(self.group_of) < self.policy.workers

    def _send(self, group: _Group, worker: str, task: Task) -> Event:
        self.executor.send(worker, task.call)
        self.tasks_of_worker[worker] = self.tasks_of_worker.get(worker, 0) + 1
        group.running[worker] = _Running(task, worker, self.clock(), self.places[worker])
        return Event("started", task.name, place=self.places[worker], attempt=self._attempt(task))

    def _attempt(self, task: Task) -> int:
        return self.losses[task.name].total + 1 if task.name in self.losses else 1

    def _take(self, notice: Notice) -> Iterator[Event]:
        group = self.group_of.get(notice.worker)
        if group is None:  # it was stopped meanwhile
            return
        if isinstance(notice, Ready):
            group.pending.discard(notice.worker)
            group.idle.append(notice.worker)
            group.failed_starts = 0
            self.places[notice.worker] = notice.place
        elif isinstance(notice, Answered):
            running = group.running.pop(notice.worker)
            group.idle.append(notice.worker)
            if notice.error is None:
                yield self._event("done", running, value=notice.value)
            else:
                yield self._failed(running, notice.error.message, notice.error)
        else:
            yield from self._lost(group, notice)

    def _lost(self, group: _Group, notice: Lost) -> Iterator[Event]:
        running = group.running.get(notice.worker)
        first = self.tasks_of_worker.get(notice.worker, 0) <= 1
        was_pending = notice.worker in group.pending
        self._forget(notice.worker)
        if was_pending:
            group.failed_starts += 1
            if group.failed_starts >= STARTS:
                raise GambolError(f"Workers do not start, {STARTS} times in a row: {notice.why}.")
        if running is None:
            return
        task = running.task
        if notice.out_of_memory and first:  # nothing that earlier tasks left behind took the memory
            yield self._failed(running, f"It was ended: {notice.why}.")
            return
        losses = self.losses.setdefault(task.name, _Losses())
        mark = None if self.policy.progress_of is None else self.policy.progress_of(task.name)
        losses.count = 1 if mark != losses.mark else losses.count + 1
        losses.mark = mark
        if losses.count >= self.policy.attempts:
            times = f"{losses.count} times, the last time because" if losses.count > 1 else "because"
            yield self._failed(running, f"Its worker was lost {times} {notice.why}.")
        else:
            group.again.append(task)
            yield self._event("lost", running, why=notice.why)
            losses.total += 1

    def _end_slow_tasks(self) -> Iterator[Event]:
        limit = self.policy.timeout
        if limit is None:
            return
        for group in self.groups:
            for running in list(group.running.values()):
                if self.clock() - running.began >= limit:
                    self._stop(running.worker)
                    yield self._failed(running, f"It was ended after {limit:g} s, its time limit.")

    def _failed(self, running: _Running, why: str, error: CallError | None = None) -> Event:
        self.failures += 1
        return self._event("failed", running, why=why, trace="" if error is None or error.expected else error.trace)

    def _event(self, kind: Literal["done", "failed", "lost"], running: _Running, **values: Any) -> Event:
        attempt = self._attempt(running.task)
        if kind != "lost":
            self.losses.pop(running.task.name, None)
        seconds = self.clock() - running.began
        return Event(kind, running.task.name, place=running.place, seconds=seconds, attempt=attempt, **values)

    def _stop(self, worker: str) -> None:
        self.executor.stop(worker)
        self._forget(worker)

    def _forget(self, worker: str) -> None:
        group = self.group_of.pop(worker)
        group.pending.discard(worker)
        group.running.pop(worker, None)
        if worker in group.idle:
            group.idle.remove(worker)
        self.places.pop(worker, None)
        self.tasks_of_worker.pop(worker, None)
        if not group.running and not group.idle:
            group.waiting_since = self.clock()

    def _patience(self) -> float:
        """Seconds until something is due."""
        if self.policy.timeout is None:
            return TICK_SECONDS
        began = [running.began for group in self.groups for running in group.running.values()]
        due = min(began, default=self.clock()) + self.policy.timeout - self.clock()
        return min(max(due, 0.01), TICK_SECONDS)

    def _shortage(self) -> str:
        """What is missing where a group's tasks have been waiting for a worker for a while."""
        for group in self.groups:
            if group.pending and not group.running and self.clock() - group.waiting_since > SHORTAGE_SECONDS:
                return self.executor.shortage(group.source.needs)
        return ""
