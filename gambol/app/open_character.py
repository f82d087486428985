"""A character file opened for a page: what it holds, what its bones are, its model for the browser, its rig if made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gambol.app.plain_data import plain_data
from gambol.files.asset import Asset, load
from gambol.files.describe_file import describe
from gambol.progress import Progress

if TYPE_CHECKING:
    from gambol.character.anatomy.anatomy import Anatomy


@dataclass(frozen=True)
class OpenedCharacter:
    """A character as a page shows it."""

    file: Path
    """The file that every verb is given: the source, or `prepared` where it was rigged."""
    rigged: bool
    """Whether the skeleton was made here."""
    summary: dict[str, Any]
    """What `gambol inspect --json` prints."""
    anatomy: dict[str, Any] | None
    """Bones with part, side, order, contact and colour, and the limbs; None without a skeleton."""
    facts: dict[str, Any]
    """What the player page needs besides the model."""
    model: bytes
    """The character as a .glb that browsers read."""
    notes: tuple[str, ...]
    """Sentences for people."""


def open_character(
    file: Path,
    *,
    prepared: Path,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    template: str = "auto",
    rig: Mapping[str, Any] | None = None,
    parts: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> OpenedCharacter:
    """Open a character file; a bare mesh gets a skeleton, and the rigged file is written to `prepared` (.glb).

    `rig` holds further options of `gambol rig`; where it is given, a skeleton that the file has is replaced. `parts`
    are corrections of the anatomy, body parts by bone; they are written to `prepared` too.
    """
    asset = load(file, scale=scale, facing=facing, character=character)
    bare = asset.character.mesh is not None and asset.character.weights is None
    notes: tuple[str, ...] = ()
    if bare or rig is not None:
        from gambol.app.rig import rig_file

        chosen = {"scale": scale, "facing": facing, "character": character, "template": template}
        result = rig_file(file, prepared, **chosen, **(rig or {}), progress=progress)  # type: ignore[arg-type]
        notes = (*(("The file has no skeleton, so it gets one.",) if bare else ()), *result.notes)
        asset = load(prepared, scale=result.asset.character.placement.scale, facing=result.rig.facing)
    elif not parts:
        prepared.unlink(missing_ok=True)
    if parts:
        from gambol.app.correct_anatomy import write_corrected

        placement = asset.character.placement
        write_corrected(asset, parts, prepared)
        asset = load(prepared, scale=placement.scale, facing=placement.facing)
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.render.part_palette import bone_colours
    from gambol.view.player_facts import page_facts
    from gambol.view.player_model import embedded_model

    skeleton = asset.character.skeleton
    anatomy = find_anatomy(asset.character) if skeleton is not None and asset.character.mesh is not None else None
    colours = bone_colours(anatomy, skeleton) if anatomy is not None and skeleton is not None else None
    model = embedded_model(asset)
    return OpenedCharacter(
        file=prepared if bare or rig is not None or parts else file,
        rigged=bare,
        summary=plain_json(asdict(describe(asset))),
        anatomy=None if anatomy is None else anatomy_data(asset, anatomy, colours),
        facts=plain_json(page_facts(asset, model, bone_colours=colours)),
        model=model.glb,
        notes=notes,
    )


def anatomy_data(asset: Asset, anatomy: Anatomy, colours: np.ndarray | None) -> dict[str, Any]:
    """The anatomy as plain data: every bone, and the limbs by the names of their bones."""
    names = asset.character.require_skeleton().names
    shades = np.zeros((len(names), 3)) if colours is None else colours
    bones = [
        {
            "name": name,
            "part": anatomy.parts[i].value,
            "side": anatomy.sides[i].value,
            "order": int(anatomy.orders[i]),
            "contact": bool(anatomy.contacts[i]),
            "colour": "#" + "".join(f"{round(255 * float(c)):02x}" for c in shades[i]),
        }
        for i, name in enumerate(names)
    ]
    limbs = [
        {
            "part": limb.part.value,
            "side": limb.side.value,
            "pair": limb.pair,
            "bones": [names[b] for b in limb.bones],
            "contact": None if limb.contact is None else names[limb.contact],
        }
        for limb in anatomy.limbs
    ]
    return {"bones": bones, "limbs": limbs}


def plain_json(value: Any) -> Any:
    """Plain data without numbers that JSON has no form for: those become null."""
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain_json(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(inside) for inside in value]
    if isinstance(value, np.generic):
        return plain_json(value.item())
    return plain_data(value)
