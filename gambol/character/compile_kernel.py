"""How loops over vertices, pixels, triangles or splats are compiled by Numba."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from numba import njit
from numba.core.event import Event, Listener, install_listener

from gambol.progress import Progress

KERNELS: list[Any] = []
"""All kernels of the modules that were imported, in the order of their definition."""


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit`, cached on disk, run beside other threads, x / 0 is inf as in NumPy, without run-time type checks.

    `options` are further ones of `njit`: `forceinline=True` for functions that are called once per sample, where the
    call would cost more than the work.
    """
    if function is None:
        return partial(kernel, **options)
    made = njit(**{"cache": True, "nogil": True, "error_model": "numpy", **options})(inspect.unwrap(function))
    KERNELS.append(made)
    return made


class CompiledKernels(Listener):
    """Counts the kernels that Numba compiles because no earlier run has left them on disk.

    `announce` is called before the first one, `progress` for each that no other kernel calls.
    """

    def __init__(self, announce: Callable[[str], None] | None = None, progress: Progress | None = None):
        self.count = 0
        """Kernels that were compiled."""
        self.seconds = 0.0
        """Time that it took, seconds; of kernels that others call only the outer ones count."""
        self._announce, self._progress = announce, progress
        self._depth, self._start = 0, 0.0

    def on_start(self, event: Event) -> None:
        """Say once that kernels are being compiled, and report each."""
        if not self.count and not self._depth and self._announce is not None:
            self._announce("First run here: kernels are compiled for this machine, once; later runs start at once.")
        if not self._depth:
            self._start = time.perf_counter()
        self._depth += 1
        if self._progress is not None and self._depth == 1:
            self._progress(min(self.count, len(KERNELS)), max(len(KERNELS), 1), "compiling kernels (once)")

    def on_end(self, event: Event) -> None:
        """Count a kernel."""
        self._depth -= 1
        self.count += 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._start


@contextmanager
def counted(kernels: CompiledKernels) -> Iterator[CompiledKernels]:
    """Count what Numba compiles while the block runs."""
    with install_listener("numba:compile", kernels):
        yield kernels
