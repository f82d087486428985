"""What the embedded prior says about itself, and how it reads a sentence."""

from __future__ import annotations

from pathlib import Path

from gambol.diffusion.video_prior import PromptReading
from gambol.motion.vocabulary import AIRBORNE_MOTIONS, VOCABULARY_NAMES
from gambol.priors.embedded.part_film import FRAMES
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.prior import WEIGHTS, read_facts
from gambol.priors.embedded.text.reading import read_sentence
from gambol.priors.embedded.text.sequence import read_sequence
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS

RANKED_MOTIONS = 4
"""Number of likeliest motions that `explain` lists."""


def explain(prompt: str) -> str:
    """Say how a sentence is read: which words are used and ignored, who moves, and the likeliest motions.

    Raises `PriorError` for a sentence in another language or with a negation.
    """
    actions = read_sequence([prompt])
    if len(actions) > 1:
        told = [f"{i + 1}. {a.prompt}{' (added)' if a.source is None else ''}" for i, a in enumerate(actions)]
        parts = [f"{number}\n{explain(a.prompt)}" for number, a in zip(told, actions, strict=True)]
        return "\n\n".join([f"{len(actions)} actions, one after the other.", *parts])
    reading = read_sentence(prompt)
    if reading.classification is None:
        return reading.summary
    who = f"Who moves: {', '.join(reading.subjects)}." if reading.subjects else "Who moves is not said."
    ranked = sorted(reading.classification.probabilities.items(), key=lambda item: -item[1])[:RANKED_MOTIONS]
    lines = [*reading.notes, who, *(f"  {motion:<15} {probability:.3f}" for motion, probability in ranked)]
    if reading.style:
        lines.append("Style: " + ", ".join(f"{axis} {value:+.2f}" for axis, value in reading.style.items()) + ".")
    if reading.motion_style:
        lines.append(f"Bodies without {reading.motion!r} walk in its style.")
    return "\n".join(lines)


def read_prompt(prompt: str) -> PromptReading:
    """The motion class of a sentence, and one line that says what was used and what was ignored."""
    reading = read_sentence(prompt)
    return PromptReading(reading.motion, reading.notes, reading.motion in AIRBORNE_MOTIONS)


def describe_prior(path: Path | None = None) -> str:
    """Describe an embedded prior in four lines: size, format, training and motions; default: the shipped one."""
    path = path or WEIGHTS
    facts = read_facts(path)
    megabytes = (path.stat().st_size + TEXT_WEIGHTS.stat().st_size) / 1e6
    steps, batch, films = (facts.get(name, "?") for name in ("steps", "batch", "films"))
    return "\n".join(
        [
            "A small motion prior on films of body parts, not an open-domain video model.",
            f"It sees {FRAMES} frames of up to {len(PART_LABELS)} parts. Weights: {megabytes:.1f} MB with text.",
            f"Trained for {steps} steps of {batch} on {films} films.",
            f"Motions: {', '.join(VOCABULARY_NAMES)}.",
        ]
    )
