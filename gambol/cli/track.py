"""`gambol track`: the nearest motion that physics allows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gambol.app.check_arguments import check_file_or_run
from gambol.cli.arguments import ArgumentCheck
from gambol.cli.console import console, escape, print_table, progress_bar
from gambol.errors import ConfigError

if TYPE_CHECKING:
    from gambol.app.track import TrackReport


def track(
    path: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN|FILE"), ArgumentCheck(check_file_or_run)],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="OUT.glb")],
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    restore_travel: bool = False,
    iterations: int = 200,
    upright: Annotated[str, tyro.conf.arg(metavar="SCALE|anneal")] = "1",
    size: Annotated[str | None, tyro.conf.arg(metavar="METRES|asis")] = None,
    seeds: int = 1,
    paper: bool = False,
    inertia_floor: bool = True,
    skate_loss: bool = True,
    torque_limit: Annotated[float | None, tyro.conf.arg(metavar="NEWTON_METRES")] = None,
    mjcf_units: Literal["simulated", "character"] = "simulated",
    engine: Literal["newton", "mujoco"] | None = None,
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu",
    film: bool = True,
    fps: float = 30.0,
    seed: int = 0,
) -> None:
    """Find the nearest motion that gravity, joints and a ground with friction allow (AKD 4.5).

    Writes OUT.glb (the file with one more clip), OUT.mp4 (beside the original, and over the target's ghost), OUT.json
    (numbers before and after), OUT.npz (targets, torques, contact forces, inertias), OUT.xml (MJCF that replays in
    MuJoCo) and, where usd-core is installed, OUT.usda. The same command again continues where it stopped.

    Args:
        path: A character file, or the folder of a run (its last clip).
        output: The .glb file to write; the other files get the same name.
        clip: Name or number of the clip; the last one where not given.
        restore_travel: Give a clip that walks in place its travel over the ground first.
        iterations: Steps of the optimiser.
        upright: Scale of the virtual torque that keeps the root upright, 0 to switch it off; anneal: lower it to 0.
        size: Length of the living body, metres: small bodies fall and swing faster for their size. asis: the length in
            the file. Not given: the pace of a run's motion decides; 1.5 for a file, whose units say little.
        seeds: Number of starts side by side; the best is kept.
        paper: Use the paper's settings: a target per simulation step, no loss for sliding or dragging feet or jerk,
            the first frame on the ground.
        inertia_floor: Give light and thin bones more inertia; without it only much shorter steps are stable.
        skate_loss: Penalise feet that slide where they stand, or drag where they swing.
        torque_limit: Largest torque of every actuator in OUT.xml.
        mjcf_units: Unit of length of OUT.xml: simulated metres, or the character's own units as in OUT.glb (gravity and
            torques are converted with it).
        engine: newton optimises by gradient, mujoco by sampling; newton where it is installed.
        device: Device that Newton simulates on.
        film: Write the film.
        fps: Frames per second of the clip.
        seed: Random seed of the search by sampling, and of further starts.
    """
    from gambol.app import track as app

    scale = "a scale such as 1 or 0.1, or anneal"
    with progress_bar() as progress:
        report = app.track(
            path,
            output,
            clip=clip,
            restore_travel=restore_travel,
            iterations=iterations,
            upright="anneal" if upright == "anneal" else _number(upright, "--upright", scale),
            size=_size(size),
            seeds=seeds,
            paper=paper,
            inertia_floor=inertia_floor,
            skate_loss=skate_loss,
            torque_limit=torque_limit,
            mjcf_units=mjcf_units,
            engine=engine,
            device=device,
            film=film,
            fps=fps,
            seed=seed,
            progress=progress,
        )
    _print_report(report)


def _size(text: str | None) -> float | Literal["asis"] | None:
    if text is None or text == "asis":
        return None if text is None else "asis"
    return _number(text, "--size", "metres such as 1.5, or asis")


def _number(text: str, option: str, allowed: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"{option} is {text!r}; it takes {allowed}.") from None


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
    out = console()
    stands = "it stands" if numbers.stands else "[yellow]it does not stand[/]"
    out.print(
        f"joints {numbers.mpjpe_sizes:.2%} of the size away from the target; root at {numbers.root_height:.0%} of its "
        f"height or more, tilt up to {numbers.tilt:.0f}°: {stands}",
        highlight=False,
        soft_wrap=True,
    )
    upright = report.tracked.efforts.upright
    out.print(
        f"upright torque: mean {upright.mean:.1f} N m, peak {upright.peak:.1f} N m, "
        f"{upright.work_share:.1%} of all work",
        highlight=False,
    )
    for note in report.notes:
        out.print(f"  · {escape(note)}", highlight=False, soft_wrap=True)
    for path in report.written:
        out.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
