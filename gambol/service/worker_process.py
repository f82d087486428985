"""The server's side of its worker processes: lanes of work, each with processes that take one task at a time."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gambol.errors import GambolError
from gambol.service.frames import Message, pack_message, read_message_async

STOP_PATIENCE_SECONDS = 8.0
"""How long a task may take to end after it was asked to; then its process is killed."""
READ_LIMIT = 1 << 20
"""Bytes that are read ahead from a worker."""
_NUMBERS = itertools.count(1)


class TaskFailed(GambolError):
    """A task ended with an error; the message is for the user."""

    def __init__(self, text: str, kind: str = ""):
        super().__init__(text)
        self.kind = kind


class TaskStopped(GambolError):
    """A task was asked to end, and did."""


class WorkerDied(GambolError):
    """The process of a task ended unexpectedly."""


@dataclass
class Work:
    """A task to be done."""

    task: str
    """Name of the task."""
    params: dict[str, Any]
    """Its plain data."""
    on_event: Callable[[dict[str, Any], bytes], None] | None = None
    """Called with everything that the task tells while it runs."""
    on_start: Callable[[], None] | None = None
    """Called when a worker begins with it."""
    seconds: float | None = None
    """Longest time that it may take; None: as long as it takes."""
    number: int = field(default_factory=lambda: next(_NUMBERS))
    """Its number, which messages carry."""
    state: Literal["waiting", "running", "done"] = "waiting"
    """Where it is."""
    answer: asyncio.Future[Message] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Its result, or the error."""


class WorkerProcess:
    """One worker process; started at the first task, and again after it died."""

    def __init__(self, folder: Path, preload: str | None = None):
        self._folder, self._preload = folder, preload
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process if it is not running."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        log = (self._folder / "workers.log").open("ab")
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "gambol.service.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                cwd=self._folder,
                limit=READ_LIMIT,
                start_new_session=True,
            )
        finally:
            log.close()
        return self._process

    async def warm_up(self) -> None:
        """Start the process and let it load what its tasks need."""
        if self._preload is not None:
            with suppress(GambolError):
                await self.run(Work(self._preload, {}))

    async def run(self, work: Work) -> Message:
        """Run a task; gives its result and bytes."""
        process = await self.start()
        self._send({"id": work.number, "task": work.task, "params": work.params})
        assert process.stdout is not None
        while (message := await read_message_async(process.stdout)) is not None:
            told, payload = message
            if told.get("id") != work.number:
                continue
            if told["event"] == "result":
                return told["value"], payload
            if told["event"] == "error":
                raise TaskFailed(told["error"], told.get("kind", ""))
            if told["event"] == "stopped":
                raise TaskStopped("The task was stopped.")
            if work.on_event is not None:
                work.on_event(told, payload)
        code = await process.wait()
        how = f"signal {-code}" if code < 0 else f"code {code}"
        raise WorkerDied(f"The worker process ended unexpectedly ({how}); perhaps the memory was not enough.")

    def stop(self, number: int) -> None:
        """Ask a task to end."""
        self._send({"event": "stop", "id": number})

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    def _send(self, message: dict[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(ConnectionError, RuntimeError):
                self._process.stdin.write(pack_message(message))


class Lane:
    """A queue of tasks and the processes that take them, first come, first served."""

    def __init__(self, folder: Path, count: int = 1, preload: str | None = None):
        self._processes = [WorkerProcess(folder, preload) for _ in range(count)]
        self._waiting: list[Work] = []
        self._running: dict[int, WorkerProcess] = {}
        self._changed = asyncio.Condition()
        self._loops: list[asyncio.Task[None]] = []

    def open(self, *, warm: bool = False) -> None:
        """Begin to take tasks."""
        self._loops = [asyncio.create_task(self._serve(process, warm=warm)) for process in self._processes]

    async def close(self) -> None:
        """End all processes; what they worked on resumes the next time."""
        for loop in self._loops:
            loop.cancel()
        for process in self._processes:
            process.kill()
        await asyncio.gather(*self._loops, return_exceptions=True)

    async def submit(self, work: Work) -> Work:
        """Put a task in the queue."""
        async with self._changed:
            self._waiting.append(work)
            self._changed.notify()
        return work

    async def call(self, task: str, params: dict[str, Any], *, seconds: float | None = None) -> Message:
        """Run a task and wait for it."""
        work = await self.submit(Work(task, params, seconds=seconds))
        return await work.answer

    def place(self, work: Work) -> int | None:
        """How many tasks come before this one; None where it does not wait."""
        return self._waiting.index(work) if work in self._waiting else None

    async def stop(self, work: Work) -> None:
        """End a task: at its next step, or by killing its process where it does not react."""
        if work in self._waiting:
            self._waiting.remove(work)
            work.state = "done"
            work.answer.set_exception(TaskStopped("The task was stopped."))
            return
        process = self._running.get(work.number)
        if process is None:
            return
        process.stop(work.number)
        with suppress(asyncio.TimeoutError, GambolError):
            await asyncio.wait_for(asyncio.shield(work.answer), STOP_PATIENCE_SECONDS)
        if work.state == "running":
            work.state = "done"
            process.kill()

    async def _serve(self, process: WorkerProcess, *, warm: bool) -> None:
        if warm:
            await process.warm_up()
        while True:
            async with self._changed:
                while not self._waiting:
                    await self._changed.wait()
                work = self._waiting.pop(0)
            await self._take(process, work)

    async def _take(self, process: WorkerProcess, work: Work) -> None:
        work.state = "running"
        self._running[work.number] = process
        try:
            if work.on_start is not None:
                work.on_start()
            answer = await asyncio.wait_for(process.run(work), work.seconds)
            if not work.answer.done():
                work.answer.set_result(answer)
        except asyncio.TimeoutError:
            process.kill()
            self._fail(work, TaskFailed(f"This took longer than {work.seconds:g} s and was ended."))
        except GambolError as error:
            self._fail(work, TaskStopped(str(error)) if work.state == "done" else error)
        except asyncio.CancelledError:
            work.answer.cancel()
            raise
        except Exception as error:
            process.kill()
            self._fail(work, WorkerDied(f"The worker process could not be used: {error}."))
        finally:
            work.state = "done"
            self._running.pop(work.number, None)

    @staticmethod
    def _fail(work: Work, error: GambolError) -> None:
        if not work.answer.done():
            work.answer.set_exception(error)
            work.answer.exception()  # whoever waits is told; nobody need wait
