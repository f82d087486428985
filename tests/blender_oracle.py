"""What Blender shows for a file, as an independent reading of glTF and BVH to hold Gambol's against.

Blender runs in a process of its own (`blender_oracle_job.py`), one for many files, since it starts slowly.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import gambol
from gambol.character.scene import Scene
from gambol.motion.node_clip import NodeChannel, NodeClip, pose_scene

JOB = Path(__file__).with_name("blender_oracle_job.py")
needs_blender = pytest.mark.skipif(
    importlib.util.find_spec("bpy") is None, reason="needs Blender: pip install 'gambol[blender]' on Python 3.11"
)


@dataclass(frozen=True)
class GltfRequest:
    """Show `path` at some times of some of its clips."""

    path: Path
    samples: tuple[tuple[int, float], ...]
    """(index of the clip in the file, seconds)."""
    bones: str = "TEMPERANCE"
    """Which bone shapes Blender makes up. Its default, "BLENDER", misplaces meshes that hang on bones of a scaled
    armature (see `test_blender_moves_meshes_on_bones_of_a_scaled_armature`)."""

    def as_json(self) -> dict:
        return {"kind": "gltf", "path": str(self.path), "samples": list(self.samples), "bones": self.bones}


@dataclass(frozen=True)
class BvhRequest:
    """Show the joints of `path` at some frames."""

    path: Path
    frames: tuple[int, ...]

    def as_json(self) -> dict:
        return {"kind": "bvh", "path": str(self.path), "frames": list(self.frames)}


def ask_blender(requests: list[GltfRequest | BvhRequest], timeout: float = 1800.0) -> list[dict[str, np.ndarray]]:
    """Blender's answers in the order of the requests.

    glTF: "<sample>/<node>" -> world vertices in glTF axes, those that some triangle uses, primitive after primitive.
    BVH: "names" and "heads" [frames, joints, 3] in the file's axes.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "requests.json"), Path(folder, "answers.npz")
        asked.write_text(json.dumps([r.as_json() for r in requests]))
        package_root = str(Path(gambol.__file__).resolve().parent.parent)
        done = subprocess.run(
            [sys.executable, str(JOB), str(asked), str(answered)],
            env={**os.environ, "PYTHONPATH": package_root, "BLENDER_USER_RESOURCES": folder},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        answers: list[dict[str, np.ndarray]] = [{} for _ in requests]
        with np.load(answered) as arrays:
            for key in arrays.files:
                number, _, rest = key.partition("/")
                answers[int(number)][rest] = arrays[key]
    return answers


def exact_times(clip: NodeClip) -> np.ndarray:
    """Key times at which Blender's interpolation cannot differ from glTF's.

    Between keys Blender blends the four numbers of a quaternion and scales them to length 1, where glTF (appendix C)
    prescribes a slerp; so every rotation must have a key there, or stand still around it.
    """
    times = clip.key_times()
    exact = np.ones(len(times), bool)
    for channel in clip.channels:
        exact &= _is_exact(channel, times)
    return times[exact]


def _is_exact(channel: NodeChannel, times: np.ndarray) -> np.ndarray:
    if channel.interpolation == "STEP" or (channel.interpolation == "LINEAR" and channel.path != "rotation"):
        return np.ones(len(times), bool)
    keyed = np.abs(channel.times[None] - times[:, None]).min(1) < 1e-6
    outside = (times <= channel.times[0]) | (times >= channel.times[-1])
    right = np.minimum(np.searchsorted(channel.times, times), len(channel.times) - 1)
    left = np.maximum(right - 1, 0)
    still = (np.abs(channel.values[left] - channel.values[right]) < 1e-7).reshape(len(times), -1).all(1)
    return keyed | outside | still


def node_distances(scene: Scene, clip: NodeClip, time: float, shown: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Distance of every vertex between Gambol's reading and Blender's, per node, as a share of the size at that time.

    `shown` is Blender's, per node. Vertices that no triangle uses are not in it; vertices whose weights the file has
    as NaN or 0 are left out, since nothing says where they belong. Blender keeps the file's order of vertices.
    """
    posed = pose_scene(scene, clip, time)
    size = float(np.ptp(np.concatenate(posed), axis=0).max())
    distances = {}
    for node in {part.node for part in scene.parts}:
        ours, valid = [], []
        for part, points, broken in zip(scene.parts, posed, scene.repaired_rows, strict=True):
            if part.node == node:
                used = np.unique(part.triangles)
                ours.append(points[used])
                valid.append(~np.isin(used, broken))
        points, keep = np.concatenate(ours), np.concatenate(valid)
        assert len(shown[node]) == len(points), (
            f"node {node}: Blender shows {len(shown[node])} vertices, not {len(points)}"
        )
        distances[node] = np.linalg.norm(points - shown[node], axis=1)[keep] / size
    return distances
