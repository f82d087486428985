"""The player page in a real browser."""

import base64
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from character_made_by_code import two_bone_scene
from gltf_builder import skinned_tower
from headless_browser import BrowserPage, browser_page, needs_browser
from real_data import characters, needs_data
from test_player_page import NASTY, code_asset

from gambol.character.character import make_character
from gambol.files.asset import Asset, load
from gambol.files.images import decode_picture, encode_png
from gambol.motion.node_clip_conversion import bone_displacements, node_clip_vertices
from gambol.view.player_page import write_player

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser():
    with browser_page(size=(900, 420)) as page:
        yield page


@pytest.fixture(scope="module")
def tower(tmp_path_factory) -> tuple[Asset, Path]:
    """A textured tower of three bones, and its page."""
    folder = tmp_path_factory.mktemp("tower")
    builder = skinned_tower()
    checks = np.indices((8, 8)).sum(0) % 2
    texture = builder.picture(encode_png((np.stack([checks] * 4, -1) * 160 + 95).astype(np.uint8)))
    builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture}
    asset = load(builder.write_glb(folder / "tower.glb"))
    return asset, write_player(asset, folder / "tower.html")


def check_pose(browser: BrowserPage, asset: Asset) -> None:
    """Joints and surface in the page are where Python has them at this moment of this clip."""
    character = asset.character
    state = browser.run("gambol.state")
    clip = next(c for c in asset.clips if c.name == state["clip"])
    times = np.array([clip.start + state["time"]])
    near = 2e-4 * character.size
    if character.skeleton is not None:
        moved = bone_displacements(character, clip, times)[0]
        heads = np.einsum("bij,bj->bi", moved[:, :3, :3], character.skeleton.heads) + moved[:, :3, 3]
        assert np.abs(np.array(browser.run("gambol.joints()")) - heads).max() < near
    vertices = node_clip_vertices(character, clip, times)[0]
    bounds = np.array(browser.run("gambol.bounds()"))
    assert np.abs(bounds - [vertices.min(0), vertices.max(0)]).max() < near


def canvas(browser: BrowserPage) -> np.ndarray:
    """The picture without panels, once it stands still."""
    browser.run("document.body.dataset.bare = true")
    browser.page.wait_for_timeout(700)
    return decode_picture(browser.page.screenshot(), "picture")[..., :3].astype(int)


def test_the_driver_notices_errors_and_requests(browser, tmp_path):
    page = tmp_path / "bad.html"
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    script = "console.error('said'); document.body.dataset.state = 'ready'; throw new Error('thrown')"
    for head, wanted in (("<img src=beside.png>", ["beside.png"]), ("", [])):
        ban = "" if wanted else f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        page.write_text(f"{ban}<body>{head}<link rel=stylesheet href=banned.css><script>{script}</script>")
        assert browser.open(page) == "ready"
        said = " ".join(browser.complaints)
        assert "said" in said
        assert "thrown" in said
        assert ("Content Security Policy" in said) == (not wanted)
        assert [Path(url).name for url in browser.requests if "png" in url] == wanted
        with pytest.raises(AssertionError):
            browser.check_quiet()


def test_the_page_becomes_ready_without_a_word_or_a_request(browser, tower):
    assert browser.open(tower[1]) == "ready"
    assert browser.run("gambol.ready") is True
    browser.check_quiet()
    assert browser.run("document.querySelector('#name').textContent") == "tower.glb"
    assert browser.run("[...document.querySelectorAll('#clip-list .title')].map((e) => e.textContent)") == [
        "Rest pose",
        "bend",
    ]
    state = browser.run("gambol.state")
    assert (state["clip"], state["playing"], state["triangles"]) == ("bend", True, 36)
    browser.page.wait_for_function("time => gambol.state.time !== time", arg=state["time"])
    assert len(browser.run("gambol.frameTimes")) > 0


def test_the_page_poses_the_character_as_python_does(browser, tower):
    for time_wanted in (0.0, 0.25, 0.5, 0.93):
        assert browser.open(tower[1], f"clip=bend&paused&time={time_wanted}") == "ready"
        assert abs(browser.run("gambol.state.time") - time_wanted) < 1e-9
        check_pose(browser, tower[0])


def check_rest(browser: BrowserPage, asset: Asset) -> None:
    """The rest pose is Gambol's: the bind pose, wherever the file's nodes stand."""
    character = asset.character
    assert browser.run("gambol.state.clip") is None
    near = 2e-4 * character.size
    if character.skeleton is not None:
        assert np.abs(np.array(browser.run("gambol.joints()")) - character.skeleton.heads).max() < near
    if character.mesh is not None:
        wanted = [character.mesh.vertices.min(0), character.mesh.vertices.max(0)]
        assert np.abs(np.array(browser.run("gambol.bounds()")) - wanted).max() < near


def test_the_rest_pose_is_the_bind_pose(browser, tower):
    assert browser.open(tower[1], "clip=rest") == "ready"
    check_rest(browser, tower[0])


def test_keys_do_what_the_help_says(browser, tower):
    browser.open(tower[1], "paused")
    state = lambda: browser.run("gambol.state")  # noqa: E731
    browser.press("ArrowRight")
    assert state()["frame"] == 1
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert state()["frame"] == 30  # the loop goes round
    browser.press("Home")
    assert state()["time"] == 0
    for key, name in {"s": "skeleton", "c": "parts", "w": "wireframe", "f": "follow", "l": "loop"}.items():
        before = state()[name]
        browser.press(key)
        assert state()[name] is not before
        assert browser.run(f"document.getElementById('{name}').ariaPressed") == str(not before).lower()
    browser.press("+")
    assert state()["speed"] == 1.1
    browser.press("Space")
    assert state()["playing"]
    browser.press("Space")
    assert not state()["playing"]
    browser.press("ArrowUp")
    assert state()["clip"] is None
    browser.press("ArrowDown")
    assert state()["clip"] == "bend"
    browser.press("?")
    assert browser.run("document.getElementById('help-sheet').open")
    browser.press("Escape")
    assert not browser.run("document.getElementById('help-sheet').open")
    browser.check_quiet()


def test_every_control_has_a_name_and_can_be_reached(browser, tower):
    browser.open(tower[1], "paused")
    controls = browser.run(
        "[...document.querySelectorAll('button, input')].map((e) => [e.id, e.ariaLabel || e.textContent.trim()])"
    )
    assert [c for c in controls if not c[1]] == []
    reached = set()
    for _ in range(20):
        browser.press("Tab")
        reached.add(browser.run("document.activeElement.id || document.activeElement.className"))
    assert {
        "picture",
        "skeleton",
        "parts",
        "wireframe",
        "follow",
        "reset",
        "help",
        "play",
        "scrubber",
        "speed",
        "loop",
    } <= reached


def test_skeleton_parts_and_wires_change_the_picture(browser, tower):
    pictures = {}
    for option in ("", "&skeleton", "&parts", "&wireframe"):
        browser.open(tower[1], f"paused&time=0.3&bare{option}")
        pictures[option] = canvas(browser)
    plain = pictures[""]
    assert plain.std(axis=(0, 1)).max() > 5, "the page is blank"
    for option in ("&skeleton", "&parts", "&wireframe"):
        assert (np.abs(pictures[option] - plain).max(-1) > 24).sum() > 200, option
    browser.check_quiet()


def test_names_are_shown_as_they_are_and_never_run(browser, tmp_path):
    asset = code_asset(clips=tuple(NASTY), nodes=(NASTY[0], NASTY[1], "body"), file="<img src=x onerror=alert(1)>.obj")
    assert browser.open(write_player(asset, tmp_path / "page.html"), "paused") == "ready"
    titles = browser.run("[...document.querySelectorAll('#clip-list button')].map((e) => e.title)")
    assert titles == ["Rest pose", *NASTY]
    assert browser.run("document.querySelector('#name').textContent") == "<img src=x onerror=alert(1)>.obj"
    assert browser.run("document.images.length") == 0
    browser.check_quiet()


def test_bare_meshes_and_bare_rigs_are_shown(browser, tmp_path):
    scene = two_bone_scene()
    still = replace(scene, skins=(), parts=tuple(replace(p, skin=None, joints=None, weights=None) for p in scene.parts))
    for name, bare in {"mesh": still, "rig": replace(scene, parts=())}.items():
        asset = Asset(Path(f"{name}.obj"), make_character(f"{name}.obj", bare), (), None, ())
        assert browser.open(write_player(asset, tmp_path / f"{name}.html"), "bare") == "ready"
        assert browser.run("gambol.state.skeleton") == (name == "rig")
        assert browser.run("document.querySelector('#no-clips').textContent") == "This file has no clips."
        middle = canvas(browser)[100:320, 200:440]
        assert middle.std(axis=(0, 1)).max() > 5, f"nothing is seen of the {name}"
        browser.check_quiet()


def test_a_broken_model_is_told_in_a_sentence(browser, tower, tmp_path):
    text = tower[1].read_text(encoding="utf-8")
    broken = tmp_path / "broken.html"
    start = text.index('id="model">') + len('id="model">')
    broken.write_text(
        text[:start] + base64.b64encode(b"not a model").decode() + text[text.index("<", start) :], encoding="utf-8"
    )
    assert browser.open(broken) == "error"
    said = browser.run("document.getElementById('message-text').innerText")
    assert said.startswith("The character in this page could not be read:")
    assert browser.run("gambol.ready") is False


def test_a_browser_without_webgl_is_told_so(tower):
    with browser_page(size=(1280, 800), flags=("--disable-3d-apis",)) as browser:
        assert browser.open(tower[1]) == "error"
        assert "WebGL 2 is missing" in browser.run("document.getElementById('message-text').innerText")


@needs_data
@pytest.mark.parametrize(
    "pattern",
    [
        "**/Wolf.glb",
        "**/Knight.glb",
        "**/fox-animated.glb",
        "**/Mech-draco.glb",
        "**/SimpleSkin.gltf",
        "**/RecursiveSkeletons.glb",
        "**/Wasp.glb",
    ],
)
def test_real_characters_play_as_python_plays_them(browser, tmp_path, pattern):
    (path,) = characters(pattern)
    asset = load(path)
    page = write_player(asset, tmp_path / "page.html")
    for k in {0, len(asset.clips) // 2}:
        assert browser.open(page, f"clip={k}&paused&time={0.4 * asset.clips[k].duration}&skeleton&parts") == "ready"
        check_pose(browser, asset)
        browser.check_quiet()
    assert browser.open(page, "clip=rest") == "ready"
    check_rest(browser, asset)
