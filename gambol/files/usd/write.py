"""Write a character with its clips as USD: UsdSkel skeletons and animations, skinned meshes, preview materials.

Each skin is a skeleton of all nodes of the file; clips are SkelAnimation prims, of which a variant set chooses one.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from gambol.character.scene import Part, Scene
from gambol.errors import GambolError, MissingExtra
from gambol.files.atomic_write import replacing
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.read import read_scene
from gambol.files.images import encode_png
from gambol.files.usd.skeleton_frames import JointFrames, SampledClip, joint_frames, sample_clip
from gambol.motion.frame_rate import clip_frame_rate
from gambol.motion.node_clip import NodeClip

PACKAGE_SUFFIX = ".usdz"
"""Suffix of a package with its textures."""
ROOT = "/Character"
"""The default prim."""
READ_BACK_SHARE = 1e-4
"""Largest distance of a joint from where it was meant after reading back, as a share of the character's extent."""


def write_usd(document: GltfDocument, target: Path) -> None:
    """Write the document's character and clips (.usda, .usdc, or .usdz with textures inside), and read it back."""
    try:
        from pxr import UsdUtils
    except ImportError as error:
        raise MissingExtra("Writing USD", "physics") from error
    scene, clips, _ = read_scene(document)
    if target.suffix.lower() != PACKAGE_SUFFIX:
        with replacing(target) as temporary:
            _write_stage(scene, clips, temporary, target.stem)
            _read_back(temporary, scene, clips)
            _write_textures(scene, target.parent, target.stem)
        return
    with replacing(target) as temporary, tempfile.TemporaryDirectory(prefix="gambol-") as folder:
        step = Path(folder) / f"{target.stem}.usdc"
        _write_stage(scene, clips, step, target.stem)
        _read_back(step, scene, clips)
        _write_textures(scene, step.parent, target.stem)
        temporary.unlink()
        if not UsdUtils.CreateNewUsdzPackage(str(step), str(temporary)):
            raise GambolError(f"{target.name} could not be packed.")


def joint_paths(scene: Scene) -> list[str]:
    """The UsdSkel name of each node: the path of valid names from its top, unique."""
    paths: list[str] = [""] * len(scene.nodes)
    for node in np.concatenate(scene.nodes.levels) if len(scene.nodes) else ():
        parent = int(scene.nodes.parents[node])
        above = paths[parent] + "/" if parent >= 0 else ""
        paths[int(node)] = unique(above + valid_name(scene.nodes.names[node] or "node"), paths)
    return paths


def valid_name(name: str) -> str:
    """A name that USD accepts: letters, digits and underscores, no digit first."""
    clean = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{clean}" if clean[0].isdigit() else clean


def unique(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where it is taken."""
    known, number, found = set(taken), 1, name
    while found in known:
        number += 1
        found = f"{name}_{number}"
    return found


def _write_textures(scene: Scene, folder: Path, stem: str) -> None:
    """Write the pictures that the materials name, beside the stage."""
    for number, material in enumerate(scene.materials):
        if material.texture is not None:
            with replacing(folder / texture_name(stem, number)) as temporary:
                temporary.write_bytes(encode_png(material.texture.pixels))


def texture_name(stem: str, number: int) -> str:
    """File name of a material's picture."""
    return f"{stem}-{number}.png"


def _write_stage(scene: Scene, clips: tuple[NodeClip, ...], path: Path, stem: str) -> None:
    from pxr import Kind, Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    root = UsdSkel.Root.Define(stage, ROOT)
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root.GetPrim()).SetKind(Kind.Tokens.component)
    for scope in ("Skeletons", "Meshes", "Materials", "Animations"):
        UsdGeom.Scope.Define(stage, f"{ROOT}/{scope}")
    frames, names = joint_frames(scene.nodes), joint_paths(scene)
    skeletons = {
        skin: _add_skeleton(stage, scene, frames, names, skin)
        for skin in sorted({p.skin for p in scene.parts}, key=_rank)
    }
    if not skeletons:
        skeletons = {None: _add_skeleton(stage, scene, frames, names, None)}
    materials = [_add_material(stage, scene, i, stem) for i in range(len(scene.materials))]
    for number, part in enumerate(scene.parts):
        material = materials[part.material] if part.material is not None else None
        _add_mesh(stage, scene, number, part, skeletons[part.skin], material)
    _add_clips(stage, root, list(skeletons.values()), [sample_clip(frames, c) for c in clips if c.channels], names)
    stage.GetRootLayer().Save()


def _rank(skin: int | None) -> int:
    return -1 if skin is None else skin


def _add_skeleton(stage: Any, scene: Scene, frames: JointFrames, names: list[str], skin: int | None) -> Any:
    from pxr import UsdSkel, Vt

    name = "Nodes" if skin is None else f"Skin_{skin}"
    skeleton = UsdSkel.Skeleton.Define(stage, f"{ROOT}/Skeletons/{name}")
    order = joint_order(scene)
    skeleton.CreateJointsAttr([names[node] for node in order])
    skeleton.CreateJointNamesAttr([scene.nodes.names[node] for node in order])
    bind, rest = frames.bind(scene, skin)[order], frames.local(scene.nodes.T_world_node)[order]
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray([_matrix(T) for T in bind]))
    skeleton.CreateRestTransformsAttr(Vt.Matrix4dArray([_matrix(T) for T in rest]))
    return skeleton


def joint_order(scene: Scene) -> list[int]:
    """Nodes with parents before children, as a skeleton lists its joints."""
    return [int(node) for node in np.concatenate(scene.nodes.levels)] if len(scene.nodes) else []


def _add_mesh(stage: Any, scene: Scene, number: int, part: Part, skeleton: Any, material: Any) -> None:
    from pxr import Gf, Sdf, UsdGeom, UsdShade, UsdSkel, Vt

    name = valid_name(scene.nodes.names[part.node] or "mesh")
    mesh = UsdGeom.Mesh.Define(stage, f"{ROOT}/Meshes/{name}_{number}")
    points = part.morphed(None).astype(np.float32)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray([3] * len(part.triangles)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray(part.triangles.ravel().tolist()))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    if part.normals is not None:
        mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(part.normals.astype(np.float32)))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    primvars = UsdGeom.PrimvarsAPI(mesh)
    if part.uvs is not None:
        st = np.stack([part.uvs[:, 0], 1.0 - part.uvs[:, 1]], 1).astype(np.float32)
        coordinates = primvars.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
        coordinates.Set(Vt.Vec2fArray.FromNumpy(st))
    if part.colours is not None:
        shades = np.ascontiguousarray(part.colours[:, :3], dtype=np.float32)
        mesh.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex).Set(Vt.Vec3fArray.FromNumpy(shades))
    if material is not None:
        mesh.CreateDoubleSidedAttr(scene.materials[part.material or 0].double_sided)
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)
    order = joint_order(scene)
    place = np.argsort(order)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    if part.skin is not None and part.joints is not None and part.weights is not None:
        joints, weights = place[scene.skins[part.skin].joints[part.joints]], part.weights
        bind = np.eye(4)
    else:  # a part without skin moves with its node
        joints, weights = np.full((len(points), 1), place[part.node]), np.ones((len(points), 1))
        bind = scene.nodes.T_world_node[part.node]
    width = joints.shape[1]
    binding.CreateJointIndicesPrimvar(False, width).Set(Vt.IntArray(joints.ravel().tolist()))
    binding.CreateJointWeightsPrimvar(False, width).Set(Vt.FloatArray.FromNumpy(weights.ravel().astype(np.float32)))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(_matrix(bind)))


def _add_material(stage: Any, scene: Scene, number: int, stem: str) -> Any:
    from pxr import Gf, Sdf, UsdShade

    made, kinds = scene.materials[number], Sdf.ValueTypeNames
    path = f"{ROOT}/Materials/{valid_name(made.name or 'material')}_{number}"
    material = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, f"{path}/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", kinds.Float).Set(0.8)
    colour = surface.CreateInput("diffuseColor", kinds.Color3f)
    opacity = surface.CreateInput("opacity", kinds.Float)
    *rgb, alpha = map(float, made.base_colour)
    if made.texture is None:
        colour.Set(Gf.Vec3f(*rgb))
        opacity.Set(alpha if made.alpha_mode != "OPAQUE" else 1.0)
    else:
        reader = UsdShade.Shader.Define(stage, f"{path}/Coordinates")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", kinds.String).Set("st")
        texture = UsdShade.Shader.Define(stage, f"{path}/Texture")
        texture.CreateIdAttr("UsdUVTexture")
        texture.CreateInput("file", kinds.Asset).Set(f"./{texture_name(stem, number)}")
        texture.CreateInput("sourceColorSpace", kinds.Token).Set("sRGB")
        texture.CreateInput("scale", kinds.Float4).Set(Gf.Vec4f(*rgb, alpha))
        for axis, rule in zip(("wrapS", "wrapT"), made.texture.wrap, strict=True):
            texture.CreateInput(axis, kinds.Token).Set(rule)
        coordinates = reader.CreateOutput("result", kinds.Float2)
        texture.CreateInput("st", kinds.Float2).ConnectToSource(coordinates)
        colour.ConnectToSource(texture.CreateOutput("rgb", kinds.Float3))
        if made.alpha_mode != "OPAQUE":
            opacity.ConnectToSource(texture.CreateOutput("a", kinds.Float))
    if made.alpha_mode == "MASK":
        surface.CreateInput("opacityThreshold", kinds.Float).Set(float(made.alpha_cutoff))
    material.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    return material


def _add_clips(stage: Any, root: Any, skeletons: list[Any], clips: list[SampledClip], names: list[str]) -> None:
    """Animations, and a variant set that says which one the skeletons follow; the last clip is chosen."""
    from pxr import UsdSkel, Vt

    if not clips:
        return
    rate = float(max(clip_frame_rate(clip.times) for clip in clips))
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(min(0.0, clips[-1].times[0] * rate))
    stage.SetEndTimeCode(clips[-1].times[-1] * rate)
    chosen = root.GetPrim().GetVariantSets().AddVariantSet("clip")
    taken: list[str] = []
    for skeleton in skeletons:
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    for clip in clips:
        taken.append(unique(valid_name(clip.name), taken))
        animation = UsdSkel.Animation.Define(stage, f"{ROOT}/Animations/{taken[-1]}")
        animation.GetPrim().SetDisplayName(clip.name)
        animation.CreateJointsAttr([names[node] for node in clip.joints])
        moved = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr(), animation.CreateScalesAttr()
        for frame, time in enumerate(clip.times):
            code = float(time * rate)
            moved[0].Set(Vt.Vec3fArray.FromNumpy(clip.translations[frame].astype(np.float32)), code)
            moved[1].Set(_quaternions(clip.rotations_wxyz[frame]), code)
            moved[2].Set(Vt.Vec3hArray.FromNumpy(clip.scales[frame].astype(np.float16)), code)
        chosen.AddVariant(taken[-1])
        chosen.SetVariantSelection(taken[-1])
        with chosen.GetVariantEditContext():
            for skeleton in skeletons:
                source = UsdSkel.BindingAPI(skeleton.GetPrim()).CreateAnimationSourceRel()
                source.SetTargets([animation.GetPath()])


def _read_back(path: Path, scene: Scene, clips: tuple[NodeClip, ...]) -> None:
    """Open the written stage; the chosen clip must put every joint where the file's nodes are."""
    from pxr import Usd, UsdSkel

    stage = Usd.Stage.Open(str(path))
    skeletons = [UsdSkel.Skeleton(p) for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton)]
    meant = [clip for clip in clips if clip.channels]
    if not skeletons:
        raise GambolError(f"{path.name} was written without a skeleton; it was not kept.")
    if not meant:
        return
    query, order = UsdSkel.Cache().GetSkelQuery(skeletons[0]), joint_order(scene)
    times = meant[-1].key_times()
    times = times[np.linspace(0, len(times) - 1, min(len(times), 8)).astype(int)]
    places = meant[-1].sample(scene.nodes, times)[:, order][..., :3, 3]
    rate = stage.GetTimeCodesPerSecond()
    found = np.stack([np.array(query.ComputeJointSkelTransforms(float(t * rate)))[:, 3, :3] for t in times])
    extent = max(float(np.ptp(places.reshape(-1, 3), axis=0).max()), 1e-9)
    if not float(np.abs(found - places).max()) <= READ_BACK_SHARE * extent:
        gap = float(np.abs(found - places).max()) / extent
        raise GambolError(f"The joints of {path.name} are off by {gap:.2e} of the extent; it was not kept.")


def _matrix(T: np.ndarray) -> Any:
    """A matrix as USD has it, which acts on rows."""
    from pxr import Gf

    return Gf.Matrix4d(*map(float, np.asarray(T).T.ravel()))


def _quaternions(wxyz: np.ndarray) -> Any:
    from pxr import Gf, Vt

    return Vt.QuatfArray([Gf.Quatf(w, x, y, z) for w, x, y, z in wxyz.astype(float).tolist()])
