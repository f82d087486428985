"""The pose functions of Python and the verbs of the command line: what they return, write and refuse."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from pose_bodies import small_network
from tiny_embedded_prior import tiny_prior

from gambol.app.pose import inbetween, make_poser, sample_poses, score_poses, solve_pose, walk_poses
from gambol.app.pose_arguments import PoseReference, parse_handles, parse_keys, parse_pose
from gambol.app.pose_guided_video import ControlVideo, SDEditVideo, make_pose_video
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.diffusion.video_prior import VideoFormat
from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import export_scene, load
from gambol.motion.kinematics import pose_clip
from gambol.poses.weights_file import save_pose_network


@pytest.fixture(scope="session")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "small.safetensors"
    save_pose_network(path, small_network(), {})
    return path


@pytest.fixture(scope="session")
def fox(tmp_path_factory):
    path = tmp_path_factory.mktemp("fox") / "fox.glb"
    return export_scene(make_creature("fox", 3, vertices=600).scene, (), path)


@pytest.fixture(scope="session")
def poser(fox, weights):
    return make_poser(fox, weights=weights)


@pytest.fixture(scope="session")
def mixamo(tmp_path_factory):
    """A person whose bones are called mixamorig:..."""
    scene = make_creature("human", 3, vertices=600).scene
    nodes = replace(scene.nodes, names=tuple(f"mixamorig:{name}" for name in scene.nodes.names))
    return export_scene(replace(scene, nodes=nodes), (), tmp_path_factory.mktemp("mixamo") / "mixamo.glb")


def run(weights, *words):
    return main(["pose", *map(str, words), "--weights", str(weights)])


def test_the_verbs_write_clips_and_sheets(fox, weights, tmp_path, capsys):
    out = tmp_path / "out.glb"
    assert run(weights, "sample", fox, "-n", 3, "-o", out) == 0
    assert len(load(out).clip("poses").key_times()) == 3
    assert out.with_suffix(".png").stat().st_size > 1000
    walked = tmp_path / "walk.glb"
    assert run(weights, "walk", out, "--from", "rest", "--to", "poses:0", "--frames", 5, "-o", walked) == 0
    assert len(load(walked).clip("pose walk").key_times()) == 5
    assert run(weights, "inbetween", out, "--keys", "0=rest", "4=poses:30", "-o", tmp_path / "keys.glb") == 0
    hand = load(fox).character.require_skeleton().names[5]
    assert run(weights, "project", fox, "--handle", f"{hand}=9,9,9", "-o", tmp_path / "far.glb") == 0
    assert "cannot be reached" in capsys.readouterr().out
    assert run(weights, "score", out, "--clip", "poses", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {"frame", "plausibility", "violations", "worst_joints", "messages"} <= set(report["frames"][0])


def test_bones_with_colons_are_handles_of_the_verbs(mixamo, weights, tmp_path, capsys):
    rest = dict(zip((skeleton := load(mixamo).character.require_skeleton()).names, skeleton.heads, strict=True))
    assert "mixamorig:Hand.L" in rest
    x, y, z = rest["mixamorig:Hand.L"]
    target = f"{x + 0.05:.4f},{y + 0.03:.4f},{z:.4f}"
    written = []
    for i, name in enumerate(("mixamorig:Hand.L", "hand.l")):
        out = tmp_path / f"{i}.glb"
        assert run(weights, "project", mixamo, "--handle", f"{name}={target}", "-o", out) == 0
        assert f"{name}: reached" in capsys.readouterr().out
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert run(weights, "project", mixamo, "--handle", f"mixamorig:Hand.L:end={target}", "-o", tmp_path / "e.glb") == 0
    assert run(weights, "project", mixamo, "--handle", f"LeftHnd={target}", "-o", tmp_path / "no.glb") == 2
    assert "There is no joint 'LeftHnd'" in capsys.readouterr().err


def test_the_verbs_refuse_what_they_cannot_use(fox, weights, tmp_path, capsys):
    def refused(*words):
        assert run(weights, *words) == 2
        return " ".join(capsys.readouterr().err.split())

    out = tmp_path / "out.glb"
    assert "no clips" in refused("walk", fox, "--to", "run:3", "-o", out)
    assert "the rest pose is a single pose" in refused("walk", fox, "--to", "rest:5", "-o", out)
    assert "the rest pose is a single pose" in refused("inbetween", fox, "--keys", "0=rest:0", "9=rest", "-o", out)
    assert "seed that is a whole number" in refused("project", fox, "--handle", "Head=0,1,0", "--start", "sample:a",
                                                    "-o", out)  # fmt: skip
    assert "NAME=x,y,z" in refused("project", fox, "--handle", "Head", "-o", out)
    assert "given twice" in refused("project", fox, "--handle", "Head=0,1,0", "Head=0,2,0", "-o", out)
    assert "Did you mean" in refused("project", fox, "--handle", "Haed=0,1,0", "-o", out)
    assert "FRAME=POSE" in refused("inbetween", fox, "--keys", "rest", "-o", out)
    assert "two keys" in refused("inbetween", fox, "--keys", "0=rest", "0=sample:1", "-o", out)
    assert "1 to 1000" in refused("sample", fox, "-n", 0, "-o", out)
    scene = make_creature("fox", 3, vertices=400).scene
    parts = tuple(replace(part, skin=None, joints=None, weights=None) for part in scene.parts)
    bare = export_scene(replace(scene, skins=(), parts=parts), (), tmp_path / "bare.glb")
    assert "gambol rig" in refused("sample", bare, "-o", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rest", PoseReference("rest")),
        ("sample", PoseReference("sample")),
        ("sample:12", PoseReference("sample", number=12)),
        ("Run", PoseReference("clip", "Run")),
        ("Run:6", PoseReference("clip", "Run", 6)),
        ("Armature|Take:1:6", PoseReference("clip", "Armature|Take:1", 6)),
        ("Take:one", PoseReference("clip", "Take:one")),
    ],
)
def test_poses_as_text(text, meant):
    assert parse_pose(text) == meant


def test_handles_and_keys_as_text():
    assert parse_handles(["mixamorig:LeftHand=0.3,1.2,-4e-1"]) == {"mixamorig:LeftHand": (0.3, 1.2, -0.4)}
    assert parse_keys(["0=rest", "24=Take:1:6"]) == {0: "rest", 24: "Take:1:6"}
    for text in ("", "sample:-1", "sample:x", "rest:5", "rest:0"):
        with pytest.raises(ConfigError):
            parse_pose(text)
    for text in ("hand", "hand=1,2", "=1,2,3", "hand=a,b,c"):
        with pytest.raises(ConfigError, match="NAME=x,y,z"):
            parse_handles([text])


def test_the_same_calls_work_in_memory_and_from_file_to_file(fox, weights, tmp_path):
    asset, out = load(fox), tmp_path / "poses.glb"
    clip = sample_poses(fox, 2, seed=3, output=out, weights=weights)
    assert (len(clip), clip.fps, clip.name) == (2, 1.0, "poses")
    assert out.with_suffix(".png").exists()
    for given in (asset, asset.character):
        again = sample_poses(given, 2, seed=3, weights=weights)
        assert np.array_equal(again.angles, clip.angles)
        assert np.array_equal(again.root, clip.root)
    written = load(out)
    assert len(written.clip("poses").key_times()) == 2
    other = sample_poses(asset, 2, seed=4, weights=weights)
    assert not np.allclose(other.angles, clip.angles)


def test_clips_of_one_frame_are_poses_of_the_other_calls(poser):
    skeleton = poser.character.require_skeleton()
    name = skeleton.names[5]
    target = skeleton.heads[5] + [0.02 * poser.character.size, 0.02 * poser.character.size, 0.0]
    solved = solve_pose(poser, {name: target})
    assert solved.reached
    assert solved.is_reached(name)
    reached = pose_clip(skeleton, solved.clip)[0, 5, :3, 3]
    assert np.linalg.norm(reached - target) == pytest.approx(solved.distances[name], abs=1e-5)
    walked = walk_poses(poser, "rest", solved.clip, frames=4)
    assert len(walked) == 4
    assert np.allclose(walked.angles[-1], solved.clip.angles[0], atol=1e-4)
    keyed = inbetween(poser, {0: solved.clip, 5: "rest"})
    assert len(keyed) == 6
    assert np.allclose(keyed.angles[0], solved.clip.angles[0], atol=1e-4)
    assert np.allclose(keyed.angles[5], 0.0, atol=1e-4)
    scored = score_poses(poser, walked)
    assert scored.frames == (0, 1, 2, 3)
    assert scored.scores[0].violations == 0
    assert 0.0 <= scored.plausibility <= 1.0


def test_wrong_arguments_of_the_calls_are_refused(poser, weights):
    two = sample_poses(poser, 2)
    asset = poser.asset
    refused = {
        "a file, what gambol.load returns": lambda: sample_poses(3),
        "count is 1.5": lambda: sample_poses(poser, 1.5),
        "count is True": lambda: sample_poses(poser, True),
        "seed is 'a'": lambda: sample_poses(poser, seed="a"),
        "output is 7": lambda: sample_poses(poser, output=7),
        "output needs the character's file": lambda: sample_poses(asset.character, output="x.glb", weights=weights),
        "weights was given with a Poser": lambda: sample_poses(poser, weights=weights),
        "handles is": lambda: solve_pose(poser, ["Head=0,1,0"]),
        "has 2 frames": lambda: solve_pose(poser, {"Head": (0, 1, 0)}, start=two),
        "named by text, not by 5": lambda: walk_poses(poser, end=5),
        "frames is 1": lambda: walk_poses(poser, frames=1),
        "frames is 9999999": lambda: walk_poses(poser, frames=9_999_999),
        "the frame of a key is 500000": lambda: inbetween(poser, {0: "rest", 500_000: "rest"}),
        "keys is": lambda: inbetween(poser, ["0=rest"]),
        "the frame of a key is '0'": lambda: inbetween(poser, {"0": "rest", "4": "rest"}),
        "clip is 3": lambda: score_poses(poser, 3),
        "from no file": lambda: score_poses(asset.character, "Run", weights=weights),
    }
    for message, call in refused.items():
        with pytest.raises(ConfigError, match=message):
            call()
    with pytest.raises(MissingPart, match="no clips"):
        walk_poses(poser, "Run:3")


def test_frames_outside_of_a_clip_are_refused(fox, weights, tmp_path):
    out = tmp_path / "out.glb"
    sample_poses(fox, 2, output=out, weights=weights)
    poser = make_poser(out, weights=weights)
    for frame in (-1, 31):
        with pytest.raises(ConfigError, match="frames 0 to 30"):
            walk_poses(poser, f"poses:{frame}")


def test_posed_renders_guide_the_prior(poser, tmp_path):
    poses = ("rest", "sample:1")
    model = SDEditVideo(tiny_prior(), steps=2)
    made = make_pose_video(poser, "a fox is walking", tmp_path / "f.png", poses=poses, model=model)
    assert made.renders.shape == made.video.shape
    assert (tmp_path / "f.png").stat().st_size > 500
    with pytest.raises(ConfigError, match="noise level"):
        SDEditVideo(tiny_prior(), level=1.5)

    class Pipeline:
        """What WanVACEPipeline answers."""

        def __call__(self, **given):
            assert given["video"][0].size == (given["width"], given["height"])
            assert len(given["video"]) == given["num_frames"] == len(given["mask"])
            assert isinstance(given["generator"], torch.Generator)
            shape = (1, given["num_frames"], given["height"], given["width"], 3)
            return type("Output", (), {"frames": np.zeros(shape, np.float32)})

    control = ControlVideo(Pipeline(), video=VideoFormat(5, 32, 48, 16.0))
    made = make_pose_video(poser, "a fox", tmp_path / "c.png", poses=poses, model=control)
    assert (len(made.video), made.fps) == (5, 16.0)
    assert not made.video.any()
    assert made.renders.any()
