"""How the loops of this folder are compiled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Any:
    """`numba.njit`, kept on disk; divisions by 0 give infinity. Run-time checks around the function are taken off."""
    return njit(cache=True, error_model="numpy")(inspect.unwrap(function))
