"""How long commands take to start: help and mistakes 1 CPU second, `inspect` 3, `doctor --prior` 8, at most.

Run: python benchmarks/startup.py [--quick]
CPU time of the whole process, imports included, least of three runs (one with --quick). A large character is inspected
too where GAMBOL_DATA is set; the estimate of a large prior needs gambol[prior].
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Scoreboard

from gambol.app.new import write_creature

HELP_AND_MISTAKES = {
    "version": "--version",
    "help": "--help",
    "animate_help": "animate --help",
    "inspect_missing": "inspect missing.glb",
    "inspect_broken": "inspect broken.glb",
    "animate_missing": "animate missing.glb running -o run",
    "animate_options": "animate fox.glb running -o run --size large",
    "render_missing_clip": "render fox.glb --clip Fly -o fox.png",
    "convert_suffix": "convert fox.glb -o fox.abc",
    "retarget_missing": "retarget missing.bvh fox.glb -o out.glb",
    "rig_missing": "rig missing.obj -o out.glb",
    "rig_facing": "rig fox.glb -o out.glb --facing up",
    "track_missing": "track missing.glb -o out.glb",
    "evaluate_missing": "evaluate missing.glb",
    "pose_missing": "pose sample missing.glb -o out.glb",
    "pose_broken": "pose sample broken.glb -o out.glb",
    "doctor_unknown_prior": "doctor --prior no-such-model",
}
"""Commands that end with help or a sentence about a mistake."""
ESTIMATES = ("cogvideox-5b", "wan2.2-14b", "ltx-video")
"""Priors that are estimated for a GPU that they do not fit into, so that thriftier settings are looked for too."""


def process_seconds(command: str, folder: Path, repeats: int) -> float:
    """Least CPU time in seconds of `gambol COMMAND`, run in `folder`, over all its threads and children."""
    best = float("inf")
    for _ in range(repeats):
        before = os.times()
        subprocess.run([sys.executable, "-m", "gambol.cli.main", *command.split()], cwd=folder, capture_output=True)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        best = min(best, used)
    return best


def main() -> None:
    """Measure help, mistakes, `inspect` and `doctor`."""
    board, repeats = Scoreboard(), 1 if "--quick" in sys.argv else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_creature("fox", folder / "fox.glb", motions=("walk",))
        (folder / "broken.glb").write_bytes(b"glTF is what this is not")
        for case, command in HELP_AND_MISTAKES.items():
            board.at_most(f"startup.{case}", process_seconds(command, folder, repeats), 1.0, "s")
        board.at_most("startup.inspect_made", process_seconds("inspect fox.glb", folder, repeats), 3.0, "s")
        if os.environ.get("GAMBOL_DATA"):
            large = Path(os.environ["GAMBOL_DATA"]) / "characters" / "mesh2motion" / "human-animated.glb"
            board.at_most("startup.inspect_real", process_seconds(f"inspect {large}", folder, repeats), 3.0, "s")
        board.at_most("startup.doctor", process_seconds("doctor", folder, repeats), 3.0, "s")
        if importlib.util.find_spec("diffusers"):
            for prior in ESTIMATES:
                seconds = process_seconds(f"doctor --prior {prior} --memory 12GB", folder, repeats)
                board.at_most(f"startup.doctor_{prior}", seconds, 8.0, "s")
    board.finish()


if __name__ == "__main__":
    main()
