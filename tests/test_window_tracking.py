"""Tracking in windows: state is carried to the bit, cost is linear, stops leave no trace, one window is no window."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from physics_bodies import walker

from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.physics import simulated_motion
from gambol.physics.articulated_body import BodyConfig, make_articulated_body
from gambol.physics.gradient_tracking import TrackConfig, at_every_step
from gambol.physics.simulated_motion import efforts, step_blocks
from gambol.physics.track_windows import Window, plan_windows, track_windows
from gambol.physics.tracking_checkpoint import TrackingCheckpoint
from gambol.physics.tracking_problem import make_tracking_problem
from gambol.physics.world import PhysicsWorld, gains

pytest.importorskip("newton")
pytest.importorskip("mujoco")

from gambol.physics.cross_entropy_tracking import SamplingConfig, SamplingWindows
from gambol.physics.gradient_tracking import optimise_controls
from gambol.physics.gradient_windows import GradientWindows, best_copies
from gambol.physics.run_tracking import joined_solution, simulate_solution
from gambol.physics.simulator import Simulator

FPS = 24.0
CONFIG = TrackConfig(iterations=2, patience=0, window=6.5 / FPS, look_ahead=2.0 / FPS)
"""Windows of 6 frames that look 2 frames ahead."""
SAMPLING = SamplingConfig(samples=4, elites=2, rounds=2)


def long_walk(frames: int) -> Clip:
    """The walker's steps, as many as wanted."""
    clip = walker()[2]
    time = np.arange(frames) / FPS
    root, angles = np.zeros((frames, 6)), np.zeros((frames, clip.angles.shape[1], 3))
    root[:, 0], root[:, 1] = 0.5 * time, 0.05
    angles[..., 0] = 0.3 * np.sin(6.0 * time[:, None] + np.arange(clip.angles.shape[1]))
    return Clip("walk", FPS, root, angles)


def make_problem(*clips: Clip):
    skeleton, boxes, _ = walker()
    body = make_articulated_body(skeleton, boxes, clips, config=BodyConfig(size=None))
    return make_tracking_problem(body, skeleton, clips, PhysicsWorld())


@pytest.fixture(scope="module")
def problem():
    return make_problem(long_walk(16))


@pytest.fixture(scope="module")
def simulator(problem):
    return Simulator(problem.body, problem.world, substeps=problem.time.substeps, dt=problem.time.dt)


@pytest.fixture(scope="module")
def tracked(problem, simulator):
    method = GradientWindows(problem, simulator, CONFIG)
    return method, track_windows(method, TrackingCheckpoint(None, ""))


def same(first, second) -> bool:
    """Whether two searches are equal to the bit."""
    tensors = [(first.controls, second.controls), (first.rates, second.rates), (first.losses, second.losses)]
    tensors += [(first.carried[name], second.carried[name]) for name in first.carried]
    rest = [(f.iterations, f.steps, f.history, f.upright) for f in (first, second)]
    return all(torch.equal(a, b) for a, b in tensors) and rest[0] == rest[1]


class TestPlan:
    @pytest.mark.parametrize(("frames", "length", "ahead"), [(241, 60, 15), (122, 60, 15), (63, 60, 15), (10, 4, 0)])
    def test_windows_share_the_clip_out_and_overlap_by_the_look_ahead(self, frames, length, ahead):
        windows = plan_windows(frames, length, ahead)
        assert windows[0].first == 0
        assert windows[-1].handover == windows[-1].last == frames - 1
        for window, after in pairwise(windows):
            assert window.handover == after.first
            assert window.last == window.handover + ahead
        lengths = [window.last - window.first for window in windows]
        assert max(lengths) <= length
        assert max(lengths) - min(lengths) <= 1
        assert sum(lengths) == frames - 1 + ahead * (len(windows) - 1)

    def test_a_clip_that_fits_is_one_window(self):
        assert plan_windows(61, 60, 15) == (Window(0, 60, 60),)
        assert len(plan_windows(62, 60, 15)) == 2

    @pytest.mark.parametrize(("length", "ahead"), [(1, 0), (4, 4), (4, -1)])
    def test_windows_that_get_nowhere_are_refused(self, length, ahead):
        with pytest.raises(ConfigError, match="must be longer than its look-ahead"):
            plan_windows(100, length, ahead)

    def test_settings_that_make_no_sense_are_refused(self):
        with pytest.raises(ConfigError, match="give a shorter look-ahead"):
            TrackConfig(window=1.0, look_ahead=1.0)
        with pytest.raises(ConfigError, match="The window of tracking is -1"):
            TrackConfig(window=-1.0)


class TestGradient:
    def test_a_clip_that_fits_into_one_window_is_tracked_as_without_windows(self, problem, simulator):
        config = replace(CONFIG, window=1.0)
        found = joined_solution(
            track_windows(GradientWindows(problem, simulator, config), TrackingCheckpoint(None, ""))
        )
        alone = optimise_controls(problem, simulator, config=config)
        assert torch.equal(found.controls, alone.controls)
        assert torch.equal(found.rates, alone.rates)
        assert torch.equal(found.losses, alone.losses)
        assert found.history == alone.history

    @pytest.mark.parametrize("knots", ["frame", "substep"])
    def test_one_open_loop_replay_is_the_motion_that_was_carried(self, problem, simulator, tracked, knots):
        """All controls from the first state give every handover's state to the bit: the windows are one simulation."""
        method, found = tracked
        if knots == "substep":
            method = GradientWindows(problem, simulator, replace(CONFIG, knots="substep"))
            found = track_windows(method, TrackingCheckpoint(None, ""))
        assert len(method.windows) == 4
        motion = simulate_solution(problem, simulator, joined_solution(found))[0]
        assert len(found.controls) == (16 if knots == "frame" else 15 * problem.time.per_frame)
        assert len(motion.frame_states) == problem.frames
        partial = None
        for number, window in enumerate(method.windows):
            partial = method.track(number, partial, progress=None, resume=None, checkpoint=None)
            at = window.handover * motion.per_frame
            assert np.array_equal(motion.states[at], partial.carried["start"][0].double().numpy())
            assert np.array_equal(motion.twists[at], partial.carried["twists"][0].double().numpy())
        assert same(partial, found)

    def test_the_replay_from_a_files_numbers_is_exact(self, problem, simulator, tracked):
        """From the stored targets of every step, chunk by chunk, as a reader of OUT.npz would play them."""
        motion = simulate_solution(problem, simulator, joined_solution(tracked[1]))[0]
        q = torch.from_numpy(motion.states[0]).float()
        qd = torch.from_numpy(motion.twists[0]).float()
        slots = torch.zeros(len(motion.targets), simulator.slots)
        slots[:, 7:] = torch.from_numpy(motion.targets).float().flatten(1)
        steps = simulator.substeps
        for k, chunk in enumerate(slots.split(steps)):
            q, qd = simulator.forward(q, qd, chunk)
            assert np.array_equal(motion.states[(k + 1) * steps], q.double().numpy())
            assert np.array_equal(motion.twists[(k + 1) * steps], qd.double().numpy())

    def test_targets_do_not_jump_at_a_seam(self, problem, tracked):
        """Between two steps they change by one step's share of the way between two knots, seams or not."""
        controls = tracked[1].controls
        steps = at_every_step(controls, problem)[:, 0]
        most = (controls.diff(dim=0).abs().amax() / problem.time.per_frame).item()
        assert steps.diff(dim=0).abs().amax().item() <= most + 1e-6

    def test_twice_the_length_takes_twice_the_simulation(self, problem, simulator, tracked, monkeypatch):
        """By simulated steps, counted by the search and in the simulator itself."""
        counted = []
        plain = Simulator.forward
        monkeypatch.setattr(Simulator, "forward", lambda *given: counted.append(given[0].substeps) or plain(*given))
        steps, calls = {}, {}
        for frames in (16, 31):  # 15 and 30 intervals
            given = make_problem(long_walk(frames))
            counted.clear()
            method = GradientWindows(given, simulator, CONFIG)
            found = track_windows(method, TrackingCheckpoint(None, ""))
            steps[frames], calls[frames] = sum(found.steps), sum(counted)
            windows = sum(window.last - window.first for window in method.windows)
            assert sum(found.steps) == windows * given.time.per_frame * CONFIG.iterations
            assert sum(counted) == windows * given.time.per_frame * (CONFIG.iterations + 1)  # and once to carry
        assert 1.9 < steps[31] / steps[16] < 2.1
        assert steps[31] / steps[16] == calls[31] / calls[16]

    @pytest.mark.parametrize("stop", [(0, 1), (1, None), (2, 1), (3, None)])
    def test_a_run_that_is_stopped_anywhere_resumes_to_the_same_bytes(
        self, problem, simulator, tracked, tmp_path, monkeypatch, stop
    ):
        """Within a window (after its first iteration) and right after one."""
        monkeypatch.setattr(TrackingCheckpoint, "INTERVAL", 1)

        class Stopped(Exception):
            pass

        class Stopping(TrackingCheckpoint):
            def write(self, windows, within):
                super().write(windows, within)
                done = 0 if windows is None else len(windows.iterations)
                if (done, within and within["iteration"]) == stop:
                    raise Stopped

        path = tmp_path / "state"
        method = GradientWindows(problem, simulator, CONFIG)
        with pytest.raises(Stopped):
            track_windows(method, Stopping(path, "job"))
        reported = []
        again = TrackingCheckpoint(path, "job")
        found = track_windows(method, again, progress=lambda done, total, what: reported.append((done, total, what)))
        assert same(found, tracked[1])
        assert reported[0][2].startswith(f"window {stop[0] + 1} of 4, ")
        assert reported[-1][:2] == (8, 8)
        assert [done for done, _, _ in reported] == sorted(done for done, _, _ in reported)
        assert again.cpu_seconds > TrackingCheckpoint(None, "").cpu_seconds
        assert TrackingCheckpoint(path, "another job").read() == {"windows": None, "within": None}

    def test_all_starts_of_a_clip_go_on_from_the_best(self):
        assert best_copies(torch.tensor([3.0, 1.0, 2.0, 5.0, 6.0, 4.0]), 3).tolist() == [1, 1, 1, 5, 5, 5]
        problem = make_problem(long_walk(10), long_walk(10))
        time = problem.time
        simulator = Simulator(problem.body, problem.world, substeps=time.substeps, dt=time.dt, copies=2)
        config = replace(CONFIG, iterations=1, spread=0.05)
        method = GradientWindows(problem, simulator, config, starts=2)
        found = track_windows(method, TrackingCheckpoint(None, ""))
        assert len(method.windows) == 2
        assert torch.equal(found.controls[:, 0], found.controls[:, 1])
        assert torch.equal(found.carried["start"][0], found.carried["start"][1])

    def test_a_shorter_clip_of_a_batch_ends_before_the_last_window(self):
        problem = make_problem(long_walk(10), long_walk(4))
        time = problem.time
        simulator = Simulator(problem.body, problem.world, substeps=time.substeps, dt=time.dt, copies=2)
        found = track_windows(GradientWindows(problem, simulator, CONFIG), TrackingCheckpoint(None, ""))
        assert torch.isfinite(found.controls).all()
        assert np.isfinite(found.history).all()


@pytest.mark.parametrize(("steps", "multiple"), [(0, 1), (5, 1), (2048, 1), (5000, 80), (5000, 3000)])
def test_blocks_of_steps_cover_all_of_them_once(steps, multiple):
    blocks = step_blocks(steps, multiple=multiple)
    assert [k for block in blocks for k in range(block.start, block.stop)] == list(range(steps))
    assert all(block.start % multiple == 0 for block in blocks)


def test_forces_do_not_depend_on_the_blocks_they_are_computed_in(problem, simulator, tracked, monkeypatch):
    motion = simulate_solution(problem, simulator, joined_solution(tracked[1]))[0]
    g = gains(problem.body, problem.world)
    whole = efforts(problem.body, g, motion)
    monkeypatch.setattr(simulated_motion, "BLOCK_STEPS", 7)
    blocked = efforts(problem.body, g, motion)
    assert np.array_equal(whole.torques, blocked.torques)
    assert np.array_equal(whole.contacts, blocked.contacts)
    assert blocked.upright.work_share == pytest.approx(whole.upright.work_share, rel=1e-12)


class TestSampling:
    def test_one_open_loop_replay_is_the_motion_that_was_carried(self, problem):
        method = SamplingWindows(problem, TrackConfig(), SAMPLING)
        found, at = None, []
        for number in range(len(method.windows)):
            found = method.track(number, found, progress=None, resume=None, checkpoint=None)
            at.append(found.carried)
        assert [window.handover for window in method.windows] == [3, 7, 15]
        motion = method.replay(found)[0]
        search = method._searches[0]
        for window, carried in zip(method.windows, at, strict=True):
            search._restore(tuple(carried[name][0].numpy() for name in ("qpos", "qvel", "qacc_warmstart")))
            at_handover = window.handover * motion.per_frame
            assert np.array_equal(search._state()[:, :3, 3], motion.states[at_handover, :, :3])
            assert np.array_equal(search._twist(), motion.twists[at_handover])
        assert np.array_equal(motion.states, method.replay(found)[0].states)

    def test_a_run_that_is_stopped_resumes_to_the_same_bytes(self, problem, tmp_path):
        method = SamplingWindows(problem, TrackConfig(), SAMPLING)
        whole = track_windows(method, TrackingCheckpoint(None, ""))
        saved = TrackingCheckpoint(tmp_path / "state", "job")
        saved.write(method.track(0, None, progress=None, resume=None, checkpoint=None), None)
        assert same(track_windows(SamplingWindows(problem, TrackConfig(), SAMPLING), saved), whole)

    def test_windows_in_seconds_count_for_both_engines(self, problem, simulator):
        config = TrackConfig(window=0.5, look_ahead=0.25)
        assert SamplingWindows(problem, config, SAMPLING).windows == GradientWindows(problem, simulator, config).windows
