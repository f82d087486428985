"""`gambol evaluate --table`: evaluate runs and compare them in a table or on a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gambol.app.evaluate import evaluate_clips, last_clip
from gambol.app.find_runs import Run, find_runs
from gambol.app.redraw_run import run_film_url
from gambol.errors import AssetError, ConfigError
from gambol.evaluate.comparison import Comparison, EvaluatedRun, comparison_markdown, group_runs
from gambol.evaluate.comparison import comparison_json as comparison_json
from gambol.files.asset import load
from gambol.files.atomic_write import write_text
from gambol.progress import Progress, reported
from gambol.view.comparison_page import comparison_page, shown_runs
from gambol.view.page_parts import PAGE_SUFFIXES

TABLE_SUFFIXES = (".md", *PAGE_SUFFIXES)
"""Suffixes that a table can be written with."""


def compare_runs(
    paths: Sequence[str | Path],
    output: str | Path | None = None,
    *,
    clip: str | None = None,
    restore_travel: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Evaluate runs and compare them in a table with one row per character, prompt and method.

    Args:
        paths: Run folders, folders of run folders, or character files. Runs without settings make a row each.
        output: Where to write the table: Markdown (.md) or a page with films (.html). None: it is only returned.
        clip: Name or number of the clip; None: the last one of each file.
        restore_travel: Give clips that move in place their travel over the ground first.
        progress: Called for every run, and for every film that is drawn.
    """
    target = None if output is None else _table_path(output)
    runs = [run for path in paths for run in find_runs(path)]
    if not runs:
        raise ConfigError("A table needs runs: folders with one .glb each, or character files.")
    each = reported(runs, progress, lambda run: f"evaluating {run.name}")
    evaluated = [_evaluate_run(run, clip, restore_travel) for run in each]
    comparison = group_runs(evaluated)
    if target is None:
        return comparison
    if target.suffix.lower() == ".md":
        text = comparison_markdown(comparison)
    else:
        sources = {id(found): run for found, run in zip(evaluated, runs, strict=True)}
        shown = [sources[id(found)] for found in shown_runs(comparison)]
        drawn = reported(shown, progress, lambda run: f"drawing {run.name}")
        text = comparison_page(comparison, [run_film_url(run, clip=clip) for run in drawn])
    write_text(target, text)
    return comparison


def _evaluate_run(run: Run, clip: str | None, restore_travel: bool) -> EvaluatedRun:
    if run.model is None:
        raise AssetError(f"{run.name} holds a film but no .glb; a table needs the motion itself.")
    asset, settings = load(run.model), run.settings
    metrics = evaluate_clips(asset, (last_clip(asset, clip),), restore_travel=restore_travel).clips[0]
    return EvaluatedRun(
        name=run.name,
        character=settings.character,
        prompt=settings.prompt,
        method=settings.method,
        seed=settings.seed,
        wanted_motion=settings.motion,
        metrics=metrics,
    )


def _table_path(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix.lower() not in TABLE_SUFFIXES:
        wanted = ", ".join(TABLE_SUFFIXES)
        raise ConfigError(f"{path.name} has the suffix {path.suffix or '(none)'!r}; a table is written as {wanted}.")
    return path
