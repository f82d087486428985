"""Deformation fields: their gradients, their start, their losses, their runs and the files of moving splats."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from distillation_setup import problem_of, subject_of
from tiny_embedded_prior import tiny_prior

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.creatures.catalogue import make_creature
from gambol.diffusion.video_prior import TargetLatent, VideoFormat
from gambol.distill.field_motion import (
    WIDTH,
    along_trajectory,
    draw_hidden,
    encode_places,
    field_output,
    make_field,
    rotation_from_vector,
)
from gambol.distill.field_observation import observe_field
from gambol.distill.losses import AKDFieldGround, FieldRigidity, FieldSmoothness, Ground, JointLimits
from gambol.distill.losses.field import moved_centres, neighbour_pairs
from gambol.distill.motion_parameters import time_basis
from gambol.distill.presets import akd_field_losses
from gambol.distill.problem import MotionConfig, clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.distill.sds import SDS
from gambol.distill.state import load_state, save_state
from gambol.distill.trajectory import given_trajectory
from gambol.distill.video_fit import VideoFit
from gambol.errors import ConfigError
from gambol.evaluate.observation import observe_clip
from gambol.files.asset import export_scene
from gambol.files.splat_sequence import SplatSequence, write_ply_frames, write_splat_glb
from gambol.render.actor import outline_points, splat_centres
from gambol.render.observer import FollowCameraObserver, ObserverConfig, start_transforms
from gambol.splats.covariance import covariance_from_axes, rotation_from_wxyz
from gambol.splats.skinned_splats import deform
from gambol.splats.splat_file import read_splats, splat_sequence

FIELD = AnimateRequest("a fox is walking", representation="field", method=(VideoFit(steps=3), SDS(steps=3)))
VIEW = ObserverConfig(splats=300)
FORMAT = VideoFormat(frames=6, height=24, width=36, fps=12.0)


@pytest.fixture(scope="module")
def subject():
    return subject_of("fox")


@pytest.fixture(scope="module")
def prior():
    return tiny_prior()


@pytest.fixture(scope="module")
def problem(subject, prior):
    return problem_of(prior, subject, FIELD)[0]


@pytest.fixture(scope="module")
def seen(subject):
    return FollowCameraObserver(subject, VIEW, height=FORMAT.height, width=FORMAT.width, fps=FORMAT.fps)


def some_coefficients(problem, size=0.5, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return tuple(size * torch.randn(x.shape, generator=generator) for x in problem.parameters.zeros())


def test_gradients_of_the_field_are_those_of_finite_differences():
    generator = torch.Generator().manual_seed(1)
    points, time = torch.randn(5, 3, generator=generator).double(), time_basis("cosine", 4, 3, loop=False).double()
    carriage = torch.eye(4).double().repeat(4, 1, 1)
    carriage[:, 0, 3] = torch.arange(4)
    hidden = [x.double() for x in draw_hidden(3, 0)]
    last = 0.3 * torch.randn(WIDTH, 6, generator=generator).double()

    def transforms(second, last):
        weights = [*hidden[:3], second, hidden[4]]
        return along_trajectory(carriage, points, field_output(encode_places(points, 2.0), time, weights, last))

    second = hidden[3].clone().requires_grad_()
    assert torch.autograd.gradcheck(transforms, (second, last.requires_grad_()), fast_mode=True)


def test_a_rotation_vector_turns_about_its_axis_and_has_a_gradient_at_zero():
    quarter = rotation_from_vector(torch.tensor([0.0, np.pi / 2, 0.0]))
    assert torch.allclose(quarter @ torch.tensor([0.0, 0.0, 1.0]), torch.tensor([1.0, 0.0, 0.0]), atol=1e-6)
    still = torch.zeros(3, requires_grad=True)
    rotation_from_vector(still)[0, 1].backward()
    assert torch.allclose(still.grad, torch.tensor([0.0, 0.0, -1.0]))


def test_a_field_of_zero_weights_is_the_start_pose_along_its_trajectory(subject, seen):
    actor, T_start = seen.actor, start_transforms(seen.actor, subject)
    root = torch.zeros(6, 6)
    root[:, 0], root[:, 3] = 0.1 * torch.arange(6), 0.2 * torch.arange(6)
    angles = subject.start_angles.expand(6, -1, -1)
    track = replace(
        given_trajectory(actor.size, len(angles[0]), travel=None, start_speed=0.0, frames=6, fps=12.0, travels=True),
        seen=root,
        travelled=root,
    )
    field = make_field(actor, T_start, time_basis("cosine", 6, 5, loop=False), track, angles, seed=0)
    free = seen.with_free_splats().actor
    T = field.at(free.splats.centres, field.zeros())
    bones = actor.pose(root, angles)
    centres, covariances = deform(actor.splats, bones)
    moved, shapes = deform(free.splats, T)
    assert torch.allclose(moved, centres, atol=1e-5)
    assert torch.allclose(shapes, covariances, atol=1e-6)
    outlines = outline_points(free, T), outline_points(actor, bones)
    assert torch.allclose(*outlines, atol=1e-5)
    assert torch.allclose(splat_centres(free.splats, T), centres, atol=1e-5)


def test_an_observer_with_free_splats_shows_the_same_pictures(subject, seen, problem, prior):
    free = seen.with_free_splats()
    still = torch.eye(4).expand(1, len(free.actor.splats), 4, 4)
    assert torch.allclose(free.render(still, 0), seen.render(seen.start_pose, 0), atol=1e-4)
    parts = prior.observer(subject, ObserverConfig())
    film = problem.observer.render(problem.moved(problem.parameters.zeros())[1], 0)
    assert torch.allclose(film, parts.start_frame(0).expand_as(film), atol=2e-3)


def test_the_nearest_joints_of_a_motion_of_joints_are_that_motion(subject, prior):
    """Splats that are moved as a rigid bone would give the bone's rotation back."""
    problem = problem_of(prior, subject, FIELD)[0]
    clip = clip_of(problem, problem.parameters.zeros(), "start")
    assert np.abs(clip.root).max() < 1e-4
    assert np.abs(clip.angles - subject.start_angles.numpy()).max() < 1e-3
    turned = problem.parameters
    root = torch.zeros_like(turned.start_root)
    root[:, 0], root[:, 3] = 0.3, 0.5
    turned = replace(turned, start_root=root, travelled=root)
    found, angles = turned.nearest_joints(problem.body, turned.zeros())
    assert torch.allclose(found, root, atol=1e-4)
    assert torch.allclose(angles, turned.start_angles, atol=1e-3)


def test_a_field_that_does_not_move_is_measured_as_the_start_pose(subject, problem):
    coefficients = problem.parameters.zeros()
    found = observe_field(problem, coefficients)
    clip = clip_of(problem, coefficients, "start")
    still = observe_clip(subject.character, subject.anatomy, clip)
    assert np.abs(found.joints - still.joints).max() < 1e-4
    assert np.abs(found.surface - still.surface).max() < 1e-3
    moving = observe_field(problem, some_coefficients(problem))
    assert np.abs(moving.surface - found.surface).max() > 0.02 * subject.character.size


def test_losses_of_a_field(problem, subject, prior):
    names = [type(loss) for loss in problem.losses]
    assert names == [FieldRigidity, FieldSmoothness, Ground]
    start, T = problem.moved(problem.parameters.zeros())
    still = problem.loss_motion(start, T)
    rigidity, smoothness = problem.losses[:2]
    assert float(rigidity(still)) < 1e-8
    assert float(smoothness(still)) < 1e-10
    root, T = problem.moved(some_coefficients(problem))
    moving = problem.loss_motion(root, T)
    y = moved_centres(moving).detach()
    pairs, distances = neighbour_pairs(problem.body.actor.splats.centres)
    near = zip(pairs.T.tolist()[:50], distances[:50].tolist(), strict=True)
    slow = np.mean([float(((y[:, i] - y[:, j]).norm(dim=-1) / d - 1).square().mean()) for (i, j), d in near])
    few = replace(rigidity, pairs=pairs[:, :50], distances=distances[:50])
    assert float(few(moving)) == pytest.approx(slow, rel=1e-3)
    below = problem.loss_motion(start, T.detach().clone().index_fill_(2, torch.tensor([1]), 0.0))
    assert float(akd_field_losses(1)[1](below)) == 0.0
    with pytest.raises(ConfigError, match="no loss of a deformation field"):
        problem_of(prior, subject, replace(FIELD, losses=(JointLimits(),)))
    assert "field" in AKDFieldGround.representations


def test_a_resumed_run_of_a_field_has_the_same_bytes(tmp_path, problem):
    methods = FIELD.method
    whole = run_methods(problem, methods)
    states = []
    run_methods(problem, methods, after_step=lambda state, log: states.append(state))
    for done in (2, 4):
        save_state(tmp_path / "state", states[done - 1], "run")
        again = run_methods(problem, methods, load_state(tmp_path / "state", "run"))
        assert all(torch.equal(a, b) for a, b in zip(again.coefficients, whole.coefficients, strict=True))
    assert any(c.abs().max() > 0 for c in whole.coefficients)


def test_a_fit_of_a_field_follows_a_film_of_another_field(problem):
    goal = problem.moved(some_coefficients(problem, 0.3, seed=4))[1]
    film = problem.prior.encode(problem.observer.render(goal.detach()[problem.window_frames()], 0))
    aimed = replace(problem, target=TargetLatent(film[None], ((0, 0),)), losses=())
    losses = []
    run_methods(aimed, (VideoFit(steps=25),), after_step=lambda state, log: losses.append(state.lbfgs.loss))
    assert losses[-1] < 0.5 * losses[0]


def test_a_field_goes_where_it_is_sent(subject, prior):
    """The embedded prior sees no travel; the finished motion has the path that was given."""
    problem = make_problem(
        prior, subject, "a fox", config=MotionConfig(representation="field", trajectory=((0, 0), (9, 0), (9, 9)))
    )
    assert not problem.parameters.start_root.any()
    root = clip_of(problem, problem.parameters.zeros(), "way").root
    assert root[-1, [0, 2]] == pytest.approx([9.0, 9.0], abs=1.0)
    assert root[-1, 3] == pytest.approx(-np.pi / 2, abs=0.1)


@pytest.mark.parametrize(
    ("options", "what"),
    [({"lock": ("root",)}, "lock"), ({"start_clip": "Walk"}, "start_clip"), ({"pose_prior": 1.0}, "pose_prior")],
)
def test_what_only_joints_have_is_refused(options, what):
    with pytest.raises(ConfigError, match=f"cannot have {what}"):
        AnimateRequest("a fox", representation="field", **options)


def sequence_of(frames=3, count=5):
    rng = np.random.default_rng(0)
    turns = rng.normal(size=(frames, count, 4))
    return SplatSequence(
        10.0,
        rng.normal(size=(frames, count, 3)).astype(np.float32),
        (turns / np.linalg.norm(turns, axis=-1, keepdims=True)).astype(np.float32),
        rng.uniform(0.01, 0.1, (count, 3)),
        rng.uniform(0.1, 0.9, count),
        rng.normal(size=(count, 3)),
    )


def test_moving_splats_read_back_from_ply_and_glb(tmp_path):
    sequence = sequence_of()
    (tmp_path / "splats").mkdir()
    (tmp_path / "splats/0007.ply").write_text("old")
    files = write_ply_frames(sequence, tmp_path / "splats")
    assert sorted(p.name for p in (tmp_path / "splats").iterdir()) == ["0000.ply", "0001.ply", "0002.ply"]
    again = read_splats(files[1])
    assert np.allclose(again.centres, sequence.positions[1], atol=1e-6)
    assert np.allclose(again.opacities, sequence.opacities, atol=1e-5)
    target = write_splat_glb(sequence, tmp_path / "splats.glb")
    data = target.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def read(index):
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        numbers = np.frombuffer(binary, "<f4", accessor["count"] * width, view["byteOffset"])
        return numbers.reshape(-1, width)

    primitives = [document["meshes"][node["mesh"]]["primitives"][0] for node in document["nodes"]]
    for i, primitive in enumerate(primitives):
        assert primitive["mode"] == 0
        assert primitive["extensions"]["KHR_gaussian_splatting"]["kernel"] == "ellipse"
        names = primitive["attributes"]
        assert np.allclose(read(names["POSITION"]), sequence.positions[i])
        xyzw = read(names["KHR_gaussian_splatting:ROTATION"])
        assert np.allclose(xyzw[:, [3, 0, 1, 2]], sequence.rotations_wxyz[i])
        assert np.allclose(read(names["KHR_gaussian_splatting:SCALE"]), sequence.scales, atol=1e-7)
    assert len({p["attributes"]["KHR_gaussian_splatting:SCALE"] for p in primitives}) == 1
    shown = np.zeros((3, 3))
    for channel in document["animations"][0]["channels"]:
        sampler = document["animations"][0]["samplers"][channel["sampler"]]
        times, scales = read(sampler["input"]).ravel(), read(sampler["output"])[:, 0]
        for frame in range(3):
            shown[frame, channel["target"]["node"]] = scales[np.searchsorted(times, frame / 10.0 + 0.01) - 1]
    assert np.array_equal(shown, np.eye(3))


def test_a_sequence_of_moved_splats_is_what_deforming_gives(problem):
    splats = problem.body.actor.splats
    T = problem.moved(some_coefficients(problem))[1].detach()
    sequence = splat_sequence(splats, T, 10.0)
    centres, covariances = deform(splats, T)
    assert np.allclose(sequence.positions, centres, atol=1e-5)
    R = torch.as_tensor(sequence.rotations_wxyz[3]).float()
    again = covariance_from_axes(rotation_from_wxyz(R), torch.as_tensor(sequence.scales).float())
    assert torch.allclose(again, covariances[3], atol=1e-6)


def test_a_run_with_a_field_writes_its_splats(tmp_path, prior):
    file = export_scene(make_creature("fox", 3, vertices=400).scene, (), tmp_path / "fox.glb")
    request = AnimateRequest("a fox is walking", representation="field", steps=2, splats=200, travel=1.0, seconds=1.2)
    asked = AnimateFileRequest(request, file, outputs=AnimateOutputs(film=False))
    report = animate_file(asked, tmp_path / "run", prior=prior)
    frames = sorted((tmp_path / "run/splats").glob("*.ply"))
    assert len(frames) == round(1.2 * report.animated.problem.observer.fps) + 1
    assert report.metrics.seconds == pytest.approx(1.2, abs=0.05)
    first, last = (read_splats(path).centres for path in (frames[0], frames[-1]))
    seconds = (len(frames) - 1) / report.animated.problem.observer.fps
    assert float((last - first)[:, 0].median()) == pytest.approx(seconds, rel=0.05)
    assert (tmp_path / "run/splats/splats.glb").is_file()
    numbers = json.loads((tmp_path / "run/metrics.json").read_text())
    assert numbers["speed"] == pytest.approx(1.0, rel=0.1)
    assert numbers["edge_stretch"] >= 0
