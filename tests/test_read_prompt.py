"""How a sentence is read: which words decide the motion, which are ignored, and which sentences are refused."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gambol.cli.main import main
from gambol.diffusion.video_prior import VideoPrior
from gambol.errors import PriorError
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.describe import read_prompt
from gambol.priors.embedded.prior import WEIGHTS, EmbeddedPrior, encoder_probabilities, load_embedded
from gambol.priors.embedded.text.encoder import MAX_PIECES, classify_sentence
from gambol.priors.embedded.text.reading import read_motion_text, read_sentence
from gambol.priors.embedded.text.sentence_check import check_sentence, foreign_words
from gambol.priors.embedded.text.tokens import split_tokens
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.training.text.phrases import phrase, phrase_subjects

pytestmark = pytest.mark.skipif(not TEXT_WEIGHTS.is_file(), reason="there is no text encoder")

HERE = Path(__file__).parent
SENTENCES = [
    *(case["sentence"] for case in json.loads((HERE / "unseen_sentences.json").read_text())),
    *(case["sentence"] for case in json.loads((HERE.parent / "benchmarks" / "text_development.json").read_text())),
    *(case["prompt"] for case in json.loads((HERE.parent / "benchmarks" / "suite.json").read_text())["items"]),
]
"""English sentences of the text encoder's tests and of the benchmark suite."""

UNUSUAL_ENGLISH = (
    "a chihuahua gallops", "Xxyz walks", "T-Rex stomps", "Armature|Walk_01", "Leonardo da Vinci perambulates",
    "Vincent van Gogh runs", "Don Quixote de la Mancha gallops", "Le Chiffre ambles", "El Chupacabra skulks",
    "Zoë waves", "Zoë", "a fóx is wâlking", "Pikachu", "Kat", "Las Vegas showgirl dances", "the UN soldier marches",
    "Ludwig van Beethoven marches", "Jean-Luc limps", "Jürgen hops", "Björn runs", "Señor Gonzalez dances",
    "mixamo.com", "CH_Quadr_Anim03", "Idle_NoWeapon", "Walk_No_Root", "mixamorig:Walk", "Bip01_Walk", "Take 001",
    "a wookiee roars", "Naruto run", "Harlem shake", "a yeti stomps", "an axolotl crawls", "hip hop dancing",
    "Ivan Petrovich Kuznetsov marches", "Siddhartha walks", "Quetzalcoatl flies", "a samurai does a karate kick",
    "tango", "cha cha cha", "a raven is flying", "an elephant is walking", "en garde", "a chef eats à la carte",
    "a fox is running. cinematic, 4k, unreal engine", "a ballet dancer does a grand jeté", "a 狐 is running", "🦊🏃",
    "", "   ", "!?", "123",
)  # fmt: skip
"""Names, loanwords and clip names that are no reason to refuse a sentence."""

FOREIGN = (
    "ein Fuchs läuft", "der Hund springt über den Zaun", "die Katze schleicht", "eine Frau tanzt", "laufen",
    "der Bär geht langsam", "ein Mann winkt", "ein Ritter marschiert", "der Fuchs läuft nicht",
    "un renard court", "le chat saute", "une femme danse", "l'homme marche lentement", "un cheval galope",
    "le loup mange", "el zorro corre", "un perro camina despacio", "la mujer baila", "el caballo salta", "caminar",
    "un hombre está corriendo", "el zorro no corre", "la volpe corre", "un uomo cammina", "il gatto salta",
    "la donna balla", "il cane corre veloce", "a raposa corre", "um homem está andando", "o cachorro pula",
    "uma mulher dança", "een vos rent", "de hond loopt", "een man danst", "de kat springt", "en räv springer",
    "en man går", "hunden hoppar", "en kvinna dansar", "en ræv løber", "en mann går", "lis biegnie",
    "człowiek idzie", "pies skacze", "kobieta tańczy", "liška běží", "pes skáče", "muž jde", "lisica trči",
    "a róka fut", "egy ember sétál", "kettu juoksee", "mies kävelee", "tilki koşuyor", "bir adam yürüyor",
    "vulpea aleargă", "un om merge", "rubah berlari", "seorang pria berjalan", "con cáo chạy",
    "một người đang đi bộ", "ang aso ay tumatakbo", "vulpes currit",
    "лиса бежит", "лисиця біжить", "狐が走る", "狐狸在跑", "여우가 달린다", "الثعلب يجري", "שועל רץ",
    "η αλεπού τρέχει", "लोमड़ी दौड़ रही है", "สุนัขจิ้งจอกวิ่ง",
)  # fmt: skip
"""Sentences in other languages: every one is refused."""

UNLISTED_FOREIGN = (
    "Das Mädchen hüpft auf einem Bein", "ein Roboter dreht sich im Kreis", "der Affe klettert auf den Baum",
    "ein Bär brüllt", "Tiger jagt Beute", "mein Opa humpelt", "une fillette sautille", "le singe grimpe à l'arbre",
    "mon grand-père boite", "un tigre rugit", "les canards nagent", "el mono trepa al árbol",
    "una niña brinca a la pata coja", "mi abuelo cojea", "los patos nadan", "un tigre ruge",
    "la scimmia si arrampica", "una bambina saltella", "mio nonno zoppica", "le anatre nuotano",
    "o macaco sobe na árvore", "uma menina pulando corda", "os patos nadam", "de aap klimt in de boom",
    "een meisje huppelt", "opa loopt mank", "apan klättrar i trädet", "flickan hoppar på ett ben",
    "aben klatrer i træet", "małpa wspina się na drzewo", "dziewczynka podskakuje", "kaczki pływają",
    "opice leze na strom", "holčička poskakuje", "a majom felmászik a fára", "apina kiipeää puuhun",
    "maymun gülüyor", "maimuța se cațără în copac", "monyet memanjat pohon", "con khỉ leo cây",
    "majmun se penje na drvo", "der Soldat schlägt zu", "il soldato saluta", "een paard galoppeert door het veld",
    "ein Drache fliegt über die Stadt", "żółw idzie powoli", "en sköldpadda kryper", "kaplumbağa yürüyor",
    "черепаха ползёт", "ลิงปีนต้นไม้", "猿が木に登る", "乌龟在爬",
)  # fmt: skip
"""Sentences that were written after `foreign_words.txt` was finished, mostly with verbs and nouns that it lacks."""

NEGATED = (
    "a fox does not run", "don't walk", "the dog isn't moving", "never jump", "a man without legs", "stop running",
    "no running", "the fox doesn\N{RIGHT SINGLE QUOTATION MARK}t jump", "do not dance",
    "a knight who won't fight", "he cannot walk", "Do_Not_Run",
    "the cat refuses to jump", "quit dancing", "it is walking, not running",
)  # fmt: skip
"""Sentences that say what should not happen."""


def is_refused(sentence: str) -> bool:
    """Whether `check_sentence` raises."""
    try:
        check_sentence(sentence)
    except PriorError:
        return True
    return False


def without_ignored(sentence: str) -> str:
    """The sentence without the phrases that are reported as ignored."""
    for ignored in reversed(read_sentence(sentence).ignored):
        at = sentence.rindex(ignored)
        sentence = sentence[:at] + sentence[at + len(ignored) :]
    return sentence


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("a fox is running", 'Understood as run (100 %) from "is running".'),
        (
            "a fox is walking slowly, then jumps",
            'Understood as walk (100 %) from "is walking", slow from "slowly"; ignored: "then jumps".',
        ),
        (
            "a fox walks and then jumps happily",
            'Understood as walk (100 %) from "walks"; ignored: "then jumps happily".',
        ),
        ("a man walks like a zombie", 'Understood as zombie walk (100 %) from "zombie"; ignored: "walks".'),
        (
            "the dog turns around to the left 90 degrees",
            'Understood as turn left (97 %) from "turns around to the left"; ignored: "90 degrees".',
        ),
        ("a chihuahua gallops", 'Understood as run (100 %) from "gallops".'),
        ("Armature|Run_Fast_01", 'Understood as run (100 %) from "Run", quick from "Fast".'),
        (
            "a fox is walking sadly in the rain",
            'Understood as walk (100 %) from "is walking", low-headed and level from "sadly"; ignored: "in the rain".',
        ),
        ("", "The prompt is empty: the prior takes it for a walk."),
    ],
)
def test_one_line_says_what_was_used_and_what_was_ignored(sentence, line):
    assert read_prompt(sentence).notes[0] == line


def test_an_adverb_that_decides_the_motion_is_used():
    reading = read_sentence("a fox is walking stealthily in the dark")
    assert reading.classification.motion == "sneak"
    assert reading.used == ("is walking stealthily",)
    assert reading.ignored == ("in the dark",)
    assert reading.subjects == ("fox",)


def test_the_prior_is_given_the_first_action_only():
    assert encoder_probabilities("a fox is walking and then jumps") == encoder_probabilities("a fox is walking")
    assert read_prompt("a fox is walking and then jumps").motion == "walk"
    assert read_motion_text("the fox jumps now and then") == "the fox jumps now and then"
    assert encoder_probabilities("then") == classify_sentence("then").probabilities
    for sentence in SENTENCES:
        assert encoder_probabilities(sentence) == classify_sentence(sentence).probabilities


def test_what_is_ignored_does_not_decide_the_motion():
    rng = np.random.default_rng(1)
    drawn = [
        phrase(VOCABULARY_NAMES[i % len(VOCABULARY_NAMES)], str(rng.choice(phrase_subjects())), rng) for i in range(200)
    ]
    readings = [read_sentence(sentence) for sentence in [*SENTENCES, *drawn]]
    assert np.mean([bool(reading.used) for reading in readings]) > 0.9
    same = [classify_sentence(without_ignored(r.sentence)).motion == r.classification.motion for r in readings]
    assert np.mean(same) > 0.9


def test_every_word_is_used_or_ignored_or_names_who_moves():
    sentence = "an old grey fox happily trots over seven hills"
    reading = read_sentence(sentence)
    assert reading.used == ("trots",)
    assert reading.subjects == ("fox",)
    assert reading.style_words == ("old", "happily")
    assert reading.ignored == ("grey", "over seven hills")


def test_words_behind_the_encoder_s_limit_are_ignored():
    reading = read_sentence("a fox is running" + " running" * MAX_PIECES + ", dances")
    assert reading.classification.motion == "run"
    assert "dances" not in " ".join(reading.used)
    assert reading.ignored[-1] == "dances"


def test_many_ignored_phrases_are_counted():
    reading = replace(read_sentence("a fox is running"), ignored=("one", *["in the woods"] * 6, "near a lake"))
    assert reading.summary.endswith('"in the woods" and 6 more words.')


def test_what_is_no_motion_is_said_with_the_motions_that_are_known():
    first, advice = read_prompt("the stock market is open on monday").notes
    assert "none of the motions" in first
    assert all(motion in advice for motion in VOCABULARY_NAMES)


def test_tokens_are_the_words_as_they_were_typed():
    tokens = split_tokens("Armature|T-Rex runs, 3 times")
    assert [token.text for token in tokens] == ["T-Rex", "runs", "3", "times"]
    assert [token.words for token in tokens] == [("t", "rex"), ("runs",), (), ("times",)]
    assert [token.starts_phrase for token in tokens] == [False, False, True, False]


def test_english_sentences_and_names_are_not_refused():
    rng = np.random.default_rng(0)
    drawn = [
        phrase(VOCABULARY_NAMES[i % len(VOCABULARY_NAMES)], str(rng.choice(phrase_subjects())), rng)
        for i in range(2000)
    ]
    given = [*SENTENCES, *drawn, *phrase_subjects(), *UNUSUAL_ENGLISH]
    assert [sentence for sentence in given if is_refused(sentence)] == []


@pytest.mark.parametrize(
    "sentence",
    ["runs without stopping", "never stops dancing", "non-stop running", "comes to a full stop, breathing",
     "the man stops", "stop-motion walk", "the soldier does not budge", "the robot stays put and does nothing"],
)  # fmt: skip
def test_negations_that_ask_for_a_motion_are_not_refused(sentence):
    assert not is_refused(sentence)


def test_other_languages_are_refused():
    assert [sentence for sentence in FOREIGN if not is_refused(sentence)] == []


def test_most_sentences_of_other_words_and_languages_are_refused():
    missed = {sentence for sentence in UNLISTED_FOREIGN if not is_refused(sentence)}
    assert missed == {"Tiger jagt Beute", "el mono trepa al árbol", "de aap klimt in de boom"}


def test_the_message_names_the_language_and_says_what_to_do():
    with pytest.raises(PriorError, match=r'"ein Fuchs läuft" .*German.* reads English only: write the sentence in'):
        check_sentence("ein Fuchs läuft")
    with pytest.raises(PriorError, match="Chinese letters"):
        check_sentence("狐狸在跑")


@pytest.mark.parametrize("sentence", NEGATED)
def test_negations_are_refused_with_what_to_do_instead(sentence):
    with pytest.raises(PriorError, match=r"should not happen .* does instead.* --negative"):
        check_sentence(sentence)


def test_only_marked_foreign_words_are_ordinary_english():
    listed = foreign_words()
    assert len(listed.by_language) == 18
    assert {"man", "court", "die", "raven", "elephant"} <= listed.homographs
    plain = frozenset.union(*listed.by_language.values()) - listed.homographs
    used = {word for sentence in SENTENCES for token in split_tokens(sentence) for word in token.words}
    assert plain & used == set()


def test_sentences_are_checked_before_torch_is_imported():
    code = (
        "import sys; from gambol.cli.main import main\n"
        "assert main(['animate', 'ein Fuchs läuft', '-o', 'nowhere']) == 2\n"
        "assert main(['prior', 'info', 'a fox does not run']) == 2\n"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_refused_sentence_exits_with_2_and_leaves_nothing_behind(tmp_path, capsys):
    for verb in (["animate", "un renard court"], ["prior", "sample", "a fox does not run"]):
        assert main([*verb, "-o", str(tmp_path / "out.mp4")]) == 2
        assert "embedded prior" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_only_the_embedded_prior_refuses():
    VideoPrior.check_prompt("ein Fuchs läuft")
    with pytest.raises(PriorError):
        EmbeddedPrior.check_prompt("ein Fuchs läuft")


@pytest.mark.skipif(not WEIGHTS.is_file(), reason="there are no shipped weights")
def test_the_loaded_prior_reads_and_refuses():
    prior = load_embedded()
    assert prior.read_prompt("a wolf strolls through the forest").notes == (
        'Understood as walk (100 %) from "strolls"; ignored: "through the forest".',
    )
    with pytest.raises(PriorError):
        prior.read_prompt("a wolf does not run")
