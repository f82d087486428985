"""The mesh renderer against closed forms and its slow twin (`mesh_raster_reference`)."""

import numpy as np
import pytest
from mesh_raster_reference import corner_normals_reference, draw_reference, light_reference

from gambol.character.colour import linear_to_srgb, srgb_to_linear
from gambol.character.mesh import Mesh
from gambol.character.scene import Material, Texture
from gambol.errors import AssetError, ConfigError, GambolError
from gambol.render import video_file as film
from gambol.render.cameras import Camera, frame_camera, look_at, orbit_camera
from gambol.render.contact_sheet import caption_strips, contact_sheet
from gambol.render.follow_camera import View, follow_camera_list
from gambol.render.ground.checkerboard import Checkerboard, draw_ground, round_cell
from gambol.render.ground.kernels import NO_SHADOW, checker
from gambol.render.ground.shadow import cast_shadow, height_grid
from gambol.render.mesh.rasterise import MESH_NEAR_PLANE, draw_mesh, prepare_mesh, visible_triangles
from gambol.render.mesh.shading import Light, corner_normals, find_smoothing
from gambol.render.mesh.skeleton_overlay import draw_skeleton_overlay
from gambol.render.mesh.textures import linear_to_srgb_bytes, mip_pyramid, pack_materials, sample_texture
from gambol.render.mesh.video import RenderConfig, render_frames
from gambol.render.video_file import read_film, write_film, write_png

FLAT = Light(key_colour=(0.0, 0.0, 0.0), sky_colour=(1.0, 1.0, 1.0), ground_colour=(1.0, 1.0, 1.0))
"""Light 1 from everywhere: a surface shows its own colour."""
WHITE = Material(base_colour=(1.0, 1.0, 1.0, 1.0))
CREASE = float(np.radians(60.0))


def plain_camera(width=32, height=24, focal=20.0):
    """Camera frame = world frame: x right, y down, z forward."""
    return Camera(np.eye(4), focal, focal, width / 2, height / 2, width, height)


def make_mesh(vertices, triangles, *, material=WHITE, uvs=None, colours=None):
    triangles = np.array(triangles, np.int32).reshape(-1, 3)
    return Mesh(np.asarray(vertices, float), triangles, np.zeros(len(triangles), int), (material,), uvs, colours)


def quad(corners, **looks):
    return make_mesh(corners, [[0, 1, 2], [0, 2, 3]], **looks)


def draw(mesh, camera, **options):
    options.setdefault("light", FLAT)
    return draw_mesh(prepare_mesh(mesh), mesh.vertices, camera, **options)


def textured(pixels, wrap=("repeat", "repeat"), **looks):
    return Material(base_colour=(1.0, 1.0, 1.0, 1.0), texture=Texture(np.asarray(pixels, np.uint8), wrap), **looks)


def sphere(rings=12, segments=24):
    """A unit sphere whose first and last meridian are two sets of vertices, as a texture seam makes them."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, segments + 1), indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.cos(theta), np.sin(theta) * np.sin(phi)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings), np.arange(segments), indexing="ij")
    a = (i * (segments + 1) + j).ravel()
    b, c, d = a + 1, a + segments + 1, a + segments + 2
    triangles = np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)])
    sides = points[triangles]
    areas = np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1)
    return points, triangles[areas > 1e-9].astype(np.int32)


def box(low, high):
    low, high = np.asarray(low, float), np.asarray(high, float)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (high - low) + low
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))], np.int32)


# --- the rasteriser against the slow twin --------------------------------------------------------------------------


def random_mesh(seed):
    rng = np.random.default_rng(seed)
    count = 30
    # points on both sides of the camera: about half of the triangles cross the near plane
    centres = np.stack([rng.uniform(-3, 3, count), rng.uniform(-2, 2, count), rng.uniform(-1, 6, count)], -1)
    vertices = (centres[:, None] + rng.normal(0, 1.5, (count, 3, 3))).reshape(-1, 3)
    pictures = [rng.integers(0, 256, shape, dtype=np.uint8) for shape in ((5, 7, 4), (64, 64, 4), (8, 4, 4))]
    materials = (
        Material(base_colour=(0.9, 0.5, 0.2, 1.0)),
        textured(pictures[0], ("mirror", "clamp")),
        textured(pictures[1], alpha_mode="MASK", alpha_cutoff=0.5),
        textured(pictures[2], ("clamp", "mirror"), alpha_mode="BLEND"),
    )
    return Mesh(
        vertices,
        np.arange(3 * count, dtype=np.int32).reshape(-1, 3),
        rng.integers(0, len(materials), count),
        materials,
        rng.uniform(-2, 3, (3 * count, 2)),
        rng.uniform(0.2, 1, (3 * count, 4)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_raster_equals_the_slow_twin(seed):
    mesh = random_mesh(seed)
    pose = look_at([0.3 * seed, 0.1, 1.0], [0.3, 0.2, 5.0]).T_camera_world
    camera = Camera(pose, 30.0, 26.0, 21.0, 15.0, 40, 32)
    depths = camera.to_camera(mesh.vertices)[mesh.triangles][..., 2]
    crossing = np.flatnonzero((depths.min(1) < 0) & (depths.max(1) > MESH_NEAR_PLANE))
    surface = prepare_mesh(mesh)
    light = Light()
    normals = corner_normals_reference(mesh.vertices, mesh.vertices, mesh.triangles, CREASE)
    rgb, ids, depth, edge = draw_reference(mesh, mesh.vertices, camera, light, normals, MESH_NEAR_PLANE)
    layer = draw_mesh(surface, mesh.vertices, camera, light=light)
    seen = visible_triangles(surface, camera.to_camera(mesh.vertices), camera)
    clear = edge > 1e-9
    assert clear.mean() > 0.99
    assert (ids >= 0).mean() > 0.3
    assert np.isin(ids, crossing).mean() > 0.02, "triangles that reach behind the camera are seen"
    np.testing.assert_array_equal(seen.triangles[clear], ids[clear])
    np.testing.assert_array_equal(layer.alpha[clear], (ids >= 0)[clear])
    np.testing.assert_allclose(layer.depth[clear], depth[clear], rtol=1e-9)
    # the twin takes texture derivatives by differences, so colours agree a little less closely than geometry
    np.testing.assert_allclose(layer.rgb[clear], rgb[clear], atol=1e-5)


def test_supersampling_is_the_mean_of_a_finer_picture():
    mesh, camera = random_mesh(7), plain_camera(20, 16, 14.0)
    fine = Camera(camera.T_camera_world, 42.0, 42.0, 30.0, 24.0, 60, 48)
    coarse, layer = draw(mesh, camera, supersample=3), draw(mesh, fine)
    np.testing.assert_allclose(coarse.alpha, layer.alpha.reshape(16, 3, 20, 3).mean((1, 3)), atol=1e-12)
    np.testing.assert_array_equal(coarse.depth, layer.depth.reshape(16, 3, 20, 3).min((1, 3)))


def test_a_square_covers_exactly_its_pixels():
    # at depth 2 and focal length 20, the pixels [8, 24) x [4, 12) are x = (u - 16) / 10, y = (v - 12) / 10
    x0, x1, y0, y1 = -0.8, 0.8, -0.8, 0.0
    square = quad([[x0, y0, 2], [x1, y0, 2], [x1, y1, 2], [x0, y1, 2]])
    expected = np.zeros((24, 32))
    expected[4:12, 8:24] = 1.0
    layer = draw(square, plain_camera())
    np.testing.assert_array_equal(layer.alpha, expected)
    np.testing.assert_array_equal(layer.rgb, expected[..., None].repeat(3, -1))
    # every sample on the shared diagonal belongs to one triangle, not to both and not to none
    halves = [draw(make_mesh(square.vertices, [t]), plain_camera()).alpha for t in square.triangles]
    np.testing.assert_array_equal(halves[0] + halves[1], expected)


def test_samples_on_edges_are_drawn_once():
    # a grid of squares whose corners are pixel centres: all edges and diagonals run through samples
    at = (np.arange(9) * 2 + 8.5 - 16) / 10
    x, y = np.meshgrid(at, (np.arange(7) * 2 + 4.5 - 12) / 10)
    vertices = np.stack([x, y, np.full_like(x, 2.0)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(6), np.arange(8), indexing="ij")
    a = (i * 9 + j).ravel()
    triangles = np.concatenate([np.stack([a, a + 1, a + 10], 1), np.stack([a, a + 9, a + 10], 1)])
    total = sum(draw(make_mesh(vertices, [t]), plain_camera()).alpha for t in triangles)
    assert total.max() == 1
    assert (total[5:16, 9:24] == 1).all()


def test_half_covered_pixels_have_half_alpha():
    square = quad([[-0.75, -0.8, 2], [0.8, -0.8, 2], [0.8, 0, 2], [-0.75, 0, 2]])
    layer = draw(square, plain_camera(), supersample=2)
    np.testing.assert_array_equal(layer.alpha[4:12, 8], 0.5)
    np.testing.assert_array_equal(layer.alpha[4:12, 9:24], 1.0)


def test_depth_of_a_slanted_plane():
    # z = 3 + 0.5 x - 0.7 y, so along the ray (a, b, 1): z = 3 / (1 - 0.5 a + 0.7 b)
    x, y = np.array([-9.0, 9, 9, -9]), np.array([-3.0, -3, 3, 3])
    plane = quad(np.stack([x, y, 3 + 0.5 * x - 0.7 * y], -1))
    camera = plain_camera(focal=60.0)
    v, u = np.mgrid[0:24, 0:32] + 0.5
    expected = 3 / (1 - 0.5 * (u - 16) / 60 + 0.7 * (v - 12) / 60)
    np.testing.assert_allclose(draw(plane, camera).depth, expected, rtol=1e-12)


def test_texture_is_perspective_correct():
    # a floor at y = 1 from z = 1 to z = 9 with v = (z - 1) / 8: the pixel row fixes z = focal / (v - cy)
    ramp = np.random.default_rng(0).integers(0, 256, (8, 1, 4), dtype=np.uint8)
    uvs = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    floor = quad([[-9, 1, 1], [9, 1, 1], [9, 1, 9], [-9, 1, 9]], uvs=uvs, material=textured(ramp, ("clamp", "clamp")))
    camera = Camera(np.eye(4), 200.0, 200.0, 40.0, 0.0, 80, 200)
    layer = draw(floor, camera)
    z = 200.0 / (np.arange(200) + 0.5)
    rows = np.flatnonzero((z > 1) & (z < 9))
    decoded = srgb_to_linear(ramp[:, 0, :3] / 255.0)
    expected = np.stack([np.interp((z[rows] - 1) / 8, (np.arange(8) + 0.5) / 8, decoded[:, k]) for k in range(3)], -1)
    assert len(rows) > 150
    np.testing.assert_allclose(layer.rgb[rows, 40], expected, atol=1e-9)


def test_vertex_colours_are_perspective_correct():
    colours = np.array([[1.0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1]])
    floor = quad([[-9, 1, 1], [9, 1, 1], [9, 1, 9], [-9, 1, 9]], colours=colours)
    layer = draw(floor, Camera(np.eye(4), 200.0, 200.0, 40.0, 0.0, 80, 200))
    far = (200.0 / 100.5 - 1) / 8
    np.testing.assert_allclose(layer.rgb[100, 40], [1 - far, far, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("mode", "order"),
    [
        ("repeat", [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2]),
        ("clamp", [0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3]),
        ("mirror", [1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2]),
    ],
)
def test_wrap_modes(mode, order):
    row = np.array([10, 80, 160, 250])
    pixels = np.stack([row, row, row, row], -1)[None].astype(np.uint8)
    _, pack = pack_materials((textured(pixels, (mode, mode)), textured(pixels.transpose(1, 0, 2), (mode, mode))))
    linear = srgb_to_linear(row / 255.0)
    for i, texel in enumerate(order):
        centre = (i - 2 + 0.5) / 4
        following = order[min(i + 1, len(order) - 1)]
        for texture, at in ((0, (centre, 0.5)), (1, (0.5, centre))):
            np.testing.assert_allclose(sample_texture(pack, texture, *at, 0.0)[0], linear[texel], atol=1e-12)
        between = sample_texture(pack, 0, centre + 0.125, 0.5, 0.0)[0]
        if i + 1 < len(order):
            np.testing.assert_allclose(between, 0.5 * (linear[texel] + linear[following]), atol=1e-12)
    assert np.isfinite(sample_texture(pack, 0, 3.4e38, -3.4e38, 0.0)).all()


def test_minified_texture_goes_to_its_mean():
    board = np.full((64, 64, 4), 255, np.uint8)
    board[(np.indices((64, 64)).sum(0) % 2) == 0, :3] = 0
    assert [level.shape[:2] for level in mip_pyramid(board[:5, :3])] == [(5, 3), (3, 2), (2, 1), (1, 1)]
    uvs = np.array([[0.0, 0], [8, 0], [8, 8], [0, 8]])
    small = quad([[-0.8, -0.8, 2], [0.8, -0.8, 2], [0.8, 0, 2], [-0.8, 0, 2]], uvs=uvs, material=textured(board))
    np.testing.assert_allclose(draw(small, plain_camera()).rgb[5:11, 9:23], 0.5, atol=0.005)


@pytest.mark.parametrize(("mode", "drawn"), [("OPAQUE", [1, 1, 1]), ("MASK", [0, 0, 1]), ("BLEND", [0, 1, 1])])
def test_alpha_modes(mode, drawn):
    stripes = np.full((1, 3, 4), 255, np.uint8)
    stripes[0, :, 3] = [20, 120, 220]
    uvs = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    material = textured(stripes, ("clamp", "clamp"), alpha_mode=mode, alpha_cutoff=0.6)
    front = quad([[-1.5, -1, 2], [1.5, -1, 2], [1.5, 1, 2], [-1.5, 1, 2]], uvs=uvs, material=material)
    layer = draw(front, plain_camera())
    np.testing.assert_array_equal(layer.alpha[12, [3, 16, 28]], drawn)


def test_nothing_is_drawn_where_nothing_is():
    far_behind = make_mesh([[0.0, 0, -3], [1, 0, -3], [0, 1, -3]], [[0, 1, 2]])
    point = make_mesh([[0.0, 0, 3]], [[0, 0, 0]])
    line = make_mesh([[-1.0, 0.01, 3], [0, 0.01, 3], [1, 0.01, 3]], [[0, 1, 2]])
    edge_on = make_mesh([[0.0, 0, 1], [0, 0, 5], [0, 1, 3]], [[0, 1, 2]])
    none = make_mesh(np.zeros((0, 3)), [])
    loose = make_mesh([[0.0, 0, 3]], [])
    for mesh in (far_behind, point, line, edge_on, none, loose):
        layer = draw(mesh, plain_camera())
        assert (layer.alpha == 0).all()
        assert (layer.rgb == 0).all()
        assert np.isinf(layer.depth).all()


def test_a_triangle_through_the_camera_is_cut_at_the_near_plane():
    # a floor from far behind to far ahead fills the picture below the horizon, and nothing above it
    floor = quad([[-50, 1, -50], [50, 1, -50], [50, 1, 50], [-50, 1, 50]])
    layer = draw(floor, plain_camera())
    assert (layer.alpha[:12] == 0).all()
    assert (layer.alpha[13:] == 1).all()
    np.testing.assert_allclose(layer.depth[20], 20 / 8.5, rtol=1e-12)


def test_both_sides_are_lit_alike():
    corners = [[-1, -1, 2], [1, -1, 2], [1, 1, 2], [-1, 1, 2]]
    one = draw(quad(corners), plain_camera(), light=Light())
    other = draw(quad(corners[::-1]), plain_camera(), light=Light())
    np.testing.assert_allclose(one.rgb, other.rgb, atol=1e-12)
    toward = np.array([0.0, 0, -1])
    np.testing.assert_allclose(one.rgb[12, 16], light_reference(Light(), toward), atol=1e-12)


# --- light ---------------------------------------------------------------------------------------------------------


def test_normals_of_a_sphere_are_smooth_across_its_seam():
    points, triangles = sphere()
    normals = corner_normals(points, triangles, find_smoothing(points, triangles, CREASE))
    np.testing.assert_allclose(normals, points[triangles], atol=0.05)
    _, places = np.unique(np.round(points, 6) + 0.0, axis=0, return_inverse=True)
    assert places.max() + 1 < len(points) - 10, "the seam's vertices are doubled"
    places = places.reshape(-1)[triangles].ravel()
    first = np.unique(places, return_index=True)[1]
    np.testing.assert_allclose(normals.reshape(-1, 3), normals.reshape(-1, 3)[first][places], atol=1e-12)


def test_normals_equal_the_slow_twin_in_a_pose():
    points, triangles = sphere(5, 7)
    posed = points * [1.0, 2.0, 0.5] + [0.3, 0, 0] * points[:, 1:2] ** 2
    found = corner_normals(posed, triangles, find_smoothing(points, triangles, CREASE))
    np.testing.assert_allclose(found, corner_normals_reference(points, posed, triangles, CREASE), atol=1e-12)


def test_creases_stay_sharp():
    points, triangles = box([0, 0, 0], [1, 1, 1])
    sharp = corner_normals(points, triangles, find_smoothing(points, triangles, CREASE))
    assert (np.abs(sharp).max(-1) == 1.0).all()
    soft = corner_normals(points, triangles, find_smoothing(points, triangles, np.radians(100.0)))
    assert np.abs(soft).max() < 0.99


def test_colours_are_encoded_once():
    values = np.linspace(0, 1, 4001)
    np.testing.assert_allclose(linear_to_srgb(srgb_to_linear(values)), values, atol=1e-9)
    assert np.abs(linear_to_srgb_bytes(values).astype(int) - np.round(linear_to_srgb(values) * 255)).max() <= 1
    np.testing.assert_array_equal(linear_to_srgb_bytes(srgb_to_linear(np.arange(256) / 255.0)), np.arange(256))
    half = Light(key_colour=(0.0, 0.0, 0.0), sky_colour=(0.5, 0.5, 0.5), ground_colour=(0.5, 0.5, 0.5))
    square = quad([[-9, -9, 2], [9, -9, 2], [9, 9, 2], [-9, 9, 2]])
    picture = render_frames(
        square, square.vertices[None], [plain_camera()], config=RenderConfig(light=half, ground=None)
    )
    assert (picture == 188).all()


# --- cameras -------------------------------------------------------------------------------------------------------


def test_azimuth_zero_sees_the_right_side_walking_to_the_right():
    camera = orbit_camera([0.0, 1.0, 0.0], 5.0, fov=np.radians(40), width=200, height=100)
    np.testing.assert_allclose(camera.eye, [0, 1, 5], atol=1e-12)
    (middle, ahead, above, left), depth = camera.project(np.array([[0.0, 1, 0], [1, 1, 0], [0, 2, 0], [0, 1, -1]]))
    focal = 50 / np.tan(np.radians(20))
    np.testing.assert_allclose(middle, [100, 50], atol=1e-9)
    np.testing.assert_allclose(ahead, [100 + focal / 5, 50], atol=1e-9)
    np.testing.assert_allclose(above, [100, 50 - focal / 5], atol=1e-9)
    np.testing.assert_allclose(left, [100, 50], atol=1e-9)
    np.testing.assert_allclose(depth, [5, 5, 5, 6], atol=1e-12)


def test_front_and_top_views():
    front = orbit_camera([0.0, 0.0, 0.0], 4.0, np.pi / 2)
    np.testing.assert_allclose(front.eye, [4, 0, 0], atol=1e-12)
    assert front.project(np.array([[0.0, 0, -1]]))[0][0, 0] > front.cx + 1, "its left is at the picture's right"
    top = orbit_camera([0.0, 0.0, 0.0], 4.0, 0.0, np.pi / 2)
    np.testing.assert_allclose(top.eye, [0, 4, 0], atol=1e-12)
    pixel = top.project(np.array([[1.0, 0, -1]]))[0][0]
    np.testing.assert_allclose(pixel - [top.cx, top.cy], [top.fx / 4, -top.fy / 4], atol=1e-9)


@pytest.mark.parametrize(("azimuth", "elevation"), [(0.0, 0.0), (0.7, 0.3), (-2.0, -0.5), (3.0, 1.2), (0.0, np.pi / 2)])
def test_look_at_and_orbit_agree(azimuth, elevation):
    orbit = orbit_camera([0.2, 0.5, -0.3], 3.0, azimuth, elevation)
    direct = look_at(orbit.eye, [0.2, 0.5, -0.3])
    np.testing.assert_allclose(direct.T_camera_world, orbit.T_camera_world, atol=1e-9)


@pytest.mark.parametrize(
    ("width", "height", "azimuth", "elevation"), [(64, 64, 0.0, 0.0), (200, 60, 1.0, 0.4), (50, 90, 4.0, 1.5)]
)
def test_framed_points_touch_the_margin(width, height, azimuth, elevation):
    points = np.random.default_rng(3).normal(size=(3, 50, 3)) * [3.0, 1.0, 0.5] + [5, 0, 2]
    camera = frame_camera(points, azimuth, elevation, np.radians(35), width, height, 0.2)
    pixels, depth = camera.project(points)
    assert (depth > 0).all()
    reach = (pixels.reshape(-1, 2) - [camera.cx, camera.cy]) / [width / 2, height / 2]
    assert np.abs(reach).max() == pytest.approx(0.8, abs=1e-9)
    tight = int(np.abs(reach).max(0).argmax())
    assert reach[:, tight].max() == pytest.approx(0.8, abs=1e-9)
    assert reach[:, tight].min() == pytest.approx(-0.8, abs=1e-9)


def test_one_point_can_be_framed():
    pixel, depth = frame_camera(np.array([[1.0, 2, 3]]), 0.4, 0.1, width=40, height=30).project(np.array([[1.0, 2, 3]]))
    np.testing.assert_allclose(pixel, [[20, 15]], atol=1e-6)
    assert depth[0] >= 0.1 - 1e-12


@pytest.mark.parametrize(
    "make",
    [
        lambda: Camera(np.diag([1.0, 1, 2, 1]), 1.0, 1.0, 0.0, 0.0, 4, 4),
        lambda: Camera(np.diag([-1.0, 1, 1, 1]), 1.0, 1.0, 0.0, 0.0, 4, 4),
        lambda: Camera(np.eye(4), 0.0, 1.0, 0.0, 0.0, 4, 4),
        lambda: Camera(np.eye(4), 1.0, 1.0, 0.0, 0.0, 0, 4),
        lambda: look_at([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
        lambda: orbit_camera([0.0, 0.0, 0.0], 1.0, fov=4.0),
        lambda: frame_camera(np.zeros((0, 3))),
        lambda: frame_camera(np.full((1, 3), np.nan)),
        lambda: frame_camera(np.zeros((1, 3)), margin=1.0),
    ],
)
def test_impossible_cameras_are_refused(make):
    with pytest.raises(ConfigError):
        make()


# --- ground --------------------------------------------------------------------------------------------------------


def test_checker_filter_is_the_mean_over_its_box():
    rng = np.random.default_rng(5)
    for x, z, w_x, w_z in rng.uniform([-5, -5, 0.05, 0.05], [5, 5, 4, 4], (20, 4)):
        grid = (np.arange(800) + 0.5) / 800 - 0.5
        xs, zs = np.floor(x + w_x * grid), np.floor(z + w_z * grid)
        exact = ((xs[:, None] + zs[None, :]) % 2 == 0).mean()
        assert checker(x, z, w_x, w_z) == pytest.approx(exact, abs=0.004)
    assert checker(0.3, 0.6, 0.0, 0.0) == pytest.approx(1.0)
    assert checker(-0.3, 0.6, 0.0, 0.0) == pytest.approx(0.0, abs=1e-6)
    assert checker(123.4, 567.8, 1e7, 1e7) == pytest.approx(0.5, abs=1e-9)


def test_the_ground_is_a_mean_of_finer_pictures_and_grey_at_the_horizon():
    ground = Checkerboard(cell=0.5, haze=0.0)
    camera = orbit_camera([0.0, 0.0, 0.0], 6.0, 0.4, 0.15, width=48, height=48)
    fine = orbit_camera([0.0, 0.0, 0.0], 6.0, 0.4, 0.15, width=48 * 12, height=48 * 12)
    picture = draw_ground(ground, camera, 1.0)
    exact = draw_ground(ground, fine, 1.0).reshape(48, 12, 48, 12, 3).mean((1, 3))
    assert np.abs(picture - exact).mean() < 0.006
    light, dark = np.array(ground.light_colour), np.array(ground.dark_colour)
    # the horizon lies tan(0.15) focal lengths above the middle
    horizon = int(camera.cy - camera.fy * np.tan(0.15))
    np.testing.assert_allclose(picture[horizon + 1], np.tile(0.5 * (light + dark), (48, 1)), atol=0.01)
    np.testing.assert_allclose(picture[horizon - 2], np.tile(ground.horizon_colour, (48, 1)), atol=0.03)
    assert (picture[0] < picture[horizon - 2]).all(), "the sky grows darker upwards"


def test_ground_squares_lie_where_they_should():
    ground = Checkerboard(cell=1.0, haze=0.0)
    camera = orbit_camera([0.0, 0.0, 0.0], 8.0, 0.3, 0.9, width=256, height=256)
    picture = draw_ground(ground, camera, 1.0)
    for x, z, colour in ((0.5, 0.5, "light"), (-0.5, 0.5, "dark"), (0.5, -0.5, "dark"), (1.5, 0.5, "dark")):
        u, v = camera.project(np.array([[x, 0.0, z]]))[0][0]
        np.testing.assert_allclose(picture[int(v), int(u)], getattr(ground, f"{colour}_colour"), atol=1e-6)


def test_cells_are_round_numbers():
    assert round_cell(2.0) == pytest.approx(0.5)
    assert round_cell(0.1) == pytest.approx(0.02)
    assert round_cell(40.0) == pytest.approx(10.0)


def test_height_grid_takes_the_lowest_surface():
    vertices = np.array([[0.0, 3, 0], [4, 3, 0], [0, 7, 4], [0, 1, 0], [1, 1, 0], [0, 1, 1]])
    heights = height_grid(vertices, np.array([[0, 1, 2], [3, 4, 5]], np.int32), np.array([-1.0, -1.0]), 1.0, 7, 7)
    assert heights[1, 1] == 1
    assert heights[1, 4] == pytest.approx(3)
    assert heights[3, 2] == pytest.approx(5)
    assert np.isinf(heights[0]).all()
    assert np.isinf(heights[4, 4])


def test_contact_shadow_follows_its_formula():
    ground = Checkerboard(shadow_strength=0.6, shadow_falloff=3.0)
    plate, triangles = np.array([[-1.0, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]]), np.array([[0, 1, 2], [0, 2, 3]])
    for height in (0.0, 0.3, 1.0, -0.2):
        shadow = cast_shadow(ground, plate + np.array([0, height, 0]), triangles, 2.0)
        i, j = np.round((0 - shadow.origin[::-1]) / shadow.cell).astype(int)
        assert shadow.darkness[i, j] == pytest.approx(0.6 * np.exp(-3.0 / 2.0 * max(height, 0)), rel=1e-6)
        assert shadow.darkness[0].max() < 1e-3
    lit = draw_ground(Checkerboard(haze=0.0), orbit_camera([0.0, 0.0, 0.0], 9.0, 0.0, 1.2, width=64, height=64), 2.0)
    dark = draw_ground(
        Checkerboard(haze=0.0), orbit_camera([0.0, 0.0, 0.0], 9.0, 0.0, 1.2, width=64, height=64), 2.0, shadow
    )
    np.testing.assert_allclose(dark[32, 32], 0.4 * lit[32, 32], rtol=1e-6)
    np.testing.assert_array_equal(dark[:4], lit[:4])


def test_the_shadow_moves_with_the_body_without_change():
    points, triangles = box([0.013, 0.1, 0], [0.5, 0.4, 0.3])
    ground = Checkerboard()
    first = cast_shadow(ground, points, triangles, 0.5)
    second = cast_shadow(ground, points + np.array([7 * first.cell, 0, -3 * first.cell]), triangles, 0.5)
    np.testing.assert_allclose(second.origin - first.origin, [7 * first.cell, -3 * first.cell], atol=1e-12)
    np.testing.assert_allclose(second.darkness, first.darkness, atol=1e-9)
    far = cast_shadow(
        ground,
        np.concatenate([points, points + np.array([500, 0, 0])]),
        np.concatenate([triangles, triangles + 8]),
        0.5,
    )
    assert max(far.darkness.shape) <= 512
    assert cast_shadow(ground, points, triangles[:0], 0.5) is NO_SHADOW


def test_from_below_there_is_only_sky():
    camera = orbit_camera([0.0, 0.0, 0.0], 5.0, 0.0, -0.3, width=16, height=16)
    assert np.isfinite(draw_ground(Checkerboard(), camera, 1.0)).all()


# --- pictures and films --------------------------------------------------------------------------------------------


def film_frames(count=7, height=48, width=64):
    """Large squares of plain colour that move a square per frame: kind to chroma subsampling."""
    colours = np.array([[230, 40, 40], [40, 200, 60], [50, 60, 220], [240, 240, 240], [20, 20, 20], [200, 180, 40]])
    i, j = np.indices((height, width)) // 16
    return np.stack([colours[(i + j + k) % 6] for k in range(count)]).astype(np.uint8)


@pytest.mark.parametrize(
    ("name", "fps"),
    [("a.mp4", 24.0), ("a.mp4", 29.97), ("a.MP4", 60.0), ("a.gif", 20.0), ("a.gif", 24.0), ("a.webp", 24.0)],
)
def test_films_come_back(tmp_path, name, fps):
    frames = film_frames()
    write_film(tmp_path / name, frames, fps)
    back, rate = read_film(tmp_path / name)
    assert back.shape == frames.shape
    assert rate == pytest.approx(fps, rel=1e-6 if name.lower().endswith("mp4") else 0.02)
    difference = np.abs(back.astype(int) - frames)
    assert difference.mean() < 4
    centres = difference.reshape(7, 3, 16, 4, 16, 3)[:, :, 4:12, :, 4:12]
    assert centres.max() <= 8
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_odd_films_are_padded(tmp_path):
    frames = film_frames(3, 33, 47)
    write_film(tmp_path / "odd.mp4", frames, 10.0)
    back, _ = read_film(tmp_path / "odd.mp4")
    assert back.shape == (3, 34, 48, 3)
    assert np.abs(back[:, :33, :47].astype(int) - frames).mean() < 5


@pytest.mark.parametrize("name", ["one.mp4", "one.gif", "one.webp"])
def test_one_frame_is_a_film(tmp_path, name):
    write_film(tmp_path / name, film_frames(1), 25.0)
    back, rate = read_film(tmp_path / name)
    assert len(back) == 1
    assert rate > 0


def test_nothing_is_left_behind_when_writing_fails(tmp_path, monkeypatch):
    target = tmp_path / "film.mp4"
    target.write_bytes(b"the older film")
    monkeypatch.setattr(film, "_count_frames", lambda path, suffix, rate: (3, (48, 64)))
    with pytest.raises(GambolError, match="came back"):
        write_film(target, film_frames(), 24.0)

    def broken(path, *rest):
        path.write_bytes(b"half a film")
        raise KeyboardInterrupt

    monkeypatch.setitem(film.ENCODERS, ".mp4", broken)
    with pytest.raises(KeyboardInterrupt):
        write_film(target, film_frames(), 24.0)
    monkeypatch.setattr(film, "decode_picture", lambda data, what: np.zeros((48, 64, 4), np.uint8))
    with pytest.raises(GambolError, match="other pixels"):
        write_png(tmp_path / "new.png", film_frames()[0])
    assert target.read_bytes() == b"the older film"
    assert [p.name for p in tmp_path.iterdir()] == ["film.mp4"]


@pytest.mark.parametrize(
    ("name", "frames", "fps"),
    [
        ("a.avi", film_frames(2), 24.0),
        ("a.mp4", film_frames(2)[:0], 24.0),
        ("a.mp4", film_frames(2).astype(float), 24.0),
        ("a.mp4", film_frames(2), 0.0),
        ("a.mp4", film_frames(2), float("nan")),
        ("a.gif", film_frames(2), 60.0),
    ],
)
def test_impossible_films_are_refused(tmp_path, name, frames, fps):
    with pytest.raises((ConfigError, TypeError)):  # the run-time type checks may refuse the dtype first
        write_film(tmp_path / name, frames, fps)
    assert not list(tmp_path.iterdir())


def test_unreadable_films_are_refused(tmp_path):
    (tmp_path / "noise.mp4").write_bytes(b"no film at all" * 100)
    for name in ("noise.mp4", "missing.mp4"):
        with pytest.raises(AssetError, match="cannot be read"):
            read_film(tmp_path / name)


def test_pictures_come_back_exactly(tmp_path):
    from gambol.files.images import decode_picture

    image = np.random.default_rng(0).integers(0, 256, (13, 9, 4), dtype=np.uint8)
    write_png(tmp_path / "a.png", image)
    np.testing.assert_array_equal(decode_picture((tmp_path / "a.png").read_bytes(), "a.png"), image)
    with pytest.raises(ConfigError):
        write_png(tmp_path / "a.jpg", image)


def test_contact_sheet_places_pictures_and_captions():
    frames = np.stack([np.full((10, 60, 3), 10 * k, np.uint8) for k in range(5)])
    plain = contact_sheet(frames, 3, gap=2)
    assert plain.shape == (2 * 12 + 2, 3 * 62 + 2, 3)
    assert (plain[2:12, 64:124] == 10).all()
    assert (plain[14:24, 64:124] == 40).all()
    assert (plain[14:24, 126:] == 255).all()
    named = contact_sheet(frames, 3, ["a", "b", "", "d", "~é"], gap=2)
    strip = (len(named) - len(plain)) // 2
    assert (named[12 : 12 + strip, 2:62] < 100).any()
    assert (named[12 : 12 + strip, 126:186] == 255).all()  # an empty caption
    assert (named[14 + strip : 24 + strip, 64:124] == 40).all()
    for bad in ({"columns": 0}, {"columns": 2, "captions": ["one"]}):
        with pytest.raises(ConfigError):
            contact_sheet(frames, **bad)


def test_captions_keep_to_their_picture_and_to_one_size():
    short, accents, plain = caption_strips(("walk", "marché à", "marche a"), 200)
    assert short.shape == accents.shape == (*short.shape[:1], 200, 3)
    np.testing.assert_array_equal(accents, plain)
    ink = np.flatnonzero((short < 255).any((0, 2)))
    assert abs((ink[0] + ink[-1]) / 2 - 100) <= 2  # centred
    small, cut = caption_strips(("walk", "a caption that is far too long for its picture"), 60)
    assert len(small) < len(short)
    ends = caption_strips(("a caption that is something else altogether",), 60)[0]
    np.testing.assert_array_equal(cut[:, :30], ends[:, :30])  # what does not fit is not seen


# --- the whole picture ---------------------------------------------------------------------------------------------


def walking_box(frames=4):
    points, triangles = box([-0.5, 0, -0.2], [0.5, 0.5, 0.2])
    mesh = make_mesh(points, triangles, material=Material(base_colour=(0.8, 0.1, 0.1, 1.0)))
    return mesh, points + np.arange(frames)[:, None, None] * np.array([0.2, 0.0, 0.0])


def test_frames_do_not_depend_on_threads_and_report_progress():
    mesh, vertices = walking_box()
    cameras = follow_camera_list(vertices, View("", 0.5, 0.3), 64, 48)
    reports = []
    one = render_frames(mesh, vertices, cameras, config=RenderConfig(threads=1), progress=lambda *r: reports.append(r))
    two = render_frames(mesh, vertices, cameras, config=RenderConfig(threads=3))
    np.testing.assert_array_equal(one, two)
    assert one.shape == (4, 48, 64, 3)
    assert [r[:2] for r in reports] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    reds = (one[..., 0].astype(int) > one[..., 1] + 60).mean((1, 2))
    assert (reds > 0.1).all(), "the box is in every picture"
    assert not np.array_equal(one[0], one[1]), "the checkerboard passes by"


def test_float32_vertices_and_empty_meshes_are_drawn():
    mesh, vertices = walking_box(1)
    camera = frame_camera(vertices[0], width=32, height=32)
    picture = render_frames(mesh, vertices.astype(np.float32), [camera])
    assert np.abs(picture.astype(int) - render_frames(mesh, vertices, [camera])).max() <= 2
    empty = make_mesh(np.zeros((0, 3)), [])
    plain = render_frames(
        empty, np.zeros((1, 0, 3)), [camera], config=RenderConfig(ground=None, background=(0.0, 0.4, 1.0))
    )
    np.testing.assert_array_equal(plain[0, 0, 0], [0, 102, 255])
    assert (plain == plain[0, 0, 0]).all()
    assert render_frames(empty, np.zeros((1, 0, 3)), [camera]).std() > 0


def test_the_skeleton_is_painted_where_it_projects():
    camera = plain_camera()
    black = np.zeros((24, 32, 3), np.uint8)
    heads, tails = np.array([[-0.55, 0.05, 2.0]]), np.array([[0.55, 0.05, 2.0]])
    painted = draw_skeleton_overlay(black, camera, heads, tails, colour=(1.0, 1.0, 1.0), radius=1.0)
    assert (painted[12, 11:21] == 255).all(), "the middle of the line, y = 12.5"
    assert (painted[11, 15:21] == 128).all(), "one pixel off: half"
    assert (painted[9] == 0)[15:].all()
    assert (painted[10, 10] > 0).all(), "the dot at the head is wider"
    assert (black == 0).all()
    behind = draw_skeleton_overlay(black, camera, -heads, -tails)
    assert (behind == 0).all()
    through = draw_skeleton_overlay(black, camera, np.array([[0.0, 1, -1]]), np.array([[0.0, 1, 3]]))
    assert through[20, 16].any()
    assert not through[4, 16].any()


def test_broken_input_is_named():
    mesh, vertices = walking_box()
    cameras = follow_camera_list(vertices, View("", 0.0, 0.0), 16, 16)
    broken = vertices.copy()
    broken[2, 3, 1] = np.nan
    with pytest.raises(ConfigError, match="Frame 2 of 4"):
        render_frames(mesh, broken, cameras)
    with pytest.raises(ConfigError, match="3 cameras for 4 frames"):
        render_frames(mesh, vertices, cameras[:3])
    with pytest.raises(ConfigError, match="one size"):
        render_frames(mesh, vertices, [*cameras[:3], plain_camera()])
    with pytest.raises(ConfigError, match=r"\[frames, 8, 3\]"):
        render_frames(mesh, vertices[:, :7], cameras)
    with pytest.raises(AssetError, match="material 5 of 1"):
        prepare_mesh(Mesh(mesh.vertices, mesh.triangles, np.full(len(mesh.triangles), 5), mesh.materials))
    for config in ({"supersample": 0}, {"width": 0}, {"threads": 0}):
        with pytest.raises(ConfigError):
            RenderConfig(**config)
    for ground in ({"cell": 0.0}, {"shadow_strength": 1.5}, {"haze": -1.0}):
        with pytest.raises(ConfigError):
            Checkerboard(**ground)
    with pytest.raises(ConfigError):
        Light(direction=(0.0, 0.0, 0.0))
