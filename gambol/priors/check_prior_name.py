"""Names of priors, checked without a heavy library, so that a mistyped name is reported at once."""

from __future__ import annotations

from pathlib import Path

from gambol.errors import ConfigError
from gambol.priors.diffusers.catalogue import KNOWN_MODELS

EMBEDDED = "embedded"
"""Name of the prior that comes with Gambol."""
EMBEDDED_WEIGHTS = Path(__file__).parent / "embedded" / "weights" / "motion.safetensors"
"""Its weights."""


def is_embedded(name: str) -> bool:
    """Whether a name stands for the embedded prior with its own or other weights, and not for a large model."""
    return name == EMBEDDED or name.endswith(".safetensors")


def check_prior_name(name: str) -> None:
    """Raise unless a name stands for a prior: embedded, a weights file, a known model, a folder or owner/model."""
    if name == EMBEDDED:
        return
    if name.endswith(".safetensors"):
        if not Path(name).is_file():
            raise ConfigError(f"There is no weights file {name}; make one: gambol prior train -o FOLDER")
    elif not (Path(name).is_dir() or name.lower() in KNOWN_MODELS or name.count("/") == 1):
        raise ConfigError(
            f"There is no prior '{name}'. Known are {EMBEDDED}, {', '.join(KNOWN_MODELS)}; or give 'owner/model' of the"
            " hub, a folder that diffusers wrote, or a .safetensors file that `gambol prior train` wrote."
        )
