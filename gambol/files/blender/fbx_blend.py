"""Read FBX, and read and write .blend, through Blender's own module in a process of its own.

The process keeps Blender's state, prints and crashes away from the caller. It starts from Blender's factory settings,
and scripts that a .blend file brings are never run: auto-execution is off in the settings and in the call that opens
the file.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import gambol
from gambol.character.scene import Scene, pose_parts
from gambol.errors import AssetError, GambolError, MissingExtra
from gambol.files.atomic_write import replacing
from gambol.files.gltf.append_clip import write_document
from gambol.files.gltf.container import GltfDocument, read_document
from gambol.files.gltf.read import read_scene
from gambol.files.gltf.write import new_document
from gambol.motion.frame_rate import baking_frame_rate
from gambol.motion.node_clip import NodeClip

BLENDER_TIMEOUT_SECONDS = 900.0
"""Seconds after which a Blender process is stopped."""
CLIP_TOLERANCE = 0.01
"""Largest error of a clip's start and end that is read back, seconds; Blender rounds to whole frames."""
SURFACE_TOLERANCE = 1e-3
"""Largest error of the bound surface that is read back, as a share of its size."""


def read_through_blender(path: Path, workdir: Path) -> Path:
    """Convert an .fbx or .blend into a .glb in `workdir`: names, skins, all actions as animations, rest = bind.

    Weightless bones at the ends of a skinned FBX's chains (exporters add them to mark tails) are left out. Modifiers of
    a .blend are applied unless it has shape keys, which Blender cannot export together with applied modifiers; scripts
    inside it are not run.
    """
    kind = path.suffix[1:].upper() if path.suffix.lower() == ".fbx" else path.suffix
    _check_blender(f"Reading {kind}")
    if not path.is_file():
        raise AssetError(f"{path} cannot be read: there is no such file.")
    target = workdir / f"{path.stem}.glb"
    with replacing(target) as temporary:
        job = {"kind": "read", "source": str(path.resolve()), "target": str(temporary.resolve())}
        _check_read(temporary, _run(job, f"read {path.name}")["meant"], path)
    return target


def write_through_blender(glb_path: Path, out_path: Path) -> None:
    """Convert a .glb into a .blend, read back before it takes its name; clips are actions on muted NLA tracks."""
    suffix = out_path.suffix.lower()
    if suffix != ".blend":
        raise AssetError(f"{out_path.name} has the suffix {suffix!r}; through Blender Gambol writes .blend.")
    _check_blender(f"Writing {suffix}")
    document = read_document(glb_path)
    scene, clips, _ = read_scene(document)
    times = np.concatenate([np.zeros(1), *(clip.key_times() for clip in clips)])
    with replacing(out_path) as temporary, tempfile.TemporaryDirectory(prefix="gambol-blender-") as folder:
        source = Path(folder, "source.glb")
        write_document(_prepared(document, scene, clips), source, beside=source)
        job = {"kind": "write", "source": str(source), "target": str(temporary.resolve())}
        answer = _run({**job, "fps": baking_frame_rate(times)}, f"write {out_path.name}")
        _check_written(answer["meant"], answer["found"], out_path.name)


def _prepared(document: GltfDocument, scene: Scene, clips: tuple[NodeClip, ...]) -> GltfDocument:
    """Help Blender to an exact reading: valid weights, the joints' common ancestor in every skin, names for everything.

    Blender tears off vertices whose weights are NaN. And it takes the bind pose from the inverse bind matrices only
    below a skin's `skeleton`; for other joints it takes the rest pose and bends the surface into it, which is exact for
    vertices of one joint only.
    """
    if any(len(rows) for rows in scene.repaired_rows):
        document = new_document(scene, clips, document.path)
    entries = copy.deepcopy(document.json)
    for kind, names in (("nodes", scene.nodes.names), ("animations", tuple(clip.name for clip in clips))):
        for entry, name in zip(entries.get(kind, []), names, strict=True):
            entry.setdefault("name", name)
    for skin, entry in zip(scene.skins, entries.get("skins", []), strict=True):
        chains = [[int(joint), *scene.nodes.ancestors(int(joint))] for joint in skin.joints]
        shared = set.intersection(*map(set, chains))
        entry.pop("skeleton", None)
        entry |= {"skeleton": next(node for node in chains[0] if node in shared)} if shared else {}
    return replace(document, json=entries)


def _check_blender(what: str) -> None:
    if importlib.util.find_spec("bpy") is not None:
        return
    if sys.version_info[:2] != (3, 11):
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        what += f" goes through bpy 5.0.1, which needs Python 3.11 (this is {version}). There it"
    raise MissingExtra(what, "blender")


def _run(job: dict[str, Any], what: str) -> dict[str, Any]:
    """Run one job in a fresh Blender; its answer, or a sentence with the end of what it complained about."""
    with tempfile.TemporaryDirectory(prefix="gambol-blender-") as folder:
        job_path, answer_path = Path(folder, "job.json"), Path(folder, "answer.json")
        job_path.write_text(json.dumps(job), encoding="utf-8")
        package_root = str(Path(gambol.__file__).resolve().parent.parent)
        search_path = os.pathsep.join(filter(None, [package_root, os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "gambol.files.blender.fbx_blend_job", str(job_path), str(answer_path)]
        try:
            done = subprocess.run(
                command,
                env={**os.environ, "PYTHONPATH": search_path, "BLENDER_USER_RESOURCES": folder},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=BLENDER_TIMEOUT_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise AssetError(f"Blender did not {what} within {BLENDER_TIMEOUT_SECONDS:g} s and was stopped.") from error
        if done.returncode != 0 or not answer_path.exists():
            lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            reason = " ".join(lines[-2:])[-300:] if lines else f"it ended with code {done.returncode}"
            raise AssetError(f"Blender could not {what}: {reason}")
        return json.loads(answer_path.read_text(encoding="utf-8"))


def _check_read(glb: Path, meant: dict[str, Any], path: Path) -> None:
    """Compare the .glb with what Blender saw in the file: bones, clips and, where nothing was applied, the surface."""
    if not meant["bones"] and meant["low"] is None:
        raise AssetError(f"{path.name} holds neither a mesh nor a skeleton, as far as Blender can see.")
    scene, clips, _ = read_scene(read_document(glb))
    lost = sorted(set(meant["bones"]) - set(scene.nodes.names)) + sorted(set(meant["clips"]) - {c.name for c in clips})
    if lost:
        raise AssetError(f"{path.name}: on the way through Blender {len(lost)} bones or clips were lost: {lost[:4]}.")
    if meant["low"] is None or path.suffix.lower() != ".fbx":
        return
    points = np.concatenate([np.zeros((0, 3)), *pose_parts(scene, scene.nodes.T_world_node)])
    low, high = (np.array([x, z, -y]) for x, y, z in (meant["low"], meant["high"]))
    low, high = np.minimum(low, high), np.maximum(low, high)
    gap = max(np.abs(points.min(0) - low).max(), np.abs(points.max(0) - high).max()) if len(points) else np.inf
    if not gap <= SURFACE_TOLERANCE * (high - low).max():
        raise AssetError(f"{path.name}: on the way through Blender its surface changed by {gap:.3g} units.")


def _check_written(meant: dict[str, Any], found: dict[str, Any], name: str) -> None:
    for key in ("bones", "clips"):
        if sorted(meant[key]) != sorted(found[key]):
            differing = sorted(set(meant[key]) ^ set(found[key]))[:4] or "some occur twice"
            raise GambolError(f"{name} does not read back: its {key} differ ({differing}); it was not kept.")
    for clip, span in meant["clips"].items():
        if not np.allclose(span, found["clips"][clip], rtol=0.0, atol=CLIP_TOLERANCE):
            raise GambolError(f"{name} does not read back: '{clip}' runs {found['clips'][clip]} s, not {span}.")
    if meant["vertices"] != found["vertices"]:
        raise GambolError(
            f"{name} reads back with {found['vertices']} of {meant['vertices']} vertices; it was not kept."
        )
    if meant["low"] is not None:
        ends = np.array([[side["low"], side["high"]] for side in (meant, found)])
        gap = np.abs(ends[0] - ends[1]).max()
        if not gap <= SURFACE_TOLERANCE * np.ptp(ends[0], axis=0).max():
            raise GambolError(f"{name} does not read back: its surface differs by {gap:.3g} units; it was not kept.")
