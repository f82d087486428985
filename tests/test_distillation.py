"""The optimisation: its basis functions, its losses, its methods, its states, and how a motion is post-processed."""

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from distillation_setup import body_of, optimised, problem_of, subject_of
from real_data import DATA, needs_data
from tiny_embedded_prior import tiny_prior

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.character.anatomy.anatomy import BodyPart
from gambol.diffusion.dct import cosine_transform, precision_weight
from gambol.diffusion.level_schedules import AnnealedDraw, Constant, FallingBound, Ramp
from gambol.diffusion.video_prior import TargetLatent, VideoPrior
from gambol.distill.adam import AdamMoments, adam_step
from gambol.distill.losses import (
    AKDGround,
    AKDSmoothness,
    Ground,
    JointLimits,
    Loss,
    Skate,
    Smoothness,
    Stance,
    StartHeading,
)
from gambol.distill.losses.ground import corner_depth, cuboid_corners
from gambol.distill.losses.smoothness import mean_absolute_acceleration
from gambol.distill.motion_parameters import time_basis
from gambol.distill.optimised_body import make_subject
from gambol.distill.post_processing import PostProcessing, post_process, resample
from gambol.distill.presets import DRAFT, PAPER, SKETCH, named_methods
from gambol.distill.problem import clip_of, drifting_start, make_problem
from gambol.distill.run_methods import ranking_loss, run_methods, scale_steps, take_step, total_steps
from gambol.distill.sds import SDS
from gambol.distill.start_pose import forearm, upper_bone
from gambol.distill.state import State, initial_state, load_state, save_state
from gambol.distill.video_fit import VideoFit
from gambol.errors import ConfigError, GambolError
from gambol.evaluate.quality_metrics import LIMIT_SLACK
from gambol.files.asset import load
from gambol.motion.clip import Clip, rest_clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import ground_path
from gambol.priors.diffusers.base import DiffusersPrior
from gambol.priors.embedded.knowledge import PRECISION_BAND
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, PART_NUMBERS
from gambol.priors.embedded.prior import EmbeddedPrior
from gambol.priors.embedded.proposal import (
    MEAN_LEVELS,
    mean_latent,
    style_from_frame,
    whole_cycles,
    window_starts,
)
from gambol.priors.embedded.style import StyleConditioning
from gambol.render.observer import start_transforms

BOTH = (VideoFit(steps=3), replace(SKETCH.sds[-1], steps=3))
"""A few steps of both methods."""
SHORT = AnimateRequest("a fox is walking", method=BOTH)


@pytest.fixture(scope="module")
def subject():
    return subject_of("fox")


@pytest.fixture(scope="module")
def body(subject):
    return body_of(subject)


@pytest.fixture(scope="module")
def prior():
    return tiny_prior()


@pytest.fixture(scope="module")
def problem(subject, prior):
    return problem_of(prior, subject, SHORT)[0]


def test_a_proposed_target_counts_as_precisely_as_it_is_known_and_a_sample_everywhere(problem, prior):
    error = torch.randn(FRAMES, FILM_NUMBERS, generator=torch.Generator().manual_seed(0))
    dct = cosine_transform(prior.format.frames)
    believed = dct @ precision_weight(error, prior.target_precision)
    assert torch.allclose(believed, prior.target_precision * (dct @ error), rtol=1e-3, atol=1e-2)
    assert (prior.target_precision >= 0).all()
    places = prior.target_precision[PRECISION_BAND].unflatten(1, (-1, PART_NUMBERS))[..., :3]
    assert float(places.mean()) == pytest.approx(prior.knowledge.constants.scale, rel=1e-4)
    start = initial_state(problem.parameters, 0)
    proposed = VideoFit(calls=1).init(problem, start).target
    assert torch.equal(proposed.precision, prior.target_precision)
    sampled = VideoFit(target="sample", calls=2).init(problem, start).target
    assert sampled.precision is None
    assert sampled.windows == ((0, 0),)


def equal(a: State, b: State) -> bool:
    pairs = [(a.coefficients, b.coefficients), ((a.rng,), (b.rng,))]
    if a.adam and b.adam:
        pairs += [(a.adam.first, b.adam.first), (a.adam.second, b.adam.second)]
    if a.lbfgs and b.lbfgs:
        pairs += [((a.lbfgs.trial, a.lbfgs.history_changes), (b.lbfgs.trial, b.lbfgs.history_changes))]
    same = all(torch.equal(x, y) for left, right in pairs for x, y in zip(left, right, strict=True))
    same = same and (a.lbfgs is None) == (b.lbfgs is None) and (a.adam is None) == (b.adam is None)
    return same and (a.step, a.evaluations) == (b.step, b.evaluations)


def test_the_start_is_the_rest_pose_and_straight_drift(problem, subject, body, prior):
    start = clip_of(problem, problem.parameters.zeros(), "start")
    assert not start.root.any()
    assert not start.angles.any()
    drifting = drifting_start(body, 0.5, 24, body.fps)[0]
    steps = torch.diff(drifting, dim=0)
    assert torch.allclose(steps[:, 0], torch.tensor(0.5 * body.character.size / body.fps))
    assert not steps[:, 1:].any()


def test_a_step_changes_nothing_but_what_it_returns(problem):
    state = initial_state(problem.parameters, 0)
    once, again = take_step(problem, BOTH, state)[0], take_step(problem, BOTH, state)[0]
    assert equal(once, again)
    assert equal(state, initial_state(problem.parameters, 0))
    assert once.evaluations == EmbeddedPrior.proposal_calls  # one window, at guidance 1


@pytest.mark.parametrize("steps", [2, 3, 4])
def test_a_state_read_back_resumes_to_the_same_bytes(problem, tmp_path, steps):
    halfway = initial_state(problem.parameters, 0)
    for _ in range(steps):
        halfway = take_step(problem, BOTH, halfway)[0]
    assert (halfway.lbfgs is not None, halfway.adam is not None) == (steps < 4, steps > 3)
    save_state(tmp_path / "a.safetensors", halfway, "me")
    read = load_state(tmp_path / "a.safetensors", "me")
    assert read is not None
    assert equal(halfway, read)
    assert equal(run_methods(problem, BOTH, halfway), run_methods(problem, BOTH, read))
    with pytest.raises(GambolError, match="another run"):
        load_state(tmp_path / "a.safetensors", "you")
    (tmp_path / "a.safetensors").write_bytes(b"half")
    with pytest.raises(GambolError, match="cannot be read"):
        load_state(tmp_path / "a.safetensors", "me")


def test_adam_is_torchs(problem):
    generator = torch.Generator().manual_seed(1)
    coefficients = problem.parameters.zeros()
    moments = AdamMoments(problem.parameters.zeros(), problem.parameters.zeros())
    ours = [x.clone().requires_grad_() for x in coefficients]
    optimiser = torch.optim.Adam(ours, lr=0.05, betas=(0.9, 0.99))
    for _ in range(5):
        gradients = tuple(torch.randn(x.shape, generator=generator) for x in ours)
        for x, g in zip(ours, gradients, strict=True):
            x.grad = g
        optimiser.step()
        coefficients, moments = adam_step(coefficients, moments, gradients, 0.05)
    for x, y in zip(ours, coefficients, strict=True):
        assert torch.allclose(x.detach(), y, atol=1e-6)


def test_a_video_of_a_known_motion_is_fitted(problem, subject, prior):
    generator = torch.Generator().manual_seed(2)
    target = tuple(0.3 * torch.randn(x.shape, generator=generator) for x in problem.parameters.zeros())
    with torch.no_grad():
        video = problem.observer.render(problem.moved(target)[1], 0)
    fit = make_problem(prior, subject, "", losses=SKETCH.losses, video=lambda prior: video)
    logs = []
    state = run_methods(fit, (VideoFit(steps=60),), after_step=lambda state, log: logs.append(log["prior"]))
    assert state.evaluations == 0
    assert logs[-1] < 0.2 * logs[0]


def test_a_fit_counts_the_calls_for_its_targets(subject, prior):
    fit = VideoFit(steps=4, calls=6, guidance=1.5)
    proposed = optimised(prior, subject, AnimateRequest("a fox is walking", method=fit))[1]
    assert proposed.evaluations == 2 * 6
    sampled = optimised(prior, subject, AnimateRequest("a fox is walking", method=replace(fit, target="sample")))[1]
    assert sampled.evaluations == 2 * 6


def test_the_mean_film_is_what_a_sure_prior_says_and_the_mean_of_what_a_wavering_one_says():
    class Guesses(VideoPrior):
        condition = encode = decode = signal = None
        format = weighting = None

        def __init__(self, guesses):
            self.guesses, self.levels = iter(guesses), []

        def add_noise(self, x, noise, t):
            self.levels.append(t)
            return x

        def predict_clean(self, noisy, t, condition, guidance):
            return next(self.guesses)

    film = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    generator, zero = torch.Generator().manual_seed(1), torch.zeros(5, 3)
    sure = Guesses([film] * 9)
    assert torch.equal(mean_latent(sure, None, zero, generator, guidance=1.0, steps=9), film)
    assert sure.levels[0] == MEAN_LEVELS[0]
    assert sure.levels == sorted(sure.levels, reverse=True)
    guesses = [film * k for k in range(6)]
    found = mean_latent(Guesses(guesses), None, zero, generator, guidance=1.0, steps=6)
    assert torch.allclose(found, torch.stack(guesses).mean(0))  # 1 / 6 is above the least step


@pytest.mark.parametrize("kind", ["cosine", "spline", "free"])
@pytest.mark.parametrize("loop", [False, True])
def test_curves_are_as_many_as_asked_and_loops_close(kind, loop):
    curves = time_basis(kind, 24, 12, loop=loop)
    assert len(curves) == 24
    assert torch.linalg.matrix_rank(curves) == curves.shape[1]
    if kind == "spline":
        assert torch.allclose(curves.sum(1), torch.ones(24), atol=1e-6)
    if loop and kind != "free":  # a curve goes on where it began: twice the frames show the same curve at half steps
        around = torch.cat([curves, curves[:1]])
        assert (around[1:] - around[:-1]).abs().max() < 1.0
        finer = time_basis(kind, 240, 12, loop=True)
        assert (finer[-1] - finer[0]).abs().max() < 0.3


def test_the_papers_terms_are_its_equations(body):
    generator = torch.Generator().manual_seed(3)
    joints = len(body.character.require_skeleton()) - 1
    root, angles = torch.randn(7, 6, generator=generator), torch.randn(7, joints, 3, generator=generator)
    numbers = torch.cat([root, angles.flatten(1)], 1)
    slow = np.mean([abs(float(c[i + 1] - 2 * c[i] + c[i - 1])) for c in numbers.T for i in range(1, 6)])
    assert float(mean_absolute_acceleration(root, angles)) == pytest.approx(slow, rel=1e-5)
    clip = Clip("", 30.0, root.double().numpy(), angles.double().numpy())
    T = pose_clip(body.character.require_skeleton(), clip)
    corners = body.character.cuboids.corners_bone()
    depths = [
        max(-float((T[f, b] @ [*corners[b, k], 1.0])[1]), 0.0)
        for f in range(7)
        for b in range(joints + 1)
        for k in range(8)
    ]
    found = corner_depth(cuboid_corners(body.character), body.actor.pose(root, angles))
    assert float(found) == pytest.approx(np.mean(depths), rel=1e-4)


def test_locked_joints_do_not_move(subject, prior):
    name = subject.character.require_skeleton().names[5]
    clip = optimised(prior, subject, replace(SHORT, lock=(name, "root")))[0]
    assert not clip.angles[:, 4].any()
    assert not clip.root.any()
    assert clip.angles.any()
    with pytest.raises(ConfigError, match="no joint 'tentacle'"):
        problem_of(prior, subject, replace(SHORT, lock=("tentacle",)))


def test_longer_clips_are_seen_in_windows_and_loops_close(subject, body, prior):
    long = optimised(prior, subject, replace(SHORT, seconds=2.5))[0]
    assert long.duration == pytest.approx(2.5, abs=2 / body.fps)
    assert np.abs(long.angles[-10:]).max() > 0
    loop = optimised(prior, subject, AnimateRequest("a fox", loop=True, steps=6))[0]
    assert np.array_equal(loop.angles[0], loop.angles[-1])
    written = post_process(body.character, loop, body.anatomy, PostProcessing(), travels=False, loop=True)
    assert np.abs(written.angles[0] - written.angles[-1]).max() < 0.02
    sample = AnimateRequest("a fox", method=VideoFit(target="sample", steps=1), seconds=5.0)
    with pytest.raises(ConfigError, match="length of the video"):
        optimised(prior, subject, sample)
    looped = AnimateRequest("a fox", method=VideoFit(target="sample", steps=1), loop=True)
    with pytest.raises(ConfigError, match="a loop was asked for"):
        optimised(prior, subject, looped)


@pytest.mark.parametrize("frames", [FRAMES, FRAMES + 5, 130])
def test_windows_of_a_loop_go_all_around_it_in_whole_cycles(frames):
    starts = window_starts(frames, FRAMES, loop=True)
    steps = [later - earlier for earlier, later in pairwise((*starts, frames))]
    assert starts[0] == 0
    assert min(steps) > 0
    assert max(steps) <= FRAMES // 2 + 1
    style = whole_cycles(StyleConditioning(0.1, 0.063), frames)
    assert style.rate * frames == pytest.approx(round(0.063 * frames))
    assert style_from_frame(style, frames).phase == pytest.approx(style.phase)
    assert whole_cycles(StyleConditioning(0.1, 0.001), frames).rate == 1 / frames


@pytest.mark.parametrize("frames", [FRAMES, FRAMES + 1, 72, 73, 200])
def test_windows_cover_a_clip_and_overlap_by_half(frames):
    starts = window_starts(frames, FRAMES)
    assert starts[0] == 0
    assert starts[-1] == frames - FRAMES
    assert all(0 < later - earlier <= FRAMES // 2 for earlier, later in pairwise(starts))
    assert len(starts) == 1 + -(-(frames - FRAMES) // (FRAMES // 2))


def test_a_later_window_begins_looking_ahead(subject, prior):
    """A body that turns steadily looks in every window as it does in the first."""
    problem = problem_of(prior, subject, AnimateRequest("a fox turns left", seconds=3.0))[0]
    root, angles = problem.parameters.start_root.clone(), problem.parameters.start_angles
    root[:, 3] = 0.1 * torch.arange(len(root))
    starts = window_starts(problem.parameters.frames, problem.window)
    assert len(starts) > 2
    poses = problem.body.actor.pose(root, angles)
    windows = [problem.later_window((root, angles), poses, first) for first in starts]
    own = poses[: prior.format.frames]
    assert all(torch.allclose(window, own, atol=1e-5) for window in windows)


def test_a_long_fit_asks_for_targets_of_all_windows(subject, prior):
    problem, methods = problem_of(prior, subject, AnimateRequest("a fox", steps=1, seconds=2.5))
    state, _ = take_step(problem, methods, initial_state(problem.parameters, 0))
    starts = window_starts(problem.parameters.frames, FRAMES)
    assert len(starts) > 1
    assert state.target.windows == tuple((first, 0) for first in starts)
    assert state.evaluations == EmbeddedPrior.proposal_calls * len(starts)


def test_resampling_keeps_a_smooth_motion():
    times = np.arange(25) / 17.0
    wave = np.sin(2 * np.pi * 1.3 * times)
    clip = Clip("", 17.0, np.tile(wave[:, None], 6), np.zeros((25, 2, 3)))
    at_30 = resample(clip, 30.0)
    assert at_30.fps == 30.0
    assert np.abs(at_30.root[:, 0] - np.sin(2 * np.pi * 1.3 * at_30.times)).max() < 4e-3


def test_knees_stay_within_their_limits_unless_they_are_let_go(body):
    clip = rest_clip(body.character.require_skeleton(), 20, 30.0)
    legs = body.anatomy.legs
    knees = [bone - 1 for limb in legs for bone in limb.bones[1:-1]]
    wild = replace(clip, angles=clip.angles + 2.5 * np.sin(np.arange(20))[:, None, None])
    held = post_process(
        body.character, wild, body.anatomy, PostProcessing(root_travel=False), travels=False, loop=False
    )
    limits = body.anatomy.limits[1:][knees]
    assert (held.angles[:, knees] <= limits[..., 1] + LIMIT_SLACK + 1e-12).all()
    assert (held.angles[:, knees] >= limits[..., 0] - LIMIT_SLACK - 1e-12).all()
    others = np.setdiff1d(np.arange(clip.angles.shape[1]), knees)
    assert np.array_equal(held.angles[:, others], wild.angles[:, others])
    free = post_process(
        body.character,
        wild,
        body.anatomy,
        PostProcessing(root_travel=False, limit_leg_joints=False),
        travels=False,
        loop=False,
    )
    assert np.array_equal(free.angles, wild.angles)
    planted = post_process(body.character, wild, body.anatomy, PostProcessing(), travels=False, loop=False)
    assert (planted.angles[:, knees] <= limits[..., 1] + LIMIT_SLACK + 1e-12).all()


def test_a_clip_goes_at_the_speed_and_on_the_path_asked_for(body):
    from gambol.creatures.gaits.make_motion import make_motion

    walk = make_motion(body.character, body.anatomy, "walk", seconds=2.0)
    fast = post_process(body.character, walk, body.anatomy, PostProcessing(travel="0.8"), travels=True, loop=False)
    path = ground_path(fast)
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).sum() / fast.duration == pytest.approx(0.8, rel=0.05)
    bent = post_process(
        body.character, walk, body.anatomy, PostProcessing(travel="0,0 0.5,0 0.5,9"), travels=True, loop=False
    )
    assert bent.root[-1, 0] == pytest.approx(0.5 + bent.root[0, 0], abs=0.15 * body.character.size)
    assert bent.root[-1, 2] > 0.3
    spot = post_process(body.character, walk, body.anatomy, PostProcessing(in_place=True), travels=True, loop=False)
    assert np.ptp(spot.root[:, 0]) < 0.1 * np.ptp(walk.root[:, 0])


def test_presets_and_methods_are_what_the_docs_say():
    paper = PAPER.scores
    assert (paper.guidance, paper.steps, paper.levels, paper.per_frame) == (100.0, 10_000, FallingBound(), False)
    assert {type(loss): loss.weight for loss in PAPER.losses} == {AKDSmoothness: 2e5, AKDGround: 1e7}
    assert PAPER.basis == "free"
    assert isinstance(DRAFT.scores.levels, AnnealedDraw)
    (annealed,) = named_methods(SKETCH, "annealed")
    assert isinstance(annealed.levels, AnnealedDraw)
    assert annealed.guidance.at(0) > annealed.guidance.at(300)
    fit, scores = named_methods(SKETCH, "sds")
    assert (fit,) == named_methods(SKETCH, SKETCH.method)
    assert scores.steps == 160
    assert named_methods(DRAFT, "fit")[0].steps == 200
    short = SDS().with_steps(100)
    assert short.levels.high == Ramp(0.98, 0.5, 50)
    assert [m.steps for m in scale_steps((fit, scores), 28)] == [12, 16]
    assert total_steps(scale_steps((fit, scores), 1)) == 1
    assert SDS(guidance=Constant(3.0)).guidance_schedule.at(7) == 3.0
    with pytest.raises(ConfigError, match="no method 'magic'"):
        named_methods(SKETCH, "magic")
    with pytest.raises(ConfigError, match="steps is 0"):
        VideoFit(steps=0)


def test_a_drift_counts_only_where_the_prior_sees_travel(subject, prior):
    paper = problem_of(prior, subject, AnimateRequest("a fox", preset="paper", steps=1))[0]
    assert not paper.parameters.start_root.any()


def test_the_prior_chooses_the_defaults():
    sketch, large = resolve(AnimateRequest("a fox"), EmbeddedPrior), resolve(AnimateRequest("a fox"), DiffusersPrior)
    assert sketch.methods == named_methods(SKETCH, "fit")
    assert large.methods == (DRAFT.scores,)
    assert large.motion.start_speed > 0.0
    assert large.observer.splats is None  # the observer's own number, 20,000 for a character in its own colours
    paper = resolve(AnimateRequest("a fox", preset="paper"), DiffusersPrior)
    assert paper.methods == (PAPER.scores,)
    assert not paper.post.root_travel
    looped = resolve(AnimateRequest("a fox", loop=True), EmbeddedPrior)
    assert looped.methods == named_methods(SKETCH, "fit")
    assert not looped.open_phase
    assert isinstance(resolve(AnimateRequest("a fox", loop=True), DiffusersPrior).methods[0], SDS)
    long = resolve(AnimateRequest("a fox", seconds=3.0), EmbeddedPrior)
    assert long.methods == named_methods(SKETCH, "fit")
    guided = resolve(AnimateRequest("a fox", method="sds", guidance=7.0, steps=28), EmbeddedPrior).methods
    assert [m.steps for m in guided] == [12, 16]
    assert (guided[0].guidance, guided[1].guidance) == (None, 7.0)


def test_methods_that_are_given_are_used_as_they_are(subject, prior):
    own = SDS(steps=4, learning_rate=0.5, draws=2, guidance=3.0)
    assert resolve(AnimateRequest("a fox", method=own, start_clip="Walk"), EmbeddedPrior).methods == (own,)
    with pytest.raises(ConfigError, match="the method is SDS"):
        resolve(AnimateRequest("a fox", method=VideoFit(), start_clip="Walk"), EmbeddedPrior)
    with pytest.raises(ConfigError, match="the method is VideoFit"):
        resolve(AnimateRequest("a fox", method=own, video=Path("film.mp4")), EmbeddedPrior)
    assert not resolve(AnimateRequest("a fox", method=SDS(steps=3)), EmbeddedPrior).per_frame
    # a fit continues from what came before it
    problem, _ = problem_of(prior, subject, SHORT)
    generator = torch.Generator().manual_seed(5)
    moved = tuple(0.1 * torch.randn(x.shape, generator=generator) for x in problem.parameters.zeros())
    state = VideoFit(calls=1).init(problem, replace(initial_state(problem.parameters, 0), coefficients=moved))
    back = problem.parameters.from_search(problem.whitening, state.lbfgs.trial)
    assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(back, moved, strict=True))


def test_losses_are_chosen_replaced_and_added():
    def kinds(**options):
        return [type(loss) for loss in resolve(AnimateRequest("a fox", **options), EmbeddedPrior).losses]

    assert kinds() == [JointLimits, Smoothness, Ground, StartHeading, Stance]
    assert StartHeading not in kinds(loop=True)
    assert not {Ground, Stance} & set(kinds(ground="off"))
    assert JointLimits not in kinds(limits=False)
    assert Smoothness not in kinds(smoothness="off")
    assert AKDSmoothness in kinds(smoothness="paper")
    assert kinds(losses=(Ground(1.0),), constraints=(Smoothness(0.5),)) == [Ground, Smoothness]
    weights = [loss.weight for loss in resolve(AnimateRequest("", ground="paper"), EmbeddedPrior).losses]
    assert weights[-1] == pytest.approx(8.9, abs=0.01)  # the paper's weight, divided by the numbers of its latent
    with pytest.raises(ConfigError, match="not a loss"):
        kinds(losses=("smooth",))


def test_a_loss_of_ones_own_pulls_the_motion_and_is_logged(subject, prior):
    @dataclass(frozen=True)
    class LowRoot(Loss):
        weight: float = 1e5
        name = "low root"

        def __call__(self, motion):
            return (motion.root[:, 1] + 0.1 * motion.body.leg).square().mean()

    logs = []
    request = AnimateRequest("a fox", method=VideoFit(steps=12, calls=1), constraints=(LowRoot(),))
    problem, methods = problem_of(prior, subject, request)
    state = run_methods(problem, methods, after_step=lambda state, log: logs.append(log))
    assert logs[-1]["low root"] < 0.5 * logs[0]["low root"]
    assert {"joint_limits", "smoothness", "ground", "start_heading", "low root"} <= set(logs[0])
    assert float(problem.parameters.motion(state.coefficients)[0][:, 1].mean()) < 0.0
    with pytest.raises(ConfigError, match="Two losses are called 'low root'"):
        problem_of(prior, subject, replace(request, constraints=(LowRoot(), LowRoot())))
    with pytest.raises(ConfigError, match="root's travel"):
        problem_of(prior, subject, replace(request, constraints=(Skate(),)))


def test_numbers_that_are_not_finite_stop_the_run(problem, subject, prior):
    class Broken(type(prior)):
        def predict_clean(self, noisy, t, condition, guidance):
            return torch.full_like(noisy, float("nan"))

    broken = Broken(prior.network, prior.knowledge, prior.read_text)
    with pytest.raises(GambolError, match="not finite"):
        optimised(broken, subject, SHORT)
    wild = replace(SKETCH.scores, steps=3, learning_rate=1e6)
    with pytest.raises(GambolError, match="diverges"):
        optimised(prior, subject, AnimateRequest("a fox", method=wild))


def test_the_loss_that_ranks_variants_is_fixed(problem):
    zeros = problem.parameters.zeros()
    one, two = (ranking_loss(problem, zeros, guidance=5.0, per_frame=True) for _ in range(2))
    assert one == two


def test_a_proposal_is_a_sample_where_a_prior_has_nothing_better(problem, prior):
    target = VideoPrior.propose(
        prior,
        problem.conditions,
        problem.stills(),
        frames=prior.format.frames,
        calls=2,
        guidance=1.0,
        generator=torch.Generator().manual_seed(0),
    )
    assert isinstance(target, TargetLatent)
    assert (len(target.latents), target.evaluations, target.precision) == (1, 2, None)


def test_arms_that_hang_stay_as_they_are():
    assert not subject_of("human", vertices=800).start_angles.any()


@needs_data
@pytest.mark.parametrize("name", ["mesh2motion/human-animated", "kaykit/Knight"])
def test_arms_of_a_t_pose_are_lowered(name):
    subject = make_subject(load(DATA / "characters" / f"{name}.glb").character)
    body = body_of(subject, splats=50)
    skeleton, T = subject.character.require_skeleton(), start_transforms(body.actor, subject)[0].double().numpy()
    arms = body.anatomy.of(BodyPart.ARM)
    assert len(arms) == 2
    for limb in arms:
        upper = upper_bone(body.anatomy, limb)
        last = forearm(limb, upper)
        joint, end = (T[b] @ np.append(x[b], 1.0) for b, x in ((upper, skeleton.heads), (last, skeleton.tails)))
        line = (end - joint)[:3]
        assert line[1] < -0.85 * np.linalg.norm(line)
