"""Will this model run here, how long will a step take, and if it does not fit, which setting to lower."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from gambol.diffusion.video_prior import PriorError
from gambol.priors.diffusers.memory import StepEstimate, estimate_step
from gambol.priors.diffusers.offload import Offload
from gambol.priors.diffusers.settings import PriorSettings
from gambol.render.memory_budget import parse_bytes

PEAK_RATES = {"A100": 312e12, "H100": 989e12, "RTX 4090": 165e12}
"""Operations in bfloat16 per second, from the vendor's data sheets."""
UTILISATION = 0.4
"""The part of that which such models reach; our assumption."""
THRIFTY_TILE = 256
"""Pixels of the tiles that are proposed."""


@dataclass(frozen=True)
class PriorCheck:
    """The answer of `gambol doctor --prior`."""

    estimate: StepEstimate
    seconds: dict[str, float]
    """Per step: on well-known GPUs at an assumed utilisation, and here by the speed of a product of matrices."""
    memory: int | None
    """Bytes that it has to fit into; None where there is no GPU and no number was given."""
    advice: str
    """Whether it fits, and what to set if it does not."""

    def lines(self) -> list[str]:
        """The answer for people."""
        step = self.estimate
        video = f"{step.format.frames} frames of {step.format.height} x {step.format.width} pixels"
        told = [
            f"{step.model}, {video}, {step.settings.precision}",
            "  phase     weights GB  the rest GB  together GB  TFLOP",
        ]
        for phase in step.phases:
            weights, rest, need = (n / 1e9 for n in (step.weights(phase.name), phase.activations, step.need(phase)))
            told.append(f"  {phase.name:<8} {weights:>11.1f} {rest:>12.1f} {need:>12.1f} {phase.flops / 1e12:>6.0f}")
        told.append(f"A step needs {step.peak / 1e9:.1f} GB. {self.advice}")
        times = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items())
        return [*told, f"A step takes about: {times}."]


def check_prior(
    source: str | Path, *, frames: int | None = None, size: str | None = None, memory: str | None = None
) -> PriorCheck:
    """Estimate a step at `frames` and `size` ('HxW' in pixels), None being the model's own, for a GPU's `memory`."""
    height, width = _sides(size)
    estimate = estimate_step(source, PriorSettings(frames=frames, height=height, width=width, device="cuda"))
    seconds = {name: estimate.flops / (rate * UTILISATION) for name, rate in PEAK_RATES.items()}
    seconds["this machine"] = estimate.flops / measure_rate()
    available = _gpu_memory() if memory is None else parse_bytes(memory)
    return PriorCheck(estimate, seconds, available, _advice(source, estimate, available))


def cheaper_settings(source: str | Path, estimate: StepEstimate, memory: int) -> StepEstimate | None:
    """The first of a list of thriftier settings that fits into `memory` bytes.

    None where nothing but fewer frames or a smaller size will do.
    """
    tiled = estimate
    if estimate.settings.tile is None and min(estimate.format.height, estimate.format.width) > THRIFTY_TILE:
        tiled = estimate_step(source, replace(estimate.settings, tile=THRIFTY_TILE))
    offloads: tuple[Offload, ...] = ("none", "models", "layers")
    for offload in offloads[offloads.index(estimate.settings.offload) :]:
        for candidate in (estimate, tiled):
            thrifty = replace(candidate, settings=replace(candidate.settings, offload=offload))
            if thrifty.peak <= memory:
                return thrifty
    return None


def measure_rate() -> float:
    """Operations per second that this machine's device reaches in a product of matrices."""
    gpu = torch.cuda.is_available()
    matrix = torch.ones(4096, 4096, device="cuda", dtype=torch.bfloat16) if gpu else torch.ones(512, 512)

    def multiply(times: int) -> float:
        start = time.perf_counter()
        for _ in range(times):
            torch.mm(matrix, matrix)
        if gpu:
            torch.cuda.synchronize()
        return time.perf_counter() - start

    multiply(1)
    return 5 * 2 * len(matrix) ** 3 / max(multiply(5), 1e-9)


def _advice(source: str | Path, estimate: StepEstimate, memory: int | None) -> str:
    if memory is None:
        return "This machine has no GPU; --memory 24GB asks about another one."
    if estimate.peak <= memory:
        return f"It fits into {memory / 1e9:.0f} GB."
    cheaper = cheaper_settings(source, estimate, memory)
    if cheaper is None:
        return (
            f"It does not fit into {memory / 1e9:.0f} GB, nor does it with offload='layers' and tile={THRIFTY_TILE}: "
            "lower --frames or --size, or take a smaller model."
        )
    old, new = estimate.settings, cheaper.settings
    changes = [f"offload='{new.offload}'"] if new.offload != old.offload else []
    changes += [f"tile={new.tile}"] if new.tile != old.tile else []
    return (
        f"It does not fit into {memory / 1e9:.0f} GB. Set {' and '.join(changes)}: {cheaper.peak / 1e9:.1f} GB, "
        f"{cheaper.flops / estimate.flops:.1f} times the work per step."
    )


def _sides(size: str | None) -> tuple[int | None, int | None]:
    if size is None:
        return None, None
    sides = size.lower().split("x")
    if len(sides) != 2 or not all(side.isdigit() and int(side) > 0 for side in sides):
        raise PriorError(f"The size is given as '{size}'; write height x width in pixels, such as 480x720.")
    return int(sides[0]), int(sides[1])


def _gpu_memory() -> int | None:
    return torch.cuda.get_device_properties(0).total_memory if torch.cuda.is_available() else None
