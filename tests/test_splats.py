"""Splats: what may be one, how bones move them, what colour they show, what files hold."""

import numpy as np
import pytest
import torch
from character_made_by_code import two_bone_scene

from gambol.character.character import make_character
from gambol.errors import AssetError, ConfigError
from gambol.files.splat_ply import read_splat_ply, write_splat_ply
from gambol.splats.binding import bind_splats, bone_weights, closest_weights, single_bone_weights
from gambol.splats.covariance import axes_from_covariance, covariance_from_axes, rotation_from_wxyz
from gambol.splats.harmonics import colours_from_harmonics, harmonics_basis, harmonics_from_colours, rotate_harmonics
from gambol.splats.skinned_splats import SkinnedSplats, deform, splat_colours, transform_splats
from gambol.splats.splat_file import read_splats, write_splats

QUARTER_TURN = torch.tensor([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # x to y, about z


def some_splats(count=20, *, degree=0, bones=3, seed=0) -> SkinnedSplats:
    generator = torch.Generator().manual_seed(seed)
    draw = lambda *shape: torch.randn(*shape, generator=generator)  # noqa: E731
    weights = torch.softmax(draw(count, 2), 1)
    return SkinnedSplats(
        draw(count, 3),
        covariance_from_axes(rotation_from_wxyz(draw(count, 4)), 0.1 + 0.05 * draw(count, 3).abs()),
        torch.sigmoid(draw(count)),
        0.3 * draw(count, (degree + 1) ** 2, 3),
        torch.randint(0, bones, (count, 2), generator=generator),
        weights,
        bones,
    )


def one_splat(**changes) -> SkinnedSplats:
    fields = {
        "centres": torch.tensor([[1.0, 0.0, 0.0]]),
        "covariances": torch.diag(torch.tensor([4.0, 1.0, 0.25]))[None],
        "opacities": torch.tensor([0.5]),
        "harmonics": torch.zeros(1, 1, 3),
        "bones": torch.tensor([[1]]),
        "weights": torch.tensor([[1.0]]),
        "bone_count": 2,
    }
    return SkinnedSplats(**{**fields, **changes})


def transforms(*matrices) -> torch.Tensor:
    T = torch.eye(4).repeat(len(matrices), 1, 1)
    for i, (R, t) in enumerate(matrices):
        T[i, :3, :3], T[i, :3, 3] = R, torch.as_tensor(t)
    return T


def random_rotation(seed: int) -> torch.Tensor:
    return rotation_from_wxyz(torch.randn(1, 4, generator=torch.Generator().manual_seed(seed)))[0]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"centres": torch.zeros(1, 2)}, "centres of shape"),
        ({"centres": torch.full((1, 3), torch.nan)}, "not finite"),
        ({"covariances": torch.diag(torch.tensor([1.0, 1.0, -1.0]))[None]}, "not positive"),
        ({"covariances": torch.ones(1, 3, 3) - 2 * torch.eye(3)}, "not positive"),
        ({"covariances": torch.triu(torch.ones(1, 3, 3)) + torch.eye(3)}, "not symmetric"),
        ({"opacities": torch.tensor([1.5])}, "outside 0 to 1"),
        ({"harmonics": torch.zeros(1, 2, 3)}, "2 harmonics; allowed are 1, 4, 9 or 16"),
        ({"bones": torch.tensor([[2]])}, "bone 2 of 2"),
        ({"weights": torch.tensor([[0.5]])}, "sum to 1"),
        ({"bones": torch.zeros(1, 0, dtype=torch.int64), "weights": torch.zeros(1, 0)}, "a row of bones"),
        ({"opacities": torch.zeros(2)}, "1 splats need opacities"),
    ],
)
def test_what_cannot_be_a_splat_is_refused_with_a_sentence(change, match):
    with pytest.raises(AssetError, match=match):
        one_splat(**change)


def test_a_quarter_turn_moves_and_turns_the_gaussian():
    T = transforms((torch.eye(3), [0.0, 0.0, 0.0]), (QUARTER_TURN, [0.0, 0.0, 5.0]))
    centres, covariances = deform(one_splat(), T[None])
    torch.testing.assert_close(centres[0], torch.tensor([[0.0, 1.0, 5.0]]))
    torch.testing.assert_close(covariances[0, 0], torch.diag(torch.tensor([1.0, 4.0, 0.25])))


def test_the_rest_pose_moves_nothing():
    splats = some_splats()
    centres, covariances = deform(splats, torch.eye(4).expand(2, 3, 4, 4))
    torch.testing.assert_close(centres, splats.centres.expand(2, -1, -1))
    torch.testing.assert_close(covariances, splats.covariances.expand(2, -1, -1, -1))


def test_covariances_are_moved_by_the_blend_of_rotations():
    splats = some_splats(bones=3)
    T = transforms(*((random_rotation(i), [0.1 * i, 0.2, -0.3]) for i in range(3)))
    centres, covariances = deform(splats, T)
    for i in range(len(splats)):
        blend = sum(w * T[b] for b, w in zip(splats.bones[i], splats.weights[i], strict=True))
        J = blend[:3, :3]
        torch.testing.assert_close(centres[i], J @ splats.centres[i] + blend[:3, 3], rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(covariances[i], J @ splats.covariances[i] @ J.T, rtol=1e-5, atol=1e-6)


def test_the_weight_matrix_adds_up_what_the_rows_say():
    splats = one_splat(bones=torch.tensor([[1, 1]]), weights=torch.tensor([[0.25, 0.75]]))
    torch.testing.assert_close(splats.weight_matrix.to_dense(), torch.tensor([[0.0, 1.0]]))


def test_subset_and_devices_keep_the_numbers():
    splats = some_splats(10, degree=2)
    chosen = splats.subset(torch.arange(10) >= 4).to("cpu")
    assert len(chosen) == 6
    assert chosen.degree == 2
    for name in ("centres", "covariances", "opacities", "harmonics", "bones", "weights"):
        torch.testing.assert_close(getattr(chosen, name), getattr(splats, name)[4:], rtol=0, atol=0)


def test_harmonics_are_scipys():
    from scipy.special import sph_harm_y

    directions = torch.nn.functional.normalize(
        torch.randn(50, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64), dim=-1
    )
    x, y, z = directions.numpy().T
    polar, around = np.arccos(z), np.arctan2(y, x)
    expected = []
    for degree in range(4):
        for m in range(-degree, degree + 1):
            value = sph_harm_y(degree, abs(m), polar, around)
            expected.append(value.real if m == 0 else np.sqrt(2) * (value.real if m > 0 else value.imag))
    np.testing.assert_allclose(harmonics_basis(directions, 3).numpy(), np.stack(expected, 1), atol=1e-12)


def test_a_plain_colour_looks_the_same_from_every_side():
    colours = torch.rand(6, 3, generator=torch.Generator().manual_seed(0))
    directions = torch.nn.functional.normalize(torch.randn(4, 6, 3), dim=-1)
    seen = colours_from_harmonics(harmonics_from_colours(colours, 3), directions)
    torch.testing.assert_close(seen, colours.expand(4, -1, -1))


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_turned_splats_look_as_before_to_an_eye_that_turns_along(degree):
    splats, R = some_splats(degree=degree), random_rotation(7)
    T = torch.eye(4)
    T[:3, :3], T[:3, 3] = 2.0 * R, torch.tensor([1.0, 2.0, 3.0])
    eyes = torch.randn(3, 3, generator=torch.Generator().manual_seed(1)) * 4
    before = splat_colours(splats, eyes)
    after = splat_colours(transform_splats(splats, T), eyes @ T[:3, :3].T + T[:3, 3])
    torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(rotate_harmonics(rotate_harmonics(splats.harmonics, R), R.T), splats.harmonics)


def test_bones_turn_the_colours_along_with_the_splats():
    splats = one_splat(harmonics=0.3 * torch.randn(1, 16, 3, generator=torch.Generator().manual_seed(3)))
    R, eye = random_rotation(5), torch.tensor([[0.0, 2.0, 4.0]])
    T = transforms((torch.eye(3), [0.0] * 3), (R, [1.0, 0.0, 2.0]))[None]
    moved_eye = eye @ R.T + T[0, 1, :3, 3]
    torch.testing.assert_close(splat_colours(splats, moved_eye, T), splat_colours(splats, eye), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "bad", [torch.diag(torch.tensor([1.0, 2.0, 1.0, 1.0])), torch.diag(torch.tensor([-1.0, 1, 1, 1]))]
)
def test_only_similarities_move_splats(bad):
    with pytest.raises(ConfigError, match=r"uniformly scaled|mirrored"):
        transform_splats(one_splat(), bad)


def test_axes_and_covariances_belong_together():
    splats = some_splats(200)
    wxyz, scales = axes_from_covariance(splats.covariances)
    again = covariance_from_axes(rotation_from_wxyz(wxyz), scales)
    torch.testing.assert_close(again, splats.covariances, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_files_keep_every_number(tmp_path, degree):
    splats = some_splats(degree=degree)
    path = write_splats(splats, tmp_path / "a.ply")
    arrays = read_splat_ply(path)
    np.testing.assert_array_equal(arrays.positions, splats.centres.numpy())
    np.testing.assert_array_equal(arrays.harmonics, splats.harmonics.numpy())
    np.testing.assert_array_equal(arrays.bones, splats.bones.numpy())
    np.testing.assert_array_equal(arrays.weights, splats.weights.numpy())
    again = read_splats(path)
    assert again.bone_count == 3
    torch.testing.assert_close(again.covariances, splats.covariances, rtol=1e-4, atol=1e-8)
    torch.testing.assert_close(again.opacities, splats.opacities, rtol=1e-5, atol=1e-6)
    write_splat_ply(arrays, tmp_path / "b.ply")
    assert (tmp_path / "b.ply").read_bytes() == path.read_bytes()


def test_the_file_is_laid_out_as_3dgs_has_it(tmp_path):
    """Names, order and channel-major f_rest of the reference implementation; bones behind, all float."""
    splats = some_splats(2, degree=1)
    data = write_splats(splats, tmp_path / "a.ply").read_bytes()
    header, body = data.split(b"end_header\n")
    names = [line.split()[-1].decode() for line in header.splitlines() if line.startswith(b"property")]
    assert all(line.startswith(b"property float ") for line in header.splitlines() if line.startswith(b"property"))
    rest = [f"f_rest_{i}" for i in range(9)]
    start = ["x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", *rest, "opacity"]
    assert names[:-4] == [*start, *(f"scale_{i}" for i in range(3)), *(f"rot_{i}" for i in range(4))]
    assert names[-4:] == ["bone_0", "bone_1", "weight_0", "weight_1"]
    table = dict(zip(names, np.frombuffer(body, "<f4").reshape(2, -1).T, strict=True))
    for channel in range(3):
        for k in range(3):
            np.testing.assert_array_equal(table[f"f_rest_{3 * channel + k}"], splats.harmonics[:, 1 + k, channel])
    np.testing.assert_allclose(1 / (1 + np.exp(-table["opacity"])), splats.opacities, rtol=1e-5)
    wxyz = np.stack([table[f"rot_{i}"] for i in range(4)], 1)
    np.testing.assert_allclose(np.linalg.norm(wxyz, axis=1), 1.0, rtol=1e-6)


def test_files_of_other_writers_are_read(tmp_path):
    """ASCII, doubles, another order, further properties, no bones, an opaque splat with an infinite logit."""
    names = ["opacity", *"xyz", *(f"rot_{i}" for i in range(4)), *(f"scale_{i}" for i in range(3))]
    names += [*(f"f_dc_{i}" for i in range(3)), "extra"]
    header = ["ply", "format ascii 1.0", "element vertex 1", *(f"property double {n}" for n in names), "end_header"]
    path = tmp_path / "other.ply"
    path.write_text("\n".join([*header, "inf 1 2 3 2 0 0 0 0 0 0.6931471805599453 0.1 0.2 0.3 9", ""]))
    splats = read_splats(path)
    torch.testing.assert_close(splats.covariances[0], torch.diag(torch.tensor([1.0, 1.0, 4.0])))
    torch.testing.assert_close(splats.opacities, torch.ones(1))
    assert splats.bone_count == 1


def broken_files(tmp_path):
    whole = write_splats(some_splats(), tmp_path / "whole.ply").read_bytes()
    nan = np.frombuffer(whole.split(b"end_header\n")[1], "<f4").copy()
    nan[0] = np.nan
    columns = b"".join(b"property float %c\n" % name for name in b"xyz")
    mesh = b"ply\nformat ascii 1.0\nelement vertex 1\n" + columns + b"end_header\n0 0 0\n"
    head = whole.split(b"end_header\n")[0] + b"end_header\n"
    return {
        "truncated": (whole[:-100], "truncated"),
        "headless": (b"not a ply at all", "not a PLY file"),
        "mesh": (mesh, "'f_dc_0', so it is a mesh"),
        "scaleless": (whole.replace(b"scale_2", b"scale_9"), "no property 'scale_2'"),
        "restful": (whole.replace(b"float nx", b"float f_rest_0"), "1 properties f_rest"),
        "nan": (head + nan.tobytes(), "not finite in 1 of 20 splats"),
        "compressed": (
            head.replace(b"element vertex 20", b"element chunk 0\nproperty float a\nelement vertex 20"),
            "compressed",
        ),
        "empty": (head.replace(b"vertex 20", b"vertex 0"), "no splats"),
        "zero": (head + np.zeros_like(nan).tobytes(), "all zero"),
    }


@pytest.mark.parametrize(
    "kind", ["truncated", "headless", "mesh", "scaleless", "restful", "nan", "compressed", "empty", "zero"]
)
def test_broken_files_get_a_sentence(tmp_path, kind):
    data, match = broken_files(tmp_path)[kind]
    path = tmp_path / "broken.ply"
    path.write_bytes(data)
    with pytest.raises(AssetError, match=match) as caught:
        read_splats(path)
    assert "broken.ply" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_wrong_suffix_get_a_sentence(tmp_path):
    with pytest.raises(AssetError, match="cannot be read"):
        read_splats(tmp_path / "nowhere.ply")
    with pytest.raises(AssetError, match=r"written as \.ply"):
        write_splats(some_splats(), tmp_path / "a.glb")


def test_splats_take_the_weights_of_the_closest_surface_point():
    character = make_character("column", two_bone_scene())
    mesh, skeleton, weights = character.require_skin()
    outside = mesh.vertices * [1.5, 1.0, 1.5]
    found = closest_weights(outside, mesh, weights)
    np.testing.assert_allclose(found.dense(), weights.dense(), atol=1e-6)
    middles = mesh.vertices[mesh.triangles].mean(1)
    expected = weights.dense()[mesh.triangles].mean(1)
    np.testing.assert_allclose(closest_weights(middles, mesh, weights).dense(), expected, atol=1e-6)
    count = len(middles)
    splats = SkinnedSplats(
        torch.as_tensor(middles, dtype=torch.float32),
        0.01 * torch.eye(3).expand(count, 3, 3),
        torch.ones(count),
        torch.zeros(count, 1, 3),
        *(torch.from_numpy(x) for x in (single_bone_weights(count).bones, single_bone_weights(count).weights)),
        1,
    )
    bound = bind_splats(splats, closest_weights(middles, mesh, weights))
    assert bound.bone_count == len(skeleton)
    np.testing.assert_allclose(bound.weight_matrix.to_dense().numpy(), expected, atol=1e-6)


def test_splats_without_a_mesh_take_the_closest_bones():
    skeleton = make_character("column", two_bone_scene()).require_skeleton()
    head, tail = skeleton.heads, skeleton.tails
    points = np.stack([0.5 * (head[0] + head[1]), 0.5 * (head[1] + tail[1])])
    dense = bone_weights(points, skeleton).dense()
    np.testing.assert_allclose(dense, np.eye(2), atol=1e-6)
    between = bone_weights(head[1][None] + [[0.1, 0.0, 0.0]], skeleton).dense()
    np.testing.assert_allclose(between, [[0.5, 0.5]], atol=1e-6)
