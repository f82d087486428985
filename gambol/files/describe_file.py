"""Describe a loaded file as plain data, for `gambol inspect`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.files.asset import Asset, CharacterInFile
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import bone_displacements


@dataclass(frozen=True)
class BoneDescription:
    """One bone of the motion skeleton."""

    name: str
    """Name of the bone."""
    parent: str | None
    """Name of its parent in the motion skeleton; None for the root."""
    file_parent: str | None
    """The nearest joint above it in the file."""
    position: tuple[float, float, float]
    """Joint position x, y, z at rest in Gambol's world, metres: +x is ahead, +y up, -z left, the ground is y = 0."""
    vertices: int
    """Number of vertices that this bone moves most."""
    length: float
    """Metres from the joint to the bone's end."""


@dataclass(frozen=True)
class ClipDescription:
    """One of the file's own clips."""

    name: str
    """Name of the clip."""
    seconds: float
    """Duration in seconds."""
    keys: int
    """Number of different key times."""
    channels: int
    """Number of animated node properties."""
    travel: float
    """Metres that the pelvis covers over the ground from the first to the last key."""
    rise: float
    """Metres that the pelvis ends above where it started."""


@dataclass(frozen=True)
class Description:
    """Everything that `gambol inspect` reports; JSON with `schema` 1."""

    file: str
    """Name of the file."""
    schema: int
    """Version of this format."""
    nodes: int
    """Number of nodes in the file."""
    skins: int
    """Number of skins of the character."""
    joints: int
    """Number of joints of the character's skins."""
    parts: int
    """Number of drawn mesh parts."""
    vertices: int
    """Number of vertices of the character's mesh."""
    triangles: int
    """Number of triangles of the character's mesh."""
    materials: int
    """Number of materials in the file."""
    textures: int
    """Number of materials with a colour texture."""
    influences: float
    """Mean number of bones per vertex."""
    metres_per_unit: float
    """Metres per file unit."""
    height: float
    """Height at rest, metres."""
    size: float
    """Longest side of the bounding box at rest, metres."""
    facing: str
    """The file's axis that the character looks along."""
    facing_confidence: float
    """How sure the facing is, 0 to 1."""
    characters: tuple[CharacterInFile, ...]
    """All characters in the file."""
    bones: tuple[BoneDescription, ...]
    """Bones of the motion skeleton, parents first."""
    changes: tuple[str, ...]
    """How the motion skeleton differs from the file's joints."""
    clips: tuple[ClipDescription, ...]
    """The character's own clips."""
    problems: tuple[str, ...]
    """What was repaired, guessed or is missing."""


def describe(asset: Asset) -> Description:
    """Describe a loaded file."""
    character, scene = asset.character, asset.character.scene
    mesh, weights = character.mesh, character.weights
    points = (
        mesh.vertices if mesh is not None else (character.skeleton.heads if character.skeleton else np.zeros((1, 3)))
    )
    return Description(
        file=asset.path.name,
        schema=1,
        nodes=len(scene.nodes),
        skins=len(scene.skins),
        joints=len(scene.joint_nodes),
        parts=len(scene.parts),
        vertices=len(mesh.vertices) if mesh else 0,
        triangles=len(mesh.triangles) if mesh else 0,
        materials=len(scene.materials),
        textures=sum(m.texture is not None for m in scene.materials),
        influences=float((weights.weights > 0).sum(1).mean()) if weights is not None and len(weights) else 0.0,
        metres_per_unit=character.placement.scale,
        height=float(np.ptp(points[:, 1])),
        size=character.size,
        facing=character.placement.facing,
        facing_confidence=character.placement.facing_confidence,
        characters=asset.characters,
        bones=_bones(asset),
        changes=character.binding.changes if character.binding else (),
        clips=tuple(_clip(asset, clip) for clip in asset.clips),
        problems=_problems(asset),
    )


def _bones(asset: Asset) -> tuple[BoneDescription, ...]:
    character = asset.character
    skeleton, binding, scene = character.skeleton, character.binding, character.scene
    if skeleton is None or binding is None:
        return ()
    joints = set(map(int, scene.joint_nodes))
    owned = np.zeros(len(skeleton), int)
    if character.weights is not None:
        owned = np.bincount(character.weights.dominant(), minlength=len(skeleton))
    bones = []
    for bone, node in enumerate(map(int, binding.bone_nodes)):
        x, y, z = skeleton.heads[bone]
        above = next((a for a in scene.nodes.ancestors(node) if a in joints), None)
        bones.append(
            BoneDescription(
                skeleton.names[bone],
                skeleton.names[skeleton.parents[bone]] if bone else None,
                scene.nodes.names[above] if above is not None else None,
                (float(x), float(y), float(z)),
                int(owned[bone]),
                float(np.linalg.norm(skeleton.tails[bone] - skeleton.heads[bone])),
            )
        )
    return tuple(bones)


def _clip(asset: Asset, clip: NodeClip) -> ClipDescription:
    travel = rise = 0.0
    if asset.character.skeleton is not None and clip.channels:
        ends = bone_displacements(asset.character, clip, np.array([clip.start, clip.end]))[:, 0]
        head = asset.character.skeleton.heads[0]
        step = (ends[1] - ends[0])[:3, :3] @ head + (ends[1] - ends[0])[:3, 3]
        travel, rise = float(np.hypot(step[0], step[2])), float(step[1])
    return ClipDescription(clip.name, clip.duration, len(clip.key_times()), len(clip.channels), travel, rise)


def _problems(asset: Asset) -> tuple[str, ...]:
    character = asset.character
    problems = list(asset.warnings)
    if character.mesh is None:
        problems.append("There is no mesh, only a skeleton.")
    elif character.skeleton is None:
        problems.append(f"There is no skin. Make a skeleton and weights: gambol rig {asset.path.name} -o OUT.glb")
    if character.binding and character.binding.loose_parts:
        nodes = {character.scene.nodes.names[character.scene.parts[i].node] for i in character.binding.loose_parts}
        problems.append(f"These meshes hang on no joint and stay behind: {', '.join(sorted(nodes))}.")
    if character.binding is not None:
        problems += _rest_problems(asset)
    if character.placement.scale != 1.0:
        factor = f"{character.placement.scale:.4g}"
        problems.append(f"The height is no plausible number of metres; scaled by {factor} to 1 m (--scale overrides).")
    if character.skeleton is not None and character.placement.facing_confidence < 0.3:
        problems.append(
            f"It is not clear which way it faces; taken as {character.placement.facing} (--facing overrides)."
        )
    return tuple(problems)


def _rest_problems(asset: Asset) -> list[str]:
    """Joints whose node at rest is not where the skin was bound: harmless, but good to know."""
    character = asset.character
    assert character.binding is not None
    at_rest = character.scene.nodes.T_world_node[character.binding.bone_nodes, :3, 3]
    gaps = np.linalg.norm(at_rest - character.binding.T_file_bind[:, :3, 3], axis=1) * character.placement.scale
    moved = int((gaps > 0.01 * character.size).sum())
    note = f"The nodes' rest pose differs from the bind pose at {moved} of {len(gaps)} joints; the bind pose is used."
    return [note] if moved else []
