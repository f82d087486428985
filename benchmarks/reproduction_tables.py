"""Results in lines of JSON, means with bootstrap intervals, and tables written into docs/research/reproduction.md."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[1] / "docs" / "research" / "reproduction.md"
"""The page whose tables the benchmarks write, between `<!-- table NAME -->` and `<!-- end of table -->`."""
RESAMPLES = 4000
"""Resamples of a bootstrap."""


class Store:
    """Results by key, one JSON line each; what is there is not computed again."""

    def __init__(self, path: Path) -> None:
        self.path, self.found = path, {}
        if path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                self.found[row["key"]] = row["value"]

    def get(self, key: str, work: Callable[[], dict]) -> dict:
        """The result of a key; computed and written down where it is missing."""
        if key not in self.found:
            began = time.process_time()
            value = work() | {"cpu_seconds": round(time.process_time() - began, 2)}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as lines:
                lines.write(json.dumps({"key": key, "value": value}) + "\n")
            self.found[key] = json.loads(json.dumps(value))
            print(f"  {key} ({value['cpu_seconds']:.0f} CPU s)", flush=True)
        return self.found[key]


def interval(values: Sequence[float], *, seed: int = 0) -> tuple[float, float, float]:
    """Mean of the values and its 95 % bootstrap interval over them (percentiles of resampled means)."""
    given = np.array([v for v in values if v is not None], float)
    if not len(given):
        return float("nan"), float("nan"), float("nan")
    picked = np.random.default_rng(seed).integers(0, len(given), (RESAMPLES, len(given)))
    low, high = np.percentile(given[picked].mean(1), (2.5, 97.5))
    return float(given.mean()), float(low), float(high)


def told(values: Sequence[float], digits: int = 3) -> str:
    """Mean and interval as a cell of a table."""
    mean, low, high = interval(values)
    return "-" if np.isnan(mean) else f"{mean:.{digits}g} [{low:.{digits}g}, {high:.{digits}g}]"


def differences(rows: Sequence[dict], base: Sequence[dict], name: str) -> list[float]:
    """Value less that of the base, pair by pair, where both have one."""
    pairs = [(a.get(name), b.get(name)) for a, b in zip(rows, base, strict=True)]
    return [a - b for a, b in pairs if a is not None and b is not None]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def write_table(name: str, text: str) -> None:
    """Put a table in its place on the page, and print it."""
    print(f"\n{text}\n", flush=True)
    page = PAGE.read_text()
    start, end = f"<!-- table {name} -->", "<!-- end of table -->"
    before, found, rest = page.partition(start)
    if not found:
        raise SystemExit(f"{PAGE.name} has no place for the table {name}: {start} ... {end}")
    after = rest.partition(end)[2]
    PAGE.write_text(f"{before}{start}\n{text}\n{end}{after}")
