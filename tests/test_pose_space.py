"""What is done with a pose space: samples, handles, walks, in-betweens, scores, films; and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from character_made_by_code import two_bone_scene
from pose_bodies import clip_of_creature, creature, rig_of, small_network, space_of
from tiny_embedded_prior import tiny_prior

from gambol.character.character import make_character
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.distill.body import make_body
from gambol.distill.distil import distil
from gambol.distill.settings import SKETCH, with_steps
from gambol.errors import AssetError
from gambol.files.asset import export_scene, load
from gambol.poses.handles import find_handles, find_joint, finish, handle_places, place_slopes, project_pose
from gambol.poses.paths import between_keys, joint_steps, walk
from gambol.poses.pose_parameters import numbers_from_clip, pose, skin
from gambol.poses.pose_rig import make_rig
from gambol.poses.score import pose_prior, score_poses
from gambol.poses.skeleton_features import tell
from gambol.poses.space import PoseSpace, mend, on_ground, pose_space, sample_poses
from gambol.poses.validators import find_faults
from gambol.poses.weights_file import save_network
from gambol.training.poses.from_meshes import MeshFit, fit_mesh
from gambol.training.poses.from_prior import CollectSettings, collect_individual


@pytest.fixture(scope="session")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "small.safetensors"
    save_network(path, small_network(), {})
    return path


@pytest.fixture(scope="session")
def fox(tmp_path_factory):
    path = tmp_path_factory.mktemp("fox") / "fox.glb"
    return export_scene(make_creature("fox", 3, vertices=600).scene, (), path)


def real_poses(noun="fox", motion="walk"):
    rig = rig_of(noun)
    return numbers_from_clip(rig, clip_of_creature(noun, motion))


def test_samples_are_repeatable_and_mended_by_the_validators():
    space = space_of()
    plain = sample_poses(space, 8, torch.Generator().manual_seed(2), validators=False)
    guided = sample_poses(space, 8, torch.Generator().manual_seed(2))
    assert torch.equal(guided, sample_poses(space, 8, torch.Generator().manual_seed(2)))
    assert float(find_faults(space.rig, plain).count().sum()) > 0
    assert float(find_faults(space.rig, guided).count().sum()) == 0
    assert float(find_faults(space.rig, guided).ground.max()) < 1e-5


def test_mending_leaves_sound_poses_alone_and_lifts_bodies_out_of_the_ground():
    rig = rig_of("human")
    still = torch.zeros(1, len(rig), 3)
    assert torch.equal(mend(rig, still), on_ground(rig, still))
    wild = 3.0 * torch.randn(6, len(rig), 3, generator=torch.Generator().manual_seed(0))
    assert (find_faults(rig, wild).count() > 0).all()
    assert (find_faults(rig, mend(rig, wild)).count() == 0).all()
    sunk = still.clone()
    sunk[0, 0, 0] = -3.0
    assert float(skin(rig, pose(rig, on_ground(rig, sunk)))[..., 1].min()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("noun", ["fox", "human"])
def test_reachable_handles_are_reached(noun):
    space = space_of(noun)
    rig = space.rig
    goal = real_poses(noun)[5:6]
    feet = np.flatnonzero(rig.contacts)[:2]
    places = pose(rig, goal).heads[0, feet] * rig.size
    wanted = {rig.skeleton.names[bone]: place.tolist() for bone, place in zip(feet, places, strict=True)}
    found = project_pose(space, torch.zeros(1, len(rig), 3), find_handles(rig, wanted))
    assert found.reached
    assert float(found.misses.max()) < 0.01


@pytest.mark.parametrize("noun", ["fox", "human"])
def test_slopes_of_handles_are_those_of_forward_kinematics(noun):
    rig = rig_of(noun)
    handles = find_handles(rig, {f"{rig.skeleton.names[b]}:end": (0.0, 0.0, 0.0) for b in (0, len(rig) // 2, -1)})
    for x in (numbers_from_clip(rig, clip_of_creature(noun))[5:6], torch.zeros(1, len(rig), 3)):
        J, places = place_slopes(rig, x, handles)
        taped = torch.autograd.functional.jacobian(lambda y: handle_places(rig, y, handles)[0].flatten(), x)
        torch.testing.assert_close(J, taped.reshape(J.shape), atol=1e-6, rtol=1e-4)
        torch.testing.assert_close(places, handle_places(rig, x, handles)[0])


def test_a_handle_out_of_reach_is_missed_by_what_is_said():
    rig = rig_of("human")
    handles = find_handles(rig, {"Hand.L": (0.0, 9.0, 0.0)})
    found = finish(rig, torch.zeros(1, len(rig), 3), handles, steps=10)
    assert not found.reached
    gap = (handles.targets - pose(rig, found.x).heads[0, handles.bones]).norm()
    assert float(found.misses[0]) == pytest.approx(float(gap), rel=1e-5)


def test_joints_that_do_not_exist_are_answered_with_the_nearest():
    rig = rig_of("human")
    assert find_joint(rig, "hand.l") == rig.skeleton.names.index("Hand.L")
    with pytest.raises(AssetError, match=r"Did you mean 'Hand\.L'"):
        find_joint(rig, "Hnd.L")
    with pytest.raises(AssetError, match="No handle"):
        find_handles(rig, {})


def test_a_walk_has_exact_ends_and_even_steps():
    space, x = space_of(), real_poses(motion="jump")
    way = walk(space, x[:1], x[6:7], 12)
    assert len(way) == 12
    assert torch.allclose(way[0], x[0], atol=1e-5)
    assert torch.allclose(way[-1], x[6], atol=1e-5)
    steps = joint_steps(space.rig, way)
    assert float(steps.max()) <= 2.0 * float(steps.mean())


def test_keys_are_exact_and_the_way_between_them_is_smooth():
    space, x = space_of(), real_poses(motion="jump")
    keys = [(0, x[:1]), (6, x[5:6]), (15, x[9:10])]
    way = between_keys(space, keys)
    assert len(way) == 16
    heads = pose(space.rig, way).heads
    for frame, key in keys:
        assert float((heads[frame] - pose(space.rig, key).heads[0]).abs().max()) < 1e-4
    steps = joint_steps(space.rig, way)
    assert float(steps.max()) < 4.0 * float(steps.mean())
    with pytest.raises(AssetError, match="two or more"):
        between_keys(space, keys[:1])
    with pytest.raises(AssetError, match="must differ"):
        between_keys(space, [keys[0], keys[0]])


def test_scores_name_what_is_wrong():
    space = space_of("human")
    x = torch.zeros(2, len(space.rig), 3)
    elbow = find_joint(space.rig, "Forearm.L")
    x[1, elbow, 0] = x[1, elbow, 2] = 2.5 / float(space.rig.reach[elbow, 0])
    sound, broken = score_poses(space, x)
    assert sound.violations == 0
    assert sound.faults == ()
    assert broken.violations >= 1
    assert any("Forearm.L" in words for words in broken.faults)
    assert 0.0 <= broken.plausibility <= 1.0


def test_the_pose_prior_pulls_a_distillation(monkeypatch):
    space = space_of("fox")
    monkeypatch.setattr("gambol.distill.problem.pose_space", lambda *_: space)
    body = make_body(*creature("fox"), splats=100)
    settings = replace(with_steps(SKETCH, 10), splats=100)
    plain, held = (
        distil(tiny_prior(), body, "a fox is walking", replace(settings, pose_prior=weight)).on_stage
        for weight in (0.0, 5.0)
    )
    assert not np.allclose(plain.angles, held.angles)
    root, angles = (torch.as_tensor(x).float() for x in (plain.root, plain.angles))
    free = angles.clone().requires_grad_()
    energy = pose_prior(space, root, free, torch.Generator().manual_seed(0))
    (slope,) = torch.autograd.grad(energy, free)
    with torch.no_grad():
        lower = pose_prior(space, root, angles - 1e-3 * slope / slope.norm(), torch.Generator().manual_seed(0))
    assert float(lower) < float(energy.detach())


def test_collected_poses_say_where_they_come_from():
    settings = CollectSettings(clips=1, calls=2, steps=2, families=("human",))
    shard = collect_individual(tiny_prior(), settings, 0, "tiny")
    again = collect_individual(tiny_prior(), settings, 0, "tiny")
    assert torch.equal(shard.x, again.x)
    assert shard.facts["prior"] == "tiny"
    assert shard.facts["kind"] == "human"
    assert int(shard.facts["tried"]) == 24
    with pytest.raises(AssetError, match="no family"):
        CollectSettings(families=("unicorn",))


def test_a_rig_fits_to_meshes_of_its_own_poses():
    rig = rig_of("human")
    goal = real_poses("human")[4:5]
    points = skin(rig, pose(rig, goal))[0].numpy()
    found = fit_mesh(rig, points, config=MeshFit(steps=60))
    away = [(pose(rig, x).heads - pose(rig, goal).heads).norm(dim=-1).mean() for x in (found.x, torch.zeros_like(goal))]
    assert float(away[0]) < 0.5 * float(away[1])
    assert found.chamfer < 0.01


def bones_in_a_row(count):
    """A column of boxes on so many bones."""
    scene = two_bone_scene()
    nodes = replace(
        scene.nodes,
        names=(*(f"Bone{i}" for i in range(count)), "Column"),
        parents=np.array([i - 1 for i in range(count)] + [-1]),
        translations=np.array([[0.0, 0.0 if i == 0 else 2.0 / count, 0.0] for i in range(count)] + [[0.0, 0.0, 0.0]]),
        rotations_wxyz=np.tile([1.0, 0.0, 0.0, 0.0], (count + 1, 1)),
        scales=np.ones((count + 1, 3)),
    )
    rings = np.linspace(0.0, 2.0, count + 1).repeat(4)
    ring = np.tile(0.1 * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]), (count + 1, 1))
    points = np.stack([ring[:, 0], rings, ring[:, 1]], 1)
    quads = [
        [4 * r + k, 4 * r + (k + 1) % 4, 4 * r + 4 + (k + 1) % 4, 4 * r + 4 + k] for r in range(count) for k in range(4)
    ]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, c, b), (a, d, c))])
    bone = np.minimum(np.arange(count + 1), count - 1).repeat(4)
    part = replace(
        scene.parts[0], node=count, positions=points, triangles=triangles, joints=bone[:, None],
        weights=np.ones((len(points), 1), np.float32),
    )  # fmt: skip
    skin = replace(scene.skins[0], joints=np.arange(count), inverse_binds=np.linalg.inv(nodes.T_world_node[:count]))
    return replace(scene, nodes=nodes, skins=(skin,), parts=(part,))


@pytest.mark.parametrize("count", [1, 200])
def test_one_bone_and_two_hundred(count):
    character = make_character("row", bones_in_a_row(count))
    rig = make_rig(character)
    assert 0.95 * count <= len(rig) <= count, "a root that carries next to nothing is a handle"
    space = PoseSpace(rig, small_network(), tell(rig))
    x = sample_poses(space, 2, torch.Generator().manual_seed(0), steps=4)
    assert torch.isfinite(x).all()
    assert torch.isfinite(find_faults(rig, x).count()).all()
    assert torch.isfinite(walk(space, x[:1], x[1:], 3, top=0.2)).all()


def test_the_verbs_write_clips_and_sheets(fox, weights, tmp_path, capsys):
    def run(*words):
        return main(["pose", *map(str, words), "--weights", str(weights)])

    out = tmp_path / "out.glb"
    assert run("sample", fox, "-n", 3, "-o", out) == 0
    assert len(load(out).clip("poses").key_times()) == 3
    assert out.with_suffix(".png").stat().st_size > 1000
    assert run("walk", out, "--from", "rest", "--to", "poses:0", "--frames", 5, "-o", tmp_path / "walk.glb") == 0
    assert run("inbetween", out, "--keys", "0=rest", "4=poses:30", "-o", tmp_path / "keys.glb") == 0
    hand = load(fox).character.posable().names[5]
    assert run("project", fox, "--handle", f"{hand}=9,9,9", "-o", tmp_path / "far.glb") == 0
    assert "cannot be reached" in capsys.readouterr().out
    assert run("score", out, "--clip", "poses", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert {"frame", "plausibility", "violations", "worst_joints", "faults"} <= set(told["frames"][0])


def test_the_verbs_refuse_what_they_cannot_use(fox, weights, tmp_path, capsys):
    def refused(*words):
        assert main(["pose", *map(str, words), "--weights", str(weights)]) == 2
        return capsys.readouterr().err

    out = tmp_path / "out.glb"
    assert "no clips" in refused("walk", fox, "--to", "run:3", "-o", out)
    assert "NAME=x,y,z" in refused("project", fox, "--handle", "Head", "-o", out)
    assert "Did you mean" in refused("project", fox, "--handle", "Haed=0,1,0", "-o", out)
    assert "FRAME=POSE" in refused("inbetween", fox, "--keys", "rest", "-o", out)
    assert "1 to 1000" in refused("sample", fox, "-n", 0, "-o", out)
    scene = make_creature("fox", 3, vertices=400).scene
    parts = tuple(replace(part, skin=None, joints=None, weights=None) for part in scene.parts)
    bare = export_scene(replace(scene, skins=(), parts=parts), (), tmp_path / "bare.glb")
    assert "gambol rig" in refused("sample", bare, "-o", out)
    assert not out.exists()


def test_the_python_way_is_short(fox, weights):
    space = pose_space(load(fox).character, weights=weights)
    assert sample_poses(space, 2, torch.Generator().manual_seed(0)).shape == (2, len(space.rig), 3)


def test_posed_renders_guide_the_prior(fox, weights, tmp_path):
    from gambol.app.pose import open_posing
    from gambol.app.pose_video import GuidedByControl, GuidedByStart, film_poses

    posing = open_posing(fox, weights=weights)
    sheet = film_poses(
        posing, ("rest", "sample:1"), "a fox is walking", tmp_path / "f.png", GuidedByStart(tiny_prior(), steps=2)
    )
    assert sheet.stat().st_size > 500
    with pytest.raises(AssetError, match="noise level"):
        GuidedByStart(tiny_prior(), level=1.5)

    class Pipeline:
        """What WanVACEPipeline answers."""

        def __call__(self, **told):
            assert told["video"][0].size == (told["width"], told["height"])
            assert len(told["video"]) == told["num_frames"] == len(told["mask"])
            shape = (1, told["num_frames"], told["height"], told["width"], 3)
            return type("Output", (), {"frames": np.zeros(shape, np.float32)})

    from gambol.diffusion.video_prior import VideoFormat

    control = GuidedByControl(Pipeline(), video=VideoFormat(5, 32, 48, 16.0))
    assert film_poses(posing, ("rest", "sample:1"), "a fox", tmp_path / "c.png", control).stat().st_size > 500
