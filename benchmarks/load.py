"""Load + kinematics + skinning of 100 frames of a 5k-vertex character: at most 1 CPU second.

Run: python benchmarks/load.py [--quick]
A character made by code always; real ones too where GAMBOL_DATA is set.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from measure import Scoreboard, cpu_seconds

from gambol.character.scene import Part, Scene, Skin, translated_nodes
from gambol.files.asset import export_scene, load
from gambol.motion.clip import Clip
from gambol.motion.skinning import pose_vertices

REAL = ("quaternius/Cow.glb", "quaternius/Wolf.glb", "kaykit/Rogue.glb", "mesh2motion/human-animated.glb")


def tube(vertices: int = 5000, bones: int = 40) -> Scene:
    """A long tube on a chain of joints with four weights per vertex."""
    names = (*(f"bone{i}" for i in range(bones)), "tube")
    translations = np.tile([0.0, 0.05, 0.0], (bones + 1, 1))
    translations[-1] = 0.0
    parents = np.array([*range(-1, bones - 1), -1])
    nodes = translated_nodes(names, parents, translations)
    rings, sides = vertices // 20, 20
    around, up = np.meshgrid(np.linspace(0, 2 * np.pi, sides, endpoint=False), np.linspace(0, 0.05 * bones, rings))
    points = np.stack([0.1 * np.cos(around), up, 0.1 * np.sin(around)], -1).reshape(-1, 3)
    quad = (np.arange(rings - 1)[:, None] * sides + np.arange(sides - 1)).reshape(-1, 1) + np.array(
        [0, 1, sides + 1, sides]
    )
    triangles = np.concatenate([quad[:, [0, 2, 1]], quad[:, [0, 3, 2]]])
    nearest = np.clip((points[:, 1] / 0.05).astype(int), 0, bones - 4)[:, None] + np.arange(4)
    weights = np.tile(np.float32([0.4, 0.3, 0.2, 0.1]), (len(points), 1))
    skin = Skin("tube", np.arange(bones), np.linalg.inv(nodes.T_world_node[:bones]))
    return Scene(nodes, (skin,), (Part(bones, 0, points, triangles, joints=nearest, weights=weights),))


def whole_way(path: Path) -> np.ndarray:
    """Load, make a clip of 100 frames, pose every frame's vertices."""
    character = load(path).character
    rng = np.random.default_rng(0)
    clip = Clip("bench", 30.0, rng.normal(size=(100, 6)), rng.normal(size=(100, len(character.skeleton) - 1, 3)))
    return pose_vertices(character, clip)


def main() -> None:
    """Measure the made character, and the real ones where they are at hand."""
    board, repeats = Scoreboard(), 1 if "--quick" in sys.argv else 5
    with tempfile.TemporaryDirectory() as folder:
        made = export_scene(tube(), (), Path(folder) / "tube.glb")
        whole_way(made)  # imports and first-use costs of the libraries are not the character's
        board.at_most("load.made_5k_vertices", cpu_seconds(lambda: whole_way(made), repeats), 1.0, "s")
        root = os.environ.get("GAMBOL_DATA")
        for name in REAL if root else ():
            path = Path(root) / "characters" / name
            board.at_most(f"load.{path.stem}", cpu_seconds(lambda path=path: whole_way(path), repeats), 1.0, "s")
    board.finish()


if __name__ == "__main__":
    main()
