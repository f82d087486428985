"""Golden runs: the same commands at a base commit and at HEAD, compared byte by byte.

python benchmarks/golden.py --base COMMIT [--quick] [--only NAME ...] [--work FOLDER]

A base commit is checked out in a worktree; both versions run on this machine, with one thread, and what they write is
compared: the clips' .glb files, pose arrays, exported motions, and the optimised coefficients of `animate`. Settings,
logs, reports and films may change with the words of the project. A finished run of a commit is kept in the work folder,
so that the script resumes. No result is committed: the bytes depend on the machine. A change that was meant is listed
with its reason (`MEANT_CHANGES`). Exit code 1: something else differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUN = """
import sys
try:
    from gambol.cli.main import entry
except ImportError:  # commits before the command line had a folder
    from gambol.cli import entry
sys.argv[0] = "gambol"
entry()
"""
COMPARED = (".glb", ".npz", ".bvh", ".xml")


@dataclass(frozen=True)
class Case:
    """One command; `arguments` is given the data folder, the folder of made characters and the output folder."""

    name: str
    arguments: Callable[[Path, Path, Path], list[str]]
    quick: bool = False
    """Part of `--quick`."""


def sentence(name: str, file: str, text: str, *options: str, made: bool = False, quick: bool = False) -> Case:
    """An `animate` command without its film."""

    def arguments(data: Path, characters: Path, out: Path) -> list[str]:
        path = characters / file if made else data / "characters" / file
        return ["animate", str(path), text, "-o", str(out / "run"), "--no-film", *options]

    return Case(name, arguments, quick)


def pose(name: str, *options: str, quick: bool = False) -> Case:
    """A `pose` command on the held-out knight."""
    verb, *rest = options

    def arguments(data: Path, characters: Path, out: Path) -> list[str]:
        return ["pose", verb, str(data / "characters/kaykit/Knight.glb"), "-o", str(out / "pose.glb"), *rest]

    return Case(name, arguments, quick)


def rig(data: Path, characters: Path, out: Path) -> list[str]:
    """A skeleton and weights for the bare fox."""
    return ["rig", str(data / "characters/mesh2motion/fox-mesh.glb"), "-o", str(out / "rig.glb")]


def retarget(data: Path, characters: Path, out: Path) -> list[str]:
    """A walk of motion capture on the knight."""
    clip = sorted((data / "mocap/cmu").glob("*.bvh"))[0]
    return ["retarget", str(clip), str(data / "characters/kaykit/Knight.glb"), "-o", str(out / "retarget.glb")]


def track(data: Path, characters: Path, out: Path) -> list[str]:
    """A few iterations of physics tracking of the wolf's own walk."""
    wolf = str(data / "characters/quaternius/Wolf.glb")
    options = ["--clip", "Walk", "--restore-travel", "--iterations", "3", "--no-film"]
    return ["track", wolf, "-o", str(out / "track.glb"), *options]


CASES = (
    sentence("fox-fit", "fox.glb", "a fox is running", made=True, quick=True),
    sentence("wolf-fit", "quaternius/Wolf.glb", "a wolf is walking"),
    sentence("knight-fit", "kaykit/Knight.glb", "a knight is jumping"),
    sentence("human-variants", "human.glb", "a person waves", "--variants", "2", "--steps", "12", made=True),
    sentence("spider-sds", "spider.glb", "a spider walks", "--method", "sds", "--steps", "24", made=True, quick=True),
    sentence("fox-annealed", "fox.glb", "a fox trots", "--method", "annealed", "--steps", "16", made=True),
    sentence("fox-loop", "fox.glb", "a fox is walking", "--loop", "--steps", "30", made=True),
    sentence("wolf-three-seconds", "quaternius/Wolf.glb", "a wolf is running", "--seconds", "3"),
    sentence("wolf-refined", "quaternius/Wolf.glb", "a wolf runs", "--start-clip", "Walk", "--steps", "12"),
    pose("pose-sample", "sample", "--count", "4", "--seed", "3", quick=True),
    pose("pose-project", "project", "--handle", "handslot.r=0.4,1.2,0.3"),
    pose("pose-inbetween", "inbetween", "--keys", "0=rest", "12=sample:1", "24=sample:2"),
    Case("track", track),
    Case("rig", rig, quick=True),
    Case("retarget", retarget, quick=True),
)


SENTENCES = (
    "fox-fit wolf-fit knight-fit human-variants spider-sds fox-annealed fox-loop wolf-three-seconds wolf-refined"
)
MEANT_CHANGES = {
    "78e6343564e7": (
        (SENTENCES, ".glb", "feet are locked at the written frame rate, and loops over their seam"),
        ("rig", ".glb", "skeletons do not depend on the triangle count"),
        ("track", ".npz", "angles no longer depend on memory addresses; rounding, less than 1e-11"),
        ("track", ".xml", "a comment is worded anew"),
    )
}
"""By base commit: cases, ending of the file, and why it was meant to change after that commit."""


def run_cases(tree: Path, out: Path, cases: tuple[Case, ...], data: Path, characters: Path) -> None:
    """Run the cases with the package in `tree`; one that has ended is not run again."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "NUMBA", "OPENBLAS")}
    environment = {**os.environ, **threads, "PYTHONPATH": str(tree)}
    for case in cases:
        folder, done = out / case.name, out / case.name / "done.json"
        if done.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-c", RUN, *case.arguments(data, characters, folder)]
        ended = subprocess.run(command, env=environment, cwd=out, capture_output=True, text=True)
        if ended.returncode:
            print(f"{case.name} failed in {tree.name}:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}", flush=True)
            continue
        done.write_text(json.dumps(digests(folder)))
        print(f"{tree.name}: {case.name} has ended", flush=True)


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every compared file below a folder, and of the optimised coefficients in checkpoints."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in COMPARED)
    found = {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    for path in sorted(folder.rglob("checkpoints/*.safetensors")):
        found[f"coefficients {path.stem}"] = coefficients_digest(path)
    return found


def coefficients_digest(path: Path) -> str:
    """SHA-256 of root and joint coefficients, under the names that checkpoints give them or gave them once."""
    from safetensors.numpy import load_file

    tensors = load_file(path)
    names = ("root", "angles") if "coefficients.root" in tensors else ("0", "1")
    return hashlib.sha256(b"".join(tensors[f"coefficients.{name}"].tobytes() for name in names)).hexdigest()


def make_characters(tree: Path, folder: Path) -> None:
    """The characters made by code, by the base commit: both versions animate the same files."""
    for name, text in (("fox", "a fox"), ("human", "a person"), ("spider", "a spider")):
        target = folder / f"{name}.glb"
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, "-c", RUN, "new", text, "-o", str(target)]
            subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tree)}, check=True, capture_output=True)


def main() -> int:
    """Run both versions and compare; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, help="commit that HEAD is compared with")
    parser.add_argument("--work", type=Path, default=ROOT / "out" / "golden", help="folder that keeps results")
    parser.add_argument("--quick", action="store_true", help="five cases instead of all")
    parser.add_argument("--only", nargs="*", default=(), help="names of the cases to run")
    parser.add_argument("--base-only", action="store_true", help="run the base commit and stop")
    options = parser.parse_args()
    if "GAMBOL_DATA" not in os.environ:
        print("Set GAMBOL_DATA to the folder with characters/ and mocap/.")
        return 2
    data, work = Path(os.environ["GAMBOL_DATA"]).resolve(), options.work.resolve()
    cases = tuple(c for c in CASES if (not options.only or c.name in options.only) and (c.quick or not options.quick))
    commits = [git("rev-parse", commit) for commit in (options.base, "HEAD")]
    trees = [worktree(commit, work) for commit in commits]
    characters = work / "characters"
    make_characters(trees[0], characters)
    for commit, tree in zip(commits, trees, strict=True):
        run_cases(tree, work / "runs" / commit[:12], cases, data, characters)
        if options.base_only:
            return 0
    return compare(*(work / "runs" / commit[:12] for commit in commits), cases)


def compare(before: Path, after: Path, cases: tuple[Case, ...]) -> int:
    """Print a line for each case; returns 1 where bytes differ or a run failed."""
    misses = 0
    for case in cases:
        found = [(folder / case.name / "done.json") for folder in (before, after)]
        if not all(path.exists() for path in found):
            print(f"{case.name:20} failed                equal  MISS")
            misses += 1
            continue
        old, new = (digests(path.parent) for path in found)
        differing = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
        meant = [name for name in differing if reason(before, case, name)]
        wrong = [name for name in differing if name not in meant]
        measured = f"{', '.join(wrong)} differ" if wrong else f"{len(new) - len(meant)} equal"
        print(f"{case.name:20} {measured:30} equal  {'MISS' if wrong else 'ok'}")
        for name in meant:
            print(f"{'':20} {name} differs on purpose: {reason(before, case, name)}")
        misses += bool(wrong)
    return 1 if misses else 0


def reason(before: Path, case: Case, name: str) -> str:
    """Why a file was meant to change since a base commit; empty where it was not."""
    changes = MEANT_CHANGES.get(before.name, ())
    return next((why for cases, ending, why in changes if case.name in cases.split() and name.endswith(ending)), "")


def git(*arguments: str) -> str:
    """What git answers."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def worktree(commit: str, work: Path) -> Path:
    """A checkout of a commit below the work folder."""
    tree = work / "trees" / commit[:12]
    if not tree.exists():
        tree.parent.mkdir(parents=True, exist_ok=True)
        git("worktree", "add", "--detach", str(tree), commit)
    return tree


if __name__ == "__main__":
    sys.exit(main())
