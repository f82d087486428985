"""Length, sequences, loops, constraints and edits of the embedded prior's clips, on ten characters.

    python benchmarks/control.py --quick                     three characters, fewer of everything; at most 15 minutes
    python benchmarks/control.py                             everything; about two hours of one core
    python benchmarks/control.py --only pins sequences       some parts: windows sequences loops pins poses paths freeze
                                                             edits cpu

Needs GAMBOL_DATA. Resumable (out/control.jsonl): what was measured with the same weights and the same code is kept. The
loops are also played in Blender where `bpy` is installed.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from control_measures import BODIES, LOOPS, SEQUENCES, code_digest
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
STORE = ROOT / "out" / "control.jsonl"
QUICK_BODIES = ("khronos/Fox", "mesh2motion/human-animated", "spider 930001")
"""Characters of the quick run."""
GAITS = ("walk", "run")
"""Motions whose length is measured, and that are constrained."""
LENGTHS = (4.0, 8.0)
"""Lengths whose windows are judged, seconds."""
PINS_PER_CLIP, POSES_PER_CLIP = 10, 3
"""Random pins and key poses of each clip."""


class Rows:
    """Measurements by name; what is in the store is not measured again."""

    def __init__(self, digest: str) -> None:
        self.digest, self.found = digest, {}
        if STORE.exists():
            lines = (json.loads(line) for line in STORE.read_text().splitlines())
            self.found = {tuple(line["job"]): line["row"] for line in lines if line["digest"] == digest}

    def get(self, work: Callable[..., dict], *arguments: object) -> dict:
        """What a function of `control_measures` measures; its arguments are plain."""
        job = (work.__name__, *(str(one) for one in arguments))
        if job not in self.found:
            row = work(*arguments)
            self.found[job] = row
            STORE.parent.mkdir(parents=True, exist_ok=True)
            with STORE.open("a") as store:
                store.write(json.dumps({"digest": self.digest, "job": job, "row": row}) + "\n")
            print(f"  {' '.join(job)}: {json.dumps(row)}", flush=True)
        return self.found[job]


def measure_windows(score: Scoreboard, rows: Rows, bodies: tuple[str, ...]) -> None:
    """Walks and runs of 4 and 8 s: every window of 2 s is judged, beside clips of one window of the prior."""
    from control_measures import window_row

    for motion in GAITS:
        single = [rows.get(window_row, name, motion, None)["shown"] for name in bodies]
        for seconds in LENGTHS:
            found = [rows.get(window_row, name, motion, seconds)["shown"] for name in bodies]
            score.at_least(f"{motion}_{seconds:g}s_windows_judged_right", mean(found), mean(single), "")


def measure_sequences(score: Scoreboard, rows: Rows, *, quick: bool) -> None:
    """Three actions one after the other: each judged by its own window; speeds and slides where they are joined."""
    from control_measures import sequence_row

    numbers = range(0, len(SEQUENCES), 4 if quick else 1)
    found = [rows.get(sequence_row, number) for number in numbers]
    score.at_least("sequence_segments_judged_right", mean([x for row in found for x in row["shown"]]), 0.8, "")
    score.at_most("transition_joint_speed_worst", max(max(row["speeds"]) for row in found), 1.5, "")
    score.at_most("transition_joint_turn_worst", max(max(row["turns"]) for row in found), 1.5, "")
    slides = [x for row in found for x in row["slides"] if x is not None]
    score.at_most("transition_skate_against_clip", mean(slides), 1.5, "")


def measure_loops(score: Scoreboard, rows: Rows, *, quick: bool) -> None:
    """Seams of loops in the written file, and in Blender."""
    from control_measures import loop_row

    found = [rows.get(loop_row, name, motion) for name, motion in LOOPS[:: 3 if quick else 1]]
    score.at_most("loop_seam_position_worst", max(row["position"] for row in found), 0.01, "")
    score.at_most("loop_seam_velocity_worst", max(row["velocity"] for row in found), 0.01, "")
    played = [row["blender"] for row in found if row["blender"] is not None]
    if played:
        score.at_most("loop_seam_in_blender_worst", max(played), 1.0, "")
    else:
        print("  Blender's Python module is not installed: loops are not played")


def measure_pins(score: Scoreboard, rows: Rows, bodies: tuple[str, ...], *, count: int) -> None:
    """Random places that a limb can reach from where the body is."""
    from control_measures import pin_row

    found = [pin for name in bodies for motion in GAITS for pin in rows.get(pin_row, name, motion, count)["pins"]]
    met = [one["distance"] <= 0.01 for one in found]
    print(f"  {len(found)} pins, worst {max(one['distance'] for one in found):.4f} sizes")
    score.at_least("pins_within_1_percent", mean(met), 1.0, "")


def measure_poses(score: Scoreboard, rows: Rows, bodies: tuple[str, ...], *, count: int) -> None:
    """Key poses from other motions of the same body."""
    from control_measures import pose_row

    found = [x for name in bodies for motion in GAITS for x in rows.get(pose_row, name, motion, count)["distances"]]
    print(f"  {len(found)} key poses")
    score.at_most("pose_keys_worst_distance", max(found), 0.01, "")


def measure_paths(score: Scoreboard, rows: Rows, bodies: tuple[str, ...]) -> None:
    """Curved ways over the ground."""
    from control_measures import path_row

    found = [rows.get(path_row, name, motion) for name in bodies for motion in GAITS]
    score.at_most("path_distance_worst", max(row["distance"] for row in found), 0.03, "")
    score.at_most("path_heading_worst", max(row["heading"] for row in found), 10.0, "deg")
    ratios = [row["skate"] for row in found if row["skate"] is not None]
    print(f"  skate against unconstrained: {' '.join(f'{x:.2f}' for x in ratios)}")
    score.at_most("path_skate_mean", mean(ratios), 1.5, "")
    score.at_most("path_skate_worst", max(ratios), 1.5, "")


def measure_freeze(score: Scoreboard, rows: Rows, *, quick: bool) -> None:
    """Frozen limbs in the written file."""
    from control_measures import FROZEN, freeze_row

    found = [rows.get(freeze_row, number) for number in range(1 if quick else len(FROZEN))]
    score.at_most("frozen_channels_that_differ", sum(row["differ"] for row in found), 0, "")
    score.at_least("frozen_channels", sum(row["channels"] for row in found), 1, "")


def measure_edits(score: Scoreboard, rows: Rows, bodies: tuple[str, ...]) -> None:
    """A pin in a finished run: what else moved, and what it cost."""
    from control_measures import edit_row

    found = [rows.get(edit_row, name) for name in bodies]
    score.at_most("edit_untouched_limbs_mean", mean([row["untouched"] for row in found]), 3.0, "deg")
    score.at_most("edit_untouched_limbs_worst", max(row["untouched"] for row in found), 3.0, "deg")
    score.at_most("edit_pins_worst_distance", max(row["distance"] for row in found), 0.01, "")
    score.at_most("edit_cpu_worst", max(row["cpu_seconds"] for row in found), 10.0, "s")


def measure_cost(score: Scoreboard, rows: Rows, bodies: tuple[str, ...]) -> None:
    """A clip of 4 s with film and report, from the file to the run folder."""
    from control_measures import cost_row

    found = [rows.get(cost_row, name)["cpu_seconds"] for name in bodies]
    score.at_most("clip_of_4_s_cpu_worst", max(found), 60.0, "s")


def mean(values: list) -> float:
    """The mean of numbers, of truth values, or of lists of them (each list counts alike)."""
    return sum(mean(v) if isinstance(v, list) else float(v) for v in values) / len(values)


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="PART")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    quick, score, rows = arguments.quick, Scoreboard(), Rows(code_digest())
    bodies = QUICK_BODIES if quick else BODIES
    parts: dict[str, Callable[[], None]] = {
        "pins": lambda: measure_pins(score, rows, bodies, count=3 if quick else PINS_PER_CLIP),
        "sequences": lambda: measure_sequences(score, rows, quick=quick),
        "loops": lambda: measure_loops(score, rows, quick=quick),
        "paths": lambda: measure_paths(score, rows, bodies),
        "poses": lambda: measure_poses(score, rows, bodies, count=1 if quick else POSES_PER_CLIP),
        "freeze": lambda: measure_freeze(score, rows, quick=quick),
        "edits": lambda: measure_edits(score, rows, bodies),
        "windows": lambda: measure_windows(score, rows, bodies),
        "cpu": lambda: measure_cost(score, rows, bodies[:2] if quick else bodies),
    }
    unknown = set(arguments.only or ()) - set(parts)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(parts)}")
    for name in arguments.only or parts:
        print(name, flush=True)
        parts[name]()
    score.finish()


if __name__ == "__main__":
    main()
