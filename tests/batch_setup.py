"""Tiny batches: a column on two bones, a prior that knows nothing, few steps, no films."""

from __future__ import annotations

import json
from pathlib import Path

from character_made_by_code import two_bone_scene
from tiny_embedded_prior import write_tiny_prior

from gambol.app.run_folder import LOCK, LOCK_OWNER, TIMINGS
from gambol.files.asset import export_scene

STEPS = 20
OWN_TO_A_RUN = (LOCK, LOCK_OWNER, TIMINGS)
"""Files of a run that tell of the run, not of its result."""


def write_inputs(folder: Path) -> Path:
    """A character and weights, and a file of prompts."""
    folder.mkdir(parents=True, exist_ok=True)
    export_scene(two_bone_scene(), (), folder / "column.glb")
    write_tiny_prior(folder / "tiny.safetensors")
    (folder / "prompts.txt").write_text("it walks\n\n# not this\nit jumps\n")
    return folder


def settings_in(folder: Path, **others: object) -> dict[str, object]:
    """Values of fields that make a job quick."""
    return {"prior": str(folder / "tiny.safetensors"), "steps": STEPS, "film": False, **others}


def results_of(run: Path) -> dict[str, bytes]:
    """The contents of all files of a run that its settings decide."""
    files = [path for path in sorted(run.rglob("*")) if path.is_file() and path.name not in OWN_TO_A_RUN]
    return {path.relative_to(run).as_posix(): ordered(path.name, path.read_bytes()) for path in files}


def ordered(name: str, data: bytes) -> bytes:
    """The bytes of a file; of tensors with the header's keys in order, which safetensors writes in any."""
    if not name.endswith(".safetensors"):
        return data
    end = 8 + int.from_bytes(data[:8], "little")
    return json.dumps(json.loads(data[8:end]), sort_keys=True).encode() + data[end:]


def all_results(output: Path) -> dict[str, dict[str, bytes]]:
    """The results of all runs of a batch; what is half-written would stand out as one file too many."""
    return {path.name: results_of(path) for path in sorted(output.iterdir()) if path.is_dir() and path.name != "jobs"}


def record_of(output: Path, run: str) -> dict:
    """The record of a job."""
    return json.loads((output / "jobs" / f"{run}.json").read_text())
