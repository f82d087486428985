"""Where an optimisation stands: everything that the next step needs, frozen, and as a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from gambol.distill.lbfgs import Search
from gambol.distill.motion_parameters import Coefficients, MotionCurves
from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import replacing
from gambol.files.tensors import read_tensors, write_tensors

BETAS = (0.9, 0.99)
SEARCHED = ("point", "gradient", "direction", "steps", "changes")
"""The tensors of a `Search`."""
TINY = 1e-8


@dataclass(frozen=True)
class State:
    """After `step` steps."""

    step: int
    coefficients: Coefficients
    means: Coefficients
    """Adam's, of the gradients,"""
    squares: Coefficients
    """and of their squares."""
    noise: UInt8[Tensor, "bytes"]
    """The state of the random generator."""
    evaluations: int = 0
    """Of the prior's network, with and without the sentence counted apart."""
    target: Float[Tensor, "*latent"] | None = None
    """The film that is fitted to,"""
    search: Search | None = None
    """and where the fit looks next."""
    kept: tuple[tuple[int, Coefficients], ...] = ()
    """Some earlier steps, for the report."""


def first_state(curves: MotionCurves, seed: int) -> State:
    """All coefficients zero: the start as it is."""
    generator = torch.Generator().manual_seed(seed)
    return State(0, curves.zeros(), curves.zeros(), curves.zeros(), generator.get_state())


def adam(state: State, gradients: Coefficients, rate: float, n: int) -> tuple[Coefficients, Coefficients, Coefficients]:
    """The n-th step of Adam: coefficients, means and squares after it.

    m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, x = x - rate (m / (1 - b1^n)) / (sqrt(v / (1 - b2^n)) + 1e-8).
    """
    b1, b2 = BETAS
    moved, means, squares = [], [], []
    for x, m, v, g in zip(state.coefficients, state.means, state.squares, gradients, strict=True):
        mean, square = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        means.append(mean)
        squares.append(square)
        moved.append(x - rate * (mean / (1 - b1**n)) / ((square / (1 - b2**n)).sqrt() + TINY))
    return (moved[0], moved[1]), (means[0], means[1]), (squares[0], squares[1])


def save_state(path: Path, state: State, fingerprint: str) -> None:
    """Write a state; the old file stays until the new one is complete."""
    tensors = {"noise": state.noise}
    for name in ("coefficients", "means", "squares"):
        tensors |= {f"{name}.{i}": x for i, x in enumerate(getattr(state, name))}
    for step, pair in state.kept:
        tensors |= {f"kept.{step}.{i}": x for i, x in enumerate(pair)}
    if state.target is not None:
        tensors["target"] = state.target
    facts = {"fingerprint": fingerprint, "step": str(state.step), "evaluations": str(state.evaluations)}
    if state.search is not None:
        tensors |= {f"search.{name}": getattr(state.search, name) for name in SEARCHED}
        facts |= {"search.loss": repr(state.search.loss), "search.length": repr(state.search.length)}
    with replacing(path) as temporary:
        write_tensors(temporary, {name: x.detach().cpu().numpy() for name, x in tensors.items()}, facts)


def load_state(path: Path, fingerprint: str) -> State | None:
    """The state in a file; None where there is none."""
    if not path.is_file():
        return None
    try:
        arrays, facts = read_tensors(path)
    except (AssetError, OSError) as error:
        raise GambolError(f"{path} cannot be read. Remove it to start anew.") from error
    tensors = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    if facts.get("fingerprint") != fingerprint:
        raise GambolError(f"{path} belongs to another run. Give another folder, or --overwrite to start anew.")

    def pair(name: str) -> Coefficients:
        return tensors[f"{name}.0"], tensors[f"{name}.1"]

    search = None
    if "search.loss" in facts:
        found = {name: tensors[f"search.{name}"] for name in SEARCHED}
        search = Search(loss=float(facts["search.loss"]), length=float(facts["search.length"]), **found)
    steps = sorted({int(name.split(".")[1]) for name in tensors if name.startswith("kept.")})
    return State(
        int(facts["step"]),
        pair("coefficients"),
        pair("means"),
        pair("squares"),
        tensors["noise"],
        int(facts["evaluations"]),
        tensors.get("target"),
        search,
        tuple((step, pair(f"kept.{step}")) for step in steps),
    )
