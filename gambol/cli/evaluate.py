"""`gambol evaluate`: metrics of clips, tables of runs, blind A/B pages, VideoPhy scores."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gambol.app.check_arguments import check_existing_file, check_file_or_run
from gambol.cli.arguments import ArgumentCheck
from gambol.cli.console import escape, print_json, print_table, progress_bar, report_written, say
from gambol.errors import ConfigError

if TYPE_CHECKING:
    from gambol.app.evaluate import Evaluation
    from gambol.evaluate.ab_answers import StudyResult

ModelFolder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")]
"""Folder of a model."""


def evaluate(
    paths: Annotated[
        tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN|FILE"), ArgumentCheck(check_file_or_run)
    ] = (),
    /,
    *,
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    reference: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    restore_travel: bool = False,
    json: bool = False,
    table: bool = False,
    ab: bool = False,
    answers: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_existing_file)] = (),
    videophy: ModelFolder = None,
    prompt: str | None = None,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="PATH")] = None,
    seed: int = 0,
) -> None:
    """Measure clips: which motion they show, how much they move, and how clean they are.

    Args:
        paths: A character file (all its clips) or a run's folder (its new clip); several with --table, two with --ab.
        clip: Name or number of one clip.
        reference: Name or number of another clip of the file to measure the distance to.
        restore_travel: Give clips that move in place their travel over the ground first.
        json: Print everything as JSON.
        table: Compare runs: means and 95 % intervals over seeds. Written with -o table.md or table.html, else printed.
        ab: Write a page (-o ab.html) for a blind choice between two runs or folders of runs.
        answers: Evaluate answer files of such a page.
        videophy: Local folder of the VideoPhy model, which scores text agreement and physics.
        prompt: The sentence that the clips should show; the run's own prompt where not given.
        output: Where to write a table or a page.
        seed: Decides which run is on which side of an A/B page.
    """
    modes = [
        name for name, on in (("--table", table), ("--ab", ab), ("--answers", answers), ("--videophy", videophy)) if on
    ]
    if len(modes) > 1:
        raise ConfigError(f"{' and '.join(modes)} cannot go together; choose one.")
    if answers:
        return _answers(answers, json)
    if ab:
        return _ab(paths, output, seed, clip)
    if table:
        return _table(paths, output, clip, restore_travel, json)
    if len(paths) != 1:
        raise ConfigError(f"evaluate takes one run or file, or several with --table; given are {len(paths)}.")
    if videophy is not None:
        return _videophy(paths[0], videophy, prompt, clip, json)
    from gambol.app.evaluate import evaluate_path

    with progress_bar() as progress:
        found = evaluate_path(
            paths[0], clip=clip, reference=reference, restore_travel=restore_travel, prompt=prompt, progress=progress
        )
    print_json(found.as_json()) if json else _print_evaluation(found)


def _answers(answers: tuple[Path, ...], json: bool) -> None:
    from gambol.app.ab_study import read_answers

    result = read_answers(answers)
    print_json(asdict(result)) if json else _print_study(result)


def _ab(paths: tuple[Path, ...], output: Path | None, seed: int, clip: str | None) -> None:
    from gambol.app.ab_study import write_ab_page

    if len(paths) != 2 or output is None:
        raise ConfigError("An A/B page takes two runs, films or folders of them, and a name: --ab A B -o ab.html")
    with progress_bar() as progress:
        page = write_ab_page(*paths, output, seed=seed, clip=clip, progress=progress)
    report_written(page)


def _table(paths: tuple[Path, ...], output: Path | None, clip: str | None, restore_travel: bool, json: bool) -> None:
    from gambol.app.compare import compare_runs, comparison_json, comparison_markdown

    with progress_bar() as progress:
        comparison = compare_runs(paths, output, clip=clip, restore_travel=restore_travel, progress=progress)
    if output is not None:
        report_written(output)
    elif json:
        print_json(comparison_json(comparison))
    else:
        sys.stdout.write(comparison_markdown(comparison))


def _videophy(path: Path, folder: Path, prompt: str | None, clip: str | None, json: bool) -> None:
    from gambol.app.score_videophy import score_run

    scores = asdict(score_run(path, folder, prompt=prompt, clip=clip))
    if json:
        print_json(scores)
    for name, value in scores.items() if not json else ():
        say(f"{name.replace('_', ' '):<22} {value:.3f}")


def _print_evaluation(found: Evaluation) -> None:
    from rich.table import Table

    from gambol.app.evaluate import SHORT_COLUMNS, detail_rows, short_row

    if len(found.clips) == 1:
        m = found.clips[0]
        title = f"{found.file}  {m.clip}: {m.motion} ({m.confidence:.0%} sure), {m.seconds:.2f} s"
        table = Table("", "", "", box=None, show_header=False, title=escape(title), title_justify="left")
        for name, value, unit in detail_rows(m):
            table.add_row(name, value, f"[dim]{unit}[/]", style="bold" if name == "motion amount" else None)
    else:
        title = f"{found.file}  in sizes of {found.size:.3g} m and seconds; --clip NAME shows all metrics"
        table = Table(box=None, title=escape(title), title_justify="left", pad_edge=False, padding=(0, 1, 0, 0))
        for i, name in enumerate(SHORT_COLUMNS):
            text = i < 2
            table.add_column(name, no_wrap=True, justify="left" if text else "right", min_width=None if text else 5)
        for m in found.clips:
            table.add_row(*map(escape, short_row(m)))
    print_table(table)
    _print_matches(found)
    for note in found.notes:
        say(f"  · {escape(note)}")


def _print_matches(found: Evaluation) -> None:
    from rich.table import Table

    if not found.matches:
        return
    asked = found.matches[0].prompt
    table = Table("reads as", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    if asked is not None:
        table.title, table.title_justify = escape(f"how well the clips fit {asked.prompt!r}"), "left"
        for name in ("match", "cosine", "rank"):
            table.add_column(name, justify="right")
    table.add_column("clip", no_wrap=True)
    for match in found.matches:
        best = ", ".join(f"{name.name} {name.score:.2f}" for name in match.best)
        fit = match.prompt
        numbers = [] if fit is None else [f"{fit.score:.2f}", f"{fit.cosine:.2f}", str(fit.rank)]
        table.add_row(best, *numbers, escape(match.clip))
    print_table(table)


def _print_study(result: StudyResult) -> None:
    from rich.table import Table

    title = f"A = {result.name_a}, B = {result.name_b}; {result.evaluators} evaluators"
    table = Table("question", "A", "B", "B preferred", "95 %", box=None, title=escape(title), title_justify="left")
    for p in result.preferences:
        interval = f"{p.low:.0%} to {p.high:.0%}"
        table.add_row(p.question, str(p.chosen_a), str(p.chosen_b), f"{p.share_b:.0%}", interval)
    print_table(table)
