"""Does the judge know what it sees? Labelled real clips, motion capture, and clips of creatures made by code.

Run: GAMBOL_DATA=... python benchmarks/judge.py [--quick] [--write]
Each rule must accept at least 90 % of its own label and at most 10 % of any other one of idle, walk, run (and gallop),
jump (and hop), turn. Real clips have their travel restored first. `--write` puts the confusion table into
docs/judge.md. Verdicts are kept in out/judge.json as they come; delete it after a change of the rules.
"""

import csv
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from judge_labels import HELD_OUT, WRONG, label_of_description, label_of_name
from measure import Scoreboard

from gambol.character.anatomy import Anatomy
from gambol.character.anatomy_tags import find_anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits import make_motion, motions_for
from gambol.creatures.style import draw_style
from gambol.errors import GambolError
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.recognise import MOTIONS, SAME, recognise
from gambol.files.asset import load
from gambol.motion.clip import Clip
from gambol.motion.file_feet import clip_with_feet
from gambol.motion.travel import restore_travel

CORE = ("idle", "walk", "run", "jump", "turn")
GAITS = ("walk", "run", "trot", "sneak", "turn left", "turn right")
"""Labels of clips whose travel is restored."""
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
STORE = Path("out/judge.json")
DOCS = Path("docs/judge.md")

Labelled = tuple[str, str, str, Character, Anatomy, Clip]
"""Group, name, label, and the clip with whom it moves."""


def real_clips(data: Path, quick: bool) -> Iterator[Labelled]:
    """Clips of the characters whose names say what they show."""
    files = sorted([*data.glob("characters/*/*.glb"), *data.glob("characters/*/*.gltf")])
    for path in files[:: 4 if quick else 1]:
        who = f"{path.parent.name}/{path.stem}"
        if path.stem.endswith(("-mesh", "-rig")):
            continue
        asset = load(path)
        character = asset.character
        if character.skeleton is None or character.weights is None or not asset.clips:
            continue
        anatomy = find_anatomy(character)
        for node_clip in asset.clips:
            label, name = label_of_name(node_clip.name), f"{who}: {node_clip.name}"
            if label is None or name in WRONG or node_clip.duration < 0.15:
                continue
            clip = clip_with_feet(character, node_clip, anatomy)
            try:
                moved = restore_travel(character, clip, anatomy, ground=True) if label in GAITS else clip
            except GambolError:
                moved = clip
            yield "held out" if who in HELD_OUT else "training", name, label, character, anatomy, moved


def captured_clips(data: Path, quick: bool) -> Iterator[Labelled]:
    """CMU clips whose descriptions say what they show; every fifth of a category is held out."""
    with (data / "mocap/cmu/labels.csv").open() as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["file"])
    seen: Counter[str] = Counter()
    for number, row in enumerate(rows):
        place = seen[row["category"]]
        seen[row["category"]] += 1
        name = f"cmu/{Path(row['file']).stem}"
        label = label_of_description(row["category"], row["description"])
        if label is None or name in WRONG or (quick and number % 6):
            continue
        asset = load(data / "mocap/cmu" / row["file"])
        anatomy = find_anatomy(asset.character)
        clip = clip_with_feet(asset.character, asset.clips[0], anatomy)
        yield "held out" if place % 5 == 4 else "training", name, label, asset.character, anatomy, clip


def made_clips(quick: bool) -> Iterator[Labelled]:
    """Every motion of random creatures in random manners."""
    for family in FAMILIES:
        for seed in range(2 if quick else PER_FAMILY):
            creature = make_creature(family, seed=9000 + seed, vertices=1500)
            character = creature.character()
            anatomy = find_anatomy(character)
            for number, motion in enumerate(motions_for(anatomy)):
                style = draw_style(np.random.default_rng([seed, number]))
                clip = make_motion(character, anatomy, motion, style, seconds=2.0)
                yield "made", f"{family} {seed}: {motion}", SAME.get(motion, motion), character, anatomy, clip


def verdicts(quick: bool) -> dict[str, tuple[str, str, str]]:
    """Group, label and verdict of every clip, by name."""
    known = json.loads(STORE.read_text()) if STORE.exists() else {}
    data = Path(os.environ["GAMBOL_DATA"]) if "GAMBOL_DATA" in os.environ else None
    sources = [made_clips(quick)]
    if data is not None:
        sources = [real_clips(data, quick), captured_clips(data, quick), *sources]
    found = {}
    for source in sources:
        for number, (group, name, label, character, anatomy, clip) in enumerate(source):
            if name not in known:
                known[name] = recognise(observe_clip(character, anatomy, clip)).motion
                if number % 50 == 0:
                    _keep(known)
            found[name] = (group, label, known[name])
        _keep(known)
    return found


def _keep(known: dict[str, str]) -> None:
    STORE.parent.mkdir(exist_ok=True)
    partial = STORE.with_suffix(".part")
    partial.write_text(json.dumps(known, indent=0))
    partial.replace(STORE)


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
