"""How fast the studio is: dragging, drawing, and the time from Generate to the first moving preview.

Run: python benchmarks/studio.py [--knight Knight.glb] [--rounds 60]

It starts a server in a temporary folder and opens the page in headless Chromium, which draws in software: pictures per
second are those of a machine without a graphics card. CPU time is that of the server with all its workers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Scoreboard

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from studio_page import StudioPage, studio_page

from gambol.client import Client
from gambol.creatures.catalogue import make_creature
from gambol.files.asset import export_scene

DRAG_UPDATES_A_SECOND = 10.0
"""Least rate at which a dragged body follows on one core."""
PREVIEW_CPU_SECONDS = 5.0
"""Most CPU time from Generate to the first moving preview, on a server that is warm."""
LEAST_PICTURES = 10.0
"""Pictures per second below which a moving character looks like slides."""


def process_tree(root: int) -> list[int]:
    """A process and all that come from it."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
    found, open_ends = [], [root]
    while open_ends:
        process = open_ends.pop()
        found.append(process)
        open_ends += [child for child, parent in parents.items() if parent == process]
    return found


def cpu_of(root: int) -> float:
    """CPU seconds that a process and its children have used."""
    ticks = 0
    for process in process_tree(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure_first_preview(page: StudioPage, server: int, board: Scoreboard) -> None:
    """CPU and wall time from Generate to the first moving picture, the second time (the server is warm)."""
    for warm in (False, True):
        page.write("#prompt", "runs" if warm else "walks")
        page.wait("document.querySelector('#understood .chip.motion')")
        before, cpu = page.get("gambol.studio.scene.take"), cpu_of(server)
        began = time.monotonic()
        page.click("#generate")
        page.wait(f"gambol.studio.scene.take !== {before!r}")
        page.wait("gambol.studio.jobs.live.get(gambol.studio.scene.take)?.previews > 0")
        spent, passed = cpu_of(server) - cpu, time.monotonic() - began
        page.take()
    board.at_most("Generate to first preview, server CPU", spent, PREVIEW_CPU_SECONDS, " s")
    print(f"  ({passed:.1f} s of wall time on this machine)")


def measure_drag(page: StudioPage, rounds: int, board: Scoreboard) -> None:
    """Milliseconds from a movement of the pointer to the pose that answers it."""
    page.click("#rail-pose")
    page.wait("gambol.studio.posing.ready && gambol.state.cells[0] === 'pose'")
    limbs = page.get("gambol.studio.character.anatomy.limbs")
    joint = next(limb for part in ("arm", "leg") for limb in limbs if limb["part"] == part)["bones"][-2]
    x, y = page.place(joint)
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for k in range(rounds):
        page.page.mouse.move(x + 30 * (k % 20) / 20, y - 30 * (k % 20) / 20)
        page.wait(f"gambol.studio.posing.latencies.length > {k}")
    page.page.mouse.up()
    taken = sorted(page.get("gambol.studio.posing.latencies"))
    bones = page.get("gambol.studio.facts.bones.length")
    board.at_most(f"drag, {bones} bones, median", statistics.median(taken), 1000 / DRAG_UPDATES_A_SECOND, " ms")
    board.at_most(
        f"drag, {bones} bones, 95 %", taken[int(0.95 * (len(taken) - 1))], 2000 / DRAG_UPDATES_A_SECOND, " ms"
    )


def measure_pictures(page: StudioPage, board: Scoreboard, seconds: float = 6.0) -> None:
    """Pictures per second while a clip plays, without the limit that leaves time for optimisation."""
    page.get("gambol.studio.viewport.graphics.software = false, gambol.studio.viewport.quality.level = 2, null")
    page.get("gambol.studio.viewport.meter.intervals.length = 0, gambol.studio.playhead.toggle(true), null")
    time.sleep(seconds)
    page.pause()
    intervals = page.get("gambol.frameTimes")
    name, triangles = page.get("[gambol.studio.character.name, gambol.state.triangles]")
    rate = 1000 / statistics.median(intervals) if intervals else 0.0
    board.at_least(f"pictures per second, {name}, {triangles:.0f} triangles", rate, LEAST_PICTURES, "/s")
    print(f"  ({page.get('gambol.state.graphics')}, half the pixels on each side)")


def show(page: StudioPage, character: dict[str, Any]) -> None:
    """Bring a character into the viewport, with a motion to play."""
    page.get(f"gambol.studio.leavePose(), gambol.studio.choose({character['id']!r}), null")
    page.wait(f"gambol.state.loaded === '{character['id']} {character['revision']}'")


def main() -> None:
    """Measure it all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--knight", type=Path, help="a rigged character with clips; default: a fox made by code")
    parser.add_argument("--rounds", type=int, default=60, help="moves of the pointer")
    options = parser.parse_args()
    board = Scoreboard()
    with tempfile.TemporaryDirectory() as folder, Client.start(Path(folder) / "project") as client:
        file = options.knight or export_scene(make_creature("fox", 3).scene, (), Path(folder) / "fox.glb")
        heavy = export_scene(make_creature("fox", 3, vertices=50_000).scene, (), Path(folder) / "heavy.glb")
        small, large = client.open(file), client.open(heavy)
        with studio_page(client) as page:
            show(page, small)
            measure_first_preview(page, client._process.pid, board)
            measure_pictures(page, board)
            measure_drag(page, options.rounds, board)
            show(page, large)
            page.write("#prompt", "walks")
            page.write("[aria-label='Optimiser steps']", "4")
            page.click("#generate")
            page.take()
            measure_pictures(page, board)
    board.finish()


if __name__ == "__main__":
    main()
