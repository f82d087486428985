"""Fitting splats to pictures of the mesh: the loss, the rounds of splitting, and that it helps."""

import numpy as np
import pytest
import torch
from character_made_by_code import two_bone_scene
from real_data import DATA, needs_data

from gambol.character.character import make_character
from gambol.errors import ConfigError
from gambol.files.asset import load
from gambol.render.mesh.shading import Light
from gambol.render.splat_fitting.densify import densify
from gambol.render.splat_fitting.fit import (
    SplatFitConfig,
    fit_splats,
    optimise_splats,
    photometric_loss,
    splat_parameters,
)
from gambol.render.splat_fitting.ssim import blur, blur_by_bands, ssim
from gambol.render.splat_fitting.views import measure_splats, psnr, random_cameras, silhouette, view_mesh
from gambol.render.splats_from_mesh import splats_at_vertices, splats_from_mesh
from gambol.splats.covariance import covariance_from_axes, rotation_from_wxyz

SMALL = SplatFitConfig(count=400, views=12, size=48, steps=120)


def held_out(character, size=48, count=6):
    cameras = random_cameras(character.mesh.vertices, count, size, np.random.default_rng(99))
    return view_mesh(character.mesh, cameras, Light())


@pytest.fixture(scope="module")
def column():
    return make_character("column", two_bone_scene())


def test_the_fit_comes_nearer_to_the_mesh_than_the_quick_way(column):
    views = held_out(column)
    quick = measure_splats(splats_from_mesh(column, SMALL.count, picture=SMALL.size), views)
    steps = []
    fitted = fit_splats(column, SMALL, progress=lambda done, total, what: steps.append((done, total)))
    assert measure_splats(fitted, views) > quick + 1.0
    assert steps[-1] == (SMALL.steps, SMALL.steps)
    upper = torch.clamp(fitted.centres[:, 1] - 0.5, 0.0, 1.0)
    torch.testing.assert_close(fitted.weight_matrix.to_dense()[:, 1], upper, rtol=0, atol=0.02)
    again = fit_splats(column, SMALL)
    torch.testing.assert_close(again.centres, fitted.centres, rtol=0, atol=0)


def test_a_fit_from_the_vertices_grows_to_the_count_and_gets_better(column):
    views = held_out(column)
    config = SplatFitConfig(count=150, start="vertices", views=12, size=48, steps=120, densify_every=10, degree=1)
    fitted = fit_splats(column, config)
    start = splats_at_vertices(column, picture=48)
    assert len(start) < len(fitted) <= 150
    assert fitted.degree == 1
    assert measure_splats(fitted, views) > measure_splats(start, views) + 3.0


def test_no_steps_change_nothing_but_the_thickness(column):
    start = splats_from_mesh(column, 100)
    config = SplatFitConfig(steps=0, thickness=0.0)
    same = optimise_splats(start, held_out(column), config, generator=np.random.default_rng(0))
    torch.testing.assert_close(same.covariances, start.covariances, rtol=1e-4, atol=1e-8)
    torch.testing.assert_close(same.opacities, start.opacities)


def test_a_split_makes_two_narrower_halves_and_faint_splats_go(column):
    start = splats_from_mesh(column, 20)
    free = splat_parameters(start, 0)
    with torch.no_grad():
        free["opacity_logits"][3] = -20.0
    optimiser = torch.optim.Adam([{"params": [tensor]} for tensor in free.values()], lr=0.0)
    sum((tensor**2).sum() for tensor in free.values()).backward()
    optimiser.step()
    before = {name: tensor.detach().clone() for name, tensor in free.items()}
    pulls = torch.arange(20.0)
    rows = densify(free, optimiser, pulls, 22)
    assert rows.tolist() == [i for i in range(20) if i != 3] + [19, 18, 17]
    for parent, half in ((19, 19), (18, 20), (17, 21)):
        first = rows.tolist().index(parent)
        middle = 0.5 * (free["centres"][first] + free["centres"][half])
        torch.testing.assert_close(middle, before["centres"][parent])
        scales = before["log_scales"][parent].exp()
        axis = rotation_from_wxyz(before["wxyz"][parent : parent + 1])[0, :, scales.argmax()]
        torch.testing.assert_close(free["centres"][half], before["centres"][parent] + 0.5 * scales.max() * axis)
        for i in (first, half):
            torch.testing.assert_close(free["log_scales"][i].exp(), scales / 1.6)
    untouched = rows.tolist().index(5)
    torch.testing.assert_close(free["centres"][untouched], before["centres"][5], rtol=0, atol=0)
    momentum = optimiser.state[free["centres"]]["exp_avg"]
    assert momentum.shape == (22, 3)
    assert float(momentum[-3:].abs().max()) == 0.0
    assert float(momentum[:-3].abs().max()) > 0.0


def test_ssim_is_one_for_equal_pictures_and_known_for_plain_ones():
    picture = torch.rand(1, 3, 20, 30, generator=torch.Generator().manual_seed(0))
    assert ssim(picture, picture).item() == pytest.approx(1.0, abs=1e-6)
    a, b = torch.full((1, 1, 40, 40), 0.3), torch.full((1, 1, 40, 40), 0.6)
    middle = blur(torch.stack([a, b]))[..., 20, 20].reshape(-1)
    torch.testing.assert_close(middle, torch.tensor([0.3, 0.6]))
    assert photometric_loss(a, b, 0.0).item() == pytest.approx(0.3)
    assert photometric_loss(picture, picture, 0.2).item() == pytest.approx(0.0, abs=1e-6)


def test_the_quick_blur_is_its_twin_forwards_and_backwards():
    pictures = torch.rand(2, 13, 17, generator=torch.Generator().manual_seed(0), requires_grad=True)
    weights = torch.rand(2, 13, 17, generator=torch.Generator().manual_seed(1))
    quick, slow = blur(pictures), blur_by_bands(pictures)
    torch.testing.assert_close(quick, slow)
    gradients = [torch.autograd.grad((x * weights).sum(), pictures)[0] for x in (quick, slow)]
    torch.testing.assert_close(*gradients)


def test_psnr_counts_only_what_is_inside():
    wanted = torch.zeros(1, 3, 8, 8)
    seen = wanted.clone()
    seen[..., 2:4, 2:4] = 0.1
    seen[..., 7, 7] = 1.0
    alpha = torch.zeros(1, 8, 8)
    alpha[:, 2:4, 2:4] = 1.0
    assert psnr(seen, wanted, alpha > 0) == pytest.approx(20.0, abs=1e-4)
    assert int(silhouette(alpha).sum()) == 36


def test_free_numbers_stand_for_the_same_splats(column):
    start = splats_from_mesh(column, 50)
    free = splat_parameters(start, 2)
    covariances = covariance_from_axes(rotation_from_wxyz(free["wxyz"]), free["log_scales"].exp())
    torch.testing.assert_close(covariances.detach(), start.covariances, rtol=1e-4, atol=1e-8)
    assert torch.cat([free["colours"], free["higher_harmonics"]], 1).shape == (50, 9, 3)


@pytest.mark.parametrize("wrong", [{"views": 0}, {"size": 4}, {"degree": 4}, {"steps": -1}])
def test_odd_wishes_get_a_sentence(wrong):
    with pytest.raises(ConfigError, match="allowed is"):
        SplatFitConfig(**wrong)


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["fox", "horse"])
def test_real_characters_are_fitted_to_28_decibels(name):
    character = load(DATA / "characters" / "mesh2motion" / f"{name}-animated.glb").character
    fitted = fit_splats(character)
    assert len(fitted) <= 20_000
    assert measure_splats(fitted, held_out(character, 256, 20)) >= 28.0
