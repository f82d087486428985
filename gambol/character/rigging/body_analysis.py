"""From a bare mesh to its landmarks: the plane of symmetry, the direction it faces, wings that hide the legs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.mesh import Mesh
from gambol.character.rigging.landmarks import Landmarks, LimbPair, turned_pair, turned_solid
from gambol.character.rigging.mesh_facing import find_landmarks
from gambol.character.rigging.voxel_solid import VOXELS_PER_SIZE, VoxelSolid, voxelise
from gambol.character.scene import apply_matrix
from gambol.character.transforms import similarity
from gambol.errors import AssetError

LEAST_SYMMETRY = 0.6
"""Share of a body that must have its mirror image inside it, for templates."""
SPREAD_WING_RATIO = 2.5
"""Spread wings reach this many times as far from the middle plane as any other limb or the trunk."""
WING_LENGTH = 0.22
"""Wings of a body on four legs are at least this share of its size long."""
WING_BASE_MARGIN = 0.08
"""Wings start between the hips and the shoulders, or ahead of the shoulders by no more than this share of the size."""
TURN_LEFT = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
"""A quarter turn about the vertical that takes +z to +x."""
HALF_TURN = np.diag([-1.0, 1.0, -1.0])
"""Half a turn about the vertical."""


@dataclass(frozen=True)
class AnalysedBody:
    """Landmarks of a mesh, where they lie in the world, and how certain they are."""

    landmarks: Landmarks
    """Landmarks in the body's frame: facing +x, middle plane z = 0, ground y = 0, size 1."""
    T_body_world: Float[ndarray, "4 4"]
    """Similarity from the mesh's world to the body's frame."""
    symmetry: float
    """Share of the body that has its mirror image across the middle plane inside it."""
    facing: float
    """Log of the odds that the mesh faced +x of the frame in which its landmarks were found, rather than -x."""


def analyse_body(mesh: Mesh, *, forward: Float[ndarray, "3"] | None = None) -> AnalysedBody:
    """Find the plane of symmetry of a mesh, the direction that it faces along it, and its landmarks.

    `forward` is the horizontal direction, along x or z of the mesh's world, that the body faces; None finds out: the
    plane of symmetry is then the vertical one along x or z that mirrors more of the body onto itself.
    """
    low, high = mesh.bounds
    centre = np.array([0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])])
    size = float((high - low).max())
    if not size > 0:
        raise AssetError("The mesh has no extent, so there is no body to put bones into.")
    T = similarity(np.eye(3), 1.0 / size, -centre / size)
    solid = voxelise(apply_matrix(T, mesh.vertices), mesh.triangles)
    if not solid.depth.max(initial=0.0) > 1.5 * solid.voxel:
        raise AssetError(
            "The mesh is flat or holds no space, so there is no body to put bones into. "
            "Give your own skeleton: --skeleton RIG.glb"
        )
    along_z, along_x = mirrored_overlap(solid, 0), mirrored_overlap(solid, 2)
    turn = along_z > along_x if forward is None else abs(forward[2]) > abs(forward[0])
    symmetry = along_z if turn else along_x
    if symmetry < LEAST_SYMMETRY:
        where = "" if forward is None else " along the direction that it is said to face"
        raise AssetError(
            f"The mesh has no plane of symmetry{where} ({symmetry:.0%} of it has a mirror image): no template fits. "
            "Give your own skeleton: --skeleton RIG.glb"
        )
    if turn:
        T[:3] = TURN_LEFT @ T[:3]
        solid = voxelise(apply_matrix(T, mesh.vertices), mesh.triangles)
    ahead = None if forward is None else bool((T[:3, :3] @ forward)[0] > 0)
    landmarks, turned, log_odds = find_landmarks(solid, forward=ahead)
    if turned:
        T[:3] = HALF_TURN @ T[:3]
    return AnalysedBody(landmarks, T, symmetry, log_odds)


def mirrored_overlap(solid: VoxelSolid, axis: int) -> float:
    """Share of filled voxels whose mirror image across the middle of the solid is filled too."""
    cells = solid.cells
    image = cells.copy()
    image[:, axis] = cells[:, axis].min() + cells[:, axis].max() - cells[:, axis]
    return float(solid.filled[tuple(image.T)].mean())


def set_wings_apart(body: AnalysedBody, mesh: Mesh, *, facing_given: bool) -> AnalysedBody:
    """The body with its wings named and two pairs of feet below them; the same body where it has no such wings.

    Spread wings dwarf the legs of a dragon. So the body between the wings is voxelised again at its own size, and its
    landmarks are found as if it had no wings.
    """
    landmarks = body.landmarks
    wings = _spread_wings(landmarks)
    if wings is not None:
        half_width = float(max(abs(wings.base[2]), landmarks.solid.depths.max()))
        between = landmarks.solid.within(half_width)
        scale = 1.0 / float(between.extent.max() + between.voxel)
        T = np.diag([scale, scale, scale, 1.0]) @ body.T_body_world
        whole = voxelise(apply_matrix(T, mesh.vertices), mesh.triangles, voxel=1.0 / VOXELS_PER_SIZE)
        inner, turned, odds = find_landmarks(whole.within(scale * half_width), forward=True if facing_given else None)
        if len(inner.feet) != 2:
            return body
        wings = replace(wings, line=scale * wings.line)
        if turned:
            whole, wings, T[:3] = turned_solid(whole), turned_pair(wings), HALF_TURN @ T[:3]
        return replace(body, landmarks=replace(inner, solid=whole, wings=wings), T_body_world=T, facing=odds)
    if len(landmarks.feet) == 2:
        front, hind = (foot.base[0] for foot in landmarks.feet)
        for pair in landmarks.hands:
            if pair.length > WING_LENGTH and hind < pair.base[0] < front + WING_BASE_MARGIN:
                return replace(body, landmarks=replace(landmarks, wings=pair))
    return body


def _spread_wings(landmarks: Landmarks) -> LimbPair | None:
    """The pair that reaches far more to the side than everything else, if there is one."""
    pairs = sorted((*landmarks.feet, *landmarks.hands), key=lambda pair: -abs(pair.tip[2]))
    if not pairs:
        return None
    others = [abs(float(pair.tip[2])) for pair in pairs[1:]]
    trunk = float(landmarks.solid.depths.max())
    wide = abs(float(pairs[0].tip[2])) > SPREAD_WING_RATIO * max([trunk, *others])
    return pairs[0] if wide and pairs[0].length > WING_LENGTH else None
