"""A worker process: runs one task after the other for the server, which it hears on standard input.

It answers on what was its standard output; whatever the libraries print goes to standard error. Where standard input
ends, the server is gone, and the process ends at once: run folders resume from their checkpoints.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from typing import Any, BinaryIO

from gambol.errors import GambolError
from gambol.progress import StageClock, StopWork
from gambol.service.frames import Message, pack_message, read_message
from gambol.service.tasks import TASKS

PROGRESS_INTERVAL_SECONDS = 0.1
"""Least time between two progress messages of a task."""


class Context:
    """What a task tells the server while it runs, and how the server stops it."""

    def __init__(self, worker: Worker, number: int):
        self._worker, self._number = worker, number
        self._clock, self._last_report = StageClock(), 0.0

    def emit(self, event: str, payload: bytes = b"", **values: Any) -> None:
        """Tell the server something."""
        self._worker.send({"id": self._number, "event": event, **values}, payload)

    def progress(self, done: int, total: int, text: str) -> None:
        """Take a progress report; raises `StopWork` where the task is to end here."""
        self.check_stop()
        self._clock.report(done, total)
        now = time.monotonic()
        if now - self._last_report >= PROGRESS_INTERVAL_SECONDS or done >= total:
            self._last_report = now
            self.emit("progress", done=done, total=total, text=text, eta_seconds=self._clock.remaining)

    def check_stop(self) -> None:
        """Raise `StopWork` where the server wants this task to end."""
        if self._number in self._worker.stopped:
            raise StopWork


class Worker:
    """The loop of a worker process."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO):
        self._incoming, self._outgoing = incoming, outgoing
        self._lock = threading.Lock()
        self._orders: queue.Queue[Message] = queue.Queue()
        self.stopped: set[int] = set()

    def send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        """Send a message to the server."""
        with self._lock:
            self._outgoing.write(pack_message(header, payload))
            self._outgoing.flush()

    def listen(self) -> None:
        """Take orders until the server is gone; then end the process, whatever it is doing."""
        while (message := read_message(self._incoming)) is not None:
            if message[0].get("event") == "stop":
                self.stopped.add(message[0]["id"])
            else:
                self._orders.put(message)
        os._exit(0)

    def run(self) -> None:
        """Run tasks for ever."""
        threading.Thread(target=self.listen, daemon=True).start()
        while True:
            order, _ = self._orders.get()
            number, context = order["id"], Context(self, order["id"])
            try:
                context.check_stop()
                result = TASKS[order["task"]](order["params"], context)
                answer, data = result if isinstance(result, tuple) else (result, b"")
                self.send({"id": number, "event": "result", "value": answer}, data)
            except StopWork:
                self.send({"id": number, "event": "stopped"})
            except GambolError as error:
                self.send({"id": number, "event": "error", "error": str(error), "kind": type(error).__name__})
            except MemoryError:
                self.send({"id": number, "event": "error", "error": "There is not enough memory.", "kind": ""})
            except Exception as error:
                import traceback

                traceback.print_exc()
                text = f"An error that should not happen: {type(error).__name__}: {str(error)[:200]}."
                self.send({"id": number, "event": "error", "error": text, "kind": ""})
            finally:
                self.stopped.discard(number)


def main() -> None:
    """Run a worker on the standard streams."""
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    Worker(sys.stdin.buffer, outgoing).run()


if __name__ == "__main__":
    main()
