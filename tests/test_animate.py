"""`gambol animate`: what a run writes, that it survives kills, and that it refuses what it cannot do."""

import inspect
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, fields, replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_embedded_prior import tiny_prior, write_tiny_prior
from tiny_video_models import saved

import gambol
from gambol.app.animate import animate_file
from gambol.app.animate_character import animate_character
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.evaluate import evaluate_path
from gambol.app.new import write_creature
from gambol.app.run_folder import RunInUse, locked, open_run, read_log
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.diffusion.video_prior import VideoFormat, VideoPrior
from gambol.distill.losses import JointLimits, Smoothness, StartHeading
from gambol.distill.optimised_body import make_subject
from gambol.distill.presets import SKETCH
from gambol.distill.problem import observed_motion
from gambol.distill.video_fit import VideoFit
from gambol.errors import AssetError, ConfigError, GambolError
from gambol.files.asset import export_scene, load
from gambol.priors.embedded.prior import EmbeddedPrior
from gambol.render.observer import ObserverConfig
from gambol.render.video_file import chosen_frames, film_length, write_film

STEPS = 25
RUN = "import sys; from gambol.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="session")
def fox(tmp_path_factory):
    path = tmp_path_factory.mktemp("fox") / "fox.glb"
    return export_scene(make_creature("fox", 3, vertices=400).scene, (), path)


@pytest.fixture(scope="session")
def weights(tmp_path_factory):
    return write_tiny_prior(tmp_path_factory.mktemp("prior") / "tiny.safetensors")


@pytest.fixture(scope="session")
def prior():
    return tiny_prior()


FIT_CALLS = EmbeddedPrior.proposal_calls
"""Evaluations of the network for a fit of one window."""


def both_phases(steps):
    """A fit, then score distillation."""
    scores = replace(SKETCH.sds[-1], steps=steps - steps // 2)
    return (VideoFit(steps=steps // 2), scores) if steps > 1 else (scores,)


def request(fox, steps=STEPS, **asked):
    given = {"start_clip", "video"} & set(asked)  # else the clip is as long as one window of the prior, or shorter
    asked = {"method": both_phases(steps), "splats": 200, **({} if given else {"seconds": 1.5}), **asked}
    return AnimateFileRequest(AnimateRequest("a fox is walking", **asked), fox, outputs=AnimateOutputs(film=False))


@pytest.fixture(scope="session")
def undisturbed(fox, prior, tmp_path_factory):
    """The glb's bytes and the log of a run that nobody disturbs."""
    run = tmp_path_factory.mktemp("run")
    animate_file(request(fox), run, prior=prior)
    return (run / "fox.glb").read_bytes(), (run / "log.jsonl").read_bytes(), (run / "metrics.json").read_bytes()


def results(run):
    return tuple((run / name).read_bytes() for name in ("fox.glb", "log.jsonl", "metrics.json"))


def test_a_run_holds_what_it_promises(fox, weights, tmp_path, capsys):
    run = tmp_path / "run"
    assert (
        main(
            [
                "animate",
                str(fox),
                "a fox is walking",
                "-o",
                str(run),
                "--prior",
                str(weights),
                "--steps",
                "3",
                "--seconds",
                "1.5",
                "--film-size",
                "320x240",
                "--view",
                "side",
            ]
        )
        == 0
    )
    told, phases = capsys.readouterr()
    said = [
        "Reading the character",
        "Loading the prior",
        "Looking for",
        "Measuring",
        "Drawing the film",
        "Writing the page",
    ]
    assert [phases.find(text) for text in said] == sorted(phases.find(text) for text in said)
    assert "Drawing the film" in phases
    assert str(run / "film.mp4") in told
    assert (run / "report.html").as_uri() in told
    assert film_length(run / "film.mp4") == (46, 30.0)
    assert [frame.shape for frame in chosen_frames(run / "film.mp4", [45])] == [(240, 320, 3)]
    assert f"{FIT_CALLS} evaluations of the prior's network" in told
    names = {p.name for p in run.iterdir()}
    wanted = {"fox.glb", "film.mp4", "report.html", "metrics.json", "settings.json", "log.jsonl", "timings.json"}
    assert names == wanted | {"checkpoints", "lock"}
    assert load(run / "fox.glb").clips[-1].name == "a fox is walking"
    metrics = json.loads((run / "metrics.json").read_text())
    assert metrics["prior_evaluations"] == FIT_CALLS
    assert metrics["motion"] == evaluate_path(run).clips[-1].motion
    page = (run / "report.html").read_text()
    assert "a fox is walking" in page
    assert "<polyline" in page
    assert "data:video/mp4" in page
    player = re.search(r'srcdoc="([^"]*)"', page).group(1)
    assert "a fox is walking" in unescape(player)
    assert "http" not in page.replace(player, "").replace("http-equiv", "")
    assert len(read_log(run / "log.jsonl")) == 3
    assert json.loads((run / "timings.json").read_text())["film"]["cpu_seconds"] > 0


def test_a_run_can_be_watched(fox, prior, tmp_path):
    animate_file(request(fox, steps=10), tmp_path, prior=prior, watch=True)
    page = (tmp_path / "watch.html").read_text()
    assert "<polyline" in page
    assert "data:image/png" in page
    assert 'http-equiv="refresh"' not in page  # it has ended


def test_the_file_stays_what_it_was_and_gets_one_clip_at_30_frames(fox, undisturbed, tmp_path):
    (tmp_path / "a.glb").write_bytes(undisturbed[0])
    before, after = load(fox), load(tmp_path / "a.glb")
    assert len(after.clips) == len(before.clips) + 1
    assert after.document.binary_chunk.startswith(before.document.binary_chunk)
    times = after.clips[-1].key_times()
    assert abs((times[1:] - times[:-1]) - 1 / 30).max() < 1e-5


def kill_and_resume(fox, weights, run, kills, seed, steps):
    """Start the command, kill it at random moments, let it end at last; its glb and log."""
    command = [sys.executable, "-c", RUN, "animate", str(fox), "a fox is walking", "-o", str(run)]
    command += ["--prior", str(weights), "--steps", str(steps), "--no-film", "--method", "sds"]
    draw = random.Random(seed)
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = stamp(run)
        while process.poll() is None and stamp(run) == before:
            time.sleep(0.01)
        time.sleep(draw.random() * 0.6)
        assert process.poll() is None, "the run ended before it could be killed; give it more steps"
        process.kill()
        process.wait()
    assert subprocess.run(command, capture_output=True).returncode == 0
    return results(run)


def stamp(run):
    saved_state = run / "checkpoints" / "0.safetensors"
    return saved_state.stat().st_mtime_ns if saved_state.exists() else 0


@pytest.mark.parametrize(
    ("kills", "steps"), [(2, 300), pytest.param(20, 2000, marks=pytest.mark.slow)], ids=["2 kills", "20 kills"]
)
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(fox, weights, tmp_path, kills, steps):
    arguments = ["--prior", str(weights), "--steps", str(steps), "--no-film", "--method", "sds"]  # a fit, then scores
    calm = tmp_path / "calm"
    assert main(["animate", str(fox), "a fox is walking", "-o", str(calm), *arguments]) == 0
    assert kill_and_resume(fox, weights, tmp_path / "killed", kills, seed=kills, steps=steps) == results(calm)


def test_ctrl_c_leaves_a_usable_result_and_the_run_goes_on(fox, prior, undisturbed, tmp_path):
    def stop(done, total, what):
        if done == 14:
            raise KeyboardInterrupt

    report = animate_file(request(fox), tmp_path, prior=prior, progress=stop)
    assert report.animated.stopped
    assert any("Stopped after step 14" in note for note in report.notes)
    assert load(tmp_path / "fox.glb").clips[-1].name == "a fox is walking"
    assert results(tmp_path) != undisturbed
    assert not animate_file(request(fox), tmp_path, prior=prior).animated.stopped
    assert results(tmp_path) == undisturbed


def test_a_full_disk_keeps_the_last_good_state(fox, prior, undisturbed, tmp_path, monkeypatch):
    write, written = Path.write_bytes, []

    def full(self, data):
        if self.suffix == ".safetensors":
            written.append(self)
            if len(written) == 2:
                raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(GambolError, match="No space left on device"):
        animate_file(request(fox), tmp_path, prior=prior)
    monkeypatch.undo()
    animate_file(request(fox), tmp_path, prior=prior)
    assert results(tmp_path) == undisturbed


def test_one_process_at_a_time(tmp_path):
    for name in ("lock", "lock.pid"):  # a dead process's lock is free
        (tmp_path / name).write_text("999999")
    with (
        open_run(tmp_path, {"prompt": "a"}),
        pytest.raises(RunInUse, match=rf"in use by another process \(number {os.getpid()}\)"),
        locked(tmp_path / "lock"),
    ):
        pass
    with open_run(tmp_path, {"prompt": "a"}):
        pass


def test_a_folder_with_other_things_or_another_run_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("ten years")
    with pytest.raises(AssetError, match="holds other things"), open_run(tmp_path, {"prompt": "a"}):
        pass
    run = tmp_path / "run"
    with open_run(run, {"prompt": "a"}) as folder:
        folder.write_json("metrics.json", {})
    with pytest.raises(AssetError, match='prompt was "a" and is now "b"'), open_run(run, {"prompt": "b"}):
        pass
    with open_run(run, {"prompt": "b"}, overwrite=True):
        assert not (run / "metrics.json").exists()


@pytest.mark.parametrize("written", ["{}", "[]", '{"name": "my-game"}'])
def test_a_folder_with_somebody_elses_settings_is_refused_even_to_overwrite(tmp_path, written):
    (tmp_path / "settings.json").write_text(written)
    (tmp_path / "hero.glb").write_bytes(b"work of years")
    for overwrite in (False, True):
        refused = pytest.raises(AssetError, match="not written by a run")
        with refused, open_run(tmp_path, {"prompt": "a"}, overwrite=overwrite):
            pass
    assert {p.name for p in tmp_path.iterdir()} >= {"settings.json", "hero.glb"}


def test_overwriting_removes_the_runs_own_files_and_no_others(tmp_path):
    settings = {"prompt": "a", "character": "fox.glb", "settings": {"steps": 3}}
    with open_run(tmp_path, settings) as folder:
        folder.write_json("metrics.json", {})
    own, mine = ("fox.glb", "film.mp4", "report.html", "preview.png"), ("hero.glb", "notes.json", "hero.png", "s.mp4")
    for name in (*own, *mine):
        (tmp_path / name).write_bytes(b"x")
    other = {**settings, "settings": {"steps": 4}}
    with pytest.raises(AssetError, match="steps was 3 and is now 4"), open_run(tmp_path, other):
        pass
    twice = {**settings, "fps": 12, "finish": {"fps": 30}}  # two settings of one name
    with pytest.raises(AssetError, match="fps was not given and is now 12"), open_run(tmp_path, twice):
        pass
    with open_run(tmp_path, other, overwrite=True):
        left = {p.name for p in tmp_path.iterdir()}
    assert left == {*mine, "settings.json", "lock", "lock.pid"}


def test_what_fails_before_the_first_state_leaves_nothing_behind(fox, prior, tmp_path):
    run = tmp_path / "run"
    for name in ("wheel", "rudder"):  # the second is not told that the first one's settings differ
        wrong = request(fox, lock=(name,))
        with pytest.raises(ConfigError, match=f"no joint '{name}'"):
            animate_file(wrong, run, prior=prior)
        assert not run.exists()
    assert animate_file(request(fox, steps=4), run, prior=prior).model.is_file()


def test_more_files_of_the_same_motion_need_no_new_run(fox, prior, tmp_path):
    first = animate_file(request(fox, steps=4), tmp_path, prior=prior)
    before = load(first.model).clips[-1]
    again = animate_file(
        replace(request(fox, steps=4), outputs=AnimateOutputs(reduce_keys=True, film=False)), tmp_path, prior=prior
    )
    after = load(again.model).clips[-1]
    assert sum(len(c.times) for c in after.channels) < sum(len(c.times) for c in before.channels)
    assert (first.animated.clip.angles == again.animated.clip.angles).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.glb", "a fox runs"], "There is no file"),
        (["fox.glb"], "takes [FILE] and a sentence"),
        (["a", "b", "c"], "takes [FILE] and a sentence"),
        (["FOX", "a fox runs", "--steps", "0"], "steps is 0"),
        (["FOX", "a fox runs", "--seconds", "-1"], "seconds is -1"),
        (["FOX", "a fox runs", "--seconds", "0.2", "--loop"], "A loop of 0.2 s"),
        (["FOX", "a fox runs", "--seed", "-1"], "seed is -1"),
        (["FOX", "a fox runs", "--guidance", "nan"], "guidance is nan"),
        (["FOX", "a fox runs", "--travel", "0,0 0,0"], "must differ from the one before"),
        (["FOX", "a fox runs", "--device", "cuda"], "runs on the CPU"),
        (["FOX", "a fox runs", "--skate", "1"], "root's travel"),
        (["FOX", "a fox runs", "--video", "film.mp4", "--method", "sds"], "leave out seconds"),
        (["FOX", "a fox runs", "--start-clip", "Walk", "--method", "fit"], "sds or annealed"),
        (["FOX", "a fox runs", "--variants", "0"], "variants is 0"),
        (["FOX", "a fox runs", "--views", "2"], "sees a body from all sides in one view"),
        (["FOX", "a fox runs", "--video", "FOX"], "films of body parts, not pictures"),
        (["FOX", "a fox runs", "--video-camera", "35,10"], "give the film"),
        (["FOX", "a fox runs", "--video", "film.mp4", "--video-camera", "up"], "azimuth and elevation"),
        (["FOX", "a fox runs", "--travel", "far"], "it takes a speed"),
        (["FOX", "a fox runs", "--travel", "1", "--in-place"], "exclude each other"),
        (["FOX", "a fox runs", "--lock", "wheel"], "no joint 'wheel'"),
        (["FOX", "a fox runs", "--start-clip", "Samba"], "no clip"),
        (["FOX", "a fox runs", "--frames", "9"], "has its own frames"),
        (["FOX", "a fox runs", "--size", "big"], "height x width"),
        (["FOX", "a fox runs", "--fps", "0"], "from 1 to 240"),
        (["MESH", "a fox runs"], "skeleton"),
        (["FOX", "x" * 3000], "at most 2000"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(fox, weights, tmp_path, capsys, arguments, sentence):
    mesh = tmp_path / "mesh.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    words = [{"FOX": str(fox), "MESH": str(mesh)}.get(word, word) for word in arguments]
    assert main(["animate", *words, "-o", str(tmp_path / "run"), "--prior", str(weights)]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "run").exists()


def test_a_run_is_a_folder_not_a_file(fox, capsys, tmp_path):
    assert main(["animate", str(fox), "a fox runs", "-o", str(tmp_path / "out.glb")]) == 2
    assert "looks like a file" in capsys.readouterr().err
    assert not (tmp_path / "out.glb").exists()


def test_a_run_does_not_swallow_its_own_file(fox, prior):
    with pytest.raises(AssetError, match="a run holds its own files only"):
        animate_file(request(fox), fox.parent, prior=prior)


@dataclass(frozen=True)
class Backwards(gambol.Constraint):
    """The root goes straight back."""

    weight: float = 1.0
    name = "backwards"

    def __call__(self, motion):
        return motion.root[:, 0].square().mean()

    def project(self, clip, body):
        root = clip.root.copy()
        root[:, 0] = -np.arange(len(root)) / clip.fps
        return replace(clip, root=root)


def test_a_clip_that_goes_backwards_does_not_turn_the_character_round(fox, prior, tmp_path):
    report = animate_file(request(fox, steps=2, constraints=(Backwards(),)), tmp_path, prior=prior)
    x = report.animated.clip.root[:, 0]
    assert x[-1] < x[0]
    assert json.loads((tmp_path / "settings.json").read_text())["facing"] == load(fox).character.placement.facing
    judged = evaluate_path(tmp_path).clips[-1]
    assert judged.motion == report.metrics.motion
    assert judged.confidence == pytest.approx(report.metrics.confidence)


def test_variants_are_ranked_by_losses_and_all_are_told(fox, prior, tmp_path):
    report = animate_file(request(fox, steps=4, variants=3), tmp_path, prior=prior)
    losses = [variant.loss for variant in report.animated.variants]
    assert losses == sorted(losses)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert set(metrics["losses"]) == {"0", "1", "2"}
    assert metrics["seed"] == report.animated.variants[0].seed
    assert metrics["prior_evaluations"] == 3 * (FIT_CALLS + 2 * 2 + 12)  # six levels, with and without the sentence


def test_ctrl_c_between_variants_keeps_the_first_and_progress_counts_all(fox, prior, tmp_path):
    told = []

    def stop(done, total, what):
        told.append((done, total, what.split(":")[0]))
        if done == 5:  # the first step of the second variant, before anything of it is kept
            raise KeyboardInterrupt

    report = animate_file(request(fox, steps=4, variants=3), tmp_path, prior=prior, progress=stop)
    assert report.animated.stopped
    assert report.model.is_file()
    assert told == [*((i, 12, "variant 1 of 3") for i in range(1, 5)), (5, 12, "variant 2 of 3")]
    whole = animate_file(request(fox, steps=4, variants=3), tmp_path, prior=prior)
    assert len(whole.animated.variants) == 3


@pytest.mark.parametrize("motion", ["walk", "jump"])
def test_a_refined_clip_keeps_its_length_and_costs_nothing_as_it_is(prior, tmp_path, motion):
    path = write_creature("fox", tmp_path / "fox.glb", seed=3, motions=(motion,))
    (before,) = load(path).clips
    asked = request(path, method=None, steps=2, start_clip=before.name)
    report = animate_file(asked, tmp_path / "run", prior=prior)
    assert report.animated.clip.duration == pytest.approx(before.duration, abs=1 / 30)
    first = read_log(tmp_path / "run" / "log.jsonl")[0]
    assert first["motion"] > 0.1
    assert first["smoothness"] == first["joint_limits"] == first["start_heading"] == 0.0


def test_a_clip_is_refined_by_what_the_sentence_adds_and_nothing_else(prior, tmp_path):
    path = write_creature("fox", tmp_path / "fox.glb", seed=3, motions=("walk",))
    for guidance in (0.0, 5.0):
        losses = (JointLimits(), Smoothness(), StartHeading())
        run = tmp_path / str(guidance)
        asked = request(path, method=None, steps=3, start_clip="walk", guidance=guidance, losses=losses)
        animate_file(asked, run, prior=prior)
        log = read_log(run / "log.jsonl")
        assert all((line["prior"] > 0) == (guidance > 0) for line in log)
        assert all((line["gradient"] > 0) == (guidance > 0) for line in log)


@pytest.mark.parametrize("seconds", [0.4, 2.0])
@pytest.mark.parametrize("method", [VideoFit(steps=2, calls=1), replace(SKETCH.scores, steps=2)], ids=["fit", "sds"])
def test_a_clip_has_the_length_that_is_asked_for(fox, prior, tmp_path, seconds, method):
    asked = request(fox, method=method, seconds=seconds)
    clip = animate_file(asked, tmp_path, prior=prior).animated.clip
    assert clip.duration == pytest.approx(seconds, abs=0.5 / 30)


class Pictures(VideoPrior):
    """A prior that sees pictures and takes them as they are: enough to fit to a video."""

    format = VideoFormat(9, 48, 48, 16.0)
    predict_clean = decode = signal = None

    def condition(self, prompt, negative="", *, reference=None):
        return None

    def encode(self, video):
        return 0.1 * torch.nn.functional.avg_pool2d(video, 4).flatten(1)


def test_joints_follow_a_film_that_is_given(fox, prior, tmp_path):
    subject, pictures = make_subject(load(fox).character), Pictures()
    observer = pictures.observer(subject, ObserverConfig(splats=200))
    walk = make_motion(subject.character, subject.anatomy, "walk", seconds=8 / 16, fps=16.0, loop=False)
    with torch.no_grad():
        film = observer.render(observer.actor.pose(*observed_motion(walk, observer)), 0)
    frames = (film.permute(0, 2, 3, 1).numpy() * 255).round().astype("uint8").repeat(4, 1).repeat(4, 2)
    write_film(tmp_path / "walk.mp4", frames, 16.0)
    asked = request(fox, method=None, steps=12, video=tmp_path / "walk.mp4")
    report = animate_file(asked, tmp_path / "run", prior=pictures)
    log = read_log(tmp_path / "run" / "log.jsonl")
    assert report.animated.evaluations == 0
    assert log[-1]["prior"] < 0.7 * log[0]["prior"]
    assert log[-1]["motion"] > 5.0 * log[0]["motion"]
    write_film(tmp_path / "wide.mp4", frames[:, : frames.shape[1] // 2], 16.0)
    wide = request(fox, method=None, steps=12, video=tmp_path / "wide.mp4")
    with pytest.raises(ConfigError, match="videos have the shape 48 x 48"):
        animate_file(wide, tmp_path / "no", prior=pictures)
    with pytest.raises(ConfigError, match="films of body parts, not pictures"):
        animate_file(asked, tmp_path / "no", prior=prior)
    assert not (tmp_path / "no").exists()


def test_a_body_whose_root_is_locked_stays_where_it_is(fox, prior, tmp_path):
    root = animate_file(request(fox, steps=4, lock=("root",)), tmp_path, prior=prior).animated.clip.root
    assert abs(root - root[0]).max() < 1e-9


def test_a_clip_of_the_file_is_refined_and_keys_are_reduced(fox, prior, tmp_path):
    first = animate_file(request(fox, steps=4), tmp_path / "a", prior=prior)
    again = request(first.model, method=None, steps=2, start_clip="a fox is walking", name="a slow fox")
    again = replace(again, outputs=AnimateOutputs(reduce_keys=True, film=False))
    report = animate_file(again, tmp_path / "b", prior=prior)
    clips = load(report.model).clips
    assert [clip.name for clip in clips] == ["a fox is walking", "a slow fox"]
    keys = [sum(len(channel.times) for channel in clip.channels) for clip in clips]
    assert keys[1] < keys[0]


def test_without_a_file_a_creature_is_made(prior, tmp_path):
    asked = replace(request(None, steps=1), file=None)
    assert animate_file(asked, tmp_path, prior=prior).model.name == "fox.glb"


def test_the_papers_method_with_a_tiny_cogvideox(fox, tmp_path):
    folder = saved("cogvideox-5b")[1]
    asked = AnimateFileRequest(
        AnimateRequest("a fox is running", preset="paper", steps=3, splats=300),
        fox,
        prior=str(folder),
        frames=9,
        size=(32, 32),
        outputs=AnimateOutputs(film_size=(320, 180)),
    )
    report = animate_file(asked, tmp_path)
    log = read_log(tmp_path / "log.jsonl")
    assert report.animated.evaluations == 6
    assert len(log) == 3
    assert all(line["prior"] > 0 and line["gradient"] > 0 for line in log)
    assert {"akd_smoothness", "akd_ground"} <= set(log[0])
    assert (tmp_path / "film.mp4").stat().st_size > 1000
    x = report.animated.clip.root[:, 0]
    assert x[-1] > x[0]  # the start's drift along +x


def test_python_takes_every_field_of_a_request_with_the_same_default():
    options = {
        p.name: p.default for p in inspect.signature(gambol.animate).parameters.values() if p.kind == p.KEYWORD_ONLY
    }
    assert options.pop("prior") is None
    assert options.pop("style") is None  # a mapping of its own for every request
    given = [f for f in fields(AnimateRequest) if f.name not in ("prompt", "style", "exports")]  # one clip is returned
    assert options == {f.name: f.default for f in given}


def test_three_lines_of_python(fox, prior, tmp_path):
    character = gambol.load(fox)
    clip = gambol.animate(character, "a fox is walking", prior=prior, steps=2, splats=200)
    gambol.save(character, clip, tmp_path / "out.glb")
    assert load(tmp_path / "out.glb").clips[-1].name == clip.name
    stays = gambol.animate(character, "a fox is walking", prior=prior, steps=2, splats=200, in_place=True)
    assert (stays.angles == clip.angles).all()
    same = animate_character(character, prior, AnimateRequest("a fox is walking", steps=2, splats=200)).clip
    assert (clip.angles == same.angles).all()
    named = gambol.animate(
        character, "a fox walks", prior=prior, method=gambol.VideoFit(steps=1), splats=200, travel=1.2, name="stroll"
    )
    assert named.name == "stroll"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"prior": "no-such"}, "There is no prior 'no-such'"),
        ({"prior": 7}, "it takes a VideoPrior"),
        ({"steps": 1.5}, "steps is 1.5; it takes a whole number"),
        ({"steps": 0}, "steps is 0"),
        ({"seed": "one"}, "seed is 'one'"),
        ({"seconds": "long"}, "seconds is 'long'"),
        ({"travel": "far"}, "it takes a speed"),
        ({"travel": 1.2, "in_place": True}, "exclude each other"),
        ({"lock": (3,)}, "list of joint names"),
        ({"lock": "wheel"}, "no joint 'wheel'"),
        ({"lock": 3}, "list of joint names"),
        ({"name": 3}, "name is 3; it takes a text"),
        ({"start_clip": "Fly", "method": "sds"}, "has no clip"),
        ({"seconds": 0}, "seconds is 0; it takes a number from 0.01 to 60"),
        ({"negative": "not running"}, "names the motion to avoid itself"),
        ({"negative": "el zorro corre"}, "does not look like English"),
        ({"method": "magic"}, "no method 'magic'"),
        ({"method": 3}, "it takes fit, sds, annealed"),
        ({"preset": "best"}, "it takes sketch, draft, paper"),
        ({"losses": ["smooth"]}, "not a loss"),
        ({"loop": "yes"}, "True or False"),
        ({"smoothness": "Paper"}, "it takes ours, paper, off"),
        ({"basis": "sines"}, "it takes cosine, spline, free"),
        ({"start_clip": "Walk", "method": "fit"}, "sds or annealed"),
        ({"loop": True, "travel": [(0, 0), (1, 0)]}, "leave out the path"),
    ],
)
def test_python_gets_the_same_sentences(fox, prior, options, sentence):
    character = gambol.load(fox)
    with pytest.raises(GambolError, match=re.escape(sentence)):
        gambol.animate(character, "a fox is walking", **{"prior": prior, "steps": 1, "splats": 50, **options})


def test_python_calls_with_the_wrong_things_get_a_sentence(fox, prior):
    with pytest.raises(ConfigError, match=r"what gambol\.load returns"):
        gambol.animate(str(fox), "a fox is walking")
    character = gambol.load(fox)
    clip = gambol.animate(character, "a fox", prior=prior, steps=1, splats=50)
    with pytest.raises(ConfigError, match="a character, a clip and a path"):
        gambol.save(clip, character, "a.glb")


def test_another_character_of_the_file_or_another_prior_is_another_run(fox, prior, tmp_path):
    asked = request(fox, steps=2)
    animate_file(asked, tmp_path, prior=prior)
    named = replace(asked, character=load(fox).characters[0].name)
    with pytest.raises(AssetError, match="other settings: character was not given"):
        animate_file(named, tmp_path, prior=prior)
    other = tiny_prior()
    other.weights_digest = "1234"
    with pytest.raises(AssetError, match="other settings: prior was"):
        animate_file(asked, tmp_path, prior=other)


@pytest.mark.parametrize("wrong", [{"lock": ("wheel",)}, {"start_clip": "Fly", "method": "sds"}], ids=str)
def test_a_mistyped_option_is_reported_before_another_run_is(fox, prior, tmp_path, wrong):
    animate_file(request(fox, steps=1), tmp_path, prior=prior)
    with pytest.raises(GambolError, match=r"There is no joint 'wheel'|has no clip"):
        animate_file(request(fox, steps=1, **wrong), tmp_path, prior=prior)


def test_a_run_repeated_says_that_it_was_complete_and_metrics_have_the_clips_frame_rate(fox, prior, tmp_path):
    asked = request(fox, steps=2, fps=24.0)
    first = animate_file(asked, tmp_path, prior=prior)
    assert not any("complete" in note or "Resumed" in note for note in first.notes)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert (metrics["fps"], metrics["measured_fps"]) == (24.0, 30.0)
    assert "already complete" in animate_file(asked, tmp_path, prior=prior).notes[0]


def test_a_polite_kill_leaves_no_owner_of_the_lock(tmp_path):
    code = """
import os, signal
from pathlib import Path
from gambol.app.run_folder import locked
from gambol.cli import main
def work():
    with locked(Path("lock")):
        assert Path("lock.pid").is_file()
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
main.main = work
main.entry()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 128 + signal.SIGTERM
    assert not (tmp_path / "lock.pid").exists()


def test_a_turn_cannot_loop(fox):
    with pytest.raises(ConfigError, match="asks for a turn"):
        gambol.animate(gambol.load(fox), "a fox turns left", loop=True, steps=1, splats=50)


def test_public_names_exist_and_are_documented():
    for name in gambol.__all__:
        assert getattr(gambol, name) is not None
        assert name == "__version__" or getattr(gambol, name).__doc__
