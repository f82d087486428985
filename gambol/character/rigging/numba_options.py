"""How this folder's numba kernels are compiled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Any:
    """`numba.njit` with a cache on disk, division by 0 giving infinity, and without run-time type checks."""
    return njit(cache=True, error_model="numpy")(inspect.unwrap(function))
