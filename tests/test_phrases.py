"""Phrases: every motion can be asked for in many ways, and the test sentences share no word with them."""

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from gambol.motion.vocabulary import SYNONYMS, VOCABULARY_NAMES
from gambol.training.text.phrases import (
    ROLES,
    WORDINGS,
    draw_subject,
    phrase,
    phrase_subjects,
    wording_texts,
    words_of_templates,
)
from gambol.training.text.verb_forms import make_verb

UNSEEN = json.loads((Path(__file__).parent / "unseen_sentences.json").read_text())
FUNCTION_WORDS = set(
    re.findall(
        r"\w+",
        """a an the this that is are be it its i he his him she her they their someone some any to on in into of off at
        by for from up down over out about above across after against along around as away before behind beside near
        past through towards with without and or but while like do does doing can should very again once twice one two
        three left right s""",
    )
)
"""Articles, pronouns, prepositions, conjunctions, auxiliaries, numbers, and the two sides."""


def stem(word: str) -> str:
    """The part that all forms of a word share: walks, walked, walking, walker; runs, running; glides, gliding."""
    for ending in ("ingly", "edly", "ing", "wards", "ward", "ily", "ly", "ies", "ied", "ers", "er", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
    word = word.rstrip("eiy") if len(word) > 3 else word.replace("y", "i")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


@pytest.mark.parametrize(
    "forms",
    ["stroll strolls strolled strolling stroller", "run runs running runner", "dance dances dancing dancer",
     "happy happily", "fly flies flying", "soldier soldierly", "step steps stepping stepped", "heavy heavily"],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


def test_test_sentences_share_no_content_word_with_the_words_of_their_motion():
    who = {w for subject in phrase_subjects() for w in subject.split()}
    told = {
        motion: {stem(w) for text in wording_texts(motion) for w in words(text) - FUNCTION_WORDS} for motion in WORDINGS
    }
    for entry in UNSEEN:
        content = words(entry["sentence"]) - FUNCTION_WORDS - who
        assert not {w for w in content if stem(w) in told[entry["motion"]]}, entry["sentence"]


def test_one_hundred_test_sentences_over_the_first_motions():
    assert len({entry["sentence"] for entry in UNSEEN}) == 100
    count = Counter(entry["motion"] for entry in UNSEEN)
    assert set(count) == set(VOCABULARY_NAMES[:18])
    assert all(count[m] >= 5 for m in ("walk", "run", "jump", "idle", "turn left", "turn right"))


def test_every_motion_has_words_under_all_its_names():
    assert tuple(WORDINGS) == VOCABULARY_NAMES
    for wording in WORDINGS.values():
        assert wording.verbs
        assert wording.paraphrases
        assert len(wording.names) >= 7
    for other, motion in SYNONYMS.items():
        assert phrase(other, "fox", np.random.default_rng(3)) == phrase(motion, "fox", np.random.default_rng(3))


def test_no_name_of_a_clip_stands_for_two_motions():
    owners = Counter(name for wording in WORDINGS.values() for name in set(wording.names))
    assert [name for name, count in owners.items() if count > 1] == []


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("walk on", "walks walking walked"), ("run", "runs running ran"), ("carry a box", "carries carrying carried"),
        ("lie down", "lies lying lay"), ("be hit", "is being was"), ("push", "pushes pushing pushed"),
        ("trot", "trots trotting trotted"), ("dribble", "dribbles dribbling dribbled"),
        ("throw", "throws throwing threw"),
        ("flap", "flaps flapping flapped"), ("bow", "bows bowing bowed"), ("point", "points pointing pointed"),
    ],
)  # fmt: skip
def test_forms_of_verbs(base, forms):
    verb = make_verb(base)
    assert f"{verb.third} {verb.ing} {verb.past}" == forms
    assert f"{verb.base} {verb.rest}".strip() == base


@pytest.mark.parametrize("motion", VOCABULARY_NAMES)
def test_phrases_are_many_and_the_seed_decides_which(motion):
    def drawn(seed: int) -> list[str]:
        rng = np.random.default_rng(seed)
        return [phrase(motion, "polar bear", rng) for _ in range(400)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert len(set(drawn(1))) > 250
    allowed = words_of_templates() | {"polar", "bear", "bears"}
    clip_name = re.compile(r"[_|]|[a-z][A-Z]|^[A-Z]+$")
    for text in drawn(1):
        assert text.strip() == text
        assert "  " not in text
        assert "{" not in text
        assert clip_name.search(text) or words(text) <= allowed
    assert any("polar bear" in text for text in drawn(1))
    assert not all("bear" in text.lower() for text in drawn(1))


def test_who_is_known_for_a_motion_asks_for_others_too():
    rng = np.random.default_rng(5)
    drawn = {motion: {draw_subject(motion, rng) for _ in range(1500)} for motion in ("walk", "sit down")}
    assert {"boxer", "golfer", "fox"} <= drawn["walk"]
    assert not {"zombie", "mummy"} & drawn["walk"]
    assert set(ROLES) <= drawn["sit down"]


def test_a_phrase_needs_no_subject():
    rng = np.random.default_rng(0)
    for text in (phrase("walk", "", rng) for _ in range(300)):
        assert not re.search(r"\b(a|an|the) ?($|\.| is| walks)", text), text


def test_the_text_encoder_ships_the_subjects_that_the_creatures_have():
    shipped = files("gambol.priors.embedded.text").joinpath("subjects.txt").read_text(encoding="utf-8")
    assert tuple(shipped.splitlines()) == phrase_subjects()
