"""Load any character file, and export animations into a copy of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from gambol.character.character import Character, make_character
from gambol.character.facing import FACING_AXES
from gambol.character.scene import Scene
from gambol.character.scene_characters import (
    SceneCharacter,
    bind_size,
    carrying_nodes,
    choose_character,
    find_characters,
    only_character,
)
from gambol.errors import AssetError, ConfigError, GambolError, MissingPart
from gambol.files.atomic_write import replacing
from gambol.files.formats import (
    BLENDER_SUFFIXES,
    GLTF_SUFFIXES,
    MESH_SUFFIXES,
    USD_SUFFIXES,
    check_source,
    check_target,
    refuse_input,
)
from gambol.files.gltf.append_clip import append_clip, unique_clip_name, write_document
from gambol.files.gltf.container import GltfDocument, read_document
from gambol.files.gltf.read import read_scene
from gambol.files.gltf.write import new_document
from gambol.motion.clip import Clip
from gambol.motion.facing_from_clips import heading_evidence
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import nodes_from_clip
from gambol.motion.root_bone import RootBone

MIN_HEADING_SPEED = 0.1
"""Least speed of a character's own walks, sizes per second, that tells which way it faces."""
READ_BACK_TOLERANCE = 1e-4
"""Largest error of joints that are read back, as a share of the size."""


@dataclass(frozen=True)
class CharacterInFile:
    """Name and measurements of one of the characters in a file."""

    name: str
    """Name to choose it by."""
    size: float
    """Longest side of its bounding box at bind, metres in the scale of the loaded character."""
    joints: int
    """Number of its joints."""
    vertices: int
    """Number of its vertices."""
    loaded: bool
    """Whether it is the one that was loaded."""


@dataclass(frozen=True)
class Asset:
    """A file that was read: the character, its own clips, and the glTF document that export appends to."""

    path: Path
    """The file that was read."""
    character: Character
    """The loaded character in Gambol's world."""
    clips: tuple[NodeClip, ...]
    """The file's own animations that move the character."""
    document: GltfDocument | None
    """The whole file as glTF; None for formats that are not glTF inside (BVH, plain meshes)."""
    warnings: tuple[str, ...]
    """Sentences for the user: what was repaired, guessed or left out while reading."""
    characters: tuple[CharacterInFile, ...] = ()
    """All characters of the file, the loaded one among them; empty for a file without a skin."""

    def clip(self, name: str | int) -> NodeClip:
        """Find a clip by name: exact, else in any case and without a prefix before '|', else by its number."""
        name = str(name)
        exact = [c for c in self.clips if c.name == name]
        folded = [c for c in self.clips if c.name.split("|")[-1].lower() == name.split("|")[-1].lower()]
        if exact or folded:
            return (exact or folded)[0]
        if name.isdigit() and int(name) < len(self.clips):
            return self.clips[int(name)]
        if not self.clips:
            raise MissingPart(f"{self.path.name} has no clips, so there is no '{name}'.")
        names = {c.name.split("|")[-1].lower(): c.name for c in self.clips}
        near = get_close_matches(name.split("|")[-1].lower(), names, n=1, cutoff=0.5)
        meant = f" Did you mean '{names[near[0]]}'?" if near else ""
        known = ", ".join(c.name for c in self.clips[:12]) + (" ..." if len(self.clips) > 12 else "")
        raise MissingPart(f"{self.path.name} has no clip '{name}'.{meant} It has: {known}.")


def load(
    path: str | Path, *, scale: float | None = None, facing: str | None = None, character: str | None = None
) -> Asset:
    """Read a character file of any kind that Gambol knows, placed in Gambol's world.

    `scale` is metres per file unit, `facing` the file's axis (+x, -x, +z, -z) that the character looks along; both are
    found out where they are not given. `character` names one of several characters in the file; the default is the
    largest. The others stay in the file, untouched, when a clip is exported.
    """
    path = check_source(path)
    suffix = path.suffix.lower()
    document = None
    if suffix in GLTF_SUFFIXES:
        document = read_document(path)
        scene, clips, warnings = read_scene(document)
    elif suffix == ".bvh":
        from gambol.files.bvh.read import read_bvh

        scene, clips, warnings = read_bvh(path)
    elif suffix in MESH_SUFFIXES:
        from gambol.files.meshes.read import read_plain_mesh

        scene, clips, warnings = read_plain_mesh(path)
    else:
        from gambol.files.blender.fbx_blend import read_through_blender

        with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
            document = read_document(read_through_blender(path, Path(folder)))
        scene, clips, warnings = read_scene(document)
    whole, found = scene, find_characters(scene)
    if character is not None and not found:
        raise ConfigError(f"{path.name} has no skinned character, so '{character}' cannot be chosen.")
    chosen = choose_character(whole, found, character) if found else None
    if chosen is not None and len(found) > 1:
        scene, clips = only_character(whole, chosen, found), _clips_that_move(whole, chosen, clips)
        if character is None:
            warnings = (*warnings, _say_choice(path, chosen, found))
    made = make_character(path.name, scene, scale=scale, facing=facing)
    if facing is None and (walked := walked_facing(made, clips)) is not None:
        said = f"It walks along {walked} in its own clips, so that axis is taken as forward."
        made, warnings = make_character(path.name, scene, scale=scale, facing=walked), (*warnings, said)
    listed = tuple(_in_file(whole, c, made, loaded=c is chosen) for c in found)
    return Asset(path, made, clips, document, tuple(warnings), listed)


def _clips_that_move(scene: Scene, character: SceneCharacter, clips: tuple[NodeClip, ...]) -> tuple[NodeClip, ...]:
    """The clips with a channel on the character's joints, on nodes above them or on its meshes."""
    carries = carrying_nodes(scene.nodes, character)
    carries[[scene.parts[i].node for i in character.parts]] = True
    return tuple(clip for clip in clips if any(carries[channel.node] for channel in clip.channels))


def _say_choice(path: Path, chosen: SceneCharacter, found: tuple[SceneCharacter, ...]) -> str:
    names = ", ".join(c.name for c in found[:12]) + (" ..." if len(found) > 12 else "")
    loaded = f"{path.name} holds {len(found)} characters: {names}. The largest, '{chosen.name}', is loaded"
    return f"{loaded}; --character NAME chooses another."


def _in_file(scene: Scene, character: SceneCharacter, made: Character, *, loaded: bool) -> CharacterInFile:
    size = made.size if loaded else made.placement.scale * bind_size(scene, character)
    vertices = sum(len(scene.parts[i].positions) for i in character.parts)
    return CharacterInFile(character.name, size, len(character.joints), vertices, loaded)


def walked_facing(character: Character, clips: tuple[NodeClip, ...]) -> str | None:
    """Return the file's axis that the character's own walks follow, where it was placed along another one."""
    heading = heading_evidence(character, clips)
    if np.linalg.norm(heading) < MIN_HEADING_SPEED or heading[0] > abs(heading[1]):
        return None
    in_file = character.placement.T_file_world[:3, :3] @ np.array([heading[0], 0.0, heading[1]])
    return max(FACING_AXES, key=lambda name: float(in_file @ np.array(FACING_AXES[name])))


def export_clip(
    asset: Asset,
    clip: Clip,
    target: str | Path,
    *,
    change: Callable[[NodeClip], NodeClip] | None = None,
    root_bone: RootBone = "hips",
) -> Path:
    """Write the asset with one more animation, in the format of the suffix of `target`, and read it back.

    glTF: the animation is appended to a copy of the user's file. FBX and USD: that copy, written by `files.fbx` and
    `files.usd`. .blend: that copy, converted by Blender. BVH: the motion skeleton alone. `change` may edit the keys
    before they are written (`motion.reduce_keys`).
    """
    return export_clips(asset, (clip,), target, change=change, root_bone=root_bone)


def export_clips(
    asset: Asset,
    clips: tuple[Clip, ...],
    target: str | Path,
    *,
    change: Callable[[NodeClip], NodeClip] | None = None,
    extras: Sequence[Mapping[str, object]] = (),
    root_bone: RootBone = "hips",
) -> Path:
    """Write the asset with several more animations, as `export_clip` does with one; a BVH file holds only one.

    `extras` are written beside each animation of a glTF file, under `gambol`.
    """
    target = refuse_input(check_target(target), asset.path)
    if target.suffix.lower() == ".bvh":
        if len(clips) != 1:
            raise AssetError(f"A BVH file holds one clip, not {len(clips)}: name it, as in --clip NAME.")
        return _export_bvh(asset.character, clips[0], target)
    document, meant = asset.document or new_document(asset.character.scene, asset.clips, asset.path), []
    for number, clip in enumerate(clips):
        node_clip = nodes_from_clip(asset.character, clip, root_bone=root_bone)
        node_clip = node_clip if change is None else change(node_clip)
        node_clip = replace(node_clip, name=unique_clip_name(document.json, node_clip.name))
        told = extras[number] if number < len(extras) else {}
        document = append_clip(document, asset.character.scene.nodes, node_clip, extras=told)
        meant.append(node_clip)
    return _write_checked(document, tuple(meant), asset.character, target)


def export_scene(scene: Scene, clips: tuple[NodeClip, ...], target: str | Path) -> Path:
    """Write a scene made by code as a new file (glTF, FBX or .blend)."""
    target = check_target(target)
    return _write_checked(new_document(scene, clips, target), (), None, target)


def export_asset(asset: Asset, target: str | Path) -> Path:
    """Write the asset with its own clips in another format."""
    target = refuse_input(check_target(target), asset.path)
    if target.suffix.lower() == ".bvh":
        if not asset.clips:
            raise MissingPart(f"{asset.path.name} has no clips; a .bvh file holds one.")
        raise AssetError("A BVH file holds one clip: name it, as in --clip NAME.")
    return _write_checked(
        asset.document or new_document(asset.character.scene, asset.clips, asset.path), (), None, target
    )


def _write_checked(
    document: GltfDocument, meant: tuple[NodeClip, ...], character: Character | None, target: Path
) -> Path:
    if target.suffix.lower() == ".fbx":
        from gambol.files.fbx.write import write_fbx

        write_fbx(document, target)
        return target
    if target.suffix.lower() in USD_SUFFIXES:
        from gambol.files.usd.write import write_usd

        write_usd(document, target)
        return target
    if target.suffix.lower() in BLENDER_SUFFIXES:
        from gambol.files.blender.fbx_blend import write_through_blender

        with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
            step = Path(folder) / f"{target.stem}.glb"
            _write_checked(document, meant, character, step)
            write_through_blender(step, target)
        return target
    with replacing(target) as temporary:
        write_document(document, temporary, beside=target)
        _read_back(temporary, meant, character)
    return target


def _read_back(written: Path, meant: tuple[NodeClip, ...], character: Character | None) -> None:
    """Read a written file back; each new clip must put every node where it was meant to be."""
    scene, clips, _ = read_scene(read_document(written))
    if character is None:
        return
    found = {clip.name: clip for clip in clips}
    for clip in meant:
        if not clip.channels:
            continue
        if clip.name not in found:
            raise GambolError(f"The clip '{clip.name}' was not found again in the written file.")
        times = clip.key_times()
        read = found[clip.name].sample(scene.nodes, times)[..., :3, 3]
        gap = np.abs(read - clip.sample(character.scene.nodes, times)[..., :3, 3]).max()
        gap = float(gap) * character.placement.scale / character.size
        if not gap <= READ_BACK_TOLERANCE:
            raise GambolError(f"The written clip misses its joints by {gap:.2e} of the size; the file was not kept.")


def _export_bvh(character: Character, clip: Clip, target: Path) -> Path:
    from gambol.character.transforms import rigid_inverse
    from gambol.files.bvh.write import write_bvh
    from gambol.motion.kinematics import pose_clip

    skeleton = character.require_skeleton()
    T_world_bone = pose_clip(skeleton, clip)
    away = T_world_bone[..., :3, :3] @ rigid_inverse(skeleton.T_world_rest)[:, :3, :3]
    write_bvh(target, skeleton, away, T_world_bone[:, 0, :3, 3], clip.fps)
    return target
