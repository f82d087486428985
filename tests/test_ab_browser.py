"""The A/B page in a real browser: answered with clicks, saved, read back."""

import json

import numpy as np
import pytest
from test_player_browser import CHROMIUM, Browser, check_quiet

from gambol.app.ab_page import write_ab_page
from gambol.evaluate.preference import left_is_a, read_answers
from gambol.render.video_file import write_film

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def test_people_can_answer_and_the_answers_can_be_read(tmp_path):
    for method, colour in (("first", 40), ("second", 200)):
        (tmp_path / method).mkdir()
        for name in ("cat", "fox", "dog"):
            write_film(tmp_path / method / f"{name}.mp4", np.full((8, 48, 64, 3), colour, np.uint8), 12.0)
    page = write_ab_page(tmp_path / "first", tmp_path / "second", tmp_path / "ab.html", seed=1)
    browser = Browser(tmp_path / "profile", size=(900, 700))
    try:
        browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path / "saved"))
        assert browser.open(page) == "ready"
        click = "document.querySelector('#questions input[name={}][value={}]').click()"
        for pair in range(3):
            assert browser.run("document.getElementById('next').disabled")
            assert f"Pair {pair + 1} of 3" in browser.run("document.body.innerText")
            shown = """Promise.all([...document.querySelectorAll('video')].map((v) => new Promise((done) => {
                const drawn = () => { const c = document.createElement('canvas'); c.width = c.height = 1;
                  const p = c.getContext('2d'); p.drawImage(v, 0, 0, 1, 1); done(p.getImageData(0, 0, 1, 1).data[0]); };
                v.readyState >= 2 ? drawn() : v.addEventListener('loadeddata', drawn); })))"""
            left, right = browser.run(shown)
            assert (left < 100 < right) == left_is_a(3, 1)[pair]  # the darker one is A
            darker, lighter = ("left", "right") if left < right else ("right", "left")
            for question, side in (
                ("motion_amount", darker),
                ("physical_plausibility", lighter),
                ("text_agreement", "left"),
            ):
                browser.run(click.format(question, side))
            browser.run("document.getElementById('next').click()")
        browser.run("document.getElementById('evaluator').value = 'ab'")
        assert browser.run("document.getElementById('next').hidden")
        answers = browser.run("gambol.answers()")
        (tmp_path / "answers.json").write_text(json.dumps(answers))
        assert answers["evaluator"] == "ab"
        result = read_answers([tmp_path / "answers.json"])
        assert [(p.chosen_a, p.chosen_b) for p in result.preferences[:2]] == [(3, 0), (0, 3)]
        assert (result.name_a, result.name_b) == ("first", "second")
        # a reload loses nothing
        assert browser.open(page) == "ready"
        assert browser.run("document.querySelectorAll('#questions input:checked').length") == 3
        check_quiet(browser)
        browser.run("document.getElementById('save').click()")
        browser.run("new Promise((done) => setTimeout(done, 1500))")
        (saved,) = (tmp_path / "saved").iterdir()
        assert json.loads(saved.read_text())["answers"] == answers["answers"]
    finally:
        browser.close()
