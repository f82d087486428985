"""Characters as USD, read by Pixar's own library: its skinning must put every vertex where the file's nodes do."""

from dataclasses import replace

import numpy as np
import pytest
from gltf_builder import skinned_tower

from gambol.app.convert import convert_file
from gambol.character.scene import pose_parts
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.errors import AssetError
from gambol.files.asset import export_clips, export_scene, load
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.files.usd.skeleton_frames import joint_frames
from gambol.files.usd.write import joint_paths, valid_name
from gambol.motion.node_clip import pose_scene

pxr = pytest.importorskip("pxr")
from pxr import Usd, UsdGeom, UsdShade, UsdSkel  # noqa: E402


@pytest.fixture(scope="module")
def fox_file(tmp_path_factory):
    """A fox with two clips, the second of them a turn."""
    folder = tmp_path_factory.mktemp("fox")
    creature = make_creature("fox", 3, vertices=400)
    asset = load(export_scene(creature.scene, (), folder / "plain.glb"))
    character, anatomy = creature.character(), creature.anatomy(creature.character())
    clips = tuple(make_motion(character, anatomy, name, seconds=1.0) for name in ("walk", "turn left"))
    return export_clips(asset, clips, folder / "fox.glb")


def skinned(path, seconds):
    """Points of every mesh as UsdSkel poses them."""
    stage = Usd.Stage.Open(str(path))
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    code, found = seconds * stage.GetTimeCodesPerSecond(), []
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.Mesh):
            continue
        query = cache.GetSkinningQuery(prim)
        (skeleton,) = UsdSkel.BindingAPI(prim).GetSkeletonRel().GetTargets()
        joints = cache.GetSkelQuery(UsdSkel.Skeleton.Get(stage, skeleton))
        points = UsdGeom.Mesh(prim).GetPointsAttr().Get()
        assert query.ComputeSkinnedPoints(joints.ComputeSkinningTransforms(code), points, code)
        found.append(np.array(points))
    return found


def check_poses(source, written, clip=-1):
    """Every vertex at several times, also between keys."""
    scene, clips, _ = read_scene(read_document(source))
    for share in (0.0, 0.31, 0.5, 1.0):
        time = clips[clip].start + share * clips[clip].duration
        meant, found = pose_scene(scene, clips[clip], time), skinned(written, time)
        extent = np.ptp(np.concatenate(meant), axis=0).max()
        assert len(meant) == len(found)
        for a, b in zip(meant, found, strict=True):
            assert np.abs(a - b).max() < 2e-5 * extent


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usdz"])
def test_vertices_are_where_the_file_has_them(fox_file, tmp_path, suffix):
    convert_file(fox_file, tmp_path / f"fox{suffix}")
    check_poses(fox_file, tmp_path / f"fox{suffix}")


def test_the_variant_set_chooses_the_clip(fox_file, tmp_path):
    convert_file(fox_file, tmp_path / "fox.usda")
    stage = Usd.Stage.Open(str(tmp_path / "fox.usda"))
    chosen = stage.GetDefaultPrim().GetVariantSets().GetVariantSet("clip")
    assert (list(chosen.GetVariantNames()), chosen.GetVariantSelection()) == (["turn_left", "walk"], "turn_left")
    chosen.SetVariantSelection("walk")
    stage.GetRootLayer().Export(str(tmp_path / "walk.usda"))
    check_poses(fox_file, tmp_path / "walk.usda", clip=0)


def test_scaled_nodes_and_odd_names_come_through(tmp_path):
    source = skinned_tower(3).write_glb(tmp_path / "tower.glb")
    convert_file(source, tmp_path / "tower.usda")
    check_poses(source, tmp_path / "tower.usda")
    scene, _, _ = read_scene(read_document(source))
    small = replace(scene.nodes, scales=np.where(scene.nodes.parents[:, None] < 0, 0.013, scene.nodes.scales))
    frames = joint_frames(small)
    assert np.allclose(np.linalg.norm(frames.in_world(small.T_world_node)[:, :3, :3], axis=1), 1.0)
    world = small.chain(frames.local(small.T_world_node))
    assert np.allclose(world[:, :3, 3], small.T_world_node[:, :3, 3])
    named = replace(scene, nodes=replace(scene.nodes, names=("mixamorig:Hips",) * len(scene.nodes)))
    paths = joint_paths(named)
    assert len(set(paths)) == len(paths)
    assert valid_name("1 fox:x") == "_1_fox_x"
    assert pose_parts(scene, scene.nodes.T_world_node, {})


def test_materials_have_their_colours(fox_file, tmp_path):
    convert_file(fox_file, tmp_path / "fox.usdc")
    scene, _, _ = read_scene(read_document(fox_file))
    stage = Usd.Stage.Open(str(tmp_path / "fox.usdc"))
    meshes = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    for part, prim in zip(scene.parts, meshes, strict=True):
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        surface, _, _ = material.ComputeSurfaceSource()
        colour = surface.GetInput("diffuseColor").Get()
        assert np.allclose(colour, scene.materials[part.material].base_colour[:3], atol=1e-6)
        assert UsdGeom.Mesh(prim).GetNormalsInterpolation() == "vertex"


def test_usd_is_written_and_not_read(fox_file, tmp_path):
    convert_file(fox_file, tmp_path / "fox.usda")
    with pytest.raises(AssetError, match="Gambol reads"):
        load(tmp_path / "fox.usda")
