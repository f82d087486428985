"""How certain a skeleton is: how clear each decision was, and how much of the body its bones reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.body_analysis import LEAST_SYMMETRY, AnalysedBody
from gambol.character.rigging.choose_template import BODY_TYPES, BodyType
from gambol.character.rigging.mesh_facing import facing_probability
from gambol.character.rigging.template_joints import TemplateJoints
from gambol.character.rigging.voxel_solid import VoxelSolid
from gambol.character.skeleton import bone_segments, children_of
from gambol.errors import AssetError

BONE_REACH = 0.15
"""Flesh is unreached where it is farther from a bone, in sizes, than that bone's own flesh is thick plus this."""
UNREACHED_LIMIT = 0.1
"""Share of unreached flesh at which the coverage is 0: about both arms of a person."""
DETACHED_LIMIT = 0.2
"""Share of the mesh beside the body at which the connectedness is 0."""
FULL_SYMMETRY = 0.85
"""Share of a body with a mirror image from which its symmetry is certain."""
MISSING_LIMB_CONFIDENCE = 0.5
"""Confidence where a template's arms or wings were not found."""
WARNING_CONFIDENCE, REFUSAL_CONFIDENCE = 0.75, 0.3
"""Below the first, a rig comes with a warning; below the second, no rig is made unless a template is named.

Set on 46 bare meshes of real characters: wrong types come out below the first, lost arms below the second.
"""
EXPECTED_LIMBS = {"biped": "arms", "bird": "wings", "theropod": "arms"}
"""Limbs besides legs that bodies of a template usually have: its role 'hand'."""


@dataclass(frozen=True)
class RigConfidence:
    """How certain a skeleton that was found in a mesh is; every number runs from 0 (wrong) to 1 (certain)."""

    template: float
    """Probability that the template is the right one, by how far the body is from the limits between templates."""
    facing: float
    """Probability that the body faces the direction that was found; 1 where it was given."""
    symmetry: float
    """How symmetric the body is about the plane that was found."""
    coverage: float
    """How completely the bones reach the body: 0 where they miss as much as two arms."""
    connected: float
    """How much of the mesh hangs together: parts that float beside the body get no bones of their own."""
    limbs: float
    """1 where all limbs that the template usually has were found."""
    warnings: tuple[str, ...]
    """A sentence for each number that is low."""

    @property
    def overall(self) -> float:
        """The least of all numbers."""
        return min(self.template, self.facing, self.symmetry, self.coverage, self.connected, self.limbs)


def rig_confidence(
    body: AnalysedBody, kind: BodyType, joints: TemplateJoints, *, clearness: float, facing_given: bool
) -> RigConfidence:
    """Judge a template's joints in a body; `clearness` is the probability that the template is the right one."""
    solid = body.landmarks.solid
    unreached = unreached_share(solid, joints)
    has_limbs = kind not in EXPECTED_LIMBS or any(name in ("UpperArm.L", "Wing1.L") for name in joints.names)
    found = {
        "template": clearness,
        "facing": 1.0 if facing_given else facing_probability(body.facing),
        "symmetry": float(np.clip((body.symmetry - LEAST_SYMMETRY) / (FULL_SYMMETRY - LEAST_SYMMETRY), 0.0, 1.0)),
        "coverage": float(np.clip(1.0 - unreached / UNREACHED_LIMIT, 0.0, 1.0)),
        "connected": float(np.clip(1.0 - solid.detached / DETACHED_LIMIT, 0.0, 1.0)),
        "limbs": 1.0 if has_limbs else MISSING_LIMB_CONFIDENCE,
    }
    sentences = {
        "template": f"It is not clear that the mesh is a {kind}: check with --sheet, or name another --template.",
        "facing": "Front and rear look alike: if it faces the opposite direction, give --facing.",
        "symmetry": f"Only {body.symmetry:.0%} of the mesh has a mirror image across its middle plane.",
        "coverage": f"No bone reaches {unreached:.0%} of the mesh: limbs are missing from the skeleton.",
        "connected": f"{solid.detached:.0%} of the mesh is not connected to the body and gets no bones of its own.",
        "limbs": f"No {EXPECTED_LIMBS.get(kind)} were found, so there are no bones for them.",
    }
    low = tuple(sentences[name] for name, value in found.items() if value < WARNING_CONFIDENCE)
    return RigConfidence(**found, warnings=low)


def refuse_doubtful(confidence: RigConfidence, kind: BodyType) -> None:
    """Raise an error where a template that nobody asked for does not fit."""
    if confidence.overall < REFUSAL_CONFIDENCE:
        raise AssetError(
            f"No template fits this mesh: the nearest, {kind}, has a confidence of {confidence.overall:.2f}. "
            f"{' '.join(confidence.warnings)} To use a template anyway, name it with --template "
            f"({', '.join(BODY_TYPES)}), or give your own skeleton with --skeleton RIG.glb."
        )


def unreached_share(solid: VoxelSolid, joints: TemplateJoints) -> float:
    """Share of the body's voxels that no bone reaches.

    Distances are measured through the body, so an arm that hangs beside the trunk is far from the spine.
    """
    from scipy.sparse.csgraph import dijkstra

    number = np.full(solid.filled.shape, -1)
    number[tuple(solid.cells.T)] = np.arange(len(solid.cells))
    index = np.round((_bone_points(joints, solid.voxel) - solid.origin) / solid.voxel).astype(int)
    within = ((index >= 0) & (index < solid.filled.shape)).all(1)
    starts = np.unique(number[tuple(index[within].T)])
    starts = starts[starts >= 0]
    if not len(starts):
        return 1.0
    distances, _, nearest = dijkstra(
        solid.graph, directed=False, indices=starts, min_only=True, return_predecessors=True
    )
    return float((distances - solid.depths[np.maximum(nearest, 0)] > BONE_REACH).mean())


def _bone_points(joints: TemplateJoints, gap: float) -> Float[ndarray, "points 3"]:
    """Points along all bones, about `gap` apart."""
    tails = np.array([joints.ends.get(bone, place) for bone, place in enumerate(joints.places)])
    segments, points = bone_segments(joints.places, tails, children_of(joints.parents)), []
    for start, end in zip(segments.heads, segments.tails, strict=True):
        count = max(int(np.linalg.norm(end - start) / gap), 1)
        points.append(start + np.linspace(0.0, 1.0, count + 1)[:, None] * (end - start))
    return np.concatenate(points)
