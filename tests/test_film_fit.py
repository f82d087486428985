"""A fit to a film of the very character: its background, its camera, and the motion that comes back."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from walker_made_by_code import person

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.app.given_motion import read_video_for
from gambol.character.anatomy.anatomy import BodyPart
from gambol.diffusion.video_prior import VideoFormat
from gambol.distill.optimised_body import make_subject
from gambol.distill.problem import clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.distill.video_fit import VideoFit
from gambol.errors import AssetError, ConfigError, PriorError
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.priors.film.background import estimate_background, read_background
from gambol.priors.film.camera_text import parse_camera
from gambol.priors.film.film_camera import FilmCamera, pixel_box, render_over
from gambol.priors.film.film_prior import LEVELS, FilmPrior, read_given_film, start_middle
from gambol.render.actor import make_actor
from gambol.render.camera_batch import pinhole_cameras
from gambol.render.observer import ObserverConfig, start_transforms
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.render.video_file import write_film, write_png

FRAMES, HEIGHT, WIDTH, FPS = 9, 88, 64, 12.0
AZIMUTH, ELEVATION = np.radians(60.0), np.radians(18.0)
SWING = 0.45
"""Radians by which each leg swings about its hip. The view is from the front: from the side legs hide each other."""
SKY, FLOOR = (0.75, 0.82, 0.9), (0.55, 0.5, 0.45)


@pytest.fixture(scope="module")
def subject():
    """A person of boxes: all four limbs are in sight."""
    return make_subject(*person(arms=1.0))


@pytest.fixture(scope="module")
def limbs(subject):
    """Arms and legs."""
    return [*subject.anatomy.of(BodyPart.ARM), *subject.anatomy.of(BodyPart.LEG)]


@pytest.fixture(scope="module")
def truth(subject, limbs):
    """Arms and legs swing, left against right; the first frame is the start pose."""
    angles = subject.start_angles.repeat(FRAMES, 1, 1)
    for k, limb in enumerate(limbs):
        angles[:, limb.bones[0] - 1, 0] += SWING * (-1) ** k * torch.sin(np.pi * torch.arange(FRAMES) / (FRAMES - 1))
    return Clip("truth", FPS, np.zeros((FRAMES, 6)), angles.double().numpy())


@pytest.fixture(scope="module")
def film(subject, truth, tmp_path_factory):
    """What another renderer setting would film: more splats, another camera, noise, compression."""
    actor = make_actor(subject.character, splats_from_mesh(subject.character, 1500, picture=HEIGHT))
    middle = start_middle(actor, start_transforms(actor, subject))
    camera = FilmCamera(AZIMUTH, ELEVATION, 2.3 * subject.character.size, 0.05, -0.03)
    background = torch.empty(3, HEIGHT, WIDTH)
    background[:, : HEIGHT // 2], background[:, HEIGHT // 2 :] = (torch.tensor(c)[:, None, None] for c in (SKY, FLOOR))
    cameras = pinhole_cameras([camera.at(middle, WIDTH, HEIGHT)] * FRAMES)
    with torch.no_grad():
        video = render_over(actor, actor.pose_clip(truth), cameras, background)[0]
    video = video + 0.02 * torch.randn(video.shape, generator=torch.Generator().manual_seed(0))
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    write_film(path, (255 * video.clamp(0, 1)).round().to(torch.uint8).permute(0, 2, 3, 1).numpy(), FPS)
    return path


@pytest.fixture(scope="module")
def prior(film):
    return FilmPrior(read_given_film(film))


def test_a_film_is_read_in_its_own_format(prior, film):
    assert prior.format.frames == FRAMES
    assert (prior.format.height % LEVELS[-1], prior.format.width % LEVELS[-1]) == (0, 0)
    assert prior.format.fps == pytest.approx(FPS, rel=0.02)
    again = read_video_for(film, prior)
    assert torch.allclose(again, prior.film.video, atol=1e-5)


def test_the_latent_holds_all_levels_and_weighs_them_alike(prior):
    video = torch.rand(2, 3, prior.format.height, prior.format.width, generator=torch.Generator().manual_seed(1))
    even = prior.encode(torch.full_like(video, 0.75))
    assert torch.allclose(even.square().sum(1), len(LEVELS) * 0.25 * torch.tensor(float(video[0].numel())))
    assert torch.allclose(prior.decode(prior.encode(video)), video, atol=1e-6)
    with pytest.raises(PriorError, match="no score"):
        prior.predict_clean(even, 0.5, None, 1.0)


def test_a_plain_background_is_found_behind_a_body_that_stays():
    rows = np.linspace(0.2, 0.9, 20)[:, None, None] * np.ones((1, 30, 3))
    video = np.stack([rows] * 5)
    video[:, 5:15, 10:20] = 0.0  # the body never leaves
    assert np.allclose(estimate_background(video), rows)
    busy = np.random.default_rng(0).uniform(size=(20, 30, 3))
    video = np.stack([busy] * 5)
    video[0, :, :15] = 0.0  # seen twice and more: the median is the background
    assert np.allclose(estimate_background(video), busy)


def test_a_background_may_be_a_colour_or_a_picture(tmp_path):
    assert np.allclose(read_background("#ff8000", 2, 3)[1, 2], [1.0, 128 / 255, 0.0])
    write_png(tmp_path / "b.png", np.full((4, 6, 3), 51, np.uint8))
    assert np.allclose(read_background(str(tmp_path / "b.png"), 2, 3), 0.2, atol=1e-3)
    with pytest.raises(ConfigError, match="six digits"):
        read_background("#12", 2, 3)
    with pytest.raises(AssetError, match="no picture"):
        read_background("nowhere.png", 2, 3)


def test_cameras_are_read_from_text():
    assert parse_camera("90,0")[:2] == pytest.approx((np.pi / 2, 0.0))
    assert parse_camera("0,10,40")[2] == pytest.approx(np.radians(40.0))
    for wrong in ("front", "1", "0,95", "0,0,0"):
        with pytest.raises(ConfigError, match="azimuth and elevation"):
            parse_camera(wrong)


def test_the_box_of_pixels_leaves_single_ones_out():
    mask = np.zeros((50, 60), bool)
    mask[10:31, 20:41] = True
    mask[0, 0] = True
    assert pixel_box(mask) == pytest.approx([30.0, 20.0, 20.0, 20.0], abs=0.6)


def test_the_motion_comes_back_from_a_film_of_an_unknown_camera(subject, prior, film, truth, limbs):
    request = AnimateRequest("the fox swings its legs", video=film, splats=700)
    plan = resolve(request, prior)
    (method,) = plan.methods
    assert isinstance(method, VideoFit)
    problem = make_problem(
        prior,
        subject,
        request.prompt,
        losses=plan.losses,
        config=plan.motion,
        observer=plan.observer,
        video=lambda prior: read_video_for(film, prior),
    )
    found = problem.observer.camera
    assert (found.azimuth - AZIMUTH + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0.0, abs=0.15)
    assert found.elevation == pytest.approx(ELEVATION, abs=0.15)
    state = run_methods(problem, (replace(method, steps=40),))
    assert state.evaluations == 0
    clip = clip_of(problem, state.coefficients, "found")
    swings = [limb.bones[0] - 1 for limb in limbs]
    wrong, moved = (
        np.sqrt(((truth.angles - x)[:, swings, 0] ** 2).mean()) for x in (clip.angles, subject.start_angles.numpy())
    )
    assert moved > 0.25
    assert wrong < 0.5 * moved
    start = clip_of(problem, problem.parameters.zeros(), "start")
    seen, true, first = (pose_clip(subject.character.require_skeleton(), c)[:, :, :3, 3] for c in (clip, truth, start))
    assert ((seen - true) ** 2).sum() < 0.35 * ((first - true) ** 2).sum()
    assert np.abs(clip.root[:, :3]).max() < 0.08 * subject.character.size


def test_films_of_the_wrong_length_are_refused(tmp_path):
    write_film(tmp_path / "short.mp4", np.zeros((2, 16, 16, 3), np.uint8), 10.0)
    with pytest.raises(AssetError, match="has 2 frames"):
        read_given_film(tmp_path / "short.mp4")


def test_a_given_camera_keeps_its_direction(subject, film):
    prior = FilmPrior(read_given_film(film), camera="60,18", background="#c0d1e6")
    observer = prior.observer(subject, ObserverConfig(splats=300))
    assert (observer.camera.azimuth, observer.camera.elevation) == pytest.approx((AZIMUTH, ELEVATION))
    assert prior.format == VideoFormat(FRAMES, prior.format.height, prior.format.width, prior.format.fps)
