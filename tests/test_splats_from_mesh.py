"""Splats on a mesh: as even as can be, in the colours of the mesh, without holes, no fatter than the body."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import trimesh
from character_made_by_code import two_bone_scene

from gambol.character.character import Character, make_character
from gambol.character.colour import linear_to_srgb
from gambol.character.scene import Material, Part, Scene, Texture, translated_nodes
from gambol.cli.main import main
from gambol.errors import AssetError, ConfigError, MissingPart
from gambol.files.asset import export_scene
from gambol.render.cameras import frame_camera
from gambol.render.mesh.rasterise import draw_mesh, prepare_mesh
from gambol.render.mesh.shading import Light
from gambol.render.splat_fitting.views import view_mesh, view_splats
from gambol.render.splats_from_mesh import UNLIT_LIGHT, splats_at_vertices, splats_from_mesh
from gambol.splats.binding import closest_weights, weights_at
from gambol.splats.harmonics import colours_from_harmonics
from gambol.splats.splat_file import read_splats, write_splats
from gambol.splats.surface_points import point_spacing, sample_points, surface_area, thin_points


def still_character(*parts: Part, materials: tuple[Material, ...] = (Material(),)) -> Character:
    nodes = translated_nodes(("top",), np.array([-1]), np.zeros((1, 3)))
    return make_character("still", Scene(nodes, (), parts, materials), scale=1.0, facing="+x")


def quad(y: float = 0.0, material: int = 0, **fields) -> Part:
    """A unit square that faces up; u runs along x, v along z."""
    positions = np.array([[0.0, y, 0.0], [1.0, y, 0.0], [1.0, y, 1.0], [0.0, y, 1.0]]) - [0.5, 0.0, 0.5]
    uvs = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
    return Part(0, None, positions, np.array([[0, 2, 1], [0, 3, 2]]), material, uvs, **fields)


def ball(subdivisions: int = 4, **fields) -> Part:
    sphere = trimesh.creation.icosphere(subdivisions=subdivisions, radius=0.5)
    return Part(0, None, np.array(sphere.vertices), np.array(sphere.faces), 0, **fields)


def four_colours(alpha: int = 255) -> Texture:
    pixels = np.zeros((64, 64, 4), np.uint8)
    pixels[:32, :32], pixels[:32, 32:] = (200, 30, 40, alpha), (20, 180, 60, 255)
    pixels[32:, :32], pixels[32:, 32:] = (30, 60, 220, alpha), (240, 220, 50, 255)
    return Texture(pixels, ("clamp", "clamp"))


def colours_of(splats) -> np.ndarray:
    return colours_from_harmonics(splats.harmonics).numpy()


def test_a_textured_square_has_its_texels_colours():
    texture = four_colours()
    character = still_character(quad(), materials=(Material("t", (1.0, 1.0, 1.0, 1.0), texture),))
    splats = splats_from_mesh(character, 400, light=UNLIT_LIGHT)
    x, z = splats.centres[:, 0].numpy(), splats.centres[:, 2].numpy()
    far = (np.abs(x) > 0.1) & (np.abs(z) > 0.1)
    expected = texture.pixels[np.where(z > 0, 63, 0), np.where(x > 0, 63, 0), :3] / 255.0
    assert far.sum() > 200
    np.testing.assert_allclose(colours_of(splats)[far], expected[far], atol=2e-3)


def test_material_and_vertex_colours_are_multiplied_in_linear_light():
    tint = np.tile(np.float32([0.5, 1.0, 0.25, 1.0]), (4, 1))
    character = still_character(quad(colours=tint), materials=(Material("m", (0.8, 0.4, 0.2, 1.0)),))
    colours = colours_of(splats_from_mesh(character, 50, light=UNLIT_LIGHT))
    np.testing.assert_allclose(colours, np.tile(linear_to_srgb(np.array([0.4, 0.4, 0.05])), (50, 1)), atol=1e-5)


def test_each_part_keeps_its_own_material():
    materials = (Material("red", (1.0, 0.0, 0.0, 1.0)), Material("blue", (0.0, 0.0, 1.0, 1.0)))
    splats = splats_from_mesh(still_character(quad(), quad(1.0, 1), materials=materials), 300, light=UNLIT_LIGHT)
    high = splats.centres[:, 1].numpy() > 0.5
    assert abs(high.mean() - 0.5) < 0.02
    np.testing.assert_allclose(colours_of(splats)[high], np.tile([0.0, 0.0, 1.0], (high.sum(), 1)), atol=1e-6)
    np.testing.assert_allclose(colours_of(splats)[~high], np.tile([1.0, 0.0, 0.0], ((~high).sum(), 1)), atol=1e-6)


@pytest.mark.parametrize("mode", ["MASK", "BLEND"])
def test_what_alpha_cuts_out_gets_no_splats(mode):
    material = Material("leaf", (1.0, 1.0, 1.0, 1.0), four_colours(alpha=0), mode)
    splats = splats_from_mesh(still_character(quad(), materials=(material,)), 300)
    assert len(splats) == 300
    assert float(splats.centres[:, 0].min()) > -0.02
    gone = replace(material, base_colour=(1.0, 1.0, 1.0, 0.0))
    with pytest.raises(AssetError, match="wholly transparent"):
        splats_from_mesh(still_character(quad(), materials=(gone,)), 300)


@pytest.mark.parametrize("inside_out", [False, True])
def test_the_light_is_what_the_mesh_shows(inside_out):
    """Splats of a ball have the colours of the mesh's picture where they are seen, whichever way it is wound."""
    part = ball()
    part = replace(part, triangles=part.triangles[:, ::-1].copy()) if inside_out else part
    character = still_character(part, materials=(Material("m", (0.7, 0.5, 0.3, 1.0)),))
    splats = splats_from_mesh(character, 500)
    mesh = character.mesh
    camera = frame_camera(mesh.vertices, 0.7, 0.4, width=128, height=128)
    layer = draw_mesh(prepare_mesh(mesh), mesh.vertices, camera)
    outward = splats.centres.numpy() - mesh.vertices.mean(0)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    pixels, _ = camera.project(mesh.vertices.mean(0) + 0.5 * outward)
    away = camera.eye - mesh.vertices.mean(0)
    facing = outward @ (away / np.linalg.norm(away)) > 0.5
    u, v = np.floor(pixels[facing]).astype(int).T
    np.testing.assert_allclose(colours_of(splats)[facing], linear_to_srgb(layer.rgb[v, u]), atol=0.02)
    assert facing.sum() > 80


def test_points_stand_evenly_and_the_same_seed_gives_the_same_ones():
    mesh = still_character(ball()).mesh
    area = surface_area(mesh)
    random = sample_points(mesh, 4000, np.random.default_rng(0))
    points = thin_points(random, 800, area)
    again = thin_points(sample_points(mesh, 4000, np.random.default_rng(0)), 800, area)
    other = thin_points(sample_points(mesh, 4000, np.random.default_rng(1)), 800, area)
    np.testing.assert_array_equal(points.positions, again.positions)
    assert not np.array_equal(points.positions, other.positions)
    assert len(points) == 800
    even = np.sqrt(2 * area / (np.sqrt(3) * 800))
    from scipy.spatial import cKDTree

    nearest = cKDTree(points.positions).query(points.positions, k=2)[0][:, 1]
    holes = cKDTree(points.positions).query(random.positions)[0]
    assert nearest.min() > 0.5 * even
    assert holes.max() < 1.0 * even
    np.testing.assert_allclose(point_spacing(points, area), even, rtol=0.3)


@pytest.mark.parametrize(("count", "size"), [(12_000, 200), (5_000, 128), (5_000, 256)])
def test_a_ball_of_splats_has_no_holes_and_no_swollen_border(count, size):
    character = still_character(ball())
    mesh = character.mesh
    splats = splats_from_mesh(character, count, picture=size)
    cameras = [frame_camera(mesh.vertices, a, e, width=size, height=size) for a, e in ((0.3, 0.2), (2.0, -0.8))]
    wanted = view_mesh(mesh, cameras, Light())
    seen = view_splats(splats, wanted.cameras)
    pool = lambda x, reach: torch.nn.functional.max_pool2d(x[:, None], 2 * reach + 1, 1, reach)[:, 0]  # noqa: E731
    inside = -pool(-wanted.alpha, 2) == 1.0
    outside = pool(wanted.alpha, 1) == 0.0
    assert float(seen.alpha[inside].min()) > 0.95
    assert float(seen.alpha[inside].mean()) > 0.997
    assert float(seen.alpha[outside].max()) < 0.01
    assert float((seen.alpha.sum() - wanted.alpha.sum()) / wanted.alpha.sum()) == pytest.approx(0.0, abs=0.025)


def test_weights_at_the_corners_are_the_meshs():
    mesh, _, weights = make_character("column", two_bone_scene()).require_skin()
    corners = mesh.triangles.repeat(3, axis=0)
    at_corners = weights_at(weights, corners, np.tile(np.eye(3), (len(mesh.triangles), 1)))
    np.testing.assert_allclose(at_corners.dense(), weights.dense()[mesh.triangles.reshape(-1)], atol=1e-6)


def test_splats_are_bound_as_the_surface_point_that_they_stand_for():
    character = make_character("column", two_bone_scene())
    splats = splats_from_mesh(character, 500)
    height = splats.centres[:, 1]
    upper = torch.clamp(height - 0.5, 0.0, 1.0)
    dense = splats.weight_matrix.to_dense()
    # a splat moves towards the middle of its neighbours, by less than half its spacing of 8 cm
    torch.testing.assert_close(dense[:, 1], upper, rtol=0, atol=0.04)
    at_vertices = splats_at_vertices(character)
    assert len(at_vertices) == len(character.mesh.vertices)
    found = at_vertices.weight_matrix.to_dense()
    torch.testing.assert_close(found[:, 1], torch.clamp(at_vertices.centres[:, 1] - 0.5, 0, 1), rtol=0, atol=1e-5)


def test_an_unskinned_part_hangs_on_its_bone():
    scene = two_bone_scene()
    hat = replace(ball(0), node=1)
    character = make_character("hatted", replace(scene, parts=(*scene.parts, hat)))
    splats = splats_from_mesh(character, 800)
    part_of_hat = np.linalg.norm(splats.centres.numpy() - character.mesh.vertices[-1:], axis=1) < 0.2
    assert part_of_hat.any()
    dense = splats.weight_matrix.to_dense()[torch.from_numpy(part_of_hat)]
    torch.testing.assert_close(dense, torch.tensor([[0.0, 1.0]]).expand(len(dense), 2))


def test_a_bare_mesh_moves_as_one_and_few_splats_are_enough():
    splats = splats_from_mesh(still_character(quad()), 1)
    assert (len(splats), splats.bone_count) == (1, 1)


def test_what_has_no_surface_or_an_odd_count_gets_a_sentence():
    scene = two_bone_scene()
    with pytest.raises(MissingPart, match="no mesh"):
        splats_from_mesh(make_character("bare", replace(scene, parts=())))
    for count in (0, -1, 10**9):
        with pytest.raises(ConfigError, match="allowed is 1 to"):
            splats_from_mesh(still_character(quad()), count)
    flat = replace(quad(), positions=np.outer(np.arange(4.0), [1.0, 0.0, 0.0]))
    with pytest.raises(AssetError, match="no area"):
        splats_from_mesh(still_character(flat))


def test_the_verb_writes_splats_that_read_back(tmp_path, capsys):
    source = export_scene(two_bone_scene(), (), tmp_path / "column.glb")
    target = tmp_path / "column.ply"
    assert main(["splat", str(source), "-o", str(target), "--count", "700"]) == 0
    assert "700 splats" in capsys.readouterr().out
    splats = read_splats(target)
    assert (len(splats), splats.bone_count) == (700, 2)


def test_the_verb_binds_a_capture_that_stands_in_the_files_coordinates(tmp_path):
    """A capture in file coordinates comes out placed and bound like the character itself."""
    scene = two_bone_scene()
    character = make_character("column", scene)
    own = splats_from_mesh(character, 300)
    from gambol.splats.skinned_splats import transform_splats

    back = transform_splats(own, torch.from_numpy(character.placement.T_file_world))
    loose = replace(back, bones=torch.zeros(300, 1, dtype=torch.int64), weights=torch.ones(300, 1), bone_count=1)
    source = export_scene(scene, (), tmp_path / "column.glb")
    capture = write_splats(loose, tmp_path / "capture.ply")
    assert main(["splat", str(source), "-o", str(tmp_path / "bound.ply"), "--capture", str(capture)]) == 0
    bound = read_splats(tmp_path / "bound.ply")
    torch.testing.assert_close(bound.centres, own.centres, rtol=1e-4, atol=1e-5)
    expected = closest_weights(own.centres.double().numpy(), character.mesh, character.weights).dense()
    np.testing.assert_allclose(bound.weight_matrix.to_dense().numpy(), expected, atol=1e-4)


@pytest.mark.parametrize("words", [["--count", "0"], ["--capture", "nowhere.ply"]])
def test_the_verb_refuses_with_a_sentence(tmp_path, capsys, words):
    source = export_scene(two_bone_scene(), (), tmp_path / "column.glb")
    assert main(["splat", str(source), "-o", str(tmp_path / "out.ply"), *words]) == 2
    assert "gambol:" in capsys.readouterr().err
    assert not (tmp_path / "out.ply").exists()
