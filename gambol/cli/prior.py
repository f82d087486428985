"""The verb `prior`: look into, sample and train the embedded prior."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import tyro

from gambol.app.check_arguments import check_character_file, check_existing_file, check_existing_folder
from gambol.cli.arguments import Check
from gambol.cli.console import console, escape, progress_bar

Words = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT")]
Weights = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), Check(check_existing_file)]


def info(prompt: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT")] = None, /) -> None:
    """Say what the embedded prior is, and how it understands a sentence.

    Args:
        prompt: The sentence; without one the prior's card is shown.
    """
    from gambol.priors.embedded.card import describe_prior, explain

    console().print(escape(describe_prior() if prompt is None else explain(prompt)), highlight=False, soft_wrap=True)


def sample(
    prompt: Words,
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILM")],
    character: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), Check(check_character_file)] = None,
    guidance: float = 1.5,
    seed: int = 0,
    weights: Weights = None,
) -> None:
    """Film the prior's own idea of a motion: two views of part colours, as small as the prior sees them.

    Args:
        prompt: What moves how.
        output: A film (.mp4, .gif) or a sheet of its frames (.png).
        character: Whose rest pose the prior is shown; without one a creature is made from the sentence.
        guidance: How strongly the sentence counts; 1 is the plain model.
        seed: Another seed, another film.
        weights: A file that `gambol prior train` wrote, instead of the shipped one.
    """
    from gambol.app.sample_prior import film_prior_sample

    path = film_prior_sample(prompt, output, character=character, guidance=guidance, seed=seed, weights=weights)
    console().print(f"{escape(explain_short(prompt))} {escape(str(path))}", highlight=False, soft_wrap=True)


def explain_short(prompt: str) -> str:
    """One sentence: how the prompt was understood."""
    from gambol.priors.embedded.card import explain

    return explain(prompt).splitlines()[0]


def train(
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")],
    files: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER"), Check(check_existing_folder)] = None,
    leave_out: tuple[str, ...] = (),
    individuals: int = 2600,
    file_shards: int = 300,
    steps: int = 8000,
    rate: float = 1.2e-3,
    start_from: Weights = None,
    processes: int = 2,
    seed: int = 0,
) -> None:
    """Train an embedded prior on creatures made by code and on your own animated files; the same command goes on.

    Args:
        output: Folder for films, checkpoints and the weights, motion.safetensors.
        files: Folder with animated .glb, .gltf, .fbx and .bvh files; clip names (or labels.csv) say what they show.
        leave_out: Parts of paths that are not trained on.
        individuals: Creatures made by code, 16 films each.
        file_shards: Batches of 16 films of the files.
        steps: Of the training, 64 films each.
        rate: Learning rate at its highest.
        start_from: Weights to go on from.
        processes: Films are made by so many at a time.
        seed: Decides the creatures, the films and the order.
    """
    from gambol.training.embedded.recipe import Recipe, make_prior
    from gambol.training.embedded.train import TrainingSettings

    settings = TrainingSettings(steps=steps, rate=rate, seed=seed)
    recipe = Recipe(
        files=files,
        leave_out=leave_out,
        individuals=individuals,
        file_shards=file_shards,
        seed=seed,
        processes=processes,
        training=settings,
        start_from=start_from,
    )
    with progress_bar() as progress:
        path = make_prior(recipe, output, progress=progress)
    console().print(
        f"{escape(str(path))}: gambol prior sample 'a fox is running' --weights {escape(str(path))} -o fox.mp4"
    )


PRIOR_VERBS: dict[str, Callable[..., None]] = {"info": info, "sample": sample, "train": train}


def prior() -> None:
    """Look into, sample and train the embedded prior: info, sample, train."""
