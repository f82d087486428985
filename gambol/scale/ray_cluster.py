"""Workers as actors of a Ray cluster: Ray places them on its nodes, and tells which of them it lost."""

from __future__ import annotations

import logging
import pickle
import re
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from gambol.errors import ConfigError, MissingExtra
from gambol.scale.executor import Answered, Call, Executor, Lost, Needs, Notice, Ready, run_call
from gambol.scale.worker_limits import place_name, use_threads, wait_for_memory

ANSWER_SECONDS = 10.0
"""Time in which a cluster's address has to answer, seconds."""
LONGEST_REASON = 200
"""Most letters of what Ray says about a lost actor."""
LOSS_PATTERNS = (
    r"(node running low on memory)",
    r"(its node has died)",
    r"exit detail: (.+?)[.] (?:End of file|[A-Z]|$)",
    r"The actor (?:died|is dead) because (.+?)[.] ",
)
"""Where in Ray's messages the reason is."""


class RayWorker:
    """What runs on the other side: an actor that answers one call after the other."""

    def __init__(self, name: str, threads: int, limit: int, paths: Sequence[str]) -> None:
        self.name, self.limit = name, limit
        sys.path += [path for path in paths if path not in sys.path]
        use_threads(threads)

    def ready(self) -> Ready:
        """Where this worker has its place."""
        return Ready(self.name, place_name())

    def run(self, call: bytes) -> Answered:
        """Run a pickled call; one that this node cannot read is answered with an error."""
        return run_call(self.name, lambda: pickle.loads(call)())


class RayCluster(Executor):
    """Actors of the cluster at an address; `auto` is the one that this machine belongs to."""

    elastic = True

    def __init__(self, address: str = "auto") -> None:
        self._ray = connect(address)
        watched = type("GambolWorker", (RayWorker,), {"watch": self._ray.method(concurrency_group="watch")(_watch)})
        self._kind = self._ray.remote(max_restarts=0, concurrency_groups={"watch": 1})(watched)
        self._actors: dict[str, Any] = {}
        self._expected: dict[Any, str] = {}
        self._count = 0

    def start(self, needs: Needs) -> str:
        """Ask Ray for one more actor; it is ready when a node has room for it."""
        self._count += 1
        name = f"worker {self._count}"
        options: dict[str, Any] = {"num_cpus": needs.cpus, "num_gpus": needs.gpus}
        if needs.memory:
            options["memory"] = needs.memory
        actor = self._kind.options(**options).remote(name, needs.threads, needs.memory_limit, sys.path)
        self._actors[name] = actor
        self._expected[actor.ready.remote()] = name
        if needs.memory_limit:
            self._expected[actor.watch.remote()] = name
        return name

    def send(self, worker: str, call: Call) -> None:
        """Give the actor the call."""
        data = pickle.dumps(call, protocol=pickle.HIGHEST_PROTOCOL)
        self._expected[self._actors[worker].run.remote(data)] = worker

    def wait(self, seconds: float) -> list[Notice]:
        """What the actors returned, and which of them Ray lost."""
        if not self._expected:
            return []
        ready, _ = self._ray.wait(list(self._expected), num_returns=1, timeout=max(seconds, 0.0))
        if not ready:
            return []
        ready, _ = self._ray.wait(list(self._expected), num_returns=len(self._expected), timeout=0)
        notices: list[Notice] = []
        for reference in ready:
            worker = self._expected.pop(reference, None)
            if worker is None:  # it was lost, as another of its answers told
                continue
            try:
                notice = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                notice = Lost(worker, _reason(error))
            if isinstance(notice, Lost):
                self.stop(worker)
            notices.append(notice)
        return notices

    def stop(self, worker: str) -> None:
        """Kill the actor, and expect nothing more of it."""
        actor = self._actors.pop(worker, None)
        self._expected = {reference: name for reference, name in self._expected.items() if name != worker}
        if actor is not None:
            self._ray.kill(actor, no_restart=True)

    def close(self) -> None:
        """Kill all actors."""
        for worker in list(self._actors):
            self.stop(worker)

    def shortage(self, needs: Needs) -> str:
        """What no node of the cluster has enough of; nodes may join later."""
        wanted = {"CPU": needs.cpus, "GPU": needs.gpus, "memory": needs.memory}
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        if any(all(node.get(name, 0.0) >= amount for name, amount in wanted.items()) for node in nodes):
            return ""
        return (
            f"A job needs {_told(wanted)}, and no node has that much: {'; '.join(map(_told, nodes)) or 'none is up'}."
        )


def connect(address: str) -> Any:
    """The module ray, connected to the cluster at the address."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("A Ray cluster", "scale") from error
    if not ray.is_initialized():
        try:
            if address != "auto":  # Ray itself would try for minutes
                host, _, port = address.removeprefix("ray://").rpartition(":")
                socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except (OSError, RuntimeError, ValueError) as error:
            first = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
            raise ConfigError(
                f"There is no Ray cluster at {address} ({first}). Start one with 'ray start --head', give its address, "
                "or --address local for the processes of this machine."
            ) from error
    return ray


def _watch(self: RayWorker) -> Lost:
    """Return once this worker holds too much memory; runs beside its calls."""
    return Lost(self.name, wait_for_memory(self.limit), out_of_memory=True)


def _reason(error: Exception) -> str:
    """What Ray says about a lost actor, in a few words."""
    text = " ".join(str(error).split())
    for pattern in LOSS_PATTERNS:
        if found := re.search(pattern, text):
            return f"Ray says: {found[1]}"
    return f"Ray says: {text[-LONGEST_REASON:].rstrip('. ')}"


def _told(resources: Mapping[str, float]) -> str:
    """Cores, GPUs and memory for people."""
    told = [f"{resources.get('CPU', 0):g} cores"]
    if resources.get("GPU"):
        told.append(f"{resources['GPU']:g} GPUs")
    if resources.get("memory"):
        told.append(f"{resources['memory'] / 1e9:.1f} GB")
    return ", ".join(told)
