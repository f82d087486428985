"""Bodies that no built-in creature has, made by code: fishes, a dragon with wings, people with many arms."""

from __future__ import annotations

import numpy as np
import trimesh

from gambol.character.character import Character, make_character
from gambol.character.scene import Part, Scene, translated_nodes


def loft(stations, *, around: int = 32) -> trimesh.Trimesh:
    """A closed tube along x through ellipses: rows of (x, centre height, half height, half width)."""
    angles = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    rings = [np.stack([np.full(around, x), y + h * np.sin(angles), w * np.cos(angles)], 1) for x, y, h, w in stations]
    points = np.concatenate([*rings, [rings[0].mean(0)], [rings[-1].mean(0)]])
    faces, n = [], len(rings)
    for ring in range(n - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces += [[a, b, a + around], [b, b + around, a + around]]
    for k in range(around):
        faces.append([n * around, (k + 1) % around, k])
        faces.append([n * around + 1, (n - 1) * around + k, (n - 1) * around + (k + 1) % around])
    mesh = trimesh.Trimesh(points, faces, process=False)
    mesh.fix_normals()
    return mesh


def plate(corners, thickness: float = 0.03) -> trimesh.Trimesh:
    """The convex hull of a flat polygon with a thickness: a fin."""
    corners = np.array(corners, float)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal *= 0.5 * thickness / np.linalg.norm(normal)
    return trimesh.convex.convex_hull(np.concatenate([corners + normal, corners - normal]))


def mirrored(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """The mesh and its mirror image across z = 0."""
    image = trimesh.Trimesh(mesh.vertices * [1.0, 1.0, -1.0], mesh.faces[:, ::-1], process=False)
    return trimesh.util.concatenate([mesh, image])


def profile(length: float, height: float, width: float, *, peduncle: float = 0.12, rings: int = 24):
    """Stations of a fish's trunk, snout at +length / 2: round in front, thin where the tail fin starts."""
    share = np.linspace(0.0, 1.0, rings)
    bulge = np.sin(np.pi * share**0.6) + peduncle * share
    bulge = np.maximum(bulge / bulge.max(), 0.03)
    return [(length * (0.5 - s), 0.0, height * b, width * b) for s, b in zip(share, bulge, strict=True)]


def fish() -> trimesh.Trimesh:
    """A fish like a carp, two metres long: higher than wide, with tail, dorsal, pectoral and pelvic fins."""
    tail = plate([[-0.72, 0.0, 0.0], [-1.1, 0.38, 0.0], [-0.98, 0.0, 0.0], [-1.1, -0.38, 0.0]])
    dorsal = plate([[0.25, 0.25, 0.0], [-0.25, 0.22, 0.0], [-0.15, 0.48, 0.0], [0.05, 0.5, 0.0]])
    pectoral = plate([[0.45, -0.1, 0.12], [0.3, -0.15, 0.12], [0.1, -0.22, 0.42], [0.22, -0.2, 0.42]])
    pelvic = plate([[-0.05, -0.25, 0.05], [-0.2, -0.22, 0.05], [-0.3, -0.42, 0.14], [-0.2, -0.43, 0.14]])
    trunk = loft(profile(1.8, 0.32, 0.17))
    return trimesh.util.concatenate([trunk, tail, dorsal, mirrored(pectoral), mirrored(pelvic)])


def shark() -> trimesh.Trimesh:
    """A long round fish whose pectoral fins are its lowest points."""
    tail = plate([[-0.78, 0.0, 0.0], [-1.15, 0.42, 0.0], [-0.98, 0.02, 0.0], [-1.05, -0.22, 0.0]])
    dorsal = plate([[0.15, 0.15, 0.0], [-0.15, 0.14, 0.0], [-0.2, 0.42, 0.0]])
    pectoral = plate([[0.4, -0.1, 0.12], [0.12, -0.1, 0.12], [0.0, -0.3, 0.55]])
    pelvic = plate([[-0.25, -0.1, 0.08], [-0.42, -0.09, 0.08], [-0.45, -0.24, 0.26]])
    trunk = loft(profile(1.9, 0.2, 0.19))
    return trimesh.util.concatenate([trunk, tail, dorsal, mirrored(pectoral), mirrored(pelvic)])


def whale() -> trimesh.Trimesh:
    """A dolphin: the tail fin lies flat, so that it is a pair of flukes."""
    fluke = plate([[-0.8, 0.0, 0.0], [-0.95, 0.0, 0.0], [-1.12, 0.0, 0.42], [-1.0, 0.0, 0.4]])
    dorsal = plate([[0.1, 0.18, 0.0], [-0.15, 0.16, 0.0], [-0.22, 0.42, 0.0]])
    flipper = plate([[0.42, -0.1, 0.12], [0.25, -0.12, 0.12], [0.08, -0.22, 0.42]])
    trunk = loft(profile(1.9, 0.24, 0.21))
    return trimesh.util.concatenate([trunk, dorsal, mirrored(fluke), mirrored(flipper)])


def torpedo() -> trimesh.Trimesh:
    """A fish without paired fins."""
    tail = plate([[-0.72, 0.0, 0.0], [-1.1, 0.3, 0.0], [-1.1, -0.3, 0.0]])
    return trimesh.util.concatenate([loft(profile(1.8, 0.22, 0.14)), tail])


def eel() -> trimesh.Trimesh:
    """A long body without fins that stand out."""
    return loft([(1.0 - 0.1 * k, 0.0, 0.05 * (1.0 - 0.035 * k), 0.04 * (1.0 - 0.035 * k)) for k in range(21)])


def standing_dragon() -> trimesh.Trimesh:
    """Four legs, a long neck and tail, and wings that are raised rather than spread."""
    trunk = loft([(0.6, 0.62, 0.1, 0.1), (0.4, 0.6, 0.17, 0.14), (0.0, 0.56, 0.16, 0.13), (-0.4, 0.56, 0.16, 0.14)])
    neck = loft([(0.45, 0.62, 0.1, 0.09), (0.7, 0.85, 0.07, 0.06), (0.9, 1.0, 0.09, 0.08), (1.2, 0.98, 0.04, 0.04)])
    tail = loft([(-0.35, 0.56, 0.14, 0.12), (-0.8, 0.5, 0.08, 0.07), (-1.6, 0.42, 0.02, 0.02)])
    legs = [
        loft([(-0.02, 0.0, 0.07, 0.07), (0.5, 0.0, 0.05, 0.05)], around=16)
        .apply_transform(trimesh.transformations.rotation_matrix(-0.5 * np.pi, [0, 0, 1]))
        .apply_translation([x, 0.5, 0.14])
        for x in (0.42, -0.35)
    ]
    feet = [trimesh.creation.box((0.16, 0.05, 0.09)).apply_translation([x + 0.05, 0.025, 0.14]) for x in (0.42, -0.35)]
    wing = plate([[0.3, 0.7, 0.06], [0.0, 0.68, 0.06], [-0.3, 1.25, 0.75], [0.25, 1.45, 0.8]])
    return trimesh.util.concatenate([trunk, neck, tail, *(mirrored(part) for part in (*legs, *feet, wing))])


def person(arm_heights: tuple[float, ...]) -> trimesh.Trimesh:
    """A person of boxes in a T pose, with a pair of arms at each of these heights."""
    box = trimesh.creation.box
    halves = [
        box((0.1, 0.5, 0.1)).apply_translation([0, 0.25, 0.1]),
        box((0.2, 0.05, 0.1)).apply_translation([0.08, 0.025, 0.1]),
        *(box((0.08, 0.08, 0.5)).apply_translation([0, height, 0.35]) for height in arm_heights),
    ]
    trunk = box((0.2, 0.6, 0.3)).apply_translation([0, 0.75, 0])
    head = box((0.16, 0.2, 0.14)).apply_translation([0, 1.12, 0])
    return trimesh.util.concatenate([trunk, head, *map(mirrored, halves)])


def bare_character(points: np.ndarray, faces: np.ndarray) -> Character:
    """A character of one unskinned part."""
    nodes = translated_nodes(("box",), np.array([-1]), np.zeros((1, 3)))
    part = Part(0, None, points.astype(np.float32), faces)
    return make_character("box", Scene(nodes, (), (part,)), scale=1.0)


def finned(mesh: trimesh.Trimesh, *, quarter_turns: int = 0) -> Character:
    """A bare character from a mesh, turned about the vertical."""
    turn = trimesh.transformations.rotation_matrix(0.5 * np.pi * quarter_turns, [0, 1, 0])
    moved = mesh.copy().apply_transform(turn)
    return bare_character(np.array(moved.vertices), np.array(moved.faces))


def subdivided(character: Character, times: int) -> Character:
    """The same surface with every triangle cut into four, `times` times."""
    mesh = character.mesh
    assert mesh is not None
    points, faces = character.placement.T_file_world[:3, :3] @ mesh.vertices.T, mesh.triangles
    points = points.T + character.placement.T_file_world[:3, 3]
    for _ in range(times):
        points, faces = trimesh.remesh.subdivide(points, faces)
    return bare_character(points, faces)
