"""Does the judge know what it sees? Labelled real clips, motion capture, and clips of creatures made by code.

Run: GAMBOL_DATA=... python benchmarks/judge.py [--quick] [--write]
Each rule must accept at least 90 % of its own label and at most 10 % of any other one of idle, walk, run (and gallop),
jump (and hop), turn. Artists' gaits have their travel restored first. `--write` puts the confusion table into
docs/judge.md, `--misses` names the clips that were taken for something else. What was measured is kept in
out/judge.jsonl, so a stopped run goes on where it was and a change of rules or labels is judged in seconds; it is
measured anew where the code of clips or traits has changed.
"""

import csv
import hashlib
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from judge_labels import HELD_OUT, WRONG, label_of_description, label_of_name
from measure import Scoreboard

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion, motions_for
from gambol.creatures.gaits.motion_style import draw_style
from gambol.errors import GambolError
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.recognise import recognise_traits
from gambol.evaluate.traits import Traits, traits_of, traits_of_pieces
from gambol.files.asset import load
from gambol.motion.clip import Clip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.travel import restore_travel
from gambol.motion.motion_names import MOTIONS, canonical_motion

CORE = ("idle", "walk", "run", "jump", "turn")
GAITS = ("walk", "run", "trot", "sneak", "turn left", "turn right")
"""Names of clips whose travel is restored (`gambol convert --restore-travel` goes by the names too)."""
FAMILIES = (
    "fox",
    "horse",
    "cat",
    "human",
    "ostrich",
    "trex",
    "spider",
    "lizard",
    "snake",
    "songbird",
    "elephant",
    "giraffe",
)
PER_FAMILY = 20
ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "out" / "judge.jsonl"
DOCS = ROOT / "docs" / "judge.md"

Labelled = tuple[str, str, str, Character, Anatomy, Clip]
"""Group, name, label, and the clip with whom it moves."""
Source = tuple[str, Callable[[], Iterator[Labelled]]]
"""A file or a creature, and what gives its clips."""


def real_sources(data: Path, quick: bool) -> Iterator[Source]:
    """Character files."""
    files = sorted([*data.glob("characters/*/*.glb"), *data.glob("characters/*/*.gltf")])
    for path in files[:: 4 if quick else 1]:
        if not path.stem.endswith(("-mesh", "-rig")):
            yield f"{path.parent.name}/{path.stem}", partial(real_clips, path)


def real_clips(path: Path) -> Iterator[Labelled]:
    """Clips of a character whose names say what they show."""
    who, asset = f"{path.parent.name}/{path.stem}", load(path)
    character = asset.character
    if character.skeleton is None or character.weights is None:
        return
    anatomy = find_anatomy(character)
    for node_clip in asset.clips:
        label = label_of_name(node_clip.name)
        if label is None or node_clip.duration < 0.15:
            continue
        clip = clip_with_feet(character, node_clip, anatomy)
        if label in GAITS:
            with suppress(GambolError):  # feet that never stand say no way
                clip = restore_travel(character, clip, anatomy, ground=True)
        group = "held out" if who in HELD_OUT else "training"
        yield group, f"{who}: {node_clip.name}", label, character, anatomy, clip


def captured_sources(data: Path, quick: bool) -> Iterator[Source]:
    """CMU clips whose descriptions say what they show; every fifth of a category is held out."""
    with (data / "mocap/cmu/labels.csv").open() as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["file"])
    seen: Counter[str] = Counter()
    for number, row in enumerate(rows):
        group = "held out" if seen[row["category"]] % 5 == 4 else "training"
        seen[row["category"]] += 1
        label = label_of_description(row["category"], row["description"])
        if label is not None and not (quick and number % 6):
            path = data / "mocap/cmu" / row["file"]
            yield f"cmu/{path.stem}", partial(captured_clip, path, group, label)


def captured_clip(path: Path, group: str, label: str) -> Iterator[Labelled]:
    """The one clip of a file of motion capture."""
    asset = load(path)
    anatomy = find_anatomy(asset.character)
    clip = clip_with_feet(asset.character, asset.clips[0], anatomy)
    yield group, f"cmu/{path.stem}", label, asset.character, anatomy, clip


def made_sources(quick: bool) -> Iterator[Source]:
    """Random creatures."""
    for family in FAMILIES:
        for seed in range(2 if quick else PER_FAMILY):
            yield f"{family} {seed}", partial(made_clips, family, seed)


def made_clips(family: str, seed: int) -> Iterator[Labelled]:
    """Every motion of a creature in a random manner."""
    character = make_creature(family, seed=9000 + seed, vertices=1500).character()
    anatomy = find_anatomy(character)
    for number, motion in enumerate(motions_for(anatomy)):
        style = draw_style(np.random.default_rng([seed, number]))
        clip = make_motion(character, anatomy, motion, style, seconds=2.0)
        yield "made", f"{family} {seed}: {motion}", canonical_motion(motion), character, anatomy, clip


def fingerprint() -> str:
    """Changes with the code that makes clips and measures traits, not with the rules or the labels' exceptions."""
    folder = ROOT / "gambol"
    paths = [folder / "evaluate" / f"{name}.py" for name in ("gait_cycle", "observation", "traits")]
    paths += [path for room in ("motion", "creatures") for path in sorted((folder / room).rglob("*.py"))]
    code = hashlib.sha256()
    for path in paths:
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


def measured(quick: bool) -> Iterator[tuple[str, list]]:
    """Name, and group, name, label, traits and traits of the pieces of each clip, of every source."""
    data = Path(os.environ["GAMBOL_DATA"]) if "GAMBOL_DATA" in os.environ else None
    sources = list(made_sources(quick))
    if data is not None:
        sources = [*real_sources(data, quick), *captured_sources(data, quick), *sources]
    STORE.parent.mkdir(exist_ok=True)
    lines = STORE.read_text().splitlines() if STORE.exists() else []
    first = json.dumps({"code": fingerprint()})
    if not lines or lines[0] != first:
        lines = [first]
        STORE.write_text(first + "\n")
    known = {entry["source"]: entry["clips"] for entry in map(json.loads, lines[1:])}
    with STORE.open("a") as file:
        for name, clips in sources:
            if name not in known:
                known[name] = [[*clip[:3], *traits_of_clip(*clip[3:])] for clip in clips()]
                file.write(json.dumps({"source": name, "clips": known[name]}) + "\n")
                file.flush()
            yield name, known[name]


def traits_of_clip(character: Character, anatomy: Anatomy, clip: Clip) -> tuple[dict, list[dict]]:
    """Of the clip and of its pieces, as plain data."""
    seen = observe_clip(character, anatomy, clip)
    whole = traits_of(seen)
    return asdict(whole), [asdict(piece) for piece in traits_of_pieces(seen, whole)]


def verdicts(quick: bool) -> dict[str, tuple[str, str, str]]:
    """Group, label and verdict of every clip, by name."""
    found = {}
    for _, clips in measured(quick):
        for group, name, label, whole, pieces in clips:
            if name not in WRONG:
                said = recognise_traits(Traits(**whole), [Traits(**piece) for piece in pieces])
                found[name] = (group, label, said.motion)
    return found


def confusion(found: dict[str, tuple[str, str, str]], groups: tuple[str, ...]) -> dict[str, Counter[str]]:
    """How often each label was taken for each motion; a turn that is labelled without a side is right to either."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for group, label, verdict in found.values():
        if group in groups:
            table[label]["turn" if label == "turn" and verdict.startswith("turn") else verdict] += 1
    return table


def merged(table: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """The same with left and right turns as one."""
    result: dict[str, Counter[str]] = defaultdict(Counter)
    for label, row in table.items():
        for verdict, count in row.items():
            sides = {"turn left", "turn right"}
            crossed = label in sides and verdict in sides and label != verdict
            key = "turned the wrong way" if crossed else ("turn" if verdict in sides else verdict)
            result["turn" if label in sides else label][key] += count
    return result


def report(found: dict[str, tuple[str, str, str]]) -> Scoreboard:
    """Lines for the core motions, for all clips together and for each group."""
    board = Scoreboard()
    for title, groups in {
        "all": ("training", "held out", "made"),
        "training": ("training",),
        "held-out": ("held out",),
        "made": ("made",),
    }.items():
        table = merged(confusion(found, groups))
        for motion in CORE:
            total = sum(table[motion].values())
            if not total:
                continue
            right = table[motion][motion] / total
            wrong = {o: table[o][motion] / max(sum(table[o].values()), 1) for o in CORE if o != motion}
            worst = max(wrong, key=lambda o: wrong[o])
            if title == "all":
                board.at_least(f"{motion}:own-label-accepted({total})", right, 0.9, "")
                board.at_most(f"{motion}:other-label-accepted({worst})", wrong[worst], 0.1, "")
            else:
                print(f"#   {title} {motion}: own {right:.2f} of {total}, worst other {worst} {wrong[worst]:.2f}")
    return board


def markdown(found: dict[str, tuple[str, str, str]]) -> str:
    """The table for the docs."""
    lines = []
    for title, groups in {
        "Real clips and motion capture, training split": ("training",),
        "Real clips and motion capture, held out": ("held out",),
        "Creatures made by code": ("made",),
    }.items():
        table = confusion(found, groups)
        columns = [m for m in MOTIONS if any(table[label][m] for label in table)]
        lines += [f"### {title}", "", "| label | clips | right | " + " | ".join(columns) + " |"]
        lines.append("|" + "---|" * (len(columns) + 3))
        for label in [*MOTIONS, "turn"]:
            row = table.get(label)
            if not row:
                continue
            total = sum(row.values())
            cells = " | ".join(str(row[m] or "") for m in columns)
            lines.append(f"| {label} | {total} | {row[label] / total:.0%} | {cells} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Run all."""
    found = verdicts("--quick" in sys.argv)
    board = report(found)
    if "--misses" in sys.argv:
        for name, (group, label, verdict) in found.items():
            if label != verdict and not (label == "turn" and verdict.startswith("turn")):
                print(f"#   {group}: {name} is {label}, taken for {verdict}")
    if "--write" in sys.argv:
        begin, end = "<!-- confusion -->", "<!-- /confusion -->"
        text = DOCS.read_text()
        head, rest = text.split(begin)
        DOCS.write_text(f"{head}{begin}\n\n{markdown(found)}\n{end}{rest.split(end)[1]}")
    board.finish()


if __name__ == "__main__":
    main()
