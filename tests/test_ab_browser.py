"""The A/B page in a real browser: answered with clicks, saved, read back."""

import json

import numpy as np
from headless_browser import browser_page, needs_browser

from gambol.app.ab_study import write_ab_page
from gambol.evaluate.ab_answers import left_is_a, read_answers
from gambol.render.video_file import write_film

pytestmark = needs_browser
FIRST_PIXELS = """Promise.all([...document.querySelectorAll('video')].map((v) => new Promise((done) => {
    const drawn = () => { const c = document.createElement('canvas'); c.width = c.height = 1;
      const p = c.getContext('2d'); p.drawImage(v, 0, 0, 1, 1); done(p.getImageData(0, 0, 1, 1).data[0]); };
    v.readyState >= 2 ? drawn() : v.addEventListener('loadeddata', drawn); })))"""
"""JavaScript: the red value of the first pixel of each film on the page, once it is loaded."""


def test_people_can_answer_and_the_answers_can_be_read(tmp_path):
    for method, colour in (("first", 40), ("second", 200)):
        (tmp_path / method).mkdir()
        for name in ("cat", "fox", "dog"):
            write_film(tmp_path / method / f"{name}.mp4", np.full((8, 48, 64, 3), colour, np.uint8), 12.0)
    page = write_ab_page(tmp_path / "first", tmp_path / "second", tmp_path / "ab.html", seed=1)
    with browser_page(size=(900, 700)) as browser:
        assert browser.open(page) == "ready"
        for pair in range(3):
            assert browser.page.locator("#next").is_disabled()
            assert f"Pair {pair + 1} of 3" in browser.page.inner_text("body")
            left, right = browser.run(FIRST_PIXELS)
            assert (left < 100 < right) == left_is_a(3, 1)[pair]  # the darker one is A
            darker, lighter = ("left", "right") if left < right else ("right", "left")
            for question, side in (
                ("motion_amount", darker),
                ("physical_plausibility", lighter),
                ("text_agreement", "left"),
            ):
                browser.page.check(f"#questions input[name={question}][value={side}]", force=True)
            browser.page.click("#next")
        browser.page.fill("#evaluator", "ab")
        assert browser.page.locator("#next").is_hidden()
        answers = browser.run("gambol.answers()")
        (tmp_path / "answers.json").write_text(json.dumps(answers))
        assert answers["evaluator"] == "ab"
        result = read_answers([tmp_path / "answers.json"])
        assert [(p.chosen_a, p.chosen_b) for p in result.preferences[:2]] == [(3, 0), (0, 3)]
        assert (result.name_a, result.name_b) == ("first", "second")
        # a reload loses nothing
        assert browser.open(page) == "ready"
        assert browser.page.locator("#questions input:checked").count() == 3
        browser.check_quiet()
        for _ in range(3):
            browser.page.click("#next")
        with browser.page.expect_download() as download:
            browser.page.click("#save")
        saved = json.loads(download.value.path().read_text())
        assert saved["answers"] == answers["answers"]
