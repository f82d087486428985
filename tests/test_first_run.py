"""What a newcomer meets first: the welcome, mistyped words, completion, the film's layout."""

import subprocess
import sys

import numpy as np
import pytest
from character_made_by_code import two_bone_scene

from gambol.app import doctor
from gambol.app.render import film_size
from gambol.character import compile_kernel
from gambol.character.compile_kernel import CompiledKernels, counted, kernel
from gambol.cli.completion import completed_words
from gambol.cli.main import GROUPS, VERBS, main
from gambol.errors import ConfigError
from gambol.files.asset import export_clip, export_scene, load
from gambol.motion.clip import rest_clip
from gambol.render.captions import draw_text
from gambol.render.video_file import read_film
from gambol.view.composed_film import frames_of_loop
from gambol.view.film_layout import GAP, grid_layout, hero_layout, title_height
from gambol.view.picture_settings import parse_film_size
from gambol.view.posed_asset import pose_asset


def test_without_arguments_three_commands_are_offered(capsys):
    assert main([]) == 0
    told = capsys.readouterr().out
    assert [line.split()[1] for line in told.splitlines() if line.startswith("  gambol ")] == [
        "animate",
        "animate",
        "doctor",
    ]


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["anmate", "fox.glb"], "Did you mean gambol animate?"),
        (["dcotor"], "Did you mean gambol doctor?"),
        (["fox.glb"], "gambol inspect fox.glb"),
        (["a fox runs"], 'gambol animate "a fox runs" -o RUN'),
        (["xyzzy"], "There are animate, edit,"),
        (["pose", "smple"], "Did you mean gambol pose sample?"),
        (["animate", "fox.glb", "a fox", "-o", "x", "--senconds", "3"], "Did you mean --seconds?"),
        (["animate", "fox.glb", "a fox", "-o", "x", "--sed=3"], "Did you mean --seed?"),
        (["render", "fox.glb", "--qqqqqq"], "gambol render has no option --qqqqqq. All options"),
    ],
)
def test_mistyped_words_get_the_nearest_one(words, advice, capsys):
    assert main(words) == 2
    assert advice in " ".join(capsys.readouterr().err.split())


def test_every_option_of_the_help_is_known_to_the_completion(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    words = completed_words()
    inner = {f"{group} {name}" for group, verbs in GROUPS.items() for name in verbs}
    assert set(words) == {name for name in VERBS if name not in GROUPS} | inner
    with pytest.raises(SystemExit):
        main(["track", "--help"])
    shown = {word.strip(",") for word in capsys.readouterr().out.split() if word.startswith("--")}
    assert {word for word in shown if word.strip("-")} <= set(words["track"])


@pytest.mark.parametrize(
    ("typed", "completed"),
    [("an", "animate"), ("pose sa", "sample"), ("pose sample --we", "--weights"), ("animate x.glb --sec", "--seconds")],
)
def test_the_bash_script_completes(typed, completed, capsys):
    assert main(["completion", "bash"]) == 0
    words = ["gambol", *typed.split(" ")]
    call = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _gambol; echo ${{COMPREPLY[@]}}"
    script = capsys.readouterr().out + call
    try:
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("no bash here")
    assert completed in done.stdout.split()


def test_other_shells_get_scripts_too(capsys):
    for shell, word in (("zsh", "bashcompinit"), ("fish", "complete -c gambol")):
        assert main(["completion", shell]) == 0
        assert word in capsys.readouterr().out


def test_doctor_needs_no_torch():
    check = "import sys; from gambol.app.doctor import diagnose; diagnose(); print('torch' in sys.modules)"
    if doctor._has_driver():
        pytest.skip("there is a GPU here")
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True).stdout.strip() == "False"


def test_kernels_are_counted_and_announced_once():
    said, reported = [], []

    @kernel(cache=False)
    def doubled(x):
        return 2 * x

    assert compile_kernel.KERNELS[-1] is doubled
    with counted(CompiledKernels(said.append, lambda done, total, what: reported.append(what))) as kernels:
        assert doubled(2) == 4
        assert doubled(2.5) == 5.0  # another type, compiled again
        assert doubled(3) == 6
    compile_kernel.KERNELS.pop()
    assert kernels.count == 2
    assert len(said) == 1
    assert reported == ["compiling kernels (once)"] * 2


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (640, 360), (321, 199)])
@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_pictures_of_a_film_fill_it_without_overlap(width, height, count):
    for cells in (hero_layout(count, width, height), grid_layout(count, min(count, 3), width, height)):
        used = np.zeros((height, width), int)
        for c in cells:
            assert c.width > 0
            assert c.height > 0
            used[c.top : c.top + c.height, c.left : c.left + c.width] += 1
        assert len(cells) == count
        assert used.max() == 1
        low = height - title_height(height)
        assert not used[low:].any()
        assert used[0, 0] == 1
    hero = hero_layout(count, width, height)
    free = low * width - sum(c.width * c.height for c in hero)
    assert free == (0 if count == 1 else GAP * low + (count - 2) * GAP * hero[1].width)


def bent(tmp_path, angles, name="Bend"):
    asset = load(export_scene(two_bone_scene(), (), tmp_path / "plain.glb"))
    clip = rest_clip(asset.character.skeleton, len(angles), 30.0, name=name)
    clip.angles[:, 0, 0] = angles
    return load(export_clip(asset, clip, tmp_path / "column.glb"))


def test_a_loop_is_filmed_without_its_last_frame(tmp_path):
    cycle = 0.5 * np.sin(np.linspace(0.0, 2.0 * np.pi, 11))
    for angles, frames in ((cycle, 10), (np.linspace(0.0, 0.9, 11), 11), (np.zeros(11), 11)):
        assert frames_of_loop(pose_asset(bent(tmp_path, angles), "Bend", 30.0)) == frames


def test_a_film_has_its_size_whatever_it_shows(tmp_path, capsys):
    bent(tmp_path, np.linspace(0.0, 0.9, 4))
    words = ["render", str(tmp_path / "column.glb"), "--clip", "Bend", "--size", "320x200", "-o"]
    for name, more in (("a.mp4", []), ("b.webp", ["--view", "side"]), ("c.gif", ["--view", "top", "front"])):
        assert main([*words, str(tmp_path / name), *more]) == 0
        frames, _ = read_film(tmp_path / name)
        assert frames.shape == (4, 200, 320, 3)
        assert np.abs(frames[-1, :180].astype(int) - frames[0, :180]).max() > 60


def test_sizes_of_films(tmp_path):
    assert film_size(tmp_path / "a.mp4", None) == (1280, 720)
    assert film_size(tmp_path / "a.gif", None) == film_size(tmp_path / "a.webp", None) == (640, 360)
    assert film_size(tmp_path / "a.mp4", "800X450") == parse_film_size("800x450") == (800, 450)
    assert film_size(tmp_path / "a.mp4", None, width=64) is None
    for size in ("big", "10x10", "9999x9999", "320"):
        with pytest.raises(ConfigError, match=r"size|film"):
            film_size(tmp_path / "a.mp4", size)
    with pytest.raises(ConfigError, match="one of them"):
        film_size(tmp_path / "a.mp4", "320x200", width=64)
    with pytest.raises(ConfigError, match="sheet"):
        film_size(tmp_path / "a.png", "320x200")


def test_text_is_drawn_where_it_is_meant():
    picture = np.zeros((40, 200, 3), np.uint8)
    draw_text(picture, "Gambol", left=10, top=5, size=20, colour=(255, 200, 100), width=80)
    columns = np.flatnonzero(picture.any((0, 2)))
    assert columns[0] >= 10
    assert columns[-1] < 90
    assert tuple(picture.reshape(-1, 3).max(0)) == (255, 200, 100)
    right = np.zeros_like(picture)
    draw_text(right, "Gambol", left=10, top=5, size=20, colour=(255, 200, 100), width=80, right=True)
    assert right[:, :90].any()
    assert not right[:, 90:].any()
    assert np.flatnonzero(right.any((0, 2)))[0] > columns[0]
