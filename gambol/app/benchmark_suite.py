"""The benchmark suite: characters with the prompts they are animated with, and whether models were trained on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from gambol.errors import AssetError, ConfigError
from gambol.motion.motion_names import MOTIONS, canonical_motion

SUITE_SPLITS = ("train", "held-out")
"""Splits of a suite: models may have been trained on characters of the first one only."""
BUILT_IN_PREFIX = "built-in:"
"""Prefix of characters that are made by code from the words after it; others are files in the data folder."""


@dataclass(frozen=True)
class SuiteItem:
    """One character with a prompt."""

    character: str
    """File in the data folder, or `built-in:` and the words that make the character."""
    prompt: str
    """The sentence to animate it with."""
    motion: str
    """The motion that the recogniser should find, by any of its names."""
    split: str
    """train, or held-out: no model was trained on this character or on another one with its rig."""

    @property
    def built_in(self) -> str | None:
        """The words that make the character; None where it is a file."""
        return self.character[len(BUILT_IN_PREFIX) :] if self.character.startswith(BUILT_IN_PREFIX) else None


def load_suite(path: str | Path) -> tuple[SuiteItem, ...]:
    """Read a suite file and check it: schema 1, `items` with character, prompt, motion and split."""
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssetError(f"{path} cannot be read as a suite: {error}.") from error
    if not isinstance(data, dict) or data.get("schema") != 1 or not isinstance(data.get("items"), list):
        raise AssetError(f"{path.name} must hold schema 1 and a list of items.")
    items = tuple(_item(path.name, place, entry) for place, entry in enumerate(data["items"]))
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
        raise AssetError(f"{file}: item {place} asks for '{item.motion}'; the recogniser knows {', '.join(MOTIONS)}.")
    if item.split not in SUITE_SPLITS:
        raise AssetError(f"{file}: item {place} is of the split '{item.split}'; allowed are {', '.join(SUITE_SPLITS)}.")
    if item.built_in is not None:
        from gambol.creatures.description import parse_description

        try:
            parse_description(item.built_in)
        except ConfigError as error:
            raise AssetError(f"{file}: item {place}: {error}") from error
    return item
