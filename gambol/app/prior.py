"""The verb `prior`: what the embedded prior is, how it reads a sentence, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gambol.progress import Progress


@dataclass(frozen=True)
class PriorTraining:
    """What an embedded prior is trained on, and for how long."""

    files: Path | None = None
    """Folder of animated files; None trains on creatures made by code alone."""
    leave_out: tuple[str, ...] = ()
    """Files with one of these texts in their path are left out."""
    individuals: int = 2600
    """Number of creatures made by code, 16 films each."""
    file_shards: int = 300
    """Number of batches of 16 films of the files."""
    steps: int = 8000
    """Training steps of 64 films each."""
    rate: float = 1.2e-3
    """Highest learning rate."""
    start_from: Path | None = None
    """Weights to start from."""
    processes: int = 2
    """Number of processes that make films."""
    seed: int = 0
    """Seed of the creatures, the films and their order."""


def describe_prior() -> str:
    """Return the card of the shipped prior: size, format, training and motions."""
    from gambol.priors.embedded.describe import describe_prior

    return describe_prior()


def explain_prompt(prompt: str) -> str:
    """Return how the prior reads a sentence: which words it uses and ignores, then the likeliest motions."""
    from gambol.priors.embedded.describe import explain

    return explain(prompt)


def train_prior(training: PriorTraining, output: Path, *, progress: Progress | None = None) -> Path:
    """Train an embedded prior in the folder `output`; the same call resumes. Returns the path of the weights."""
    from gambol.training.embedded.recipe import PriorRecipe, train_embedded_prior
    from gambol.training.embedded.train import DenoiserTraining

    recipe = PriorRecipe(
        files=training.files,
        leave_out=training.leave_out,
        individuals=training.individuals,
        file_shards=training.file_shards,
        seed=training.seed,
        processes=training.processes,
        training=DenoiserTraining(steps=training.steps, learning_rate=training.rate, seed=training.seed),
        start_from=training.start_from,
    )
    return train_embedded_prior(recipe, output, progress=progress)
