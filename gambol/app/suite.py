"""The benchmark suite: which characters are asked to do what, and which of them nothing was trained on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import AssetError, ConfigError
from gambol.motion.motion_names import MOTIONS, canonical_motion

SPLITS = ("train", "held-out")
BUILT_IN = "built-in:"
"""A character that starts with this is made by code from the words that follow; others are files below the data
folder."""


@dataclass(frozen=True)
class SuiteItem:
    """One character and what it is asked to do."""

    character: str
    prompt: str
    motion: str
    """What the judge should recognise: one of its motions, or another name of one."""
    split: str
    """`held-out`: no prior and no pose model ever saw this character or a sibling of its rig."""

    @property
    def built_in(self) -> str | None:
        """The words that make the character, where it is made by code."""
        return self.character[len(BUILT_IN) :] if self.character.startswith(BUILT_IN) else None


def load_suite(path: str | Path) -> tuple[SuiteItem, ...]:
    """Read and check a suite file: schema 1, `items` with character, prompt, motion and split."""
    path = Path(path)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssetError(f"{path} cannot be read as a suite: {error}.") from error
    if not isinstance(told, dict) or told.get("schema") != 1 or not isinstance(told.get("items"), list):
        raise AssetError(f"{path.name} must hold schema 1 and a list of items.")
    items = tuple(_item(path.name, place, entry) for place, entry in enumerate(told["items"]))
    twice = {item for item in items if items.count(item) > 1}
    if twice:
        raise AssetError(f"{path.name} has items that occur twice: {', '.join(i.prompt for i in twice)}.")
    return items


def _item(file: str, place: int, entry: object) -> SuiteItem:
    fields = ("character", "prompt", "motion", "split")
    if not isinstance(entry, dict) or set(entry) != set(fields):
        raise AssetError(f"{file}: item {place} needs exactly the fields {', '.join(fields)}.")
    if not all(isinstance(entry[name], str) and entry[name].strip() for name in fields):
        raise AssetError(f"{file}: every field of item {place} must be a text.")
    item = SuiteItem(**entry)
    if canonical_motion(item.motion) not in MOTIONS:
        raise AssetError(f"{file}: item {place} asks for '{item.motion}'; the judge knows {', '.join(MOTIONS)}.")
    if item.split not in SPLITS:
        raise AssetError(f"{file}: item {place} is of the split '{item.split}'; allowed are {', '.join(SPLITS)}.")
    if item.built_in is not None:
        from gambol.creatures.description import parse_description

        try:
            parse_description(item.built_in)
        except ConfigError as error:
            raise AssetError(f"{file}: item {place}: {error}") from error
    return item
