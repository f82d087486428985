"""The verbs `gambol prior ...`: describe, sample and train the embedded prior."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import tyro

from gambol.app.check_arguments import (
    check_character_file,
    check_embedded_prompt,
    check_existing_folder,
    check_film_or_sheet,
    check_guidance,
    check_prior_weights,
)
from gambol.cli.arguments import ArgumentCheck, Folder, Verb, options_of
from gambol.cli.console import escape, progress_bar, report_written, say

PromptCheck = ArgumentCheck(check_embedded_prompt)
"""Refuses a sentence that the embedded prior cannot follow, before torch is imported."""
Prompt = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT"), PromptCheck]
"""A sentence for the embedded prior."""
OptionalPrompt = Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT"), PromptCheck]
"""A sentence for the embedded prior, or nothing."""
PriorWeights = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_prior_weights)]
"""A weights file of the embedded prior, or nothing."""

FilmFolder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER"), ArgumentCheck(check_existing_folder)]
"""A folder that exists, or nothing."""


def info(prompt: OptionalPrompt = None, /) -> None:
    """Print the card of the embedded prior, or how it reads a sentence: which words it uses and which it ignores.

    Args:
        prompt: The sentence; without one the prior's card is shown.
    """
    from gambol.app.prior import describe_prior, explain_prompt

    text = describe_prior() if prompt is None else explain_prompt(prompt)
    say(escape(text))


def sample(
    prompt: Prompt,
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILM"), ArgumentCheck(check_film_or_sheet)],
    character: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_character_file)] = None,
    guidance: Annotated[float, ArgumentCheck(check_guidance)] = 1.5,
    seed: int = 0,
    weights: PriorWeights = None,
) -> None:
    """Sample a film from the prior: the parts of the body as ellipses in their colours, from the side and the front.

    Args:
        prompt: What the film shows, as a sentence.
        output: A film (.mp4, .gif, .webp) or a sheet of its frames (.png).
        character: The character whose rest pose the prior is conditioned on; default: a creature made from the prompt.
        guidance: Classifier-free guidance; 1 switches it off.
        seed: Seed of the sample.
        weights: A file that `gambol prior train` wrote, instead of the shipped one.
    """
    from gambol.app.prior import explain_prompt
    from gambol.app.sample_prior import write_prior_sample

    path = write_prior_sample(prompt, output, character=character, guidance=guidance, seed=seed, weights=weights)
    reading = explain_prompt(prompt).splitlines()[0]
    say(escape(reading))
    report_written(path)


@options_of("gambol.app.prior.train_prior", files=FilmFolder, start_from=PriorWeights)
def train(*, output: Folder, **options: Any) -> None:
    """Train an embedded prior on creatures made by code and on your own animated files; the same command resumes.

    Args:
        output: Folder for films, checkpoints and the weights, motion.safetensors.
    """
    from gambol.app.prior import train_prior

    with progress_bar() as progress:
        path = train_prior(output, **options, progress=progress)
    say(f"{escape(str(path))}: gambol prior sample 'a fox is running' --weights {escape(str(path))} -o fox.mp4")


PRIOR_VERBS: dict[str, Verb] = {"info": info, "sample": sample, "train": train}
"""The verbs of `gambol prior`."""


def prior() -> None:
    """Describe, sample and train the embedded prior: info, sample, train."""
