"""Sample a film from the embedded prior and write it as a file (`gambol prior sample`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from gambol.app.check_arguments import check_film_or_sheet, check_guidance
from gambol.diffusion.samplers import sample_latent
from gambol.distill.optimised_body import make_subject
from gambol.distill.problem import observer_conditions
from gambol.files.asset import load
from gambol.priors.embedded.prior import load_embedded
from gambol.render.contact_sheet import contact_sheet
from gambol.render.observer import ObserverConfig
from gambol.render.video_file import write_film, write_png

SHEET_FRAMES = 12
"""Frames of a sheet."""


def write_prior_sample(
    prompt: str,
    output: Path,
    *,
    character: Path | None = None,
    guidance: float = 1.5,
    seed: int = 0,
    weights: Path | None = None,
) -> Path:
    """Sample a film from the prior and write it as a video (.mp4, .gif, .webp) or as a sheet of its frames (.png).

    The prior is shown the rest pose of the character in a file, or of a creature made from the prompt.
    """
    from gambol.creatures.catalogue import make_creature

    check_film_or_sheet(output)
    check_guidance(guidance)
    prior = load_embedded(weights)
    prior.check_prompt(prompt)
    body = make_creature(prompt).character() if character is None else load(character).character
    observer = prior.observer(make_subject(body), ObserverConfig())
    condition = observer_conditions(prior, observer, prompt, "", seed=seed)[0]
    still = condition.start.expand(prior.format.frames, -1)
    latent = sample_latent(prior, condition, still, torch.Generator().manual_seed(seed), guidance=guidance)
    pixels = np.round(prior.decode(latent).permute(0, 2, 3, 1).numpy() * 255).astype(np.uint8)
    if output.suffix.lower() == ".png":
        chosen = np.linspace(0, len(pixels) - 1, SHEET_FRAMES).round().astype(int)
        write_png(output, contact_sheet([*pixels[chosen]], 3))
    else:
        write_film(output, pixels, observer.fps)
    return output
