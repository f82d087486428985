"""The player: one self-contained HTML page that plays a character's clips, without network, server or installation."""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

from jaxtyping import Float
from numpy import ndarray

from gambol.errors import AssetError, GambolError
from gambol.files.asset import Asset
from gambol.files.atomic_write import replacing
from gambol.view.page_parts import content_policy, fill_template, page_path, page_piece, script_json
from gambol.view.player_facts import page_facts
from gambol.view.player_model import PlayerModel, embedded_model


def player_page(asset: Asset, *, bone_colours: Float[ndarray, "bones 3"] | None = None, clip: str | None = None) -> str:
    """The player page as HTML text; the same asset gives the same text.

    `bone_colours` are sRGB in [0, 1], one per bone of the motion skeleton; by default there is one hue per chain of
    bones. `clip` (name or number) plays first; by default the file's first clip.
    """
    model = embedded_model(asset)
    return _fill_page(page_facts(asset, model, bone_colours=bone_colours, clip=clip), model)


def write_player(
    asset: Asset, path: str | Path, *, bone_colours: Float[ndarray, "bones 3"] | None = None, clip: str | None = None
) -> Path:
    """Write the player page (see `player_page`), read it back to check it, and return its path."""
    path = page_path(path)
    model = embedded_model(asset)
    facts = page_facts(asset, model, bone_colours=bone_colours, clip=clip)
    with replacing(path) as temporary:
        temporary.write_text(_fill_page(facts, model), encoding="utf-8", newline="\n")
        found_facts, found_model = read_player(temporary)
        if found_model != model.glb or found_facts != json.loads(json.dumps(facts)):
            raise GambolError(f"{path.name} did not read back as it was written; it was not kept.")
    return path


def read_player(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """Read the facts and the .glb out of a player page."""
    text = Path(path).read_text(encoding="utf-8")
    facts = re.search(r'<script type="application/json" id="facts">(.*?)</script>', text, re.DOTALL)
    model = re.search(r'<script type="application/octet-stream" id="model">(.*?)</script>', text, re.DOTALL)
    if facts is None or model is None:
        raise AssetError(f"{Path(path).name} is not a page that Gambol wrote.")
    return json.loads(facts.group(1)), base64.b64decode(model.group(1), validate=True)


def player_parts() -> tuple[str, str]:
    """The player's script and style, for the policy of a page that holds a player."""
    return page_piece("player", "player.js"), page_piece("player", "page.css")


def _fill_page(facts: dict[str, Any], model: PlayerModel) -> str:
    script, style = player_parts()
    fields = {
        "title": html.escape(f"{facts['name']} · Gambol".encode("utf-8", "replace").decode("utf-8")),
        "generator": html.escape(facts["generator"]),
        "policy": content_policy(script, style),
        "style": style,
        "facts": script_json(facts),
        "model": base64.b64encode(model.glb).decode("ascii"),
        "script": script,
    }
    return fill_template(page_piece("player", "page.html"), fields)
