"""The player page in a real browser: headless Chromium, driven over its own pipe, with no other library."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from character_made_by_code import two_bone_scene
from gltf_builder import skinned_tower
from real_data import characters, needs_data
from test_player_page import NASTY, code_asset

from gambol.character.character import make_character
from gambol.files.asset import Asset, load
from gambol.files.images import decode_picture, encode_png
from gambol.motion.node_motion import bone_displacements, node_clip_vertices
from gambol.view.player_page import write_player

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
]  # fmt: skip

KEY_CODES = {"Escape": 27, "Tab": 9, "Enter": 13}
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def _high(number: int) -> int:
    """The same pipe under a number that is out of the way of 3 and 4."""
    moved = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(number)
    return moved


class Browser:
    """One page in headless Chromium; DevTools messages go through the pipes 3 and 4, ended by a zero byte."""

    def __init__(self, profile: Path, *, size: tuple[int, int] = (1280, 800), flags: tuple[str, ...] = ()):
        theirs_in, self.to_browser = map(_high, os.pipe())
        self.from_browser, theirs_out = map(_high, os.pipe())
        command = [CHROMIUM, *FLAGS, *flags, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]

        def wire() -> None:
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdout=quiet, stderr=quiet, preexec_fn=wire, pass_fds=(3, 4), stdin=quiet
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.last, self.rest, self.events = 0, b"", []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)

    session: str | None = None

    def call(self, method: str, **parameters):
        """One DevTools command; what else arrives meanwhile is kept as events."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.last:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def _receive(self) -> dict:
        while b"\0" not in self.rest:
            data = os.read(self.from_browser, 1 << 16)
            assert data, "the browser went away"
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def open(self, page: Path, options: str = "") -> str:
        """Load a page and wait until it is ready or says why not; returns its state."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri() + (f"#{options}" if options else ""))
        end = time.monotonic() + 120
        while time.monotonic() < end:
            state = self.run("document.body?.dataset.state")
            if state in ("ready", "error"):
                return state
            time.sleep(0.1)
        raise AssertionError("the page did not become ready")

    def run(self, expression: str):
        """The value of a JavaScript expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, code: str = "") -> None:
        """One key stroke."""
        given = {"key": key, "code": code or key, **({"text": key} if len(key) == 1 else {})}
        if key in KEY_CODES:
            given["windowsVirtualKeyCode"] = KEY_CODES[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def picture(self) -> bytes:
        """What is on the screen, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def complaints(self) -> list[str]:
        """Console errors, uncaught exceptions and log entries of level error since the page was opened."""
        self.run("1")
        found = []
        for event in self.events:
            method, given = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled" and given["type"] in ("error", "assert", "warning"):
                found.append(" ".join(str(a.get("value", a.get("description"))) for a in given["args"]))
            elif method == "Runtime.exceptionThrown":
                found.append(str(given["exceptionDetails"]))
            elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                found.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")
        return [text for text in found if "GL Driver Message" not in text]  # software GL on its own speed

    def requests(self) -> list[str]:
        """Addresses that the page asked for, besides itself and the pictures out of its own model."""
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [url for url in asked[1:] if not url.startswith(("blob:", "data:"))]

    def close(self) -> None:
        """End the browser."""
        self.session = None
        try:
            self.call("Browser.close")
        except (AssertionError, OSError):
            self.process.terminate()
        self.process.wait(timeout=30)
        os.close(self.to_browser)
        os.close(self.from_browser)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"), size=(900, 420))
    yield browser
    browser.close()


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


def check_quiet(browser: Browser) -> None:
    assert browser.complaints() == []
    assert browser.requests() == []


def check_pose(browser: Browser, asset: Asset) -> None:
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


def canvas(browser: Browser) -> np.ndarray:
    """The picture without panels, once it stands still."""
    browser.run("document.body.dataset.bare = true")
    browser.run("new Promise((done) => setTimeout(done, 700))")
    return decode_picture(browser.picture(), "picture")[..., :3].astype(int)


def test_the_page_becomes_ready_without_a_word_or_a_request(browser, tower):
    assert browser.open(tower[1]) == "ready"
    assert browser.run("gambol.ready") is True
    check_quiet(browser)
    assert browser.run("document.querySelector('#name').textContent") == "tower.glb"
    assert browser.run("[...document.querySelectorAll('#clip-list .title')].map((e) => e.textContent)") == [
        "Rest pose",
        "bend",
    ]
    state = browser.run("gambol.state")
    assert (state["clip"], state["playing"], state["triangles"]) == ("bend", True, 36)
    browser.run("new Promise((done) => setTimeout(done, 1500))")
    later = browser.run("gambol.state")
    assert later["time"] != state["time"]
    assert len(browser.run("gambol.frameTimes")) > 0


def test_the_page_poses_the_character_as_python_does(browser, tower):
    for time_wanted in (0.0, 0.25, 0.5, 0.93):
        assert browser.open(tower[1], f"clip=bend&paused&time={time_wanted}") == "ready"
        assert abs(browser.run("gambol.state.time") - time_wanted) < 1e-9
        check_pose(browser, tower[0])


def check_rest(browser: Browser, asset: Asset) -> None:
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
    browser.press("+", "Equal")
    assert state()["speed"] == 1.1
    browser.press(" ", "Space")
    assert state()["playing"]
    browser.press(" ", "Space")
    assert not state()["playing"]
    browser.press("ArrowUp")
    assert state()["clip"] is None
    browser.press("ArrowDown")
    assert state()["clip"] == "bend"
    browser.press("?", "Slash")
    assert browser.run("document.getElementById('help-sheet').open")
    browser.press("Escape")
    assert not browser.run("document.getElementById('help-sheet').open")
    check_quiet(browser)


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
    check_quiet(browser)


def test_names_are_shown_as_they_are_and_never_run(browser, tmp_path):
    asset = code_asset(clips=tuple(NASTY), nodes=(NASTY[0], NASTY[1], "body"), file="<img src=x onerror=alert(1)>.obj")
    assert browser.open(write_player(asset, tmp_path / "page.html"), "paused") == "ready"
    titles = browser.run("[...document.querySelectorAll('#clip-list button')].map((e) => e.title)")
    assert titles == ["Rest pose", *NASTY]
    assert browser.run("document.querySelector('#name').textContent") == "<img src=x onerror=alert(1)>.obj"
    assert browser.run("document.images.length") == 0
    check_quiet(browser)


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
        check_quiet(browser)


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


def test_a_browser_without_webgl_is_told_so(tower, tmp_path):
    browser = Browser(tmp_path / "profile", flags=("--disable-3d-apis",))
    try:
        assert browser.open(tower[1]) == "error"
        assert "WebGL 2 is missing" in browser.run("document.getElementById('message-text').innerText")
    finally:
        browser.close()


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
        check_quiet(browser)
    assert browser.open(page, "clip=rest") == "ready"
    check_rest(browser, asset)
