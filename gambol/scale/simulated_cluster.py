"""A cluster that exists in numbers only, to see how long so many tasks take on so many nodes, some of which are lost.

Time is simulated; the schedule that keeps its workers busy is the real one.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from gambol.errors import ConfigError
from gambol.scale.executor import Answered, Call, Executor, Lost, Needs, Notice, Ready


@dataclass(frozen=True)
class SimulatedCall:
    """A call that takes some time."""

    seconds: float
    """How long it takes."""
    kills: bool = False
    """Whether it ends its worker instead of being done."""

    def __call__(self) -> None:
        """Nothing; the cluster only looks at the numbers."""


@dataclass
class SimulatedNode:
    """A machine of the cluster."""

    cpus: float
    """Free cores."""
    gpus: float = 0.0
    """Free GPUs."""
    memory: float = float("inf")
    """Free bytes of memory."""
    up: bool = True
    """Whether it is there."""
    workers: set[str] = field(default_factory=set)
    """Workers that have their place here."""

    def fits(self, needs: Needs) -> bool:
        """Whether a worker finds room."""
        room = needs.cpus <= self.cpus and needs.gpus <= self.gpus + 1e-9
        return self.up and room and needs.memory <= self.memory

    def take(self, needs: Needs, sign: float = -1.0) -> None:
        """Take what a worker needs, or with `sign` 1 give it back."""
        self.cpus += sign * needs.cpus
        self.gpus += sign * needs.gpus
        self.memory += sign * needs.memory


class SimulatedCluster(Executor):
    """Nodes with a simulated clock. `losses` are pairs of time and node: what is on the node is lost then.

    A node that is lost is back `absence` seconds later. A worker is ready `start_seconds` after it found a place.
    """

    elastic = True

    def __init__(
        self,
        nodes: Sequence[SimulatedNode],
        *,
        start_seconds: float = 5.0,
        losses: Sequence[tuple[float, int]] = (),
        absence: float = 600.0,
    ) -> None:
        self.nodes, self.start_seconds, self.absence = list(nodes), start_seconds, absence
        self.now = 0.0
        self.busy_seconds = 0.0
        self.most_reserved = [0.0] * len(self.nodes)
        self._order = 0
        self._events: list[tuple[float, int, str, str]] = []
        self._needs: dict[str, Needs] = {}
        self._place: dict[str, int] = {}
        self._waiting: deque[str] = deque()
        for time, node in losses:
            self._push(time, "loss", str(node))

    def clock(self) -> float:
        """The simulated time, seconds."""
        return self.now

    def start(self, needs: Needs) -> str:
        """Ask for one more worker."""
        name = f"worker {self._order}"
        self._order += 1
        self._needs[name] = needs
        self._waiting.append(name)
        self._find_places()
        return name

    def send(self, worker: str, call: Call) -> None:
        """Begin a call, which ends after its time."""
        if not isinstance(call, SimulatedCall):
            raise ConfigError("A simulated cluster takes simulated calls only.")
        self.busy_seconds += call.seconds
        self._push(self.now + call.seconds, "death" if call.kills else "answer", worker)

    def wait(self, seconds: float) -> list[Notice]:
        """Go on to the next thing that happens, or by `seconds`."""
        end = self.now + max(seconds, 0.0)
        while self._events and self._events[0][0] <= end:
            self.now = max(self.now, self._events[0][0])
            notices: list[Notice] = []
            while self._events and self._events[0][0] <= self.now:
                _, _, kind, name = heapq.heappop(self._events)
                notices += self._happen(kind, name)
            if notices:
                return notices
        self.now = end
        return []

    def stop(self, worker: str) -> None:
        """End a worker."""
        self._forget(worker)
        self._find_places()

    def close(self) -> None:
        """End all workers."""
        for worker in list(self._needs):
            self._forget(worker)

    def shortage(self, needs: Needs) -> str:
        """Nothing is said; nodes come back."""
        return ""

    def _happen(self, kind: str, name: str) -> list[Notice]:
        if kind in ("loss", "return"):
            return self._change_node(int(name), up=kind == "return")
        if name not in self._place:  # it was stopped or lost
            return []
        if kind == "ready":
            return [Ready(name, f"node {self._place[name]}")]
        if kind == "answer":
            return [Answered(name)]
        self._forget(name)
        self._find_places()
        return [Lost(name, "the call ended its worker")]

    def _change_node(self, number: int, *, up: bool) -> list[Notice]:
        node = self.nodes[number]
        node.up = up
        lost = sorted(node.workers) if not up else []
        for worker in lost:
            self._forget(worker)
        if not up:
            self._push(self.now + self.absence, "return", str(number))
        self._find_places()
        return [Lost(worker, "its node was lost") for worker in lost]

    def _find_places(self) -> None:
        for _ in range(len(self._waiting)):
            worker = self._waiting.popleft()
            needs = self._needs[worker]
            number = next((i for i, node in enumerate(self.nodes) if node.fits(needs)), None)
            if number is None:
                self._waiting.append(worker)
                continue
            node = self.nodes[number]
            node.take(needs)
            node.workers.add(worker)
            self._place[worker] = number
            reserved = sum(self._needs[name].memory for name in node.workers)
            self.most_reserved[number] = max(self.most_reserved[number], reserved)
            self._push(self.now + self.start_seconds, "ready", worker)

    def _forget(self, worker: str) -> None:
        needs, number = self._needs.pop(worker), self._place.pop(worker, None)
        if number is None:
            self._waiting.remove(worker)
        else:
            self.nodes[number].workers.discard(worker)
            self.nodes[number].take(needs, 1.0)

    def _push(self, time: float, kind: str, name: str) -> None:
        self._order += 1
        heapq.heappush(self._events, (time, self._order, kind, name))
