"""Make a caterpillar, give it a clip, add the clip to a copy of its file, film the result.

Run: python examples/01_add_a_clip.py [OUT_FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

from gambol.character.scene import Material, NodeTree, Part, Scene, Skin
from gambol.files.asset import export_clip, export_scene, load
from gambol.motion.clip import Clip
from gambol.motion.skinning import pose_vertices
from gambol.view.picture_settings import PictureSettings
from gambol.view.pictures import render_asset

SEGMENTS, STEP, RADIUS = 9, 0.16, 0.14


def ball(centre, radius, stretch=(1.0, 1.0, 1.0), rings=10, sectors=16):
    """Vertices and triangles of a sphere, outward facing."""
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, sectors + 1), indexing="ij")
    unit = np.stack([np.sin(polar) * np.cos(around), np.cos(polar), np.sin(polar) * np.sin(around)], -1).reshape(-1, 3)
    corner = (np.arange(rings)[:, None] * (sectors + 1) + np.arange(sectors)).reshape(-1, 1)
    quads = corner + np.array([0, 1, sectors + 2, sectors + 1])
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return unit * np.array(stretch) * radius + centre, triangles


def caterpillar() -> Scene:
    """Overlapping balls on a chain of joints, eyes hung unskinned on the head: facing +z, as glTF has it."""
    joints = np.arange(SEGMENTS)
    names = tuple([f"Segment{i + 1}" for i in range(SEGMENTS - 1)] + ["Head", "Eye.L", "Eye.R", "Caterpillar"])
    parents = np.array([-1, *range(SEGMENTS - 1), SEGMENTS - 1, SEGMENTS - 1, -1])
    translations = np.tile([0.0, 0.0, STEP], (len(names), 1))
    translations[0] = [0.0, RADIUS, -STEP * SEGMENTS / 2]
    translations[SEGMENTS], translations[SEGMENTS + 1] = (0.075, 0.1, 0.19), (-0.075, 0.1, 0.19)
    translations[-1] = 0.0
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1))
    nodes = NodeTree(names, parents, translations, still, np.ones((len(names), 3)), {})
    binds = nodes.T_world_node[joints]
    skin = Skin("body", joints, np.linalg.inv(binds))
    greens = [Material(f"green{i}", (0.16, 0.42 + 0.12 * (i % 2), 0.06, 1.0)) for i in range(2)]
    materials = (*greens, Material("head", (0.75, 0.28, 0.05, 1.0)), Material("eye", (0.01, 0.01, 0.01, 1.0)))
    parts = []
    for i in range(SEGMENTS):
        head = i == SEGMENTS - 1
        centre = binds[i, :3, 3] + np.array([0.0, 0.03 if head else 0.0, 0.5 * STEP])
        points, triangles = ball(centre, RADIUS * (1.15 if head else 1.0))
        ahead = np.clip((points[:, 2] - binds[i, 2, 3]) / STEP - 0.5, 0.0, 0.5) if not head else np.zeros(len(points))
        bones = np.stack([np.full(len(points), i), np.full(len(points), min(i + 1, SEGMENTS - 1))], 1)
        weights = np.stack([1.0 - ahead, ahead], 1).astype(np.float32)
        parts.append(Part(len(names) - 1, 0, points, triangles, 2 if head else i % 2, joints=bones, weights=weights))
    for eye in (SEGMENTS, SEGMENTS + 1):
        parts.append(Part(eye, None, *ball(np.zeros(3), 0.035), material=3))
    return Scene(nodes, (skin,), tuple(parts), materials)


def crawl(character, seconds=3.0, fps=30.0) -> Clip:
    """A hump runs from the last segment to the head: the slope of the back gives the joint angles; it creeps along."""
    time, place = np.arange(int(seconds * fps))[:, None] / fps, np.arange(len(character.skeleton))[None] / 6.0
    slope = np.arctan(0.9 * np.sin(2 * np.pi * (place - time)))
    angles = np.zeros((len(time), place.size - 1, 3))
    angles[..., 0] = -np.diff(slope, axis=1)  # x is the character's left: a positive turn points the nose down
    root = np.zeros((len(time), 6))
    root[:, 0] = 0.25 * time[:, 0]
    root[:, 5] = -slope[:, 0]
    lowest = pose_vertices(character, Clip("Crawl", fps, root, angles))[..., 1].min(1)
    root[:, 1] = -lowest
    return Clip("Crawl", fps, root, angles)


def main(folder: Path) -> None:
    """Everything that a user of the library does."""
    plain = export_scene(caterpillar(), (), folder / "caterpillar.glb")
    asset = load(plain)
    moving = export_clip(asset, crawl(asset.character), folder / "caterpillar-crawl.glb")
    again = load(moving)
    settings = PictureSettings(views=("three-quarter", "side"), width=360, height=270, columns=5)
    render_asset(again, ["Crawl"], folder / "sheet.png", settings)
    render_asset(again, ["Crawl"], folder / "film.mp4", settings)
    for name in ("caterpillar.glb", "caterpillar-crawl.glb", "sheet.png", "film.mp4"):
        print(folder / name, (folder / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
