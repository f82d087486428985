"""How the embedded prior understands a sentence, as data: what a page shows while somebody types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gambol.errors import GambolError
from gambol.motion.vocabulary import AIRBORNE_MOTIONS, VOCABULARY_NAMES, find_entry
from gambol.priors.embedded.style import STYLE_NUMBER_AXES
from gambol.priors.embedded.text.reading import read_sentence
from gambol.priors.embedded.text.sequence import read_sequence
from gambol.priors.embedded.text.style_words import AXIS_WORDS, WORD_AXES

SUGGESTED_MOTIONS = 5
"""Number of likely motions that are suggested where a sentence is not understood."""


def read_prompts(prompts: Sequence[str]) -> dict[str, Any]:
    """The actions that sentences ask for, with their motion, style, used and unknown words; or why they cannot be read.

    Keys: `segments`, `error` (a sentence, or None) and `suggestions` (motions by likelihood).
    """
    try:
        actions = read_sequence(list(prompts))
        segments, suggestions = [], []
        for action in actions:
            segment, likely = read_action(action.prompt)
            segments.append({**segment, "added": action.source is None, "source": action.source})
            suggestions += [name for name in likely if name not in suggestions]
    except GambolError as error:
        return {"segments": [], "error": str(error), "suggestions": []}
    return {"segments": segments, "error": None, "suggestions": suggestions[:SUGGESTED_MOTIONS]}


def read_action(prompt: str) -> tuple[dict[str, Any], list[str]]:
    """How one action is read, and the likeliest motions where that is not certain."""
    reading = read_sentence(prompt)
    found = reading.classification
    entry = find_entry(reading.motion) if reading.motion in VOCABULARY_NAMES else None
    likely: list[str] = []
    if found is not None and not found.is_confident:
        ranked = sorted(found.probabilities.items(), key=lambda item: -item[1])
        likely = [name for name, _ in ranked[:SUGGESTED_MOTIONS]]
    return {
        "prompt": prompt,
        "motion": reading.motion,
        "probability": None if found is None else round(found.probability, 4),
        "confident": found is not None and found.is_confident,
        "known": found is None or found.known,
        "style": {axis: round(float(value), 3) for axis, value in reading.style.items()},
        "style_words": list(reading.style_words),
        "used": list(reading.used),
        "subjects": list(reading.subjects),
        "ignored": list(reading.ignored),
        "summary": reading.summary,
        "notes": list(reading.notes),
        "repeats": entry is None or entry.repeats,
        "airborne": reading.motion in AIRBORNE_MOTIONS,
    }, likely


def style_axes() -> list[dict[str, Any]]:
    """The axes of the style: name, allowed and natural numbers, words for both ends."""
    axes = []
    for name in WORD_AXES:
        allowed = STYLE_NUMBER_AXES[name]
        axes.append(
            {
                "name": name,
                "low": allowed.low,
                "natural": allowed.natural,
                "high": allowed.high,
                "words": list(AXIS_WORDS[name]),
            }
        )
    return axes
