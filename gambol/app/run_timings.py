"""What the parts of a run are called, and how long each takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from gambol.character.compile_kernel import CompiledKernels, counted

Announce = Callable[[str], None]
"""Called with a sentence for people when something begins."""
PHASES = {
    "load": "Reading the character ...",
    "prior": "Loading the prior ...",
    "optimise": "Looking for the motion ...",
    "export": "Writing the character with its new clip ...",
    "measure": "Measuring the clip ...",
    "film": "Drawing the film ...",
    "report": "Writing the page ...",
}
"""What a user is told when a part of a run begins, by its name in the timings."""


@dataclass
class Timings:
    """How long each part of a run took."""

    announce: Announce | None = None
    """Called with a sentence when a part begins."""
    kernels: CompiledKernels | None = None
    """Counts what is compiled in the parts."""
    parts: dict[str, dict[str, float]] = field(default_factory=dict)
    """Wall-clock and CPU seconds by name."""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Measure a block."""
        if self.announce is not None:
            self.announce(PHASES[name])
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            with nullcontext() if self.kernels is None else counted(self.kernels):
                yield
        finally:
            taken = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
            self.parts[name] = {key: round(value, 3) for key, value in taken.items()}

    def compiled(self) -> dict[str, Any]:
        """How many kernels were compiled, and how long that took, as timings.json has it; empty if nobody counted."""
        kernels = self.kernels
        return {} if kernels is None else {"kernels": {"count": kernels.count, "seconds": round(kernels.seconds, 3)}}
