"""The characters that a file holds: skinned armatures that share no joints, and how one of them is picked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from gambol.character.bind_pose import bind_transforms, bound_surface, nearest_joints
from gambol.character.scene import NodeTree, Scene
from gambol.character.skeleton import unique_names
from gambol.errors import ConfigError


@dataclass(frozen=True)
class SceneCharacter:
    """One character of a scene: an armature with everything that is bound to its joints or hangs on them."""

    name: str
    """Name of its topmost node that no other character shares; of its largest mesh where that node is a joint."""
    skins: tuple[int, ...]
    """Indices into `Scene.skins`."""
    parts: tuple[int, ...]
    """Indices into `Scene.parts`."""
    joints: Int[ndarray, "joints"]
    """File nodes of its joints, in ascending order."""


def find_characters(scene: Scene) -> tuple[SceneCharacter, ...]:
    """List the characters of a scene in the order of their skins; empty without skins.

    Skins belong to one character where they share a joint, where a joint of one hangs below a joint of the other, or
    where both hang below a node that is itself a bone: one with a parent and without skinned meshes below it. Skins
    that draw nothing are no character of their own, unless no skin draws anything.
    """
    groups = _group_skins(scene)
    drawn = {part.skin for part in scene.parts if part.skin is not None}
    groups = [group for group in groups if drawn & set(group)] or groups
    joints = [np.unique(np.concatenate([scene.skins[s].joints for s in group])) for group in groups]
    names = unique_names(_names(scene, groups, joints))
    found = []
    for name, group, own in zip(names, groups, joints, strict=True):
        holders = nearest_joints(scene.nodes, own.tolist())
        belongs = [p.skin in group if p.skin is not None else holders[p.node] >= 0 for p in scene.parts]
        found.append(SceneCharacter(name, group, tuple(np.flatnonzero(belongs).tolist()), own))
    return tuple(found)


def choose_character(scene: Scene, characters: tuple[SceneCharacter, ...], name: str | None) -> SceneCharacter:
    """Return the character of that name (exact, else in any case), or the largest where no name is given."""
    if name is None:
        return max(characters, key=lambda c: bind_size(scene, c)) if len(characters) > 1 else characters[0]
    folded = [c.name.lower() for c in characters]
    for wanted, known in ((name, [c.name for c in characters]), (name.lower(), folded)):
        if wanted in known:
            return characters[known.index(wanted)]
    near = get_close_matches(name.lower(), folded, n=1, cutoff=0.4)
    meant = f" Did you mean '{characters[folded.index(near[0])].name}'?" if near else ""
    listed = ", ".join(c.name for c in characters[:12]) + (" ..." if len(characters) > 12 else "")
    raise ConfigError(f"There is no character '{name}'.{meant} The file has: {listed}.")


def only_character(scene: Scene, character: SceneCharacter, others: Iterable[SceneCharacter]) -> Scene:
    """Return the scene without the skins and parts of the `others`; nodes and parts of no character stay."""
    gone = {i for other in others if other is not character for i in other.parts}
    return _with_parts(scene, character.skins, [i for i in range(len(scene.parts)) if i not in gone])


def bind_size(scene: Scene, character: SceneCharacter) -> float:
    """Longest side of the character's bounding box at bind, in file units; of its joints where it draws nothing."""
    own = _with_parts(scene, character.skins, list(character.parts))
    binds = bind_transforms(own)
    points = bound_surface(own, binds).vertices
    points = points if len(points) else np.stack([bind[:3, 3] for bind in binds.values()])
    return float(np.ptp(points, axis=0).max())


def carrying_nodes(nodes: NodeTree, character: SceneCharacter) -> Bool[ndarray, "nodes"]:
    """Mark the nodes whose motion moves the character: its joints and all nodes above them."""
    return _at_or_above(nodes, character.joints.tolist())


def _with_parts(scene: Scene, skins: tuple[int, ...], parts: list[int]) -> Scene:
    """The scene with these skins and parts only; all nodes and materials stay."""
    place = {skin: i for i, skin in enumerate(skins)}
    kept = [scene.parts[i] for i in parts]
    return replace(
        scene,
        skins=tuple(scene.skins[s] for s in skins),
        parts=tuple(part if part.skin is None else replace(part, skin=place[part.skin]) for part in kept),
        repaired_rows=tuple(scene.repaired_rows[i] for i in parts) if scene.repaired_rows else (),
    )


def _group_skins(scene: Scene) -> list[tuple[int, ...]]:
    nodes, group_of = scene.nodes, list(range(len(scene.skins)))

    def find(skin: int) -> int:
        while group_of[skin] != skin:
            group_of[skin] = group_of[group_of[skin]]
            skin = group_of[skin]
        return skin

    def join(a: int, b: int) -> None:
        a, b = sorted((find(a), find(b)))
        group_of[b] = a

    skin_of: dict[int, int] = {}
    for s, skin in enumerate(scene.skins):
        for joint in map(int, skin.joints):
            join(s, skin_of.setdefault(joint, s))
    skinned = [part.node for part in scene.parts if part.skin is not None]
    is_bone = (nodes.parents >= 0) & ~_at_or_above(nodes, skinned)
    nearest = nearest_joints(nodes, skin_of)
    met: dict[int, int] = {}
    for joint, s in skin_of.items():
        above = int(nodes.parents[joint])
        if above >= 0 and nearest[above] >= 0:
            join(s, skin_of[int(nearest[above])])
            continue
        while above >= 0 and is_bone[above]:
            if above in met:
                join(s, met[above])
                break
            met[above] = s
            above = int(nodes.parents[above])
    groups: dict[int, list[int]] = {}
    for s in range(len(scene.skins)):
        groups.setdefault(find(s), []).append(s)
    return [tuple(group) for group in groups.values()]


def _names(scene: Scene, groups: list[tuple[int, ...]], joints: list[Int[ndarray, "joints"]]) -> list[str]:
    nodes, names = scene.nodes, []
    carried = sum((_at_or_above(nodes, own.tolist()).astype(int) for own in joints), np.zeros(len(nodes), int))
    for group, own in zip(groups, joints, strict=True):
        top = int(own[np.argmin(nodes.depths[own])])
        while nodes.parents[top] >= 0 and carried[nodes.parents[top]] == 1:
            top = int(nodes.parents[top])
        drawn = [part for part in scene.parts if part.skin in group]
        if top in own and drawn:
            top = max(drawn, key=lambda part: len(part.positions)).node
        names.append(nodes.names[top])
    return names


def _at_or_above(nodes: NodeTree, below: list[int]) -> Bool[ndarray, "nodes"]:
    marked = np.zeros(len(nodes), bool)
    marked[below] = True
    for level in reversed(nodes.levels[1:]):
        marked[nodes.parents[level[marked[level]]]] = True
    return marked
