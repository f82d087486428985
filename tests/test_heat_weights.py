"""Heat weights: the equation itself, its symmetries, and surfaces that are not clean."""

from itertools import pairwise

import numpy as np
import pytest
import trimesh
from scipy.sparse import diags
from scipy.sparse.linalg import spsolve

from gambol.character.rigging.heat_weights import HeatConfig, heat_weights, surface_matrices
from gambol.character.rigging.segment_occlusion import TOUCH_TOLERANCE, blocked, box_tree
from gambol.character.rigging.sparse_factorisation import dissect, factorise
from gambol.character.rigging.visible_bones import all_bones, nearest_bones, plain_distances, vertex_normals
from gambol.character.rigging.weld_seams import weld
from gambol.character.skeleton import BoneSegments
from gambol.errors import AssetError, ConfigError


def bones(*ends):
    """A bone per pair of ends."""
    ends = np.array(ends, float).reshape(-1, 2, 3)
    return BoneSegments(np.arange(len(ends)), ends[:, 0], ends[:, 1])


def tube(length=6.0, radius=1.0, along=120, around=24, middle=0.0):
    """A closed cylinder along x."""
    x = np.linspace(-length, length, along) + middle
    angle = 2 * np.pi * np.arange(around) / around
    ring = np.stack([np.zeros(around), radius * np.cos(angle), radius * np.sin(angle)], 1)
    points = (ring[None] + x[:, None, None] * [1.0, 0.0, 0.0]).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(along - 1), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    faces = np.concatenate([np.stack([a, b, a + around], -1), np.stack([b, b + around, a + around], -1)])
    faces = faces.reshape(-1, 3)
    caps = [[len(points), (k + 1) % around, k] for k in range(around)]
    last = (along - 1) * around
    caps += [[len(points) + 1, last + k, last + (k + 1) % around] for k in range(around)]
    return np.concatenate([points, [[x[0], 0, 0], [x[-1], 0, 0]]]), np.concatenate([faces, caps])


def blob(seed=0, subdivisions=3):
    """A lumpy closed body with a skeleton of four bones inside."""
    generator = np.random.default_rng(seed)
    sphere = trimesh.creation.icosphere(subdivisions=subdivisions)
    points = np.array(sphere.vertices)
    lumps = generator.normal(size=(6, 3))
    points = points * (1.0 + 0.1 * np.cos(points @ lumps.T).sum(1, keepdims=True)) * [3.0, 1.0, 1.0]
    spine = np.array([[-2.4, 0, 0], [-0.9, 0.1, 0.1], [0.3, -0.1, 0.0], [1.2, 0.1, 0.0], [2.5, 0, 0]])
    return points, np.array(sphere.faces), bones(*pairwise(spine))


def dense(points, faces, segments, **settings):
    return heat_weights(points, faces, segments, len(segments), config=HeatConfig(**settings)).dense()


def test_two_bones_in_a_long_tube_follow_the_closed_form():
    """On a tube of radius r with the bones on its axis d = r, so w'' = c / r^2 (w - p): w = exp(-sqrt(c) x / r) / 2."""
    points, faces = tube(along=241, around=32)
    segments = bones([[-6, 0, 0], [0, 0, 0]], [[0, 0, 0], [6, 0, 0]])
    for c in (1.0, 4.0):
        weights = dense(points, faces, segments, c=c, fade=(0.0, 0.0))
        middle = np.abs(points[:, 0]) < 3.0
        x = points[middle, 0]
        expected = np.where(x > 0, 0.5 * np.exp(-np.sqrt(c) * x), 1 - 0.5 * np.exp(np.sqrt(c) * x))
        assert np.abs(weights[middle, 0] - expected).max() < 0.01


def test_the_fast_solution_is_the_plain_one():
    """Dense matrices, every vertex against every bone and triangle, no tree and no factor."""
    points, faces, segments = blob(subdivisions=2)
    config = HeatConfig(fade=(0.0, 0.0), influences=4)
    fast = heat_weights(points, faces, segments, 4, config=config).dense()
    mesh = weld(points, faces)
    L, areas = surface_matrices(mesh)
    normals = vertex_normals(mesh)
    sources, shares = np.zeros(len(points)), np.zeros((len(points), 4))
    for i, (point, normal) in enumerate(zip(mesh.vertices, normals, strict=True)):
        reaches, towards = [], []
        for head, tail in zip(segments.heads, segments.tails, strict=True):
            u = np.clip((point - head) @ (tail - head) / ((tail - head) @ (tail - head)), 0, 1)
            towards.append(head + u * (tail - head) - point)
            length = np.linalg.norm(towards[-1])
            reaches.append(length / (0.5 * (1.001 - towards[-1] @ normal / length)))
        closest = np.flatnonzero(np.array(reaches) <= min(reaches) * (1 + 1e-4))
        seen = [b for b in closest if not slowly_blocked(mesh, i, towards[b])]
        if seen:
            sources[i] = config.c * len(seen) / min(reaches) ** 2
            shares[i, seen] = 1.0 / len(seen)
    expected = np.linalg.solve(np.diag(areas * sources) - L.toarray(), (areas * sources)[:, None] * shares)
    assert np.abs(expected.sum(1) - 1.0).max() < 1e-9
    assert np.abs(fast - expected[mesh.of_drawn]).max() < 1e-6


def slowly_blocked(mesh, vertex, towards):
    """Whether the segment enters any triangle that does not have the vertex as a corner: by Cramer's rule, for all."""
    others = mesh.triangles[(mesh.triangles != vertex).all(1)]
    a, b, c = (mesh.vertices[others[:, k]] for k in range(3))
    normal, start = np.cross(b - a, c - a), mesh.vertices[vertex] - a
    into = normal @ towards
    into[into >= -1e-15] = np.nan
    u = np.einsum("ti,ti->t", np.cross(start, towards), c - a) / -into
    v = np.einsum("ti,ti->t", np.cross(towards, start), b - a) / -into
    t = np.einsum("ti,ti->t", start, normal) / -into
    return bool(
        ((u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (t >= -TOUCH_TOLERANCE) & (t <= 1 - TOUCH_TOLERANCE)).any()
    )


def test_the_tree_of_boxes_sees_what_all_triangles_show():
    ring = trimesh.creation.torus(2.0, 0.7, major_sections=40, minor_sections=16)
    mesh, generator = weld(np.array(ring.vertices), np.array(ring.faces)), np.random.default_rng(3)
    tree, stack = box_tree(mesh.vertices, mesh.triangles), np.empty(128, np.int64)
    told = []
    for vertex in generator.integers(0, len(mesh.vertices), 60):
        towards = generator.uniform([-3, -3, -1], [3, 3, 1]) - mesh.vertices[vertex]
        fast = blocked(tree.corners, tree.indices, tree.low, tree.high, vertex, mesh.vertices[vertex], towards, stack)
        told.append(fast)
        assert fast == slowly_blocked(mesh, vertex, towards)
    assert 5 < sum(told) < 55


def test_the_factor_solves_the_system_and_the_order_is_a_permutation():
    points, faces, _ = blob(subdivisions=4)
    L, areas = surface_matrices(weld(points, faces))
    A = (diags(areas) - L).tocsc()
    right = np.random.default_rng(0).normal(size=(len(points), 5))
    mesh = weld(points, faces)
    assert np.array_equal(np.sort(dissect(mesh.vertices, A.tocoo())), np.arange(len(points)))
    assert np.abs(factorise(A, mesh.vertices).solve(right) - spsolve(A, right)).max() < 1e-9


def test_one_bone_moves_everything():
    points, faces, _ = blob()
    assert np.array_equal(dense(points, faces, bones([[-2, 0, 0], [2, 0, 0]])), np.ones((len(points), 1)))


def test_a_mirrored_mesh_has_mirrored_weights():
    points, faces, segments = blob(1)
    flip = np.array([1.0, 1.0, -1.0])
    mirrored = BoneSegments(segments.bones, segments.heads * flip, segments.tails * flip)
    ours, theirs = dense(points, faces, segments), dense(points * flip, faces[:, ::-1], mirrored)
    assert np.abs(ours - theirs).max() < 1e-6


@pytest.mark.parametrize("scale", [100.0, 0.01])
def test_scale_and_rigid_motion_change_nothing(scale):
    points, faces, segments = blob(2)
    turn = trimesh.transformations.random_rotation_matrix(np.array([0.1, 0.5, 0.9]))[:3, :3]
    move = lambda x: scale * x @ turn.T + [3.0 * scale, -7.0 * scale, 2.0 * scale]  # noqa: E731
    moved = BoneSegments(segments.bones, move(segments.heads), move(segments.tails))
    assert np.abs(dense(points, faces, segments) - dense(move(points), faces, moved)).max() < 1e-5


def subdivision_change(subdivisions):
    """How the weights of the old vertices change when every triangle becomes four."""
    points, faces, segments = blob(subdivisions=subdivisions)
    finer_points, finer_faces = trimesh.remesh.subdivide(points, faces)
    return np.abs(dense(points, faces, segments) - dense(finer_points, finer_faces, segments)[: len(points)])


def test_subdividing_hardly_changes_the_weights():
    assert subdivision_change(4).sum(1).mean() < 0.02


@pytest.mark.slow
def test_subdividing_ten_thousand_vertices_changes_no_weight_by_two_percent():
    change = subdivision_change(5)
    assert change.max() < 0.02
    assert change.sum(1).mean() < 0.005


def test_feet_that_touch_do_not_share_weights():
    """Two boxes side by side, each with its bone: the touching walls coincide, point by point."""
    box = trimesh.creation.box((1, 2, 1)).subdivide().subdivide()
    points = np.concatenate([np.add(box.vertices, [-0.5, 0, 0]), np.add(box.vertices, [0.5, 0, 0])])
    faces = np.concatenate([box.faces, box.faces + len(box.vertices)])
    segments = bones([[-0.5, -0.9, 0], [-0.5, 0.9, 0]], [[0.5, -0.9, 0], [0.5, 0.9, 0]])
    expected = np.repeat(np.eye(2), len(box.vertices), axis=0)
    for per_bone in (False, True):
        assert np.array_equal(dense(points, faces, segments, per_bone=per_bone), expected)
    # the same as loose triangles with three vertices of their own each
    soup = points[faces.ravel()]
    weights = dense(soup, np.arange(len(soup)).reshape(-1, 3), segments)
    assert np.array_equal(weights, np.repeat(np.eye(2), 3 * len(box.faces), axis=0))


def test_legs_of_one_body_keep_their_own_weights():
    """A trouser shape whose legs nearly touch: below the crotch no leg follows the other's bone."""
    left, body = trimesh.creation.box((0.9, 3, 1)), trimesh.creation.box((2, 1, 1))
    blocks = [left.apply_translation([-0.5, -2, 0]), trimesh.creation.box((0.9, 3, 1)), body]
    blocks[1].apply_translation([0.5, -2, 0])
    points, faces = voxel_surface(blocks, 0.049)
    segments = bones([[0, 0.4, 0], [0, -0.4, 0]], [[-0.5, -0.5, 0], [-0.5, -3.4, 0]], [[0.5, -0.5, 0], [0.5, -3.4, 0]])
    weights = dense(points, faces, segments)
    low = points[:, 1] < -1.5
    assert weights[low & (points[:, 0] < 0), 2].max() < 0.01
    assert weights[low & (points[:, 0] > 0), 1].max() < 0.01


def voxel_surface(blocks, step):
    """The faces between full and empty cells of a grid, as triangles; corners are shared."""
    low = np.min([b.bounds[0] for b in blocks], axis=0) - 2 * step
    high = np.max([b.bounds[1] for b in blocks], axis=0) + 2 * step
    axes = [np.arange(a, b, step) for a, b in zip(low, high, strict=True)]
    centres = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    inside = [(np.abs(centres - b.bounds.mean(0)) < 0.5 * np.ptp(b.bounds, axis=0)).all(-1) for b in blocks]
    full = np.any(inside, axis=0)
    quads = []
    for axis in range(3):
        for sign in (1, -1):
            outwards = full & ~np.roll(full, -sign, axis)
            cells = np.argwhere(outwards)
            u, v = [np.eye(3, dtype=int)[(axis + k) % 3] for k in (1, 2)]
            base = cells + (np.eye(3, dtype=int)[axis] if sign > 0 else 0)
            ring = [base, base + u, base + u + v, base + v]
            quads.append(np.stack(ring if sign > 0 else ring[::-1], 1))
    corners = np.concatenate(quads)
    places, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    index = index.reshape(-1, 4)
    return low + step * (places - 0.5), np.concatenate([index[:, [0, 1, 2]], index[:, [0, 2, 3]]])


def test_loose_parts_isolated_vertices_and_broken_triangles_all_get_weights():
    points, faces, segments = blob()
    eye = trimesh.creation.icosphere(subdivisions=1, radius=0.1)
    all_points = np.concatenate(
        [points, np.add(eye.vertices, [2.6, 0.8, 0]), [[9.0, 9, 9], [-2.4, 0, 0.01]], points[:3]]
    )
    count = len(points) + len(eye.vertices)
    broken = [[0, 0, 1], [2, 3, 2], [count, count, count], [count + 2, count + 3, count + 4]]
    all_faces = np.concatenate([faces, eye.faces + len(points), faces[:2], faces[2:3, ::-1], broken])
    weights = heat_weights(all_points, all_faces, segments, 4)
    full = weights.dense()
    assert np.isfinite(full).all()
    assert np.abs(full.sum(1) - 1).max() < 1e-6
    assert np.abs(full[: len(points)] - dense(points, faces, segments)).max() < 0.35
    assert np.array_equal(full[count], np.eye(4)[3])
    assert np.array_equal(full[count + 1], np.eye(4)[0])
    assert full[len(points) : count, 3].min() > 0.9


def test_a_part_that_sees_no_bone_goes_to_the_nearest_one():
    points, faces, segments = blob()
    flake = np.array([[2.0, 2.0, 0.0], [2.2, 2.0, 0.0], [2.0, 2.0, 0.2], [2.2, 2.0, 0.2]])
    shell = np.array([[0, 1, 2], [1, 3, 2]])  # its outside looks at the body
    for sheet in (shell, shell[:, ::-1]):
        all_faces = np.concatenate([faces, sheet + len(points)])
        full = dense(np.concatenate([points, flake]), all_faces, segments)
        assert np.array_equal(full[-4:], np.eye(4)[[3, 3, 3, 3]])


def test_seams_conduct_heat():
    """Cut into loose triangles, the same body gets the same weights."""
    points, faces, segments = blob()
    soup = points[faces.ravel()]
    apart = dense(soup, np.arange(len(soup)).reshape(-1, 3), segments)
    assert np.abs(apart - dense(points, faces, segments)[faces.ravel()]).max() < 1e-6


def test_an_inside_out_body_gets_the_weights_of_the_body():
    points, faces, segments = blob()
    straight, turned = dense(points, faces, segments), dense(points, faces[:, ::-1], segments)
    assert np.abs(straight - turned).max() < 1e-6


def test_a_body_with_holes_and_one_with_a_fin_still_work():
    points, faces, segments = blob()
    closed = dense(points, faces, segments)
    holes = np.delete(faces, np.arange(0, len(faces), 25), axis=0)
    assert np.abs(dense(points, holes, segments) - closed).mean() < 0.02
    fin = np.concatenate([faces, [[faces[0, 0], faces[0, 1], len(points)], [faces[0, 1], faces[0, 0], len(points)]]])
    top = points[faces[0]].mean(0) * 1.3
    finned = dense(np.concatenate([points, top[None]]), fin, segments)
    assert np.isfinite(finned).all()
    assert np.abs(finned[:-1] - closed).mean() < 0.02


def test_welding_keeps_touching_solids_apart_and_joins_seams():
    box = trimesh.creation.box((1, 1, 1))
    both = np.concatenate([box.vertices, np.add(box.vertices, [1, 0, 0]), np.add(box.vertices, [1, 1, 0])])
    faces = np.concatenate([box.faces + 8 * k for k in range(3)])
    soup = both[faces.ravel()]
    mesh = weld(soup, np.arange(len(soup)).reshape(-1, 3))
    assert mesh.part_count == 3
    assert len(mesh.vertices) == 24
    assert np.abs(mesh.vertices[mesh.of_drawn] - soup).max() == 0


def test_a_sheet_with_two_sides_is_joined_at_its_border_only():
    grid = trimesh.creation.box((1, 1, 1)).subdivide()
    top = grid.faces[(grid.vertices[grid.faces][:, :, 1] > 0.49).all(1)]
    mesh = weld(np.array(grid.vertices), np.concatenate([top, top[:, ::-1]]))
    inner = np.abs(np.array(grid.vertices)[np.unique(top)])[:, [0, 2]].max(1) < 0.4
    assert mesh.part_count == 1
    assert len(mesh.vertices) == len(np.unique(top)) + inner.sum()


def test_a_vertex_follows_at_least_one_bone():
    with pytest.raises(ConfigError, match=r"^influences is 0; a vertex follows 1 bone or more, usually 4\.$"):
        HeatConfig(influences=0)


@pytest.mark.parametrize("influences", [1, 2, 4])
def test_no_more_bones_per_vertex_than_asked_for(influences):
    points, faces, segments = blob()
    weights = heat_weights(points, faces, segments, 4, config=HeatConfig(influences=influences, fade=(0.0, 0.0)))
    assert weights.weights.shape[1] <= influences
    assert np.abs(weights.weights.sum(1) - 1).max() < 1e-6


def test_bones_without_segments_get_nothing():
    points, faces, segments = blob()
    shifted = BoneSegments(segments.bones + 2, segments.heads, segments.tails)
    full = heat_weights(points, faces, shifted, 7).dense()
    assert full[:, [0, 1, 6]].max() == 0
    assert np.abs(full[:, 2:6] - dense(points, faces, segments)).max() < 1e-6


def test_per_bone_sources_follow_the_supplement():
    """(-L + M H_b) w_b = M H_b p_b for every bone, rows then made to sum to 1."""
    points, faces, segments = blob(subdivisions=2)
    mesh = weld(points, faces)
    L, areas = surface_matrices(mesh)
    far = all_bones(mesh, vertex_normals(mesh), segments, 4)
    expected = np.zeros((len(points), 4))
    for bone in range(4):
        H = np.where(np.isfinite(far[:, bone]), 4.0 / far[:, bone] ** 2, 0.0)
        closest = far == far.min(1, keepdims=True)
        p = closest[:, bone] / closest.sum(1)
        expected[:, bone] = np.linalg.solve(np.diag(areas * H) - L.toarray(), areas * H * p)
    expected /= expected.sum(1, keepdims=True)
    found = dense(points, faces, segments, per_bone=True, fade=(0.0, 0.0))
    assert np.abs(found - expected[mesh.of_drawn]).max() < 1e-6


def test_equally_close_bones_share_a_vertex():
    points, faces = tube(along=13)
    segments = bones([[-6, 0, 0], [0, 0, 0]], [[0, 0, 0], [6, 0, 0]])
    mesh = weld(points, faces)
    nearest = nearest_bones(mesh, vertex_normals(mesh), segments, 2, least=1e-6)
    middle = np.abs(mesh.vertices[:, 0]) < 1e-9
    assert middle.sum() == 24
    assert np.array_equal(nearest.shares[middle], np.full((24, 2), 0.5))
    assert np.allclose(nearest.sources[middle], 2.0, rtol=1e-2)


def test_plain_distances_are_those_to_the_segments():
    segments = bones([[0, 0, 0], [1, 0, 0]], [[0, 2, 0], [0, 2, 0]])
    gaps = plain_distances(np.array([[0.5, 1.0, 0], [3.0, 0, 0], [0, 2, 1.0]]), segments, 3)
    assert np.allclose(gaps[:, 0], [1.0, 2.0, np.sqrt(5)])
    assert np.allclose(gaps[:, 1], [np.sqrt(1.25), np.sqrt(13), 1.0])
    assert np.isinf(gaps[:, 2]).all()


def test_what_cannot_be_weighted_is_refused_with_a_sentence():
    points, faces, segments = blob(subdivisions=1)
    with pytest.raises(AssetError, match="at least one bone"):
        heat_weights(points, faces, bones(*np.zeros((0, 2, 3))), 1)
    with pytest.raises(AssetError, match="finite"):
        heat_weights(points * np.nan, faces, segments, 4)
    with pytest.raises(ConfigError, match="c must be above 0"):
        HeatConfig(c=0.0)


def test_a_cloud_of_points_goes_to_the_nearest_bones():
    points, _, segments = blob()
    weights = heat_weights(points, np.zeros((0, 3), int), segments, 4)
    assert np.array_equal(weights.dominant(), plain_distances(points, segments, 4).argmin(1))
