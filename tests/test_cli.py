"""The command line as people use it: output, exit codes, sentences."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from character_made_by_code import two_bone_scene
from real_data import characters, needs_data

from gambol.app import doctor
from gambol.cli.main import VERBS, main
from gambol.cli.pose import POSE_VERBS
from gambol.cli.prior import PRIOR_VERBS
from gambol.files.asset import export_clip, export_scene, load
from gambol.motion.clip import rest_clip
from gambol.render.video_file import read_film


@pytest.fixture
def column(tmp_path):
    """A small character with one clip, Bend."""
    asset = load(export_scene(two_bone_scene(), (), tmp_path / "plain.glb"))
    clip = rest_clip(asset.character.skeleton, 10, 30.0, name="Bend")
    clip.angles[:, 0, 0] = np.linspace(0.0, 0.9, 10)
    return export_clip(asset, clip, tmp_path / "column.glb")


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_inspect_tells_bones_clips_and_units(column, capsys):
    code, out, _ = run(capsys, "inspect", column)
    assert code == 0
    for word in ("column.glb", "36 vertices", "Motion skeleton", "Upper", "Bend", "2 m high"):
        assert word in out


def test_inspect_json_is_json_with_a_schema(column, capsys):
    code, out, _ = run(capsys, "inspect", column, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["schema"] == 1
    assert [b["name"] for b in told["bones"]] == ["Root", "Upper"]
    assert told["bones"][1]["parent"] == "Root"
    assert told["clips"][0]["name"] == "Bend"
    assert told["clips"][0]["seconds"] == pytest.approx(0.3, abs=1e-6)
    assert told["height"] == pytest.approx(2.0)


def test_render_writes_sheet_and_film(column, tmp_path, capsys):
    assert run(capsys, "render", column, "-o", tmp_path / "sheet.png", "--width", 64, "--height", 48)[0] == 0
    assert (tmp_path / "sheet.png").read_bytes()[:4] == b"\x89PNG"
    code, _, _ = run(
        capsys,
        "render",
        column,
        "--clip",
        "bend",
        "-o",
        tmp_path / "film.mp4",
        "--width",
        64,
        "--height",
        48,
        "--views",
        "side",
        "--skeleton",
    )
    assert code == 0
    frames, fps = read_film(tmp_path / "film.mp4")
    assert frames.shape == (10, 48, 64, 3)
    assert fps == pytest.approx(30.0)
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 60  # it bends


def test_convert_to_bvh_and_back(column, tmp_path, capsys):
    code, out, _ = run(capsys, "convert", column, "--clip", "Bend", "-o", tmp_path / "bend.bvh")
    assert code == 0
    assert "wrote" in out
    assert load(tmp_path / "bend.bvh").clips[0].duration == pytest.approx(0.3, abs=1e-3)
    assert run(capsys, "convert", tmp_path / "bend.bvh", "-o", tmp_path / "bend.glb")[0] == 0
    assert len(load(tmp_path / "bend.glb").clips) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["inspect", "missing.glb"], ["There is no file"]),
        (["inspect", "{folder}/note.txt"], ["suffix '.txt'", "Gambol reads .glb"]),
        (["inspect", "{column}", "--facing", "up"], ["facing is 'up'", "+x, -x, +z, -z"]),
        (["inspect", "{column}", "--scale", "-1"], ["scale is -1", "positive"]),
        (["render", "{column}", "-o", "{folder}/x.jpg"], ["'.jpg'", ".png"]),
        (["render", "{column}", "-o", "{folder}/x.mp4"], ["needs a clip", "Bend"]),
        (["render", "{column}", "--clip", "Fly", "-o", "{folder}/x.png"], ["no clip 'Fly'", "Bend"]),
        (["render", "{column}", "-o", "{folder}/x.png", "--width", "1"], ["1 x 360", "16 to 4096"]),
        (["convert", "{column}", "-o", "{folder}/x.abc"], ["'.abc'", "Gambol writes"]),
        (["convert", "{column}", "-o", "{folder}/x.bvh"], ["--clip NAME"]),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(arguments, words, column, tmp_path, capsys):
    (tmp_path / "note.txt").write_text("hello")
    before = sorted(p.name for p in tmp_path.iterdir())
    code, out, err = run(capsys, *(a.format(column=column, folder=tmp_path) for a in arguments))
    assert code == 2
    assert out == ""
    for word in words:
        assert word in err.replace("\n", " ")
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) <= 3
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        "inspect {missing}",
        "inspect {broken}",
        "inspect {column} --facing up",
        "view {missing}",
        "view {column} --clip Fly",
        "render {broken} -o x.png",
        "render {column} --clip Fly -o x.png",
        "render {column} -o x.png --width 1",
        "splat {missing} -o x.ply",
        "convert {column} -o x.abc",
        "convert {broken} -o x.glb",
        "retarget {missing} {column} -o x.glb",
        "rig {missing} -o x.glb",
        "rig {column} -o x.abc",
        "rig {column} -o x.glb --scale -1",
        "track {missing} -o x.glb",
        "evaluate {missing}",
        "animate {missing} running -o run",
        "animate {column} running -o run --size large",
        "animate {column} running -o run --steps 0",
        "animate {column} running -o run --prior no-such-model",
        "pose sample {missing} -o x.glb",
        "pose sample {broken} -o x.glb",
        "pose score {column} --weights {missing}",
        "prior sample fox -o x.mp4 --weights {missing}",
        "new fox -o x.abc",
        "doctor --prior no-such-model",
        "doctor --prior ltx-video --size 12",
    ],
)
def test_mistakes_are_reported_before_torch_is_imported(command, column, tmp_path):
    (tmp_path / "broken.glb").write_bytes(b"glTF is what this is not")
    paths = {"column": column, "missing": tmp_path / "missing.glb", "broken": tmp_path / "broken.glb"}
    code = (
        "import sys; from gambol.cli.main import main; code = main(sys.argv[1:]); print(code, 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command.format(**paths).split()], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.split() == ["2", "False"], done.stderr
    assert done.stderr.startswith("gambol: ")


@pytest.mark.parametrize(
    "verb",
    [
        *((v,) for v in VERBS if v not in ("pose", "prior")),
        *(("pose", v) for v in POSE_VERBS),
        *(("prior", v) for v in PRIOR_VERBS),
    ],
    ids=" ".join,
)
def test_help_shows_no_default_that_is_none_or_empty(verb, capsys):
    with pytest.raises(SystemExit):
        main([*verb, "--help"])
    told = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert verb[-1] in told
    assert "None" not in told
    assert "(default: )" not in told


def test_a_wrong_choice_is_answered_without_pythons_none(column, capsys):
    with pytest.raises(SystemExit):
        main(["animate", str(column), "a fox", "-o", "run", "--method", "magic"])
    told = capsys.readouterr().err
    assert "'annealed'" in told
    assert "None" not in told


def test_inspect_and_help_need_no_torch(column):
    for arguments in (["inspect", str(column)], ["animate", "--help"], ["doctor", "--help"]):
        attempt = f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        code = f"import sys\nfrom gambol.cli.main import main\n{attempt}print('torch' in sys.modules)"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert out.splitlines()[-1] == "False", arguments


@needs_data
def test_files_without_a_part_load_and_verbs_name_what_makes_it(tmp_path, capsys):
    mesh, rig = (next(p for p in characters() if p.stem == f"fox-{kind}") for kind in ("mesh", "rig"))
    for path, part in ((mesh, "There is no skin"), (rig, "There is no mesh")):
        code, out, _ = run(capsys, "inspect", path)
        assert code == 0
        assert part in out
    code, _, err = run(capsys, "render", rig, "-o", tmp_path / "x.png")
    assert code == 2
    assert "gambol rig" in err
    assert run(capsys, "render", mesh, "-o", tmp_path / "y.png", "--width", 64, "--height", 48)[0] == 0


def test_doctor_names_extras_and_commands(capsys):
    code, out, _ = run(capsys, "doctor", "--json")
    told = json.loads(out)
    assert code == 0
    checks = {c["name"]: c for c in told["checks"]}
    assert checks["torch"]["status"] == "ok"
    for extra in ("prior", "physics", "cuda", "blender", "draco"):
        check = checks[f"[{extra}]"]
        assert check["fix"] == (f"pip install 'gambol[{extra}]'" if check["status"] == "missing" else "")
    missing = [name[1:-1] for name, check in checks.items() if check["status"] == "missing"]
    assert told["command"] == (f"pip install 'gambol[{','.join(missing)}]'" if missing else "")
    code, out, _ = run(capsys, "doctor")
    assert code == 0
    assert ("One command installs" in out) == bool(missing)
    assert "usd-core" in out


def test_doctor_reports_an_extra_only_where_gambol_has_a_use_for_it(monkeypatch):
    without = doctor.Extra("teapot", "tea", ("teapot",), "gambol.no_such_room")
    missing = doctor.Extra("kettle", "hot water", ("no-such-kettle",), "gambol.files")
    monkeypatch.setattr(doctor, "EXTRAS", (without, missing))
    found = doctor.diagnose()
    assert [c.name for c in found.checks if c.name.startswith("[")] == ["[kettle]"]
    assert found.command == "pip install 'gambol[kettle]'"


def test_without_a_gpu_the_cuda_extra_is_unusable_and_nothing_is_missing(monkeypatch):
    cuda = doctor.Extra("cuda", "splats", ("no-such-gsplat",), "gambol.render")
    monkeypatch.setattr(doctor, "EXTRAS", (cuda,))
    monkeypatch.setattr(doctor, "_has_cuda", lambda: False)
    found = doctor.diagnose()
    assert next(c for c in found.checks if c.name == "[cuda]").status == "unusable"
    assert found.command == ""


def test_doctor_knows_the_packages_of_pyproject():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

    def names(requirements):
        return {re.match(r"[\w-]+", requirement).group() for requirement in requirements}

    assert names(project["dependencies"]) == set(doctor.CORE_PACKAGES)
    extras = {name: names(given) for name, given in project["optional-dependencies"].items()}
    assert {e.name: set(e.packages) for e in doctor.EXTRAS} == {
        name: packages for name, packages in extras.items() if name not in ("all", "dev")
    }


def test_an_unexpected_error_is_one_line_without_debug(column, monkeypatch, capsys):
    from gambol.app import inspect as inspect_verb

    def broken(_):
        raise RuntimeError("boom")

    monkeypatch.setattr(inspect_verb, "describe", broken)
    code, _, err = run(capsys, "inspect", column)
    assert code == 1
    assert "boom" in err
    assert "Traceback" not in err
    with pytest.raises(RuntimeError, match="boom"):
        main(["inspect", str(column), "--debug"])


def test_the_command_is_installed():
    out = subprocess.run(
        [sys.executable, "-m", "gambol.cli.main", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert out.startswith("gambol 0.")
