"""`gambol rig`: from a file with a mesh to the same file with a skeleton and weights."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gambol.character.character import Character, make_character
from gambol.character.rigging.bone_names import rename
from gambol.character.rigging.edit_weights import mirror_bones, rigid_parts, smooth, symmetrise, transfer
from gambol.character.rigging.heat_weights import HeatConfig, heat_weights
from gambol.character.rigging.rig import Rig, bare_mesh, find_rig
from gambol.character.rigging.rig_from_file import rig_from
from gambol.character.rigging.rigged_scene import rigged_scene, strip_rig
from gambol.character.scene import apply_matrix
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError
from gambol.files.asset import Asset, load
from gambol.files.gltf.append_rig import append_rig
from gambol.files.gltf.read import read_scene
from gambol.files.gltf.write import new_document
from gambol.files.rignet_text import load_rig, read_text_weights
from gambol.progress import Progress


@dataclass(frozen=True)
class RigSettings:
    """How a mesh is rigged."""

    template: str = "auto"
    """auto, or one of `body_type.TYPES`."""
    naming: str = "gambol"
    """What the template's bones are called."""
    skeleton: Path | None = None
    """The user's own skeleton in place of a template."""
    fit: bool = False
    """Scale and move that skeleton into the mesh."""
    weights_from: Path | None = None
    """Take the weights from this skinned character's surface, by closest points; its bones come with them."""
    symmetric: bool = False
    """Make left and right weights mirror each other."""
    smooth: float = 0.0
    """Spread the weights over about this share of the size."""
    rigid_parts: bool = False
    """Put each loose part on its strongest bone alone."""
    heat: HeatConfig = field(default_factory=HeatConfig)
    """How heat flows."""

    def __post_init__(self) -> None:
        given = self.skeleton is not None or self.weights_from is not None
        if not 0.0 <= self.smooth <= 1.0:
            raise AssetError(f"Weights cannot be spread over {self.smooth} of the size; give 0 (not at all) to 1.")
        if self.skeleton is not None and self.weights_from is not None:
            raise AssetError("A skeleton comes either from --skeleton or, with its weights, from --weights-from.")
        if given and (self.template != "auto" or self.naming != "gambol"):
            raise AssetError("A skeleton from a file has its own shape and names; leave out --template and --naming.")
        if self.fit and not given:
            raise AssetError("There is no skeleton to fit: name a file with --skeleton, or leave out --fit.")


@dataclass(frozen=True)
class Rigged:
    """What came of it."""

    asset: Asset
    rig: Rig
    seconds: float
    """Process time."""
    notes: tuple[str, ...]


def rig_file(path: str | Path, settings: RigSettings | None = None, *, progress: Progress | None = None) -> Rigged:
    """Load a mesh and rig it."""
    return rig_mesh(load(path), settings, progress=progress)


def rig_mesh(asset: Asset, settings: RigSettings | None = None, *, progress: Progress | None = None) -> Rigged:
    """An asset with a skeleton and weights for its mesh; a rig that it already has is taken off first.

    What `gambol animate` calls for a file without a skeleton. The result has a document that clips can be appended to:
    a copy of the user's own glTF with nothing but the rig added, where there is one.
    """
    settings, started = settings or RigSettings(), time.process_time()
    bare = strip_rig(asset.character)
    mesh, notes = bare_mesh(bare), []
    given = settings.weights_from or settings.skeleton
    source = load_rig(given) if given is not None else None
    if source is not None:
        rig = rig_from(source.character, bare, fit=settings.fit)
    else:
        rig = find_rig(bare, settings.template)
        rig = replace(rig, names=rename(rig.names, settings.naming))
        notes.append(f"It is taken for a {rig.kind} that looks along {rig.facing}.")
    T_world_file = bare.placement.T_world_file
    if settings.weights_from is not None and settings.weights_from.suffix.lower() == ".txt":
        weights = read_text_weights(settings.weights_from, rig.names, len(mesh.vertices))
    elif settings.weights_from is not None and source is not None:
        weights = _transferred(source.character, bare, rig)
    else:
        weights = heat_weights(
            mesh.vertices,
            mesh.triangles,
            rig.segments(T_world_file),
            len(rig),
            config=settings.heat,
            progress=progress,
        )
    weights = _polished(settings, bare, rig, weights)
    unused = int((weights.mass() == 0).sum())
    if unused:
        notes.append(f"{unused} of {len(rig)} bones move no vertex.")
    scene = rigged_scene(bare, rig, weights)
    document = None
    if asset.document is not None and bare is asset.character:
        document = append_rig(asset.document, scene, len(bare.scene.nodes))
    document = document or new_document(scene, () if bare is not asset.character else asset.clips, asset.path)
    read, clips, warnings = read_scene(document)
    facing = rig.facing if source is None else None
    character = make_character(bare.name, read, scale=bare.placement.scale, facing=facing)
    rigged = Asset(asset.path, character, clips, document, (*asset.warnings, *warnings))
    return Rigged(rigged, rig, time.process_time() - started, tuple(notes))


def _transferred(source: Character, bare: Character, rig: Rig) -> SkinWeights:
    """Weights of another character's surface, in file coordinates, on the joints of its rig."""
    mesh, skeleton, weights = source.require_skin()
    points = apply_matrix(source.placement.T_world_file @ bare.placement.T_file_world, bare_mesh(bare).vertices)
    found = transfer(points, mesh, weights)
    names = {name: i for i, name in enumerate(rig.names)}
    lost = [name for name in skeleton.names if name not in names]
    if lost:
        raise AssetError(f"{source.name}: the bones {', '.join(lost[:4])} have no joint of that name to go to.")
    number = np.array([names[name] for name in skeleton.names])
    return SkinWeights(np.where(found.weights > 0, number[found.bones], 0), found.weights, len(rig))


def _polished(settings: RigSettings, bare: Character, rig: Rig, weights: SkinWeights) -> SkinWeights:
    mesh = bare_mesh(bare)
    if settings.rigid_parts:
        weights = rigid_parts(mesh, weights)
    if settings.smooth > 0:
        weights = smooth(mesh, weights, settings.smooth, settings.heat.influences)
    if settings.symmetric:
        heads = apply_matrix(bare.placement.T_world_file, rig.T_file_joint[:, :3, 3])
        across = (rig.facing in ("+x", "-x")) != (bare.placement.facing in ("+x", "-x"))
        order = [2, 1, 0] if across else [0, 1, 2]
        partner = mirror_bones(rig.names, heads[:, order], mesh.size)
        weights = symmetrise(weights, mesh.vertices[:, order], partner, settings.heat.influences)
    return weights
