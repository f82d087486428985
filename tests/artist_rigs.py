"""Rigs as artists build them, for the tests of anatomy: hubs, IK targets, poles, twist bones, end bones, any names.

A bone with a `part` says what the anatomy must find: part, side, and pair of its limb. Others may be anything.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from artist_rig_scene import Point, RigBone, both_sides, tube


def spider(
    *,
    pairs: int = 4,
    segments: int = 4,
    hub: str = "body",
    targets: bool = False,
    ik_feet: bool = False,
    twists: bool = False,
    face: bool = True,
    root: bool = True,
    uneven: float = 0.0,
    height: float = 0.22,
    reach: float = 0.6,
) -> list[RigBone]:
    """A game spider with `pairs` pairs of legs of `segments` bones.

    `hub` is what the legs hang on: "body", "middle" (one bone for all), "sides" (one for each side), "centre" (coxae
    that start in the middle of the body), "thirds" (a front and a rear hub) or "root" (the joint on the ground).
    `uneven` moves the tips of the left legs forwards and of the right ones back, as in a step.
    """
    bones = [RigBone("root", None, (0, 0, 0))] if root else []
    bones += [
        RigBone("body", "root" if root else None, (-0.02, height, 0), (0.16, height, 0), (0.08, 0.1), 0.8, "torso"),
        RigBone("abdomen", "body", (-0.1, height + 0.02, 0), (-0.32, height + 0.05, 0), (0.1, 0.12), 1.2, "tail"),
        RigBone(
            "spinneret", "abdomen", (-0.32, height + 0.05, 0), (-0.42, height + 0.03, 0), (0.08, 0.08), 0.3, "tail"
        ),
    ]
    if face:
        bones += [
            RigBone("face", "body", (0.16, height, 0), (0.24, height - 0.02, 0), (0.05, 0.05), 0.6, "head"),
            *both_sides(
                tube(
                    ["palp1.L", "palp2.L"],
                    "face",
                    [(0.22, height - 0.02, -0.04), (0.3, height, -0.06), (0.34, 0.06, -0.05)],
                    (0.012, 0.012),
                    "head",
                )
            ),
        ]
    parents = {"body": "body", "middle": "hub", "sides": "hub.L", "centre": "body", "root": "root", "thirds": "body"}
    if hub == "middle":
        bones.append(RigBone("hub", "body", (0, height - 0.02, 0)))
    if hub == "sides":
        bones += both_sides([RigBone("hub.L", "body", (0.0, height - 0.02, -0.03))])
    if hub == "thirds":
        bones += [RigBone("hub front", "body", (0.06, height, 0)), RigBone("hub rear", "body", (-0.04, height, 0))]
    left = []
    for pair in range(pairs):
        along = 1.0 - 2.0 * pair / max(pairs - 1, 1)
        parent = parents[hub] if hub != "thirds" else ("hub front" if pair < (pairs + 1) // 2 else "hub rear")
        base = np.array([0.04 + 0.06 * along, height - 0.01, -0.09])
        tip = np.array([0.02 + 0.8 * reach * along, 0.0, -reach * (1.0 - 0.35 * abs(along))])
        left += _spider_leg(f"leg{pair + 1}", parent, base, tip, segments, pair, hub == "centre")
        if twists:
            femur = next(b for b in left if b.name == f"leg{pair + 1}_2.L")
            a, b = np.array(femur.joint), np.array(femur.end)
            left.append(
                RigBone(
                    f"twist{pair + 1}.L", femur.name, tuple(a + 0.5 * (b - a)), tuple(a + 0.9 * (b - a)), (0.02, 0.02)
                )
            )
        if targets:
            left += [
                RigBone(f"ik{pair + 1}.L", "root", tuple(tip)),
                RigBone(f"pole{pair + 1}.L", "root", tuple(0.5 * (base + tip) + [0, 0.5, 0])),
            ]
    if ik_feet:
        left = [replace(b, parent="root") if b.contact else b for b in left]
    legs = both_sides(left)
    if uneven:
        legs = [_stepped(b, uneven, height) for b in legs]
    return [*bones, *legs]


def _spider_leg(
    name: str, parent: str, base: np.ndarray, tip: np.ndarray, segments: int, pair: int, from_middle: bool
) -> list[RigBone]:
    """A leg that rises to its knee and comes down to its tip, its last joint well above the ground."""
    shares = {3: (0.0, 0.12, 0.5), 4: (0.0, 0.12, 0.45, 0.85), 5: (0.0, 0.1, 0.4, 0.65, 0.88), 2: (0.0, 0.45)}[segments]
    rises = {3: (0, 0.02, 0.22), 4: (0, 0.02, 0.22, 0.12), 5: (0, 0.02, 0.2, 0.22, 0.1), 2: (0, 0.24)}[segments]
    points = [
        base + share * (tip - base) + [0, rise + share * base[1] * 0.9, 0]
        for share, rise in zip(shares, rises, strict=True)
    ]
    points.append(tip)
    if from_middle:
        points[0] = np.array([base[0], base[1], 0.0])
    names = [f"{name}_{i + 1}.L" for i in range(segments)]
    bones = tube(
        names, parent, points, [(0.022 - 0.003 * i,) * 2 for i in range(segments)], f"leg left {pair}", taper=0.8
    )
    return [*bones[:-1], replace(bones[-1], contact=True)]


def _stepped(bone: RigBone, step: float, height: float) -> RigBone:
    """The bone with every second leg moved forwards and the others back, most at the tip."""
    number = int("".join(c for c in bone.name.split("_")[0] if c.isdigit()) or 0)
    sign = 1.0 if (number + bone.name.endswith(".R")) % 2 else -1.0
    move = lambda p: p and (p[0] + sign * step * abs(p[2]), p[1], p[2])  # noqa: E731
    return replace(bone, joint=move(bone.joint), end=move(bone.end))


def fish(
    *,
    root_at: str = "middle",
    jaw: bool = True,
    fins: bool = True,
    flukes: bool = False,
    lobes: bool = True,
    bones: int = 8,
    helpers: bool = False,
    width: float = 0.5,
) -> list[RigBone]:
    """A fish of two metres; `root_at` is the bone of the line that holds the root: "middle", "head", "tail".

    `flukes` makes the tail fin a flat pair as a dolphin's, `lobes` gives the upright one two bones.
    """
    xs = np.linspace(-0.7, 0.9, bones + 1)
    line = [(float(x), 0.45, 0.0) for x in xs]
    shares = (xs[:-1] + xs[1:]) / 2
    halves = [max(0.04, 0.26 * float(np.sin(np.pi * ((0.95 - x) / 1.9) ** 0.6))) for x in shares]
    names = [f"spine{i}" for i in range(bones - 1)] + ["head"]
    parts = [
        ("tail" if x < -0.5 else None if x < 0.0 else "torso") if i < bones - 1 else "head"
        for i, x in enumerate(shares)
    ]
    body = _line(
        names,
        line,
        [(h, width * h) for h in halves],
        parts,
        {"middle": bones // 2, "head": bones - 1, "tail": 0}[root_at],
    )
    body += [RigBone("fin base", "spine0", (-0.7, 0.45, 0), (-0.78, 0.45, 0), (0.05, 0.02), 1.0, "tail")]
    if flukes:
        body += both_sides(
            [_fin("fluke.L", "fin base", (-0.76, 0.45, -0.01), (-0.98, 0.45, -0.3), (0.01, 0.1), "tail")]
        )
    elif lobes:
        body += [_fin("lobe up", "fin base", (-0.78, 0.47, 0), (-1.05, 0.75, 0), (0.1, 0.01), "tail")]
        body += [_fin("lobe down", "fin base", (-0.78, 0.43, 0), (-1.05, 0.15, 0), (0.1, 0.01), "tail")]
    else:
        body += [_fin("caudal", "fin base", (-0.78, 0.45, 0), (-1.05, 0.45, 0), (0.3, 0.01), "tail")]
    if jaw:
        body += [RigBone("jaw", "head", (0.74, 0.38, 0), (0.88, 0.36, 0), (0.03, 0.05), 0.5, "head")]
        body += both_sides(
            [RigBone("eye.L", "head", (0.78, 0.5, -0.05), (0.79, 0.5, -0.08), (0.02, 0.02), 1.0, "head")]
        )
    if fins:
        chest = names[np.searchsorted(xs, 0.45) - 1]
        belly = names[np.searchsorted(xs, 0.0) - 1]
        body += [_fin("dorsal", belly, (0.0, 0.66, 0), (-0.15, 0.95, 0), (0.15, 0.01), "torso")]
        body += both_sides(
            [
                _fin("pectoral1.L", chest, (0.45, 0.35, -0.1), (0.34, 0.28, -0.22), (0.01, 0.08), "wing left 0"),
                _fin("pectoral2.L", "pectoral1.L", (0.34, 0.28, -0.22), (0.2, 0.2, -0.38), (0.01, 0.09), "wing left 0"),
                _fin("pelvic.L", belly, (-0.02, 0.22, -0.06), (-0.14, 0.06, -0.14), (0.01, 0.06)),
            ]
        )
    if helpers:
        body = [replace(b, parent="root") if b.parent is None else b for b in body]
        body = [
            RigBone("root", None, (0, 0, 0)),
            *body,
            RigBone("steer", "root", (1.6, 0.45, 0)),
            RigBone("steer 2", "root", (-1.6, 0.45, 0)),
        ]
    return body


def snake(
    *,
    bones: int = 14,
    root_at: str = "middle",
    bends: float = 0.0,
    raised: float = 0.0,
    jaw: bool = True,
    helpers: bool = False,
    thick: bool = True,
) -> list[RigBone]:
    """A snake of two metres whose rest pose winds by `bends` metres to either side; `raised` lifts its head."""
    share = np.linspace(0.0, 1.0, bones + 1)
    xs = -1.0 + 2.0 * share
    ys = 0.06 + raised * np.clip((share - 0.75) / 0.25, 0.0, 1.0) ** 1.5
    zs = bends * np.sin(3.0 * np.pi * share)
    line = [(float(x), float(y), float(z)) for x, y, z in zip(xs, ys, zs, strict=True)]
    radii = [0.055 * min(1.0, 0.2 + 2.5 * s) if thick else 0.05 for s in share[:-1]]
    radii[-1] = 0.06
    names = [f"v{i}" for i in range(bones - 1)] + ["head"]
    thirds = ["tail" if i < bones // 4 else None if i < bones // 2 else "torso" for i in range(bones - 1)] + ["head"]
    body = _line(
        names,
        line,
        [(0.8 * r, r) for r in radii],
        thirds,
        {"middle": bones // 2, "head": bones - 1, "tail": 0}[root_at],
    )
    if jaw:
        x, y, z = line[-2]
        body += [
            RigBone(
                "jaw", "head", (x + 0.02, y - 0.02, z), (x + 0.12, y - 0.03, line[-1][2]), (0.015, 0.04), 0.6, "head"
            )
        ]
        body += [
            RigBone(
                "tongue",
                "jaw",
                (x + 0.1, y - 0.02, line[-1][2]),
                (x + 0.2, y - 0.02, line[-1][2]),
                (0.004, 0.01),
                0.6,
                "head",
            )
        ]
    if helpers:
        body = [replace(b, parent="root") if b.parent is None else b for b in body]
        body = [
            RigBone("root", None, (0, 0, 0)),
            *body,
            *(RigBone(f"ik{i}", "root", line[i]) for i in range(2, bones, 4)),
        ]
    return body


def _line(names, points, halves, parts, root: int) -> list[RigBone]:
    """A body line from tail to head with the root inside: bones ahead of it point forwards, those behind backwards."""
    bones = []
    for i in range(root, len(names)):
        tip = 0.5 if i == len(names) - 1 else halves[i + 1][0] / halves[i][0]
        bones.append(
            RigBone(names[i], names[i - 1] if i > root else None, points[i], points[i + 1], halves[i], tip, parts[i])
        )
    for i in range(root - 1, -1, -1):
        tip = halves[i - 1][0] / halves[i][0] if i else 0.5
        bones.append(RigBone(names[i], names[i + 1], points[i + 1], points[i], halves[i], tip, parts[i]))
    return bones


def _fin(
    name: str, parent: str, joint: Point, end: Point, half: tuple[float, float], part: str | None = None
) -> RigBone:
    return RigBone(name, parent, joint, end, half, 0.9, part)
