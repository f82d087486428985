"""The other end of `gambol.scale.local_processes`: reads calls from standard input, answers on standard output."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO, Any

from gambol.scale.executor import Call, Lost, Ready, run_call
from gambol.scale.worker_limits import place_name, use_threads, wait_for_memory

LOST_DRIVER_CODE, MEMORY_CODE = 3, 4
"""Exit codes of a worker: nobody reads its answers any more; it passed its memory limit."""


def main() -> None:
    """Work until standard input ends. Arguments: name, threads, memory limit in bytes (0: none)."""
    name, threads, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that gives the calls
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    use_threads(threads)
    calls: queue.SimpleQueue[Call] = queue.SimpleQueue()
    lock = threading.Lock()
    threading.Thread(target=_read, args=(sys.stdin.buffer, calls), daemon=True).start()
    if limit:
        threading.Thread(target=_watch, args=(name, limit, answers, lock), daemon=True).start()
    _write(answers, lock, Ready(name, place_name()))
    while True:
        answer = run_call(name, calls.get())
        try:
            pickle.dumps(answer)
        except Exception as error:
            answer = run_call(name, _Unreadable(error))
        _write(answers, lock, answer)


def _read(stream: IO[bytes], calls: queue.SimpleQueue[Call]) -> None:
    """Hand calls to the main thread; where the stream ends the whole process does, in the middle of a call too."""
    while True:
        try:
            call = pickle.load(stream)
        except EOFError:
            os._exit(LOST_DRIVER_CODE)
        except Exception as error:  # a function that this process cannot import
            calls.put(_Unreadable(error))
        else:
            calls.put(call)


def _watch(name: str, limit: int, answers: IO[bytes], lock: threading.Lock) -> None:
    """End the process when it holds too much memory."""
    why = wait_for_memory(limit)
    _write(answers, lock, Lost(name, why, out_of_memory=True))
    os._exit(MEMORY_CODE)


def _write(stream: IO[bytes], lock: threading.Lock, value: Any) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    with lock:
        try:
            stream.write(data)
            stream.flush()
        except OSError:
            os._exit(LOST_DRIVER_CODE)


class _Unreadable:
    """A call that could not be read, or whose answer could not be written; calling it says why."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self) -> Any:
        raise self.error
