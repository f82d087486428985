"""Training loop shared by all networks: reproducible steps, averaged weights, checkpoints, a log."""

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
LOSS_SMOOTHING = 0.98
"""Decay of the running mean of the loss that is reported."""


@dataclass(frozen=True)
class TrainingSchedule:
    """Length, learning rate and checkpoints of a training run."""

    steps: int
    """Number of optimiser steps."""
    learning_rate: float
    """Peak learning rate of AdamW."""
    warmup_steps: int
    """Steps of linear warm-up."""
    ema_decay: float
    """Decay d of the averaged weights: w <- d w + (1 - d) new."""
    seed: int = 0
    """Seed of every random draw."""
    checkpoint_every: int = 250
    """Steps between checkpoints, and between lines of the log."""


def scheduled_learning_rate(step: int, schedule: TrainingSchedule) -> float:
    """Return the learning rate of a step: linear warm-up, and a half cosine down to 2 %."""
    part = min(step / schedule.steps, 1.0)
    return (
        schedule.learning_rate
        * min(1.0, (step + 1) / schedule.warmup_steps)
        * (0.02 + 0.49 * (1 + math.cos(math.pi * part)))
    )


def train_network(
    network: Network,
    loss_of: Callable[[Network, torch.Generator], Tensor],
    schedule: TrainingSchedule,
    folder: Path,
    *,
    measure: Callable[[Network], dict[str, float]],
    progress: Progress | None = None,
) -> Network:
    """Train to the last step, resuming from the folder's checkpoint if there is one; returns the averaged network.

    Every step draws from a generator of its own (seed, step), so a resumed run gives the same numbers. `measure`
    returns what each line of the log holds besides step and loss, for the averaged network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    average = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=schedule.learning_rate, betas=(0.9, 0.98), weight_decay=0.01)
    checkpoint = folder / "checkpoint.pt"
    first, recent = 0, math.nan
    if checkpoint.exists():
        first, recent, weights, averaged, moments = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(weights)
        average.load_state_dict(averaged)
        optimiser.load_state_dict(moments)
    for step in range(first, schedule.steps):
        for group in optimiser.param_groups:
            group["lr"] = scheduled_learning_rate(step, schedule)
        loss = loss_of(network, torch.Generator().manual_seed(schedule.seed * 1_000_003 + step))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        keep = min(schedule.ema_decay, (step + 1) / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), 1 - keep)
        recent = loss.item() if math.isnan(recent) else LOSS_SMOOTHING * recent + (1 - LOSS_SMOOTHING) * loss.item()
        if not math.isfinite(recent):
            raise GambolError(
                f"Training diverged at step {step}; start again with a learning rate below {schedule.learning_rate:g}."
            )
        if progress is not None:
            progress(step + 1, schedule.steps, f"loss {recent:.4f}")
        if (step + 1) % schedule.checkpoint_every == 0 or step + 1 == schedule.steps:
            found = {"loss": recent, **measure(average)}
            with open(folder / "log.jsonl", "a") as log:
                log.write(json.dumps({"step": step + 1, **{k: round(v, 4) for k, v in found.items()}}) + "\n")
            state = (step + 1, recent, network.state_dict(), average.state_dict(), optimiser.state_dict())
            with replacing(checkpoint) as temporary:
                torch.save(state, temporary)
    return average
