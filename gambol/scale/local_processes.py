"""Workers as processes of this machine, as many as its cores, GPUs and memory allow."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import IO, Any

from gambol.errors import ConfigError
from gambol.scale.executor import Call, Executor, Lost, Needs, Notice, Ready
from gambol.scale.worker_limits import thread_environment

MEMORY_SHARE = 0.9
"""Share of this machine's memory that workers may reserve together."""
ERROR_TAIL = 2000
"""Most letters of a lost worker's last error output that are looked at."""


@dataclass
class LocalWorker:
    """A process, or the wish for one."""

    name: str
    """Its name."""
    needs: Needs
    """What it reserves."""
    gpus: tuple[int, ...] = ()
    """Numbers of the GPUs that it sees."""
    process: subprocess.Popen[bytes] | None = None
    """The process, once there is room for it."""
    errors: IO[bytes] | None = None
    """What it writes to standard error."""
    place: str = ""
    """Host and number of the process, once it is ready."""
    stopped: bool = False
    """Nobody wants to hear of it any more."""


@dataclass
class FreeResources:
    """What of this machine is not reserved."""

    cpus: float
    """Cores."""
    memory: float
    """Bytes of main memory."""
    gpus: list[float] = field(default_factory=list)
    """The free share of each GPU."""

    def gpus_for(self, count: float) -> tuple[int, ...] | None:
        """Numbers of GPUs with enough room; None where there are not enough of them."""
        if count <= 0:
            return ()
        share = min(count, 1.0)
        wanted = max(round(count), 1)
        free = [i for i, room in enumerate(self.gpus) if room >= share - 1e-9]
        # the fullest first, so that whole GPUs stay whole
        free.sort(key=lambda i: (self.gpus[i], i))
        return tuple(sorted(free[:wanted])) if len(free) >= wanted else None

    def take(self, needs: Needs, gpus: tuple[int, ...], sign: float = -1.0) -> None:
        """Reserve what a worker needs, or with `sign` 1 give it back."""
        self.cpus += sign * needs.cpus
        self.memory += sign * needs.memory
        for gpu in gpus:
            self.gpus[gpu] += sign * min(needs.gpus, 1.0)

    def fits(self, needs: Needs) -> bool:
        """Whether cores and memory are enough."""
        return needs.cpus <= self.cpus + 1e-9 and needs.memory <= self.memory


class LocalProcesses(Executor):
    """Processes of this machine. They end with this process, however it ends."""

    def __init__(
        self, cpus: float | None = None, *, memory: int | None = None, gpus: tuple[str, ...] | None = None
    ) -> None:
        self.devices = visible_gpus() if gpus is None else gpus
        whole = float(usable_cpus() if cpus is None else cpus)
        room = MEMORY_SHARE * machine_memory() if memory is None else float(memory)
        self._whole = FreeResources(whole, room, [1.0] * len(self.devices))
        self._free = FreeResources(whole, room, [1.0] * len(self.devices))
        self._workers: dict[str, LocalWorker] = {}
        self._waiting: deque[LocalWorker] = deque()
        self._notices: queue.SimpleQueue[Notice] = queue.SimpleQueue()
        self._count = 0

    def start(self, needs: Needs) -> str:
        """Ask for one more process; it is started once its needs fit beside those of the others."""
        if shortage := self.shortage(needs):
            raise ConfigError(shortage)
        self._count += 1
        worker = LocalWorker(f"worker {self._count}", needs)
        self._workers[worker.name] = worker
        self._waiting.append(worker)
        self._place()
        return worker.name

    def send(self, worker: str, call: Call) -> None:
        """Write the call to the process; a process that is gone is told by `wait`."""
        process = self._workers[worker].process
        assert process is not None
        assert process.stdin is not None
        data = pickle.dumps(call, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            process.stdin.write(data)
            process.stdin.flush()
        except OSError:  # the pipe's other end is closed; the reading thread notices too
            return

    def wait(self, seconds: float) -> list[Notice]:
        """What the processes wrote, and which of them ended."""
        notices: list[Notice] = []
        block = max(seconds, 0.0)
        while True:
            try:
                notice = self._notices.get(timeout=block) if block else self._notices.get_nowait()
            except queue.Empty:
                return notices
            known = self._workers.get(notice.worker)
            if known is not None and not known.stopped:
                notices.append(notice)
                block = 0.0
                if isinstance(notice, Lost):
                    self._give_back(known)
                elif isinstance(notice, Ready):
                    known.place = notice.place

    def stop(self, worker: str) -> None:
        """Kill the process."""
        known = self._workers[worker]
        known.stopped = True
        self._give_back(known)

    def close(self) -> None:
        """Kill all processes."""
        for worker in list(self._workers.values()):
            worker.stopped = True
            if worker.process is not None:
                worker.process.kill()
        self._waiting.clear()
        for worker in list(self._workers.values()):
            self._give_back(worker)

    def shortage(self, needs: Needs) -> str:
        """What this machine has too little of."""
        if needs.gpus > 1 and needs.gpus != round(needs.gpus):
            return f"A job was given {needs.gpus:g} GPUs; it takes a whole number, or a fraction of one."
        if needs.cpus > self._whole.cpus:
            return f"A job needs {needs.cpus:g} cores, and {self._whole.cpus:g} may be used here."
        if needs.memory > self._whole.memory:
            has = f"{self._whole.memory / 1e9:.1f} GB may be used here"
            return f"A job needs {needs.memory / 1e9:.1f} GB of memory, and {has}."
        if self._whole.gpus_for(needs.gpus) is None:
            has = f"has {len(self.devices)}" if self.devices else "has none"
            return f"A job needs {needs.gpus:g} of a GPU, and this machine {has}."
        return ""

    def _place(self) -> None:
        """Start the processes that fit, in the order in which they were asked for."""
        while self._waiting:
            worker = self._waiting[0]
            gpus = self._free.gpus_for(worker.needs.gpus)
            if gpus is None or not self._free.fits(worker.needs):
                return
            self._waiting.popleft()
            worker.gpus = gpus
            self._free.take(worker.needs, gpus)
            self._spawn(worker)

    def _spawn(self, worker: LocalWorker) -> None:
        threads = thread_environment(worker.needs.threads)
        seen = {"CUDA_VISIBLE_DEVICES": ",".join(self.devices[i] for i in worker.gpus)}
        code = f"import sys; sys.path[:] = {sys.path!r}; from gambol.scale.worker_process import main; main()"
        worker.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed when the worker is given back
        worker.process = subprocess.Popen(
            [sys.executable, "-c", code, worker.name, str(worker.needs.threads), str(worker.needs.memory_limit)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=worker.errors,
            env={**os.environ, **threads, **(seen if self.devices or worker.needs.gpus else {})},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        threading.Thread(target=self._read, args=(worker,), daemon=True).start()

    def _read(self, worker: LocalWorker) -> None:
        """Pass on everything that a process writes until it ends; runs in a thread of its own."""
        process = worker.process
        assert process is not None
        assert process.stdout is not None
        told: Any = None
        while True:
            try:
                told = pickle.load(process.stdout)
            except Exception:  # the end of the stream, perhaps in the middle of an answer
                break
            if isinstance(told, Lost):
                break
            self._notices.put(told)
        code = process.wait()
        if not isinstance(told, Lost):
            told = Lost(worker.name, f"its process {_ending(code)}{self._last_words(worker)}")
        self._notices.put(told)

    def _last_words(self, worker: LocalWorker) -> str:
        if worker.errors is None or worker.stopped:
            return ""
        try:
            size = worker.errors.seek(0, os.SEEK_END)
            worker.errors.seek(max(size - ERROR_TAIL, 0))
            lines = worker.errors.read().decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError):
            return ""
        return f" ({lines[-1].strip()[:200]})" if lines else ""

    def _give_back(self, worker: LocalWorker) -> None:
        """Forget a worker, and start those that its place is enough for."""
        if self._workers.pop(worker.name, None) is None:
            return
        if worker.process is None:
            if worker in self._waiting:
                self._waiting.remove(worker)
        else:
            worker.process.kill()
            worker.process.wait()
            for stream in (worker.process.stdin, worker.errors):
                try:
                    if stream is not None:
                        stream.close()
                except OSError:  # a call that was never read
                    pass
            self._free.take(worker.needs, worker.gpus, 1.0)
        self._place()


def usable_cpus() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def machine_memory() -> int:
    """Bytes of main memory that this process may use: the machine's, or the container's if that is less."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 1 << 62
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(name, encoding="ascii") as file:
                whole = min(whole, int(file.read()))
        except (OSError, ValueError):
            continue
    return whole


def visible_gpus() -> tuple[str, ...]:
    """Names of the GPUs as CUDA_VISIBLE_DEVICES takes them."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    if given is not None:
        return tuple(name.strip() for name in given.split(",") if name.strip() not in ("", "-1"))
    try:
        listed = subprocess.run(
            ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(line.strip() for line in listed.stdout.splitlines() if line.strip()) if not listed.returncode else ()


def _ending(code: int) -> str:
    """How a process ended, by its exit code."""
    if code >= 0:
        return f"ended with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"
