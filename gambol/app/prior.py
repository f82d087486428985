"""The verb `prior`: what the embedded prior is, how it reads a sentence, and how it is trained."""

from __future__ import annotations

from pathlib import Path

from gambol.progress import Progress
from gambol.scale.choose_executor import LOCAL


def describe_prior() -> str:
    """Return the card of the shipped prior: size, format, training and motions."""
    from gambol.priors.embedded.describe import describe_prior

    return describe_prior()


def explain_prompt(prompt: str) -> str:
    """Return how the prior reads a sentence: which words it uses and ignores, then the likeliest motions."""
    from gambol.priors.embedded.describe import explain

    return explain(prompt)


def train_prior(
    output: Path,
    *,
    files: Path | None = None,
    leave_out: tuple[str, ...] = (),
    individuals: int = 3000,
    retargeted: int = 700,
    steps: int = 12_000,
    rate: float = 1.3e-3,
    start_from: Path | None = None,
    processes: int = 2,
    address: str = LOCAL,
    seed: int = 0,
    progress: Progress | None = None,
) -> Path:
    """Train an embedded prior; the same call resumes. Returns the path of the weights.

    Args:
        output: Folder for films, checkpoints and the weights, motion.safetensors.
        files: Folder with animated .glb, .gltf, .fbx and .bvh files; clip names (or labels.csv) say what they show.
        leave_out: Files with one of these texts in their path are left out.
        individuals: Number of creatures made by code, 16 films each.
        retargeted: Number of batches of 16 films of the files' clips, retargeted to creatures made by code.
        steps: Training steps, 64 films each.
        rate: Highest learning rate.
        start_from: Weights to start from.
        processes: Number of processes that make films.
        address: Where they run: local; auto or HOST:PORT: a Ray cluster whose nodes share the disk of all folders.
        seed: Seed of the creatures, the films and their order.
        progress: Called with (steps done, steps in total, what is being done).
    """
    from gambol.training.embedded.recipe import PriorRecipe, train_embedded_prior
    from gambol.training.embedded.train import FilmTraining

    recipe = PriorRecipe(
        files=None if files is None else files.absolute(),
        leave_out=leave_out,
        individuals=individuals,
        retargeted_shards=retargeted,
        seed=seed,
        processes=processes,
        address=address,
        training=FilmTraining(steps=steps, learning_rate=rate, seed=seed),
        start_from=start_from,
    )
    return train_embedded_prior(recipe, output if address == LOCAL else output.absolute(), progress=progress)
