"""How benchmarks report: process CPU time, one line `name measured target ok|MISS` each, exit code 1 on a miss."""

import gc
import sys
import time
from collections.abc import Callable


class Scoreboard:
    """Prints each line as it is measured and remembers whether all targets were met."""

    def __init__(self) -> None:
        self.missed = 0

    def at_most(self, name: str, measured: float, target: float, unit: str) -> None:
        """A line for something that must not be larger than `target`."""
        self._line(name, measured, target, unit, measured <= target)

    def at_least(self, name: str, measured: float, target: float, unit: str) -> None:
        """A line for something that must not be smaller than `target`."""
        self._line(name, measured, target, unit, measured >= target)

    def _line(self, name: str, measured: float, target: float, unit: str, ok: bool) -> None:
        self.missed += not ok
        print(f"{name} {measured:.4g}{unit} {target:.4g}{unit} {'ok' if ok else 'MISS'}", flush=True)

    def finish(self) -> None:
        """Leave with exit code 1 if any target was missed."""
        sys.exit(1 if self.missed else 0)


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """Least process CPU time of `work` over `repeats` runs (all threads counted)."""
    best = float("inf")
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best
