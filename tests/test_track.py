"""The verb `track`: what it writes, without Warp too, and what it says to bad input."""

import json
from dataclasses import replace

import numpy as np
import pytest

from gambol.app.find_runs import Run
from gambol.app.run_folder import RunSettings
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.files.asset import export_scene, load
from gambol.motion.dynamic_similarity import SCALED_LEGS
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.node_clip_conversion import nodes_from_clip

pytest.importorskip("newton")
pytest.importorskip("mujoco")

from gambol.app.track import living_size_of_run
from gambol.app.track_request import track
from gambol.physics.cross_entropy_tracking import SamplingConfig

BVH = """HIERARCHY
ROOT Hips
{{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT Leg
 {{
  OFFSET 0 {leg} 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {{
   OFFSET 0 {leg} 0
  }}
 }}
}}
MOTION
Frames: {frames}
Frame Time: 0.0333
{rows}
"""


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    creature = make_creature("fox", 1, vertices=2500)
    character = creature.character()
    walk = make_motion(character, creature.anatomy(character), "walk", seconds=0.25)
    path = tmp_path_factory.mktemp("track") / "fox.glb"
    return export_scene(creature.scene, (nodes_from_clip(character, walk),), path)


def test_a_run_of_the_embedded_prior_has_the_pace_of_its_size(fox):
    """Within the lengths of legs that the prior's clock knows; other priors and files say nothing of a size."""
    character, giant = load(fox).character, load(fox, scale=1000.0).character
    run = Run("run", RunSettings(prior="embedded 08f88f733a91b796"), fox, None)
    assert living_size_of_run(run, character) == pytest.approx(character.size)
    leg = typical_leg_length(giant, find_anatomy(giant))
    assert living_size_of_run(run, giant) == pytest.approx(giant.size * SCALED_LEGS[1] / leg)
    for prior in ("", "cogvideox THUDM/CogVideoX-5b"):
        assert living_size_of_run(Run("run", RunSettings(prior=prior), fox, None), character) is None


class TestVerb:
    def test_track_writes_everything_and_the_files_hold_together(self, fox, tmp_path, capsys):
        run = tmp_path / "run"
        run.mkdir()
        (run / "result.glb").write_bytes(fox.read_bytes())
        out = tmp_path / "tracked.glb"
        arguments = ["track", str(run), "-o", str(out), "--iterations", "2", "--fps", "24"]
        assert main(arguments) == 0, capsys.readouterr().err
        said = capsys.readouterr().out
        assert "upright torque" in said
        for suffix in (".glb", ".mp4", ".json", ".npz", ".xml"):
            assert out.with_suffix(suffix).is_file()
        assert not list(tmp_path.glob("*.unfinished"))
        assert [clip.name for clip in load(out).clips] == ["walk", "walk_tracked"]
        told = json.loads(out.with_suffix(".json").read_text())
        assert told["schema"] == 1
        assert {"before", "after", "tracking", "upright", "settings"} <= set(told)
        arrays = np.load(out.with_suffix(".npz"))
        assert arrays["torques"].shape == (told["frames"], told["bodies"] - 1, 3)
        assert arrays["joint_targets"].shape[0] == (told["frames"] - 1) * told["substeps_per_frame"]
        assert np.isfinite(arrays["contact_forces"]).all()

    def test_a_smaller_living_body_feels_more_gravity(self, fox, tmp_path, capsys):
        out = tmp_path / "small.glb"
        arguments = ["track", str(fox), "-o", str(out), "--iterations", "1", "--fps", "24", "--no-film"]
        assert main([*arguments, "--size", "0.375"]) == 0, capsys.readouterr().err
        told = json.loads(out.with_suffix(".json").read_text())
        assert told["gravity"] == pytest.approx(4 * 9.81)
        assert told["substeps_per_frame"] >= 2 * 1920 / 24
        assert f'gravity="0 0 {-4 * 9.81:g}"' in out.with_suffix(".xml").read_text()

    def test_mjcf_can_have_the_lengths_of_the_written_file(self, fox, tmp_path, capsys):
        import mujoco

        out = tmp_path / "units.glb"
        arguments = ["track", str(fox), "-o", str(out), "--iterations", "1", "--fps", "24", "--no-film"]
        assert main([*arguments, "--mjcf-units", "character"]) == 0, capsys.readouterr().err
        model = mujoco.MjModel.from_xml_path(str(out.with_suffix(".xml")))
        told = json.loads(out.with_suffix(".json").read_text())
        arrays = np.load(out.with_suffix(".npz"))
        metres = told["simulated_metres_per_metre"] * load(fox).character.placement.scale
        assert model.opt.gravity[2] == pytest.approx(-told["gravity"] / metres)
        assert model.body_mass[1:].sum() == pytest.approx(told["mass"])
        heads = [model.body(name).pos for name in arrays["body_names"][1:]]
        assert np.abs(np.array(heads) * metres - arrays["T_parent_joint"][1:, :3, 3]).max() < 1e-6

    def test_one_python_call_does_what_the_command_does(self, fox, tmp_path, capsys):
        first, second = tmp_path / "a.glb", tmp_path / "b.glb"
        arguments = ["--iterations", "2", "--fps", "24", "--no-film", "--upright", "0.5", "--no-skate-loss"]
        assert main(["track", str(fox), "-o", str(first), *arguments]) == 0, capsys.readouterr().err
        told: list[str] = []
        report = track(
            fox,
            second,
            iterations=2,
            upright=0.5,
            skate_loss=False,
            fps=24.0,
            film=False,
            progress=lambda done, total, what: told.append(what),
        )
        assert first.read_bytes() == second.read_bytes()
        assert report.written[0] == second
        assert told[0] == "reading the clip"
        assert any(what.startswith("tracking the clip, loss") for what in told)

    def test_a_long_clip_is_tracked_in_windows_and_says_how_each_went(self, fox, tmp_path, capsys):
        out = tmp_path / "windows.glb"
        arguments = ["track", str(fox), "-o", str(out), "--iterations", "1", "--fps", "24", "--no-film"]
        assert main([*arguments, "--window", "0.125", "--look-ahead", "0.042"]) == 0, capsys.readouterr().err
        assert "windows, joints away from the target in each" in capsys.readouterr().out
        told = json.loads(out.with_suffix(".json").read_text())
        windows = told["windows"]
        assert len(windows) > 1
        assert [w["first_frame"] for w in windows] == [0, *(w["last_frame"] for w in windows[:-1])]
        assert windows[-1]["last_frame"] == told["frames"] - 1
        assert all(w["iterations"] == 1 and w["simulation_steps"] > 0 for w in windows)
        assert min(w["mpjpe_sizes"] for w in windows) <= told["tracking"]["mpjpe_sizes"]
        assert told["cpu_seconds"] > 0

    def test_flight_is_refused_unless_it_is_wanted_anyway(self, fox, tmp_path, capsys):
        asset, path = load(fox), tmp_path / "flies.glb"
        export_scene(make_creature("fox", 1, vertices=2500).scene, (replace(asset.clips[0], name="Fly"),), path)
        arguments = ["track", str(path), "-o", str(tmp_path / "x.glb"), "--iterations", "1", "--fps", "24", "--no-film"]
        assert main(arguments) == 2
        said = capsys.readouterr().err.replace("\n", " ")
        assert "'Fly' is no motion on the ground: its name says 'fly'" in said
        assert "--anyway" in said
        assert not list(tmp_path.glob("x*"))
        assert main([*arguments, "--anyway"]) == 0, capsys.readouterr().err
        assert (tmp_path / "x.glb").is_file()

    def test_without_warp_the_same_command_searches_on_mujoco(self, fox, tmp_path, monkeypatch, capsys):
        from gambol.physics import cross_entropy_tracking as cem
        from gambol.physics import run_tracking

        monkeypatch.setattr(run_tracking, "_has_newton", lambda: False)
        monkeypatch.setattr(
            cem.SamplingWindows.__init__,
            "__defaults__",
            (SamplingConfig(samples=4, elites=2, rounds=1),),
        )
        out = tmp_path / "sampled.glb"
        assert main(["track", str(fox), "-o", str(out), "--no-film", "--fps", "24"]) == 0, capsys.readouterr().err
        assert json.loads(out.with_suffix(".json").read_text())["engine"] == "mujoco"
        assert out.with_suffix(".xml").is_file()
        assert not out.with_suffix(".mp4").exists()

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["--clip", "Fly"], "has no clip 'Fly'"),
            (["--upright", "much"], "--upright is 'much'"),
            (["--upright", "-1"], "must be 0 or more"),
            (["--size", "0"], "A body of 0 m cannot be simulated"),
            (["--size", "big"], "--size is 'big'"),
            (["--seeds", "0"], "give 1 or more"),
            (["--window", "1", "--look-ahead", "2"], "give a shorter look-ahead"),
            (["--iterations", "0"], "at least one iteration"),
            (["--device", "cuda:77"], "There is no device 'cuda:77'"),
        ],
    )
    def test_bad_arguments_are_answered_by_a_sentence(self, fox, tmp_path, capsys, arguments, sentence):
        assert main(["track", str(fox), "-o", str(tmp_path / "x.glb"), *arguments]) == 2
        assert sentence in capsys.readouterr().err.replace("\n", " ")

    def test_other_suffixes_and_empty_folders_are_refused(self, fox, tmp_path, capsys):
        assert main(["track", str(fox), "-o", str(tmp_path / "x.mp4")]) == 2
        assert main(["track", str(tmp_path), "-o", str(tmp_path / "x.glb")]) == 2
        assert "holds no runs" in capsys.readouterr().err.replace("\n", " ")

    @pytest.mark.parametrize(
        ("rows", "leg", "sentence"),
        [
            (["0 0.5 0 0 0 0 0 0 0"], 0.5, "has 1 frame"),
            (["0 0.5 0 0 0 0 0 0 0", "0 nan 0 0 0 0 0 0 0", "0 0.5 0 0 0 0 0 0 0"], 0.5, "finite"),
            (["0 0.5 0 0 0 0 0 0 0"] * 4, 0.0, "length"),
        ],
        ids=["one frame", "not a number", "no length"],
    )
    def test_clips_that_no_body_can_follow_are_refused_by_a_sentence(self, tmp_path, capsys, rows, leg, sentence):
        path = tmp_path / "bad.bvh"
        path.write_text(BVH.format(leg=leg, frames=len(rows), rows="\n".join(rows)))
        assert main(["track", str(path), "-o", str(tmp_path / "x.glb"), "--no-film"]) == 2
        assert sentence in capsys.readouterr().err.replace("\n", " ")
        assert not (tmp_path / "x.glb").exists()

    def test_two_skeletons_in_one_file_are_refused_by_a_sentence(self, tmp_path, capsys):
        text = BVH.format(leg=0.5, frames=4, rows="\n".join(["0 1 0 0 0 0 0 0 0 2 1 0 0 0 0 0 0 0"] * 4))
        head, motion = text.split("MOTION")
        twin = head.removeprefix("HIERARCHY\n").replace("Hips", "Hips2").replace("Leg", "Leg2")
        path = tmp_path / "two.bvh"
        path.write_text(f"{head}{twin}MOTION{motion}")
        assert main(["track", str(path), "-o", str(tmp_path / "x.glb"), "--no-film"]) == 2
        assert (
            "2 skeletons that nothing joins: 'Hips' with 2 bones and 'Hips2' with 2"
            in capsys.readouterr().err.replace("\n", " ")
        )

    def test_the_papers_settings_and_annealing_end_without_help(self, fox, tmp_path, capsys):
        out = tmp_path / "paper.glb"
        options = ["--paper", "--upright", "anneal", "--iterations", "4", "--no-film", "--fps", "24"]
        assert main(["track", str(fox), "-o", str(out), *options]) == 0, capsys.readouterr().err
        told = json.loads(out.with_suffix(".json").read_text())
        config = told["settings"]["track"]
        assert (config["knots"], config["skate"], config["clear"], config["jerk"]) == ("substep", 0.0, 0.0, 0.0)
        assert told["upright"]["scale"] == told["upright"]["peak"] == 0.0
