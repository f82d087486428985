"""AKD 6.4 and supplement 6 on the embedded prior: phases of walks and runs, and motions that are hard to ask for.

    python benchmarks/akd_motions.py --quick    six characters walk and run, twelve motions: one seed
    python benchmarks/akd_motions.py            three seeds

Phases are those of `gambol evaluate` on the finished clip. Dance, punch and jump on artists' rigs are the supplement's;
animals that sit down, cartwheels and raised hands are what AKD's authors say their video model cannot show. Resumable:
out/akd_motions.jsonl. Tables go to docs/research/reproduction.md, the plot to out/akd_motions/phases.svg.
"""

import argparse
from functools import cache
from pathlib import Path

import torch
from distillation_suite import data_folder
from reproduction_tables import Store, markdown, write_table

from gambol.app.animate_character import animate_character
from gambol.app.animate_request import AnimateRequest
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.evaluate.metrics import measure
from gambol.evaluate.motion_definitions import SHOWN_SCORE, shows_motion
from gambol.evaluate.observation import observe_clip
from gambol.files.asset import export_scene, load
from gambol.priors.embedded.prior import load_embedded

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out" / "akd_motions"
WALKERS = (
    ("khronos/Fox", "a fox"),
    ("mesh2motion/horse-animated", "a horse"),
    ("quaternius/Wolf", "a wolf"),
    ("quaternius-more/Farm_Animals_Animated___Pig", "a pig"),
    ("built-in tiger", "a tiger"),
    ("built-in deer", "a deer"),
)
"""Six quadrupeds: held-out and other artists' rigs, and bodies made by code."""
HARD = (
    ("kaykit/Rogue", "a girl is dancing", "dance"),
    ("mesh2motion/human-animated", "a person is dancing", "dance"),
    ("quaternius-more/RobotExpressive", "a robot is punching", "punch"),
    ("mesh2motion/human-animated", "a person is punching", "punch"),
    ("khronos/Fox", "a fox is jumping", "jump"),
    ("kaykit/Knight", "a knight is jumping", "jump"),
    ("khronos/Fox", "a fox sits down", "sit down"),
    ("quaternius/Wolf", "a wolf sits down", "sit down"),
    ("built-in cat", "a cat sits down", "sit down"),
    ("mesh2motion/human-animated", "a person does a cartwheel", "cartwheel"),
    ("built-in human", "a man does a cartwheel", "cartwheel"),
    ("mesh2motion/human-animated", "a person raises both hands", "raise hands"),
)
"""Character, sentence and motion: AKD's supplement, then what its authors could not show."""


@cache
def prior():
    """The embedded prior."""
    return load_embedded()


@cache
def asset_of(name: str):
    """The character of a file, or a body made by code."""
    if not name.startswith("built-in "):
        return load(data_folder() / "characters" / f"{name}.glb")
    path = OUT / f"{name.split()[-1]}.glb"
    if not path.exists():
        export_scene(make_creature(name.split()[-1], 900_300, vertices=1500).scene, (), path)
    return load(path)


def finished(name: str, prompt: str, seed: int):
    """The finished clip of a sentence, observed."""
    asset = asset_of(name)
    clip = animate_character(asset, prior(), AnimateRequest(prompt, seed=seed)).clip
    return observe_clip(asset.character, find_anatomy(asset.character), clip)


def gait(name: str, prompt: str, motion: str, seed: int) -> dict:
    """Phases and what the recogniser sees."""
    found = measure(finished(name, prompt, seed))
    return {
        "left_right": found.left_right_phase,
        "fore_hind": found.fore_hind_phase,
        "stride_hz": found.stride_hz,
        "duty": found.duty_factor,
        "seen": found.motion,
    }


def apart(phase: float | None) -> str:
    """A phase as a cell: how far from together, 0 to 0.5."""
    return "-" if phase is None else f"{min(phase % 1.0, 1.0 - phase % 1.0):.2f}"


def drawn(rows: list[tuple[str, str, dict]]) -> str:
    """The feet of each gait on a circle: where in the cycle each foot lands, left fore at the top."""
    from math import cos, pi, sin

    pieces = []
    for k, (who, doing, found) in enumerate(rows):
        x, y = 90 + 150 * (k // 2), 100 + 170 * (k % 2)
        pieces.append(f'<circle cx="{x}" cy="{y}" r="50" fill="none" stroke="#999"/>')
        pieces.append(f'<text x="{x}" y="{y - 62}" text-anchor="middle">{who} {doing}</text>')
        between = found["fore_hind"] or 0.0
        pairs = [p if p is not None else 0.0 for p in found["left_right"]]
        places = {"LF": 0.0, "RF": -pairs[0], "LH": between, "RH": between - (pairs[1] if len(pairs) > 1 else 0.0)}
        for foot, phase in places.items():
            angle = 2 * pi * phase - pi / 2
            fx, fy = x + 50 * cos(angle), y + 50 * sin(angle)
            colour = "#c9501c" if foot[0] == "L" else "#2a6fb0"
            pieces.append(f'<circle cx="{fx:.0f}" cy="{fy:.0f}" r="6" fill="{colour}"/>')
            pieces.append(f'<text x="{x + 34 * cos(angle):.0f}" y="{y + 34 * sin(angle) + 4:.0f}">{foot}</text>')
    width = 180 + 150 * ((len(rows) - 1) // 2)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 350" font-family="sans-serif" font-size="11"'
    return f'{head} text-anchor="middle"><rect width="{width}" height="350" fill="white"/>{"".join(pieces)}</svg>'


def phases(store: Store, seeds: int) -> None:
    """Six quadrupeds walk and run."""
    rows, table = [], []
    for name, who in WALKERS:
        for doing, motion in (("walking", "walk"), ("running", "run")):
            for seed in range(seeds):
                prompt = f"{who} is {doing}"

                def work(name=name, prompt=prompt, motion=motion, seed=seed) -> dict:
                    return gait(name, prompt, motion, seed)

                found = store.get(f"gait {name} {prompt} {seed}", work)
                rows += [(who.split()[-1], motion, found)] if seed == 0 else []
                sides = [apart(p) for p in found["left_right"]]
                cells = (prompt, *sides[:2], *["-"] * (2 - len(sides)), apart(found["fore_hind"]))
                table.append((*cells, f"{found['stride_hz']:.2f}", f"{found['duty']:.2f}", found["seen"]))
    head = ("sentence", "left to right, fore", "left to right, hind", "fore to hind", "strides/s", "duty", "recognised")
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "phases.svg").write_text(drawn(rows))
    write_table("phases", markdown(head, table))


def motions(store: Store, seeds: int) -> None:
    """Motions of the supplement, and those beyond CogVideoX."""
    table = []
    for name, prompt, motion in HARD:
        scores = []
        for seed in range(seeds):

            def work(name=name, prompt=prompt, motion=motion, seed=seed) -> dict:
                return {"score": shows_motion(finished(name, prompt, seed), motion)}

            scores.append(store.get(f"motion {name} {prompt} {seed}", work)["score"])
        shown = sum(score >= SHOWN_SCORE for score in scores)
        table.append((prompt, name, f"{shown} of {seeds}", ", ".join(f"{score:.2f}" for score in scores)))
    write_table("motions", markdown(("sentence", "character", "shown", "score"), table))


def main() -> None:
    """Measure, print, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("phases", "motions"), nargs="+", default=("phases", "motions"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    store = Store(ROOT / "out" / "akd_motions.jsonl")
    seeds = 1 if options.quick else 3
    if "phases" in options.only:
        phases(store, seeds)
    if "motions" in options.only:
        motions(store, seeds)


if __name__ == "__main__":
    main()
