"""`gambol rig`: from a file with a mesh to the same file with a skeleton and skin weights."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from gambol.character.character import Character, make_character
from gambol.character.facing import facing_vector
from gambol.character.rigging.bone_names import NAMINGS, BoneNaming, rename_bones
from gambol.character.rigging.choose_template import BODY_TYPES, BodyType
from gambol.character.rigging.edit_weights import (
    make_parts_rigid,
    mirror_bones,
    smooth_weights,
    symmetrise_weights,
    transfer_weights,
)
from gambol.character.rigging.heat_weights import HeatConfig, heat_weights
from gambol.character.rigging.rig import Rig, bare_mesh, find_rig
from gambol.character.rigging.rig_from_file import fitting_transform, rig_from_file
from gambol.character.rigging.rigged_scene import rigged_scene, strip_rig
from gambol.character.scene import apply_matrix
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError, ConfigError
from gambol.files.asset import Asset, export_asset, load
from gambol.files.formats import check_target, refuse_input
from gambol.files.gltf.append_rig import append_rig
from gambol.files.gltf.read import read_scene
from gambol.files.gltf.write import new_document
from gambol.files.rignet_text import read_rig_text, read_text_weights
from gambol.progress import Progress

Template = Literal["auto", BodyType]
"""Kinds of skeleton: one of the templates, or the one that suits the mesh."""
FULL_FACING_CONFIDENCE = 1.0
"""Confidence of a facing that was given with `load(facing=...)` rather than guessed."""


@dataclass(frozen=True)
class RigSettings:
    """How a mesh gets its skeleton and weights."""

    template: str = "auto"
    """Kind of skeleton: auto, or one of `choose_template.BODY_TYPES`."""
    naming: str = "gambol"
    """Naming convention of the template's bones: one of `bone_names.NAMINGS`."""
    facing: str | None = None
    """The file's axis that the body faces (+x, -x, +z, -z); found out by default."""
    skeleton: Path | None = None
    """File whose joints are used instead of a template."""
    fit: bool = False
    """Scale and move the joints of `skeleton` into the mesh."""
    weights_from: Path | None = None
    """Skinned character whose skeleton and weights are taken over, by the closest points of its surface."""
    symmetric: bool = False
    """Make left and right weights mirror images."""
    smooth: float = 0.0
    """Distance over which weights are smoothed, as a share of the size (0 to 1)."""
    rigid_parts: bool = False
    """Bind each loose part to its strongest bone alone."""
    heat: HeatConfig = field(default_factory=HeatConfig)
    """Settings of the heat diffusion that computes weights."""

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("template", self.template, ("auto", *BODY_TYPES)),
            ("naming", self.naming, NAMINGS),
        ):
            if value not in allowed:
                raise ConfigError(f"There is no {name} '{value}'; there are {', '.join(allowed)}.")
        if self.facing is not None:
            facing_vector(self.facing)
        if not 0.0 <= self.smooth <= 1.0:
            raise ConfigError(f"Weights cannot be smoothed over {self.smooth} of the size; give 0 (not at all) to 1.")
        if self.skeleton is not None and self.weights_from is not None:
            raise ConfigError("A skeleton comes either from --skeleton or, with its weights, from --weights-from.")
        given = self.skeleton is not None or self.weights_from is not None
        if given and (self.template != "auto" or self.naming != "gambol"):
            raise ConfigError("A skeleton from a file has its own shape and names; leave out --template and --naming.")
        if self.fit and not given:
            raise ConfigError("There is no skeleton to fit: name a file with --skeleton, or leave out --fit.")


@dataclass(frozen=True)
class RigResult:
    """A mesh with its new skeleton and weights."""

    asset: Asset
    """The rigged character; clips can be appended to it."""
    rig: Rig
    """The skeleton, with its template, direction and confidence."""
    seconds: float
    """Process time."""
    notes: tuple[str, ...]
    """Sentences for the user: what the mesh was taken for, and warnings."""
    written: tuple[Path, ...] = ()
    """Files that were written: the output, the sheet, the page."""


def rig_file(
    mesh: str | Path | Asset,
    output: str | Path | None = None,
    *,
    template: Template = "auto",
    naming: BoneNaming = "gambol",
    skeleton: str | Path | None = None,
    fit: bool = False,
    weights_from: str | Path | None = None,
    symmetric: bool = False,
    smooth: float = 0.0,
    rigid_parts: bool = False,
    influences: int = 4,
    per_bone: bool = False,
    sheet: str | Path | None = None,
    page: str | Path | None = None,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    progress: Progress | None = None,
) -> RigResult:
    """Give a mesh a skeleton and skin weights, and write it; a rig that it already has is replaced.

    Args:
        mesh: A file with a mesh, or what `gambol.load` returns.
        output: File to write: .glb, .gltf, .fbx or .blend; None writes nothing.
        template: Kind of skeleton; auto finds out the kind and refuses a mesh that none fits.
        naming: Naming convention of the bones.
        skeleton: File (.glb, .bvh, .fbx, RigNet .txt) whose joints are used instead of a template.
        fit: Scale and move that skeleton into the mesh; without it both must lie in the same coordinates.
        weights_from: Character whose skeleton and weights are taken over, by the closest points of its surface; or the
            .txt that another rigger wrote for this mesh.
        symmetric: Make left and right weights mirror images.
        smooth: Distance over which weights are smoothed, as a share of the size, such as 0.02.
        rigid_parts: Bind each loose part to one bone, for robots and armour.
        influences: Bones per vertex, at most.
        per_bone: Solve the heat equation with its own sources for every bone, as AKD's supplement writes it; slower and
            softer.
        sheet: Picture (.png) to write: the weights of each bone, and test poses.
        page: Page (.html) to write, which shows the weights and plays test poses.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the body faces (+x, -x, +z, -z); found from the mesh where not given.
        character: Which of several characters in the file; the largest where not given.
        progress: Called with (steps done, steps in total, what is being done).
    """
    settings = RigSettings(
        template=template,
        naming=naming,
        facing=facing,
        skeleton=None if skeleton is None else Path(skeleton),
        fit=fit,
        weights_from=None if weights_from is None else Path(weights_from),
        symmetric=symmetric,
        smooth=smooth,
        rigid_parts=rigid_parts,
        heat=HeatConfig(influences=influences, per_bone=per_bone),
    )
    if output is not None:
        refuse_input(check_target(Path(output)), settings.skeleton, settings.weights_from)
    for path, suffix in ((sheet, ".png"), (page, ".html")):
        if path is not None and Path(path).suffix.lower() != suffix:
            raise ConfigError(f"{path} has the suffix '{Path(path).suffix}'; allowed is {suffix}.")
    if isinstance(mesh, Asset):
        if scale is not None or character is not None:
            raise ConfigError("scale and character are chosen by gambol.load; leave them out with a loaded file.")
        asset = mesh
    else:
        asset = load(mesh, scale=scale, facing=facing, character=character)
    result = rig_mesh(asset, settings, progress=progress)
    if output is not None:
        export_asset(result.asset, output)
    if sheet is not None or page is not None:
        from gambol.view.rig_pictures import draw_rig

        draw_rig(
            result.asset,
            sheet=None if sheet is None else Path(sheet),
            page=None if page is None else Path(page),
            progress=progress,
        )
    return replace(result, written=tuple(Path(path) for path in (output, sheet, page) if path is not None))


def load_rig(path: str | Path) -> Asset:
    """Load a file with a skeleton: RigNet's .txt, or anything that Gambol loads."""
    path = Path(path)
    if path.suffix.lower() != ".txt":
        return load(path)
    if not path.exists():
        raise AssetError(f"There is no file {path}.")
    scene = read_rig_text(path)
    return Asset(path, make_character(path.name, scene), (), None, ())


def rig_mesh(asset: Asset, settings: RigSettings | None = None, *, progress: Progress | None = None) -> RigResult:
    """Give the mesh of a loaded file a skeleton and weights; a rig that it already has is taken off first.

    `gambol animate` calls this for a file without a skeleton. The result has a document that clips can be appended to:
    a copy of the user's own glTF with nothing but the rig added, where there is one.
    """
    settings, started = settings or RigSettings(), time.process_time()
    bare, facing = strip_rig(asset.character), _given_facing(asset, settings)
    notes: list[str] = []
    from_file = settings.weights_from or settings.skeleton
    source = load_rig(from_file) if from_file is not None else None
    if source is not None:
        rig = rig_from_file(source.character, bare, fit=settings.fit)
    else:
        rig = find_rig(bare, settings.template, facing=facing)
        rig = replace(rig, names=rename_bones(rig.names, settings.naming))
        facing = rig.facing
        notes += _describe(rig)
    weights = _weights(settings, bare, rig, source, progress)
    unused = int((weights.mass() == 0).sum())
    if unused:
        notes.append(f"{unused} of {len(rig)} bones move no vertex.")
    scene = rigged_scene(bare, rig, weights)
    document = None
    if asset.document is not None and bare is asset.character:
        document = append_rig(asset.document, scene, len(bare.scene.nodes))
    document = document or new_document(scene, () if bare is not asset.character else asset.clips, asset.path)
    read, clips, warnings = read_scene(document)
    character = make_character(bare.name, read, scale=bare.placement.scale, facing=facing)
    rigged = Asset(asset.path, character, clips, document, (*asset.warnings, *warnings))
    return RigResult(rigged, rig, time.process_time() - started, tuple(notes))


def _given_facing(asset: Asset, settings: RigSettings) -> str | None:
    """The direction that the user gave, with the settings or when loading the file."""
    placement = asset.character.placement
    loaded = placement.facing if placement.facing_confidence >= FULL_FACING_CONFIDENCE else None
    return settings.facing or loaded


def _describe(rig: Rig) -> list[str]:
    """What a mesh was taken for, how certain that is, and what is doubtful."""
    if rig.confidence is None:
        return []
    said = f"The mesh is taken for a {rig.kind} that faces {rig.facing} (confidence {rig.confidence.overall:.2f})."
    return [said, *(f"Warning: {warning}" for warning in rig.confidence.warnings)]


def _weights(
    settings: RigSettings, bare: Character, rig: Rig, source: Asset | None, progress: Progress | None
) -> SkinWeights:
    """Weights from another file or from heat diffusion, edited as the settings say."""
    mesh = bare_mesh(bare)
    if settings.weights_from is not None and settings.weights_from.suffix.lower() == ".txt":
        weights = read_text_weights(settings.weights_from, rig.names, len(mesh.vertices))
    elif settings.weights_from is not None and source is not None:
        weights = _transferred(source.character, bare, rig, fit=settings.fit)
    else:
        weights = heat_weights(
            mesh.vertices,
            mesh.triangles,
            rig.segments(bare.placement.T_world_file),
            len(rig),
            config=settings.heat,
            progress=progress,
        )
    return _edited(settings, bare, rig, weights)


def _transferred(source: Character, bare: Character, rig: Rig, *, fit: bool) -> SkinWeights:
    """Weights of another character's surface, in file coordinates or fitted to the mesh, on the joints of its rig."""
    mesh, skeleton, weights = source.require_skin()
    T_source_mesh = np.linalg.inv(fitting_transform(source, bare)) if fit else np.eye(4)
    T = source.placement.T_world_file @ T_source_mesh @ bare.placement.T_file_world
    points = apply_matrix(T, bare_mesh(bare).vertices)
    found = transfer_weights(points, mesh, weights)
    names = {name: i for i, name in enumerate(rig.names)}
    lost = [name for name in skeleton.names if name not in names]
    if lost:
        raise AssetError(f"{source.name}: the bones {', '.join(lost[:4])} have no joint of that name to go to.")
    number = np.array([names[name] for name in skeleton.names])
    return SkinWeights(np.where(found.weights > 0, number[found.bones], 0), found.weights, len(rig))


def _edited(settings: RigSettings, bare: Character, rig: Rig, weights: SkinWeights) -> SkinWeights:
    """Weights after rigid parts, smoothing and mirroring, where the settings ask for them."""
    mesh = bare_mesh(bare)
    if settings.rigid_parts:
        weights = make_parts_rigid(mesh, weights)
    if settings.smooth > 0:
        weights = smooth_weights(mesh, weights, settings.smooth, settings.heat.influences)
    if settings.symmetric:
        heads = apply_matrix(bare.placement.T_world_file, rig.T_file_joint[:, :3, 3])
        across = (rig.facing in ("+x", "-x")) != (bare.placement.facing in ("+x", "-x"))
        order = [2, 1, 0] if across else [0, 1, 2]
        partner = mirror_bones(rig.names, heads[:, order], mesh.size)
        weights = symmetrise_weights(weights, mesh.vertices[:, order], partner, settings.heat.influences)
    return weights
