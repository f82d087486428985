"""Small creatures for the tests of anatomy: bones written down with what they are, bare or with a box around each bone.

A bone is (name, parent, joint, end, tag); names that end in .L get a mirrored twin in .R. Coordinates are x forwards,
y up, z to the right; the tag reads "part pair side order" or "part side order".
"""

from __future__ import annotations

import numpy as np

from gambol.character.character import Character, Placement
from gambol.character.mesh import Mesh
from gambol.character.scene import Scene, translated_nodes
from gambol.character.skeleton import Skeleton, rest_frames
from gambol.character.weights import SkinWeights

Bone = tuple[str, str | None, tuple[float, float, float], tuple[float, float, float], str]


def chain(
    names: str, parent: str | None, points: list[tuple[float, float, float]], tag: str, first: int = 0
) -> list[Bone]:
    """Bones one after another through the points, tagged with growing orders."""
    bones, words = [], names.split()
    for i, name in enumerate(words):
        bones.append((name, parent, points[i], points[i + 1], f"{tag} {first + i}"))
        parent = name
    return bones


def human() -> list[Bone]:
    return [
        *chain("pelvis belly chest", None, [(0, 1, 0), (0, 1.1, 0), (0, 1.25, 0), (0, 1.45, 0)], "torso middle"),
        *chain("neck", "chest", [(0, 1.5, 0), (0.02, 1.6, 0)], "neck middle"),
        *chain("head", "neck", [(0.02, 1.6, 0), (0.03, 1.8, 0)], "head middle"),
        ("jaw", "head", (0.04, 1.62, 0), (0.12, 1.58, 0), "head middle 1"),
        *chain("eye.L", "head", [(0.08, 1.7, -0.03), (0.1, 1.7, -0.03)], "head left"),
        *chain(
            "collar.L upper.L fore.L hand.L finger1.L finger2.L",
            "chest",
            [
                (0, 1.43, -0.03),
                (0, 1.45, -0.18),
                (0, 1.45, -0.45),
                (0, 1.45, -0.7),
                (0, 1.45, -0.78),
                (0, 1.45, -0.82),
                (0, 1.45, -0.86),
            ],
            "arm 0 left",
        ),
        ("thumb.L", "hand.L", (0.03, 1.44, -0.73), (0.06, 1.42, -0.77), "arm 0 left 4"),
        *chain(
            "thigh.L shin.L foot.L toe.L",
            "pelvis",
            [(0, 0.95, -0.1), (0.02, 0.5, -0.1), (0, 0.08, -0.1), (0.12, 0.02, -0.1), (0.18, 0.02, -0.1)],
            "leg 0 left",
        ),
    ]


def quadruped() -> list[Bone]:
    return [
        *chain(
            "hips loin ribs", None, [(-0.5, 0.7, 0), (-0.25, 0.7, 0), (0.05, 0.7, 0), (0.4, 0.72, 0)], "torso middle"
        ),
        ("belly", "loin", (-0.1, 0.6, 0), (-0.1, 0.5, 0), "torso middle 2"),
        *chain("neck1 neck2", "ribs", [(0.4, 0.72, 0), (0.5, 0.85, 0), (0.6, 0.98, 0)], "neck middle"),
        *chain("skull", "neck2", [(0.6, 0.98, 0), (0.85, 0.9, 0)], "head middle"),
        ("jaw", "skull", (0.68, 0.92, 0), (0.8, 0.86, 0), "head middle 1"),
        *chain("ear.L eartip.L", "skull", [(0.62, 1.02, -0.05), (0.61, 1.08, -0.06), (0.6, 1.14, -0.07)], "head left"),
        *chain(
            "tail1 tail2 tail3",
            "hips",
            [(-0.55, 0.72, 0), (-0.7, 0.65, 0), (-0.8, 0.5, 0), (-0.85, 0.4, 0)],
            "tail middle",
        ),
        *chain(
            "scapula.L arm.L shank.L paw.L",
            "ribs",
            [(0.3, 0.7, -0.05), (0.4, 0.5, -0.1), (0.36, 0.28, -0.1), (0.36, 0.05, -0.1), (0.44, 0.01, -0.1)],
            "leg 0 left",
        ),
        *chain(
            "thigh.L shin.L metatarsus.L toes.L",
            "hips",
            [(-0.5, 0.66, -0.1), (-0.42, 0.42, -0.1), (-0.55, 0.22, -0.1), (-0.52, 0.04, -0.1), (-0.44, 0.01, -0.1)],
            "leg 1 left",
        ),
    ]


def spider() -> list[Bone]:
    bones: list[Bone] = [
        ("thorax", None, (0, 0.25, 0), (0.15, 0.25, 0), "torso middle 0"),
        *chain("face", "thorax", [(0.15, 0.25, 0), (0.25, 0.24, 0)], "head middle"),
        *chain("abdomen", "thorax", [(-0.1, 0.27, 0), (-0.45, 0.3, 0)], "tail middle"),
    ]
    for pair, (x, reach) in enumerate([(0.12, 0.5), (0.04, 0.2), (-0.04, -0.2), (-0.1, -0.5)]):
        points = [
            (x, 0.24, -0.08),
            (x + 0.2 * reach, 0.26, -0.15),
            (x + 0.6 * reach, 0.5, -0.4),
            (x + reach, 0.0, -0.7),
        ]
        bones += chain(f"coxa{pair}.L femur{pair}.L tibia{pair}.L", "thorax", points, f"leg {pair} left")
    return bones


def snake(root_at_tail: bool = True) -> list[Bone]:
    points = [(-1.0 + 0.2 * i, 0.03, 0.02 * (-1) ** i) for i in range(11)]
    names = [f"v{i}" for i in range(9)] + ["skull"]
    tags = [f"tail middle {2 - i}" for i in range(3)] + [f"torso middle {i}" for i in range(6)] + ["head middle 0"]
    if root_at_tail:
        parents = [None, *names[:-1]]
        return [(n, p, points[i], points[i + 1], tags[i]) for i, (n, p) in enumerate(zip(names, parents, strict=True))]
    front = [(names[i], names[i - 1] if i > 5 else None, points[i], points[i + 1], tags[i]) for i in range(5, 10)]
    back = [(names[i], names[i + 1], points[i + 1], points[i], tags[i]) for i in range(4, -1, -1)]
    return [(n, p, a, b, " ".join(t.split()[:2]) if t.startswith("torso") else t) for n, p, a, b, t in front + back]


def bird() -> list[Bone]:
    return [
        *chain("pelvis breast", None, [(-0.1, 0.3, 0), (0.05, 0.32, 0), (0.2, 0.35, 0)], "torso middle"),
        *chain("neck", "breast", [(0.2, 0.35, 0), (0.3, 0.45, 0)], "neck middle"),
        *chain("head", "neck", [(0.3, 0.45, 0), (0.4, 0.45, 0)], "head middle"),
        *chain("rump fan", "pelvis", [(-0.15, 0.3, 0), (-0.3, 0.3, 0), (-0.5, 0.28, 0)], "tail middle"),
        *chain(
            "wing1.L wing2.L wing3.L",
            "breast",
            [(0.12, 0.38, -0.06), (0.08, 0.42, -0.3), (0.12, 0.42, -0.6), (0.0, 0.42, -1.0)],
            "wing 0 left",
        ),
        *chain(
            "thigh.L shin.L tarsus.L toes.L",
            "pelvis",
            [(-0.05, 0.27, -0.07), (0.02, 0.2, -0.08), (-0.05, 0.1, -0.08), (0.0, 0.01, -0.08), (0.08, 0.0, -0.08)],
            "leg 0 left",
        ),
    ]


def four_armed_rabbit() -> list[Bone]:
    """A human with a second pair of arms, long ears and a tail."""
    ears = chain("ear1.L ear2.L", "head", [(0, 1.8, -0.05), (0, 2.0, -0.1), (0, 2.3, -0.15)], "head left")
    lower = [(0, 1.2, -0.05), (0, 1.22, -0.15), (0, 1.2, -0.4), (0, 1.2, -0.65), (0, 1.2, -0.75)]
    arms = chain("collar2.L upper2.L fore2.L hand2.L", "belly", lower, "arm 1 left")
    tail = chain("tail1 tail2", "pelvis", [(-0.1, 0.98, 0), (-0.3, 0.9, 0), (-0.5, 0.95, 0)], "tail middle")
    return [*human(), *ears, *arms, *tail]


def one_armed() -> list[Bone]:
    """A human without a right arm."""
    arms = {name for name, *_, tag in human() if tag.startswith("arm")}
    alone = {name: name.replace(".L", " (alone)") for name in arms}
    return [(alone.get(n, n), alone.get(p or "", p), a, b, t) for n, p, a, b, t in human()]


def knight() -> list[Bone]:
    """A human with a helmet, long hair, a cape, and a sword in the right hand that stands on the ground."""
    hair = [(-0.05, 1.75, 0), (-0.12, 1.65, 0), (-0.15, 1.45, 0), (-0.15, 1.25, 0)]
    cape = [(-0.08, 1.45, 0), (-0.15, 1.1, 0), (-0.25, 0.7, 0), (-0.3, 0.3, 0)]
    return [
        *human(),
        ("helmet", "head", (0.02, 1.7, 0), (0.02, 1.9, 0), "head middle 1"),
        *chain("hair1 hair2 hair3", "head", hair, "head middle", 1),
        *chain("cape1 cape2 cape3", "chest", cape, "torso middle", 3),
        ("sword", "hand.R", (0, 1.45, 0.75), (0, 0.0, 0.75), "arm 0 right 4"),
    ]


def wasp() -> list[Bone]:
    """Six legs that hang in the air, wings, and an abdomen that is the lowest point."""
    bones: list[Bone] = [
        ("thorax", None, (0, 1, 0), (0.2, 1.05, 0), "torso middle 0"),
        *chain("head", "thorax", [(0.2, 1.05, 0), (0.45, 1.0, 0)], "head middle"),
        *chain("feeler.L", "head", [(0.35, 1.1, -0.05), (0.55, 1.2, -0.1)], "head left"),
        *chain("abdomen sting", "thorax", [(-0.08, 0.95, 0), (-0.35, 0.6, 0), (-0.3, 0.1, 0)], "tail middle"),
        *chain("wing.L", "thorax", [(0, 1.1, -0.08), (-0.5, 1.3, -0.6)], "wing 0 left"),
    ]
    for pair, x in enumerate([0.12, 0.04, -0.04]):
        points = [(x, 0.95, -0.06), (x + 0.05, 0.85, -0.12), (x + 0.15, 0.7, -0.15), (x + 0.2, 0.5, -0.18)]
        bones += chain(f"coxa{pair}.L femur{pair}.L tibia{pair}.L", "thorax", points, f"leg {pair} left")
    return bones


def snake_from_the_head() -> list[Bone]:
    """The root is the head, the last bone the tip of the tail."""
    points = [(1.0 - 0.2 * i, 0.03, 0.0) for i in range(11)]
    tags = ["head middle 0"] + [f"torso middle {i}" for i in range(6)] + [f"tail middle {i}" for i in range(3)]
    names = ["skull", *(f"v{i}" for i in range(9))]
    parents = [None, *names[:-1]]
    return [(names[i], parents[i], points[i], points[i + 1], tags[i]) for i in range(10)]


def scorpion() -> list[Bone]:
    legs = [bone for bone in spider() if bone[4].startswith("leg")]
    sting = [(-0.12, 0.27, 0), (-0.4, 0.3, 0), (-0.6, 0.5, 0), (-0.55, 0.8, 0), (-0.2, 0.9, 0), (0.1, 0.75, 0)]
    claw = [(0.15, 0.25, -0.08), (0.35, 0.25, -0.35), (0.6, 0.22, -0.4), (0.85, 0.2, -0.2)]
    return [
        ("thorax", None, (0, 0.25, 0), (0.15, 0.25, 0), "torso middle 0"),
        *chain("face", "thorax", [(0.15, 0.25, 0), (0.25, 0.24, 0)], "head middle"),
        *chain("t1 t2 t3 t4 t5", "thorax", sting, "tail middle"),
        *chain("claw1.L claw2.L claw3.L", "thorax", claw, "arm 0 left"),
        *legs,
    ]


def centaur() -> list[Bone]:
    """A quadruped with a human's upper half for a neck."""
    body = [b for b in quadruped() if b[4].split()[0] in ("torso", "leg", "tail")]
    arm = [(0.45, 1.2, -0.05), (0.45, 1.22, -0.2), (0.45, 1.22, -0.5), (0.45, 1.22, -0.75), (0.45, 1.22, -0.85)]
    return [
        *body,
        *chain("waist chest", "ribs", [(0.4, 0.72, 0), (0.45, 0.95, 0), (0.45, 1.25, 0)], "torso middle", 3),
        *chain("neck", "chest", [(0.45, 1.27, 0), (0.46, 1.37, 0)], "neck middle"),
        *chain("head", "neck", [(0.46, 1.37, 0), (0.48, 1.6, 0)], "head middle"),
        *chain("collar.L upper.L fore.L hand.L", "chest", arm, "arm 0 left"),
    ]


def pegasus() -> list[Bone]:
    wing = [(0.2, 0.8, -0.05), (0.2, 0.95, -0.2), (0.1, 1.1, -0.7), (-0.1, 1.1, -1.2)]
    return [*quadruped(), *chain("wing1.L wing2.L wing3.L", "ribs", wing, "wing 0 left")]


def fish() -> list[Bone]:
    return [
        ("body", None, (0, 0.2, 0), (0.2, 0.2, 0), "torso middle"),
        *chain("head", "body", [(0.2, 0.2, 0), (0.4, 0.2, 0)], "head middle"),
        ("back", "body", (0, 0.2, 0), (-0.2, 0.2, 0), "torso middle"),
        *chain("peduncle fluke", "back", [(-0.2, 0.2, 0), (-0.4, 0.2, 0), (-0.6, 0.2, 0)], "tail middle"),
        *chain("fin1.L fin2.L", "body", [(0.1, 0.18, -0.05), (0.05, 0.17, -0.15), (-0.02, 0.16, -0.25)], "wing 0 left"),
    ]


def mirrored(bones: list[Bone]) -> list[Bone]:
    """The bones and the twins of those in .L, parents first."""
    flip = lambda p: (p[0], p[1], -p[2])  # noqa: E731
    swap = lambda text: text and text.replace(".L", ".R")  # noqa: E731
    twins = [
        (swap(n), swap(p), flip(a), flip(b), t.replace("left", "right")) for n, p, a, b, t in bones if n.endswith(".L")
    ]
    return [*bones, *twins]


def build(bones: list[Bone], *, boxes: bool = False, thickness: float = 0.03) -> tuple[Character, dict[str, str]]:
    """A character that stands on y = 0 and the tag of each bone by name."""
    bones = mirrored(bones)
    names = [bone[0] for bone in bones]
    parents = np.array([names.index(bone[1]) if bone[1] else -1 for bone in bones])
    order = _parents_first(parents)
    place = {old: new for new, old in enumerate(order)}
    heads, tails = (np.array([bones[i][k] for i in order], float) for k in (2, 3))
    parents = np.array([place[parents[i]] if parents[i] >= 0 else -1 for i in order])
    ground = np.array([0.0, min(heads[:, 1].min(), tails[:, 1].min()), 0.0])
    skeleton = Skeleton(
        tuple(names[i] for i in order), parents, rest_frames(heads - ground, tails - ground, parents), tails - ground
    )
    nodes = translated_nodes(("root",), np.array([-1]), np.zeros((1, 3)))
    mesh = weights = None
    if boxes:
        mesh, weights = _boxes(skeleton, [bones[i][4] for i in order], thickness)
    placement = Placement(np.eye(4), "+x", 1.0)
    character = Character("made", Scene(nodes, (), (), ()), placement, mesh, skeleton, weights, None)
    return character, {bone[0]: bone[4] for bone in bones}


def _parents_first(parents: np.ndarray) -> list[int]:
    order: list[int] = []
    while len(order) < len(parents):
        order += [i for i, p in enumerate(parents) if i not in order and (p < 0 or p in order)]
    return order


def _boxes(skeleton: Skeleton, tags: list[str], thickness: float) -> tuple[Mesh, SkinWeights]:
    """A box along each bone; wings are broad and thin."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (0, 1) for z in (-1, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    vertices, triangles = [], []
    for bone, tag in enumerate(tags):
        along = skeleton.tails[bone] - skeleton.heads[bone]
        length = float(np.linalg.norm(along))
        y = along / length
        side = np.array([1.0, 0.0, 0.0]) if abs(y[0]) < 0.7 else np.array([0.0, 0.0, 1.0])
        x = side - (side @ y) * y
        x /= np.linalg.norm(x)
        wide, thin = (8.0 * thickness, 0.2 * thickness) if tag.startswith("wing") else (thickness, thickness)
        box = corners * [wide, length, thin]
        vertices.append(box @ np.stack([x, y, np.cross(x, y)]) + skeleton.heads[bone])
        triangles.append(faces + 8 * bone)
    points = np.concatenate(vertices)
    bones = np.repeat(np.arange(len(tags)), 8)[:, None]
    points[:, 1] = np.maximum(points[:, 1], 0.0)
    mesh = Mesh(points, np.concatenate(triangles), np.zeros(12 * len(tags), int))
    return mesh, SkinWeights(bones, np.ones((len(points), 1), np.float32), len(tags))
