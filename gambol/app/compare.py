"""Tables that compare runs: one row for each character, prompt and method, means with 95 % intervals over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import floor, log10, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from gambol.app.evaluate import evaluate_clips, last_clip
from gambol.app.find_runs import Run, find_runs
from gambol.errors import AssetError
from gambol.evaluate.metrics import ClipMetrics
from gambol.evaluate.summary import number
from gambol.files.asset import load
from gambol.motion.motion_names import canonical_motion
from gambol.progress import Progress

COLUMNS = (
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
"""What a table shows of a clip: field, heading, unit. Motion amount comes first: nothing else means much without it."""


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval over `count` values."""

    mean: float
    half: float | None
    """Half of the interval's width; None where there is one value only."""
    count: int

    def text(self) -> str:
        """As people write it, 0.41 ± 0.05: both with as many decimals as the half has two digits, four at most."""
        if self.half is None or max(abs(self.mean), self.half) < 5e-4 or self.half < 5e-5:
            return number(self.mean)
        decimals = min(max(1 - floor(log10(self.half)), 0), 4)
        return f"{self.mean:.{decimals}f} ± {self.half:.{decimals}f}"


@dataclass(frozen=True)
class EvaluatedRun:
    """A run with the numbers of its clip."""

    run: Run
    metrics: ClipMetrics

    @property
    def agrees(self) -> bool | None:
        """Whether the judge recognises the motion that was meant; None where the settings name none."""
        wanted = self.run.settings.motion
        return None if not wanted else canonical_motion(wanted) == self.metrics.motion


@dataclass(frozen=True)
class Row:
    """Runs of one character, prompt and method that differ by their seeds."""

    character: str
    prompt: str
    method: str
    runs: tuple[EvaluatedRun, ...]

    @property
    def motions(self) -> str:
        """The recognised motions, the most frequent first, with the share of runs that agree with what was meant."""
        said = [run.metrics.motion for run in self.runs]
        names = sorted(set(said), key=lambda name: (-said.count(name), name))
        judged = [run.agrees for run in self.runs if run.agrees is not None]
        share = f" ({sum(judged)} of {len(judged)} as meant)" if judged else ""
        return ", ".join(names) + share

    def interval(self, field: str) -> Interval | None:
        """Mean and interval of one number over the runs that have it."""
        values = [value for run in self.runs if (value := getattr(run.metrics, field)) is not None]
        return mean_interval(values) if values else None


@dataclass(frozen=True)
class Comparison:
    """All rows of a table."""

    rows: tuple[Row, ...]

    @property
    def scenes(self) -> dict[tuple[str, str], tuple[Row, ...]]:
        """The rows of each character and prompt: what is compared side by side."""
        found: dict[tuple[str, str], tuple[Row, ...]] = {}
        for row in self.rows:
            key = (row.character, row.prompt)
            found[key] = (*found.get(key, ()), row)
        return found


def mean_interval(values: Sequence[float]) -> Interval:
    """mean ± t s / sqrt(n): s the sample standard deviation, t Student's 97.5 % quantile for n - 1."""
    from scipy.stats import t

    count, mean = len(values), float(np.mean(values))
    if count < 2:
        return Interval(mean, None, count)
    return Interval(mean, float(t.ppf(0.975, count - 1) * np.std(values, ddof=1) / sqrt(count)), count)


def compare(
    paths: Sequence[str | Path],
    *,
    clip: str | None = None,
    restore_travel: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Evaluate runs (or folders of runs, or character files) and put them into rows.

    The clip is the file's last one where none is named. Runs without settings make a row each.
    """
    runs = [run for path in paths for run in find_runs(path)]
    if not runs:
        raise AssetError("A table needs runs: folders with one .glb each, or character files.")
    evaluated = []
    for i, run in enumerate(runs):
        if progress is not None:
            progress(i, len(runs), run.name)
        if run.model is None:
            raise AssetError(f"{run.name} holds a film but no .glb; a table needs the motion itself.")
        asset = load(run.model)
        metrics = evaluate_clips(asset, (last_clip(asset, clip),), restore_travel=restore_travel).clips[0]
        evaluated.append(EvaluatedRun(run, metrics))
    return Comparison(group(evaluated))


def group(runs: Sequence[EvaluatedRun]) -> tuple[Row, ...]:
    """Rows by character, prompt and method, sorted; within a row by seed."""
    found: dict[tuple[str, str, str], list[EvaluatedRun]] = {}
    for run in runs:
        settings = run.run.settings
        found.setdefault((settings.character, settings.prompt, settings.method), []).append(run)
    return tuple(Row(*key, tuple(sorted(found[key], key=lambda r: r.run.settings.seed))) for key in sorted(found))


def markdown(comparison: Comparison) -> str:
    """The table as Markdown."""
    heads = ["character", "prompt", "method", "runs", "motion"]
    heads += [f"{title} [{unit}]" if unit else title for _, title, unit in COLUMNS]
    lines = [_line(heads), _line(["---"] * 3 + ["--:", "---"] + ["--:"] * len(COLUMNS))]
    lines += [_line(cells(row)) for row in comparison.rows]
    return "\n".join(lines) + "\n"


def cells(row: Row) -> list[str]:
    """The texts of one row, in the order of the headings."""
    numbers = [row.interval(field) for field, _, _ in COLUMNS]
    texts = [n.text() if n is not None else "-" for n in numbers]
    return [row.character, row.prompt or "-", row.method or "-", str(len(row.runs)), row.motions, *texts]


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in texts) + " |"


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Plain data: rows with their runs and intervals; JSON with `schema` 1."""
    rows = [
        {
            "character": row.character,
            "prompt": row.prompt,
            "method": row.method,
            "runs": [{"name": r.run.name, "seed": r.run.settings.seed, **asdict(r.metrics)} for r in row.runs],
            "intervals": {f: asdict(i) for f, _, _ in COLUMNS if (i := row.interval(f)) is not None},
        }
        for row in comparison.rows
    ]
    return {"schema": 1, "rows": rows}
