"""Gambol gives any rigged 3D character motion from a sentence.

import gambol

fox = gambol.load("fox.glb")
clip = gambol.animate(fox, "a fox is running")
gambol.save(fox, clip, "fox-runs.glb")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from gambol.diffusion.video_prior import VideoPrior
    from gambol.files.asset import Asset
    from gambol.motion.clip import Clip

# Torch's threads wait asleep instead of spinning, because kernels that are not torch's share the cores with them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__version__ = "0.1.0"


def load(
    path: str | Path, *, scale: float | None = None, facing: str | None = None, character: str | None = None
) -> Asset:
    """Read a character file.

    `scale` (metres per file unit) and `facing` (+x, -x, +z, -z) override what is found out from the file; `character`
    names one of several characters in the file, of which the largest is the default.
    """
    from gambol.files.asset import load as load_asset

    return load_asset(path, scale=scale, facing=facing, character=character)


def animate(character: Asset, prompt: str, *, prior: VideoPrior[Any] | None = None, **settings: Any) -> Clip:
    """The clip that a sentence asks for, 30 frames per second, on its way over the ground.

    `settings` are fields of `gambol.distill.settings.DistilSettings`: seed, steps, guidance, seconds, loop, ..., and of
    `gambol.distill.post_processing.PostProcessing`: in_place, travel, foot_lock. Without a `prior`: the embedded one.
    """
    from gambol.app.animate_variants import Wish, animate_asset
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.settings import settings_from
    from gambol.errors import AssetError
    from gambol.files.asset import Asset
    from gambol.priors.embedded.prior import load_embedded

    if not isinstance(character, Asset):
        raise AssetError(f"animate was given {character!r}; it takes what gambol.load gives.")
    last = {name: settings.pop(name) for name in PostProcessing.__dataclass_fields__ if name in settings}
    wish = Wish(prompt, settings_from(settings), PostProcessing(**last))
    return animate_asset(character, prior or load_embedded(), wish).clip


def save(character: Asset, clip: Clip, path: str | Path) -> Path:
    """Write the character with the clip as its last animation, by the path's suffix, and read it back."""
    from gambol.files.asset import export_clip

    return export_clip(character, clip, path)
