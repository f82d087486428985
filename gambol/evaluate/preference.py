"""Blind A/B studies: what is asked, how sides are drawn, and what the answers add up to."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from gambol.errors import AssetError

QUESTIONS = (
    ("motion_amount", "Motion amount", "Which one moves more?"),
    ("physical_plausibility", "Physical plausibility", "Which one moves more like a real one?"),
    ("text_agreement", "Text agreement", "Which one does better what the text says?"),
)
"""AKD 6.1.1: Motion Amount, Physical Plausibility, Text Alignment; key, name, question."""
SCHEMA = 1


@dataclass(frozen=True)
class Preference:
    """How often B was chosen for one question."""

    question: str
    chosen_a: int
    chosen_b: int
    share_b: float
    low: float
    high: float
    """95 % interval of the share (Clopper and Pearson)."""


@dataclass(frozen=True)
class StudyResult:
    """All answers of one study together."""

    name_a: str
    name_b: str
    evaluators: int
    preferences: tuple[Preference, ...]


def left_is_a(pairs: int, seed: int) -> Bool[ndarray, "pairs"]:
    """For every pair, whether A stands on the left: half of them, in an order drawn from the seed."""
    sides = np.arange(pairs) % 2 == 0
    generator = np.random.default_rng(seed)
    if pairs % 2:  # the odd one is a toss-up
        sides = sides ^ bool(generator.integers(2))
    return generator.permutation(sides)


def seal(name_a: str, name_b: str, sides: Bool[ndarray, "pairs"]) -> str:
    """Names and sides as one word that a viewer cannot read at a glance; answers carry it along."""
    told = {"a": name_a, "b": name_b, "left_is_a": [bool(side) for side in sides]}
    return base64.b64encode(json.dumps(told).encode()).decode("ascii")


def read_answers(paths: Sequence[str | Path]) -> StudyResult:
    """Add up answer files of one study."""
    if not paths:
        raise AssetError("There are no answer files to read.")
    counts = {key: [0, 0] for key, _, _ in QUESTIONS}
    first: str | None = None
    for path in map(Path, paths):
        told = _read(path)
        if first is not None and told["key"] != first:
            raise AssetError(f"{path.name} answers another study than {Path(paths[0]).name}; read them one by one.")
        first = told["key"]
        sides = _unseal(first, path)["left_is_a"]
        for answer in told["answers"]:
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
    """Clopper and Pearson's exact 95 % interval of a share: quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k)."""
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
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise AssetError(f"There is no file {path}.") from error
    except (ValueError, OSError) as error:
        raise AssetError(f"{path.name} cannot be read as JSON: {error}.") from error
    ok = isinstance(told, dict) and isinstance(told.get("answers"), list) and isinstance(told.get("key"), str)
    if not ok or told.get("schema") != SCHEMA or not all(isinstance(answer, dict) for answer in told["answers"]):
        raise AssetError(f"{path.name} is no answer file of an A/B page (schema {SCHEMA}).")
    return told


def _unseal(key: str, path: Path) -> dict[str, Any]:
    try:
        told = json.loads(base64.b64decode(key, validate=True))
        return {"a": str(told["a"]), "b": str(told["b"]), "left_is_a": [bool(side) for side in told["left_is_a"]]}
    except (ValueError, KeyError, TypeError) as error:
        raise AssetError(f"{path.name}: the key of its sides is broken; take the file as the page wrote it.") from error
