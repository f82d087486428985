"""Sample a video from the embedded prior and write it as a file (`gambol prior sample`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from gambol.app.check_arguments import check_film_or_sheet, check_guidance
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.diffusion.samplers import sample_latent
from gambol.diffusion.video_prior import Reference
from gambol.files.asset import load
from gambol.priors.embedded.prior import load_embedded
from gambol.priors.embedded.stage import StageView, make_stage
from gambol.render.contact_sheet import contact_sheet
from gambol.render.video_file import write_film, write_png

PIXEL_SCALE = 4
"""Factor by which the prior's small pixels are enlarged."""


def write_prior_sample(
    prompt: str,
    output: Path,
    *,
    character: Path | None = None,
    guidance: float = 1.5,
    seed: int = 0,
    weights: Path | None = None,
) -> Path:
    """Sample a video from the prior and write it as a film (.mp4, .gif) or as a sheet of its frames (.png).

    The prior is shown the rest pose of the character in a file, or of a creature made from the prompt.
    """
    from gambol.creatures.catalogue import make_creature
    from gambol.training.embedded.creature_clips import stage_body

    check_film_or_sheet(output)
    check_guidance(guidance)
    prior = load_embedded(weights)
    prior.check_prompt(prompt)
    if character is None:
        creature = make_creature(prompt)
        body = creature.character()
        anatomy = creature.anatomy(body)
    else:
        body = load(character).character
        anatomy = find_anatomy(body)
    individual = stage_body(body.name, body, anatomy)
    stage = make_stage(individual.actor, anatomy, StageView())
    reference = Reference(stage.rest_frame, stage.first_camera, seed)
    condition = prior.condition(prompt, reference=reference)
    still = condition.rest.expand(prior.format.frames, -1)
    latent = sample_latent(prior, condition, still, torch.Generator().manual_seed(seed), guidance=guidance)
    frames = prior.decode_on(latent, stage.rest_frame).permute(0, 2, 3, 1).numpy()
    pixels = np.round(frames * 255).astype(np.uint8).repeat(PIXEL_SCALE, 1).repeat(PIXEL_SCALE, 2)
    if output.suffix.lower() == ".png":
        write_png(output, contact_sheet(list(pixels), 4))
    else:
        write_film(output, pixels, individual.fps)
    return output
