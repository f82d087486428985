"""The example of docs/priors.md: a new prior in thirty lines, that works."""

import re
from pathlib import Path

import torch

from gambol.diffusion.level_schedules import Constant, FallingBound
from gambol.diffusion.score_gradient import ScoreConfig, draw_score
from gambol.diffusion.video_prior import VideoPrior
from gambol.priors.diffusers.catalogue import KNOWN_MODELS

PAGE = (Path(__file__).parents[1] / "docs" / "priors.md").read_text()


def test_a_new_prior_takes_thirty_lines_and_calms_a_flickering_video():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(code.splitlines()) <= 30
    names = {}
    exec(code, names)
    prior = names["CalmPrior"]()
    assert isinstance(prior, VideoPrior)
    form, generator = prior.format, torch.Generator().manual_seed(0)
    drift = torch.linspace(0.2, 0.8, form.frames)[:, None, None, None].expand(-1, 3, form.height, form.width)
    flicker = 0.1 * torch.rand(drift.shape, generator=generator)
    video = (drift + flicker).requires_grad_()
    config = ScoreConfig(FallingBound(0.2, Constant(0.6)), Constant(1.0))
    before = video.detach().diff(n=2, dim=0).abs().mean()
    for step in range(60):
        latent = prior.encode(video)
        score = draw_score(prior, latent, None, step, config, generator)
        (gradient,) = torch.autograd.grad(latent, video, score.gradient)
        with torch.no_grad():
            video -= 0.02 * gradient
    after = video.detach().diff(n=2, dim=0).abs().mean()
    assert after < 0.5 * before
    assert prior.decode(prior.encode(video)).shape == video.shape


def test_the_page_names_every_known_model_and_every_file():
    assert all(f"`{name}`" in PAGE for name in KNOWN_MODELS)
    package = Path(__file__).parents[1] / "gambol"
    for room in ("diffusion", "priors/diffusers"):
        files = {p.name for p in (package / room).glob("*.py")} - {"__init__.py"}
        assert files <= set(re.findall(r"`(\w+\.py)`", PAGE)), room
