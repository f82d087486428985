"""Draw the clips whose label is wrong (`judge_labels.WRONG`): what they show instead, on one sheet for docs/judge.md.

Run: GAMBOL_DATA=... python benchmarks/judge_pictures.py
Each panel shows the bones at seven moments, from light to dark, and the way of the hips over the ground (a line), as
seen from the side and above; the bar at the lower left is as long as a leg.
"""

import os
from pathlib import Path

import numpy as np
from judge_labels import WRONG
from PIL import Image, ImageDraw

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.evaluate.observation import Observation, observe_clip
from gambol.files.asset import load
from gambol.motion.feet.feet_from_nodes import clip_with_feet

SHEET = Path(__file__).resolve().parent.parent / "docs" / "images" / "judge-labels.png"
PANEL, COLUMNS, FINER = (300, 190), 3, 3
MOMENTS = 7
ELEVATION = np.radians(40.0)


def observe(name: str, data: Path) -> Observation:
    """A clip by its name in the list: `cmu/FILE` or `FOLDER/FILE: CLIP`."""
    file, _, clip = name.partition(": ")
    path = data / "mocap" / f"{file}.bvh" if file.startswith("cmu/") else data / "characters" / f"{file}.glb"
    asset = load(path)
    anatomy = find_anatomy(asset.character)
    node_clip = asset.clip(clip) if clip else asset.clips[0]
    return observe_clip(asset.character, anatomy, clip_with_feet(asset.character, node_clip, anatomy))


def panel(seen: Observation, title: str, reason: str) -> Image.Image:
    """One clip."""
    width, height = (FINER * side for side in PANEL)
    way = seen.joints[:, 0] * [1.0, 0.0, 1.0]
    frames = np.linspace(0, len(seen) - 1, MOMENTS).round().astype(int)
    # the longest side of the way runs from left to right
    _, axes = np.linalg.eigh(np.cov((way - way.mean(0))[:, [0, 2]].T) + 1e-9 * np.eye(2))
    right = np.array([axes[0, 1], 0.0, axes[1, 1]])
    right *= np.sign(right @ (way[-1] - way[0])) or 1.0
    down = np.array([-right[2], 0.0, right[0]]) * np.sin(ELEVATION) - [0.0, np.cos(ELEVATION), 0.0]

    def flat(points: np.ndarray) -> np.ndarray:
        return np.stack([points @ right, points @ down], axis=-1)

    drawn = flat(np.concatenate([seen.joints[frames].reshape(-1, 3), seen.tips[frames].reshape(-1, 3), way]))
    low, high = drawn.min(0), drawn.max(0)
    space = np.array([width, height - 44 * FINER])
    zoom = float((0.9 * space / np.maximum(high - low, 1e-6)).min())
    offset = 0.5 * space - zoom * 0.5 * (low + high)
    image = Image.new("RGB", (width, height), (246, 247, 249))
    draw = ImageDraw.Draw(image)
    line = [tuple(p) for p in zoom * flat(way) + offset]
    draw.line(line, fill=(214, 120, 40), width=2 * FINER, joint="curve")
    for k, frame in enumerate(frames):
        shade = int(190 - 170 * k / (MOMENTS - 1))
        starts, ends = (zoom * flat(points[frame]) + offset for points in (seen.joints, seen.tips))
        for start, end in zip(starts, ends, strict=True):
            draw.line([tuple(start), tuple(end)], fill=(shade, shade, min(shade + 30, 255)), width=2 * FINER)
    bar = height - 50 * FINER
    draw.line([(6 * FINER, bar), (6 * FINER + zoom * seen.leg, bar)], fill=(90, 90, 90), width=2 * FINER)
    image = image.resize(PANEL, Image.Resampling.LANCZOS)
    label, _, shows = reason.partition(": ")
    text = ImageDraw.Draw(image)
    text.text((6, PANEL[1] - 40), f"{title}, {label}", fill=(20, 20, 20))
    text.text((6, PANEL[1] - 26), "\n".join(wrapped(shows)), fill=(60, 60, 60), spacing=1)
    return image


def wrapped(text: str, most: int = 47) -> list[str]:
    """Lines of at most `most` letters."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if len(longer) <= most else [*lines, word]
    return lines


def main() -> None:
    """Draw all and write the sheet."""
    data = Path(os.environ["GAMBOL_DATA"])
    panels = [panel(observe(name, data), name.split("/")[-1], reason) for name, reason in WRONG.items()]
    rows, gap = -(-len(panels) // COLUMNS), 6
    sheet = Image.new("RGB", (COLUMNS * (PANEL[0] + gap) - gap, rows * (PANEL[1] + gap) - gap), "white")
    for i, picture in enumerate(panels):
        sheet.paste(picture, ((i % COLUMNS) * (PANEL[0] + gap), (i // COLUMNS) * (PANEL[1] + gap)))
    SHEET.parent.mkdir(exist_ok=True)
    sheet.quantize(64).save(SHEET, optimize=True)
    print(f"wrote {SHEET.relative_to(SHEET.parents[2])}, {SHEET.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
