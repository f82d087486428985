"""The studio's page against its server: from a file to an exported motion, as an animator goes."""

import hashlib
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from headless_browser import needs_browser
from service_server import RunningServer
from studio_page import studio_page

from gambol.creatures.catalogue import make_creature
from gambol.files.asset import export_scene, load

pytestmark = needs_browser


@pytest.fixture(scope="module")
def fox_file(tmp_path_factory) -> Path:
    return export_scene(make_creature("fox", 3, vertices=400).scene, (), tmp_path_factory.mktemp("fox") / "fox.glb")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = RunningServer(tmp_path_factory.mktemp("studio") / "project")
    yield running
    running.close()


@pytest.fixture(scope="module")
def studio(server):
    with studio_page(server.client, size=(1024, 640)) as page:
        yield page


def test_from_a_file_to_an_exported_motion(studio, server, fox_file, tmp_path):
    # nothing yet: the page says what to do
    assert "Drop a character here" in studio.wait("document.querySelector('#welcome').innerText")
    assert studio.get("document.getElementById('generate').disabled")

    studio.page.set_input_files("#file", fox_file)
    studio.wait("gambol.state.loaded")
    bones = studio.get("gambol.studio.facts.bones.map(({ name }) => name)")
    skeleton = load(fox_file).character.skeleton
    assert bones == list(skeleton.names)
    assert np.abs(studio.joints_at(0.0) - skeleton.heads).max() < 1e-3

    # what was understood, while one types
    studio.page.fill("#prompt", "walks slowly")
    studio.wait("document.querySelector('#understood .chip.motion')?.innerText === 'walk'")
    assert studio.get("document.querySelector('#understood .chip.motion + .chip').innerText") == "slow"
    studio.click("#rail-make")
    studio.write("[aria-label='Optimiser steps']", "8")
    studio.write("[aria-label='Length']", "1.5")

    # it moves before it is finished
    studio.click("#generate")
    studio.wait("gambol.studio.take && gambol.studio.jobs.live.get(gambol.studio.take.id)?.previews > 0")
    first = studio.take()
    assert first["request"]["steps"] == 8
    moved = np.abs(studio.joints_at(0.6) - studio.joints_at(0.0)).max()
    assert moved > 0.02 * studio.get("gambol.studio.viewport.size")
    studio.wait("document.querySelectorAll('.take-facts .badge').length >= 3")

    # drag a paw, the body follows; the joint becomes a pin
    studio.click("#rail-pose")
    studio.wait("gambol.studio.posing.ready && gambol.state.cells[0] === 'pose' && !gambol.studio.viewport.dirty")
    paw = next(
        limb["bones"][-2] for limb in studio.get("gambol.studio.character.anatomy.limbs") if limb["part"] == "leg"
    )
    x, y = studio.place(paw)
    before = np.array(studio.get("gambol.joints()"))
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    for k in range(1, 6):
        studio.page.mouse.move(x + 4 * k, y - 5 * k)
    studio.wait("gambol.studio.posing.latencies.length > 0")
    studio.page.mouse.up()
    studio.wait("gambol.studio.scene.pose && gambol.studio.posing.waiting === null && !gambol.studio.viewport.dirty")
    after = np.array(studio.get("gambol.joints()"))
    assert np.linalg.norm(after - before, axis=1)[bones.index(paw)] > 0.01
    assert studio.get("gambol.state.undo") == "Move pose"
    studio.get("document.getElementById('picture').focus()")
    studio.page.keyboard.press("p")
    (pin,) = studio.wait("gambol.studio.scene.constraints.length && gambol.studio.scene.constraints")
    assert (pin["kind"], pin["joint"]) == ("pin", studio.get("gambol.studio.view.joint"))
    studio.wait("document.querySelectorAll('.lane.pin .mark').length === 1")

    # again, with the pin; then there and back
    studio.click("#generate")
    studio.wait(f"gambol.studio.scene.take !== {first['id']!r}")
    second = studio.take()
    distances = [c for c in second["result"]["metrics"]["constraints"]]
    assert len(distances) == 1
    studio.page.keyboard.press("Control+z")
    studio.wait(f"gambol.state.take === {first['id']!r}")
    studio.page.keyboard.press("Control+Shift+z")
    studio.wait(f"gambol.state.take === {second['id']!r}")

    # what is exported is what the command line writes
    studio.click("#rail-export")
    studio.click("#export")
    export = studio.wait("[...gambol.studio.jobs.all.values()].find((j) => j.kind === 'export' && j.state === 'done')")
    (exported,) = [file for file in export["result"]["files"] if file["name"].endswith(".glb")]
    words = shlex.split(second["command"])
    assert words[0] == "gambol"
    words[words.index("-o") + 1] = str(tmp_path / "run")
    command = [sys.executable, "-m", "gambol.cli.main", *words[1:]]
    subprocess.run(command, cwd=server.project, check=True, timeout=240)
    written = (tmp_path / "run" / exported["name"]).read_bytes()
    assert hashlib.sha256(written).hexdigest() == exported["sha256"], second["command"]
    assert studio.browser.complaints == []


def test_the_document_is_saved_and_another_tab_sees_it(studio, server):
    studio.wait("gambol.studio.view.saved === 'saved'")
    document = server.client.call("GET", "/document")["document"]
    (scene,) = document["scenes"].values()
    assert scene["segments"][0]["prompt"] == "walks slowly"
    assert scene["take"] == studio.get("gambol.state.take")
    studio.get("gambol.studio.edit('Seed', (scene) => { scene.seed = 77; })")
    studio.wait("gambol.studio.view.saved === 'saved' && !gambol.studio.autosave.pending")
    assert studio.open(studio.page.url) == "ready"
    studio.wait("gambol.studio.scene.seed === 77 && gambol.state.loaded")


def test_mistakes_are_said_in_sentences(studio, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF but not really")
    studio.page.set_input_files("#file", broken)
    said = studio.wait("document.querySelector('.toast.bad p')?.innerText")
    assert "broken.glb" in said
    studio.get("document.querySelectorAll('.toast button').forEach((close) => close.click())")
    note = tmp_path / "note.txt"
    note.write_text("no character")
    studio.page.set_input_files("#file", note)
    assert studio.wait("document.querySelector('.toast.bad p')?.innerText").startswith("note.txt cannot be read.")


NAMELESS = """[...document.querySelectorAll('button, input, select')]
    .filter((e) => e.offsetParent !== null && !(e.ariaLabel || e.innerText.trim())).map((e) => e.outerHTML)"""
FITS = """document.documentElement.scrollWidth <= innerWidth
    && document.querySelector('#side .scrolls').scrollWidth <= document.querySelector('#side').clientWidth"""


def test_panels_open_by_key_and_every_control_has_a_name(studio):
    for number in range(1, 8):
        studio.get("document.activeElement?.blur()")
        studio.page.keyboard.press(str(number))
        studio.wait(f"document.querySelector('#rail button:nth-child({number})').ariaSelected === 'true'")
        studio.wait("!gambol.studio.stale")
        assert studio.get(NAMELESS) == []
        assert studio.get(FITS), number
    before = studio.get("document.documentElement.dataset.theme")
    studio.page.keyboard.press("t")
    assert studio.get("document.documentElement.dataset.theme") != before
    studio.page.keyboard.press("?")
    assert studio.get("document.getElementById('help').open")
    studio.page.keyboard.press("Escape")
