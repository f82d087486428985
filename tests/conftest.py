"""Run-time shape checks: every jaxtyping signature of the package is enforced while the tests run."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from jaxtyping import install_import_hook

install_import_hook(["gambol.character", "gambol.motion", "gambol.prior"], "beartype.beartype")
