"""Text to 3D: words become a mesh by a generator, the mesh gets a skeleton, the result is a character file."""

from __future__ import annotations

import hashlib
import re
import tempfile
from dataclasses import replace
from pathlib import Path

from gambol.app.animate_request import AnimateFileRequest
from gambol.app.rig import rig_mesh
from gambol.errors import AssetError, ConfigError
from gambol.files.asset import Asset, export_asset, load
from gambol.generators.find_generator import find_generator

VERB_WORDS = re.compile(r"\b(is|are|was|were|'s|starts|begins|keeps|goes)\b", re.IGNORECASE)
"""Words at which the subject of a sentence ends, where no verb of the vocabulary does."""
MOST_SLUG_LETTERS = 40
"""Most letters of the words in a file's name."""


def generate_character(words: str, generator: str, *, seed: int = 0) -> tuple[Asset, tuple[str, ...]]:
    """Make the mesh of some words, rig it where it is bare, and say what it was taken for."""
    if not words.strip():
        raise ConfigError("A generator needs words: what is to be made, as 'an astronaut'.")
    with tempfile.TemporaryDirectory(prefix="gambol-generator-") as folder:
        asset = load(find_generator(generator).generate(words.strip(), Path(folder), seed=seed))
    if asset.character.mesh is None:
        raise AssetError(f"The generator wrote {asset.path.name}, which holds no mesh.")
    if asset.character.weights is not None:
        return asset, ()
    rigged = rig_mesh(asset)
    return rigged.asset, rigged.notes


def write_generated(words: str, generator: str, target: Path, *, seed: int = 0) -> tuple[Path, tuple[str, ...]]:
    """Make a rigged character of some words and write it; notes on the rig are returned too."""
    asset, notes = generate_character(words, generator, seed=seed)
    return export_asset(asset, target), notes


def generated_file(folder: Path, words: str, generator: str, seed: int) -> Path:
    """Where a character that was generated for a run is kept: beside it, named by everything that decides it."""
    decided = hashlib.sha256(repr((words, find_generator(generator).identity, seed)).encode()).hexdigest()[:8]
    slug = "-".join(re.findall(r"[a-z0-9]+", words.lower()))[:MOST_SLUG_LETTERS].strip("-") or "character"
    return folder.parent / f"{slug}-{decided}.glb"


def subject_words(sentence: str) -> str:
    """Who moves in a sentence, with its adjectives: 'an old astronaut is walking' gives 'an old astronaut'."""
    from gambol.priors.embedded.text.sequence import subject_of
    from gambol.priors.embedded.text.tokens import split_tokens

    before = VERB_WORDS.split(sentence, maxsplit=1)[0].strip(" ,.;")
    if before and before != sentence.strip(" ,.;"):
        return before
    return subject_of(split_tokens(sentence)) or sentence.strip()


def with_generated_character(request: AnimateFileRequest, output: Path) -> AnimateFileRequest:
    """The request with the file of a generated character, which is kept beside the run and made only once."""
    if request.generator is None:
        return request
    if request.file is not None:
        raise ConfigError(f"{request.file.name} is animated as it is; leave out the generator, or the file.")
    words = subject_words(request.request.first_prompt)
    file = generated_file(output, words, request.generator, 0)
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_generated(words, request.generator, file)
    return replace(request, file=file, generator=None)
