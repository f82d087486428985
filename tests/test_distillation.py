"""The optimisation: its curves, its penalties, its states, and how a motion is finished."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from real_data import DATA, needs_data
from tiny_embedded_prior import tiny_prior

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.diffusion.noise_schedules import AnnealedDraw, Constant, FallingBound, Ramp
from gambol.diffusion.samplers import MEAN_LEVELS, mean_latent
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.body import make_body
from gambol.distill.distil import distil, run_steps
from gambol.distill.motion_parameters import time_curves
from gambol.distill.optimise import advance, film_error, final_loss, window_poses
from gambol.distill.penalties import cuboid_corners, paper_ground_penalty, paper_smooth_penalty
from gambol.distill.post_processing import PostProcessing, post_process, resample
from gambol.distill.problem import clip_of, make_problem
from gambol.distill.scenes import first_pose, stage_views
from gambol.distill.settings import (
    DRAFT,
    MOST_VIEWS,
    PAPER,
    SKETCH,
    DistilSettings,
    settings_from,
    with_method,
    with_steps,
)
from gambol.distill.start_pose import forearm, upper_bone
from gambol.distill.state import State, adam, first_state, load_state, save_state
from gambol.distill.windows import PHASES, next_manner, window_sides, window_starts
from gambol.errors import AssetError, GambolError
from gambol.evaluate.quality_metrics import LIMIT_SLACK
from gambol.files.asset import load
from gambol.motion.clip import Clip, rest_clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import ground_path
from gambol.priors.embedded.conditioning import Manner
from gambol.priors.embedded.latents import FILM_NUMBERS, KINDS
from gambol.priors.embedded.prior import LEAST_SHARE, LIVELINESS

SHORT = replace(SKETCH, steps=6, settling=3)
"""A few steps of both phases."""


@pytest.fixture(scope="module")
def body():
    creature = make_creature("fox", 3, vertices=500)
    character = creature.character()
    return make_body(character, creature.anatomy(character))


@pytest.fixture(scope="module")
def prior():
    return tiny_prior()


@pytest.fixture(scope="module")
def problem(body, prior):
    return make_problem(prior, body, "a fox is walking", SHORT)


def test_a_film_of_the_embedded_prior_is_believed_where_it_is_sure_and_a_sample_everywhere(problem):
    prior = problem.prior
    error = torch.randn(prior.format.frames, FILM_NUMBERS, generator=torch.Generator().manual_seed(0))
    dct = prior.network.dct
    believed = dct @ film_error(problem, error)
    assert torch.allclose(believed, prior.certainty * (dct @ error), atol=1e-4)
    assert (prior.certainty >= 0).all()
    assert float(prior.certainty[1:7, KINDS[0]].mean()) == pytest.approx(1.0)
    assert torch.equal(film_error(replace(problem, target=error), error), film_error(problem, error))
    sampled = replace(problem, settings=replace(problem.settings, film="sample"))
    assert torch.equal(film_error(sampled, error), error)


def equal(a: State, b: State) -> bool:
    pairs = [(a.coefficients, b.coefficients), (a.means, b.means), (a.squares, b.squares), ((a.noise,), (b.noise,))]
    pairs += [((a.search.trial, a.search.changes), (b.search.trial, b.search.changes))] if a.search and b.search else []
    same = all(torch.equal(x, y) for left, right in pairs for x, y in zip(left, right, strict=True))
    same = same and (a.search is None) == (b.search is None)
    return same and (a.step, a.evaluations) == (b.step, b.evaluations)


def test_the_start_is_the_rest_pose_and_straight_drift(problem, body, prior):
    start = clip_of(problem, problem.curves.zeros())
    assert not start.root.any()
    assert not start.angles.any()
    drifting = make_problem(prior, body, "", replace(SHORT, drift=0.5)).curves.start_root
    steps = torch.diff(drifting, dim=0)
    assert torch.allclose(steps[:, 0], torch.tensor(0.5 * body.character.size / body.fps))
    assert not steps[:, 1:].any()


def test_a_step_changes_nothing_but_what_it_returns(problem):
    state = first_state(problem.curves, 0)
    once, again = advance(problem, state)[0], advance(problem, state)[0]
    assert equal(once, again)
    assert equal(state, first_state(problem.curves, 0))
    assert once.evaluations == SHORT.views * SHORT.film_calls  # a film of each view, at guidance 1


def test_a_state_read_back_goes_on_to_the_same_bytes(problem, tmp_path):
    halfway = first_state(problem.curves, 0)
    for _ in range(2):
        halfway = advance(problem, halfway)[0]
    assert halfway.search is not None
    save_state(tmp_path / "a.safetensors", halfway, "me")
    read = load_state(tmp_path / "a.safetensors", "me")
    assert read is not None
    assert equal(halfway, read)
    assert equal(run_steps(problem, halfway), run_steps(problem, read))
    with pytest.raises(GambolError, match="another run"):
        load_state(tmp_path / "a.safetensors", "you")
    (tmp_path / "a.safetensors").write_bytes(b"half")
    with pytest.raises(GambolError, match="cannot be read"):
        load_state(tmp_path / "a.safetensors", "me")


def test_adam_is_torchs(problem):
    generator = torch.Generator().manual_seed(1)
    state = first_state(problem.curves, 0)
    ours = [x.clone().requires_grad_() for x in state.coefficients]
    optimiser = torch.optim.Adam(ours, lr=0.05, betas=(0.9, 0.99))
    for _ in range(5):
        gradients = tuple(torch.randn(x.shape, generator=generator) for x in ours)
        for x, g in zip(ours, gradients, strict=True):
            x.grad = g
        optimiser.step()
        state = State(state.step + 1, *adam(state, gradients, 0.05, state.step + 1), state.noise)
    for x, y in zip(ours, state.coefficients, strict=True):
        assert torch.allclose(x.detach(), y, atol=1e-6)


def test_a_film_of_a_known_motion_is_fitted(problem, body, prior):
    generator = torch.Generator().manual_seed(2)
    target = tuple(0.3 * torch.randn(x.shape, generator=generator) for x in problem.curves.zeros())
    with torch.no_grad():
        film = problem.scene.film(body.actor.pose(*problem.curves.motion(target)), 0)
    fitting = with_steps(with_method(SKETCH, "fit"), 60)
    fit = make_problem(prior, body, "", fitting, video=lambda prior: film)
    logs = []
    state = run_steps(fit, first_state(fit.curves, 0), after=lambda state, log: logs.append(log.prior))
    assert state.evaluations == 0
    assert logs[-1] < 0.2 * logs[0]


def test_a_fit_counts_the_calls_for_its_films(body, prior):
    fitting = replace(with_steps(with_method(SKETCH, "fit"), 4), film_calls=6, film_guidance=1.5)
    all_views = distil(prior, body, "a fox is walking", fitting)
    assert all_views.evaluations == 2 * fitting.views * 6
    sampled = distil(prior, body, "a fox is walking", replace(fitting, film="sample"))
    assert sampled.evaluations == 2 * 6


def test_a_typical_film_has_the_energy_that_a_mean_film_lacks(prior):
    generator = torch.Generator().manual_seed(4)
    still, film = torch.randn(2, prior.format.frames, FILM_NUMBERS, generator=generator)
    typical, dct = prior.typical(film, still), prior.network.dct
    before, after = dct @ (film - still), dct @ (typical - still)
    assert torch.allclose(after[0], before[0], atol=1e-4)  # the mean pose stays
    for kind, share in zip(KINDS, prior.network.explained.T, strict=True):
        factor = share[1:, None].clamp(LEAST_SHARE, 1.0) ** (-0.5 * LIVELINESS)
        assert torch.allclose(after[1:, kind], factor * before[1:, kind], atol=1e-3)
    assert torch.allclose(prior.typical(still, still), still, atol=1e-4)


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
    assert torch.equal(mean_latent(sure, None, generator, start=zero, guidance=1.0, steps=9), film)
    assert sure.levels[0] == MEAN_LEVELS[0]
    assert sure.levels == sorted(sure.levels, reverse=True)
    guesses = [film * k for k in range(6)]
    found = mean_latent(Guesses(guesses), None, generator, start=zero, guidance=1.0, steps=6)
    assert torch.allclose(found, torch.stack(guesses).mean(0))  # 1 / 6 is above the least step


@pytest.mark.parametrize("kind", ["cosine", "spline", "free"])
@pytest.mark.parametrize("loop", [False, True])
def test_curves_are_as_many_as_asked_and_loops_close(kind, loop):
    curves = time_curves(kind, 24, 12, loop=loop)
    assert len(curves) == 24
    assert torch.linalg.matrix_rank(curves) == curves.shape[1]
    if kind == "spline":
        assert torch.allclose(curves.sum(1), torch.ones(24), atol=1e-6)
    if loop and kind != "free":  # a curve goes on where it began: twice the frames show the same curve at half steps
        around = torch.cat([curves, curves[:1]])
        assert (around[1:] - around[:-1]).abs().max() < 1.0
        finer = time_curves(kind, 240, 12, loop=True)
        assert (finer[-1] - finer[0]).abs().max() < 0.3


def test_the_papers_terms_are_its_equations(body):
    generator = torch.Generator().manual_seed(3)
    joints = len(body.character.require_skeleton()) - 1
    root, angles = torch.randn(7, 6, generator=generator), torch.randn(7, joints, 3, generator=generator)
    numbers = torch.cat([root, angles.flatten(1)], 1)
    slow = np.mean([abs(float(c[i + 1] - 2 * c[i] + c[i - 1])) for c in numbers.T for i in range(1, 6)])
    assert float(paper_smooth_penalty(root, angles)) == pytest.approx(slow, rel=1e-5)
    clip = Clip("", 30.0, root.double().numpy(), angles.double().numpy())
    T = pose_clip(body.character.require_skeleton(), clip)
    corners = body.character.cuboids.corners_bone()
    depths = [
        max(-float((T[f, b] @ [*corners[b, k], 1.0])[1]), 0.0)
        for f in range(7)
        for b in range(joints + 1)
        for k in range(8)
    ]
    found = paper_ground_penalty(cuboid_corners(body.character), body.actor.pose(root, angles))
    assert float(found) == pytest.approx(np.mean(depths), rel=1e-4)


def test_locked_joints_do_not_move(body, prior):
    name = body.character.require_skeleton().names[5]
    clip = distil(prior, body, "a fox", replace(SHORT, locked=(name, "root"))).on_stage
    assert not clip.angles[:, 4].any()
    assert not clip.root.any()
    assert clip.angles.any()
    with pytest.raises(AssetError, match="no joint 'tentacle'"):
        make_problem(prior, body, "", replace(SHORT, locked=("tentacle",)))


def test_longer_clips_are_seen_in_windows_and_loops_close(body, prior):
    long = distil(prior, body, "a fox", replace(SHORT, seconds=2.5)).on_stage
    assert long.duration == pytest.approx(2.5, abs=2 / body.fps)
    assert np.abs(long.angles[-10:]).max() > 0
    loop = distil(prior, body, "a fox", replace(SHORT, loop=True))
    assert np.array_equal(loop.on_stage.angles[0], loop.on_stage.angles[-1])
    written = post_process(body.character, loop.on_stage, body.anatomy, PostProcessing(), travels=False, loop=True)
    assert np.abs(written.angles[0] - written.angles[-1]).max() < 0.02
    with pytest.raises(AssetError, match="length of the film"):
        make_problem(prior, body, "", replace(with_method(SKETCH, "fit"), seconds=5.0, film="sample"))
    with pytest.raises(AssetError, match="a loop was asked for"):
        make_problem(prior, body, "", replace(with_method(SKETCH, "fit"), loop=True))


@pytest.mark.parametrize("frames", [24, 25, 36, 37, 100])
def test_windows_cover_a_clip_and_overlap_by_half(frames):
    starts = window_starts(frames, 24)
    assert starts[0] == 0
    assert starts[-1] == frames - 24
    assert all(0 < later - earlier <= 12 for earlier, later in pairwise(starts))
    seen = {side for i in range(len(starts)) for side in window_sides(i, 8)}
    assert seen == set(range(8)) or len(starts) == 1
    assert all(len(window_sides(i, 8)) == 4 and window_sides(i, 2) == (0, 1) for i in range(len(starts)))


def test_a_film_goes_on_in_the_phase_in_which_it_is(problem):
    """Two films of the same frames: the phase must be the same; a film in another phase is recognised by it."""
    prior, condition = problem.prior, problem.conditions[0]
    manner = Manner(0.1)
    for ahead in (0, 3, 11):
        later = replace(manner, phase=0.1 + ahead / PHASES)
        told = prior.in_manner(condition, later)
        still = condition.rest.expand(prior.format.frames, -1)
        film = mean_latent(prior, told, torch.Generator().manual_seed(0), start=still, guidance=1.0, steps=1)
        found, calls = next_manner(prior, condition, manner, film, len(film), guidance=1.0)
        assert found.phase == pytest.approx(later.phase)
        assert calls == PHASES


def test_a_later_window_begins_looking_ahead(body, prior):
    """A body that turns steadily looks in every window as it does in the first."""
    problem = make_problem(prior, body, "a fox turns left", replace(SKETCH, seconds=3.0))
    root, angles = problem.curves.start_root.clone(), problem.curves.start_angles
    root[:, 3] = 0.1 * torch.arange(len(root))
    starts = sorted(dict(problem.films))
    assert len(starts) > 2
    windows = [window_poses(problem, root, angles, first) for first in starts]
    own = body.actor.pose(root, angles)[: prior.format.frames]
    assert all(torch.allclose(window, own, atol=1e-5) for window in windows)


def test_a_long_fit_asks_for_films_of_all_windows(body, prior):
    problem = make_problem(prior, body, "a fox", replace(SKETCH, steps=1, settling=1, seconds=2.5))
    state, _ = advance(problem, first_state(problem.curves, 0))
    windows = len(dict(problem.films))
    assert len(problem.films) == 4 * windows
    assert state.evaluations == 10 * 4 * windows + (windows - 1) * (10 + PHASES)


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


def test_a_stage_is_seen_in_pairs_of_mirrored_views_that_all_differ():
    views = stage_views(SKETCH.view, MOST_VIEWS)
    assert views[0] == SKETCH.view
    assert all(b == a.mirrored() for a, b in zip(views[::2], views[1::2], strict=True))
    assert len({(view.azimuth, view.elevation) for view in views}) == MOST_VIEWS
    # the prior knows views of up to 0.25 from square and 0.12 to 0.3 from above (`stage.draw_view`)
    assert all(abs(view.azimuth) <= 0.25 and 0.12 <= view.elevation <= 0.3 for view in views[::2])
    assert stage_views(SKETCH.view, 3) == views[:3]
    with pytest.raises(AssetError, match="views is 9; a stage has 8 at most"):
        replace(SKETCH, views=9)


def test_presets_and_methods_are_what_the_docs_say():
    assert PAPER.guidance_at(0) == 100.0
    assert PAPER.steps == 10_000
    assert PAPER.levels == FallingBound()
    assert (PAPER.penalties.paper_smooth, PAPER.penalties.paper_ground) == (2e5, 1e7)
    assert PAPER.penalties.limits == PAPER.penalties.smooth == PAPER.penalties.ground == 0.0
    assert PAPER.curves == "free"
    assert not PAPER.per_frame
    assert isinstance(DRAFT.levels, AnnealedDraw)
    annealed = with_method(SKETCH, "annealed")
    assert isinstance(annealed.levels, AnnealedDraw)
    assert annealed.guidance_at(0) > annealed.guidance_at(300)
    assert SKETCH.film_guidance == 1.0
    assert SKETCH.views * SKETCH.film_calls <= 200  # evaluations of a fit
    scores = with_method(SKETCH, "sds")
    assert SKETCH.steps == SKETCH.settling == scores.settling < scores.steps
    assert SKETCH.views * SKETCH.film_calls + 2 * (scores.steps - scores.settling) <= 1000
    assert with_method(DRAFT, "fit").film == "sample"
    short = with_steps(PAPER, 100)
    assert short.levels.high == Ramp(0.98, 0.5, 50)
    assert DistilSettings(guidance=Constant(3.0)).guidance_at(7) == 3.0
    with pytest.raises(AssetError, match="no setting speed"):
        settings_from({"speed": 1})
    with pytest.raises(AssetError, match="steps is 0"):
        settings_from({"steps": 0})


def test_numbers_that_are_not_finite_stop_the_run(problem, body):
    class Broken(type(problem.prior)):
        def predict_clean(self, noisy, t, condition, guidance):
            return torch.full_like(noisy, float("nan"))

    broken = Broken(problem.prior.network, problem.prior.latents, problem.prior.chances)
    with pytest.raises(GambolError, match="not finite"):
        distil(broken, body, "a fox", SHORT)
    with pytest.raises(GambolError, match="runs away"):
        distil(problem.prior, body, "a fox", replace(SHORT, rate=1e6))


def test_the_loss_that_ranks_variants_is_fixed(problem):
    state = first_state(problem.curves, 0)
    assert final_loss(problem, state.coefficients) == final_loss(problem, state.coefficients)


def test_arms_that_hang_stay_as_they_are():
    made = make_creature("human", 3, vertices=800)
    character = made.character()
    assert not make_body(character, made.anatomy(character), splats=50).first_angles.any()


@needs_data
@pytest.mark.parametrize("name", ["mesh2motion/human-animated", "kaykit/Knight"])
def test_arms_of_a_t_pose_are_lowered(name):
    character = load(DATA / "characters" / f"{name}.glb").character
    body = make_body(character, find_anatomy(character), splats=50)
    skeleton, T = character.require_skeleton(), first_pose(body)[0].double().numpy()
    arms = body.anatomy.of(BodyPart.ARM)
    assert len(arms) == 2
    for limb in arms:
        upper = upper_bone(body.anatomy, limb)
        last = forearm(limb, upper)
        joint, end = (T[b] @ np.append(x[b], 1.0) for b, x in ((upper, skeleton.heads), (last, skeleton.tails)))
        way = (end - joint)[:3]
        assert way[1] < -0.85 * np.linalg.norm(way)
