"""The player page of an asset, written to a file or opened in the browser."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

from jaxtyping import Float
from numpy import ndarray

from gambol.errors import GambolError
from gambol.files.asset import Asset
from gambol.view.player_page import write_player


def show_player(
    asset: Asset,
    html: Path | None = None,
    *,
    clip: str | None = None,
    bone_colours: Float[ndarray, "bones 3"] | None = None,
) -> Path:
    """Write the player page to `html`, or to a temporary file that is opened in the browser; returns its path.

    `clip` (name or number) plays first; `bone_colours` are sRGB, one per bone of the motion skeleton.
    """
    if html is not None:
        return write_player(asset, html, bone_colours=bone_colours, clip=clip)
    folder = Path(tempfile.mkdtemp(prefix="gambol-view-"))  # stays: the browser reads it after we are gone
    page = write_player(asset, folder / f"{asset.path.stem}.html", bone_colours=bone_colours, clip=clip)
    if not webbrowser.open(page.as_uri()):
        todo = "Open it by hand, or write it where you want: --html OUT.html"
        raise GambolError(f"The page was written to {page}, but no browser was found to open it. {todo}")
    return page
