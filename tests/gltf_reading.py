"""Writes what a builder made and reads it back: the short cuts of the reader's tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gltf_builder import GltfBuilder

from gambol.character.scene import Scene
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.motion.node_clip import NodeClip

POINTS = np.random.default_rng(20).normal(size=(7, 3)).astype(np.float32)
TRIANGLES = np.array([[0, 1, 2], [2, 3, 4], [6, 5, 4]])


def read(builder: GltfBuilder, folder: Path, name: str = "made.glb") -> tuple[Scene, tuple[NodeClip, ...], tuple]:
    path = folder / name
    return read_scene(read_document(builder.write_glb(path) if path.suffix == ".glb" else builder.write_gltf(path)))


def one_mesh(builder: GltfBuilder, **fields) -> GltfBuilder:
    """A node that draws POINTS with the given attributes."""
    builder.node("thing", mesh=builder.mesh(builder.primitive(POINTS, TRIANGLES, **fields)))
    return builder


def read_part(builder: GltfBuilder, folder: Path):
    scene, _, warnings = read(builder, folder)
    assert len(scene.parts) == 1
    assert warnings == ()
    return scene.parts[0]


def assert_same_scene(a: Scene, b: Scene) -> None:
    assert a.nodes.names == b.nodes.names
    np.testing.assert_array_equal(a.nodes.T_world_node, b.nodes.T_world_node)
    for one, other in zip(a.skins, b.skins, strict=True):
        np.testing.assert_array_equal(one.inverse_binds, other.inverse_binds)
    for one, other in zip(a.parts, b.parts, strict=True):
        for key in ("positions", "triangles", "uvs", "joints", "weights"):
            np.testing.assert_array_equal(getattr(one, key), getattr(other, key))
