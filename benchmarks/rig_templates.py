"""Fit the numbers that place template joints in bare bodies, on built-in creatures with seeds of their own.

Run: python benchmarks/rig_templates.py [--write]
Prints the mean miss per joint in sizes (leave-one-out); `--write` puts the numbers into the package. The seeds are not
those that `rigging.py` measures with.
"""

import json
import sys
from pathlib import Path

import numpy as np

import gambol.character.rigging.template_placement as template_placement
from gambol.character.rigging.choose_template import choose_template
from gambol.character.rigging.mesh_facing import find_landmarks
from gambol.character.rigging.template_placement import body_anchors, combine_anchors, limb_anchors
from gambol.character.rigging.templates import LIMBS, SPINES, limb_roles
from gambol.character.rigging.voxel_solid import voxelise
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.errors import AssetError

KINDS = {
    **dict.fromkeys(("human", "woman", "child", "toddler"), "biped"),
    **dict.fromkeys(("penguin", "songbird", "ostrich", "eagle", "chicken", "duck", "flamingo"), "bird"),
    **dict.fromkeys(("trex", "raptor"), "theropod"),
    "spider": "spider",
    "snake": "snake",
}
"""What each family is; the others are quadrupeds."""
RARE = (
    *("penguin", "songbird", "ostrich", "eagle", "chicken", "duck", "flamingo"),
    *("trex", "raptor", "human", "woman", "child", "toddler", "spider"),
)
"""Families of the templates that few families have; more of them are drawn."""
RIDGE = 0.02
"""Spread of the anchors, in sizes, below which their numbers are held back."""


def unit_body(vertices):
    """Vertices with the lowest point at y = 0, the middle above the origin and the longest side 1; centre and size."""
    low, high = vertices.min(0), vertices.max(0)
    centre, size = np.array([0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])]), float((high - low).max())
    return (vertices - centre) / size, centre, size


def samples(creatures):
    """(template, joint, anchors, place) of every creature whose type and facing were found."""
    for name, vertices, triangles, joints in creatures:
        unit, centre, size = unit_body(vertices)
        solid = voxelise(unit, triangles)
        (landmarks, turned, _), kind = find_landmarks(solid), KINDS.get(name, "quadruped")
        try:
            found, _ = choose_template(landmarks)
        except AssetError:
            found = None
        if kind == "snake" or turned or found != kind:
            print(f"{name} is left out", flush=True)
            continue
        places = {joint: (place - centre) / size for joint, place in joints.items()}
        if kind == "spider":
            middle = np.mean([p.base for p in landmarks.feet], axis=0) * [1.0, 1.0, 0.0]
            for number, pair in enumerate(landmarks.feet, start=1):
                anchors = limb_anchors(solid, pair)
                anchors[-1] = middle
                for joint in LIMBS[kind]["legs"][1]:
                    yield kind, joint, anchors, places[f"{joint}{number}.L"]
            continue
        anchors = body_anchors(landmarks, kind)
        for joint in SPINES[kind]:
            if joint in places and joint[:5] != "Spine" and joint != "Neck2":
                yield kind, joint, anchors, places[joint]
        for role, pair in limb_roles(landmarks, kind).items():
            anchors = limb_anchors(solid, pair)
            for joint in LIMBS[kind][role][1]:
                if f"{joint}.L" in places:
                    yield kind, joint, anchors, places[f"{joint}.L"]


def fit(anchors, places, *, free: bool):
    """Numbers c of `combine_anchors` by ridge regression, axis by axis.

    People's arms hang `free`: some stand as a T, some as an A, so they have the same numbers for all axes.
    """
    if free:
        X = np.concatenate([anchors[:, 1:, d] - anchors[:, :1, d] for d in range(3)])
        y = (places - anchors[:, 0]).T.ravel()
        return np.tile(np.linalg.solve(X.T @ X + RIDGE**2 * len(X) * np.eye(X.shape[1]), X.T @ y), (3, 1))
    numbers = []
    for d in range(3):
        X, y = anchors[:, 1:, d] - anchors[:, :1, d], places[:, d] - anchors[:, 0, d]
        scale = RIDGE**2 * len(X)
        numbers.append(np.linalg.solve(X.T @ X + scale * np.eye(X.shape[1]), X.T @ y))
    return np.array(numbers)


def main() -> None:
    """Make creatures, fit, report."""
    names, generator = list(CREATURE_FAMILIES), np.random.default_rng(777)
    wanted = [(name, 1000 + i) for i, name in enumerate(names)]
    wanted += [(names[int(generator.integers(len(names)))], 2000 + i) for i in range(40)]
    for i, name in enumerate(RARE):
        wanted += [(name, 3000 + 10 * i + k) for k in range(8 if KINDS[name] == "theropod" else 4)]
    creatures = []
    for name, seed in wanted:
        character = make_creature(name, seed).character()
        joints = dict(zip(character.skeleton.names, character.skeleton.heads, strict=True))
        creatures.append((name, character.mesh.vertices, character.mesh.triangles, joints))
    result = fit_all(creatures)
    if "--write" in sys.argv:
        path = Path(template_placement.__file__).with_name("template_placement.json")
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {path.name}")


def fit_all(creatures) -> dict:
    """The numbers of every template; prints how far each joint is missed when it is left out of the fit."""
    groups: dict[tuple[str, str], list] = {}
    for kind, joint, anchors, place in samples(creatures):
        groups.setdefault((kind, joint), []).append((anchors, place))
    result: dict[str, dict[str, list]] = {}
    for (kind, joint), found in sorted(groups.items()):
        anchors, places = np.array([a for a, _ in found]), np.array([p for _, p in found])
        free = kind == "biped" and joint in LIMBS[kind]["hand"][1]
        result.setdefault(kind, {})[joint] = np.round(fit(anchors, places, free=free), 4).tolist()
        misses = []
        for i in range(len(found)):
            others = np.arange(len(found)) != i
            numbers = fit(anchors[others], places[others], free=free)
            misses.append(np.linalg.norm(combine_anchors(anchors[i], numbers) - places[i]))
        print(f"{kind:10} {joint:9} {len(found):4} bodies, missed by {np.mean(misses):.3f} of the size", flush=True)
    return result


if __name__ == "__main__":
    main()
