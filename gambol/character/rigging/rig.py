"""A rig for a mesh: joints with frames and ends in the file's space, found in the body or taken from another rig."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.facing import FACING_AXES, facing_vector
from gambol.character.mesh import Mesh
from gambol.character.rigging.body_analysis import AnalysedBody, analyse_body, set_wings_apart
from gambol.character.rigging.choose_template import BodyType, check_template, choose_template
from gambol.character.rigging.confidence import RigConfidence, refuse_doubtful, rig_confidence
from gambol.character.rigging.template_joints import TemplateJoints
from gambol.character.rigging.templates import place_template
from gambol.character.scene import apply_matrix
from gambol.character.skeleton import BoneSegments, bone_segments, children_of, rest_frames
from gambol.errors import AssetError, MissingPart


@dataclass(frozen=True)
class Rig:
    """Joints in the mesh file's space, parents first."""

    names: tuple[str, ...]
    """Names of the joints."""
    parents: tuple[int, ...]
    """Parent of each joint, -1 for a root."""
    T_file_joint: Float[ndarray, "joints 4 4"]
    """Rigid frames of the joints, with y along the bone."""
    tails: Float[ndarray, "joints 3"]
    """Where each bone ends."""
    ends: dict[int, Float[ndarray, "3"]]
    """Where the bones of joints without children end."""
    facing: str
    """The file's axis that the body faces: +x, -x, +z or -z."""
    kind: str
    """The template's name; 'given' for a rig from a file."""
    confidence: RigConfidence | None = None
    """How certain the skeleton is; None for a rig from a file."""

    def __len__(self) -> int:
        return len(self.names)

    def segments(self, T: Float[ndarray, "4 4"]) -> BoneSegments:
        """The bones after a transform of file space; a bone with several children has a segment to each."""
        heads = apply_matrix(T, self.T_file_joint[:, :3, 3])
        tails = apply_matrix(T, self.tails)
        return bone_segments(heads, tails, [()] * len(self) if self.kind == "given" else children_of(self.parents))


def find_rig(character: Character, template: str = "auto", *, facing: str | None = None) -> Rig:
    """A skeleton for a bare mesh: its plane of symmetry, the direction it faces, its type, the template's joints.

    `template` is "auto" or the name of a template; `facing` is the file's axis that the body faces (+x, -x, +z, -z),
    found out by default. With "auto", a body that no template fits is refused with an error.
    """
    mesh = bare_mesh(character)
    forward = None if facing is None else character.placement.T_world_file[:3, :3] @ facing_vector(facing)
    body = analyse_body(mesh, forward=forward)
    if template in ("auto", "dragon"):
        body = set_wings_apart(body, mesh, facing_given=facing is not None)
    kind, clearness = _template(body, template)
    joints = place_template(body.landmarks, kind)
    confidence = rig_confidence(body, kind, joints, clearness=clearness, facing_given=facing is not None)
    if template == "auto":
        refuse_doubtful(confidence, kind)
    T_file_body = character.placement.T_file_world @ np.linalg.inv(body.T_body_world)
    ahead = T_file_body[:3, 0] / np.linalg.norm(T_file_body[:3, 0])
    found = max(FACING_AXES, key=lambda name: float(ahead @ np.array(FACING_AXES[name])))
    return _in_file(joints, T_file_body, found, kind, confidence)


def bare_mesh(character: Character) -> Mesh:
    """The character's mesh; an error says why it cannot be rigged."""
    if character.mesh is None:
        raise MissingPart(f"{character.name} has no mesh to rig; it can serve as --skeleton {character.name}.")
    if not len(character.mesh.triangles):
        raise AssetError(f"{character.name} has points but no triangles; a rig needs a surface.")
    return character.mesh


def _template(body: AnalysedBody, template: str) -> tuple[BodyType, float]:
    """The template that was asked for or that fits, and how clear that choice is."""
    if template == "auto":
        return choose_template(body.landmarks)
    return check_template(body.landmarks, template), 1.0


def _in_file(
    joints: TemplateJoints, T_file_body: Float[ndarray, "4 4"], facing: str, kind: str, confidence: RigConfidence
) -> Rig:
    """Joints of the body's frame in the file's, with frames whose y runs along the bones."""
    tails = joints.places.copy()
    for bone, children in enumerate(children_of(joints.parents)):
        straight = [c for c in children if joints.names[c][-2:] == joints.names[bone][-2:]] or children
        middle = [c for c in straight if not joints.names[c].endswith((".L", ".R"))] or straight
        tails[bone] = joints.places[middle[0]] if children else joints.ends.get(bone, joints.places[bone])
    frames = rest_frames(joints.places, tails, np.array(joints.parents))
    rotation = T_file_body[:3, :3] / np.cbrt(np.linalg.det(T_file_body[:3, :3]))
    frames[:, :3, :3] = rotation @ frames[:, :3, :3]
    frames[:, :3, 3] = apply_matrix(T_file_body, joints.places)
    ends = {bone: apply_matrix(T_file_body, end[None])[0] for bone, end in joints.ends.items()}
    return Rig(joints.names, joints.parents, frames, apply_matrix(T_file_body, tails), ends, facing, kind, confidence)
