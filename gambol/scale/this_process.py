"""One worker that is this very process: the plain twin of all executors, and what jobs are compared with."""

from __future__ import annotations

from gambol.scale.executor import Call, Executor, Needs, Notice, Ready, run_call
from gambol.scale.worker_limits import place_name


class ThisProcess(Executor):
    """Runs every call in `send`, in this process; nothing can be lost or limited."""

    def __init__(self) -> None:
        self._notices: list[Notice] = []
        self._asked: list[str] = []
        self._count = 0

    def start(self, needs: Needs) -> str:
        """The first worker that was asked for is ready; the others wait for it to be stopped."""
        self._count += 1
        self._asked.append(f"worker {self._count}")
        self._make_ready(len(self._asked) == 1)
        return self._asked[-1]

    def send(self, worker: str, call: Call) -> None:
        """Run the call now."""
        self._notices.append(run_call(worker, call))

    def wait(self, seconds: float) -> list[Notice]:
        """What has happened; nothing ever happens later."""
        notices, self._notices = self._notices, []
        return notices

    def stop(self, worker: str) -> None:
        """Forget the worker; the next one that was asked for is ready."""
        first = self._asked[0] == worker
        self._asked.remove(worker)
        self._make_ready(first and bool(self._asked))

    def close(self) -> None:
        """There is nothing to end."""

    def shortage(self, needs: Needs) -> str:
        """Nothing is placed anywhere else, so nothing is missing."""
        return ""

    def _make_ready(self, ready: bool) -> None:
        if ready:
            self._notices.append(Ready(self._asked[0], place_name()))
