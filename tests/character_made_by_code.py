"""A small skinned character for the tests: a square column on two bones, facing +z."""

import numpy as np

from gambol.character.scene import Material, Part, Scene, Skin, translated_nodes


def two_bone_scene() -> Scene:
    """A column of 2 m with a joint at the ground and one at half height; the mesh hangs on a node of its own."""
    names = ("Root", "Upper", "Column")
    translations = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    nodes = translated_nodes(names, np.array([-1, 0, -1]), translations)
    heights = np.linspace(0.0, 2.0, 9)
    ring = 0.2 * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    points = np.array([[x, y, z] for y in heights for x, z in ring])
    quads = [
        [4 * r + k, 4 * r + (k + 1) % 4, 4 * r + 4 + (k + 1) % 4, 4 * r + 4 + k] for r in range(8) for k in range(4)
    ]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, c, b), (a, d, c))])
    upper = np.clip(points[:, 1] - 0.5, 0.0, 1.0)
    weights = np.stack([1.0 - upper, upper], 1).astype(np.float32)
    joints = np.tile([0, 1], (len(points), 1))
    skin = Skin("column", np.array([0, 1]), np.linalg.inv(nodes.T_world_node[:2]))
    part = Part(2, 0, points, triangles, 0, joints=joints, weights=weights)
    return Scene(nodes, (skin,), (part,), (Material("red", (0.8, 0.1, 0.1, 1.0)),))
