"""`gambol evaluate`: clips, runs, tables, A/B pages and answers, as people use them."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest
from character_made_by_code import two_bone_scene
from scipy import stats

from gambol.app.evaluate import evaluate_path
from gambol.app.find_runs import find_run, find_runs
from gambol.app.run_folder import RunSettings
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.evaluate.ab_answers import QUESTIONS, left_is_a, read_answers, seal, share_interval
from gambol.evaluate.comparison import EvaluatedRun, Interval, comparison_markdown, group_runs, mean_interval
from gambol.evaluate.metric_texts import SHORT_COLUMNS
from gambol.files.asset import export_scene, load
from gambol.motion.feet.travel import remove_travel
from gambol.motion.node_clip_conversion import nodes_from_clip
from gambol.render.video_file import write_film


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    """A fox with two walks: one that travels, one on the spot, and a pose."""
    creature = make_creature("fox", 1, vertices=2500)
    character = creature.character()
    anatomy = creature.anatomy(character)
    walk = make_motion(character, anatomy, "walk", seconds=1.0)
    pose = make_motion(character, anatomy, "idle", seconds=0.03)
    clips = [walk, replace(remove_travel(walk), name="treadmill"), replace(pose, name="pose")]
    clips.append(replace(make_motion(character, anatomy, "gallop", seconds=1.0), name="last"))
    nodes = tuple(nodes_from_clip(character, clip) for clip in clips)
    return export_scene(creature.scene, nodes, tmp_path_factory.mktemp("fox") / "fox.glb")


def make_run(folder, fox, **settings):
    folder.mkdir(parents=True)
    (folder / "result.glb").write_bytes(fox.read_bytes())
    if settings:
        (folder / "settings.json").write_text(json.dumps({"schema": 1, **settings}))
    return folder


def run(capsys, *arguments):
    code = main(["evaluate", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


class TestClips:
    def test_all_clips_of_a_file_as_a_table(self, fox, capsys):
        code, out, _ = run(capsys, fox)
        assert code == 0
        lines = out.splitlines()
        assert any(line.startswith("walk") and " walk " in line for line in lines)
        assert any(line.startswith("last") and " run " in line for line in lines)
        told = out.replace("\n", " ")
        assert "'pose' is left out" in told
        assert "'treadmill' moves in place" in told
        assert "--restore-travel" in told
        assert "'walk' moves in place" not in told

    def test_no_column_is_cut_off_where_output_is_no_terminal(self, fox, tmp_path, capsys):
        asset, name = load(fox), "a walk whose name alone is wider than an old terminal, so that nothing else would fit"
        path = export_scene(
            asset.character.scene, (replace(asset.clip("walk"), name=name), asset.clip("last")), tmp_path / "long.glb"
        )
        code, out, _ = run(capsys, path)
        assert code == 0
        (heading,) = (line for line in out.splitlines() if line.startswith("clip"))
        (row,) = (line for line in out.splitlines() if line.startswith(name))
        assert heading.split() == [word for column in SHORT_COLUMNS for word in column.split()]
        assert len(row.removeprefix(name).split()) == len(SHORT_COLUMNS) - 1
        assert "…" not in out

    def test_one_clip_as_json_has_every_number(self, fox, capsys):
        code, out, _ = run(capsys, fox, "--clip", "treadmill", "--json", "--reference", "walk")
        told = json.loads(out)
        assert code == 0
        assert told["schema"] == 1
        (clip,) = told["clips"]
        assert clip["clip"] == "treadmill"
        assert clip["motion"] == "walk"
        assert clip["foot_skate_sizes"] > 0.3
        assert clip["mpjpe"] > 0.1
        assert len(clip["left_right_phase"]) == 2
        assert any("stays behind" in note for note in told["notes"])
        _, out, _ = run(capsys, fox, "--clip", "treadmill", "--json", "--reference", "walk", "--restore-travel")
        restored = json.loads(out)["clips"][0]
        assert restored["foot_skate_sizes"] < 0.1 * clip["foot_skate_sizes"]
        assert restored["mpjpe"] < 0.1 * clip["mpjpe"]
        assert json.loads(out)["travel_restored"]
        assert json.loads(out)["notes"] == []

    def test_one_clip_for_people(self, fox, capsys):
        code, out, _ = run(capsys, fox, "--clip", "walk")
        assert code == 0
        for word in ("motion amount", "foot skate", "self-intersection", "left-right phase", "duty factor", "sizes/s"):
            assert word in out
        assert "distance to reference" not in out

    def test_a_run_is_its_last_clip(self, fox, tmp_path):
        found = evaluate_path(make_run(tmp_path / "run", fox))
        assert [clip.clip for clip in found.clips] == ["last"]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ([], "takes one run or file"),
            (["nowhere"], "no file or folder nowhere"),
            (["{fox}", "--clip", "fly"], "no clip 'fly'"),
            (["{fox}", "--reference", "fly"], "no clip 'fly'"),
            (["{fox}", "--clip", "pose"], "3 are the least"),
            (["{fox}", "--table", "--ab"], "cannot go together"),
            (["{fox}", "{fox}"], "given are 2"),
            (["{folder}/empty"], "holds no runs"),
            (["{folder}/note.txt"], "is no run"),
            (["{folder}/plain.glb"], "no clips"),
            (["{folder}/two"], "2 .glb files"),
            (["--table", "{folder}/bad"], "'seed' is 'one'"),
            (["--table", "{fox}", "-o", "{folder}/t.pdf"], "'.pdf'"),
            (["--ab", "{fox}"], "--ab A B -o ab.html"),
            (["--ab", "{fox}", "{fox}", "-o", "{folder}/x.txt"], "'.txt'"),
            (["--answers", "{folder}/note.txt"], "cannot be read as JSON"),
            (["--answers", "{folder}/bad/settings.json"], "no answer file"),
            (["{fox}", "--videophy", "{folder}/empty"], "no config.json"),
        ],
    )
    def test_bad_input_gets_a_sentence(self, arguments, words, fox, tmp_path, capsys):
        (tmp_path / "note.txt").write_text("hello")
        (tmp_path / "empty").mkdir()
        export_scene(two_bone_scene(), (), tmp_path / "plain.glb")
        make_run(tmp_path / "two", fox)
        (tmp_path / "two" / "more.glb").write_bytes(fox.read_bytes())
        make_run(tmp_path / "bad", fox, seed="one")
        code, out, err = run(capsys, *(a.format(fox=fox, folder=tmp_path) for a in arguments))
        assert code == 2
        assert out == ""
        assert words in err.replace("\n", " ")
        assert "Traceback" not in err


class TestTables:
    def test_means_have_students_intervals(self):
        values = [0.3, 0.5, 0.4, 0.45]
        low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
        found = mean_interval(values)
        assert found.mean == pytest.approx(np.mean(values))
        assert (found.mean - found.half, found.mean + found.half) == pytest.approx((low, high))
        assert mean_interval([2.0]) == Interval(2.0, None, 1)
        assert mean_interval([2.0]).text() == "2.00"
        texts = [
            Interval(*pair, 3).text() for pair in ((0.413, 0.052), (184.2, 207.3), (0.0031, 0.00049), (1e-9, 1e-9))
        ]
        assert texts == ["0.413 ± 0.052", "184 ± 207", "0.0031 ± 0.0005", "0"]

    def test_runs_are_grouped_by_character_prompt_and_method(self, fox):
        metrics = evaluate_path(fox, clip="walk").clips[0]
        runs = []
        for method, seed, motion in (("b", 0, "walk"), ("a", 1, "gallop"), ("a", 0, "walk")):
            runs.append(EvaluatedRun(f"{method}{seed}", "fox", "a fox", method, seed, motion, metrics))
        comparison = group_runs(runs)
        rows = comparison.rows
        assert [(row.method, [r.seed for r in row.runs]) for row in rows] == [("a", [0, 1]), ("b", [0])]
        assert rows[0].motions == "walk (1 of 2 as meant)"
        assert rows[0].interval("motion_amount").half == pytest.approx(0.0, abs=1e-12)
        assert rows[0].interval("mpjpe") is None
        lines = comparison_markdown(comparison).splitlines()
        assert len(lines) == 4
        assert len({line.count("|") for line in lines}) == 1
        assert len(comparison.scenes) == 1

    def test_a_table_of_runs_is_printed_or_written(self, fox, tmp_path, capsys):
        for seed in (0, 1):
            make_run(tmp_path / "all" / f"s{seed}", fox, prompt="a|fox", character="fox", method="ours", seed=seed)
        plain = make_run(tmp_path / "plain", fox)
        code, out, _ = run(capsys, "--table", tmp_path / "all", plain)
        assert code == 0
        assert "| fox | a\\|fox | ours | 2 | run |" in out
        assert "| plain | - | - | 1 | run |" in out
        code, _, _ = run(capsys, "--table", tmp_path / "all", plain, "-o", tmp_path / "t.md")
        assert (tmp_path / "t.md").read_text() == out
        _, out, _ = run(capsys, "--table", tmp_path / "all", "--json")
        (row,) = json.loads(out)["rows"]
        assert [r["seed"] for r in row["runs"]] == [0, 1]
        assert row["intervals"]["motion_amount"]["count"] == 2


class TestRuns:
    def test_settings_are_read_and_unknown_fields_left_alone(self, fox, tmp_path):
        folder = make_run(tmp_path / "r", fox, prompt="p", character="c", method="m", seed=3, motion="walk", steps=[1])
        assert find_run(folder).settings == RunSettings("p", "c", "m", 3, "walk")
        assert find_run(folder).name == "r"
        assert find_runs(tmp_path)[0].name == "r"

    def test_a_folder_without_settings_names_itself(self, fox, tmp_path):
        assert find_run(make_run(tmp_path / "r", fox)).settings == RunSettings(character="r")


class TestAnswers:
    def answers(self, path, choose, pairs=10, seed=4):
        sides = left_is_a(pairs, seed)
        given = [
            {"pair": pair, "question": key, "choice": choose(pair, key, sides[pair])}
            for pair in range(pairs)
            for key, _, _ in QUESTIONS
        ]
        path.write_text(json.dumps({"schema": 1, "key": seal("one", "two", sides), "evaluator": "", "answers": given}))
        return path

    def test_sides_are_balanced_and_the_seeds_own(self):
        assert left_is_a(10, 1).sum() == 5
        assert left_is_a(7, 1).sum() in (3, 4)
        assert (left_is_a(10, 1) == left_is_a(10, 1)).all()
        assert any((left_is_a(10, 1) != left_is_a(10, seed)).any() for seed in range(2, 6))
        assert {bool(left_is_a(1, seed)[0]) for seed in range(20)} == {True, False}

    def test_choices_of_a_side_become_choices_of_a_method(self, tmp_path):
        # one evaluator always likes two (B), the other always the left one
        always_b = self.answers(tmp_path / "a.json", lambda pair, key, left_a: "right" if left_a else "left")
        always_left = self.answers(tmp_path / "b.json", lambda pair, key, left_a: "left")
        result = read_answers([always_b, always_left])
        assert (result.name_a, result.name_b, result.evaluators) == ("one", "two", 2)
        assert [p.question for p in result.preferences] == [title for _, title, _ in QUESTIONS]
        for p in result.preferences:
            assert (p.chosen_a, p.chosen_b) == (5, 15)
            assert p.share_b == 0.75
            exact = stats.binomtest(15, 20).proportion_ci(0.95, "exact")
            assert (p.low, p.high) == pytest.approx((exact.low, exact.high))

    def test_intervals_of_all_or_nothing_end_at_the_border(self):
        assert share_interval(0, 10)[0] == 0.0
        assert share_interval(10, 10)[1] == 1.0

    def test_answers_are_printed(self, tmp_path, capsys):
        path = self.answers(tmp_path / "a.json", lambda pair, key, left_a: "left")
        code, out, _ = run(capsys, "--answers", path)
        assert code == 0
        assert "A = one, B = two" in out
        assert "Physical plausibility" in out
        assert "50%" in out
        _, out, _ = run(capsys, "--answers", path, "--json")
        assert json.loads(out)["preferences"][0]["chosen_a"] == 5

    def test_answers_of_another_study_or_question_are_refused(self, tmp_path, capsys):
        first = self.answers(tmp_path / "a.json", lambda *_: "left")
        other = self.answers(tmp_path / "b.json", lambda *_: "left", seed=5)
        code, _, err = run(capsys, "--answers", first, other)
        assert code == 2
        assert "another study" in err
        told = json.loads(first.read_text())
        for change, words in (({"pair": 99}, "did not ask"), ({"choice": "both"}, "did not ask")):
            bad = told | {"answers": [told["answers"][0] | change]}
            (tmp_path / "c.json").write_text(json.dumps(bad))
            code, _, err = run(capsys, "--answers", tmp_path / "c.json")
            assert code == 2
            assert words in err
        (tmp_path / "c.json").write_text(json.dumps(told | {"key": "xx"}))
        assert "key of its sides is broken" in run(capsys, "--answers", tmp_path / "c.json")[2]


class TestPages:
    @pytest.fixture
    def studies(self, tmp_path):
        """Two methods with three films each, and one film that only the first has."""
        for method, colour in (("first", 40), ("second", 200)):
            for name in ("fox", "cat", "dog"):
                folder = tmp_path / method / name
                folder.mkdir(parents=True)
                write_film(folder / "film.mp4", np.full((6, 48, 64, 3), colour, np.uint8), 12.0)
                told = {"prompt": f"a {name} </script>", "method": method}
                (folder / "settings.json").write_text(json.dumps(told))
        write_film(tmp_path / "first" / "alone.gif", np.full((3, 16, 16, 3), 9, np.uint8), 10.0)
        return tmp_path / "first", tmp_path / "second", tmp_path / "ab.html"

    def test_the_ab_page_holds_pairs_by_name_and_hides_which_is_which(self, studies, capsys):
        a, b, page = studies
        code, _, _ = run(capsys, "--ab", a, b, "-o", page, "--seed", 2)
        assert code == 0
        text = page.read_text()
        assert "first" not in text
        assert "second" not in text
        study = json.loads(text.split('id="study">')[1].split("</script>")[0])
        assert [pair["prompt"] for pair in study["pairs"]] == [f"a {n} </script>" for n in ("cat", "dog", "fox")]
        films = {m.name: (m / "fox" / "film.mp4").read_bytes() for m in (a, b)}
        for pair, left_a in zip(study["pairs"], left_is_a(3, 2), strict=True):
            decoded = [base64.b64decode(pair[side].split(",")[1]) for side in ("left", "right")]
            assert decoded == [films["first"], films["second"]][:: 1 if left_a else -1]

    def test_runs_that_do_not_fit_are_refused(self, studies, tmp_path, capsys):
        a, b, page = studies
        (a / "fox").rename(a / "wolf")
        for name in ("cat", "dog"):
            (a / name).rename(a / f"{name}s")
        assert "No run of A has the name" in run(capsys, "--ab", a, b, "-o", page)[2]
        code, _, err = run(capsys, "--ab", a / "wolf", b / "dog", "-o", page)
        assert code == 2
        assert "different things" in err
        assert not page.exists()

    def test_the_comparison_page_shows_films_side_by_side(self, fox, tmp_path, capsys):
        for method in ("ours", "<b>theirs"):
            folder = make_run(tmp_path / method[:2] / "x", fox, prompt="a fox", character="fox", method=method)
            write_film(folder / "film.mp4", np.zeros((4, 32, 32, 3), np.uint8), 10.0)
        code, _, _ = run(capsys, "--table", tmp_path / "ou", tmp_path / "<b", "-o", tmp_path / "t.html")
        assert code == 0
        text = (tmp_path / "t.html").read_text()
        assert text.count("<video") == 2
        assert "&lt;b&gt;theirs" in text
        assert "<b>theirs" not in text
        assert "http" not in text.replace("http-equiv", "")
        assert load(tmp_path / "ou" / "x" / "result.glb").clips[-1].name == "last"
