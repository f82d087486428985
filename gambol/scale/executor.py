"""The interface of everything that runs tasks: workers are asked for, are given calls, and answer or are lost.

An executor decides nothing about tasks: `gambol.scale.schedule` has order, retries and time limits, once for all.
"""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.errors import GambolError

Call = Callable[[], Any]
"""What a worker runs: a function without arguments that can be pickled, such as a `functools.partial`."""


@dataclass(frozen=True)
class Needs:
    """What a worker needs of the machine that it runs on."""

    cpus: float = 1.0
    """Cores; also the number of threads that the worker's libraries use."""
    gpus: float = 0.0
    """GPUs: a whole number, or a fraction of one that several workers share."""
    memory: int = 0
    """Bytes of main memory that are reserved; 0 reserves none."""
    memory_limit: int = 0
    """Bytes of main memory at which the worker is ended; 0 sets no limit."""

    @property
    def threads(self) -> int:
        """Threads that the worker's libraries use."""
        return max(int(self.cpus), 1)


@dataclass(frozen=True)
class Ready:
    """A worker that was asked for has a place and waits for its first call."""

    worker: str
    """The worker."""
    place: str
    """Where it runs: host and number of the process."""


@dataclass(frozen=True)
class Answered:
    """A worker has finished its call and waits for the next one."""

    worker: str
    """The worker."""
    value: Any = None
    """What the call returned."""
    error: CallError | None = None
    """Why it raised; None where it did not."""


@dataclass(frozen=True)
class Lost:
    """A worker is gone, and its call with it."""

    worker: str
    """The worker."""
    why: str
    """What is known of the reason: a part of a sentence."""
    out_of_memory: bool = False
    """It passed its own memory limit."""


@dataclass(frozen=True)
class CallError:
    """An exception of a call, as it travels between processes."""

    kind: str
    """Name of the exception's class."""
    message: str
    """The sentence of a `GambolError`; of another exception its class and text."""
    expected: bool
    """Whether it is a `GambolError`."""
    trace: str
    """The traceback."""


Notice = Ready | Answered | Lost
"""What an executor tells of its workers."""


class Executor(ABC):
    """Places workers where their needs are met, and carries calls to them and answers back."""

    elastic = False
    """Whether machines may join later, so that what cannot be placed now may be placed then."""

    @abstractmethod
    def start(self, needs: Needs) -> str:
        """Ask for one more worker, and return its name at once; `Ready` follows when it has a place."""

    @abstractmethod
    def send(self, worker: str, call: Call) -> None:
        """Give a worker that is ready and idle a call."""

    @abstractmethod
    def wait(self, seconds: float) -> list[Notice]:
        """Return what has happened since the last time; wait at most `seconds` for something to happen."""

    @abstractmethod
    def stop(self, worker: str) -> None:
        """End a worker at once, whatever it is doing, or take back the wish for one. No notice of it follows."""

    @abstractmethod
    def close(self) -> None:
        """End all workers."""

    @abstractmethod
    def shortage(self, needs: Needs) -> str:
        """Which of the needs no machine can meet even when idle, as a sentence; empty where one can."""


def run_call(worker: str, call: Call) -> Answered:
    """Run a call where the worker is; an exception becomes part of the answer."""
    try:
        return Answered(worker, call())
    except Exception as error:
        expected = isinstance(error, GambolError)
        message = str(error) if expected else f"{type(error).__name__}: {error}"
        return Answered(worker, error=CallError(type(error).__name__, message, expected, traceback.format_exc()))
