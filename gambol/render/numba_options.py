"""Options with which the renderer's loops are compiled by Numba."""

from __future__ import annotations

NUMBA_KERNEL = {"cache": True, "nogil": True, "error_model": "numpy"}
"""For loops over pixels, triangles or splats: cached on disk, run beside other threads, x / 0 is inf as in NumPy."""
NUMBA_INLINE = {**NUMBA_KERNEL, "forceinline": True}
"""For functions that are called once per sample, where the call would cost more than the work."""
