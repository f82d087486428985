"""The loop that all of Gambol's networks are trained in: reproducible steps, averaged weights, checkpoints, a log."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from gambol.errors import GambolError
from gambol.files.atomic_write import replacing
from gambol.progress import Progress

Network = TypeVar("Network", bound=nn.Module)
SMOOTH = 0.98
"""Of the loss that is shown."""


@dataclass(frozen=True)
class Pace:
    """How long and how fast a network is trained."""

    steps: int
    rate: float
    """AdamW's, at its highest."""
    warm_up: int
    averaging: float
    """Of the weights that are kept: w <- averaging w + (1 - averaging) new."""
    seed: int = 0
    every: int = 250
    """Steps between checkpoints and lines of the log."""


def learning_rate(step: int, pace: Pace) -> float:
    """Linear warm-up, then a half cosine down to 2 %."""
    part = min(step / pace.steps, 1.0)
    return pace.rate * min(1.0, (step + 1) / pace.warm_up) * (0.02 + 0.49 * (1 + math.cos(math.pi * part)))


def train_network(
    network: Network,
    loss_of: Callable[[Network, torch.Generator], Tensor],
    pace: Pace,
    folder: Path,
    *,
    measure: Callable[[Network], dict[str, float]],
    progress: Progress | None = None,
) -> Network:
    """Train to the last step, or go on from the folder's checkpoint; returns the averaged network.

    Every step draws from a generator of its own (seed, step), so a stopped run goes on to the same numbers. `measure`
    says of the averaged network what each line of the log holds besides step and loss.
    """
    folder.mkdir(parents=True, exist_ok=True)
    average = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=pace.rate, betas=(0.9, 0.98), weight_decay=0.01)
    checkpoint = folder / "checkpoint.pt"
    first, recent = 0, math.nan
    if checkpoint.exists():
        first, recent, weights, averaged, moments = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(weights)
        average.load_state_dict(averaged)
        optimiser.load_state_dict(moments)
    for step in range(first, pace.steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, pace)
        loss = loss_of(network, torch.Generator().manual_seed(pace.seed * 1_000_003 + step))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        keep = min(pace.averaging, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), 1 - keep)
        recent = loss.item() if math.isnan(recent) else SMOOTH * recent + (1 - SMOOTH) * loss.item()
        if not math.isfinite(recent):
            raise GambolError(f"Training diverged at step {step}; lower the rate ({pace.rate:g}) and start again.")
        if progress is not None:
            progress(step + 1, pace.steps, f"loss {recent:.4f}")
        if (step + 1) % pace.every == 0 or step + 1 == pace.steps:
            found = {"loss": recent, **measure(average)}
            with open(folder / "log.jsonl", "a") as log:
                log.write(json.dumps({"step": step + 1, **{k: round(v, 4) for k, v in found.items()}}) + "\n")
            state = (step + 1, recent, network.state_dict(), average.state_dict(), optimiser.state_dict())
            with replacing(checkpoint) as temporary:
                torch.save(state, temporary)
    return average
