"""What a worker does to itself: threads that fit its cores, a watch over its memory, a name for its place."""

from __future__ import annotations

import os
import platform
import sys
import time

WATCH_SECONDS = 0.1
"""Time between two looks at the memory of a worker, seconds."""
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""Environment variables by which numerical libraries choose their number of threads when they are loaded."""


def thread_environment(threads: int) -> dict[str, str]:
    """Environment variables for a process whose libraries use this many threads."""
    return dict.fromkeys(THREAD_VARIABLES, str(threads))


def use_threads(threads: int) -> None:
    """Let the libraries of this process use this many threads, loaded ones and those that are loaded later."""
    os.environ.update(thread_environment(threads))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)


def resident_memory() -> int:
    """Bytes of main memory that this process holds now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return _resident_memory_elsewhere()


def wait_for_memory(limit: int) -> str:
    """Return once this process holds more than `limit` bytes, and say so."""
    while (held := resident_memory()) <= limit:
        time.sleep(WATCH_SECONDS)
    return f"it held {held / 1e9:.2f} GB of memory, and its limit is {limit / 1e9:.2f} GB"


def place_name() -> str:
    """Host and number of this process."""
    return f"{platform.node() or 'localhost'}:{os.getpid()}"


def _resident_memory_elsewhere() -> int:
    try:
        import psutil
    except ImportError:
        return 0
    return int(psutil.Process().memory_info().rss)
