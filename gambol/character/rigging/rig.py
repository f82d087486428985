"""A rig for a mesh: joints with frames and ends in the file's space, found in the body or taken from another rig."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.facing import FACING_AXES
from gambol.character.mesh import Mesh
from gambol.character.rigging.choose_template import BodyType, check_type, find_type
from gambol.character.rigging.landmarks import Landmarks, find_landmarks, mirrored_overlap
from gambol.character.rigging.templates import Joints, embed
from gambol.character.rigging.voxel_solid import fill
from gambol.character.scene import apply_matrix
from gambol.character.skeleton import BoneSegments, rest_frames
from gambol.errors import AssetError, MissingPart

SYMMETRIC = 0.6
"""Share of a body that must have its mirror image inside it, for templates."""


@dataclass(frozen=True)
class Rig:
    """Joints in the mesh file's space, parents first."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    T_file_joint: Float[ndarray, "joints 4 4"]
    """Rigid frames, y along the bone."""
    tails: Float[ndarray, "joints 3"]
    """Where each bone ends."""
    ends: dict[int, Float[ndarray, "3"]]
    """Ends of the bones without children."""
    facing: str
    """The file's axis that the body looks along."""
    kind: str
    """The template's name; 'given' for a rig from a file."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def segments(self, T: Float[ndarray, "4 4"]) -> BoneSegments:
        """The bones after a transform of file space; a bone with several children has a segment to each."""
        heads = apply_matrix(T, self.T_file_joint[:, :3, 3])
        tails = apply_matrix(T, self.tails)
        bones, starts, stops = [], [], []
        for bone in range(len(self)):
            children = [c for c, parent in enumerate(self.parents) if parent == bone]
            for tail in [heads[c] for c in children] if self.kind != "given" and children else [tails[bone]]:
                bones.append(bone)
                starts.append(heads[bone])
                stops.append(tail)
        return BoneSegments(np.array(bones), np.array(starts), np.array(stops))


def find_rig(character: Character, template: str = "auto") -> Rig:
    """A skeleton for a bare mesh: its plane of symmetry, the way it looks, its type, the template's joints."""
    mesh = bare_mesh(character)
    landmarks, T_body_world = see_body(mesh)
    kind: BodyType = find_type(landmarks) if template == "auto" else check_type(landmarks, template)
    joints = embed(landmarks, kind)
    T_world_body = np.linalg.inv(T_body_world)
    T_file_body = character.placement.T_file_world @ T_world_body
    forward = T_file_body[:3, 0] / np.linalg.norm(T_file_body[:3, 0])
    facing = max(FACING_AXES, key=lambda name: float(forward @ np.array(FACING_AXES[name])))
    return _in_file(joints, T_file_body, facing, kind)


def bare_mesh(character: Character) -> Mesh:
    """The mesh, or a sentence where there is none to rig."""
    if character.mesh is None:
        raise MissingPart(f"{character.name} has no mesh to rig; it can serve as --skeleton {character.name}.")
    if not len(character.mesh.triangles):
        raise AssetError(f"{character.name} has points but no triangles; a rig needs a surface.")
    return character.mesh


def see_body(mesh: Mesh) -> tuple[Landmarks, Float[ndarray, "4 4"]]:
    """The landmarks of a mesh, and the similarity that takes the mesh into their frame.

    The plane of symmetry is the vertical one, along the file's x or z, that mirrors more of the body onto itself.
    """
    low, high = mesh.bounds
    centre = np.array([0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])])
    size = float((high - low).max())
    if not size > 0:
        raise AssetError("The mesh has no extent, so there is no body to put bones into.")
    T = np.eye(4)
    T[:3, :3] /= size
    T[:3, 3] = -centre / size
    solid = fill(apply_matrix(T, mesh.vertices), mesh.triangles)
    if not solid.depth.max(initial=0.0) > 1.5 * solid.step:
        raise AssetError(
            "The mesh is flat or holds no space, so there is no body to put bones into. "
            "Give your own skeleton: --skeleton RIG.glb"
        )
    across, along = mirrored_overlap(solid, 0), mirrored_overlap(solid, 2)
    if max(across, along) < SYMMETRIC:
        raise AssetError(
            f"The mesh has no plane of symmetry ({max(across, along):.0%} of it has a mirror image): no template fits. "
            "Give your own skeleton: --skeleton RIG.glb"
        )
    if across > along:
        quarter = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
        T[:3] = quarter @ T[:3]
        solid = fill(apply_matrix(T, mesh.vertices), mesh.triangles)
    landmarks = find_landmarks(solid)
    if landmarks.solid is not solid:
        T[:3] = np.diag([-1.0, 1.0, -1.0]) @ T[:3]
    return landmarks, T


def _in_file(joints: Joints, T_file_body: Float[ndarray, "4 4"], facing: str, kind: str) -> Rig:
    """Joints of the body's frame in the file's, with frames whose y runs along the bones."""
    tails = joints.places.copy()
    for bone in range(len(joints.names)):
        children = [c for c, parent in enumerate(joints.parents) if parent == bone]
        straight = [c for c in children if joints.names[c][-2:] == joints.names[bone][-2:]] or children
        middle = [c for c in straight if not joints.names[c].endswith((".L", ".R"))] or straight
        tails[bone] = joints.places[middle[0]] if children else joints.ends.get(bone, joints.places[bone])
    frames = rest_frames(joints.places, tails, np.array(joints.parents))
    rotation = T_file_body[:3, :3] / np.cbrt(np.linalg.det(T_file_body[:3, :3]))
    frames[:, :3, :3] = rotation @ frames[:, :3, :3]
    frames[:, :3, 3] = apply_matrix(T_file_body, joints.places)
    ends = {bone: apply_matrix(T_file_body, end[None])[0] for bone, end in joints.ends.items()}
    return Rig(joints.names, joints.parents, frames, apply_matrix(T_file_body, tails), ends, facing, kind)
