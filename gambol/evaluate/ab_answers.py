"""Blind A/B studies: the questions, the random sides, and the evaluation of the answers."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from gambol.errors import AssetError, ConfigError

QUESTIONS = (
    ("motion_amount", "Motion amount", "Which one moves more?"),
    ("physical_plausibility", "Physical plausibility", "Which one moves more like a real one?"),
    ("text_agreement", "Text agreement", "Which one does better what the text says?"),
)
"""Key, title and text of each question (AKD 6.1.1: Motion Amount, Physical Plausibility, Text Alignment)."""
STUDY_SCHEMA = 1
"""Version of the format of studies and answer files."""


@dataclass(frozen=True)
class Preference:
    """How often B was chosen for one question."""

    question: str
    """Title of the question."""
    chosen_a: int
    """How often A was chosen."""
    chosen_b: int
    """How often B was chosen."""
    share_b: float
    """Share of the answers that chose B."""
    low: float
    """Lower end of the share's 95 % interval (Clopper and Pearson)."""
    high: float
    """Upper end of the share's 95 % interval (Clopper and Pearson)."""


@dataclass(frozen=True)
class StudyResult:
    """All answers of one study together."""

    name_a: str
    """Name of method A."""
    name_b: str
    """Name of method B."""
    evaluators: int
    """Number of answer files."""
    preferences: tuple[Preference, ...]
    """Result of each question."""


def left_is_a(pairs: int, seed: int) -> Bool[ndarray, "pairs"]:
    """Whether A is on the left of each pair: in half of them, in an order drawn from the seed."""
    sides = np.arange(pairs) % 2 == 0
    generator = np.random.default_rng(seed)
    if pairs % 2:  # the odd one is random
        sides = sides ^ bool(generator.integers(2))
    return generator.permutation(sides)


def seal(name_a: str, name_b: str, sides: Bool[ndarray, "pairs"]) -> str:
    """Encode names and sides as one word that a viewer cannot read at a glance; answer files contain it."""
    key = {"a": name_a, "b": name_b, "left_is_a": [bool(side) for side in sides]}
    return base64.b64encode(json.dumps(key).encode()).decode("ascii")


def make_study(films: list[tuple[str, str]], prompts: list[str], name_a: str, name_b: str, seed: int) -> dict[str, Any]:
    """Data of an A/B page: films (data URLs) by side, without saying which method is on which."""
    sides = left_is_a(len(films), seed)
    pairs = []
    for (a, b), prompt, first in zip(films, prompts, sides, strict=True):
        left, right = (a, b) if first else (b, a)
        pairs.append({"prompt": prompt, "left": left, "right": right})
    key = seal(name_a, name_b, sides)
    questions = [{"key": name, "text": text} for name, _, text in QUESTIONS]
    known = "".join([key, *(film for pair in films for film in pair)])
    name = hashlib.sha256(known.encode()).hexdigest()[:16]
    return {"schema": STUDY_SCHEMA, "id": name, "key": key, "questions": questions, "pairs": pairs}


def read_answers(paths: Sequence[str | Path]) -> StudyResult:
    """Read the answer files of one study and count how often each method was chosen."""
    if not paths:
        raise ConfigError("There are no answer files to read.")
    counts = {key: [0, 0] for key, _, _ in QUESTIONS}
    first: str | None = None
    for path in map(Path, paths):
        data = _read(path)
        if first is not None and data["key"] != first:
            raise AssetError(f"{path.name} answers another study than {Path(paths[0]).name}; read them one by one.")
        first = data["key"]
        sides = _unseal(first, path)["left_is_a"]
        for answer in data["answers"]:
            question, pair, choice = answer.get("question"), answer.get("pair"), answer.get("choice")
            known = question in counts and choice in ("left", "right")
            if not known or not isinstance(pair, int) or not 0 <= pair < len(sides):
                raise AssetError(f"{path.name} holds an answer that this study did not ask for: {answer}.")
            counts[question][int((choice == "left") != sides[pair])] += 1
    assert first is not None
    names = _unseal(first, Path(paths[0]))
    preferences = tuple(_preference(title, *counts[key]) for key, title, _ in QUESTIONS)
    return StudyResult(names["a"], names["b"], len(paths), preferences)


def share_interval(chosen: int, count: int) -> tuple[float, float]:
    """Exact 95 % interval of a share (Clopper and Pearson): quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k)."""
    from scipy.stats import beta

    low = float(beta.ppf(0.025, chosen, count - chosen + 1)) if chosen > 0 else 0.0
    high = float(beta.ppf(0.975, chosen + 1, count - chosen)) if chosen < count else 1.0
    return low, high


def _preference(title: str, a: int, b: int) -> Preference:
    if a + b == 0:
        return Preference(title, 0, 0, 0.5, 0.0, 1.0)
    return Preference(title, a, b, b / (a + b), *share_interval(b, a + b))


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise AssetError(f"There is no file {path}.") from error
    except (ValueError, OSError) as error:
        raise AssetError(f"{path.name} cannot be read as JSON: {error}.") from error
    ok = isinstance(data, dict) and isinstance(data.get("answers"), list) and isinstance(data.get("key"), str)
    if not ok or data.get("schema") != STUDY_SCHEMA or not all(isinstance(answer, dict) for answer in data["answers"]):
        raise AssetError(f"{path.name} is no answer file of an A/B page (schema {STUDY_SCHEMA}).")
    return data


def _unseal(key: str, path: Path) -> dict[str, Any]:
    try:
        data = json.loads(base64.b64decode(key, validate=True))
        return {"a": str(data["a"]), "b": str(data["b"]), "left_is_a": [bool(side) for side in data["left_is_a"]]}
    except (ValueError, KeyError, TypeError) as error:
        raise AssetError(f"{path.name}: the key of its sides is broken; take the file as the page wrote it.") from error
