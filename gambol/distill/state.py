"""The state of an optimisation: everything that the next step needs, frozen, and as a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import UInt8
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from gambol.diffusion.video_prior import TargetLatent
from gambol.distill.adam import AdamMoments
from gambol.distill.lbfgs import LBFGS
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.motion_representation import MotionRepresentation
from gambol.errors import GambolError
from gambol.files.atomic_write import replacing

LBFGS_TENSORS = ("point", "gradient", "direction", "history_steps", "history_changes")
"""Fields of `LBFGS` that are tensors."""


@dataclass(frozen=True)
class State:
    """An optimisation after `step` steps."""

    step: int
    """Optimiser steps that were taken, by all methods together."""
    coefficients: Coefficients
    """The motion now (`MotionRepresentation.motion`)."""
    rng: UInt8[Tensor, "bytes"]
    """State of the random generator."""
    evaluations: int = 0
    """Evaluations of the prior's network; with and without the sentence count separately."""
    adam: AdamMoments | None = None
    """Moments of Adam, where score distillation is under way."""
    target: TargetLatent | None = None
    """What is fitted to, where a fit is under way."""
    lbfgs: LBFGS | None = None
    """State of L-BFGS, where a fit is under way."""
    snapshots: tuple[tuple[int, Coefficients], ...] = ()
    """Coefficients after some earlier steps, for reports."""


def initial_state(parameters: MotionRepresentation, seed: int) -> State:
    """The state before the first step: all coefficients zero."""
    return State(0, parameters.zeros(), torch.Generator().manual_seed(seed).get_state())


def save_state(path: Path, state: State, fingerprint: str) -> None:
    """Write a state; the old file stays until the new one is complete."""
    tensors: dict[str, Tensor] = {"rng": state.rng, **_numbered("coefficients", state.coefficients)}
    metadata = {"fingerprint": fingerprint, "step": str(state.step), "evaluations": str(state.evaluations)}
    for step, pair in state.snapshots:
        tensors |= _numbered(f"snapshots.{step}", pair)
    if state.adam is not None:
        tensors |= _numbered("adam.first", state.adam.first) | _numbered("adam.second", state.adam.second)
        metadata["adam.count"] = str(state.adam.count)
    if state.target is not None:
        tensors["target.latents"] = state.target.latents
        tensors["target.windows"] = torch.tensor(state.target.windows)
        if state.target.precision is not None:
            tensors["target.precision"] = state.target.precision
    if state.lbfgs is not None:
        tensors |= {f"lbfgs.{name}": getattr(state.lbfgs, name) for name in LBFGS_TENSORS}
        metadata |= {"lbfgs.loss": repr(state.lbfgs.loss), "lbfgs.step_length": repr(state.lbfgs.step_length)}
    with replacing(path) as temporary:
        temporary.write_bytes(save({name: _plain(x) for name, x in tensors.items()}, metadata))


def load_state(path: Path, fingerprint: str) -> State | None:
    """Read a state; None where there is no file."""
    if not path.is_file():
        return None
    try:
        with safe_open(path, "pt") as file:
            metadata = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
    except (SafetensorError, OSError) as error:
        raise GambolError(f"{path} cannot be read. Remove it to start anew.") from error
    if metadata.get("fingerprint") != fingerprint:
        raise GambolError(f"{path} belongs to another run. Give another folder, or --overwrite to start anew.")

    def numbered(name: str) -> Coefficients:
        return tuple(tensors[f"{name}.{i}"] for i in range(sum(key.startswith(f"{name}.") for key in tensors)))

    adam = target = lbfgs = None
    if "adam.count" in metadata:
        adam = AdamMoments(numbered("adam.first"), numbered("adam.second"), int(metadata["adam.count"]))
    if "target.latents" in tensors:
        windows = tuple((int(first), int(view)) for first, view in tensors["target.windows"])
        target = TargetLatent(tensors["target.latents"], windows, tensors.get("target.precision"))
    if "lbfgs.loss" in metadata:
        found = {name: tensors[f"lbfgs.{name}"] for name in LBFGS_TENSORS}
        lbfgs = LBFGS(loss=float(metadata["lbfgs.loss"]), step_length=float(metadata["lbfgs.step_length"]), **found)
    steps = sorted({int(name.split(".")[1]) for name in tensors if name.startswith("snapshots.")})
    return State(
        step=int(metadata["step"]),
        coefficients=numbered("coefficients"),
        rng=tensors["rng"],
        evaluations=int(metadata["evaluations"]),
        adam=adam,
        target=target,
        lbfgs=lbfgs,
        snapshots=tuple((step, numbered(f"snapshots.{step}")) for step in steps),
    )


def _numbered(name: str, coefficients: Coefficients) -> dict[str, Tensor]:
    return {f"{name}.{i}": values for i, values in enumerate(coefficients)}


def _plain(tensor: Tensor) -> Tensor:
    return tensor.detach().cpu().contiguous().clone()
