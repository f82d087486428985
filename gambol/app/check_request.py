"""Checks of a request against the prior that is to follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gambol.app.animate_request import AnimateRequest
from gambol.app.check_arguments import check_negative

if TYPE_CHECKING:  # requests are checked before anything heavy is imported
    from gambol.diffusion.video_prior import VideoPrior


def default_prior(preset: str | None) -> str:
    """The prior that is used where none is named: the preset's, or the embedded one."""
    from gambol.distill.presets import find_preset

    return find_preset(preset or "sketch").prior


def check_texts(request: AnimateRequest, prior: VideoPrior[Any] | type[VideoPrior[Any]]) -> None:
    """Refuse sentences, a negative text or numbers of the style that the prior cannot follow."""
    for prompt in request.prompts:
        prior.check_prompt(prompt)
    for style in (request.style, *(segment.style for segment in request.segments)):
        prior.check_style(style)
    if request.negative:
        check_negative(request.negative, prior.check_prompt)
