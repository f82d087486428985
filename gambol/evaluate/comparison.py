"""Tables that compare runs: one row for each character, prompt and method, means with 95 % intervals over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import floor, log10, sqrt
from typing import Any

import numpy as np

from gambol.evaluate.metric_texts import format_number
from gambol.evaluate.metrics import ClipMetrics
from gambol.motion.motion_names import canonical_motion

TABLE_COLUMNS = (
    ("motion_amount", "motion amount", "sizes/s"),
    ("speed_sizes", "speed", "sizes/s"),
    ("foot_skate_sizes", "foot skate", "sizes/s"),
    ("penetration_max", "penetration", "sizes"),
    ("float_mean", "float", "sizes"),
    ("jerk", "jerk", "sizes/s³"),
    ("bone_stretch", "bone stretch", ""),
    ("self_intersection", "self-intersection", "sizes"),
    ("joint_limit_violation", "joint limits", "rad"),
    ("loop_error", "loop error", "sizes"),
)
"""Metrics that a table shows: field of `ClipMetrics`, heading, unit.

Motion amount comes first: a clip that hardly moves is good by most other numbers."""
TEXT_COLUMNS = ("character", "prompt", "method", "runs", "motion")
"""Headings of the columns before the metrics."""


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval over `count` values."""

    mean: float
    """Mean of the values."""
    half: float | None
    """Half of the interval's width; None where there is one value only."""
    count: int
    """Number of values."""

    def text(self) -> str:
        """Format as 0.41 ± 0.05, with as many decimals as give the half two digits, but at most four."""
        if self.half is None or max(abs(self.mean), self.half) < 5e-4 or self.half < 5e-5:
            return format_number(self.mean)
        decimals = min(max(1 - floor(log10(self.half)), 0), 4)
        return f"{self.mean:.{decimals}f} ± {self.half:.{decimals}f}"


@dataclass(frozen=True)
class EvaluatedRun:
    """One run: what it was asked for, and the metrics of its clip."""

    name: str
    """Name of the run."""
    character: str
    """Name of the character."""
    prompt: str
    """The sentence that the motion was asked for with."""
    method: str
    """What made the motion."""
    seed: int
    """Random seed."""
    wanted_motion: str
    """Name of the motion that the recogniser should find; empty where none is known."""
    metrics: ClipMetrics
    """Metrics of the clip."""

    @property
    def agrees(self) -> bool | None:
        """Whether the recogniser finds the wanted motion; None where none is known."""
        return None if not self.wanted_motion else canonical_motion(self.wanted_motion) == self.metrics.motion


@dataclass(frozen=True)
class ComparisonRow:
    """Runs of one character, prompt and method that differ by their seeds."""

    character: str
    """Name of the character."""
    prompt: str
    """The sentence."""
    method: str
    """What made the motion."""
    runs: tuple[EvaluatedRun, ...]
    """The runs, sorted by seed."""

    @property
    def motions(self) -> str:
        """The recognised motions, the most frequent first, and how many runs show the wanted one."""
        said = [run.metrics.motion for run in self.runs]
        names = sorted(set(said), key=lambda name: (-said.count(name), name))
        judged = [run.agrees for run in self.runs if run.agrees is not None]
        share = f" ({sum(judged)} of {len(judged)} as meant)" if judged else ""
        return ", ".join(names) + share

    def interval(self, field: str) -> Interval | None:
        """Mean and interval of a metric over the runs that have it; None where none has it."""
        values = [value for run in self.runs if (value := getattr(run.metrics, field)) is not None]
        return mean_interval(values) if values else None


@dataclass(frozen=True)
class Comparison:
    """A table that compares runs."""

    rows: tuple[ComparisonRow, ...]
    """The rows, sorted by character, prompt and method."""

    @property
    def scenes(self) -> dict[tuple[str, str], tuple[ComparisonRow, ...]]:
        """Rows by (character, prompt): the methods that are compared side by side."""
        found: dict[tuple[str, str], tuple[ComparisonRow, ...]] = {}
        for row in self.rows:
            key = (row.character, row.prompt)
            found[key] = (*found.get(key, ()), row)
        return found


def mean_interval(values: Sequence[float]) -> Interval:
    """Mean and 95 % interval, mean ± t s / sqrt(n): s the sample standard deviation, t Student's 97.5 % quantile."""
    from scipy.stats import t

    count, mean = len(values), float(np.mean(values))
    if count < 2:
        return Interval(mean, None, count)
    return Interval(mean, float(t.ppf(0.975, count - 1) * np.std(values, ddof=1) / sqrt(count)), count)


def group_runs(runs: Sequence[EvaluatedRun]) -> Comparison:
    """Group runs by character, prompt and method into sorted rows; within a row they are sorted by seed."""
    found: dict[tuple[str, str, str], list[EvaluatedRun]] = {}
    for run in runs:
        found.setdefault((run.character, run.prompt, run.method), []).append(run)
    rows = (ComparisonRow(*key, tuple(sorted(found[key], key=lambda r: r.seed))) for key in sorted(found))
    return Comparison(tuple(rows))


def comparison_markdown(comparison: Comparison) -> str:
    """Format the table as Markdown."""
    heads = list(TEXT_COLUMNS)
    heads += [f"{title} [{unit}]" if unit else title for _, title, unit in TABLE_COLUMNS]
    lines = [_line(heads), _line(["---"] * 3 + ["--:", "---"] + ["--:"] * len(TABLE_COLUMNS))]
    lines += [_line(row_cells(row)) for row in comparison.rows]
    return "\n".join(lines) + "\n"


def row_cells(row: ComparisonRow) -> list[str]:
    """Texts of one row, in the order of the headings: `TEXT_COLUMNS`, then `TABLE_COLUMNS`."""
    numbers = [row.interval(field) for field, _, _ in TABLE_COLUMNS]
    texts = [n.text() if n is not None else "-" for n in numbers]
    return [row.character, row.prompt or "-", row.method or "-", str(len(row.runs)), row.motions, *texts]


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in texts) + " |"


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The table as plain data: rows with their runs and intervals."""
    rows = [
        {
            "character": row.character,
            "prompt": row.prompt,
            "method": row.method,
            "runs": [{"name": r.name, "seed": r.seed, **asdict(r.metrics)} for r in row.runs],
            "intervals": {f: asdict(i) for f, _, _ in TABLE_COLUMNS if (i := row.interval(f)) is not None},
        }
        for row in comparison.rows
    ]
    return {"schema": 1, "rows": rows}
