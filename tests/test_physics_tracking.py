"""Tracking: the loss falls, runs resume to the same bytes, batches, what is written, MuJoCo's replay."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from creature_body import creature_body
from physics_bodies import walker
from real_data import DATA, needs_data

from gambol.app.track import load_clip
from gambol.creatures.gaits.make_motion import make_motion
from gambol.errors import ConfigError
from gambol.physics.articulated_body import BodyConfig, make_articulated_body
from gambol.physics.change_length_unit import scale_lengths
from gambol.physics.collision_boxes import bone_boxes
from gambol.physics.forces_reference import joint_torques
from gambol.physics.generalised_coordinates import (
    body_transforms,
    joint_angles,
    joint_axes,
    states_from_transforms,
    transforms_from_states,
)
from gambol.physics.gradient_tracking import TrackConfig, expand_controls, start_controls, upright_scale
from gambol.physics.hinge_targets import hinge_targets, knot_targets
from gambol.physics.mjcf import mujoco_qpos, mujoco_qvel, replay_mjcf, root_frame, write_mjcf
from gambol.physics.simulated_motion import clip_from_simulation, efforts
from gambol.physics.soft_contacts import inverse_weights
from gambol.physics.track_losses import (
    loss_clear,
    loss_hover,
    loss_jerk,
    loss_skate,
    loss_smooth,
    loss_track,
    point_places,
    swinging_points,
)
from gambol.physics.tracking_measures import measure_tracking
from gambol.physics.tracking_problem import make_tracking_problem
from gambol.physics.world import PhysicsWorld, gains, world_for_living_size

pytest.importorskip("newton")
pytest.importorskip("mujoco")

from gambol.physics.cross_entropy_tracking import SamplingConfig, SamplingWindows
from gambol.physics.gradient_tracking import optimise_controls, simulate
from gambol.physics.run_tracking import joined_solution, simulate_solution
from gambol.physics.simulator import Simulator
from gambol.physics.track_windows import track_windows
from gambol.physics.tracking_checkpoint import TrackingCheckpoint

SHORT = TrackConfig(iterations=6, patience=0)


@pytest.fixture(scope="module")
def job():
    """The walker's problem, its simulator, and what six iterations find."""
    skeleton, boxes, clip = walker()
    body = make_articulated_body(skeleton, boxes, (clip,), config=BodyConfig(size=None))
    problem = make_tracking_problem(body, skeleton, (clip,), PhysicsWorld())
    simulator = Simulator(body, PhysicsWorld(), substeps=problem.time.substeps, dt=problem.time.dt)
    solution = optimise_controls(problem, simulator, config=SHORT)
    return skeleton, clip, problem, simulator, solution, simulate_solution(problem, simulator, solution)[0]


def test_the_loss_falls_and_the_best_iterate_is_kept(job):
    solution = job[4]
    assert solution.history[-1] < 0.95 * solution.history[0]
    assert float(solution.losses[0]) == pytest.approx(min(solution.history), rel=1e-6)


def test_a_body_a_quarter_as_large_moves_twice_as_fast_in_the_same_way(job):
    """Dynamic similarity, exactly: fourfold gravity and a clip of twice the frames per second give the same states."""
    skeleton, clip, problem, _, solution, motion = job
    world = world_for_living_size(problem.body.size / 4.0, problem.body.size)
    assert (world.gravity, world.pace) == (4.0 * 9.81, 2.0)
    fast = make_tracking_problem(problem.body, skeleton, (replace(clip, fps=2.0 * clip.fps),), world)
    assert fast.time.per_frame == problem.time.per_frame
    simulator = Simulator(fast.body, world, substeps=fast.time.substeps, dt=fast.time.dt)
    found = simulate_solution(fast, simulator, replace(solution, rates=2.0 * solution.rates))[0]
    np.testing.assert_allclose(found.states, motion.states, atol=1e-5)
    np.testing.assert_allclose(found.twists, 2.0 * motion.twists, atol=1e-3)


def test_a_run_that_is_stopped_and_resumed_ends_in_the_same_bytes(job, tmp_path, monkeypatch):
    _, _, problem, simulator, whole, _ = job
    monkeypatch.setattr(TrackingCheckpoint, "INTERVAL", 1)
    saved = TrackingCheckpoint(tmp_path / "state", "this job")

    class Stopped(Exception):
        pass

    def stop(state):
        saved.write_within(None, state)
        if state["iteration"] == 3:
            raise Stopped

    with pytest.raises(Stopped):
        optimise_controls(problem, simulator, config=SHORT, checkpoint=stop)
    resumed = optimise_controls(problem, simulator, config=SHORT, resume=saved.read()["within"])
    assert resumed.history == whole.history
    assert torch.equal(resumed.controls, whole.controls)
    assert torch.equal(resumed.rates, whole.rates)
    assert TrackingCheckpoint(tmp_path / "state", "another job").read() == {"windows": None, "within": None}


def test_the_search_stops_where_nothing_is_gained(job):
    _, _, problem, simulator, _, _ = job
    still = TrackConfig(iterations=30, patience=2, learning_rate=1e-9, velocity_rate=1e-9)
    assert optimise_controls(problem, simulator, config=still).iterations == 3


def test_two_clips_in_one_simulation_are_tracked_as_if_alone():
    skeleton, boxes, clip = walker()
    other = replace(clip, name="short", root=clip.root[:6], angles=-clip.angles[:6])
    body = make_articulated_body(skeleton, boxes, (clip, other), config=BodyConfig(size=None))
    found = {}
    for clips in ((clip, other), (clip,), (other,)):
        problem = make_tracking_problem(body, skeleton, clips, PhysicsWorld())
        time = problem.time
        simulator = Simulator(body, PhysicsWorld(), substeps=time.substeps, dt=time.dt, copies=len(clips))
        found[len(clips), clips[0].name] = optimise_controls(
            problem, simulator, config=replace(SHORT, iterations=2)
        ).losses
    both = found[2, "step"]
    assert float(both[0]) == pytest.approx(float(found[1, "step"][0]), rel=1e-3)
    assert float(both[1]) == pytest.approx(float(found[1, "short"][0]), rel=1e-3)


def test_knots_per_substep_begin_with_the_same_targets(job):
    problem = job[2]
    frame, substep = (start_controls(problem, TrackConfig(knots=knots)) for knots in ("frame", "substep"))
    assert len(substep) == (problem.frames - 1) * problem.time.per_frame
    torch.testing.assert_close(expand_controls(frame, problem), expand_controls(substep, problem))


def test_the_upright_torque_is_annealed_to_nothing():
    config = TrackConfig(iterations=90, anneal=True)
    shares = [upright_scale(i, config) for i in range(90)]
    assert shares[0] == 1.0
    assert shares[60:] == [0.0] * 30
    assert shares == sorted(shares, reverse=True)


class TestLosses:
    def test_a_motion_has_no_distance_from_itself_nor_from_its_negative_quaternions(self, job):
        states = job[2].states
        flipped = torch.cat([states[..., :3], -states[..., 3:]], -1)
        assert float(loss_track(flipped, states, job[2].valid)) < 1e-5
        assert float(loss_jerk(states, states, job[2].valid)) < 1e-4

    def test_a_shift_costs_its_length_for_every_body(self, job):
        moved = job[2].states.clone()
        moved[..., 0] += 0.25
        assert float(loss_track(moved, job[2].states, job[2].valid)) == pytest.approx(0.25 * moved.shape[2], rel=1e-4)

    def test_a_straight_line_is_smooth_and_a_corner_is_not(self):
        line = torch.linspace(0, 1, 5)[:, None, None, None].expand(5, 1, 2, 3)
        assert float(loss_smooth(line)) < 1e-6
        corner = (torch.arange(5) == 2).float()[:, None, None, None].expand(5, 1, 2, 3)
        assert float(loss_smooth(corner)) == pytest.approx((1 + 2 + 1) / 3)

    def test_only_what_touches_the_ground_can_skate(self):
        places = torch.zeros(3, 1, 2, 3)
        places[:, 0, 1, 1] = 0.5  # the second point is in the air
        places[:, 0, :, 0] = torch.arange(3.0)[:, None] * 0.1
        valid = torch.ones(3, 1, dtype=torch.bool)
        touching = 1.0 / (1.0 + np.exp(-0.007 / 0.002))
        assert float(loss_skate(places, valid, 1.0)) == pytest.approx(0.1 * touching, rel=1e-3)

    def test_what_overtakes_the_body_swings_and_what_stays_behind_stands(self):
        places, roots = torch.zeros(5, 1, 3, 3), torch.zeros(5, 1, 3)
        roots[:, 0, 0] = torch.arange(5.0) * 0.1  # 1 size/s at 10 frames per second
        places[2:, 0, 1, 0] = 0.3 * torch.arange(1.0, 4.0)  # stands for a step, then overtakes it
        places[:, 0, 2, 2] = 0.07 * torch.arange(5.0)
        swings = swinging_points(places, roots, 10.0, 1.0)[:, 0]
        assert float(swings[:, [0, 2]].max()) < 0.06
        assert (swings[:, 1] > 0.99).tolist() == [False, False, True, True, True]

    def test_a_swinging_point_costs_what_it_lacks_in_height(self):
        places = torch.zeros(4, 1, 3, 3)
        places[:, 0, :, 1] = torch.tensor([0.005, 0.005, 0.5])
        swinging = torch.tensor([1.0, 0.0, 1.0]).expand(4, 1, 3)
        valid = torch.ones(4, 1, dtype=torch.bool)
        assert float(loss_clear(places, swinging, valid, 1.0)) == pytest.approx(0.012 - 0.005)

    def test_only_what_is_higher_than_the_target_hovers(self):
        places, targets = torch.zeros(4, 1, 2, 3), torch.zeros(4, 1, 2, 3)
        places[:, 0, 0, 1] = torch.tensor([0.3, 0.3, 0.1, 0.0])  # the lower point
        places[:, 0, 1, 1] = 0.5
        targets[:, 0, :, 1] = torch.tensor([-0.1, 0.4, 0.0, 0.2])[:, None]  # sinks, flies, stands, flies
        valid = torch.tensor([True, True, True, False])[:, None]
        assert float(loss_hover(places, targets, valid)) == pytest.approx((0.3 + 0.0 + 0.1) / 3)

    def test_points_are_placed_as_matrices_place_them(self, job):
        body, states = job[2].body, job[2].states
        T = transforms_from_states(states[:, 0].double().numpy())[:, body.point_bodies]
        meant = np.einsum("fpij,pj->fpi", T[..., :3, :3], body.points) + T[..., :3, 3]
        found = point_places(states, torch.as_tensor(body.points).float(), torch.from_numpy(body.point_bodies))
        np.testing.assert_allclose(found[:, 0].numpy(), meant, atol=1e-5)


class TestOutputs:
    def test_the_clip_of_a_simulation_is_the_simulation(self, job):
        skeleton, clip, problem, _, _, motion = job
        made = clip_from_simulation(problem.body, skeleton, clip, motion)
        T = body_transforms(problem.body, skeleton, made)
        meant = transforms_from_states(motion.frame_states)
        np.testing.assert_allclose(T[..., :3, :3], meant[..., :3, :3], atol=1e-5)
        assert np.abs(T[..., :3, 3] - meant[..., :3, 3]).max() < 0.02  # joints give a little

    def test_contact_forces_carry_the_weight_on_average(self, job):
        _, _, problem, _, _, motion = job
        found = efforts(problem.body, gains(problem.body, PhysicsWorld()), motion)
        assert found.contacts[..., 1].min() >= 0
        assert 0 <= found.upright.work_share < 0.5
        assert found.upright.peak >= found.upright.mean > 0

    def test_coordinates_and_velocities_of_mujoco_agree_with_the_simulation(self, job):
        import mujoco

        _, _, problem, _, _, motion = job
        body = problem.body
        text = write_mjcf(body, PhysicsWorld(), motion, name="walker")
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        masses = np.array([model.body(name).mass[0] for name in body.names])
        np.testing.assert_allclose(masses, body.masses, rtol=1e-6)
        for i, name in enumerate(body.names):
            principal = np.sort(model.body(name).inertia)
            np.testing.assert_allclose(principal, np.linalg.eigvalsh(body.inertias[i]), rtol=1e-5)
        mujoco.mj_resetDataKeyframe(model, data, 4)
        mujoco.mj_forward(model, data)
        at = 4 * motion.per_frame
        from gambol.physics.mjcf import R_ZUP_YUP

        six = np.zeros(6)
        for i, name in enumerate(body.names):
            ids = model.body(name).id
            assert np.abs(R_ZUP_YUP.T @ data.xpos[ids] - motion.states[at, i, :3]).max() < 0.02
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, ids, six, 0)
            assert np.abs(R_ZUP_YUP.T @ six[:3] - motion.twists[at, i, 3:]).max() < 1e-3
        frame = root_frame(body, transforms_from_states(motion.states[0])[0, :3, :3])
        rates = mujoco_qvel(body, frame, motion.states[at], motion.twists[at])
        assert len(rates) == mujoco_qpos(body, frame, motion.states[:1]).shape[1] == model.nv

    def test_the_mjcf_file_replays_in_mujoco(self, job):
        _, _, problem, _, _, motion = job
        body = problem.body
        states = replay_mjcf(write_mjcf(body, PhysicsWorld(), motion, name="walker"), body)
        gap = np.linalg.norm(states[..., :3] - motion.frame_states[..., :3], axis=-1)
        assert gap[0].max() < 1e-4
        assert gap.mean() < 0.02 * body.size

    @pytest.mark.parametrize("factor", [0.02, 40.0])
    def test_the_mjcf_file_replays_alike_in_other_units(self, job, factor):
        _, _, problem, _, _, motion = job
        body, world = problem.body, PhysicsWorld()
        expected = replay_mjcf(write_mjcf(body, world, motion, name="walker"), body)
        scaled = scale_lengths(body, world, motion, factor)
        states = replay_mjcf(write_mjcf(*scaled, name="walker"), scaled[0])
        assert scaled[1].gravity == pytest.approx(9.81 * factor)
        assert np.abs(states[0, :, :3] / factor - expected[0, :, :3]).max() < 1e-6 * body.size
        assert np.abs(states[..., :3] / factor - expected[..., :3]).max() < 1e-3 * body.size
        assert np.abs(states[..., 3:] - expected[..., 3:]).max() < 1e-3

    def test_hinges_get_the_torque_that_the_simulated_joints_had(self, job):
        import mujoco

        _, _, problem, _, _, motion = job
        body, g = problem.body, gains(problem.body, PhysicsWorld())
        T = transforms_from_states(motion.frame_states)
        targets = hinge_targets(body, PhysicsWorld(), motion, joint_angles(body, T[..., :3, :3]))
        model = mujoco.MjModel.from_xml_string(write_mjcf(body, PhysicsWorld(), motion, name="walker", targets=targets))
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 5)
        mujoco.mj_forward(model, data)
        at = 5 * motion.per_frame
        tau, _ = joint_torques(body, g, motion.states[at], motion.twists[at], knot_targets(motion)[5])
        axes = joint_axes(body, T[5, :, :3, :3])
        for i, name in enumerate(body.names[1:]):
            found = [data.qfrc_actuator[model.joint(f"{name}/{axis}").dofadr[0]] for axis in "xyz"]
            # the power of a torque t at rates r is t . A r, so hinges feel A^T t
            np.testing.assert_allclose(found, axes[i].T @ axes[i] @ tau[i], rtol=1e-4, atol=1e-4 * np.abs(tau).max())

    def test_straight_joints_need_no_other_targets(self, job):
        _, _, problem, _, _, motion = job
        body = problem.body
        T = np.tile(np.eye(4), (len(body), 1, 1))
        for i in range(1, len(body)):
            T[i] = T[body.parents[i]] @ body.T_parent_joint[i]
        zero = states_from_transforms(T[None])
        still = replace(motion, states=zero.repeat(len(motion.states), 0), twists=np.zeros_like(motion.twists))
        angles = np.zeros((len(still.frame_states), len(body) - 1, 3))
        np.testing.assert_allclose(hinge_targets(body, PhysicsWorld(), still, angles), knot_targets(still), atol=1e-12)

    def test_the_ground_is_as_soft_in_mujoco(self, job):
        """A block-like pose pressed into the ground: forces of both laws, and MuJoCo's own inverse weights."""
        import mujoco

        _, _, problem, _, _, motion = job
        body, g = problem.body, gains(problem.body, PhysicsWorld())
        model = mujoco.MjModel.from_xml_string(write_mjcf(body, PhysicsWorld(), motion, name="walker"))
        known = [model.body(name).invweight0[0] for name in body.names]
        np.testing.assert_allclose(inverse_weights(body), known, rtol=1e-4)
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 0)
        model.opt.timestep = 1e-3
        data.ctrl[:] = model.key_ctrl[0]
        for _ in range(3000):  # until it stands still
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        six = np.zeros(6)
        for i in range(data.ncon):
            mujoco.mj_contactForce(model, data, i, six)
            assert six[0] == pytest.approx(-g.ground_ke * data.contact[i].dist, rel=0.02)
        assert data.ncon >= 3

    def test_a_bone_without_length_draws_no_box(self, job):
        import mujoco

        half = job[2].body.box_half_sides.copy()
        half[2] = 0.0
        text = write_mjcf(replace(job[2].body, box_half_sides=half), PhysicsWorld(), job[5], name="walker")
        kinds = mujoco.MjModel.from_xml_string(text).geom_type
        assert (kinds == mujoco.mjtGeom.mjGEOM_BOX).sum() == len(half) - 1

    def test_torque_limits_are_written(self, job):
        import mujoco

        text = write_mjcf(job[2].body, PhysicsWorld(), job[5], name="walker", torque_limit=7.0)
        model = mujoco.MjModel.from_xml_string(text)
        assert (model.actuator_forcerange == [-7.0, 7.0]).all()

    def test_usd_holds_every_body_joint_and_target(self, job, tmp_path):
        pxr = pytest.importorskip("pxr")
        from pxr import Usd, UsdPhysics

        from gambol.physics.usd import write_usd

        assert pxr
        body, motion = job[2].body, job[5]
        write_usd(tmp_path / "walker.usda", body, PhysicsWorld(), motion)
        stage = Usd.Stage.Open(str(tmp_path / "walker.usda"))
        joints = [UsdPhysics.Joint(p) for p in stage.Traverse() if p.IsA(UsdPhysics.Joint)]
        assert len(joints) == len(body) - 1
        drive = UsdPhysics.DriveAPI.Get(joints[0].GetPrim(), "rotX")
        assert drive.GetTargetPositionAttr().GetNumTimeSamples() == len(motion.frame_states)
        degrees = drive.GetTargetPositionAttr().Get(3)
        assert degrees == pytest.approx(np.degrees(motion.targets[3 * motion.per_frame - 1, 0, 0]), abs=1e-4)


def sampled(problem, config, search):
    """What the windows of the search on MuJoCo find, and the motions of their controls."""
    method = SamplingWindows(problem, config, search)
    found = track_windows(method, TrackingCheckpoint(None, ""))
    return found, method.replay(found)


def test_the_search_without_gradients_beats_the_clips_own_angles(job):
    problem = job[2]
    quick = SamplingConfig(samples=16, elites=4, rounds=8, window=4, stride=4)
    found, motions = sampled(problem, SHORT, quick)
    _, own = sampled(problem, SHORT, replace(quick, samples=1, elites=1, rounds=1))
    goal = problem.states[:, 0].double().numpy()
    numbers, plain = (measure_tracking(problem.body, m[0].frame_states, goal) for m in (motions, own))
    assert numbers.stands
    assert numbers.mpjpe < 0.95 * plain.mpjpe
    assert float(joined_solution(found).losses[0]) > 0
    assert motions[0].engine == "mujoco"
    carried = motions[0].contacts[1:, :, 1].sum(1)
    assert (carried >= 0).all()
    assert carried.mean() == pytest.approx(problem.body.mass * 9.81, rel=0.5)
    with pytest.raises(ConfigError, match="cannot anneal"):
        sampled(problem, replace(SHORT, anneal=True), quick)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "motion"), [("spider", "walk"), ("snake", "slither"), ("cat", "walk"), ("bird", "walk")]
)
def test_bodies_of_any_shape_and_size_are_stable_from_the_start(kind, motion):
    """Played with the clip's own angles as targets: nothing flies apart, however light and many the limbs."""
    character, anatomy = creature_body(kind, 1, vertices=2000)
    clip = make_motion(character, anatomy, motion, seconds=0.4)
    check_stable(character, clip)


@pytest.mark.slow
@needs_data
def test_a_tyrannosaur_of_31_metres_is_stable_too():
    asset, clip = load_clip(DATA / "characters/quaternius/Trex.glb", clip="TRex_Walk")
    assert asset.character.size > 30
    check_stable(asset.character, replace(clip, root=clip.root[:12], angles=clip.angles[:12]))


def check_stable(character, clip):
    body = make_articulated_body(character.require_skeleton(), bone_boxes(character), (clip,))
    problem = make_tracking_problem(body, character.require_skeleton(), (clip,), PhysicsWorld())
    simulator = Simulator(body, PhysicsWorld(), substeps=problem.time.substeps, dt=problem.time.dt)
    with torch.no_grad():
        states, _ = simulate(simulator, problem, start_controls(problem, TrackConfig()), problem.rates)
    found = measure_tracking(body, states[:, 0].double().numpy(), problem.states[:, 0].double().numpy())
    assert found.mpjpe_sizes < 0.15
    assert found.tilt < 30
