"""`gambol track`: the nearest motion that physics allows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from gambol.app.check_arguments import check_file_or_run
from gambol.cli.arguments import ArgumentCheck, options_of
from gambol.cli.console import escape, print_table, progress_bar, report_written, say
from gambol.errors import ConfigError

if TYPE_CHECKING:
    from gambol.app.track import TrackReport


@options_of(
    "gambol.app.track_request.track",
    upright=Annotated[str, tyro.conf.arg(metavar="SCALE|anneal")],
    size=Annotated[str | None, tyro.conf.arg(metavar="METRES|asis")],
    torque_limit="NEWTON_METRES",
    device="cpu|cuda",
)
def track(
    path: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN|FILE"), ArgumentCheck(check_file_or_run)],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="OUT.glb")],
    **options: Any,
) -> None:
    """Find the nearest motion that gravity, joints and a ground with friction allow (AKD 4.5).

    Writes OUT.glb (the file with one more clip), OUT.mp4 (beside the original, and over the target's ghost), OUT.json
    (numbers before and after), OUT.npz (targets, torques, contact forces, inertias), OUT.xml (MJCF that replays in
    MuJoCo) and, where usd-core is installed, OUT.usda. The same command again continues where it stopped.

    Args:
        path: A character file, or the folder of a run (its last clip).
        output: The .glb file to write; the other files get the same name.
    """
    from gambol.app import track_request as app

    options["upright"] = _number(options["upright"], "anneal", "--upright", "a scale such as 1 or 0.1, or anneal")
    options["size"] = _number(options["size"], "asis", "--size", "metres such as 1.5, or asis")
    with progress_bar() as progress:
        report = app.track(path, output, **options, progress=progress)
    _print_report(report)


def _number(given: str | float | None, word: str, option: str, allowed: str) -> Any:
    """The number that a text stands for; the one word that is allowed, and None, stay as they are."""
    if given is None or given == word:
        return given
    try:
        return float(given)
    except ValueError:
        raise ConfigError(f"{option} is {given!r}; it takes {allowed}.") from None


def _print_report(report: TrackReport) -> None:
    from rich.table import Table

    numbers, before, after = report.tracking, report.before, report.after
    table = Table("", "before", "after", box=None, title=escape(report.clip), title_justify="left")

    def row(name: str, left: float | None, right: float | None) -> None:
        table.add_row(name, *("-" if value is None else f"{value:.4f}" for value in (left, right)))

    row("foot skate, sizes/s", before.foot_skate_sizes, after.foot_skate_sizes)
    row("float, sizes", before.float_mean, after.float_mean)
    row("penetration, sizes", before.penetration_max, after.penetration_max)
    row("jerk, sizes/s³", before.jerk, after.jerk)
    row("motion amount, sizes/s", before.motion_amount, after.motion_amount)
    print_table(table)
    stands = "it stands" if numbers.stands else "[yellow]it does not stand[/]"
    say(
        f"joints {numbers.mpjpe_sizes:.2%} of the size away from the target; root at {numbers.root_height:.0%} of its "
        f"height or more, tilt up to {numbers.tilt:.0f}°: {stands}"
    )
    upright = report.tracked.efforts.upright
    mean = f"upright torque: mean {upright.mean:.1f} N m, peak {upright.peak:.1f} N m"
    say(f"{mean}, {upright.work_share:.1%} of all work")
    windows = report.tracked.windows
    if len(windows) > 1:
        away = ", ".join(f"{window.mpjpe_sizes:.2%}" for window in windows)
        say(f"{len(windows)} windows, joints away from the target in each: {away} of the size")
    say(f"{report.tracked.cpu_seconds:.0f} s of CPU time")
    for note in report.notes:
        say(f"  · {escape(note)}")
    report_written(*report.written)
