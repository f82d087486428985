"""How loops over vertices, pixels, triangles or splats are compiled by Numba."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit`, cached on disk, run beside other threads, x / 0 is inf as in NumPy, without run-time type checks.

    `options` are further ones of `njit`: `forceinline=True` for functions that are called once per sample, where the
    call would cost more than the work.
    """
    if function is None:
        return partial(kernel, **options)
    return njit(**{"cache": True, "nogil": True, "error_model": "numpy", **options})(inspect.unwrap(function))
