"""What the embedded prior says about itself, and how it understood a sentence."""

from __future__ import annotations

from pathlib import Path

from gambol.diffusion.video_prior import PromptReading
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.prior import WEIGHTS, read_facts
from gambol.priors.embedded.stage import FRAMES, SIDE
from gambol.priors.embedded.text.encoder import classify_sentence
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS

SURE = 0.6
"""A motion that is likelier than this counts as understood."""


def explain(prompt: str) -> str:
    """How a sentence is understood, the first line in one sentence, then the likeliest motions."""
    if not prompt.strip():
        return "The prompt is empty: the prior takes it for a walk."
    meant = classify_sentence(prompt)
    chance = meant.probabilities[meant.motion]
    if meant.known and chance >= SURE:
        first = f"'{prompt}' is understood as {meant.motion} ({chance:.0%})."
    else:
        said = "is not well understood" if meant.known else "is none of the motions that the prior knows"
        first = f"'{prompt}' {said}; the nearest, {meant.motion}, is used ({chance:.0%}). Plain English works best."
    who = f"Who moves: {', '.join(meant.subjects)}." if meant.subjects else "Who moves is not said."
    ranked = sorted(meant.probabilities.items(), key=lambda item: -item[1])[:4]
    return "\n".join([first, who, *(f"  {motion:<11} {p:.3f}" for motion, p in ranked)])


def read_prompt(prompt: str) -> PromptReading:
    """The motion class of a sentence, and one line that says how it is understood."""
    motion = classify_sentence(prompt).motion if prompt.strip() else None
    return PromptReading(motion, (explain(prompt).splitlines()[0],))


def describe_prior(path: Path | None = None) -> str:
    """Size, format, training and motions."""
    path = path or WEIGHTS
    facts = read_facts(path)
    megabytes = (path.stat().st_size + TEXT_WEIGHTS.stat().st_size) / 1e6
    steps, batch, clips = (facts.get(name, "?") for name in ("steps", "batch", "clips"))
    return "\n".join(
        [
            "A small motion prior on part-coloured films, not an open-domain video model.",
            f"It sees {FRAMES} frames of two views of {SIDE} x {SIDE} pixels. Weights: {megabytes:.1f} MB with text.",
            f"Trained for {steps} steps of {batch} on {clips} clips.",
            f"Motions: {', '.join(MOTIONS)}.",
        ]
    )
