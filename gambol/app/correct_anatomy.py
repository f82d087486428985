"""Corrections of the anatomy, written into a copy of the character's file, where every verb finds them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gambol.character.anatomy.anatomy import BodyPart
from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import Asset, export_asset
from gambol.files.gltf.write import new_document


def write_corrected(asset: Asset, parts: Mapping[str, str], target: Path) -> Path:
    """Write the file with the body parts of bones in `extras` of their nodes: `{"gambol": {"part": "leg"}}`.

    A correction holds for the limb that starts at the bone, or for the bone and everything below it.
    """
    character = asset.character
    skeleton, binding = character.skeleton, character.binding
    if skeleton is None or binding is None:
        raise MissingPart(f"{character.name} has no skeleton, so there is nothing to correct.")
    known = [part.value for part in BodyPart]
    document = asset.document or new_document(character.scene, asset.clips, asset.path)
    json: dict[str, Any] = copy.deepcopy(document.json)
    for bone, part in parts.items():
        if bone not in skeleton.names:
            raise ConfigError(f"There is no bone '{bone}'; gambol inspect lists the bones.")
        if part not in known:
            raise ConfigError(f"'{bone}' cannot be {part!r}; it takes {', '.join(known)}.")
        node = json["nodes"][int(binding.bone_nodes[skeleton.names.index(bone)])]
        extras = node["extras"] if isinstance(node.get("extras"), dict) else {}
        own = extras["gambol"] if isinstance(extras.get("gambol"), dict) else {}
        node["extras"] = {**extras, "gambol": {**own, "part": part}}
    return export_asset(replace(asset, document=replace(document, json=json)), target)
