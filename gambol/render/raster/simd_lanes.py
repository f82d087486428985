"""Vectors of sixteen floats (lanes) for Numba kernels, held in registers: one lane per pixel or per splat.

Inside a kernel `+ - * /` and comparisons act lane by lane, between lanes or with a number. LLVM splits the sixteen into
as many registers as the machine needs (one with AVX-512, two with AVX2, four with SSE or NEON). Products are fused into
sums where the machine can; NaN and infinity behave as usual.
"""

from __future__ import annotations

import hashlib
import operator
from functools import cache
from pathlib import Path
from typing import Any, no_type_check

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

LANE_COUNT = 16
"""Floats in a vector."""
FAST_MATH_FLAGS = ("contract", "nsz")
"""LLVM flags of arithmetic: products may be fused into sums, the sign of 0 does not count."""
SCALAR, INTEGER = ir.FloatType(), ir.IntType(32)
"""LLVM types of a lane."""
FLOATS, INTEGERS = ir.VectorType(SCALAR, LANE_COUNT), ir.VectorType(INTEGER, LANE_COUNT)
"""LLVM types of all lanes."""
BITS = ir.VectorType(ir.IntType(1), LANE_COUNT)
"""LLVM type of a mask."""
EIGHT_FLOATS = ir.VectorType(SCALAR, 8)
"""LLVM type of half the lanes."""
_NODES = np.cos(np.pi * (np.arange(64) + 0.5) / 64)
EXP2_COEFFICIENTS = (
    np.polynomial.chebyshev.Chebyshev.fit(0.5 * _NODES, 2 ** (0.5 * _NODES), 5)
    .convert(kind=np.polynomial.Polynomial)
    .coef
)
"""Coefficients of the polynomial of degree 5 that is closest to 2^x on [-1/2, 1/2], relative error below 2.5e-7."""
ROUNDING_MAGIC = 12582912.0
"""1.5 x 2^23: added to a small float it leaves the nearest integer in the lowest bits."""


class LanesType(types.Type):
    """Numba type of sixteen float32."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


class MaskType(types.Type):
    """Numba type of sixteen booleans."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


LANES, MASK = LanesType(), MaskType()
"""The Numba types of vectors and masks."""


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of_type: Any) -> None:
        super().__init__(manager, of_type, FLOATS)


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of_type: Any) -> None:
        super().__init__(manager, of_type, BITS)


def raster_kernel(**options: Any) -> Any:
    """`numba.njit` with the options of the rasteriser's kernels, cached on disk.

    Kernels let other Python threads run (`nogil`), which is how frames are drawn side by side. Numba compiles a kernel
    again when its own file has changed; here it does so when any of the rasteriser's files has, because kernels contain
    one another. Where no folder can be written to, they are compiled once per process.
    """

    def compiled(function: Any) -> Any:
        settings = {"nogil": True, "error_model": "numpy", "boundscheck": False, **options}
        dispatcher = njit(**settings)(no_type_check(function))
        try:
            dispatcher.enable_caching()
        except RuntimeError:  # Numba found no place for its cache
            return dispatcher
        file = dispatcher._cache._cache_file
        file._version = f"{file._version} {_stamp()}"  # compared before anything else of the cache is read
        return dispatcher

    return compiled


@cache
def _stamp() -> str:
    """A digest of the rasteriser's sources."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def all_lanes(builder: Any, number: Any) -> Any:
    """LLVM code that copies a number into every lane."""
    nothing = ir.Constant(FLOATS, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(INTEGER, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(INTEGERS, [0] * LANE_COUNT))


def _constant(number: float) -> Any:
    return ir.Constant(FLOATS, [float(np.float32(number))] * LANE_COUNT)


def _as_lanes(context: Any, builder: Any, of_type: Any, value: Any) -> Any:
    if isinstance(of_type, LanesType):
        return value
    return all_lanes(builder, context.cast(builder, value, of_type, types.float32))


def _fits(*operands: Any) -> bool:
    return LANES in operands and all(x == LANES or isinstance(x, types.Number) for x in operands)


def _define(function: Any, result: Any, build: Any) -> None:
    """Define `function` for kernels: of two vectors, or of a vector and a number."""

    @type_callable(function)
    def typer(_context: Any) -> Any:
        return lambda x, y: result if _fits(x, y) else None

    def lower(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        x, y = (_as_lanes(context, builder, t, v) for t, v in zip(signature.args, operands, strict=True))
        return build(builder, x, y)

    for pair in ((LanesType, LanesType), (LanesType, types.Number), (types.Number, LanesType)):
        lower_builtin(function, *pair)(lower)


def minimum(x: Any, y: Any) -> Any:
    """The smaller of two values, lane by lane; for kernels only."""


def maximum(x: Any, y: Any) -> Any:
    """The larger of two values, lane by lane; for kernels only."""


_define(operator.add, LANES, lambda b, x, y: b.fadd(x, y, flags=FAST_MATH_FLAGS))
_define(operator.sub, LANES, lambda b, x, y: b.fsub(x, y, flags=FAST_MATH_FLAGS))
_define(operator.mul, LANES, lambda b, x, y: b.fmul(x, y, flags=FAST_MATH_FLAGS))
_define(operator.truediv, LANES, lambda b, x, y: b.fdiv(x, y, flags=FAST_MATH_FLAGS))
_define(minimum, LANES, lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y))
_define(maximum, LANES, lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y))
_define(operator.lt, MASK, lambda b, x, y: b.fcmp_ordered("<", x, y))
_define(operator.le, MASK, lambda b, x, y: b.fcmp_ordered("<=", x, y))
_define(operator.gt, MASK, lambda b, x, y: b.fcmp_ordered(">", x, y))
_define(operator.ge, MASK, lambda b, x, y: b.fcmp_ordered(">=", x, y))
_define(operator.eq, MASK, lambda b, x, y: b.fcmp_ordered("==", x, y))


@type_callable(operator.and_)
def _type_and(_context: Any) -> Any:
    return lambda x, y: MASK if x == MASK and y == MASK else None


@lower_builtin(operator.and_, MaskType, MaskType)
def _and(_context: Any, builder: Any, _signature: Any, operands: Any) -> Any:
    return builder.and_(*operands)


@type_callable(operator.neg)
def _type_negative(_context: Any) -> Any:
    return lambda x: LANES if x == LANES else None


@lower_builtin(operator.neg, LanesType)
def _negative(_context: Any, builder: Any, _signature: Any, operands: Any) -> Any:
    return builder.fneg(*operands)


@intrinsic
@no_type_check
def broadcast(typing_context, number):
    """A vector with one number in every lane."""

    def build(context, builder, signature, operands):
        return _as_lanes(context, builder, signature.args[0], operands[0])

    return LANES(number), build


@intrinsic
@no_type_check
def where(typing_context, mask, yes, no):
    """`yes` in the lanes where `mask` holds, `no` in the others; both lanes or numbers."""

    def build(context, builder, signature, operands):
        chosen = [_as_lanes(context, builder, t, v) for t, v in zip(signature.args[1:], operands[1:], strict=True)]
        return builder.select(operands[0], *chosen)

    return LANES(mask, yes, no), build


@intrinsic
@no_type_check
def any_lane(typing_context, mask):
    """Whether the mask holds in at least one lane."""

    def build(context, builder, signature, operands):
        return builder.icmp_unsigned(
            "!=", builder.bitcast(operands[0], ir.IntType(LANE_COUNT)), ir.Constant(ir.IntType(LANE_COUNT), 0)
        )

    return types.boolean(mask), build


@intrinsic
@no_type_check
def sqrt(typing_context, x):
    """The square root, lane by lane."""

    def build(context, builder, signature, operands):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(FLOATS, [FLOATS]), f"llvm.sqrt.v{LANE_COUNT}f32"
        )
        return builder.call(function, operands)

    return LANES(x), build


@intrinsic
@no_type_check
def exp2(typing_context, x):
    """2^x for |x| < 126 with a relative error of about 1e-7; undefined outside.

    x = n + f with n the nearest integer: a polynomial of f whose exponent is raised by n.
    """

    def build(context, builder, signature, operands):
        (x,) = operands
        magic = _constant(ROUNDING_MAGIC)
        rounded = builder.fadd(x, magic)
        f = builder.fsub(x, builder.fsub(rounded, magic))

        def join(low, high, factor):
            return builder.fadd(builder.fmul(high, factor, flags=FAST_MATH_FLAGS), low, flags=FAST_MATH_FLAGS)

        c = [_constant(x) for x in EXP2_COEFFICIENTS]
        square = builder.fmul(f, f)  # Estrin's scheme: the shortest chain of sums
        power = join(join(c[0], c[1], f), join(join(c[2], c[3], f), join(c[4], c[5], f), square), square)
        exponent = builder.shl(builder.bitcast(rounded, INTEGERS), ir.Constant(INTEGERS, [23] * LANE_COUNT))
        return builder.bitcast(builder.add(builder.bitcast(power, INTEGERS), exponent), FLOATS)

    return LANES(x), build


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any, element: Any) -> Any:
    data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element.as_pointer())


@intrinsic
@no_type_check
def load_vector(typing_context, array, first):
    """Load sixteen consecutive floats of a contiguous float32 array from flat position `first`."""

    def build(context, builder, signature, operands):
        return builder.load(_pointer(context, builder, signature.args[0], *operands, FLOATS), align=4)

    return LANES(array, types.intp), build


@intrinsic
@no_type_check
def load_broadcast(typing_context, array, position):
    """Load one entry of a contiguous float32 array into every lane."""

    def build(context, builder, signature, operands):
        return all_lanes(builder, builder.load(_pointer(context, builder, signature.args[0], *operands, SCALAR)))

    return LANES(array, types.intp), build


@intrinsic
@no_type_check
def prefetch(typing_context, array, position):
    """Prefetch the cache line of an array's entry."""

    def build(context, builder, signature, operands):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0"
        )
        place = _pointer(context, builder, signature.args[0], *operands, ir.IntType(8))
        builder.call(function, [place, *(ir.Constant(number, x) for x in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(array, types.intp), build


@intrinsic
@no_type_check
def store_vector(typing_context, array, first, x):
    """Store a vector to a contiguous float32 array from flat position `first`."""

    def build(context, builder, signature, operands):
        place = _pointer(context, builder, signature.args[0], *operands[:2], FLOATS)
        builder.store(operands[2], place, align=4)
        return context.get_dummy_value()

    return types.none(array, types.intp, LANES), build


@intrinsic
@no_type_check
def store_tuple(typing_context, array, first, several):
    """Store a tuple of vectors one after the other from flat position `first`."""

    def build(context, builder, signature, operands):
        array, first, several = operands
        for i in range(len(signature.args[2])):
            index = builder.add(first, ir.Constant(first.type, i * LANE_COUNT))
            place = _pointer(context, builder, signature.args[0], array, index, FLOATS)
            builder.store(builder.extract_value(several, i), place, align=4)
        return context.get_dummy_value()

    return types.none(array, types.intp, several), build


@intrinsic
@no_type_check
def store_as_int32(typing_context, array, first, x):
    """Store a vector, truncated to integers, to an int32 array from flat position `first`."""

    def build(context, builder, signature, operands):
        place = _pointer(context, builder, signature.args[0], *operands[:2], INTEGERS)
        builder.store(builder.fptosi(operands[2], INTEGERS), place, align=4)
        return context.get_dummy_value()

    return types.none(array, types.intp, LANES), build


@intrinsic
@no_type_check
def gather(typing_context, array, rows, first, stride, column):
    """Load into lane l the entry `column` of row rows[first + l] of a float32 array with `stride` entries per row."""

    def build(context, builder, signature, operands):
        array_type, rows_type = signature.args[:2]
        array, rows, first, stride, column = operands
        data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
        places = cgutils.create_struct_proxy(rows_type)(context, builder, rows).data
        gathered = ir.Constant(FLOATS, ir.Undefined)
        for lane in range(LANE_COUNT):
            row = builder.load(builder.gep(places, [builder.add(first, ir.Constant(first.type, lane))]))
            row = builder.sext(row, first.type)
            entry = builder.load(builder.gep(data, [builder.add(builder.mul(row, stride), column)]))
            gathered = builder.insert_element(gathered, entry, ir.Constant(INTEGER, lane))
        return gathered

    return LANES(array, rows, types.intp, types.intp, types.intp), build


def _transpose_block(builder: Any, rows: list) -> list:
    """The transpose of eight registers of eight, by steps that are one AVX instruction per register each."""
    numbers = ir.VectorType(INTEGER, 8)

    def pair(x: Any, y: Any, low: list, high: list) -> list:
        return [builder.shuffle_vector(x, y, ir.Constant(numbers, order)) for order in (low, high)]

    ones = ([0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15])
    twos = ([0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15])
    fours = ([0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15])
    a = [x for i in (0, 2, 4, 6) for x in pair(rows[i], rows[i + 1], *ones)]
    b = [x for i in (0, 1, 4, 5) for x in pair(a[i], a[i + 2], *twos)]
    c = [pair(b[i], b[i + 4], *fours) for i in range(4)]
    return [x for x, _ in c] + [y for _, y in c]


@intrinsic
@no_type_check
def transpose(typing_context, target, target_first, source, source_first):
    """Transpose a 16 x 16 block: target[i, j] = source[j, i], from the given flat positions."""

    def build(context, builder, signature, operands):
        target, target_first, source, source_first = operands

        def place(array_type, array, first, row, column):
            index = builder.add(first, ir.Constant(first.type, row * LANE_COUNT + column))
            return _pointer(context, builder, array_type, array, index, EIGHT_FLOATS)

        for down in (0, 8):
            for right in (0, 8):
                places = [place(signature.args[2], source, source_first, down + i, right) for i in range(8)]
                rows = _transpose_block(builder, [builder.load(x, align=4) for x in places])
                for i, row in enumerate(rows):
                    builder.store(row, place(signature.args[0], target, target_first, right + i, down), align=4)
        return context.get_dummy_value()

    return types.none(target, types.intp, source, types.intp), build
