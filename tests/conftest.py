"""Run-time shape checks: every jaxtyping signature of the package is enforced while the tests run."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from jaxtyping import install_import_hook

install_import_hook(
    [f"gambol.{room}" for room in ("character", "motion", "diffusion", "priors", "distill")], "beartype.beartype"
)
