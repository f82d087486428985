"""The verb `track`: the nearest motion that physics allows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gambol.cli.console import console, escape, progress_bar
from gambol.errors import AssetError

if TYPE_CHECKING:
    from gambol.app.track import TrackReport
    from gambol.physics.run_tracking import TrackingSettings


def track(
    path: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN|FILE")],
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
    engine: Literal["newton", "mujoco"] | None = None,
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu",
    film: bool = True,
    fps: float = 30.0,
    seed: int = 0,
) -> None:
    """Find the nearest motion that gravity, joints and a ground with friction allow (AKD 4.5).

    Writes OUT.glb (the file with one more clip), OUT.mp4 (beside the target, and over its ghost), OUT.json (numbers
    before and after), OUT.npz (targets, torques, contact forces, inertias), OUT.xml (MJCF that replays in MuJoCo) and,
    where usd-core is installed, OUT.usda. The same command again goes on where it was stopped.

    Args:
        path: A character file, or the folder of a run (its last clip).
        output: Where to write.
        clip: Which clip, by name or number; the last one where not given.
        restore_travel: Give a clip that walks on the spot its way over the ground first.
        iterations: Steps of the search.
        upright: Scale of the virtual torque that keeps the root upright, 0 to switch it off; anneal: let it fall to 0.
        size: How long the living body is: small ones fall and swing faster for their size. asis: as long as its file
            says. Not given: asis for a run, 1.5 for a file, whose units say little.
        seeds: Starts side by side; the best is kept.
        paper: The paper's own settings: a target per simulation step, no term for sliding or dragging feet or
            jerk, the first frame on the ground.
        inertia_floor: Keep light and thin bones stable by more inertia; without it the step must be much shorter.
        skate_loss: Penalise feet that slide where they stand, or drag where they swing.
        torque_limit: Limit of every actuator in the MJCF file.
        engine: newton searches by gradient, mujoco by sampling; newton where it is installed.
        device: Where Newton simulates.
        film: Write the film.
        fps: Frames per second of the clip.
        seed: Of the search by sampling, and of further starts.
    """
    from gambol.app.track import track_file

    settings = _settings(iterations, upright, seeds, paper, inertia_floor, skate_loss, seed)
    with progress_bar() as progress:
        report = track_file(
            path,
            output,
            clip=clip,
            fps=fps,
            travel=restore_travel,
            torque_limit=torque_limit,
            film=film,
            settings=replace(settings, living_size=_living(size), engine=engine, device=device),
            progress=progress,
        )
    _print_report(report)


def _settings(
    iterations: int, upright: str, seeds: int, paper: bool, floor: bool, skate: bool, seed: int
) -> TrackingSettings:
    from gambol.physics.articulated_body import BodyConfig
    from gambol.physics.gradient_tracking import DEFAULT_TRACK, PAPER_TRACK
    from gambol.physics.run_tracking import TrackingSettings

    config = replace(PAPER_TRACK if paper else DEFAULT_TRACK, iterations=iterations, seed=seed)
    if not skate:
        config = replace(config, skate=0.0, clear=0.0, hover=0.0)
    if upright == "anneal":
        config = replace(config, anneal=True)
    else:
        config = replace(config, upright=_number(upright, "--upright", "a scale such as 1 or 0.1, or anneal"))
    body = BodyConfig()
    if not floor:
        body = replace(body, roundness=0.0, inertia_floor=0.0, mass_floor=0.0)
    return TrackingSettings(body=body, track=config, seeds=seeds)


def _living(size: str | None) -> float | Literal["asis"] | None:
    if size is None or size == "asis":
        return None if size is None else "asis"
    return _number(size, "--size", "metres such as 1.5, or asis")


def _number(text: str, option: str, allowed: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise AssetError(f"{option} is {text!r}; it takes {allowed}.") from None


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
    out = console()
    out.print(table)
    stands = "it stands" if numbers.stands else "[yellow]it does not stand[/]"
    out.print(
        f"joints {numbers.mpjpe_sizes:.2%} of the size away from the target; root at {numbers.root_height:.0%} of its "
        f"height or more, tilt up to {numbers.tilt:.0f}°: {stands}",
        highlight=False,
        soft_wrap=True,
    )
    help_ = report.tracked.efforts.upright
    out.print(
        f"upright torque: mean {help_.mean:.1f} N m, peak {help_.peak:.1f} N m, {help_.work_share:.1%} of all work",
        highlight=False,
    )
    for note in report.notes:
        out.print(f"  · {escape(note)}", highlight=False, soft_wrap=True)
    for path in report.written:
        out.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
