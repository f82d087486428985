"""Factorisation A = L D L^T of a sparse matrix on a surface in nested-dissection order, for many right-hand sides.

Cutting the surface in half along its longest side, again and again, and eliminating the cuts last keeps L at
O(n log n) numbers; the orderings that come with the usual libraries need many times more on a million vertices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel

LEAF_VERTICES = 96
"""Pieces of the surface with no more vertices than this are not cut further."""


@dataclass(frozen=True)
class SparseFactor:
    """P A P^T = L D L^T with unit lower triangular L, as a compressed sparse matrix by columns."""

    order: Int[ndarray, "rows"]
    """Row of A that comes to each place: the permutation P."""
    starts: Int[ndarray, "_columns"]
    """First entry of each column of L, and the number of entries."""
    rows: Int[ndarray, "entries"]
    """Row of each entry of L."""
    values: Float[ndarray, "entries"]
    """Value of each entry of L."""
    diagonal: Float[ndarray, "rows"]
    """Diagonal of D."""

    def solve(self, right: Float[ndarray, "rows sides"]) -> Float[ndarray, "rows sides"]:
        """A^-1 B for the right-hand sides B, one in each column."""
        x = np.ascontiguousarray(right[self.order], np.float64)
        _substitute(self.starts, self.rows, self.values, self.diagonal, x)
        result = np.empty_like(x)
        result[self.order] = x
        return result


def factorise(A, points: Float[ndarray, "rows 3"]) -> SparseFactor:
    """Factor a sparse, symmetric, positive definite matrix whose rows are points of a surface."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    entries = A.tocoo()
    order = dissect(points, entries)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    permuted = csc_matrix((entries.data, (rank[entries.row], rank[entries.col])), A.shape)
    factor = splu(permuted, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    # splu visits the elimination tree in its own order: row i of what it factored is row argsort(perm_r)[i]
    order = order[np.argsort(factor.perm_r)]
    lower = factor.L.tocsc()
    starts = lower.indptr.astype(np.int64)
    return SparseFactor(order, starts, lower.indices, lower.data, factor.U.diagonal())


@kernel
def _substitute(starts, rows, values, diagonal, x):
    """Solve L D L^T y = x in place for all columns of x; entries on the diagonal of L are skipped."""
    count, sides = x.shape
    for j in range(count):
        for e in range(starts[j], starts[j + 1]):
            i, value = rows[e], values[e]
            if i != j:
                for k in range(sides):
                    x[i, k] -= value * x[j, k]
    for j in range(count - 1, -1, -1):
        inverse = 1.0 / diagonal[j]
        for k in range(sides):
            x[j, k] *= inverse
        for e in range(starts[j], starts[j + 1]):
            i, value = rows[e], values[e]
            if i != j:
                for k in range(sides):
                    x[j, k] -= value * x[i, k]


def dissect(points: Float[ndarray, "rows 3"], entries) -> Int[ndarray, "rows"]:
    """Nested-dissection order of elimination: both halves of a cut before the vertices on it, recursively.

    `entries` is the matrix in coordinate format.
    """
    upper = entries.row < entries.col
    one, other = entries.row[upper], entries.col[upper]
    count = len(points)
    depth = max(int(np.ceil(np.log2(max(count / LEAF_VERTICES, 1.0)))), 0)
    piece, level = np.zeros(count, np.int64), np.full(count, depth)
    inside = np.ones(count, bool)
    for cut in range(depth):
        piece = _halve(points, piece, inside)
        across = inside[one] & inside[other] & (piece[one] != piece[other])
        on_cut = np.unique(np.where(piece[one[across]] % 2 == 0, one[across], other[across]))
        level[on_cut], inside[on_cut] = cut, False
        piece[on_cut] //= 2
        kept = inside[one] & inside[other]
        one, other = one[kept], other[kept]
    last_leaf = ((piece + 1) << (depth - level)) - 1
    return np.lexsort((-level, last_leaf))


def _halve(points: ndarray, piece: ndarray, inside: ndarray) -> Int[ndarray, "rows"]:
    """Each piece p becomes 2 p and 2 p + 1, at the median along its longest side."""
    members = np.flatnonzero(inside)
    members = members[np.argsort(piece[members], kind="stable")]
    of = piece[members]
    first = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]]))
    counts = np.diff(np.append(first, len(of)))
    places = points[members]
    longest = (np.maximum.reduceat(places, first) - np.minimum.reduceat(places, first)).argmax(1)
    group = np.repeat(np.arange(len(first)), counts)
    order = np.lexsort((places[np.arange(len(places)), longest[group]], group))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - first[group]
    halved = piece.copy()
    halved[members] = 2 * of + (rank >= counts[group] // 2)
    return halved
