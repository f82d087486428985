"""Where the pictures of a film are: one large picture with smaller ones beside it, or a grid; the title below."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

GAP = 2
"""Pixels between two pictures."""


@dataclass(frozen=True)
class Cell:
    """A rectangle of a film, pixels."""

    left: int
    """Its first column."""
    top: int
    """Its first row."""
    width: int
    """Number of columns."""
    height: int
    """Number of rows."""


def title_height(height: int) -> int:
    """Height of the title's bar in a film of a height, pixels; it is even, and films below 200 rows have none."""
    return 0 if height < 200 else 2 * round(height / 30)


def hero_layout(count: int, width: int, height: int) -> tuple[Cell, ...]:
    """A large picture on the left and the others in one column on the right, above the title; one alone fills it all.

    The column takes a quarter of the width, so that three pictures in it have nearly the film's own shape.
    """
    height -= title_height(height)
    if count == 1:
        return (Cell(0, 0, width, height),)
    column = 2 * round(width / 8)
    hero = Cell(0, 0, width - column - GAP, height)
    return (hero, *(Cell(width - column, top, column, high) for top, high in _divide(height, count - 1)))


def grid_layout(count: int, columns: int, width: int, height: int) -> tuple[Cell, ...]:
    """Pictures of nearly one size, row by row, above the title."""
    across = _divide(width, columns)
    down = _divide(height - title_height(height), math.ceil(count / columns))
    every = [Cell(left, top, wide, high) for top, high in down for left, wide in across]
    return tuple(every[:count])


def _divide(length: int, parts: int) -> list[tuple[int, int]]:
    """Start and length of each of several parts of a length, with gaps between them."""
    ends = [round(i * (length + GAP) / parts) for i in range(parts + 1)]
    return [(start, end - start - GAP) for start, end in pairwise(ends)]
