"""Before and after physics: the suite's legged characters, animated from their sentences and tracked (AKD 6.3).

    python benchmarks/physics_suite.py --quick        4 of them, clips of 2 s, 40 iterations
    python benchmarks/physics_suite.py                all of them, clips of 4 s, the command's own settings
    python benchmarks/physics_suite.py --raw          the same without foot lock: what the optimisation itself made
    python benchmarks/physics_suite.py --only fox     those whose character or sentence has this in it

Needs GAMBOL_DATA for the real characters. Resumable, within a clip too: what is in --out (out/physics-suite) is not
made again. Prints a table as Markdown, writes it as table.md beside the clips, and one sheet per clip: above what was
animated, below what physics made of it.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from statistics import mean

from measure import Scoreboard

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.benchmark_suite import SuiteItem, load_suite
from gambol.app.render import render_file
from gambol.app.track import track_file
from gambol.app.track_request import TrackRequest
from gambol.creatures.catalogue import make_creature
from gambol.errors import GambolError
from gambol.files.asset import export_scene, load
from gambol.motion.motion_names import canonical_motion
from gambol.physics.gradient_tracking import TrackConfig
from gambol.physics.run_tracking import TrackingSettings
from gambol.progress import ProgressLines

ROOT = Path(__file__).parents[1]
OFF_FEET = ("snake",)
"""Characters of the suite without legs."""
QUICK = ("Fox-walk", "Knight-walk", "Trex-walk", "horse-animated-trot")
"""Two legs and four, a toy, a tail that balances."""
CLEAN = 0.001
"""A mean below this, in sizes or sizes per second, is clean whatever it was before."""
COLUMNS = (
    ("skate, sizes/s", "foot_skate_sizes", 3),
    ("deepest, sizes", "penetration_max", 4),
    ("float, sizes", "float_mean", 4),
    ("jerk, sizes/s^3", "jerk", 0),
)
"""Measures of `gambol evaluate`: heading, field, decimals."""


def name_of(item: SuiteItem) -> str:
    """A name for files: character and motion."""
    who = (item.built_in or Path(item.character).stem).replace(" ", "-")
    return f"{who}-{item.motion.replace(' ', '-')}"


def character_of(item: SuiteItem, out: Path) -> Path | None:
    """The item's file, a built-in creature written as one; None where the data folder is absent."""
    if item.built_in is not None:
        path = out / f"{name_of(item)}-character.glb"
        return path if path.is_file() else export_scene(make_creature(item.built_in).scene, (), path)
    folder = os.environ.get("GAMBOL_DATA")
    return Path(folder) / item.character if folder else None


def measured(item: SuiteItem, out: Path, *, seconds: float, iterations: int, raw: bool) -> dict | None:
    """Animate and track one item; returns what tracking measured, None where its file is absent."""
    run, target = out / name_of(item), out / f"{name_of(item)}.glb"
    if not target.with_suffix(".json").is_file():
        file = character_of(item, out)
        if file is None:
            return None
        report = ProgressLines(sys.stderr.write, interval=30.0).report
        if not (run / "metrics.json").is_file():
            asked = AnimateRequest(prompt=item.prompt, seconds=seconds, foot_lock=not raw)
            animate_file(AnimateFileRequest(asked, file, outputs=AnimateOutputs(film=False)), run, progress=report)
        settings = TrackingSettings(track=TrackConfig(iterations=iterations))
        track_file(TrackRequest(run, target, film=False, settings=settings), progress=report)
        write_sheet(target, out / f"{name_of(item)}.png")
    return json.loads(target.with_suffix(".json").read_text())


def write_sheet(tracked: Path, target: Path) -> None:
    """The last two clips of a tracked file, one above the other: what was animated, and what physics made of it."""
    clips = [clip.name for clip in load(tracked).clips[-2:]]
    render_file(tracked, target, clips=clips, views="side", columns=8, width=240, height=180)


def main() -> None:
    """Measure the items that were asked for, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "physics-suite")
    given = parser.parse_args()
    out = given.out / ("quick" if given.quick else "full") / ("raw" if given.raw else "locked")
    out.mkdir(parents=True, exist_ok=True)
    items = [item for item in load_suite(ROOT / "benchmarks" / "suite.json") if item.built_in not in OFF_FEET]
    if given.quick:
        items = [item for item in items if name_of(item) in QUICK]
    items = [item for item in items if given.only.lower() in f"{item.character} {item.prompt}".lower()]
    rows, told = [], []
    for item in items:
        try:
            found = measured(
                item,
                out,
                seconds=2.0 if given.quick else 4.0,
                iterations=40 if given.quick else TrackConfig().iterations,
                raw=given.raw,
            )
        except GambolError as error:
            told.append(f"{name_of(item)}: {error}")
            continue
        if found is not None:
            rows.append((item, found))
            print(f"# {name_of(item)}: {found['cpu_seconds']:.0f} CPU s", flush=True)
    table = "\n".join(table_lines(rows))
    (out / "table.md").write_text(table + "\n")
    print(table)
    for line in told:
        print(f"# refused or failed: {line}")
    board = Scoreboard()
    for heading, field, _ in COLUMNS[:3]:
        before, after = (mean(r[when][field] or 0.0 for _, r in rows) for when in ("before", "after"))
        board.at_most(f"{heading}: mean after", after, max(before, CLEAN), "")
    board.finish()


def judged(item: SuiteItem, metrics: dict) -> bool:
    """Whether the recogniser sees the motion that the suite asks for."""
    return canonical_motion(metrics["motion"]) == canonical_motion(item.motion)


def table_lines(rows: list[tuple[SuiteItem, dict]]) -> list[str]:
    """The table: before -> after for every item, then the means."""
    lines = [
        f"| sentence | {' | '.join(heading for heading, _, _ in COLUMNS)} | judged | joints away, % of size | stands |",
        f"|---|{'---|' * (len(COLUMNS) + 3)}",
    ]
    for item, r in rows:
        cells = [f"{r['before'][f] or 0.0:.{d}f} -> {r['after'][f] or 0.0:.{d}f}" for _, f, d in COLUMNS]
        right = " -> ".join("right" if judged(item, r[when]) else r[when]["motion"] for when in ("before", "after"))
        away = 100.0 * r["tracking"]["mpjpe_sizes"]
        stands = "yes" if r["stands"] else "no"
        lines.append(f"| {item.prompt} | {' | '.join(cells)} | {right} | {away:.1f} | {stands} |")
    if rows:
        means = [[mean(r[when][f] or 0.0 for _, r in rows) for when in ("before", "after")] for _, f, _ in COLUMNS]
        cells = [f"{a:.{d}f} -> {b:.{d}f}" for (a, b), (_, _, d) in zip(means, COLUMNS, strict=True)]
        counts = [sum(judged(item, r[when]) for item, r in rows) for when in ("before", "after")]
        away = mean(100.0 * r["tracking"]["mpjpe_sizes"] for _, r in rows)
        stand = sum(r["stands"] for _, r in rows)
        right = f"{counts[0]} -> {counts[1]} right"
        lines.append(f"| **mean of {len(rows)}** | {' | '.join(cells)} | {right} | {away:.1f} | {stand} |")
    return lines


if __name__ == "__main__":
    main()
