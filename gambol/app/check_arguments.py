"""Checks of a command's arguments that import no heavy library: a mistake is reported before torch is imported."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from gambol.errors import AssetError, ConfigError, PriorError
from gambol.files.formats import FILM_SUFFIXES, check_target
from gambol.files.formats import READABLE as READABLE
from gambol.files.formats import check_source as check_source
from gambol.generators.generator_name import check_generator_name as check_generator_name
from gambol.priors.check_prior_name import check_prior_name as check_prior_name
from gambol.priors.check_prior_name import is_embedded


def check_character_file(path: Path) -> None:
    """Raise unless the path is an existing file of a kind that Gambol reads."""
    check_source(path)


def check_file_or_run(path: Path) -> None:
    """Raise unless the path is a character file, a film, or the folder of a run."""
    from gambol.app.find_runs import find_runs

    find_runs(path)


def check_output_file(path: Path) -> None:
    """Raise unless the path has the suffix of a character file that Gambol writes."""
    check_target(path)


def check_existing_file(path: Path) -> None:
    """Raise unless the path is an existing file."""
    if not path.is_file():
        raise AssetError(f"There is no file {path}.")


def check_prior_weights(path: Path) -> None:
    """Raise unless the path is an existing file of weights of the embedded prior."""
    if not path.is_file():
        raise AssetError(f"There are no weights at {path}; make some: gambol prior train -o FOLDER")


def check_pose_weights(path: Path) -> None:
    """Raise unless the path is an existing file of weights of the pose space."""
    if not path.is_file():
        raise AssetError(f"There are no pose weights at {path}; make some: gambol pose train POSES -o FOLDER")


def check_existing_folder(path: Path) -> None:
    """Raise unless the path is an existing folder."""
    if not path.is_dir():
        raise AssetError(f"There is no folder {path}.")


def check_film_or_sheet(path: Path) -> None:
    """Raise unless the path has the suffix of a film or of a picture."""
    allowed = (*FILM_SUFFIXES, ".png")
    if path.suffix.lower() not in allowed:
        raise ConfigError(f"{path} has the suffix '{path.suffix}'; allowed are {', '.join(allowed)}.")


def check_guidance(guidance: float) -> None:
    """Raise unless the guidance is a finite number of 0 or more."""
    if not (math.isfinite(guidance) and guidance >= 0):
        raise ConfigError(f"The guidance is {guidance:g}; it takes a number of 0 or more, and 1 switches it off.")


def check_facing(facing: str) -> None:
    """Raise unless the text names one of the axes that a character can face along."""
    from gambol.character import facing as facings

    facings.facing_vector(facing)


def check_scale(scale: float) -> None:
    """Raise unless the number of metres per file unit is positive and finite."""
    if not (math.isfinite(scale) and scale > 0):
        raise ConfigError(f"The scale is {scale}; it must be a positive number (metres per file unit).")


def check_embedded_prompt(prompt: str) -> None:
    """Raise for a sentence that the embedded prior cannot follow: in another language, or with a negation."""
    from gambol.priors.embedded.text.sentence_check import check_sentence

    check_sentence(prompt)


def check_negative(negative: str, check: Callable[[str], None]) -> None:
    """Raise where a prior's check of sentences refuses the negative text; the message says what such a text holds."""
    try:
        check(negative)
    except PriorError as error:
        why = re.split(r"\. (?=[A-Z])", str(error))[0].rstrip(".")
        raise PriorError(
            f'The negative text cannot be used: {why}. It names the motion to avoid itself, in English: "running".'
        ) from error


def check_prompt(prompt: str, *, negative: str = "", prior: str | None, preset: str | None) -> None:
    """Raise for a sentence or a negative text that the prior, given by name or by the preset, cannot follow."""
    if is_embedded(prior) if prior is not None else preset in (None, "sketch"):
        check_embedded_prompt(prompt)
        if negative:
            check_negative(negative, check_embedded_prompt)
