"""`gambol evaluate --ab`: write a page on which people choose between the films of two methods, blind."""

from __future__ import annotations

from pathlib import Path

from gambol.app.find_runs import Run, find_runs
from gambol.app.redraw_run import run_film_url
from gambol.errors import AssetError
from gambol.evaluate.ab_answers import make_study
from gambol.evaluate.ab_answers import read_answers as read_answers
from gambol.files.atomic_write import write_text
from gambol.progress import Progress, reported
from gambol.view.ab_page import ab_page
from gambol.view.page_parts import page_path


def write_ab_page(
    a: str | Path,
    b: str | Path,
    path: str | Path,
    *,
    seed: int = 0,
    clip: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write an A/B page for two runs, films, or folders of them.

    Args:
        a: The first method's run, film, or folder of them.
        b: The second method's; in folders, runs of the same name make a pair.
        path: The .html file to write.
        seed: Decides which of the two stands on the left of each pair.
        clip: Name or number of the clip to draw; None: the run's film, or its last clip.
        progress: Called for every pair.
    """
    path = page_path(path)
    pairs = pair_runs(find_runs(a), find_runs(b))
    shown = reported(pairs, progress, lambda pair: f"drawing {pair[0].name}")
    films = [(run_film_url(first, clip=clip), run_film_url(second, clip=clip)) for first, second in shown]
    study = make_study(films, [shared_prompt(pair) for pair in pairs], Path(a).name, Path(b).name, seed)
    write_text(path, ab_page(study))
    return path


def pair_runs(a: tuple[Run, ...], b: tuple[Run, ...]) -> list[tuple[Run, Run]]:
    """Pair the runs of two methods by their names; two single runs make a pair whatever their names."""
    if len(a) == len(b) == 1:
        return [(a[0], b[0])]
    by_name = {run.name: run for run in b}
    pairs = [(run, by_name[run.name]) for run in a if run.name in by_name]
    if not pairs:
        first, second = (", ".join(run.name for run in runs[:5]) for runs in (a, b))
        raise AssetError(f"No run of A has the name of a run of B. A has: {first}. B has: {second}.")
    return pairs


def shared_prompt(pair: tuple[Run, Run]) -> str:
    """The prompt of both runs of a pair; raises AssetError where they differ."""
    first, second = (run.settings.prompt for run in pair)
    if first and second and first != second:
        raise AssetError(f"The two runs {pair[0].name} were asked for different things: '{first}' and '{second}'.")
    return first or second
