"""The sixteen lanes of the kernels do what their names say."""

import numpy as np
from numba import njit

from gambol.render.raster import simd_lanes as rl
from gambol.render.raster.simd_lanes import (
    any_lane,
    broadcast,
    exp2,
    gather,
    load_broadcast,
    load_vector,
    maximum,
    minimum,
    sqrt,
    store_as_int32,
    store_tuple,
    store_vector,
    transpose,
    where,
)  # fmt: skip

RNG = np.random.default_rng(0)


def floats(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def test_arithmetic_and_comparisons():
    @njit
    def work(x, y, out):
        a, b = load_vector(x, 0), load_vector(y, 0)
        store_tuple(out, 0, (a + b, a - b, a * b, a / b, -a, 2 * a + 1, minimum(a, b), maximum(a, 0.5), sqrt(a * a)))
        store_vector(out, 144, where((a > b) & (b < 0.3), a, 7))
        store_vector(out, 160, where(a == a, where(a >= b, 1, 0), where(a <= b, 2, 3)))
        store_vector(out, 176, broadcast(3) + load_broadcast(x, 5))
        return any_lane(a > 100), any_lane(a > y[0] - 100)

    x, y, out = floats(16), floats(16), np.zeros((12, 16), np.float32)
    assert work(x, y, out) == (False, True)
    want = [
        x + y, x - y, x * y, x / y, -x, 2 * x + 1, np.minimum(x, y), np.maximum(x, np.float32(0.5)), np.abs(x),
        np.where((x > y) & (y < 0.3), x, 7), x >= y, np.full(16, 3 + x[5]),
    ]  # fmt: skip
    np.testing.assert_allclose(out, np.stack(want).astype(np.float32), rtol=2e-7)


def test_exp2_to_seven_digits_on_the_range_of_alphas():
    @njit
    def work(x, out):
        for i in range(0, len(x), 16):
            store_vector(out, i, exp2(load_vector(x, i)))

    x = np.linspace(-8, 0, 1 << 16, dtype=np.float32)
    out = np.empty_like(x)
    work(x, out)
    assert np.abs(out / 2 ** x.astype(np.float64) - 1).max() < 3.5e-7


def test_moving_data():
    @njit
    def work(table, rows, out, whole):
        transpose(out, 0, table, 0)
        store_vector(out, 256, gather(table, rows, 2, 16, 3))
        store_as_int32(whole, 0, load_vector(table, 16) * 10)

    table, rows = floats(16, 16), RNG.integers(0, 16, 18).astype(np.int32)
    out, whole = np.zeros(272, np.float32), np.zeros(16, np.int32)
    work(table, rows, out, whole)
    assert np.array_equal(out[:256].reshape(16, 16), table.T)
    assert np.array_equal(out[256:], table[rows[2:], 3])
    assert np.array_equal(whole, np.trunc(table[1] * 10).astype(np.int32))


def test_kernels_are_compiled_anew_when_any_file_of_the_rasteriser_changes(monkeypatch):
    def stamp():
        return rl.raster_kernel()(lambda x: x)._cache._cache_file._version

    before = stamp()
    assert stamp() == before
    monkeypatch.setattr(rl, "_stamp", lambda: "other sources")
    assert stamp() != before
